package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of three draws one gives nothing, one keeps a recall of ½ and one breaks it; precisions are 1 and ½.
func TestTally(t *testing.T) {
	c := constraint{floor: pragma.Floor{What: pragma.RecallFloor, Limit: 0.5},
		other: func(m *vote.Confusion) float64 { v, _ := m.Precision(0); return v }}
	kept, broken := vote.NewConfusion([]string{"a", "b"}), vote.NewConfusion([]string{"a", "b"})
	kept.Add(0, 0, 1)
	kept.Add(0, 1, 1)
	broken.Add(0, 0, 1)
	broken.Add(0, 1, 3)
	broken.Add(1, 0, 1)
	var got tally
	for _, m := range []*vote.Confusion{nil, kept, broken} {
		got.add(c, m)
	}
	if got != (tally{3, 2, 1, 1.5}) {
		t.Errorf("%+v", got)
	}
	if cells := got.cells(); cells != "**33.3 %** | 67 % | 75.0 %" { // of three draws 30 % are allowed
		t.Error(cells)
	}
	if cells := (tally{}).cells(); cells != "– | – | –" {
		t.Error(cells)
	}
}

// A small study of a made-up set has a line for each constraint.
func TestMeasure(t *testing.T) {
	s := &study{log: io.Discard, draws: 5, forests: 1, trees: 20}
	lines, err := s.measure(context.Background(), problem{name: "wave", draw: problems(false)[2].draw})
	if err != nil || len(lines) != 3 || lines[0].apart.draws != 5 || lines[0].oob.draws != 1 || lines[0].them.draws != 0 {
		t.Fatalf("%+v, %v", lines, err)
	}
	if text := report(lines, s); !strings.Contains(text, "| wave, 100000 | `1:recall>=0.7` |") ||
		strings.Contains(text, "MAPIE, 5 draws") {
		t.Error(text)
	}
}

// A small study of figures without labels counts every run, and refuses a column in another unit.
func TestWithoutLabels(t *testing.T) {
	s := &study{log: io.Discard, forests: 2, trees: 20}
	found, err := s.withoutLabels(context.Background(), problem{name: "wave", draw: problems(false)[2].draw})
	if err != nil || len(found.by) != len(shifts) || found.by[0].runs != 2 || found.by[3].void != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	if text := reportLabels([]labelled{found}); !strings.Contains(text, "| wave | unit | 2 of 2 (columns) | – | – | – |") ||
		!strings.Contains(text, "- unit: 2 of 2 runs are refused") {
		t.Error(text)
	}
}

// By hand: of two figures one is in its band of 0.2, and both are 0.05 and 0.15 off.
func TestInBand(t *testing.T) {
	var got inBand
	truth := vote.NewConfusion([]string{"a", "b"})
	truth.Add(0, 0, 3)
	truth.Add(0, 1, 1)
	truth.Add(1, 0, 1)
	truth.Add(1, 1, 5)
	e := &eval.Estimates{Classes: []eval.ClassEstimate{{Recall: &eval.Forecast{Value: 0.8, Interval: [2]float64{0.7, 0.9}},
		Precision: &eval.Forecast{Value: 0.6, Interval: [2]float64{0.5, 0.7}}}, {}}}
	got.judge(e, truth, 0) // 3 of 4 are found, and 3 of 4 alarms are right
	got.judge(&eval.Estimates{Void: true, Unlike: true}, truth, 0)
	if got.runs != 2 || got.void != 1 || got.hit != [2]int{1, 0} || got.figures != [2]int{1, 1} || got.reasons[0] != "votes" ||
		got.cells(0) != "1 of 1 | 5.0 | 20.0" || got.cells(1) != "0 of 1 | 15.0 | 20.0" {
		t.Errorf("%+v: %s, %s", got, got.cells(0), got.cells(1))
	}
}
