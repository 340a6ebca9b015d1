package forest

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Bins beside the codes change nothing but what is read: rows are parted, and picked, as by the codes.
func TestBinsDoAsTheirCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		col := codedColumn{most: 1 + uint32(rng.IntN(2000)), wide: make([]uint32, 1+rng.IntN(500))}
		for i := range col.wide {
			col.wide[i] = 1 + rng.Uint32N(col.most)
		}
		col.keepBins(1 + rng.IntN(hugeBits))
		col.keepOrder(new([]uint32))
		var rows []row
		var ids []uint32
		for i := range col.wide {
			if rng.IntN(3) > 0 {
				rows = append(rows, newRow(uint32(i), uint16(rng.IntN(2)), 1+rng.Uint32N(3)))
			} else {
				ids = append(ids, uint32(i))
			}
		}
		last, first := 1+rng.Uint32N(col.most), rng.Uint32N(2)
		span := last + 1 - first
		codes, bins := parting{col: &col, first: first, span: span}, parting{col: &col, first: first, span: span, bins: true}
		byCodes, byBins := slices.Clone(rows), slices.Clone(rows)
		spare := make([]row, len(rows))
		a, b := partNumeric(byCodes, byCodes, spare, &codes), partNumeric(byBins, byBins, spare, &bins)
		if a != b || !slices.Equal(byCodes[:a], byBins[:b]) {
			t.Fatalf("codes from %d, %d of them, of up to %d: %d rows go left, by bins %d", first, span, col.most, a, b)
		}
		outByCodes, outByBins := slices.Clone(ids), slices.Clone(ids)
		outSpare := make([]uint32, len(ids))
		a, b = partNumeric(outByCodes, outByCodes, outSpare, &codes), partNumeric(outByBins, outByBins, outSpare, &bins)
		if a != b || !slices.Equal(outByCodes[:a], outByBins[:b]) {
			t.Fatalf("codes from %d, %d of them, of up to %d: %d rows out of the bag go left, by bins %d", first, span, col.most,
				a, b)
		}
		look := make([]bool, maxBins+1)
		for i := range look {
			look[i] = rng.IntN(4) == 0
		}
		keys, keysByBin := make([]uint64, len(rows)+1), make([]uint64, len(rows)+1)
		a, b = pickMarked(keys, rows, col.wide, look, 1, col.shift), pickByBin(keysByBin, rows, col.bin, col.wide, look)
		if a != b || !slices.Equal(keys[:a], keysByBin[:b]) {
			t.Fatalf("%d rows were picked, by bins %d", a, b)
		}
		counts, weights, sign := make([]int32, 2<<hugeBits), make([]int32, 1<<hugeBits), int32(1-2*rng.IntN(2))
		addCounts(counts, rows, col.wide, col.shift, 2, sign)
		addWeights(weights, rows, col.bin, sign)
		for bin, weight := range weights {
			if weight != counts[2*bin]+counts[2*bin+1] {
				t.Fatalf("weights %v, want those of both classes of %v", weights, counts)
			}
		}
	}
}
