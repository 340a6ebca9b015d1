package vote_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// anyTable draws a table of few different rows, of every sort.
func anyTable(rng *rand.Rand, weights ...float64) *vote.Table {
	k, n := 2+rng.IntN(3), 1+rng.IntN(200)
	t := &vote.Table{Classes: []string{"a", "b", "c", "d"}[:k], Source: vote.OOB, Trees: 2}
	weighted, amounts := rng.IntN(3), rng.IntN(2) == 0
	for range n {
		t.Truth = append(t.Truth, rng.IntN(k+1)-1)
		for range k {
			t.Counts = append(t.Counts, uint32(rng.IntN(2)))
		}
		if weighted > 0 {
			t.Weight = append(t.Weight, weights[rng.IntN(2+(len(weights)-2)*(weighted-1))])
		}
		if amounts {
			t.Amount = append(t.Amount, float64(rng.IntN(3)))
		}
	}
	return t
}

// parts deals the rows of a table out.
func parts(rng *rand.Rand, t *vote.Table, n int) []*vote.Histogram {
	var list []*vote.Histogram
	rows := make([][]int, n)
	for _, i := range rng.Perm(t.Rows()) {
		part := rng.IntN(n)
		rows[part] = append(rows[part], i)
	}
	for _, part := range rows {
		h := vote.NewHistogram(len(t.Classes))
		h.AddTable(t.Take(part))
		list = append(list, h)
	}
	return list
}

func bytesOf(t *testing.T, h *vote.Histogram) []byte {
	t.Helper()
	b, err := h.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Tables of any parts of the rows, merged in any order, in steps, and stored in between, are that of all rows, byte
// for byte: adding up is commutative and associative.
func TestCondensedPartsAddUp(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 83))
		table := anyTable(rng, 0, 1, 0.1, 1e-3, 700)
		k := len(table.Classes)
		whole := vote.NewHistogram(k)
		whole.AddTable(table)
		want := bytesOf(t, whole)
		for _, n := range []int{1, 2, 7, 64} {
			list := parts(rng, table, n)
			for len(list) > 1 { // any two become one
				i := rng.IntN(len(list))
				a := list[i]
				list = append(list[:i], list[i+1:]...)
				j := rng.IntN(len(list))
				if rng.IntN(2) == 0 {
					var err error
					if a, err = vote.DecodeHistogram(bytesOf(t, a), k); err != nil {
						t.Fatal(err)
					}
				}
				list[j].Merge(a)
			}
			if !bytes.Equal(bytesOf(t, list[0]), want) {
				t.Fatalf("seed %d: %d parts make other bytes", seed, n)
			}
			if diff := cmp.Diff(list[0].Table(table), table.Condense()); diff != "" {
				t.Fatalf("seed %d: (-merged +condensed)\n%s", seed, diff)
			}
		}
	}
}

// A condensed table says what the table says.
func TestCondenseLosesNothing(t *testing.T) {
	staked := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 0}, Counts: []uint32{1, 2, 1, 2},
		Weight: []float64{5, 7}, Count: []float64{1, 1}}
	if got := staked.Condense(); !slices.Equal(got.Count, staked.Count) {
		t.Errorf("rows of which each counts as one count as %v", got.Count)
	}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 84))
		table := anyTable(rng, 0, 1, 0.125, 700) // sums are exact
		short := table.Condense()
		if err := short.Check(); err != nil {
			t.Fatal(err)
		}
		if tables.Stands(short) != table.Rows() || short.Unvoted() != table.Unvoted() {
			t.Fatalf("seed %d: %d rows, %d unvoted; there were %d and %d", seed, tables.Stands(short), short.Unvoted(),
				table.Rows(), table.Unvoted())
		}
		if diff := cmp.Diff(short.Compress(), table.Compress()); diff != "" {
			t.Fatalf("seed %d: (-condensed +table)\n%s", seed, diff)
		}
		if diff := cmp.Diff(short.Condense(), short); diff != "" {
			t.Fatalf("seed %d: condensed twice (-twice +once)\n%s", seed, diff)
		}
		sums := map[float64]float64{}
		for i, a := range table.Amount {
			sums[a] += table.WeightOf(i)
		}
		for i, a := range short.Amount {
			sums[a] -= short.Weight[i]
		}
		for a, rest := range sums {
			if rest > 1e-5 || rest < -1e-5 {
				t.Fatalf("seed %d: weight of amount %v differs by %v", seed, a, rest)
			}
		}
	}
}

