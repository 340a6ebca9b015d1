package foreign

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// answers is what make.py and make.R wrote beside a model: what its own program says of rows.
type answers struct {
	Rows     string      `json:"rows"`
	Features []string    `json:"features"`
	Classes  []string    `json:"classes"`
	Numbers  bool        `json:"numbers"` // whether classes are but numbered
	Scores   [][]exact   `json:"scores"`
	Sums     [][]float64 `json:"sums"`
	Decided  []string    `json:"decided"`
}

// plain returns the scores as numbers.
func (a *answers) plain() [][]float64 {
	out := make([][]float64, len(a.Scores))
	for i, row := range a.Scores {
		for _, v := range row {
			out[i] = append(out[i], float64(v))
		}
	}
	return out
}

// models returns the files of models in testdata.
func models(t testing.TB) []string {
	var paths []string
	for _, pattern := range []string{"*.json", "*.txt", "*.ubj", "*.onnx"} {
		found, err := filepath.Glob(filepath.Join("testdata", "models", pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, slices.DeleteFunc(found,
			func(p string) bool { return strings.HasSuffix(p, ".scores.json") })...)
	}
	if len(paths) < 20 {
		t.Fatalf("%d models in testdata; run make.py and make.R", len(paths))
	}
	return paths
}

// load reads a model and the answers of its program.
func load(t testing.TB, path string) (*Forest, *answers) {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".scores.json")
	if err != nil {
		t.Fatal(err)
	}
	var want answers
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	model, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Classes: want.Classes}
	if want.Numbers {
		o.Classes = nil
	}
	if strings.HasSuffix(path, ".onnx") {
		o.Features = want.Features
	}
	f, err := Read(bytes.NewReader(model), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return f, &want
}

// cells reads the rows of a file as cells of a schema.
func cells(t testing.TB, path string, schema dataset.Schema) [][]float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for _, line := range lines[1:] {
		row := make([]float64, len(schema))
		for j, field := range schema {
			at := slices.Index(lines[0], field.Name)
			if at < 0 {
				t.Fatalf("%s has no column %s", path, field.Name)
			}
			value := line[at]
			if field.Kind == dataset.Categorical { // of codes that pandas writes as 1.0
				value = strings.TrimSuffix(value, ".0")
			}
			if row[j], err = field.Cell(value, nil); err != nil {
				t.Fatalf("%s: %v", field.Name, err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Every model gives the scores that its own program gives. Sums are equal to the bit; shares behind an exponential may
// differ in the last digits, as every library has its own.
func TestScores(t *testing.T) {
	for _, path := range models(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, want := load(t, path)
			rows := cells(t, filepath.Join("testdata", "models", want.Rows), f.Schema)
			if len(rows) != len(want.Scores) || len(rows) < 100 {
				t.Fatalf("%d rows, %d answers", len(rows), len(want.Scores))
			}
			scores := want.plain()
			got, votes := make([]float64, len(f.Classes)), make([]uint32, len(f.Classes))
			for i, row := range rows {
				sums := f.Scores(got, row)
				if want.Sums != nil && !slices.Equal(sums, want.Sums[i]) {
					t.Fatalf("row %d: sums %v, want %v", i, sums, want.Sums[i])
				}
				for c, v := range got {
					if math.Abs(v-scores[i][c]) > tolerance(f) {
						t.Fatalf("row %d: scores %v, want %v", i, got, scores[i])
					}
				}
				clear(votes)
				f.Vote(votes, row)
				if f.Scored() {
					decided := vote.NewRule(nil, f.TieOrder()).Decide(votes)
					best := slices.Index(scores[i], slices.Max(scores[i]))
					if want.Decided != nil {
						best = slices.Index(want.Classes, want.Decided[i])
					}
					if decided != best {
						t.Errorf("row %d: decided %d of %v (%v), want %d", i, decided, votes, got, best)
					}
				}
			}
		})
	}
}

// tolerance is how far shares may be from those of the program: the last digits of an exponential.
func tolerance(f *Forest) float64 {
	switch {
	case strings.HasPrefix(f.Origin, "XGBoost"), strings.HasPrefix(f.Origin, "ONNX"):
		return 2e-7
	case strings.HasPrefix(f.Origin, "scikit-learn") && strings.Contains(f.Origin, "Boosting"):
		return 1e-15
	case strings.HasPrefix(f.Origin, "LightGBM"):
		return 1e-15
	}
	return 0
}

// Many rows at once give the counts of each alone.
func TestVotes(t *testing.T) {
	for _, path := range models(t) {
		f, want := load(t, path)
		rows := cells(t, filepath.Join("testdata", "models", want.Rows), f.Schema)
		frame := &dataset.Frame{Classes: f.Classes, Truth: make([]int, len(rows))}
		for j, field := range f.Schema {
			column := dataset.Column{Field: field, Values: make([]float64, len(rows))}
			for i, row := range rows {
				column.Values[i] = row[j]
			}
			frame.Columns = append(frame.Columns, column)
		}
		table, err := f.Votes(context.Background(), frame, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Check(); err != nil || table.Scores != f.Scored() {
			t.Errorf("%s: %v, scores %v", path, err, table.Scores)
		}
		flat := slices.Concat(rows...)
		many := make([]uint32, len(rows)*len(f.Classes))
		f.VoteRows(many, flat)
		for i, row := range rows {
			one := make([]uint32, len(f.Classes))
			f.Vote(one, row)
			if k := len(one); !slices.Equal(one, table.Votes(i)) || !slices.Equal(one, many[i*k:(i+1)*k]) {
				t.Fatalf("%s, row %d: %v alone, %v of Votes, %v of VoteRows", path, i, one, table.Votes(i), many[i*k:(i+1)*k])
			}
		}
	}
}
