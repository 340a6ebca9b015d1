//go:build unix

package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// Each loop gives what the plain one gives, to the last bit, and touches nothing beyond its slices: these end where the
// memory of the process ends, or what lies behind them stays as it was.

// atEnd copies a slice to the end of a page, behind which nothing can be read.
func atEnd[T any](t *testing.T, s []T) []T {
	t.Helper()
	var x T
	page := syscall.Getpagesize()
	size := (int(unsafe.Sizeof(x))*len(s) + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(memory) })
	if err := syscall.Mprotect(memory[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	if len(s) == 0 {
		return nil
	}
	end := unsafe.Slice((*T)(unsafe.Pointer(&memory[size-int(unsafe.Sizeof(x))*len(s)])), len(s))
	copy(end, s)
	return end
}

// forLengths runs a check for lengths around those of vectors, and some at random, of each set of instructions.
func forLengths(t *testing.T, most int, check func(t *testing.T, rng *rand.Rand, n int)) {
	t.Helper()
	defer Use(set)
	for _, s := range Sets() {
		t.Run(s.String(), func(t *testing.T) {
			Use(s)
			rng := rand.New(rand.NewPCG(1, 2))
			for n := range min(most, 70) {
				for range 20 {
					check(t, rng, n)
				}
			}
			for range 100 {
				check(t, rng, rng.IntN(most+1))
			}
		})
	}
}

// rowsOf makes rows: codes with ties, now and then of extremes, and classes and weights, which sum to most at most.
func rowsOf(rng *rand.Rand, n, k, most int) (codes []uint32, class []int, weights []uint32) {
	span := []int{1, 3, n + 1, 1 << 16, math.MaxUint32 - 1}[rng.IntN(5)]
	codes, class, weights = make([]uint32, n), make([]int, n), make([]uint32, n)
	for i := range codes {
		codes[i], class[i], weights[i] = 1+uint32(rng.IntN(span)), rng.IntN(k), 1+uint32(rng.IntN(max(1, most/max(n, 1))))
	}
	return codes, class, weights
}

// nodeOf returns a node of rows, with a bar that few cuts reach, or all.
func nodeOf(rng *rand.Rand, class []int, weights []uint32) *Node {
	n := &Node{Least: 1 + float64(rng.IntN(2)*rng.IntN(9)), Bar: -1}
	for i, c := range class {
		n.Sums[c] += float64(weights[i])
	}
	n.Weight = total(n.Sums)
	if rng.IntN(3) > 0 && n.Weight > 0 {
		n.Bar = squares(n.Sums) / n.Weight * (1 + rng.Float64()*0.1)
	}
	return n
}

func TestCompare(t *testing.T) {
	forLengths(t, 255, func(t *testing.T, rng *rand.Rand, n int) {
		codes, class, weights := rowsOf(rng, n, 3, narrowMask)
		for i, c := range class {
			weights[i] = weights[i] << (NarrowBits * c)
		}
		got, want := atEnd(t, make([]uint64, roundUp(n))), make([]uint64, n)
		Compare(got, atEnd(t, codes), atEnd(t, weights))
		plainCompare(want, codes, weights)
		if !slices.Equal(got[:n], want) {
			t.Fatalf("%d codes %v: %x, want %x", n, codes, got[:n], want)
		}
	})
}

func TestBest(t *testing.T) {
	found := 0
	forLengths(t, 1100, func(t *testing.T, rng *rand.Rand, n int) {
		codes, class, weights := rowsOf(rng, n, 1+rng.IntN(3), wideMask)
		node := nodeOf(rng, class, weights)
		left := make([]uint64, n)
		for i, c := range class { // in another order than that of the codes, now and then
			if left[i] = uint64(weights[i]) << (WideBits * c); i > 0 && rng.IntN(50) > 0 {
				left[i] += left[i-1]
			}
		}
		for i := range n / 8 { // ties
			j := rng.IntN(n)
			left[i] = left[j]
		}
		for i, c := range codes {
			left[i] = left[slices.Index(codes, c)]
		}
		score, code, on := node.Best(atEnd(t, left), atEnd(t, codes))
		wantScore, wantCode, wantOn := node.plainBest(left, codes)
		if score > 0 {
			found++
		}
		if score != wantScore || score > 0 && (code != wantCode || on != wantOn) {
			t.Fatalf("%d cuts of %+v: score %v, code %d, left of it %x, want %v, %d, %x", n, node, score, code, on, wantScore,
				wantCode, wantOn)
		}
	})
	if found < 500 {
		t.Errorf("only %d cuts were found", found)
	}
}

func TestMark(t *testing.T) {
	marked := 0
	forLengths(t, 1024, func(t *testing.T, rng *rand.Rand, n int) {
		k := 2 + rng.IntN(2)
		_, class, weights := rowsOf(rng, 3*n, k, wideMask)
		node := nodeOf(rng, class, weights)
		bins, before := make([]uint64, n), make([]uint64, n)
		for i, c := range class {
			bins[i*n/len(class)] += uint64(weights[i]) << (WideBits * c)
		}
		for i := 1; i < n; i++ {
			before[i] = before[i-1] + bins[i-1]
		}
		all := rng.IntN(2) == 0
		got, want := Marks(slices.Repeat([]uint32{math.MaxUint32}, 32)), Marks{}
		found := node.Mark(&got, atEnd(t, bins), atEnd(t, before), k, all)
		if wanted := node.plainMark(&want, bins, before, k, all); got != want || found != wanted {
			t.Fatalf("%d bins of %+v: %v %x, want %v %x", n, node, found, got, wanted, want)
		}
		if found {
			marked++
		}
	})
	if marked < 500 {
		t.Errorf("bins were marked only %d times", marked)
	}
}

func TestCount(t *testing.T) {
	forLengths(t, 1100, func(t *testing.T, rng *rand.Rand, n int) {
		shift, least, bins := rng.IntN(23), uint32(rng.IntN(1000)), 1+rng.IntN(1024)
		codes, weights := make([]uint32, n), make([]uint64, n)
		for i := range codes {
			codes[i], weights[i] = least+uint32(rng.IntN(bins<<shift)), uint64(rng.IntN(8))<<(WideBits*rng.IntN(3))
		}
		got, want := atEnd(t, make([]uint64, bins)), make([]uint64, bins)
		Count(got, atEnd(t, codes), atEnd(t, weights), least, shift)
		if plainCount(want, codes, weights, least, shift); !slices.Equal(got, want) {
			t.Fatalf("%d codes, %d bins of 2^%d: %x, want %x", n, bins, shift, got, want)
		}
	})
}

func TestCountByID(t *testing.T) {
	forLengths(t, 3000, func(t *testing.T, rng *rand.Rand, n int) {
		rows, binOf := make([]uint64, n), make([]uint8, 1+rng.IntN(n+1))
		for id := range binOf {
			binOf[id] = uint8(rng.Uint32())
		}
		for i := range rows {
			rows[i] = uint64(rng.IntN(len(binOf)))<<32 | uint64(rng.Uint32())
		}
		var want, got [256]int32
		for bin := range want {
			want[bin] = int32(rng.Uint32())
		}
		got = want
		CountByID(&got, atEnd(t, rows), atEnd(t, binOf))
		if plainCountByID(&want, rows, binOf); got != want {
			t.Fatalf("%d rows: %v, want %v", n, got, want)
		}
	})
}

func TestCountTrees(t *testing.T) {
	forLengths(t, 3000, func(t *testing.T, rng *rand.Rand, n int) {
		binOf, weights := make([]uint8, n), make([][Trees]uint16, n)
		for i := range binOf {
			binOf[i] = uint8(rng.Uint32N(1 + rng.Uint32N(256)))
			for tree := range weights[i] {
				weights[i][tree] = uint16(rng.Uint32())
			}
		}
		var want, got TreeCounts
		got[255][Trees-1], want[255][Trees-1] = 3, 3
		CountTrees(&got, atEnd(t, binOf), atEnd(t, weights))
		if plainCountTrees(&want, binOf, weights); got != want {
			t.Fatalf("%d rows: %v, want %v", n, got, want)
		}
	})
}

func TestPick(t *testing.T) {
	forLengths(t, 5000, func(t *testing.T, rng *rand.Rand, n int) {
		shift, least := rng.IntN(23), uint32(rng.IntN(1000))
		codes, weights := make([]uint32, n), make([]uint32, n)
		for i := range codes {
			codes[i], weights[i] = least+uint32(rng.IntN(1024<<shift)), rng.Uint32()
		}
		marks := Marks{}
		for i := range marks {
			marks[i] = rng.Uint32() & rng.Uint32() & rng.Uint32()
		}
		room := rng.IntN(n + 2*Lanes)
		got := [2][]uint32{atEnd(t, make([]uint32, room)), atEnd(t, make([]uint32, room))}
		want := [2][]uint32{make([]uint32, room), make([]uint32, room)}
		picked := Pick(got[0], got[1], atEnd(t, codes), atEnd(t, weights), &marks, least, shift)
		wanted := plainPick(want[0], want[1], codes, weights, &marks, least, shift)
		if picked != wanted || !slices.Equal(got[0][:picked], want[0][:picked]) || !slices.Equal(got[1][:picked],
			want[1][:picked]) {
			t.Fatalf("%d rows, room for %d: %d picked, want %d", n, room, picked, wanted)
		}
	})
}

func TestNeighbours(t *testing.T) {
	forLengths(t, 300, func(t *testing.T, rng *rand.Rand, n int) {
		codes, _, _ := rowsOf(rng, n, 1, n)
		code := rng.Uint32()
		if n > 0 {
			code = codes[rng.IntN(n)]
		}
		lower, upper := Neighbours(atEnd(t, codes), code)
		if wantLower, wantUpper := plainNeighbours(codes, code); lower != wantLower || upper != wantUpper {
			t.Fatalf("%d in %v: %d and %d, want %d and %d", code, codes, lower, upper, wantLower, wantUpper)
		}
	})
}

func TestFetch(t *testing.T) {
	forLengths(t, 4*ahead, func(t *testing.T, rng *rand.Rand, n int) {
		rows, ids, narrow, wide := rowsByID(rng, n)
		checkFetch(t, rows, narrow)
		checkFetch(t, rows, wide)
		checkFetch(t, ids, narrow)
		checkFetch(t, ids, wide)
	})
}

// rowsByID makes rows, their ids, and codes of both widths by id, some of them of missing cells, now and then so
// many that they are asked for.
func rowsByID(rng *rand.Rand, n int) (rows []uint64, ids []uint32, narrow []uint16, wide []uint32) {
	narrow = make([]uint16, 1+rng.IntN(500)+rng.IntN(50)/49*farCodes)
	for i := range narrow {
		known := uint32(min(rng.IntN(10), 1))
		narrow[i] = uint16(known * rng.Uint32())
		wide = append(wide, known*rng.Uint32())
	}
	for range n {
		id := rng.IntN(len(narrow))
		rows, ids = append(rows, uint64(id)<<32|uint64(rng.Uint32())), append(ids, uint32(id))
	}
	return rows, ids, narrow, wide
}

func checkFetch[R Row, C Code](t *testing.T, rows []R, codes []C) {
	t.Helper()
	want, wantLeast, wantMost := make([]uint32, len(rows)), uint32(math.MaxUint32), uint32(0)
	for i, r := range rows {
		want[i] = uint32(codes[uint64(r)>>BelowID[R]()])
		wantLeast, wantMost = min(wantLeast, want[i]), max(wantMost, want[i])
	}
	rows, codes = atEnd(t, rows), atEnd(t, codes)
	got := atEnd(t, make([]uint32, len(rows)))
	if Fetch(got, rows, codes); !slices.Equal(got, want) {
		t.Fatalf("%d rows %x: %v, want %v", len(rows), rows, got, want)
	}
	clear(got)
	first := len(rows) / 3
	if Fetch(got[:first], rows, codes); !slices.Equal(got[:first], want[:first]) ||
		slices.Max(append(got[first:], 0)) > 0 {
		t.Fatalf("the first %d of %d rows %x: %v, want %v", first, len(rows), rows, got, want[:first])
	}
	if least, most := FetchRange(got, rows, codes); least != wantLeast || most != wantMost || !slices.Equal(got, want) {
		t.Fatalf("%d rows %x: %v, %d to %d, want %v, %d to %d", len(rows), rows, got, least, most, want, wantLeast, wantMost)
	}
}

func TestWeigh(t *testing.T) {
	forLengths(t, 300, func(t *testing.T, rng *rand.Rand, n int) {
		rows := make([]uint64, n)
		for i := range rows {
			rows[i] = rng.Uint64()<<32 | uint64(rng.IntN(3))<<16 | uint64(rng.Uint32()&0xffff)
		}
		narrow, wide := atEnd(t, make([]uint32, n)), atEnd(t, make([]uint64, n))
		wantNarrow, wantWide := make([]uint32, n), make([]uint64, n)
		Weigh(narrow, wide, atEnd(t, rows))
		plainWeigh(wantNarrow, wantWide, rows)
		if !slices.Equal(narrow, wantNarrow) || !slices.Equal(wide, wantWide) {
			t.Fatalf("rows %x: %x and %x, want %x and %x", rows, narrow, wide, wantNarrow, wantWide)
		}
	})
}

func TestPart(t *testing.T) {
	forLengths(t, 4*ahead, func(t *testing.T, rng *rand.Rand, n int) {
		rows, ids, narrow, wide := rowsByID(rng, n)
		first, width := uint32(rng.IntN(2)), rng.Uint32()
		checkPart(t, rows, wide, first, width)
		checkPart(t, ids, wide, first, width)
		width = uint32(narrow[rng.IntN(len(narrow))]) + uint32(rng.IntN(2))
		checkPart(t, rows, narrow, first, width)
		checkPart(t, ids, narrow, first, width)
		codes := make([]uint32, n)
		plainFetch(codes, rows, narrow)
		want, wanted := parted(rows, narrow, first, width)
		if got := sides(t, rows, n%3, func(rows, left, right []uint64) int {
			return Part(rows, left, right, atEnd(t, codes), first, width)
		}); !slices.Equal(got, want) {
			t.Fatalf("%d rows, %d codes from %d on: %x, want %d on the left, %x", n, width, first, got, wanted, want)
		}
	})
}

func TestPartByBin(t *testing.T) {
	forLengths(t, 4*ahead, func(t *testing.T, rng *rand.Rand, n int) {
		rows, ids, _, codes := rowsByID(rng, n)
		shift := rng.IntN(12)
		for id := range codes {
			codes[id] = 1 + codes[id]%(256<<shift)
		}
		bins := make([]uint8, len(codes))
		for id, code := range codes {
			bins[id] = uint8((code - 1) >> shift)
		}
		right := 2 + rng.Uint32N(256<<shift)
		checkPartByBin(t, rows, bins, codes, (right-2)>>shift, right)
		checkPartByBin(t, ids, bins, codes, (right-2)>>shift, right)
	})
}

func checkPartByBin[R Row](t *testing.T, rows []R, bins []uint8, codes []uint32, bin, above uint32) {
	t.Helper()
	want, wanted := parted(rows, codes, 0, above)
	if got := sides(t, rows, len(rows)%3, func(rows, left, right []R) int {
		return PartByBin(rows, left, right, atEnd(t, bins), atEnd(t, codes), bin, above)
	}); !slices.Equal(got, want) {
		t.Fatalf("%d rows, codes below %d, bin %d: %x, want %d on the left, %x", len(rows), above, bin, got, wanted, want)
	}
}

// sides has rows parted, the left ones written to where the rows stand, the right ones, or neither, and returns both
// sides.
func sides[R Row](t *testing.T, rows []R, stays int, part func(rows, left, right []R) int) []R {
	t.Helper()
	from := atEnd(t, rows)
	to := [2][]R{atEnd(t, make([]R, len(rows))), atEnd(t, make([]R, len(rows)))}
	if stays < 2 {
		to[stays] = from
	}
	n := part(from, to[0], to[1])
	return slices.Concat(to[0][:n], to[1][:len(rows)-n])
}

// parted returns the rows with those that go left first, and the number of these.
func parted[R Row, C Code](rows []R, codes []C, first, width uint32) (all []R, left int) {
	var right []R
	for _, r := range rows {
		if uint32(codes[uint64(r)>>BelowID[R]()])-first < width {
			all = append(all, r)
		} else {
			right = append(right, r)
		}
	}
	return append(all, right...), len(all)
}

func checkPart[R Row, C Code](t *testing.T, rows []R, codes []C, first, width uint32) {
	t.Helper()
	want, wanted := parted(rows, codes, first, width)
	if got := sides(t, rows, len(rows)%3, func(rows, left, right []R) int {
		return PartByID(rows, left, right, atEnd(t, codes), first, width)
	}); !slices.Equal(got, want) {
		t.Fatalf("%d rows, %d codes from %d on: %x, want %d on the left, %x", len(rows), width, first, got, wanted, want)
	}
}
