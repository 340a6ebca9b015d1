package main

import (
	"math"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/report"
)

// shareOf is [shareOfRecall] or [shareOfPrecision].
type shareOf func(eval.Class) (share *float64, interval *[2]float64, of float64)

// designEffect tells how many rows of a block of time say as much of another block as one would if blocks were alike; 1 where there are not several, or these do not differ by more than rounding.
func designEffect(r *eval.Report, class string, of shareOf) float64 {
	in := func(b *eval.Block) *rfpragma.Observed {
		share, interval, _ := of(b.Classes[class])
		return shareObserved(share, interval)
	}
	if r.Together == nil || in(r.Together) == nil {
		return 1
	}
	rows := 0.0
	for i := range r.Blocks {
		if o := in(&r.Blocks[i]); o != nil {
			rows += o.Rows
		}
	}
	if effect := rows / in(r.Together).Rows; effect >= 1.01 {
		return effect
	}
	return 1
}

// laterInterval is that of a share of the tuned rule at 95 % as it holds for later rows, by which evaluate --expected judges them: wider than that of the latest block by how
// much blocks differ; nil where they do not by more than chance.
func laterInterval(r *eval.Report, class string, of shareOf) *[2]float64 {
	share, interval, _ := of(r.Rules.Tuned.Classes[class])
	was, n := shareObserved(share, interval), designEffect(r, class, of)
	if was == nil || n == 1 {
		return nil
	}
	was.Rows /= n
	wider := was.Interval()
	return &wider
}

// laterShares are the intervals of all classes that are wider on later rows; nil where there are none.
func laterShares(r *eval.Report) map[string]report.Later {
	out := map[string]report.Later{}
	for name := range r.Rules.Tuned.Classes {
		of := report.Later{Recall: laterInterval(r, name, shareOfRecall), Precision: laterInterval(r, name, shareOfPrecision)}
		if of.Recall != nil || of.Precision != nil {
			out[name] = of
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// shareObserved is a share of as many rows as its interval at 95 % is of, by Wilson's equation of the end that is further off; nil where there are none.
func shareObserved(share *float64, interval *[2]float64) *rfpragma.Observed {
	if share == nil || interval == nil || !(*share >= 0 && *share <= 1) {
		return nil
	}
	end := interval[0]
	if interval[1]-*share > *share-end {
		end = interval[1]
	}
	rows := calib.Z95 * calib.Z95 * end * (1 - end) / ((end - *share) * (end - *share))
	if !(rows > 0) || math.IsInf(rows, 1) {
		return nil
	}
	return &rfpragma.Observed{Value: *share, Rows: rows}
}
