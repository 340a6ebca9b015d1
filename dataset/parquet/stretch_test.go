package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// However many read it, a file of several row groups and many stretches is the same frame, and the
// first fault by row is told, be it of a page or of a cell.
func TestManyWorkers(t *testing.T) {
	const perPage, pages, groups = 1000, 20, 2 // pages end within stretches
	const groupRows = perPage * pages
	forge := func(change map[int]float64, damaged int, labels int) []byte {
		var all []byte
		for at := range pages {
			values := make([]float64, perPage)
			for i := range values {
				row := at*perPage + i
				if values[i] = float64(row % 97); change != nil && change[row] != 0 {
					values[i] = change[row]
				}
			}
			b := doubles(values...)
			if at == damaged {
				b = b[:len(b)-8*50] // the last 50 values are not there
			}
			all = append(all, page(perPage, plainEncoding, int64(len(b)), b)...)
		}
		f := newForged(all)
		f.rows, f.groupRows, f.values, f.groups, f.labels = groups*groupRows, groupRows, groupRows, groups, labels
		return f.bytes()
	}
	const again = "; the file is damaged: make it again"
	inf := math.Inf(1)
	for _, tc := range []struct {
		name string
		b    []byte
		want string
	}{
		{"whole", forge(nil, -1, groupRows), ""},
		{"a page", forge(nil, 15, groupRows), `in.parquet, row 15951: column "x": its values take more bytes than it has` +
			again},
		{"the labels end", forge(nil, -1, 9000),
			`in.parquet, row 9001: column "class": its values take more bytes than it has` + again},
		{"both, the labels first", forge(nil, 15, 9000),
			`in.parquet, row 9001: column "class": its values take more bytes than it has` + again},
		{"both, the page first", forge(nil, 15, 15951),
			`in.parquet, row 15951: column "x": its values take more bytes than it has` + again},
		{"a cell before the page", forge(map[int]float64{15940: inf}, 15, groupRows),
			`in.parquet, row 15941: column "x": "+Inf" is too large for a number; correct it, or use --categorical x or --ignore x`},
		{"a cell behind the page", forge(map[int]float64{16000: inf}, 15, groupRows),
			`in.parquet, row 15951: column "x": its values take more bytes than it has` + again},
	} {
		for _, schema := range []dataset.Schema{nil, {{Name: "x"}}} {
			for _, workers := range []int{1, 2, 5} {
				f, err := frame(tc.b, dataset.Options{Target: "class", Classes: []string{"a", "b"}, Schema: schema,
					Workers: workers})
				switch want := tc.want; {
				case err == nil && want == "":
					if f.Rows() != groups*groupRows || !slices.Equal(f.Truth[:3], []int{0, 1, 0}) {
						t.Errorf("%s, %d workers: %d rows", tc.name, workers, f.Rows())
					}
					for i := range f.Rows() {
						if got, want := f.Columns[0].At(i), float64(i%groupRows%97); got != want {
							t.Fatalf("%s, %d workers: row %d is %v, want %v", tc.name, workers, i, got, want)
						}
					}
				case err == nil || err.Error() != want && (schema == nil || !bytes.Contains([]byte(want), []byte("--categorical"))):
					t.Errorf("%s, %d workers: %v, want %s", tc.name, workers, err, want)
				}
			}
		}
	}
}

// A damaged file is read, or fails, alike by one and by several.
func TestDamagedPagesOfManyWorkers(t *testing.T) {
	for _, name := range []string{"groups", "delta", "version2"} {
		b := read(t, name+".parquet")
		for at := 4; at < len(b)/2; at += 41 {
			changed := bytes.Clone(b)
			changed[at] ^= 0x15
			one, wantErr := frame(changed, dataset.Options{Workers: 1})
			many, err := frame(changed, dataset.Options{Workers: 4})
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s, byte %d: %v by several, %v by one", name, at, err, wantErr)
			}
			if err == nil && same(one, many) != "" {
				t.Fatalf("%s, byte %d: %s", name, at, same(one, many))
			}
		}
	}
}

// A few bytes of a page stand for a long text, again and again: cells that are kept for a while
// must not add up.
func TestTextsThatUnfold(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 1<<20)
	c := &cells{column: &column{element: element{physical: bytesType}, scale: -1, text: true}, left: 1 << 20}
	c.inPage, c.texts = 1<<20, repeating(long)
	s := &stretch{file: &file{name: "in.parquet"}, from: []*cells{c}, cell: make([][]dataset.Cell, 1), rows: stretchRows}
	s.open = maxOpen - 10<<20
	err := s.fill(0)
	var limit *dataset.LimitError
	if !errors.As(err, &limit) || len(s.cell[0]) != 10 {
		t.Errorf("%d cells, error %v", len(s.cell[0]), err)
	}
}

// Whoever reads one stretch after another has the memory of the one before back.
func TestStretchesDoNotAddUp(t *testing.T) {
	c := &cells{column: &column{element: element{physical: bytesType}, scale: -1, text: true}, left: 1 << 20}
	c.inPage, c.texts = 1<<20, repeating("some words")
	s := &stretch{file: &file{name: "in.parquet"}, from: []*cells{c}, cell: make([][]dataset.Cell, 1), rows: 3,
		open: maxOpen}
	c.turn.Lock() // as Part does
	if s.decode(); s.err != nil || len(s.cell[0]) != 3 || s.open >= maxOpen {
		t.Errorf("%d cells, %d bytes, error %v", len(s.cell[0]), s.open, s.err)
	}
}

// repeating is one text for ever.
type repeating []byte

func (r repeating) next() ([]byte, error) { return r, nil }

// Rows that are read one by one are not in the stream of the others, and no row is lost between them.
func TestNextThenStream(t *testing.T) {
	const rows = 3 * stretchRows
	values, text := make([]float64, rows), []byte("x,class\n")
	for i := range values {
		values[i] = float64(i)
		text = fmt.Appendf(text, "%d,%c\n", i, "ab"[i%2])
	}
	b := doubles(values...)
	f := newForged(page(rows, plainEncoding, int64(len(b)), b))
	f.rows, f.groupRows, f.values, f.labels = rows, rows, rows, rows
	for _, workers := range []int{1, 3} {
		o := dataset.Options{Schema: dataset.Schema{{Name: "x"}}, Workers: workers}
		for _, first := range []int{1, 5, stretchRows - 1, stretchRows, stretchRows + 1} {
			csv, err := dataset.NewReader(bytes.NewReader(text), "in.csv", o)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(bytes.NewReader(f.bytes()), int64(len(f.bytes())), "in.parquet")
			if err != nil {
				t.Fatal(err)
			}
			parquet, err := dataset.NewSourceReader(s, o)
			if err != nil {
				t.Fatal(err)
			}
			for name, rd := range map[string]*dataset.Reader{"CSV": csv, "Parquet": parquet} {
				head, err := rd.Next(first)
				if err != nil {
					t.Fatal(err)
				}
				got := slices.Clone(head.Columns[0].Values)
				if err := rd.Each(func(f *dataset.Frame) error {
					got = append(got,
						f.Columns[0].Values...)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, values) {
					t.Errorf("%s, %d workers: %d rows after the first %d, not the %d others", name, workers, len(got)-first, first,
						rows-first)
				}
			}
		}
	}
}
