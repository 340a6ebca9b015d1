//go:build unix

package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The loops of each set of instructions, beside plain Go: of few rows, as most nodes have, and of many.
func BenchmarkSets(b *testing.B) {
	defer Use(set)
	for _, n := range []int{6, 30, 120, 4000} {
		rng := rand.New(rand.NewPCG(1, 2))
		rows, ids, narrow, wide := make([]uint64, n), make([]uint32, n), make([]uint16, n), make([]uint32, n)
		codes, weights, packed, binOf := make([]uint32, n), make([]uint32, n), make([]uint64, n), make([]uint8, n)
		left, numbers := make([]uint64, roundUp(n)), make([]uint32, n)
		var node Node
		for i := range rows {
			class := rng.IntN(3)
			rows[i], ids[i], packed[i] = uint64(i)<<32|uint64(class)<<16|1, uint32(i), 1<<(WideBits*class)
			codes[i], weights[i], numbers[i] = 1+uint32(rng.IntN(1<<16-1)), 1<<(NarrowBits*class), uint32(i)
			narrow[i], wide[i], binOf[i] = uint16(codes[i]), codes[i], uint8(codes[i]>>8)
			node.Sums[class]++
			if left[i] = packed[i]; i > 0 {
				left[i] += left[i-1]
			}
		}
		node.Weight, node.Least = float64(n), 1
		node.Bar = squares(node.Sums) / node.Weight * 1.01
		toRows, otherRows, toIDs, otherIDs := make([]uint64, n), make([]uint64, n), make([]uint32, n), make([]uint32, n)
		bins, marks := make([]uint64, 1024), &Marks{3: 0x11, 20: 0x300}
		var byBin [256]int32
		trees, treeWeights := new(TreeCounts), make([][Trees]uint16, n)
		for _, loop := range []struct {
			name string
			run  func()
		}{
			{"compare", func() { Compare(left, codes[:min(n, 250)], weights) }},
			{"best", func() { node.Best(left, numbers) }},
			{"mark", func() { node.Mark(marks, packed[:min(n, 1024)], left, 3, false) }},
			{"pick", func() { Pick(toIDs, otherIDs, codes, weights, marks, 1, 6) }},
			{"neighbours", func() { Neighbours(codes, 1<<15) }},
			{"fetch", func() { FetchRange(toIDs, rows, narrow) }},
			{"weigh", func() { Weigh(toIDs, toRows, rows) }},
			{"part", func() { Part(rows, toRows, otherRows, codes, 1, 1<<15) }},
			{"partByID", func() { PartByID(rows, toRows, otherRows, narrow, 1, 1<<15) }},
			{"partIDs", func() { PartByID(ids, toIDs, otherIDs, wide, 1, 1<<15) }},
			{"partByBin", func() { PartByBin(rows, toRows, otherRows, binOf, wide, 127, 127<<8+99) }},
			{"count", func() { Count(bins, codes, packed, 1, 6) }},
			{"countByID", func() { CountByID(&byBin, rows, binOf) }},
			{"countTrees", func() { CountTrees(trees, binOf, treeWeights) }},
		} {
			for _, s := range Sets() {
				b.Run(fmt.Sprintf("%s/%d/%v", loop.name, n, s), func(b *testing.B) {
					Use(s)
					for b.Loop() {
						loop.run()
					}
				})
			}
		}
	}
}
