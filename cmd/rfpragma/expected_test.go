package main

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
)

// foundOf is a class of which so many of rows are found.
func foundOf(hits, rows float64) eval.Class {
	recall := hits / rows
	low, high := calib.Wilson(hits, rows, calib.Z95)
	return eval.Class{Recall: &recall, RecallInterval: &[2]float64{low, high}, Support: rows}
}

// The rows of a share are found again by its interval, at either end and where all or none are hits.
func TestShareObserved(t *testing.T) {
	for _, hits := range []float64{0, 1, 25, 50, 99, 100} {
		share, interval, _ := shareOfRecall(foundOf(hits, 100))
		if o := shareObserved(share, interval); o == nil || math.Abs(o.Rows-100) > 1e-6 || o.Value != hits/100 {
			t.Errorf("%v of 100: %+v", hits, o)
		}
	}
	if share := 0.5; shareObserved(&share, nil) != nil || shareObserved(nil, nil) != nil || shareObserved(&share, &[2]float64{0, 1}) != nil {
		t.Error("rows where there are none")
	}
}

// By hand: 2 blocks of 100 rows that together tell what 50 would have 4 rows for 1. As 25 rows of 100, 12 found in 100 are as expected where 30 were; of 100 rows, not so.
func TestExpectedOfBlocks(t *testing.T) {
	block := func(hits, rows float64) eval.Block {
		return eval.Block{Classes: map[string]eval.Class{"ill": foundOf(hits, rows)}}
	}
	e := &expectedInfo{was: &cvResult{}}
	if got := e.alike("ill", shareOfRecall); got != 1 {
		t.Errorf("without blocks: %v", got)
	}
	together := block(15, 50)
	e.was.Blocks, e.was.Together = []eval.Block{{}, block(40, 100), block(20, 100)}, &together
	if got := e.alike("ill", shareOfRecall); math.Abs(got-4) > 1e-6 {
		t.Errorf("rows of blocks that differ: %v, want 4", got)
	}
	for _, tc := range []struct {
		rows float64
		want bool
	}{{25, false}, {100, true}} {
		was, is := foundOf(0.3*tc.rows, tc.rows), foundOf(0.12*tc.rows, tc.rows)
		if got := shareObserved(is.Recall, is.RecallInterval).Lower(shareObserved(was.Recall, was.RecallInterval), 0.025); got != tc.want {
			t.Errorf("%v rows: lower %v", tc.rows, got)
		}
	}
}
