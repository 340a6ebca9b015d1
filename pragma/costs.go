package pragma

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Costs says what decisions cost, in any unit such as a currency.
type Costs struct {
	Matrix [][]float64 // k×k, Matrix[truth][decision], each >= 0

	// ByAmount says for each true class whether its costs are for each unit of a row's amount (see
	// vote.Table.Amount): a payment that is wrongly taken for a good one costs its amount, whatever the class
	// costs on average. Nil means no class.
	ByAmount []bool
}

// of tells whether there is a cost for each decision on each of k classes.
func (c Costs) of(k int) bool {
	return len(c.Matrix) == k && (len(c.ByAmount) == 0 || len(c.ByAmount) == k) &&
		!slices.ContainsFunc(c.Matrix, func(row []float64) bool { return len(row) != k })
}

// Amounts reports whether any costs are by amount.
func (c Costs) Amounts() bool { return slices.Contains(c.ByAmount, true) }

// Total returns the summed cost of the decisions in m. For classes by amount, m must count each row with its
// weight times its amount, see [Costs.Stakes]. It is NaN for a matrix of other classes.
func (c Costs) Total(m *vote.Confusion) float64 {
	if m == nil || !c.of(len(m.Classes)) {
		return math.NaN()
	}
	var sum portable.Sum
	for truth := range c.Matrix {
		sum.Add(c.on(m, truth))
	}
	return sum.Value()
}

// Always returns, by class name, what it would cost to decide all rows of m as that class; nil for a matrix of other
// classes.
func (c Costs) Always(m *vote.Confusion) map[string]float64 {
	if m == nil || !c.of(len(m.Classes)) {
		return nil
	}
	out := make(map[string]float64, len(m.Classes))
	for decision, name := range m.Classes {
		var sum portable.Sum
		for truth := range m.Classes {
			sum.Add(float64(m.True(truth) * c.Matrix[truth][decision]))
		}
		out[name] = sum.Value()
	}
	return out
}

// on returns the summed cost of the rows of a class.
func (c Costs) on(m *vote.Confusion, truth int) float64 {
	var cost portable.Sum
	for decision, v := range c.Matrix[truth] {
		cost.Add(float64(max(m.At(truth, decision), 0) * v))
	}
	return cost.Value()
}

