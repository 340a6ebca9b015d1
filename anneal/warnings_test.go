package anneal_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// repeated returns t with every row n times.
func repeated(t *vote.Table, n int) *vote.Table {
	all := *t
	all.Truth = slices.Repeat(t.Truth, n)
	all.Counts = slices.Repeat(t.Counts, n)
	return &all
}

func TestWarnings(t *testing.T) {
	plenty := repeated(two([3]int{0, 2, 8}, [3]int{1, 1, 9}), 50)
	corner := repeated(two([3]int{0, 1, 9}, [3]int{1, 0, 10}), 50) // A192
	oob := *plenty
	oob.Source, oob.Trees = vote.OOB, 199
	gaps := repeated(two([3]int{0, 2, 8}, [3]int{1, 1, 9}, [3]int{1, 0, 0}, [3]int{-1, 4, 6}), 50)
	hundred := repeated(two([3]int{0, 1, 9}, [3]int{1, 0, 100}), 50)
	hundred.Trees = 100
	single := repeated(two([3]int{0, 1, 9}, [3]int{1, 0, 10}), 50)
	single.Trees = 1
	pushed := func(c uint32) *vote.Table { // rows of a and b that c would win, which has none itself
		t := &vote.Table{Classes: []string{"a", "b", "c"}, Source: vote.CV, Trees: 9}
		for range 50 {
			t.Truth = append(t.Truth, 0, 1)
			t.Counts = append(t.Counts, 9-c, 0, c, 0, 9-c, c)
		}
		return t
	}
	three := &vote.Table{Classes: []string{"a", "b", "c"}, Share: []float64{0.1, 0.2, 0.7}, Source: vote.CV, Trees: 4}
	for range 50 {
		three.Truth = append(three.Truth, 0, 1, 2)
		three.Counts = append(three.Counts, 1, 0, 3, 0, 4, 0, 0, 0, 4)
	}
	for _, tc := range []struct {
		name  string
		table *vote.Table
		want  []string
	}{
		{"nothing to say", plenty, nil},
		{"few rows", repeated(plenty, 1), nil},
		{"fewer", two([3]int{0, 2, 8}, [3]int{1, 1, 9}, [3]int{1, 1, 9}),
			[]string{`class "ill" has few rows, 1 instead of at least 50 (other classes with few rows: 1): the weights may follow chance; more rows would help`}},
		{"one vote is enough", corner, []string{`one vote of 10 is now enough for class "ill", against all others for "well"`}},
		{"all seen rows turned, and yet one vote of 100 is not enough", hundred, nil},
		{"one vote is all there is", single, nil},
		{"few trees", tables.Predictive(&oob),
			[]string{"out-of-bag votes of 199 trees are few for each row: the weights fit whole forests badly; grow 200 " +
				"trees, or use cv votes"}},
		{"rows left out", gaps, []string{"rows without votes were left out, 50 of 200",
			"rows without a known class were left out, 50 of 200"}},
		{"class without rows, pushed away as far as need be", pushed(5), []string{
			`class "c" has no rows that can be judged: its weight is not tuned for it`,
		}},
		{"class without rows, pushed away to the end", pushed(8), []string{
			`class "c" has no rows that can be judged: its weight is not tuned for it`,
			`all votes of 9 but one are now too few for class "c", against that one for "a"`,
		}},
		{"one of three", three, []string{`one vote of 4 is now enough for class "a", against all others for "c"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := search(t, anneal.Search{}, tc.table, pragma.Accuracy)
			var got []string
			for _, w := range r.Warnings {
				got = append(got, w.Error())
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("warnings:\n%s\nwant:\n%s\n(weights %v)", strings.Join(got, "\n"), strings.Join(tc.want, "\n"), r.Weights)
			}
		})
	}
}
