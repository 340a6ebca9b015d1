// Package shorten cuts names that are too long for their place.
package shorten

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Width tells how wide a text is: its letters, or the columns that it takes on a terminal.
type Width func(text string) int

// Names cuts names wider than width to what tells them apart, and keeps different names different: of those that
// would look the same all but the first end in their number in the list.
func (w Width) Names(names []string, width int) []string {
	out, short, taken := make([]string, len(names)), map[string]string{}, map[string]bool{}
	for _, name := range names {
		if w(name) <= width {
			short[name], taken[name] = name, true
		}
	}
	for i, name := range names {
		if _, known := short[name]; !known {
			cut := w.telling(name, names, width)
			for n := i + 1; taken[cut]; n += len(names) {
				cut = w.start(name, width-1-len(strconv.Itoa(n))) + "…" + strconv.Itoa(n)
			}
			short[name], taken[cut] = cut, true
		}
		out[i] = short[name]
	}
	return out
}

// telling returns what tells a name that is too wide from the others: the words it begins with or, if another one
// begins so, those it ends with; and where that does neither, its start and its end.
func (w Width) telling(name string, names []string, width int) string {
	head, tail := w.start(name, width-1), w.end(name, width-1)
	if at := strings.LastIndexAny(name[:len(head)+1], betweenWords); 3*at >= len(head) { // else little is left
		head = strings.TrimRight(name[:at], betweenWords)
	}
	after := name[len(name)-len(tail)-1:]
	if at := strings.IndexAny(after, betweenWords); at >= 0 && 3*(len(after)-at) >= len(tail) {
		tail = strings.TrimLeft(after[at:], betweenWords)
	}
	alike := func(has func(s, part string) bool, part string) bool {
		return part == "" || slices.ContainsFunc(names, func(other string) bool { return other != name && has(other, part) })
	}
	switch {
	case !alike(strings.HasPrefix, head):
		return head + "…"
	case !alike(strings.HasSuffix, tail):
		return "…" + tail
	}
	return w.Ends(name, width)
}

// betweenWords are the signs that part words of a name.
const betweenWords = "_- "

// Ends returns the start and the end of a name around the sign of what is left out, together of that width.
func (w Width) Ends(name string, width int) string {
	room := width - w("…")
	head := w.start(name, room-room/2)
	return head + "…" + w.end(name, room-w(head))
}

// end returns as much of the end of a name as fits the width.
func (w Width) end(name string, width int) string {
	at := len(name)
	for at > 0 {
		_, size := utf8.DecodeLastRuneInString(name[:at])
		if w(name[at-size:]) > width {
			break
		}
		at -= size
	}
	return name[at:]
}

// start returns as much of the start of a name as fits the width.
func (w Width) start(name string, width int) string {
	for at := range name {
		_, size := utf8.DecodeRuneInString(name[at:])
		if w(name[:at+size]) > width {
			return name[:at]
		}
	}
	return name
}
