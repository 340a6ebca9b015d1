package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Progress tells on stderr how far long work is: on a terminal in one line that is written over,
// elsewhere in a line every ten seconds, and then in one of the end. Once it can tell, it says how long the work
// will take.
//
// One line is enough, as folds come one after another, and their trees are counted through. It is
// never wider than the terminal is at that moment, so that it can always be wiped.
type Progress struct {
	mu     sync.Mutex
	w      io.Writer
	what   string           // is counted: "trees"
	Job    string           // what takes long, as the beginning of a sentence; "" to foretell nothing
	Width  func() int       // of the terminal; 0 where there is none
	Now    func() time.Time // the clock
	silent bool

	Last  time.Time
	from  time.Time // from here on time is measured: what is done once is over,
	head  int       // and so many are done
	drawn bool      // whether there is a line to wipe
	open  bool      // whether the last of the lines that stay says that there is more to do
	told  bool      // whether it was said how long it will take
	Count int       // of the total, as add counts
	Total int
	Least int    // that must be done before time is measured, and then again: workers end at different times
	Part  string // of the work: "fold 3 of 10"
}

// Wiped is what empties a line of a terminal.
const Wiped = "\r\x1b[K"

// The times between two lines.
const (
	onTerminal = 100 * time.Millisecond
	elsewhere  = 10 * time.Second
)

// TerminalWidth returns a function that asks for the columns of the terminal that w is, and says 0
// where it is none, or one that cannot go back in a line.
func TerminalWidth(w io.Writer) func() int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return func() int { return 0 }
	}
	return func() int {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
		return 80
	}
}

// Show tells that done of total are done. A total of 0 is not known.
func (g *Progress) Show(done, total int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tell(done, total)
}

// Add counts one more of the total.
func (g *Progress) Add() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Count++
	g.tell(g.Count, g.Total)
}

// Parts notes that done of several parts are done.
func (g *Progress) Parts(what string) func(done, total int) {
	return func(done, total int) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.Part = fmt.Sprintf("%s %d of %d", what, min(done+1, total), total)
	}
}

// End wipes the line, if there is one.
func (g *Progress) End() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wipe()
}

func (g *Progress) wipe() {
	if g.drawn {
		fmt.Fprint(g.w, Wiped)
		g.drawn = false
	}
}

func (g *Progress) tell(done, total int) {
	now := g.Now()
	if g.from.IsZero() && done >= g.Least {
		g.from, g.head = now, done
	}
	left := g.left(now, done, total)
	g.foretell(left, done, total)
	columns, wait := g.Width(), onTerminal
	if columns == 0 {
		wait = elsewhere
	}
	ended := g.open && done == total
	if g.silent || !ended && now.Sub(g.Last) < wait {
		return
	}
	g.Last = now
	text := g.text(left, done, total)
	if columns == 0 {
		fmt.Fprintln(g.w, text)
		g.open = done < total
		return
	}
	fmt.Fprintf(g.w, "\r%s\x1b[K", withBar(text, done, total, columns-1))
	g.drawn = true
}

// left returns the seconds that the rest will take, by what was done since the first few; 0 where
// that says too little, or nothing is left.
func (g *Progress) left(now time.Time, done, total int) float64 {
	const probe = 2 * time.Second
	elapsed := now.Sub(g.from)
	if g.from.IsZero() || total <= done || done-g.head < g.Least || elapsed < probe {
		return 0
	}
	return elapsed.Seconds() / float64(done-g.head) * float64(total-done)
}

// foretell says once how long the work will take, if that is long. It stays said, so it waits until the pace has
// settled: the first seconds may be slower by much.
func (g *Progress) foretell(left float64, done, total int) {
	const settled, long = 5 * time.Second, 60 // seconds
	if g.silent || g.told || g.Job == "" || left == 0 || g.Now().Sub(g.from) < settled {
		return
	}
	g.told = true
	if all := left * float64(total) / float64(total-done); all >= long {
		g.wipe()
		fmt.Fprintf(g.w, "%s takes about %s.\n", g.Job, roughly(all))
	}
}

// text is a line without a bar: how many are done, which part it is, how long it will take yet.
func (g *Progress) text(left float64, done, total int) string {
	if total < done {
		total = 0
	}
	text := Grouped(done)
	if total > 0 {
		text += " of " + Grouped(total)
	}
	text += " " + g.what
	if g.Part != "" {
		text += ", " + g.Part
	}
	if left > 0 {
		text += ", " + roughly(left) + " left"
	}
	return text
}

// withBar puts a bar in front of the text where there is room, and cuts both to the columns.
func withBar(text string, done, total, columns int) string {
	room := min((columns-utf8.RuneCountInString(text)-1)/10*10, 30) // in steps, so that it stands still
	if total >= done && total > 0 && room > 0 {
		full := room * done / total
		text = strings.Repeat("█", full) + strings.Repeat("░", room-full) + " " + text
	}
	if runes := []rune(text); len(runes) > columns {
		text = string(runes[:max(columns, 0)])
	}
	return text
}

// roughly says a time as one does who cannot know it to the second.
func roughly(seconds float64) string {
	up := func(v, step float64) int { return int(step) * int((v+step-1e-9)/step) }
	switch {
	case seconds <= 10:
		return Plural(max(1, up(seconds, 1)), "second")
	case seconds <= 60:
		return Plural(up(seconds, 5), "second")
	case seconds <= 120: // a minute more or less would be as long as all of it
		return Plural(up(seconds, 10), "second")
	case seconds <= 90*60:
		return Plural(up(seconds/60, 1), "minute")
	case seconds <= 48*3600:
		return Plural(up(seconds/3600, 1), "hour")
	}
	return Plural(up(seconds/86400, 1), "day")
}

// Plural writes a number, with commas between the thousands, and what is counted.
func Plural(n int, what string) string { return english.Plural(Grouped(n), what) }

// Grouped writes a number with commas between the thousands.
func Grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
