package dataset

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// cut is a text, then an error that wraps io.EOF.
func cut(text string) io.Reader {
	return io.MultiReader(strings.NewReader(text), cutReader{})
}

type cutReader struct{}

func (cutReader) Read([]byte) (int, error) { return 0, fmt.Errorf("connection lost: %w", io.EOF) }

// lostSource ends with an error that wraps io.EOF.
type lostSource struct{ *grid }

func (s lostSource) Next() ([]Cell, error) {
	cells, err := s.grid.Next()
	if err == io.EOF {
		err = fmt.Errorf("connection lost: %w", err)
	}
	return cells, err
}

// A table that did not come to its end is an error, whatever the error of its reader wraps.
func TestTablesThatAreCutAreErrors(t *testing.T) {
	rows := [][]Cell{{NumberCell(1), TextCell("a")}, {NumberCell(2), TextCell("b")}}
	schema := Options{Schema: Schema{{Name: "x"}}}
	const text = "x,y\n1,a\n2,b\n"
	for _, tc := range []struct {
		name string
		read func() error
	}{
		{"csv", func() error { _, err := ReadCSV(cut(text), "in", Options{Target: "y"}); return err }},
		{"csv for a model", func() error { _, err := ReadCSV(cut(text), "in", schema); return err }},
		{"blocks", func() error {
			rd, err := NewReader(cut(text), "in", schema)
			for err == nil {
				_, err = rd.Next(1)
			}
			if err == io.EOF {
				return nil
			}
			return err
		}},
		{"outline", func() error { _, err := OutlineCSV(cut(text), "in", Options{Target: "y"}); return err }},
		{"inspect", func() error { _, err := inspectCSV(cut(text), "in", Options{Target: "y"}); return err }},
		{"arff header", func() error { _, err := ARFF(cut("@relation r\n@attribute x real\n"), "in"); return err }},
		{"arff", func() error {
			s, err := ARFF(cut("@relation r\n@attribute x real\n@attribute y {a,b}\n@data\n1,a\n2,b\n"), "in")
			if err == nil {
				_, err = Read(s, Options{Target: "y"})
			}
			return err
		}},
		{"libsvm", func() error { _, err := LibSVM(cut("1 1:2\n2 1:3\n"), "in", nil, 0); return err }},
		{"any source", func() error {
			_, err := Read(lostSource{&grid{columns: []string{"x", "y"}, rows: rows}}, Options{Target: "y"})
			return err
		}},
	} {
		if err := tc.read(); err == nil || !strings.Contains(err.Error(), "connection lost: EOF") {
			t.Errorf("%s: error %v, want that the connection was lost", tc.name, err)
		}
	}
}
