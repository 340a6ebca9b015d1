package vector

import "math"

// Sums returns the weights by class.
func Sums(wide uint64) [3]float64 {
	return [3]float64{float64(wide & wideMask), float64(wide >> WideBits & wideMask), float64(wide >> (2 * WideBits))}
}

func total(w [3]float64) float64 { return w[0] + w[1] + w[2] }

func squares(w [3]float64) float64 {
	return float64(w[0]*w[0]) + float64(w[1]*w[1]) + float64(w[2]*w[2])
}

// reaches tells, without a division, whether the score of a cut reaches the bar.
func reaches(bar, weightL, weightR, squaresL, squaresR float64) bool {
	return float64(squaresL*weightR)+float64(squaresR*weightL) >= float64(bar*float64(weightL*weightR))
}

// reachedBy tells whether a cut with these weights on its left does.
func (n *Node) reachedBy(bar float64, l [3]float64) bool {
	return reaches(bar, total(l), n.Weight-total(l), squares(l), squares(n.rest(l)))
}

// rest returns the weights right of a cut.
func (n *Node) rest(l [3]float64) [3]float64 {
	return [3]float64{n.Sums[0] - l[0], n.Sums[1] - l[1], n.Sums[2] - l[2]}
}

// (Functions of their own: within a larger one the compiler runs out of registers.)
//
//go:noinline
func plainFetch[R Row, C Code](to []uint32, rows []R, codes []C) (least, most uint32) {
	least = ^uint32(0)
	to = to[:len(rows)]
	low := BelowID[R]()
	for i, r := range rows {
		c := uint32(codes[uint64(r)>>(low&63)])
		to[i] = c
		least, most = min(least, c), max(most, c)
	}
	return least, most
}

func plainWeigh[R ~uint64](narrow []uint32, wide []uint64, rows []R) {
	for i, r := range rows {
		class, weight := uint32(r)>>16, uint32(r)&0xffff
		narrow[i], wide[i] = weight<<(NarrowBits*class), uint64(weight)<<(WideBits*class)
	}
}

func plainPart[R ~uint64](rows, left, right []R, codes []uint32, first, width uint32) int {
	l, r := 0, 0
	for i, x := range rows {
		goesLeft := Below(codes[i]-first, width)
		left[l], right[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	return l
}

//go:noinline
func plainPartByID[R Row, C Code](rows, left, right []R, codes []C, first, width uint32) int {
	l, r, low := 0, 0, BelowID[R]()
	for _, x := range rows {
		goesLeft := Below(uint32(codes[uint64(x)>>(low&63)])-first, width)
		left[l], right[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	return l
}

//go:noinline
func plainPartByBin[R Row](rows, left, right []R, bins []uint8, codes []uint32, bin, above uint32) int {
	l, r, low := 0, 0, BelowID[R]()
	for _, x := range rows {
		id := uint64(x) >> (low & 63)
		b := uint32(bins[id])
		goesLeft := Below(b, bin)
		if b == bin {
			goesLeft = Below(codes[id], above)
		}
		left[l], right[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	return l
}

func plainCompare(left []uint64, codes, weights []uint32) {
	for i, at := range codes {
		sum := uint32(0)
		for j, c := range codes {
			if c <= at {
				sum += weights[j]
			}
		}
		left[i] = uint64(sum&narrowMask) | uint64(sum>>NarrowBits&narrowMask)<<WideBits |
			uint64(sum>>(2*NarrowBits))<<(2*WideBits)
	}
}

func (n *Node) plainBest(left []uint64, codes []uint32) (score float64, code uint32, on uint64) {
	for i, x := range left {
		l := Sums(x)
		wl := total(l)
		wr := n.Weight - wl
		if wl < n.Least || wr < n.Least || !n.reachedBy(n.Bar, l) {
			continue
		}
		s := squares(l)/wl + squares(n.rest(l))/wr
		if s > score || s == score && codes[i] < code {
			score, code, on = s, codes[i], x
		}
	}
	return score, code, on
}

// steepest bounds the change of the score with the weight that moves: the part of a side, Σ_c w_c²/w,
// changes with w_c by 2p_c - Σ p² , p_c being w_c/w, which lies in [-1, 1]; so both change by 2 at most. (And a
// little more, for rounding.)
const steepest = 2 + 1e-9

func (n *Node) plainMark(marks *Marks, bins, before []uint64, classes int, all bool) (found bool) {
	clear(marks[:])
	for i, x := range bins {
		m, l := Sums(x), Sums(before[i])
		mixed := 0
		for _, w := range m {
			if w > 0 {
				mixed++
			}
		}
		if mixed == 0 || mixed == 1 && !all || !n.reachedBy(n.Bar-float64(steepest*total(m)), l) {
			continue
		}
		first, last := 1, 1<<classes-2
		if all && classes == 3 {
			first, last = 0, 1<<classes-1
		}
		for corner := first; corner <= last; corner++ {
			at := l
			for c := range classes {
				if corner>>c&1 != 0 {
					at[c] += m[c]
				}
			}
			if n.reachedBy(n.Bar, at) {
				marks[i/32] |= 1 << (i % 32)
				found = true
				break
			}
		}
	}
	return found
}

func plainPick(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int {
	n := 0
	for i, c := range codes {
		if i%Lanes == 0 && n+Lanes > len(toCodes) {
			break
		}
		if bin := (c - least) >> shift; marks[bin/32]>>(bin%32)&1 != 0 {
			toCodes[n], toWeights[n] = c, weights[i]
			n++
		}
	}
	return n
}

func plainNeighbours(codes []uint32, code uint32) (lower, upper uint32) {
	upper = math.MaxUint32
	for _, c := range codes {
		if c <= code {
			lower = max(lower, c)
		} else {
			upper = min(upper, c)
		}
	}
	return lower, upper
}

//go:noinline
func plainCount(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int) {
	weights = weights[:len(codes)]
	for i, c := range codes {
		bins[(c-least)>>(shift&31)] += weights[i]
	}
}

//go:noinline
func plainCountByID[R ~uint64](bins *[256]int32, rows []R, binOf []uint8) {
	for _, r := range rows {
		bins[binOf[uint64(r)>>32]] += int32(r & 0xffff)
	}
}

//go:noinline
func plainCountTrees(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16) {
	for i, bin := range binOf {
		for t, weight := range weights[i] {
			bins[bin][t] += weight
		}
	}
}
