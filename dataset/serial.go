package dataset

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// When rows are said to be in serial order: where they are so many, the labels come in a third as many runs as chance
// makes of them at most, which is fewer by so many standard deviations, and half of the columns of numbers go on from a
// row to the next one of its class, with a correlation of so much. Tables that somebody has put together by kind, as of
// cars by their maker, stay below that.
const (
	fewestSerial   = 100
	serialRuns     = 3
	serialErrors   = 8.0
	serialGoesOn   = 0.8
	serialDistinct = 10 // values that a column of numbers has at least
)

// serialText says that neighbouring rows are alike, as the readings of a sensor are: their labels and their features;
// "" where they are not, or rows are kept together or have a time. Rows that are only sorted by their class are not,
// nor are those sorted by one of many columns.
func (f *Frame) serialText() string {
	n, k := f.Rows(), len(f.Classes)
	if f.Time != nil || f.Group != nil || f.Truth == nil || n < fewestSerial || k < 2 {
		return ""
	}
	runs, expected, deviation := f.labelRuns()
	if runs <= 2*k || float64(serialRuns*runs) > expected || expected-float64(runs) < serialErrors*deviation {
		return ""
	}
	numbers, onward := 0, 0
	for j := range f.Columns {
		c := &f.Columns[j]
		if c.Kind != Numeric || c.Codes == nil || c.Codes.Distinct.Len() < serialDistinct {
			continue
		}
		numbers++
		if f.goesOn(c.Codes) {
			onward++
		}
	}
	if numbers == 0 || 2*onward < numbers || onward < min(numbers, 2) {
		return ""
	}
	return fmt.Sprintf(option.Text("neighbouring rows are alike: the labels come in %s, where chance makes about %.0f, "+
		"and %d of %s of numbers go on from row to row; if rows follow one another, as the readings of a sensor do, "+
		"out-of-bag votes and cross-validation judge rows by their neighbours, and flatter: add a column with the number "+
		"of the row, by which {time} judges later rows by earlier ones, or one with the number of a stretch of rows, "+
		"which {group} keeps together"), english.Plural(runs, "run"), expected, onward, english.Plural(numbers, "column"))
}

// labelRuns returns how many runs of one label there are, how many chance makes in the mean, and its standard
// deviation (Mood, The distribution theory of runs, 1940, for several kinds).
func (f *Frame) labelRuns() (runs int, expected, deviation float64) {
	rows, last, all := make([]float64, len(f.Classes)), -1, 0.0
	for _, c := range f.Truth {
		if c < 0 {
			continue
		}
		if c != last {
			runs++
		}
		rows[c]++
		all++
		last = c
	}
	squares, cubes := 0.0, 0.0
	for _, n := range rows {
		squares += float64(n * n)
		cubes += float64(n * n * n)
	}
	variance := float64(squares*(squares+float64(all*(all+1)))) - float64(2*all*cubes) - float64(all*all*all)
	return runs, 1 + (float64(all*all)-squares)/all, math.Sqrt(max(0, variance) / float64(all*all*(all-1)))
}

// goesOn tells whether a column goes on from each row to the next of the same class: whether its ranks, less the mean
// of their class, are correlated so.
func (f *Frame) goesOn(codes *Codes) bool {
	sum, rows := make([]float64, len(f.Classes)), make([]float64, len(f.Classes))
	for i, c := range f.Truth {
		if code := codes.at(i); c >= 0 && code > 0 {
			sum[c] += float64(code)
			rows[c]++
		}
	}
	off := func(i int) float64 {
		c := f.Truth[i]
		return float64(codes.at(i)) - sum[c]/rows[c]
	}
	both, first, second, pairs := 0.0, 0.0, 0.0, 0
	for i := 1; i < len(f.Truth); i++ {
		if c := f.Truth[i]; c < 0 || c != f.Truth[i-1] || codes.at(i) == 0 || codes.at(i-1) == 0 {
			continue
		}
		a, b := off(i-1), off(i)
		both, first, second, pairs = both+float64(a*b), first+float64(a*a), second+float64(b*b), pairs+1
	}
	return pairs >= fewestSerial/2 && both > serialGoesOn*math.Sqrt(first)*math.Sqrt(second)
}
