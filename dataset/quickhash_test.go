package dataset

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows are as often the same by their quick hashes as by those of a sketch, with codes and without.
func TestQuickHashesTellTheSameRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const rows = 2*blockRows + 100
	values := &Frame{Classes: []string{"a", "b"}, Truth: make([]int, rows), Columns: []Column{
		{Field: Field{Name: "x"}, Values: make([]float64, rows)},
		{Field: Field{Name: "y"}, Values: make([]float64, rows)},
	}}
	for i := range rows {
		x, y := float64(rng.IntN(120)), float64(rng.IntN(120))/10
		switch rng.IntN(10) {
		case 0:
			x = math.NaN()
		case 1:
			y = math.Copysign(0, -1)
		}
		values.Truth[i], values.Columns[0].Values[i], values.Columns[1].Values[i] = rng.IntN(3)-1, x, y
	}
	coded := *values
	coded.Columns = slices.Clone(values.Columns)
	var coder Coder
	for j := range coded.Columns {
		c := &coded.Columns[j]
		c.Codes, c.Values = coder.Code(c), nil
	}
	exact := map[string]int{} // of each different labelled row
	for i, class := range values.Truth {
		if class >= 0 {
			exact[fmt.Sprint(class, values.Columns[0].Values[i], values.Columns[1].Values[i]+0)]++ // -0 is 0
		}
	}
	want := slices.Sorted(maps.Values(exact))
	for name, f := range map[string]*Frame{"values": values, "codes": &coded} {
		if got := slices.Sorted(maps.Values(countedBy(f.quickHashes))); !slices.Equal(got, want) {
			t.Errorf("%s: %d different rows by quick hashes, %d exactly", name, len(got), len(want))
		}
	}
}

// countedBy counts the rows of each hash.
func countedBy(hashes iter.Seq2[uint32, int]) map[uint32]int {
	times := map[uint32]int{}
	for hash := range hashes {
		times[hash]++
	}
	return times
}
