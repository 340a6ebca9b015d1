package csvtext

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
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
