// Package shap finds what a page shows of the parts that package explain splits votes into: which columns move the
// votes of many rows, and by which cells single rows get theirs.
package shap

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/vote"
)

const (
	mostBackground = 1000 // rows that say what is usual
	mostRows       = 300  // rows that are drawn, of a model that is not large,
	fewestRows     = 50   // and of any other
	mostStrips     = 10   // columns that are drawn
	mostColumns    = 100  // columns that are told of
	mostCells      = 9    // cells of a row that are told of
	mostOfOutcome  = 4    // rows of each outcome

	// A row takes some 20 nanoseconds for each node of the model. So of a large one fewer rows are drawn, for work of a
	// few seconds at most; and of a huge one none, as what is prepared takes six times the memory of the forest.
	mostWork  = 150_000_000
	mostNodes = 20_000_000
)

// The outcomes of the rows that are told of one by one.
const (
	alarmRight = "alarm, right"
	alarmFalse = "false alarm"
	missed     = "missed"
)

// Rows are rows that a model has decided.
type Rows struct {
	Frame   *dataset.Frame
	Votes   *vote.Table       // of the rows of Frame
	Decided func(row int) int // which class a row is decided as
	Workers int               // 0 means GOMAXPROCS; it changes nothing that is found
}

// Explainer splits the votes for a class into parts. What is usual are these rows, or of many a sample. It returns nil
// for a model whose votes cannot be split, or without rows.
//
// Errors: those of [dataset.Schema.Conform]; that of ctx.
func Explainer(ctx context.Context, m *rfpragma.Model, rows *Rows, class int) (*explain.Explainer, error) {
	if m.Forest.Nodes() > mostNodes {
		return nil, nil
	}
	background, weights := rows.sample(rows.known(), class, mostBackground)
	frame := rows.Frame.Take(background)
	frame.Weight = weights
	e, err := explain.New(ctx, m, frame, explain.Options{Class: m.Classes()[class], Workers: rows.Workers})
	if errors.Is(err, forest.ErrConfig) || errors.Is(err, forest.ErrTrain) {
		return nil, nil
	}
	return e, err
}

// Of finds what a page shows of the votes for a class; nil where there is nothing to show.
//
// Errors: those of [Explainer].
func Of(ctx context.Context, m *rfpragma.Model, rows *Rows, class int) (*report.Parts, error) {
	e, err := Explainer(ctx, m, rows, class)
	if e == nil || err != nil {
		return nil, err
	}
	n := min(max(mostWork/m.Forest.Nodes(), fewestRows), mostRows)
	drawn, weights := rows.sample(rows.known(), class, n)
	examples := rows.examples(class)
	frame, err := m.Forest.Schema.Conform(rows.Frame.Take(slices.Concat(drawn, examples)))
	if err != nil {
		return nil, err
	}
	parts, err := e.Rows(ctx, frame)
	if err != nil {
		return nil, err
	}
	out := &report.Parts{Class: m.Classes()[class], Base: e.Base, Rows: len(drawn), Examples: []report.Example{},
		Columns: columnParts(frame, parts[:len(drawn)], weights)}
	if len(out.Columns) == 0 {
		return nil, nil
	}
	for i, row := range examples {
		at := len(drawn) + i
		one := report.Example{Row: row + 1, Outcome: rows.outcome(class, row),
			Waterfall: Waterfall(m.Forest.Schema, e.Base, parts[at], func(j int) string {
				return frame.Columns[j].Text(frame.Columns[j].At(at))
			})}
		if rows.Frame.Number != nil {
			one.Row = rows.Frame.Number[row]
		}
		out.Examples = append(out.Examples, one)
	}
	return out, nil
}

// Waterfall leads from base to the share of the votes of a row, whose columns add parts to it. Text is that of a cell.
func Waterfall(schema dataset.Schema, base float64, parts []float64, text func(column int) string) report.Waterfall {
	order := make([]int, 0, len(parts))
	for j, part := range parts {
		if part != 0 {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(parts[b]), math.Abs(parts[a])) })
	w := report.Waterfall{Base: base, Cells: []report.CellPart{}, Columns: len(parts)}
	var others, share portable.Sum
	share.Add(base)
	for i, j := range order {
		if share.Add(parts[j]); i >= mostCells {
			others.Add(parts[j])
			continue
		}
		w.Cells = append(w.Cells, report.CellPart{Column: schema[j].Name, Value: text(j), Part: parts[j]})
	}
	w.Columns -= len(w.Cells)
	w.Others, w.Share = others.Value(), share.Value()
	return w
}

