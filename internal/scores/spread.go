package scores

import (
	"errors"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// countColumn says how many rows a line stands for.
const countColumn = "count"

// FrameOf returns the votes that can be judged as a frame with a column for each class, and one for the rows that a
// line stands for.
func FrameOf(t *vote.Table) *dataset.Frame {
	var judged []int
	for i := range t.Judged() {
		judged = append(judged, i)
	}
	t = t.Take(judged)
	f := &dataset.Frame{Classes: t.Classes, Truth: t.Truth, Weight: t.Weight}
	k := len(t.Classes)
	for c, name := range append(slices.Clone(t.Classes), countColumn) {
		values := make([]float64, t.Rows())
		for i := range values {
			if values[i] = float64(t.TimesOf(i)); c < k {
				values[i] = float64(t.Votes(i)[c])
			}
		}
		f.Columns = append(f.Columns, dataset.Column{Field: dataset.Field{Name: name}, Values: values})
	}
	return f
}

// mostSpread is how many rows lines that stand for several become.
const mostSpread = 1 << 20

// Spread returns the rows that the lines of a frame stand for, by their column count: the frame itself without such
// a column. Weights are sums over these rows; without weights they are the counts. Of more rows than can be held
// some are taken as one, of their weight.
func Spread(f *dataset.Frame, name string) (*dataset.Frame, error) {
	at := slices.IndexFunc(f.Columns, func(c dataset.Column) bool { return c.Name == countColumn })
	if at < 0 || slices.Contains(f.Classes, countColumn) {
		return f, nil
	}
	total := 0.0
	for i := range f.Rows() {
		n := f.Columns[at].At(i)
		if total += n; !(n >= 1) || n != math.Trunc(n) || total > 1<<53 {
			return nil, &dataset.ParseError{File: name, Field: countColumn,
				Err: errors.New("these are no numbers of rows; write how many rows each line stands for, 1 or more, or have the " +
					"column ignored")}
		}
	}
	step := math.Ceil(total / mostSpread)
	var lines []int
	var weights []float64
	for i := range f.Rows() {
		n := f.Columns[at].At(i)
		each := 1.0
		if f.Weight != nil {
			each = f.Weight[i] / n
		}
		for left := n; left > 0; left -= step {
			lines, weights = append(lines, i), append(weights, float64(each*min(step, left)))
		}
	}
	counted := f.Weight == nil || slices.IndexFunc(weights, func(w float64) bool { return w != 1 }) < 0
	out := f.Take(lines)
	out.Columns = slices.Delete(slices.Clone(out.Columns), at, at+1)
	if out.Weight = weights; counted && step == 1 {
		out.Weight = nil
	}
	return out, nil
}
