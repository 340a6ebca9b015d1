package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A model decides by tsh nearly alone, which some rows of its training lack: a row without it is told where they are fewer than a fifth. Of empty ones others tell.
func TestLacking(t *testing.T) {
	for _, tc := range []struct {
		name string
		lack int // of the 200 rows of the training
		rows string
		want string // "" for silence
	}{
		{"one row", 0, "1,2,50\n,2,50\n3,,50\n,,\n", `in.csv: row 2 lacks most of what the model decides by, above all "tsh": what is decided of it rests on the little that is left, however sure the probability looks`},
		{"several", 0, "1,2,50\n,2,\n,,50\n,,\n", `in.csv: 2 rows, the first of them row 2, lack most of what the model decides by, above all "tsh" (2 rows): what is decided of them rests on the little that is left, however sure the probability looks`},
		{"others alone", 0, "1,2,\n3,,\n", ""},
		{"an empty one", 0, "1,2,50\n,,\n", ""},
		{"fewer than a fifth of the training lack it", 39, ",2,50\n1,2,50\n", `in.csv: row 1 lacks most of what the model decides by, above all "tsh": what is decided of it rests on the little that is left, however sure the probability looks`},
		{"a fifth lack it", 40, ",2,50\n1,2,50\n", ""},
		{"most lack it", 160, ",2,50\n1,2,50\n", ""},
	} {
		text := "tsh,t3,age,y\n"
		for i := range 200 {
			tsh := fmt.Sprint(i % 100)
			if i*77%200 < tc.lack { // spread over both classes
				tsh = ""
			}
			text += fmt.Sprintf("%s,%d,%d,%s\n", tsh, i*7%11, i*3%70, map[bool]string{true: "ill", false: "well"}[i%100 > 80])
		}
		frame, err := dataset.ReadCSV(strings.NewReader(text), "train.csv", dataset.Options{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		m, err := rfpragma.Fit(t.Context(), frame, pragma.Spec{"ill": pragma.Priority()}, rfpragma.Config{Forest: forest.Config{Trees: 20, Mtry: 3}, Votes: vote.OOB})
		if err != nil {
			t.Fatal(err)
		}
		rd, err := dataset.NewReader(strings.NewReader("tsh,t3,age\n"+tc.rows), "in.csv", dataset.Options{Schema: m.Forest.Schema})
		if err != nil {
			t.Fatal(err)
		}
		l := newLacking(m)
		for before := 0; ; before++ { // a block for each row
			block, err := rd.Next(1)
			if err != nil {
				break
			}
			l.add(block, l.in(block), before)
		}
		if rd, err = dataset.NewReader(strings.NewReader("tsh,t3,age\n"+tc.rows), "in.csv", dataset.Options{Schema: m.Forest.Schema}); err != nil {
			t.Fatal(err)
		}
		whole, err := rd.Next(100)
		if err != nil {
			t.Fatal(err)
		}
		for _, warnings := range [][]error{l.warnings("in.csv"), newLacking(m).of(whole, "in.csv")} {
			got := ""
			for _, w := range warnings {
				got += w.Error()
			}
			if got != tc.want {
				t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
			}
		}
	}
}

// Rows without tsh are decided as well, and flatter: by hand, with and without the two rows of well and the one of ill that lack it.
func TestLackingJudged(t *testing.T) {
	na := math.NaN()
	l := &lacking{schema: dataset.Schema{{Name: "tsh"}, {Name: "age"}}, bears: []float64{0.9, 0.1}, order: []int{0, 1}}
	frame := &dataset.Frame{Classes: []string{"ill", "well"}, Truth: []int{0, 0, 0, 1, 1, 1, 1, -1}, Columns: []dataset.Column{
		{Values: []float64{1, 2, na, 4, 5, na, na, na}}, {Values: slices.Repeat([]float64{7}, 8)}}}
	decided := []int{0, 0, 1, 1, 0, 1, 1}
	for _, tc := range []struct {
		name    string
		frame   *dataset.Frame
		decided []int
		want    []string
	}{
		{"some of the class", frame, decided, []string{"3 rows lack most of what the model decides by: 2 decided rightly.",
			`1 is of "ill", and 0 of 1 found; without them recall is 100 % (with them 66.7 %), specificity is 50.0 % (with them 75.0 %) and NPV is 100 % (with them 75.0 %).`}},
		{"none of it", frame.Take([]int{0, 1, 3, 4, 5, 6}), []int{0, 0, 1, 0, 1, 1}, []string{"2 rows lack most of what the model decides by: 2 decided rightly.",
			`None is of "ill"; without them specificity is 50.0 % (with them 75.0 %).`}},
		{"a single one", frame.Take([]int{0, 3, 5}), []int{0, 1, 1}, []string{"1 row lacks most of what the model decides by: 1 decided rightly.",
			`None is of "ill"; without it recall, specificity and NPV are the same.`}},
		{"not all judged", frame, decided[1:], nil},
		{"no such row", frame.Take([]int{0, 1, 3, 4, 7}), []int{0, 0, 1, 0}, nil},
	} {
		if got := l.judged(tc.frame, tc.decided, []int{0}); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q\nwant %q", tc.name, got, tc.want)
		}
	}
}

// What is named is lacked: by so many of the rows, or by the one.
func TestLackingAbove(t *testing.T) {
	l := lacking{schema: dataset.Schema{{Name: "tsh"}, {Name: "age"}, {Name: "fti"}, {Name: "t3"}}, bears: []float64{0.5, 0.1, 0.3, 0.1}, order: []int{0, 2, 1, 3}}
	for _, tc := range []struct {
		rows int
		lost []int
		want string
	}{
		{76, []int{76, 0, 45, 40}, `"tsh" (76 rows), "fti" (45), "t3" (40)`},
		{76, []int{10, 70, 76, 70}, `"fti" (76 rows), "age" (70), "t3" (70)`},
		{1, []int{1, 0, 1, 0}, `"tsh", "fti"`},
	} {
		if l.rows, l.lost = tc.rows, tc.lost; l.above() != tc.want {
			t.Errorf("%v: %s, want %s", tc.lost, l.above(), tc.want)
		}
	}
}