// known are the rows whose class is known and whose weight is above 0.
func (r *Rows) known() []int {
	var out []int
	for i, truth := range r.Votes.Truth {
		if truth >= 0 && r.Frame.WeightOf(i) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// sample picks at most so many of the rows, evenly, and has them weigh as much as all. Of the rarer of the class and
// the others it takes a tenth at least, if there are as many, so that both are seen.
func (r *Rows) sample(rows []int, class, most int) (picked []int, weights []float64) {
	var own, others []int
	for _, i := range rows {
		if r.Votes.Truth[i] == class {
			own = append(own, i)
		} else {
			others = append(others, i)
		}
	}
	nOwn, nOthers := len(own), len(others)
	if n := nOwn + nOthers; n > most {
		least := most / 10
		nOwn = max(int(math.Round(float64(most)*float64(len(own))/float64(n))), min(len(own), least))
		nOwn = min(nOwn, most-min(len(others), least))
		nOthers = most - nOwn
	}
	for _, of := range []struct {
		rows []int
		n    int
	}{{own, nOwn}, {others, nOthers}} {
		for k := range of.n {
			i := of.rows[(2*k+1)*len(of.rows)/(2*of.n)]
			picked = append(picked, i)
			weights = append(weights, float64(r.Frame.WeightOf(i)*float64(len(of.rows)))/float64(of.n))
		}
	}
	return picked, weights
}

// outcome says what became of a row; "" for one that is neither of the class nor decided as it.
func (r *Rows) outcome(class, row int) string {
	own, alarm := r.Votes.Truth[row] == class, r.Decided(row) == class
	switch {
	case own && alarm:
		return alarmRight
	case alarm:
		return alarmFalse
	case own:
		return missed
	}
	return ""
}

// examples are rows of each outcome with the most votes for the class: the strongest alarms, and those that were missed
// most nearly.
func (r *Rows) examples(class int) []int {
	of := map[string][]int{}
	for _, row := range r.known() {
		outcome := r.outcome(class, row)
		of[outcome] = append(of[outcome], row)
	}
	var out []int
	for _, outcome := range []string{alarmRight, alarmFalse, missed} {
		rows := of[outcome]
		slices.SortStableFunc(rows, func(a, b int) int {
			return cmp.Compare(r.Votes.Votes(b)[class], r.Votes.Votes(a)[class])
		})
		out = append(out, rows[:min(len(rows), mostOfOutcome)]...)
	}
	return out
}

// columnParts sums up what each column adds to rows that weigh so much, and takes those of which that is most.
func columnParts(frame *dataset.Frame, parts [][]float64, weights []float64) []report.ColumnParts {
	var all, weight portable.Sum
	sums := make([]portable.Sum, len(frame.Columns))
	for i, row := range parts {
		weight.Add(weights[i])
		for j, part := range row {
			sums[j].Add(float64(weights[i] * math.Abs(part)))
		}
	}
	means, order := make([]float64, len(sums)), []int{}
	for j := range sums {
		if means[j] = sums[j].Value() / weight.Value(); means[j] > 0 {
			order = append(order, j)
		}
		all.Add(means[j])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[b], means[a]) })
	out := make([]report.ColumnParts, min(len(order), mostColumns))
	for i, j := range order[:len(out)] {
		out[i] = report.ColumnParts{Name: frame.Columns[j].Name, Mean: means[j], Share: means[j] / all.Value()}
		if i >= mostStrips {
			continue
		}
		for _, row := range parts {
			out[i].Parts = append(out[i].Parts, report.Number(row[j]))
		}
		out[i].Places = places(&frame.Columns[j], len(parts))
	}
	return out
}

// places says how high the cells of the first n rows are among each other, see [report.ColumnParts]. Equal cells have
// one place, in the middle of theirs.
func places(c *dataset.Column, n int) []int {
	out := make([]int, n)
	var rows []int
	for i := range n {
		if out[i] = -1; c.Kind != dataset.Categorical && !math.IsNaN(c.At(i)) {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(c.At(a), c.At(b)) })
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && c.At(rows[to]) == c.At(rows[from]) {
			to++
		}
		place := 50
		if len(rows) > to-from {
			place = int(math.Round(50 * float64(from+to-1) / float64(len(rows)-1)))
		}
		for _, i := range rows[from:to] {
			out[i] = place
		}
		from = to
	}
	return out
}
