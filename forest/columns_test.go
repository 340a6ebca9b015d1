package forest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// Codes of 16 bits to the last one, and of more.
func TestRowOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var scratch []uint32
	for _, most := range []uint32{1, 2, 300, math.MaxUint16, math.MaxUint16 + 1} {
		n := 3 * int(most)
		wide, narrow, want := make([]uint32, n), make([]uint16, n), make([]uint32, n)
		for i, v := range rng.Perm(n) {
			wide[i], want[i] = 1+uint32(v)%most, uint32(i)
			narrow[i] = uint16(wide[i])
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(wide[a], wide[b]) })
		order, ends := rowOrder(wide, most, &scratch)
		if most <= math.MaxUint16 {
			order, ends = rowOrder(narrow, most, &scratch)
		}
		if !slices.Equal(order, want) {
			t.Errorf("up to %d: order is not that of a stable sort", most)
		}
		for c, end := range ends {
			if end != uint32(3*c) {
				t.Fatalf("up to %d: the rows of code %d end at %d, want %d", most, c, end, 3*c)
			}
		}
	}
}

// Of a coded column the codes are taken as they are.
func TestCodesAreNotCopied(t *testing.T) {
	var coder dataset.Coder
	raw := dataset.Column{Field: dataset.Field{Name: "x"}, Values: []float64{3, 1, 2, 1}}
	c := dataset.Column{Field: raw.Field, Codes: coder.Code(&raw)}
	a, b := (&coded{}).codeColumn(&coder, &raw), (&coded{}).codeColumn(&coder, &c)
	for _, col := range []*codedColumn{&a, &b} {
		col.keepBins(2)
		col.keepOrder(new([]uint32))
	}
	if &b.narrow[0] != &c.Codes.Narrow[0] {
		t.Error("the codes were copied")
	}
	if !slices.Equal(a.narrow, b.narrow) || !a.values.Equal(b.values) || !slices.Equal(a.order, b.order) ||
		!slices.Equal(a.starts, b.starts) {
		t.Errorf("coded %v, uncoded %v", b, a)
	}
	if want := []uint32{1, 3, 2, 0}; !slices.Equal(a.order, want) {
		t.Errorf("order %v, want %v", a.order, want)
	}
}
