package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// categories are the columns of codes, some of which look like numbers.
var categories = map[string][]string{"diabetes130": {"diag_1", "diag_2", "diag_3"}}

// realSet reads a public set, plain or packed, and fits a model of its first rows.
func realSet(t *testing.T, name string) (*rfpragma.Model, *dataset.Frame) {
	t.Helper()
	folder := os.Getenv("RFPRAGMA_DATA")
	if folder == "" {
		t.Skip("set RFPRAGMA_DATA to a folder with the public benchmark sets, NAME/NAME.csv or NAME/NAME.csv.gz, see README")
	}
	path := filepath.Join(folder, name, name+".csv")
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		file, err = os.Open(path + ".gz")
	}
	if err != nil {
		t.Skipf("the folder RFPRAGMA_DATA has no %s; see README", name)
	}
	defer file.Close()
	frame, err := dataset.ReadCSV(file, name, dataset.Options{Target: "class",
		Categorical: categories[name]})
	if err != nil {
		t.Fatal(err)
	}
	first := make([]int, 3000)
	for i := range first {
		first[i] = i
	}
	m, err := rfpragma.Fit(context.Background(), frame.Take(first), pragma.Spec{}, rfpragma.Config{
		Forest: forest.Config{Trees: 60, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return m, frame
}

// Ten thousand rows of each of three sets with categories and missing cells are decided to the bit as the votes of
// their table are, which is how predict decides: as objects, as lines, as CSV, and as tensors in both forms.
func TestRealSetsAsPredict(t *testing.T) {
	const rows, block = 10000, 1000
	for _, name := range []string{"adult", "bank_marketing", "diabetes130"} {
		t.Run(name, func(t *testing.T) {
			m, frame := realSet(t, name)
			h := holder(t, m)
			s, err := New(map[string]*Holder{"set": h}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for lo := frame.Rows() - rows; lo < frame.Rows(); lo += block {
				some := make([]int, block)
				for i := range some {
					some[i] = lo + i
				}
				part := frame.Take(some)
				votes, err := m.Votes(context.Background(), part)
				if err != nil {
					t.Fatal(err)
				}
				want := make([]rfpragma.Prediction, block)
				for i := range want {
					of := votes.Votes(i)
					want[i] = rfpragma.Prediction{Class: m.Classes()[m.Decide(of)], Probabilities: make([]float64, len(of)),
						Votes: make([]float64, len(of))}
					m.Probabilities(want[i].Probabilities, of)
					for c, v := range of {
						want[i].Votes[c] = float64(v) / votes.Unit()
					}
				}
				for form, got := range everyForm(t, s, part) {
					for i := range want {
						if same(t, m, got[i], want[i]); t.Failed() {
							t.Fatalf("%s: row %d", form, lo+i)
						}
					}
				}
			}
		})
	}
}

// everyForm has the rows of a frame decided in five forms.
func everyForm(t *testing.T, s *Server, frame *dataset.Frame) map[string][]decidedRow {
	t.Helper()
	lines := rowsOfJSON(frame)
	out := map[string][]decidedRow{"objects": decoded[decidedRows](t, post(s, "/score", "["+strings.Join(lines, ",")+"]",
		"Content-Type", "application/json"), 200).Rows}
	for line := range bytes.Lines(post(s, "/score", strings.Join(lines, "\n"), "Content-Type", linesForm).Body.Bytes()) {
		var row decidedRow
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		out["lines"] = append(out["lines"], row)
	}
	var table bytes.Buffer
	if err := dataset.WriteCSV(&table, frame, "class"); err != nil {
		t.Fatal(err)
	}
	out["CSV"] = decoded[decidedRows](t, post(s, "/score", table.String(), "Content-Type", "text/csv", "Accept", jsonForm),
		200).Rows
	whole, _ := columns(frame, false)
	packed, data := columns(frame, true)
	head := `{"inputs":` + packed + `,"parameters":{"binary_data_output":true}}`
	classes := s.models["set"].Model().Classes()
	for form, w := range map[string][2]string{"tensors": {`{"inputs":` + whole + `}`}, "binary": {head + string(data),
		strconv.Itoa(len(head))}} {
		var headers []string
		if w[1] != "" {
			headers = []string{"Inference-Header-Content-Length", w[1]}
		}
		decisions, numbers := read(t, post(s, "/v2/models/set/infer", w[0], headers...))
		for i, class := range decisions {
			row := decidedRow{Decision: class, Probabilities: map[string]float64{}, Votes: map[string]float64{}}
			for c, name := range classes {
				row.Probabilities[name] = numbers["probabilities"][i*len(classes)+c]
				row.Votes[name] = numbers["votes"][i*len(classes)+c]
			}
			out[form] = append(out[form], row)
		}
	}
	return out
}
