// Package page puts what a benchmark measured into a Markdown file.
package page

import (
	"bytes"
	"fmt"
	"os"
)

// Put replaces what stands in the file between the lines <!-- NAME --> and <!-- /NAME --> by
// text. Nothing else of the file changes.
func Put(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := replace(old, name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, changed, 0o644)
}

func replace(old []byte, name, text string) ([]byte, error) {
	begin, end := []byte("<!-- "+name+" -->\n"), []byte("<!-- /"+name+" -->\n")
	before, rest, found := bytes.Cut(old, begin)
	_, after, closed := bytes.Cut(rest, end)
	if !found || !closed {
		return nil, fmt.Errorf("it has no lines <!-- %s --> and <!-- /%[1]s --> one after the other; put them where the result shall stand", name)
	}
	return bytes.Join([][]byte{before, begin, []byte(text), end, after}, nil), nil
}
