package main

import (
	"context"
	"io"
	"strings"
	"testing"

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
