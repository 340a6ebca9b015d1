package dataset

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

// shreds is a table in parts of some rows each.
type shreds struct {
	*grid
	size int
}

func (s *shreds) Part(Source) (Source, error) {
	begin := s.at
	if begin == len(s.rows) {
		return nil, io.EOF
	}
	s.at = min(begin+s.size, len(s.rows))
	return &grid{columns: s.columns, rows: s.rows[:s.at], at: begin}, nil
}

// hostile returns rows of which some cannot be read: the columns are x, c, w, g, i and y.
func hostile(rng *rand.Rand) [][]Cell {
	pick := func(cells ...string) Cell { return TextCell(cells[rng.IntN(len(cells))]) }
	rarely := func(bad, good Cell) Cell {
		if rng.IntN(60) == 0 {
			return bad
		}
		return good
	}
	rows := make([][]Cell, 1+rng.IntN(40))
	mixed := rng.IntN(4) == 0
	for i := range rows {
		x := pick("1", "2.5", "-0", "", "9007199254740993", "1e-999")
		if mixed {
			x = pick("1", "2", "two", "three", "1,5", "4 000")
		}
		rows[i] = []Cell{
			rarely(pick("1e999", "word", "1,5"), x),
			rarely(pick("1,5", "7"), pick("red", " blue", "blue", "", "green", "a")),
			rarely(pick("-1", "w", ""), pick("1", "2", "0")),
			rarely(TextCell(" "), pick("g", "h", "i", "j")),
			TextCell(fmt.Sprint("id", i)),
			rarely(TextCell(""), pick("a", "b", " b", "c", "B")),
		}
	}
	return rows
}

// What is read, and the first fault, do not depend on where a part ends or on the number of workers: of
// training, of an outline, and of rows for a model.
func TestPartsAddUp(t *testing.T) {
	race.SkipFigures(t)
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 0))
	good := map[string]int{}
	for trial := range 600 {
		rows := hostile(rng)
		o := Options{Target: "y", Weight: "w", Group: "g", ID: "i", DropUnlabelled: trial%2 == 0}
		if trial%5 == 0 {
			o.Categorical = []string{"x"}
		}
		if trial%7 == 0 {
			o.Weight, o.Group, o.Ignore = "", "", []string{"w", "g"}
		}
		known := o
		known.Schema, known.Classes = Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"blue", "red"}}},
			[]string{"a", "b"}
		for what, read := range map[string]func(s Source, workers int) string{
			"training": func(s Source, workers int) string { return sketchRead(s, o, workers) },
			"a model":  func(s Source, workers int) string { return sketchRead(s, known, workers) },
			"outline": func(s Source, workers int) string {
				o := o
				o.Workers = workers
				found, err := ReadOutline(s, o)
				return fmt.Sprintf("%+v %v", found, err)
			},
		} {
			grid := func() *grid { return &grid{columns: []string{"x", "c", "w", "g", "i", "y"}, rows: rows} }
			want := read(grid(), 1)
			for _, size := range []int{1, 2, 3, 7, 100} {
				for _, workers := range []int{1, 3} {
					if got := read(&shreds{grid(), size}, workers); got != want {
						t.Fatalf("seed %d, trial %d, %s, %d workers, parts of %d rows\n got %s\nwant %s", seed, trial, what, workers,
							size, got, want)
					}
				}
			}
			if want[len(want)-5:] == "<nil>" {
				good[what]++
			}
		}
	}
	for _, what := range []string{"training", "a model", "outline"} {
		if n := good[what]; n < 100 || n > 500 {
			t.Errorf("%s: %d of 600 tables without a fault", what, n)
		}
	}
}

// sketchRead writes down a frame, or why there is none.
func sketchRead(s Source, o Options, workers int) string {
	o.Workers = workers
	f, err := Read(s, o)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s %v %v %v %v %v %v %v", shown(f), f.Truth, f.Weight, f.Group, f.ID, f.Unseen,
		errors.Join(f.Warnings...), err)
}

// Of faults that show when parts come together the first by row counts, in whichever column it is.
func TestFirstFaultOfSeveralColumns(t *testing.T) {
	long := TextCell(string(make([]byte, maxName)) + "x")
	g := func() *grid {
		a, b := TextCell("a"), TextCell("b")
		return &grid{columns: []string{"late", "soon", "y"}, rows: [][]Cell{{a, a, a}, {a, long, b}, {long, a, a}, {a, a, b}}}
	}
	const want = `grid, row 2: column "soon": a category has more than 65536 bytes; shorten it, or use --ignore soon`
	for _, size := range []int{1, 2, 4} {
		if _, err := Read(&shreds{g(), size}, Options{Target: "y", Workers: 2}); err == nil || err.Error() != want {
			t.Errorf("parts of %d: error %.200v, want %s", size, err, want)
		}
	}
}

// Ten rows without a label are named, wherever they are.
func TestUnlabelledRowsOfSeveralParts(t *testing.T) {
	g := &grid{columns: []string{"x", "y"}}
	for i := range 30 {
		g.rows = append(g.rows, []Cell{NumberCell(1), TextCell([]string{"", "a"}[i%2])})
	}
	const want = `grid, row 1: column "y": 15 rows without a label (rows 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, ...); fill them, or leave such rows out with --drop-unlabelled`
	if _, err := Read(&shreds{g, 9}, Options{Target: "y", Workers: 2}); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Weights of the format may begin behind the first rows that are read together, and end before the last.
func TestWeightsOfSomeStretches(t *testing.T) {
	text := "@relation r\n@attribute x real\n@attribute y {a,b}\n@data\n"
	n := 3 * blockRows
	for i := range n {
		text += []string{"1,a", "2,b"}[i%2]
		if i == blockRows+5 {
			text += ",{3}"
		}
		text += "\n"
	}
	for _, schema := range []Schema{nil, {{Name: "x"}}} {
		s, err := ARFF(strings.NewReader(text), "in.arff")
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(s, Options{Target: "y", Schema: schema, Classes: []string{"a", "b"}})
		if err != nil || len(f.Weight) != n || f.Check() != nil {
			t.Fatalf("error %v, %d weights of %d rows", err, len(f.Weight), n)
		}
		for i, w := range f.Weight {
			if want := float64(1 + 2*bit(i == blockRows+5)); w != want {
				t.Fatalf("row %d has weight %v, want %v", i, w, want)
			}
		}
	}
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}
