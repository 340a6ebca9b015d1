package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// table returns rows in CSV: numbers that carry 17 digits, missing cells, categories that need quotes, truth values and
// whole numbers as categories, of so many classes.
func table(seed uint64, rows, classes int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("x,y z,where,flag,code,class\n")
	for range rows {
		class := r.IntN(classes)
		cell := func(text string) string {
			if r.IntN(10) == 0 {
				return ""
			}
			return text
		}
		where := []string{"it's", `a"b`, "ä", "d", "e", "f", "g"}[(class+r.IntN(4))%7]
		fmt.Fprintf(&b, "%s,%s,\"%s\",%s,%s,c%d\n", cell(fmt.Sprint(r.NormFloat64()+float64(class))),
			cell(fmt.Sprint(r.Float64()*float64(class+1))), strings.ReplaceAll(cell(where), `"`, `""`),
			cell([]string{"f", "t"}[(class+r.IntN(3)/2)%2]), cell(fmt.Sprint(10*(class+r.IntN(2)))), class)
	}
	return b.String()
}

func frame(t *testing.T, seed uint64, rows, classes int) *dataset.Frame {
	t.Helper()
	f, err := dataset.ReadCSV(strings.NewReader(table(seed, rows, classes)), "t.csv",
		dataset.Options{Target: "class", Categorical: []string{"code"}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fit(t *testing.T, rows *dataset.Frame, c rfpragma.Config) *rfpragma.Model {
	t.Helper()
	c.Forest.Seed, c.TuneForest = 1, rfpragma.TuneOff
	if c.Calibration == "" {
		c.Calibration = calib.PlattLogit
	}
	m, err := rfpragma.Fit(context.Background(), rows, nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// small is a forest that is quickly grown.
func small(soft bool) forest.Config { return forest.Config{Trees: 30, MinLeaf: 3, Soft: soft} }

// run computes a formula as docs/export.md says it.
func (f *formula) run(t *testing.T, counts []uint32, stake float64) (p []float64, decision string) {
	t.Helper()
	of := make([][]float64, len(f.steps))
	for i, s := range f.steps {
		of[i] = make([]float64, s.width)
		for c := range of[i] {
			var in []float64
			for _, from := range s.of {
				if len(of[from]) == 1 {
					in = append(in, of[from][0])
				} else if c < len(of[from]) {
					in = append(in, of[from][c])
				}
			}
			switch s.do {
			case votes:
				of[i][c] = float64(counts[c])
			case amount:
				of[i][c] = stake
			case sum:
				for _, v := range of[s.of[0]] {
					of[i][c] += v
				}
			case first:
				for at, v := range of[s.of[0]] {
					if v > of[s.of[0]][int(of[i][c])] {
						of[i][c] = float64(at)
					}
				}
			case take:
				of[i][c] = of[s.of[0]][s.at[c]]
			case join:
				var all []float64
				for _, from := range s.of {
					all = append(all, of[from]...)
				}
				of[i][c] = all[c]
			default:
				of[i][c] = componentOf(s, in, c)
			}
		}
	}
	return of[f.probabilities], f.labels[int(of[f.decision][0])]
}
