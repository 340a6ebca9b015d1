package verb

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
)

// docs/findings.md explains every code; -update writes it anew.
func TestFindingsReference(t *testing.T) {
	const path = "../../docs/findings.md"
	var b strings.Builder
	b.WriteString(findingsIntro)
	topic := ""
	for _, code := range finding.Codes() {
		if of, _, _ := strings.Cut(string(code), "."); of != topic {
			topic = of
			fmt.Fprintf(&b, "\n## %s\n", topic)
		}
		means, do := say.Explain(code)
		fmt.Fprintf(&b, "\n**`%s`** (%s)  \n%s  \nWhat to do: %s\n", code, code.Grade(), means, do)
	}
	if *update {
		write(t, path, b.String())
	}
	if read(t, path) != b.String() {
		t.Error("docs/findings.md is not what the program says; write it anew with -update")
	}
}

const findingsIntro = `# Findings

` + "`--format json`" + ` of ` + "`cv`, `evaluate` and `tune`" + ` has ` + "`findings`" + `: what the words on the screen say, as values, the gravest first.
Each has a ` + "`code`, a `grade`, the `classes` and `columns` that it is about, the `figures` that show it, `remedies`" + `, which are what may be done, and ` + "`where`" + `, of which rows it is true.
The fields are in [the JSON of every verb](json.md#finding). From Go, package ` + "`assess`" + ` makes them and package ` + "`say`" + ` puts them into words.

A **note** is good to know. A **caution** says that figures promise less than they seem to, or that another choice may be better. What is **serious** is a reason not to use the result as it is.

This page is made from the program. The meaning of a code never changes, and new ones may come at any time.
`

// The command, its JSON and a Go program find the same in the same rows.
func TestFindingsFromGo(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 2000 -o fraud.csv")
	must(t, "generate wave --rows 300 -o wave.csv")
	for file, class := range map[string]string{"fraud.csv": "fraud", "wave.csv": "2"} {
		line := "cv " + file + " --trees 40 --folds 4 --quiet --prefer " + class
		var told view.Assessed
		if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &told); err != nil {
			t.Fatal(err)
		}
		rows, err := dataset.ReadCSV(strings.NewReader(read(t, file)), file, dataset.Options{Target: "class"})
		if err != nil {
			t.Fatal(err)
		}
		spec := pragma.Spec{class: pragma.Find()}.For(rows.Classes, rows.ClassWeights())
		report, err := rfpragma.CrossValidate(t.Context(), rows, spec, rfpragma.Config{Forest: forest.Config{Trees: 40}},
			eval.Config{Folds: 4, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		goal, err := spec.Goal(rows.Classes, view.TieOrder(rows))
		if err != nil {
			t.Fatal(err)
		}
		found := assess.Findings(&assess.Subject{Goal: goal, Report: report})
		if len(found) == 0 || !reflect.DeepEqual(found, told.Findings) {
			t.Errorf("%s: from Go %+v\nin JSON %+v", file, found, told.Findings)
		}
		shown := strings.Join(strings.Fields(must(t, line).stdout), " ")
		if gain := say.About(goal).Sentence(&found[slices.IndexFunc(found,
			func(f finding.Finding) bool { return strings.HasPrefix(string(f.Code), "gain") })]); !strings.Contains(shown,
			gain) {
			t.Errorf("%s: the command does not say %s\n%s", file, gain, shown)
		}
	}
}

// What cv promised is judged in the findings of evaluate.
func TestPromiseInFindings(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 1500 -o fraud.csv")
	must(t, "generate fraud --rows 1500 --seed 2 --drift 1 -o later.csv")
	must(t, "cv fraud.csv --prefer fraud --trees 40 --folds 4 -q -o cv.json")
	must(t, "train fraud.csv --prefer fraud --trees 40 -q -o m.rfp")
	var told view.Assessed
	if err := json.Unmarshal([]byte(must(t, "evaluate m.rfp later.csv --expected cv.json -q --format json").stdout),
		&told); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(told.Findings, func(f finding.Finding) bool { return f.Code == codes.PromiseBroken })
	if at < 0 || told.Findings[at].Grade != finding.Serious || told.Findings[at].Where.Rows != codes.GivenRows ||
		len(told.Findings[at].Figures) != 2 {
		t.Errorf("%+v", told.Findings)
	}
}