// Stakes returns t with the weight of each row of a class by amount multiplied by its amount. A row with so
// much at stake counts as that many rows (Zadrozny, Langford and Abe, ICDM 2003), so a search for the lowest
// cost works as usual. Without costs by amount it returns t itself.
//
// Errors: [vote.ErrShape] if t has no amounts, or other classes than the costs.
func (c Costs) Stakes(t *vote.Table) (*vote.Table, error) {
	if !c.Amounts() {
		return t, nil
	}
	if t == nil || !c.of(len(t.Classes)) {
		return nil, fmt.Errorf("%w: costs of %d classes, and votes for others; give costs of the same classes", vote.ErrShape,
			len(c.Matrix))
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	if t.Amount == nil && t.Rows() > 0 {
		return nil, fmt.Errorf("%w: costs are by amount, and the votes have none; read them with the rows", vote.ErrShape)
	}
	staked := *t
	staked.Weight, staked.Count, staked.Amount = make([]float64, t.Rows()), make([]float64, t.Rows()), nil
	for i, truth := range t.Truth {
		staked.Weight[i], staked.Count[i] = t.WeightOf(i), t.WeightOf(i)
		if truth >= 0 && c.ByAmount[truth] {
			staked.Weight[i] *= t.Amount[i]
		}
	}
	return &staked, nil
}

// Weights returns, for each class, the mean cost of deciding one of its rows wrongly. Decisions under these
// weights are those of least cost if the shares of votes are the probabilities of the classes and all errors on
// a class cost the same (Elkan, IJCAI 2001). Amount is the mean amount of the rows of each class; nil means 1
// each. A class whose errors are all free gets a billionth of the largest weight. It is nil of costs that
// [Costs.Measure] refuses for their shape, and for amounts of another number of classes.
func (c Costs) Weights(amount []float64) vote.Weights {
	k := len(c.Matrix)
	if k == 0 || !c.of(k) || amount != nil && len(amount) != k {
		return nil
	}
	w := make(vote.Weights, k)
	for truth, costs := range c.Matrix {
		var sum portable.Sum
		for decision, v := range costs {
			if decision != truth {
				sum.Add(max(0, v-costs[truth]))
			}
		}
		w[truth] = sum.Value() / float64(k-1)
		if amount != nil && len(c.ByAmount) > 0 && c.ByAmount[truth] {
			w[truth] *= amount[truth]
		}
	}
	largest := slices.Max(w)
	if !(largest > 0) || math.IsInf(largest, 1) {
		return slices.Repeat(vote.Weights{1}, k)
	}
	for c := range w {
		w[c] = max(w[c], largest*1e-9)
	}
	return w
}

// Measure returns the mean cost of a row as a measure, which lies between the smallest and the largest of the
// costs. Without rows it is the largest. With costs by amount it is the [Costs.Total] of a table of
// [Costs.Stakes], in their unit.
//
// Errors (*[SpecError]): the matrix is not square, or ByAmount has another length; a cost is negative, not finite or
// above 1e100; all costs are 0.
func (c Costs) Measure() (Measure, error) {
	largest := 0.0
	for truth, row := range c.Matrix {
		if len(row) != len(c.Matrix) {
			return nil, &SpecError{Err: fmt.Errorf(
				"the cost matrix is not square: row %d has %d costs for %d classes; give one for each", truth+1, len(row),
				len(c.Matrix))}
		}
		for decision, v := range row {
			if err := checkCost(v); err != nil {
				return nil, &SpecError{Err: fmt.Errorf("row %d, column %d of the cost matrix: %w", truth+1, decision+1, err)}
			}
			largest = max(largest, v)
		}
	}
	if n := len(c.ByAmount); n != 0 && n != len(c.Matrix) {
		return nil, &SpecError{Err: fmt.Errorf(
			"costs by amount are told of %d classes, and there are %d; tell it of each, or of none", n, len(c.Matrix))}
	}
	if largest == 0 {
		return nil, &SpecError{Err: errors.New(
			"all costs are 0, so all decisions are equally good; give errors a cost above 0")}
	}
	return sum{
		term: c.on, classes: len(c.Matrix),
		of: func(m *vote.Confusion, cost float64) float64 {
			if c.Amounts() {
				return cost
			}
			n := m.Total()
			if !(n > 0) {
				return largest
			}
			return min(cost/n, largest)
		},
	}, nil
}

// mostCost is the largest cost: many of them, times amounts, add up to a number yet, as do their squares.
const mostCost = 1e100

func checkCost(v float64) error {
	switch {
	case v < 0:
		return fmt.Errorf("the cost %v is negative; add the same amount to the whole row, so that its smallest cost is 0", v)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("the cost %v is not a finite number; write one", v)
	case v > mostCost:
		return fmt.Errorf("the cost %v is above %v, too large to add up; divide all costs by one number", v, mostCost)
	}
	return nil
}

// costPrefix stands before the class in the header of a cost table.
const costPrefix = "predicted_"

// ReadCosts reads [Costs] from a CSV table with a row for each true class and a column for each decision, both
// in any order:
//
//	actual,predicted_fraud,predicted_good
//	fraud,0,amount
//	good,5,0
//
// A cost is a number >= 0, or amount, the amount of the row, or a multiple of it such as 0.02*amount; the costs
// of a true class are all of one kind, 0 aside. Matrix is in the order of classes: rows and columns are matched
// by name, never by position. The warnings name right decisions that cost as much as a wrong one, classes whose
// decisions are all free, and a cost such as 3.000, which is 3 and may be meant as 3000.
//
// Errors: *[SpecError] with the place in the file, which is called name, for a table that does not have every
// class exactly once in both directions, for a text that is not CSV, and for the costs that [Costs.Measure]
// refuses; an error of r, wrapped with the name.
func ReadCosts(r io.Reader, name string, classes []string) (costs Costs, warnings []error, err error) {
	in, err := csvtext.NewReader(r, name, 0)
	if err != nil {
		return Costs{}, nil, asSpec(err)
	}
	t := &costTable{in: in, classes: classes, costs: Costs{Matrix: make([][]float64, len(classes)), ByAmount: make([]bool,
		len(classes))}}
	if err := t.plan(); err != nil {
		return Costs{}, nil, asSpec(err)
	}
	if err := in.Each(t.row); err != nil {
		return Costs{}, nil, asSpec(err)
	}
	for c, row := range t.costs.Matrix {
		if row == nil {
			return Costs{}, nil, &SpecError{File: name,
				Err: fmt.Errorf("there is no row for class %s; add one, so that the matrix is square", english.Quote(classes[c]))}
		}
	}
	if !t.costs.Amounts() {
		t.costs.ByAmount = nil
	}
	if _, err := t.costs.Measure(); err != nil { // all of them 0
		return Costs{}, nil, &SpecError{File: name, Err: err}
	}
	if warnings = t.costs.Warnings(classes); t.doubt != nil && !t.points {
		warnings = append(warnings, t.doubt)
	}
	return t.costs, warnings, nil
}

// ParseCosts returns the costs of deciding the rows of each class wrongly, from texts such as fraud=amount,
// fraud=0.9*amount or good=5. A class that is not named costs 1; right decisions cost nothing. With nil classes
// only the texts are checked, and any names will do.
//
// Errors: *[SpecError].
func ParseCosts(texts, classes []string) (Costs, error) {
	if classes == nil {
		for _, text := range texts {
			if name, _, _ := cutLast(text, "="); !slices.Contains(classes, name) {
				classes = append(classes, name)
			}
		}
		classes = append(classes, "") // there are others
	}
	k := len(classes)
	c := Costs{Matrix: make([][]float64, k), ByAmount: make([]bool, k)}
	cost := slices.Repeat([]float64{1}, k)
	given := make([]bool, k)
	for _, text := range texts {
		name, amount, ok := cutLast(text, "=")
		if !ok {
			return Costs{}, &SpecError{Err: fmt.Errorf("%s is no cost; write CLASS=COST, such as fraud=amount or good=5",
				english.Quote(text))}
		}
		class := slices.Index(classes, name)
		if class < 0 {
			return Costs{}, &SpecError{Err: nearest.Unknown("class", name, classes)}
		}
		if given[class] {
			return Costs{}, &SpecError{Err: fmt.Errorf("class %s is given two costs; remove one", english.Quote(classes[class]))}
		}
		given[class] = true
		var err error
		cost[class], c.ByAmount[class], err = parseCost(amount, csvtext.Typed)
		if cost[class] < 0 { // of a table one would say to add to the whole row
			err = fmt.Errorf("the cost %v is negative; write what a wrong decision costs, 0 or more", cost[class])
		}
		if err != nil {
			return Costs{}, &SpecError{Err: fmt.Errorf("class %s: %w", english.Quote(classes[class]), err)}
		}
	}
	for truth := range c.Matrix {
		c.Matrix[truth] = slices.Repeat([]float64{cost[truth]}, k)
		c.Matrix[truth][truth] = 0
	}
	if !c.Amounts() {
		c.ByAmount = nil
	}
	_, err := c.Measure()
	return c, err
}

// cutLast parts text at the last of a sign; the part before it is trimmed.
func cutLast(text, sign string) (before, after string, found bool) {
	at := strings.LastIndex(text, sign)
	if at < 0 {
		return "", "", false
	}
	return strings.TrimSpace(text[:at]), text[at+len(sign):], true
}

// parseCost reads a number, amount, or NUMBER*amount.
func parseCost(text string, number func(string) (float64, error)) (cost float64, byAmount bool, err error) {
	text = strings.TrimSpace(text)
	if factor, ok := strings.CutSuffix(text, "amount"); ok {
		byAmount = true
		factor = strings.TrimSpace(factor)
		if text, ok = strings.CutSuffix(factor, "*"); !ok {
			if factor != "" {
				return 0, false, fmt.Errorf("%s is no cost; write a number, amount, or a part of it such as 0.02*amount",
					english.Quote(factor+"amount"))
			}
			text = "1"
		}
	}
	if cost, err = number(text); err == nil {
		err = checkCost(cost)
	}
	return cost, byAmount, err
}

// asSpec returns what is wrong with the text of a cost table as a *[SpecError]. A failed read
// stays what it is.
func asSpec(err error) error {
	var fault *csvtext.ParseError
	var limit *csvtext.LimitError
	switch {
	case errors.As(err, &fault):
		return &SpecError{File: fault.File, Line: fault.Line, Column: fault.Column, Err: fault.Err}
	case errors.As(err, &limit):
		return &SpecError{Err: err} // which has the place in its text
	}
	return err
}

// costTable is a cost table while it is read.
type costTable struct {
	in      *csvtext.Reader
	classes []string
	column  []int // the class of each column but the first
	costs   Costs
	doubt   error // of the first cost that may be in thousands
	points  bool  // another can only be a decimal: 0.250
}

// plan finds the class of each column.
func (t *costTable) plan() error {
	if first := t.in.Header[0]; first != "actual" {
		return t.in.Faultf(0, "the first column is %s; call it actual, with the true class, and the others %sCLASS",
			english.Quote(first), costPrefix)
	}
	for j, cell := range t.in.Header[1:] {
		name, ok := strings.CutPrefix(cell, costPrefix)
		if !ok {
			return t.in.Faultf(j+1, "column %s does not name a decision; write %sCLASS", english.Quote(cell), costPrefix)
		}
		c := slices.Index(t.classes, name)
		if c < 0 {
			return t.in.Faultf(j+1, "%w", nearest.Unknown("class", name, t.classes))
		}
		t.column = append(t.column, c)
	}
	for c, name := range t.classes {
		if !slices.Contains(t.column, c) {
			return t.in.FileFaultf("", "there is no column %s; add it, so that the matrix is square", english.Quote(costPrefix+
				name))
		}
	}
	return nil
}

// row takes over the costs of one true class.
func (t *costTable) row(cells []string) error {
	class := strings.TrimSpace(cells[0])
	truth := slices.Index(t.classes, class)
	if truth < 0 {
		return t.in.Faultf(0, "%w", nearest.Unknown("class", class, t.classes))
	}
	if t.costs.Matrix[truth] != nil {
		return t.in.Faultf(0, "class %s has two rows; remove one", english.Quote(class))
	}
	t.costs.Matrix[truth] = make([]float64, len(t.classes))
	fixed, byAmount := false, false
	for j, c := range t.column {
		v, by, err := parseCost(cells[j+1], csvtext.Number)
		if err != nil {
			return t.in.Faultf(j+1, "%w", err)
		}
		t.doubted(j+1, cells[j+1])
		if fixed, byAmount = fixed || v > 0 && !by, byAmount || v > 0 && by; fixed && byAmount {
			return t.in.Faultf(j+1, "class %s has costs by amount and fixed ones; write the one kind or the other for all its "+
				"decisions", english.Quote(class))
		}
		t.costs.Matrix[truth][c] = v
	}
	t.costs.ByAmount[truth] = byAmount
	return nil
}

// doubted notes a cost that may be in thousands.
func (t *costTable) doubted(j int, text string) {
	decimal, whole, ok := csvtext.Thousands(text)
	if ok && t.doubt == nil {
		t.doubt = fmt.Errorf("%s: the cost %s is read as %s; if thousands are meant, write %s", t.in.Place(j),
			strings.TrimSpace(text), decimal, whole)
	}
	t.points = t.points || strings.HasPrefix(strings.TrimSpace(text), "0.")
}

// cheapestRight tells whether the right decision on a class costs less than each wrong one, or nothing.
func cheapestRight(row []float64, class int) bool {
	for decision, v := range row {
		if decision != class && v <= row[class] && row[class] > 0 {
			return false
		}
	}
	return true
}

// Warnings returns what may not be meant so: classes on which all decisions are free, and right decisions that
// cost as much as a wrong one, or more. Of costs of other classes it says that alone; of the zero value there is
// nothing to say.
func (c Costs) Warnings(classes []string) []error {
	if c.Matrix == nil && c.ByAmount == nil {
		return nil
	}
	if !c.of(len(classes)) {
		return []error{&SpecError{Err: fmt.Errorf("the costs are of %d classes, where there are %d; give a cost for each "+
			"decision", len(c.Matrix), len(classes))}}
	}
	var warnings []error
	for c, row := range c.Matrix {
		switch {
		case slices.Max(row) == 0:
			warnings = append(warnings, fmt.Errorf("all decisions on class %s are free: it does not count",
				english.Quote(classes[c])))
		case !cheapestRight(row, c):
			warnings = append(warnings, fmt.Errorf(
				"the right decision on class %s costs %v, no less than a wrong one: are rows and columns mixed up?",
				english.Quote(classes[c]), row[c]))
		}
	}
	return warnings
}