// A damaged histogram is an error, or the same votes in another form would be: then it is written as it was read.
func TestDecodeHistogramTrustsNothing(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 85))
		table := anyTable(rng, 0, 1, 0.1, 1e-3)
		k := len(table.Classes)
		h := vote.NewHistogram(k)
		h.AddTable(table)
		whole := bytesOf(t, h)
		for at := range whole {
			if _, err := vote.DecodeHistogram(whole[:at], k); !errors.Is(err, vote.ErrFormat) {
				t.Fatalf("seed %d, cut at %d: error %v", seed, at, err)
			}
			b := bytes.Clone(whole)
			b[at] ^= 1 << rng.IntN(8)
			if back, err := vote.DecodeHistogram(b, k); err == nil && !bytes.Equal(bytesOf(t, back), b) {
				t.Fatalf("seed %d, byte %d: read, and written otherwise", seed, at)
			}
		}
		if _, err := vote.DecodeHistogram(append(whole, 0), k); err == nil || !strings.Contains(err.Error(),
			"1 bytes after the last cell") {
			t.Errorf("a byte more: error %v", err)
		}
	}
}

// Rows of several cells, or files, never add up to fewer.
func TestDecodeHistogramOfTooManyRows(t *testing.T) {
	cell := func(b []byte, votes byte, rows uint64) []byte {
		b = binary.AppendUvarint(append(b, votes, 0, 1), rows)
		return append(binary.LittleEndian.AppendUint64(b, math.Float64bits(1)), make([]byte, 8)...)
	}
	for _, tc := range []struct {
		rows [2]uint64
		want string
	}{
		{[2]uint64{5, 1<<42 - 5}, ""},
		{[2]uint64{5, 1<<42 - 4}, "votes: cell 1 of 2: more rows than there can be"},
		{[2]uint64{1<<63 - 1, 1<<63 - 1}, "votes: cell 0 of 2: more rows than there can be"},
	} {
		b := cell(cell([]byte{0, 2}, 1, tc.rows[0]), 2, tc.rows[1])
		_, err := vote.DecodeHistogram(b, 2)
		if got := fmt.Sprint(err); err != nil && got != tc.want || err == nil && tc.want != "" {
			t.Errorf("%d rows: error %v, want %q", tc.rows, err, tc.want)
		}
	}
}

// What SELECT class, ill, well, count(*) ... GROUP BY gives is the table of all rows.
func TestCountsInCSV(t *testing.T) {
	long := "class,ill,well\nill,3,1\nwell,0,4\nwell,0,4\nill,3,1\nill,3,1\n,1,1\n"
	short := "class,ill,well,count\nill,3,1,3\nwell,0,4,2\n,1,1,1\n"
	a, err := vote.ReadCSV(strings.NewReader(long), "long.csv", vote.CSVOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := vote.ReadCSV(strings.NewReader(short), "short.csv", vote.CSVOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.Condense(), b.Condense()); diff != "" {
		t.Errorf("(-rows +counts)\n%s", diff)
	}
	var again strings.Builder
	if err := vote.WriteCSV(&again, b, ""); err != nil || again.String() != short {
		t.Errorf("written again (%v):\n%s", err, again.String())
	}
	weighed := "class,ill,well,weight,count\nill,3,1,2.5,3\nwell,0,4,2,2\n"
	c, err := vote.ReadCSV(strings.NewReader(weighed), "weighed.csv", vote.CSVOptions{})
	if err != nil || tables.Stands(c) != 5 || c.Weight[0] != 2.5 {
		t.Fatalf("%+v, error %v", c, err)
	}
	again.Reset()
	if err := vote.WriteCSV(&again, c, ""); err != nil || again.String() != weighed {
		t.Errorf("written again (%v):\n%s", err, again.String())
	}
	if c, err = vote.ReadCSV(strings.NewReader("class,ill,well,weight\nill,3,1,3\n"), "v.csv",
		vote.CSVOptions{Count: "weight"}); err != nil || tables.Stands(c) != 3 {
		t.Errorf("a count that is called weight: %+v, error %v", c, err)
	}
	for _, cell := range []string{"0", "-1", "2.5", "x", ""} {
		_, err := vote.ReadCSV(strings.NewReader("class,ill,well,count\nill,1,2,"+cell+"\n"), "v.csv", vote.CSVOptions{})
		if err == nil || !strings.Contains(err.Error(),
			"is no number of rows; write how many rows the line stands for, 1 or more") || !strings.HasPrefix(err.Error(),
			"v.csv:2:") {
			t.Errorf("%q: error %v", cell, err)
		}
	}
	if d, err := vote.ReadCSV(strings.NewReader(short), "v.csv", vote.CSVOptions{Ignore: []string{"count"}}); err != nil ||
		d.Times != nil {
		t.Errorf("count ignored: %+v, error %v", d, err)
	}
}
