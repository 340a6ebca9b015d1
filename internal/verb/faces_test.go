package verb

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/rarest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// The same data and goal give the same codes in the JSON of the command, in the data of its page, and from Go.
func TestFacesFindTheSame(t *testing.T) {
	sets := []string{"german_credit", "attrition", "pima", "ionosphere", "breast_cancer_wisconsin", "glass", "vehicle",
		"ecoli", "oil_spill", "sick"}
	for _, name := range sets {
		t.Run(name, func(t *testing.T) {
			path := public(t, name)
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			rows, err := dataset.ReadCSV(file, path, dataset.Options{Target: "class"})
			if err != nil {
				t.Fatal(err)
			}
			weights, order := rows.ClassWeights(), view.TieOrder(rows)
			at, _ := rarest.Class(weights, order)
			spec := pragma.Spec{rows.Classes[at]: pragma.Find()}.For(rows.Classes, rows.ClassWeights())
			report, err := rfpragma.CrossValidate(t.Context(), rows, spec, rfpragma.Config{Forest: forest.Config{Trees: 30}},
				eval.Config{Folds: 3, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			goal, err := spec.Goal(rows.Classes, order)
			if err != nil {
				t.Fatal(err)
			}
			want := codesOf(assess.Findings(&assess.Subject{Goal: goal, Report: report, Frame: rows}))
			page := filepath.Join(t.TempDir(), "page.html")
			var told struct{ Findings []finding.Finding }
			out := must(t, "cv --trees 30 --folds 3 --seed 1 --quiet --format json --report", page, path).stdout
			if err := json.Unmarshal([]byte(out), &told); err != nil {
				t.Fatal(err)
			}
			if got := codesOf(told.Findings); !slices.Equal(got, want) {
				t.Errorf("JSON %v\nGo   %v", got, want)
			}
			var shown struct{ Findings []finding.Finding }
			data := regexp.MustCompile(`(?s)<script[^>]*type="application/json"[^>]*>(.*?)</script>`).FindStringSubmatch(read(t,
				page))
			if data == nil {
				t.Fatal("the page has no data")
			}
			if err := json.Unmarshal([]byte(data[1]), &shown); err != nil {
				t.Fatal(err)
			}
			if got := codesOf(shown.Findings); !slices.Equal(got, want) {
				t.Errorf("page %v\nGo   %v", got, want)
			}
		})
	}
}

// codesOf are those of findings, in their order.
func codesOf(all []finding.Finding) []finding.Code {
	var out []finding.Code
	for _, f := range all {
		out = append(out, f.Code)
	}
	return out
}
