package csvtext

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// A reader may say why it ended early by an error that wraps io.EOF. That is no end of the file:
// the rows that did not come would be missing without a word.
func TestWrappedEOFIsNoEnd(t *testing.T) {
	lost := fmt.Errorf("connection lost: %w", io.EOF)
	broken := func(text string) io.Reader {
		return io.MultiReader(strings.NewReader(text), readerFunc(func([]byte) (int, error) { return 0, lost }))
	}
	const want = "reading in.csv: connection lost: EOF"
	for _, text := range []string{"", "x,y", "x,y\n", "x,y\n1,2\n", "x,y\n1,2\n3,4"} {
		rows := 0
		rd, err := NewReader(broken(text), "in.csv", ',')
		if err == nil {
			err = rd.Each(func([]string) error { rows++; return nil })
		}
		if err == nil || err.Error() != want || !errors.Is(err, lost) {
			t.Errorf("%q: %d rows, error %v, want %s", text, rows, err, want)
		}
	}
	lines, err := NewLines(broken("a line\n"), "in.csv")
	for err == nil {
		_, err = lines.Next()
	}
	if err.Error() != want {
		t.Errorf("lines: %v, want %s", err, want)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// A read that fails within a letter or a line end is no fault of the text.
func TestReadFailsWithinALetter(t *testing.T) {
	for _, text := range []string{"x,y\n1,\xc3", "x,y\n1,\xf0\x9f\x8c", "x,y\n1,2\r", "x,y\n\"1\r"} {
		rd, err := NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("lost"))), "in.csv", ',')
		if err == nil {
			err = rd.Each(func([]string) error { return nil })
		}
		if want := "reading in.csv: lost"; err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// A row without end is refused when it goes beyond a limit: what is read until then is little.
func TestEndlessRows(t *testing.T) {
	for _, tc := range []struct{ row, want string }{
		{`"aaa`, "in.csv:2:1: the quote opened here is not closed within 1048576 bytes; close it, or shorten the cell"},
		{"aaa", "in.csv:2: a cell has more than 1048576 bytes; shorten it"},
		{"1,", "in.csv:2: more than 1048576 columns; leave some out"},
		{"\"1\",", "in.csv:2: more than 1048576 columns; leave some out"},
	} {
		read := 0
		endless := readerFunc(func(b []byte) (int, error) {
			if read++; read > 1<<12 {
				return 0, errors.New("read for ever")
			}
			if tc.row[0] == '"' && !strings.HasSuffix(tc.row, ",") {
				return copy(b, strings.Repeat("a", 4096)), nil
			}
			return copy(b, strings.Repeat(tc.row, 4096/len(tc.row))), nil
		})
		rd, err := NewReader(io.MultiReader(strings.NewReader("x,y\n"+tc.row), endless), "in.csv", ',')
		if err == nil {
			err = rd.Each(func([]string) error { return nil })
		}
		var limit *LimitError
		if !errors.As(err, &limit) || err.Error() != tc.want {
			t.Errorf("%q: error %v, want %s", tc.row, err, tc.want)
		}
		if read > 1<<11 {
			t.Errorf("%q: %d blocks of 4096 bytes read", tc.row, read)
		}
	}
}
