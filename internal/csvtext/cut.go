package csvtext

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

// partBytes is about how much text is read by one goroutine at a time: enough to make the change
// from one to the next cheap, and so little that some of it stay in the cache.
const partBytes = 1 << 18

// cutter cuts a text into parts of whole records, which can then be read apart.
type cutter struct {
	src    *text
	syntax *syntax
	buf    []byte // what was read and is in no part yet
	size   int    // of a part, about
	line   int    // on which it begins
	ended  bool   // there is no more to read
	failed error  // why, unless that is all
	ends   []int
}

// part is a piece of a text: some records from the beginning of the first to the end of the last.
type part struct {
	text string
	line int   // on which it begins, counted from 1
	last bool  // the file ends with it
	err  error // with the last part: why the text ends before the file does
}

// next returns the next part, of about size bytes.
func (c *cutter) next(size int) part {
	for {
		c.fill(size)
		text := string(c.buf)
		n := len(text)
		if !c.ended {
			if n = c.whole(text); n == 0 {
				size = more(len(text)) // a long record
				continue
			}
		}
		p := part{text: text[:n], line: c.line, last: c.ended}
		c.buf = c.buf[:copy(c.buf, c.buf[n:])]
		c.line += strings.Count(p.text, "\n")
		if c.failed != nil {
			p.err = c.src.failed(c.failed, c.line)
		}
		return p
	}
}

// more is how much to read where n bytes were not enough.
func more(n int) int { return n + max(n/2, 1<<12) }

// fill reads until there are size bytes, or no more.
func (c *cutter) fill(size int) {
	if cap(c.buf) < size {
		c.buf = append(make([]byte, 0, max(size, c.size)), c.buf...)
	}
	for !c.ended && len(c.buf) < size {
		src := c.src.Reader
		n, err := src.Read(c.buf[len(c.buf):size])
		c.buf = c.buf[:len(c.buf)+n]
		switch {
		case err == io.EOF:
			c.ended = true
		case err != nil:
			c.ended, c.failed = true, err
			c.buf = withoutCut(c.buf)
		}
	}
}

// withoutCut returns a text without what may be the first part of a letter or a line end: that
// the rest could not be read is no fault of the text.
func withoutCut(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte("\r"))
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

// whole returns how much of text is whole records, 0 where none is. Text with a record that
// cannot be read counts as whole, as soon as all of the line at fault is there.
func (c *cutter) whole(text string) int {
	if strings.IndexByte(text, '"') < 0 {
		if n := strings.LastIndexByte(text, '\n') + 1; n > 0 {
			return n
		}
	}
	for at := 0; ; {
		var r record
		r, c.ends = c.syntax.scan(text, at, c.ends[:0])
		switch {
		case r.whole && r.next < len(text):
			at = r.next
			continue
		case r.whole:
			return len(text)
		case tooLong(r.next-at, c.ends) && limited(text, at, c.ends):
			return len(text)
		case r.fault.err != nil && !r.open && (strings.IndexByte(text[r.fault.at:], '\n') >= 0 ||
			len(text)-r.fault.at > MaxField):
			return len(text)
		}
		return at
	}
}

// tooLong tells whether a record of n bytes may go beyond a limit.
func tooLong(n int, ends []int) bool { return n > MaxField || len(ends) > MaxColumns }

func limited(text string, begin int, ends []int) bool {
	f, _ := limitFault(text, begin, ends)
	return f.err != nil
}
