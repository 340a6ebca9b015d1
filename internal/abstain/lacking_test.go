package abstain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// lackingModel decides by tsh above all, of three features tried nearly alone, from 0 to 99, which so many of the
// 200 rows of its training lack.
func lackingModel(t *testing.T, lack, mtry int) *rfpragma.Model {
	t.Helper()
	text := "tsh,t3,age,y\n"
	for i := range 200 {
		tsh := fmt.Sprint(i % 100)
		if i*77%200 < lack { // spread over both classes
			tsh = ""
		}
		text += fmt.Sprintf("%s,%d,%d,%s\n", tsh, i*7%11, i*3%70, map[bool]string{true: "ill", false: "well"}[i%100 > 80])
	}
	frame, err := dataset.ReadCSV(strings.NewReader(text), "train.csv", dataset.Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := rfpragma.Fit(t.Context(), frame, pragma.Spec{"ill": pragma.Priority()},
		rfpragma.Config{Forest: forest.Config{Trees: 20, Mtry: mtry}, Votes: vote.OOB})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A row without tsh is told where they are fewer than a fifth in training, and one with a value far from all of
// training whatever they are.
func TestLacking(t *testing.T) {
	const rests = ": what is decided of %s rests on the little that is left, however sure the probability looks; " +
		"--withhold leaves %[1]s undecided"
	it, them := fmt.Sprintf(rests, "it"), fmt.Sprintf(rests, "them")
	one := `in.csv: row 1 lacks most of what the model decides by, above all "tsh"`
	for _, tc := range []struct {
		name string
		lack int // of the 200 rows of the training
		rows string
		want string // "" for silence
	}{
		{"one row", 0, "1,2,50\n,2,50\n3,,50\n", strings.Replace(one, "row 1", "row 2", 1) + it},
		{"several", 0, "1,2,50\n,2,\n,,50\n",
			`in.csv: 2 rows, the first of them row 2, lack most of what the model decides by, above all "tsh" (2 rows)` + them},
		{"others alone", 0, "1,2,\n3,,\n", ""},
		{"an empty one", 0, ",,\n1,2,50\n", one + it},
		{"fewer than a fifth of the training lack it", 39, ",2,50\n1,2,50\n", one + it},
		{"a fifth lack it", 40, ",2,50\n1,2,50\n", ""},
		{"most lack it", 160, ",2,50\n1,2,50\n", ""},
		{"far", 0, "1,2,50\n9999,2,50\n", strings.Replace(one, "row 1", "row 2", 1) +
			" (9999 is far from every value of training)" + it},
		{"far where a fifth lack it", 40, "-999,2,50\n", one + " (-999 is far from every value of training)" + it},
		{"a little above", 0, "120,2,50\n", ""},
		{"far and missing", 0, "-1,2,50\n,2,50\n-9,2,50\n",
			`in.csv: 3 rows, the first of them row 1, lack most of what the model decides by, above all "tsh" (3 rows, in 2 of them a value far from every one of training, such as -1)` + them},
		{"one of several far", 0, "-1,2,50\n,2,50\n",
			`in.csv: 2 rows, the first of them row 1, lack most of what the model decides by, above all "tsh" (2 rows, in 1 of them -1, far from every value of training)` + them},
	} {
		m := lackingModel(t, tc.lack, 3)
		read := func(each int) *Lacking {
			rd, err := dataset.NewReader(strings.NewReader("tsh,t3,age\n"+tc.rows), "in.csv",
				dataset.Options{Schema: m.Forest.Schema})
			if err != nil {
				t.Fatal(err)
			}
			l := NewLacking(m)
			for before := 0; ; before += each {
				block, err := rd.Next(each)
				if err != nil {
					return l
				}
				found, err := l.In(block)
				if err != nil {
					t.Fatal(err)
				}
				l.Add(block, found, before)
			}
		}
		for _, each := range []int{1, 100} {
			got := ""
			for _, w := range read(each).Warnings("in.csv") {
				got += w.Error()
			}
			if got != tc.want {
				t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
			}
		}
	}
}

// What is named is lacked: by so many of the rows, or by the one, and what they lack together weighs.
func TestLackingAbove(t *testing.T) {
	m := lackingModel(t, 0, 1)
	if order := m.Forest.Importance(); !(order[0] > order[2] && order[2] > 0) {
		t.Fatalf("tsh bears %v", order)
	}
	for _, tc := range []struct {
		rows int
		lost map[string]*Lost
		want string
	}{
		{76, map[string]*Lost{"tsh": {rows: 76}, "age": {rows: 45}}, `"tsh" (76 rows), "age" (45)`},
		{76, map[string]*Lost{"tsh": {rows: 76, far: 3, example: "-9"}, "age": {rows: 45, far: 1, example: "999"}},
			`"tsh" (76 rows, in 3 of them a value far from every one of training, such as -9), "age" (45, in 1 of them 999, far from every value of training)`},
		{1, map[string]*Lost{"tsh": {rows: 1}, "age": {rows: 1, far: 1, example: "999"}},
			`"tsh", "age" (999 is far from every value of training)`},
	} {
		l := Lacking{Model: m, rows: tc.rows, Lost: tc.lost}
		for name, of := range l.Lost {
			of.bears = float64(of.rows) * NewLacking(m).bears[name]
		}
		if l.Above() != tc.want {
			t.Errorf("%s, want %s", l.Above(), tc.want)
		}
	}
}
