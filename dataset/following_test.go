package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Which features are said to follow the time: of 120 rows, ten of each month of a year from July on, in no order.
// What is no more than some rows of the last month, comes back or is a date, does not, or is told of otherwise.
func TestFollowing(t *testing.T) {
	for _, tc := range []struct {
		name string
		cell func(month, i int) string // month from 0
		want bool
	}{
		{"years", func(m, _ int) string { return fmt.Sprint(2023 + m/6) }, true},
		{"years, some missing", func(m, i int) string { return strings.Repeat(fmt.Sprint(2023+m/6), min(i%11, 1)) }, true},
		{"quarters on end", func(m, _ int) string { return fmt.Sprint(m / 3) }, true},
		{"falling", func(m, _ int) string { return fmt.Sprint(100 - m) }, true},
		{"finer than the time", func(m, i int) string { return fmt.Sprint(30*m + i%30) }, true},
		{"finer, falling", func(m, i int) string { return fmt.Sprint(1000 - 30*m - i%30) }, true},
		{"editions", func(m, _ int) string { return []string{"first", "third", "second"}[m/4] }, true},
		{"months of the year", func(m, _ int) string { return fmt.Sprint(1 + (m+6)%12) }, false},
		{"an edition that comes back", func(m, _ int) string { return []string{"first", "third", "second", "first"}[m/3] },
			false},
		{"two values", func(m, _ int) string { return fmt.Sprint(m / 6) }, false},
		{"other values in the last month", func(m, i int) string { return fmt.Sprint(max(0, m-10) * (i % 4)) }, false},
		{"dates", func(m, _ int) string { return fmt.Sprintf("2023-%02d-01", 1+m) }, false},
		{"measured", func(_, i int) string { return fmt.Sprint(i * 7 % 13) }, false},
	} {
		text := rowsOf("x,z,when,y", 120, func(i int) string {
			month := i * 7 % 12
			return fmt.Sprintf("%d,%s,%d-%02d,%s", i*5%17, tc.cell(month, i), 2023+month/6, 1+(month+6)%12, "abb"[i%3:i%3+1])
		})
		const want = `column "z" follows the time ("when"): each value is of one stretch of it, and later rows go on beyond what trees have seen; keep it only if new rows will have the same values again, else use --ignore z`
		f := mustRead(t, text, Options{Target: "y", Time: "when"})
		if got := slices.ContainsFunc(f.Warnings, func(w error) bool {
			return strings.HasSuffix(w.Error(),
				want)
		}); got != tc.want {
			t.Errorf("%s: %v, %v", tc.name, got, f.Warnings)
		}
		for _, w := range mustRead(t, text, Options{Target: "y", Ignore: []string{"when"}}).Warnings {
			if strings.Contains(w.Error(), "follow") {
				t.Errorf("%s, without a time: %v", tc.name, w)
			}
		}
	}
	if got := followingText([]string{"a", "b c"}, "t"); !strings.HasPrefix(got,
		`the columns "a", "b c" follow the time`) || !strings.Contains(got,
		"keep them only if new rows will have the same values again") || !strings.HasSuffix(got,
		`use --ignore a --ignore 'b c'`) {
		t.Error(got)
	}
}

// What is the next of the values of training is asked about as such, a code far off as a code.
func TestGrew(t *testing.T) {
	for _, tc := range []struct {
		low, high, v float64
		want         string // "" for a code
	}{
		{1994, 1995, 1996, "in training they went up to 1995; has it gone on growing with time? then train without it " +
			"(--ignore z)"},
		{1994, 1995, 1999, "in training they went up to 1995; has it gone on growing with time? then train without it " +
			"(--ignore z)"},
		{1, 24, 26, "in training they went up to 24; has it gone on growing with time? then train without it (--ignore z); " +
			"or is it a code for a missing value?"},
		{1, 24, 999, ""},
		{1994, 1995, -1, ""},
		{1994, 1995, 9999, ""},
	} {
		b := Baselines{}
		values, now := make([]float64, 200), make([]float64, 200)
		for i := range values {
			values[i], now[i] = tc.low+float64(i%int(tc.high-tc.low+1)), tc.v
		}
		frame := func(values []float64) *Frame {
			return &Frame{Classes: []string{"a", "b"}, Truth: make([]int, len(values)),
				Columns: []Column{{Field: Field{Name: "z"}, Values: values}}}
		}
		b.Add(frame(values))
		schema := b.In(frame(values).Schema())
		d := schema[0].drift(&cells{sampled: now, beyond: beyond{values: 200, above: 200}, known: 200, rows: 200}, 1)
		if d == nil || tc.want != "" && !strings.HasSuffix(d.Text, tc.want) || strings.Contains(d.Text,
			"growing") != (tc.want != "") {
			t.Errorf("%+v: %v", tc, d)
		}
	}
}
