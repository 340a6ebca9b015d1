package forest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// The votes for many rows are those for each of them alone, with categories and missing cells, in any number of rows.
func TestVoteRows(t *testing.T) {
	for _, width := range []int{0, 300} { // besides, of more features than it pays to rank
		frame := dataset.Fraud(700, 3)
		for range width {
			frame.Columns = append(frame.Columns, frame.Columns[0])
			frame.Columns[len(frame.Columns)-1].Name += string(rune('a'+len(frame.Columns)%26)) + string(rune('a'+len(frame.Columns)/26))
		}
		f, _, err := Grow(context.Background(), frame, Config{Trees: 20, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		p, k := len(f.Schema), len(f.Classes)
		for _, n := range []int{0, 1, 7, 8, 9, 700} {
			x, votes, want := make([]float64, n*p), make([]uint32, n*k), make([]uint32, n*k)
			for i := range n {
				row := x[i*p : (i+1)*p]
				frame.Row(row, i)
				row[i%p] = math.NaN()
				f.Vote(want[i*k:(i+1)*k], row)
			}
			if f.VoteRows(votes, x); !slices.Equal(votes, want) {
				t.Errorf("%d features, %d rows: the votes differ from those of single rows", p, n)
			}
		}
	}
}
