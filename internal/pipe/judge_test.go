package pipe

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// The report is that of the library, with findings in words and, if wanted, a page.
func TestCrossValidate(t *testing.T) {
	frame := dataset.Fraud(1500, 3)
	fields, buffers := tableOf(frame, "class")
	c := dial(t, &Server{})
	r := c.get(`"op":"cross_validate","want":["html"],"title":"Payments <1>","judge":{"folds":3},
		"options":{"trees":30,"seed":5,"cost":{"fraud":50,"ok":"5"}},`+fields, buffers...)
	costs, err := pragma.ParseCosts([]string{"fraud=50", "ok=5"}, frame.Classes)
	if err != nil {
		t.Fatal(err)
	}
	measure, err := costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	want, err := rfpragma.CrossValidate(context.Background(), frame, pragma.Spec{}, rfpragma.Config{Costs: costs,
		Measure: measure, MeasureName: "cost", Forest: forest.Config{Trees: 30}}, eval.Config{Folds: 3, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(r.Result["report"]) != string(text) {
		t.Errorf("another report: %.300s, want %.300s", r.Result["report"], text)
	}
	for _, f := range field[[]said](r, "findings") {
		if f.Text == "" || f.Code == "" {
			t.Errorf("%+v", f)
		}
	}
	page := string(data(r, "html"))
	if !strings.HasPrefix(page, "<!doctype html>") || !strings.Contains(page, "Payments &lt;1&gt;") {
		t.Errorf("%.200s", page)
	}
	for _, judge := range []string{`{"folds":1}`, `{"fold_of":[0,1]}`, `{"repeats":-1}`} {
		if r := c.ask(`"op":"cross_validate","judge":`+judge+`,`+fields, buffers...); r.Error == nil ||
			r.Error.Code != codeOption {
			t.Errorf("%s: %+v", judge, r.Error)
		}
	}
}

// A model is judged on rows of its own by its votes, and by votes that are handed in alike; its training is refused.
func TestEvaluate(t *testing.T) {
	fields, buffers := tableOf(dataset.Fraud(800, 3), "class")
	c := dial(t, &Server{})
	fitted := c.get(`"op":"fit","options":{"trees":30,"prefer":"fraud"},`+fields, buffers...)
	ask := fmt.Sprintf(`"op":"evaluate","want":["html"],"model":{"id":%q},`, field[modelInfo](fitted, "model").ID)
	if r := c.ask(ask+fields, buffers...); r.Error == nil || r.Error.Code != codeData {
		t.Errorf("%+v of the training", r.Error)
	}
	later := dataset.Fraud(2000, 4)
	fields, buffers = tableOf(later, "class")
	r := c.get(ask+fields, buffers...)
	report := field[eval.Report](r, "report")
	if n := report.Rules.Tuned.Classes["fraud"].Support + report.Rules.Tuned.Classes["ok"].Support; n != 2000 {
		t.Errorf("%v rows are judged", n)
	}
	if len(data(r, "html")) < 1000 || field[string](r, "measure") != "pragma:s=-1" {
		t.Errorf("a page of %d bytes by the measure %s", len(data(r, "html")), r.Result["measure"])
	}

	votes := strings.Replace(strings.Replace(ask, "evaluate", "predict", 1), "html", "votes", 1)
	predicted := c.get(votes+fields, buffers...)
	truth := make([]int32, later.Rows())
	for i, class := range later.Truth {
		truth[i] = int32(class)
	}
	r = c.get(ask+`"scores":{"classes":["fraud","ok"],"buffer":0,"truth":1}`, data(predicted, "votes"), bytesOf(truth))
	if again := field[eval.Report](r, "report"); again.Rules.Tuned.Pragma != report.Rules.Tuned.Pragma {
		t.Errorf("PRAGMA %v by votes, %v by rows", again.Rules.Tuned.Pragma, report.Rules.Tuned.Pragma)
	}
}

// Weights for probabilities are those that the command finds when it reads them from a file, and the maps likewise.
func TestScores(t *testing.T) {
	classes := []string{"a", "b", "c"}
	rng := uint64(1)
	draw := func() float64 {
		rng = rng*6364136223846793005 + 1442695040888963407
		return float64(rng>>40) / (1 << 24)
	}
	const n = 600
	var csv strings.Builder
	csv.WriteString("class,a,b,c\n")
	score, truth := make([]float64, 0, 3*n), make([]int32, n)
	for i := range n {
		truth[i] = int32(min(2, int(4*draw()))) // the last is as common as the others together
		row := []float64{draw(), draw(), draw()}
		row[truth[i]] += 0.3
		row[2] += 0.5 // too much, which weights can mend
		score = append(score, row...)
		fmt.Fprintf(&csv, "%s,%v,%v,%v\n", classes[truth[i]], row[0], row[1], row[2])
	}
	c := dial(t, &Server{})
	scores := `"scores":{"classes":["a","b","c"],"buffer":0,"truth":1},"options":{"measure":"balanced","seed":2}`
	r := c.get(`"op":"tune",`+scores, bytesOf(score), bytesOf(truth))
	table, err := vote.ReadCSV(strings.NewReader(csv.String()), "x", vote.CSVOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := rfpragma.Config{}
	cfg.Search.Seed = 2
	want, err := cfg.Tune(context.Background(), table, pragma.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	if got := field[vote.Weights](r, "weights"); !slices.Equal(got, want.Weights) {
		t.Errorf("weights %v, want %v", got, want.Weights)
	}
	if got := field[map[string]any](r, "expected")["loss"].(float64); !(got >= 0 && got < field[float64](r, "plain")) {
		t.Errorf("the loss to expect is %v, of the plain vote %v", got, field[float64](r, "plain"))
	}

	r = c.get(`"op":"calibrate",`+scores, bytesOf(score), bytesOf(truth))
	text := string(r.Result["map"])
	p := floatsOf(data(c.get(`"op":"apply","scores":{"classes":["a","b","c"],"buffer":0,"map":`+text+`}`, bytesOf(score)),
		"probabilities"))
	of := make([]int, n)
	for i := range of {
		of[i] = int(truth[i])
	}
	raw := slices.Clone(score)
	for i := 0; i < len(raw); i += 3 {
		sum := raw[i] + raw[i+1] + raw[i+2]
		for j := range 3 {
			raw[i+j] /= sum
		}
		if s := p[i] + p[i+1] + p[i+2]; math.Abs(s-1) > 1e-9 {
			t.Fatalf("probabilities that add up to %v", s)
		}
	}
	if before, after := calib.LogLoss(raw, of, nil, 3), calib.LogLoss(p, of, nil, 3); !(after < before) {
		t.Errorf("log loss %v before, %v after", before, after)
	}
}

// A single score, of the second class, on any scale: by Platt's method the map rises and is 1/2 where both are alike.
func TestSingleScore(t *testing.T) {
	var score []float64
	var truth []int32
	for i := range 200 {
		score, truth = append(score, float64(i%20)-9.5), append(truth, int32(i%20/10))
	}
	truth[0], truth[19] = 1, 0
	c := dial(t, &Server{})
	r := c.get(`"op":"calibrate","options":{"calibrate":"platt-raw"},
		"scores":{"classes":["no","yes"],"single":true,"buffer":0,
		"truth":1}`, bytesOf(score), bytesOf(truth))
	p := floatsOf(data(c.get(`"op":"apply","scores":{"classes":["no","yes"],"single":true,"buffer":0,"map":`+
		string(r.Result["map"])+`}`, bytesOf([]float64{-5, 0, 5})), "probabilities"))
	if !(p[1] < 0.1 && math.Abs(p[3]-0.5) < 0.05 && p[5] > 0.9) {
		t.Errorf("%v", p)
	}
}
