package forest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// The votes for many rows, in any number, are those for each of them alone, and those that a walk by ranks gives: with
// categories and missing cells, and of more features than it pays to rank, with categories and without.
func TestVoteRows(t *testing.T) {
	for _, width := range []int{0, 300, -300} {
		frame := dataset.Fraud(700, 3)
		if width < 0 {
			frame.Columns = slices.DeleteFunc(frame.Columns, func(c dataset.Column) bool { return c.Kind == dataset.Categorical })
		}
		for j := range max(width, -width) {
			frame.Columns = append(frame.Columns, frame.Columns[j])
			frame.Columns[len(frame.Columns)-1].Name = fmt.Sprint("copy", j)
		}
		f, _, err := Grow(context.Background(), frame, Config{Trees: 20, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f.categorical != (width >= 0) {
			t.Fatalf("width %d: categories are %v", width, f.categorical)
		}
		p, k := len(f.Schema), len(f.Classes)
		for _, n := range []int{0, 1, 7, 8, 9, 700} {
			x, votes, want := make([]float64, n*p), make([]uint32, n*k), make([]uint32, n*k)
			walked := make([]uint32, n*k)
			for i := range n {
				row := x[i*p : (i+1)*p]
				frame.Row(row, i)
				row[i%p] = math.NaN()
				f.Vote(want[i*k:(i+1)*k], row)
				for _, nodes := range f.trees {
					leaf := f.walk(nodes, func(j int) uint32 { return f.rank(j, row[j]) })
					f.cast(walked[i*k:(i+1)*k], f.layout.cut(nodes[leaf]))
				}
			}
			if !slices.Equal(want, walked) {
				t.Errorf("%d features, %d rows: the votes for single rows differ from those by ranks", p, n)
			}
			if f.VoteRows(votes, x); !slices.Equal(votes, want) {
				t.Errorf("%d features, %d rows: the votes differ from those of single rows", p, n)
			}
		}
		table, err := f.Votes(t.Context(), frame, 2)
		if err != nil {
			t.Fatal(err)
		}
		row, want := make([]float64, p), make([]uint32, k)
		for i := range frame.Rows() {
			clear(want)
			frame.Row(row, i)
			if f.Vote(want, row); !slices.Equal(table.Votes(i), want) {
				t.Fatalf("%d features, row %d: votes %v, alone %v", p, i, table.Votes(i), want)
			}
		}
	}
}
