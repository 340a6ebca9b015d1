package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
)

// following returns those of the named features that only grow, or only fall, from one time to the next, or have
// categories of one stretch of time each.
func (f *Frame) following(among []string) []string {
	if f.Time == nil || f.Rows() < fewestToName {
		return nil
	}
	times, err := f.Time.times()
	if err != nil {
		return nil
	}
	order := make([]int, len(times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(times[i], times[k]) })
	var names []string
	for j := range f.Columns {
		if slices.Contains(among, f.Columns[j].Name) && f.Columns[j].follows(times, order) {
			names = append(names, f.Columns[j].Name)
		}
	}
	return names
}

// follows tells whether that is so of a column, of rows in the order of their times. Categories are put into the
// order in which they first come.
func (c *Column) follows(times []float64, order []int) bool {
	value, place := c.At, map[float64]float64{}
	if c.Kind == Categorical {
		value = func(i int) float64 {
			v := c.At(i)
			if _, ok := place[v]; v == v && !ok {
				place[v] = float64(len(place))
			}
			if v == v {
				v = place[v]
			}
			return v
		}
	}
	var rises, falls walk
	for from := 0; from < len(order) && (!rises.back || !falls.back); {
		low, high, known, to := math.Inf(1), math.Inf(-1), 0, from
		for ; to < len(order) && times[order[to]] == times[order[from]]; to++ {
			if v := value(order[to]); v == v {
				low, high, known = min(low, v), max(high, v), known+1
			}
		}
		if from = to; known == 0 {
			continue
		}
		rises.stretch(low, high, known, 1)
		falls.stretch(high, low, known, -1)
	}
	return rises.goes(len(order)) || falls.goes(len(order))
}

// stretch walks on to the values of so many rows of one time, from the first to the last on the way up or down.
func (w *walk) stretch(first, last float64, rows int, way float64) {
	if w.way = way; w.back {
		return
	}
	if first == last {
		w.step(first, rows)
		return
	}
	w.step(first, 1)
	w.step(last, rows-1)
}

// goes tells whether the values of so many rows go with the time: as those do in whose order rows stand, and none is
// in nearly all rows.
func (w *walk) goes(rows int) bool { return w.grows(rows) && 10*w.most <= 9*rows }

// followingText says of features that follow the time what later rows make of them; "" of none.
func followingText(columns []string, time string) string {
	n := len(columns)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s the time (%s): each value is of one stretch of it, and later rows go on beyond what trees "+
		"have seen; keep %s only if new rows will have the same values again, else use %s",
		columnsNamed(columns), english.Verb(n, "follows", "follow"), english.Quote(time), english.Verb(n, "it", "them"),
		ignoring(columns))
}
