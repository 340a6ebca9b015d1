package main

import (
	"fmt"
	"math"
	"os"
	"strings"
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

// generatedYears writes payments of one year each to a file, of thieves that look more like customers from the second on.
func generatedYears(t *testing.T, file string, years map[int]int) {
	t.Helper()
	var text strings.Builder
	for year := range 9999 {
		seed, ok := years[year]
		if !ok {
			continue
		}
		drift := "0"
		if year > 2022 {
			drift = "0.5"
		}
		head, rows, _ := strings.Cut(must(t, fmt.Sprintf("generate fraud --rows 3000 --seed %d --drift %s -q", seed, drift)).stdout, "\n")
		if text.Len() == 0 {
			text.WriteString("year," + head + "\n")
		}
		for row := range strings.Lines(rows) {
			fmt.Fprintf(&text, "%d,%s", year, row)
		}
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Where what was promised of later rows came true, the words, the warnings, the JSON and the exit code say no drift, although training did better by more than chance.
func TestForeseen(t *testing.T) {
	skipFigures(t)
	inFolder(t, nil)
	generatedYears(t, "early.csv", map[int]int{2022: 1, 2023: 9})
	generatedYears(t, "late.csv", map[int]int{2024: 5})
	const flags = " --time year --prefer fraud:theta=10,x=0.2,y=0.6 --trees 30 -q"
	must(t, "cv early.csv --folds 1 -o cv.json"+flags)
	must(t, "train early.csv --votes oob -o model.rfp"+flags)
	const evaluate = "evaluate model.rfp late.csv --fail-on-drift"
	if got := invoke(t, nil, split(evaluate)...); got.code != exitDrift || !strings.Contains(got.stdout, "does worse") {
		t.Errorf("without what cv promised: exit %d\n%s", got.code, got.stdout)
	}
	got := must(t, evaluate+" --expected cv.json")
	const foreseen = `Below what it was out of bag in training: recall of "fraud" (`
	if !strings.Contains(got.stdout, "What cv --time year expected came true: ") || !strings.Contains(got.stdout, foreseen) || strings.Contains(got.stdout, "does worse on these") || strings.Contains(got.stderr, "drift") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
	got = must(t, "report model.rfp late.csv --fail-on-drift --expected cv.json --format json -o -")
	if !strings.Contains(got.stdout, strings.ReplaceAll(foreseen, `"`, `\"`)) || strings.Contains(got.stderr, "drift") {
		t.Errorf("%s", got.stderr)
	}
	if got = must(t, evaluate+" --expected cv.json --format json"); !strings.Contains(got.stdout, `"drift": []`) || !strings.Contains(got.stdout, `"foreseen": [`) {
		t.Errorf("%s", got.stdout)
	}
}
