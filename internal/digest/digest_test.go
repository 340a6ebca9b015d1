package digest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// Rows dealt out to any parts add up to the digest of them all, whatever the form of the columns.
func TestDigestAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	frame := dataset.Fraud(300, 2)
	frame.Weight = make([]float64, 300)
	for i := range frame.Weight {
		frame.Weight[i] = rng.Float64()
	}
	whole := Of(frame, nil)
	for _, parts := range []int{1, 2, 7, 64, 400} {
		var sum Digest
		for _, part := range rng.Perm(parts) {
			var rows []int
			var ids []uint32
			for i := range frame.Rows() {
				if i%parts == part {
					rows, ids = append(rows, i), append(ids, uint32(i))
				}
			}
			sum.Add(Of(frame.Take(rows), ids))
		}
		if sum != whole {
			t.Errorf("%d parts add up to %x, the whole has %x", parts, sum, whole)
		}
	}
}

// By hand: what a part of the sum cannot hold goes to the next one, and is lost at the last.
func TestDigestCarries(t *testing.T) {
	const most = math.MaxUint64
	d := Digest{most, most, 5, most}
	if d.Add(Digest{1, 0, 7, 1}); d != (Digest{0, 0, 13, 0}) {
		t.Errorf("the sum is %d", d)
	}
}

// Whatever a row says is in the digest, and so is its id.
func TestDigestTellsRowsApart(t *testing.T) {
	whole := Of(dataset.Fraud(50, 1), nil)
	for name, change := range map[string]func(*dataset.Frame){
		"a cell":           func(f *dataset.Frame) { f.Columns[0].Values[17]++ },
		"a missing cell":   func(f *dataset.Frame) { f.Columns[0].Values[17] = math.NaN() },
		"a label":          func(f *dataset.Frame) { f.Truth[3] = 1 - f.Truth[3] },
		"no label":         func(f *dataset.Frame) { f.Truth[3] = -1 },
		"a weight":         func(f *dataset.Frame) { f.Weight = make([]float64, 50) },
		"a row less":       func(f *dataset.Frame) { *f = *f.Take([]int{0, 1, 2}) },
		"two rows swapped": func(f *dataset.Frame) { *f = *f.Take(append([]int{1, 0}, upToFrom(2, 50)...)) },
	} {
		frame := dataset.Fraud(50, 1)
		change(frame)
		if Of(frame, nil) == whole {
			t.Errorf("%s: the same digest", name)
		}
	}
	gap, other := dataset.Fraud(50, 1), dataset.Fraud(50, 1)
	gap.Columns[0].Values[3] = math.NaN()
	other.Columns[0].Values[3] = math.Float64frombits(0x7ff8000000000abc)
	if Of(gap, nil) != Of(other, nil) {
		t.Error("two patterns of a missing cell have different digests")
	}
}

func upToFrom(from, to int) []int {
	var rows []int
	for i := from; i < to; i++ {
		rows = append(rows, i)
	}
	return rows
}

func BenchmarkDigest(b *testing.B) {
	frame := dataset.Fraud(20_000, 1)
	for b.Loop() {
		Of(frame, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_000, "ns/row")
}
