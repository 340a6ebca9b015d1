package vote

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrFormat is wrapped by every error about bytes that are not a histogram.
var ErrFormat = errors.New("votes")

// AppendBinary appends h to b. Equal histograms give the same bytes, however their rows were divided and
// merged. Integers without a size are unsigned varints, those of 8 bytes little-endian:
//
//	uint8                             1 if there are amounts
//	cells
//	of each, in the order of votes, class, weight or none, and amount:
//	  votes × k
//	  class + 1
//	  rows
//	  float64 × 2                     sum of their weights, and its rounding error
//	  float64                         amount, if there are amounts
//
// The number of classes is not included: whoever keeps the histogram keeps their names.
func (h *Histogram) AppendBinary(b []byte) ([]byte, error) {
	le := binary.LittleEndian
	amounts := byte(0)
	if h.amounts != nil {
		amounts = 1
	}
	b = binary.AppendUvarint(append(b, amounts), uint64(len(h.truth)))
	for _, i := range h.order(nil) {
		for _, v := range h.votes(i) {
			b = binary.AppendUvarint(b, uint64(v))
		}
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(h.truth[i]+1)), uint64(h.times[i]))
		sum, rest := twoSum(h.sums[i], h.rests[i])
		b = le.AppendUint64(le.AppendUint64(b, math.Float64bits(sum)), math.Float64bits(rest))
		if amounts == 1 {
			b = le.AppendUint64(b, math.Float64bits(h.amounts[i]))
		}
	}
	return b, nil
}

// twoSum returns the sum of two numbers and what rounding took away from it (Knuth, TAOCP 2, 4.2.2, theorem B).
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	part := sum - a
	return sum, (a - (sum - part)) + (b - part) + 0 // no -0
}

// DecodeHistogram reads what AppendBinary wrote for a histogram of k classes. It trusts nothing: it allocates
// no more than there are bytes for, and accepts only what AppendBinary would write. Errors wrap [ErrFormat].
func DecodeHistogram(b []byte, k int) (*Histogram, error) {
	r := &cellReader{b: b}
	h := NewHistogram(k)
	amounts := r.int()
	cells := r.int()
	if r.short || amounts > 1 || cells > len(r.b)/(k+18) {
		return nil, fmt.Errorf("%w: a count of %d cells does not fit into %d bytes", ErrFormat, cells, len(b))
	}
	h.byAmount(amounts == 1)
	last := key{}
	rows := int64(0)
	for i := range cells {
		at, times, sum, rest := r.cell(k, amounts == 1)
		fault := wrongCell(at, times, sum, rest, k)
		if rows += min(int64(times), mostRows+1); rows > mostRows {
			fault = "more rows than there can be"
		}
		if r.short || fault != "" {
			return nil, fmt.Errorf("%w: cell %d of %d: %s", ErrFormat, i, cells, fault)
		}
		if i > 0 && last.compare(at) >= 0 {
			return nil, fmt.Errorf("%w: cell %d of %d is not above the one before", ErrFormat, i, cells)
		}
		c := h.cell(at)
		h.times[c], h.sums[c], h.rests[c] = times, sum, rest
		last = at
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("%w: %d bytes after the last cell", ErrFormat, len(r.b))
	}
	return h, nil
}

// mostRows is how many rows the cells of a file may stand for, so that those of many files add up to a number.
const mostRows int64 = 1 << 42

// wrongCell says what cannot be in a cell, "" where nothing is wrong.
func wrongCell(at key, times int, sum, rest float64, k int) string {
	again, over := twoSum(sum, rest)
	switch {
	case Total(at.votes) > math.MaxUint32:
		return "too many votes"
	case at.truth >= k || times < 1:
		return fmt.Sprintf("class %d of %d, %d rows", at.truth, k, times)
	case !(sum >= 0) || math.IsInf(sum, 1) || again != sum || over != rest || math.Signbit(sum) || rest == 0 &&
		math.Signbit(rest):
		return fmt.Sprintf("weight %v and %v", sum, rest)
	case !(at.amount >= 0) || math.IsInf(at.amount, 1) || math.Signbit(at.amount):
		return fmt.Sprintf("amount %v", at.amount)
	}
	return ""
}

// cellReader takes numbers off the front of b. Reading past the end gives zeros and sets short.
type cellReader struct {
	b     []byte
	short bool
}

func (r *cellReader) cell(k int, amounts bool) (at key, times int, sum, rest float64) {
	at.votes = make([]uint32, k)
	for c := range at.votes {
		v := r.int()
		r.short = r.short || uint64(v) > math.MaxUint32
		at.votes[c] = uint32(v)
	}
	at.truth, times = r.int()-1, r.int()
	sum, rest = r.float64(), r.float64()
	at.idle = sum == 0
	if amounts {
		at.amount = r.float64()
	}
	return at, times, sum, rest
}

// int reads a varint in its shortest form.
func (r *cellReader) int() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > math.MaxInt || n > 1 && r.b[n-1] == 0 {
		r.b, r.short = nil, true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *cellReader) float64() float64 {
	if len(r.b) < 8 {
		r.b, r.short = nil, true
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.b))
	r.b = r.b[8:]
	return v
}
