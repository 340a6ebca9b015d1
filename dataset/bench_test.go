package dataset

import (
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// columnsOf writes n rows of p columns made by cell, and a label.
func columnsOf(n, p int, cell func(r *rand.Rand, j int) string) string {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var b strings.Builder
	for j := range p {
		b.WriteString("x" + strconv.Itoa(j) + ",")
	}
	b.WriteString("y\n")
	for i := range n {
		for j := range p {
			b.WriteString(cell(r, j) + ",")
		}
		b.WriteString(string("ab"[i%2]) + "\n")
	}
	return b.String()
}

// benchmarkText calls bench with columns to train on, by what stands in their cells.
func benchmarkText(b *testing.B, bench func(b *testing.B, text string)) {
	number := func(v float64) string { return string(csvtext.AppendNumber(nil, v)) }
	for _, tc := range []struct {
		name string
		cell func(r *rand.Rand, j int) string
	}{
		{"few values", func(r *rand.Rand, _ int) string { return strconv.Itoa(r.IntN(100)) }},
		{"cents", func(r *rand.Rand, _ int) string { return number(round(r.ExpFloat64()*50, 100)) }},
		{"six digits", func(r *rand.Rand, _ int) string { return number(round(r.Float64(), 1e6)) }},
		{"all different", func(r *rand.Rand, _ int) string { return number(r.NormFloat64()) }},
		{"categories", func(r *rand.Rand, _ int) string { return "level " + strconv.Itoa(r.IntN(50)) }},
	} {
		text := columnsOf(200_000, 10, tc.cell)
		b.Run(tc.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			bench(b, text)
		})
	}
}

// BenchmarkReadCSV reads a whole file.
func BenchmarkReadCSV(b *testing.B) {
	benchmarkText(b, func(b *testing.B, text string) {
		for b.Loop() {
			if _, err := ReadCSV(io.Reader(strings.NewReader(text)), "in.csv", Options{Target: "y"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkParse is what one core does of it before the columns are coded and looked at.
func BenchmarkParse(b *testing.B) {
	benchmarkText(b, func(b *testing.B, text string) {
		for b.Loop() {
			o := Options{Target: "y", Workers: 1}
			s, err := openCSV(strings.NewReader(text), "in.csv", &o)
			if err != nil {
				b.Fatal(err)
			}
			tr, err := newTraining(newTable(s), &o)
			if err != nil {
				b.Fatal(err)
			}
			if err := tr.read(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
