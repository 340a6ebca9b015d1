package csvtext

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// Lines reads a text line by line, for formats that are not CSV.
type Lines struct {
	File string // for messages

	src  *text
	b    *bufio.Reader
	line int
}

// NewLines looks at the first bytes of r, as [NewReader] does. The file is a name for messages.
//
// Errors, here and of [Lines.Next]: *[ParseError] for what is no UTF-8 text; *[LimitError] for a
// line of more than [MaxRecord] bytes; an error of r, wrapped.
func NewLines(r io.Reader, file string) (*Lines, error) {
	t, err := openText(r, file)
	if err != nil {
		return nil, err
	}
	return &Lines{File: file, src: t, b: bufio.NewReaderSize(t, 1<<16)}, nil
}

// Next returns the next line, without its end, which is LF or CRLF, and [io.EOF] after the last.
func (l *Lines) Next() (string, error) {
	var long []byte // what there is of a line longer than the buffer
	for {
		part, err := l.b.ReadSlice('\n')
		if len(long) == 0 && !errors.Is(err, bufio.ErrBufferFull) {
			long = part
		} else {
			long = append(long, part...)
		}
		switch {
		case len(long) > MaxRecord+2:
			l.line++
			return "", Limitf("%s: a line has more than %d bytes; shorten it", Place(l.File, l.line, 0), MaxRecord)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(long) == 0:
			return "", io.EOF
		case err != nil && err != io.EOF:
			return "", l.src.failed(err, l.line+1)
		}
		l.line++
		text := strings.TrimSuffix(strings.TrimSuffix(string(long), "\n"), "\r")
		return text, l.check(text)
	}
}

// check refuses what no text has.
func (l *Lines) check(text string) error {
	if f := byteFault(text, false); f.err != nil {
		return l.Faultf(f.at, "", "%w", f.err)
	}
	return nil
}

// Line returns the number of the current line, counted from 1, and 0 before the first.
func (l *Lines) Line() int { return l.line }

// Faultf returns a *[ParseError] at byte at of the current line, counted from 0, in the column
// named field, if any.
func (l *Lines) Faultf(at int, field, format string, args ...any) error {
	return Faultf(l.File, Pos{Line: l.line, Column: at + 1}, field, format, args...)
}
