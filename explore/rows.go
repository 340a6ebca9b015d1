package explore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/report"
)

// column is a feature, as the page offers it.
type column struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels,omitempty"` // none of a number
}

func columnsOf(f *dataset.Frame) []column {
	var out []column
	for _, c := range f.Columns {
		out = append(out, column{c.Name, c.Levels})
	}
	return out
}

// slice is what becomes of the rows that have something in common in a column.
type slice struct {
	Name    string  `json:"name"`
	Rows    float64 `json:"rows"`    // by their weight
	Support float64 `json:"support"` // those of the class
	Named   float64 `json:"named"`   // those decided as the class
	figures
}

// mostLevels is how many levels of a column have a line of their own; the others share one.
const mostLevels = 12

// slices tells of a class for each part of the rows, by a column. A row is decided by its own votes.
func (h *Handler) slices(ctx context.Context, r *http.Request) (any, error) {
	q := r.URL.Query()
	setting := h.settingOf(q)
	tuning, err := h.find(ctx, &setting, false)
	if err != nil {
		return nil, err
	}
	class := slices.Index(h.table.Classes, q.Get("class"))
	if class < 0 {
		return nil, nearest.Unknown("class", q.Get("class"), h.table.Classes)
	}
	if h.votes.Frame == nil {
		return nil, errors.New("there are votes alone, and no columns")
	}
	at := slices.IndexFunc(h.columns, func(c column) bool { return c.Name == q.Get("column") })
	if at < 0 {
		return nil, fmt.Errorf("there is no column %s", english.Quote(q.Get("column")))
	}
	out := []slice{}
	for _, part := range parted(&h.votes.Frame.Columns[at], h.votes.Table.Rows()) {
		t := h.votes.Table.Take(part.rows)
		m := t.Confuse(tuning.Found.Weights)
		if m.Total() == 0 {
			continue
		}
		out = append(out, slice{Name: part.name, Rows: m.Total(), Support: m.True(class), Named: m.Predicted(class),
			figures: figuresOf(t, tuning.Found.Weights)[class]})
	}
	return out, ctx.Err()
}

// part is rows that have something in common.
type part struct {
	name string
	rows []int
}

// parted divides n rows by a column: by its levels, the most frequent first, or a number into quarters.
func parted(c *dataset.Column, n int) []part {
	var cuts, sorted []float64
	for i := range n {
		if v := c.At(i); !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	for q := 1; q < 4 && len(sorted) > 0; q++ {
		cuts = append(cuts, sorted[q*(len(sorted)-1)/4])
	}
	cuts = slices.Compact(cuts)
	rows := map[string][]int{}
	var names []string
	for i := range n {
		name := partOf(c, c.At(i), cuts)
		if rows[name] == nil {
			names = append(names, name)
		}
		rows[name] = append(rows[name], i)
	}
	if c.Kind == dataset.Categorical {
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(rows[b]), len(rows[a])), cmp.Compare(a, b))
		})
	} else {
		least := func(name string) float64 {
			v := c.At(rows[name][0])
			if math.IsNaN(v) {
				return math.Inf(1)
			}
			return v
		}
		slices.SortFunc(names, func(a, b string) int { return cmp.Compare(least(a), least(b)) })
	}
	var parts []part
	for at, name := range names {
		if at < mostLevels || len(names) == mostLevels+1 {
			parts = append(parts, part{name, rows[name]})
			continue
		}
		if at == mostLevels {
			parts = append(parts, part{name: fmt.Sprintf("%d others", len(names)-mostLevels)})
		}
		last := &parts[len(parts)-1]
		last.rows = append(last.rows, rows[name]...)
	}
	return parts
}

// partOf names the part of the rows that a cell belongs to.
func partOf(c *dataset.Column, v float64, cuts []float64) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case c.Kind == dataset.Categorical:
		return c.Text(v)
	case len(cuts) == 0:
		return "all"
	}
	at := 0
	for at < len(cuts) && v > cuts[at] {
		at++
	}
	switch at {
	case 0:
		return "up to " + c.Text(cuts[0])
	case len(cuts):
		return "above " + c.Text(cuts[len(cuts)-1])
	}
	return "above " + c.Text(cuts[at-1]) + " to " + c.Text(cuts[at])
}

// edited asks for a row with other cells.
type edited struct {
	Row   int               `json:"row"`   // its number, counted from 1
	Class string            `json:"class"` // that reasons are given for; "" is the decision
	Cells map[string]string `json:"cells"` // what is changed, as text; "" is missing
}

// decided is what becomes of a row.
type decided struct {
	Row           int               `json:"row"`
	Truth         string            `json:"truth"`    // its class, as the data say
	Decision      string            `json:"decision"` // under the weights of the setting
	Probabilities []float64         `json:"probabilities"`
	Votes         []float64         `json:"votes"`
	Cells         []cell            `json:"cells"`
	Reasons       []rfpragma.Reason `json:"reasons"`
	Parts         *report.Waterfall `json:"parts"` // of the votes for the class; null where they cannot be split
	Warnings      []string          `json:"warnings"`
}

// cell is a cell of a row.
type cell struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Was   string `json:"was"` // in the data
}

// row decides a row, with other cells where they are given, under the weights of a setting, and says why.
func (h *Handler) row(ctx context.Context, r *http.Request) (any, error) {
	var in edited
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, fmt.Errorf("what is asked of a row is no JSON: %w", err)
	}
	f, model := h.votes.Frame, h.votes.Model
	if f == nil || model == nil {
		return nil, errors.New("there are votes alone, and no rows")
	}
	n := h.votes.Table.Rows()
	if in.Row < 1 || in.Row > n {
		return nil, fmt.Errorf("there is no row %d; write a number from 1 to %d", in.Row, n)
	}
	setting := h.settingOf(r.URL.Query())
	tuning, err := h.find(ctx, &setting, false)
	if err != nil {
		return nil, err
	}
	if model, err = model.WithWeights(tuning.Found.Weights); err != nil {
		return nil, err
	}
	out := decided{Row: in.Row, Warnings: []string{}}
	if c := f.Truth[in.Row-1]; c >= 0 {
		out.Truth = f.Classes[c]
	}
	cells := map[string]any{}
	for j := range f.Columns {
		c := &f.Columns[j]
		one := cell{Name: c.Name, Was: c.Text(c.At(in.Row - 1))}
		one.Value = one.Was
		if text, is := in.Cells[c.Name]; is {
			one.Value = text
		}
		cells[c.Name] = one.Value
		out.Cells = append(out.Cells, one)
	}
	x, warnings, err := model.Row(cells)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		out.Warnings = append(out.Warnings, w.Error())
	}
	p, err := model.Predict(x)
	if err != nil {
		return nil, err
	}
	out.Decision, out.Probabilities, out.Votes = p.Class, p.Probabilities, p.Votes
	class := cmp.Or(in.Class, p.Class)
	if out.Reasons, err = model.Reasons(x, class, mostReasons); err != nil {
		return nil, err
	}
	out.Parts, err = h.split(ctx, x, slices.Index(model.Classes(), class))
	return out, err
}

// mostReasons is how many cells are told that a decision rests on.
const mostReasons = 5
