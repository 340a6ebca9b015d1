package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
	"github.com/rfpragma/rfpragma/vote"
)

// Input is what a report is made of. Eval, Measure, Loss and Weights are required.
type Input struct {
	Eval    *eval.Report   // as returned by package eval
	Spec    pragma.Spec    // the preferences asked for
	Measure string         // name of the loss
	Loss    pragma.Measure // the measure that the weights lower
	Costs   pragma.Costs   // behind the loss, if it is a cost
	Floors  []pragma.Floor // floors that come before the loss
	// up to three classes that matter most, with which the page begins; nil for those of priority by Spec
	Matter []int
	// len k, around which the weight of each class is varied: those of the model, or the middle of the folds, or those
	// of the latest block
	Weights vote.Weights
	Given   bool // whether the weights were given instead of searched for
	// len k, the interval of each class's weight that is as good on the votes tuned on; nil in a cross-validation
	Trained [][2]float64
}

// New makes a Report with all that can be drawn of the outcome of an evaluation. The caller adds the text.
//
// Errors: a required part that is missing; parts that do not belong together; those of [pragma.Spec.Resolve] and of
// costs by amount; that of ctx.
func New(ctx context.Context, in Input) (*Report, error) {
	switch {
	case in.Eval == nil || in.Loss == nil:
		return nil, errors.New("report: Eval or Loss is nil; give what package eval has returned, and the measure that the " +
			"weights lower")
	case in.Measure == "":
		return nil, errors.New("report: Measure is empty; name the loss, such as pragma")
	}
	t := in.Eval.Votes
	if t == nil || len(in.Eval.Decided) != t.Rows() || len(in.Weights) != len(t.Classes) {
		return nil, errors.New("report: votes, decisions and weights do not belong together; give what package eval has " +
			"returned, and a weight for each class")
	}
	prefs, err := in.Spec.Resolve(t.Classes)
	if err != nil {
		return nil, err
	}
	r := &Report{
		SchemaVersion: SchemaVersion, Title: "What the model decides", Rule: "tuned", Measure: in.Measure, Trees: t.Trees,
		Unit:      tables.Unit(in.Eval.Weighed),
		Confusion: Confusion{in.Eval.Rules.Plain.Confusion, in.Eval.Rules.Tuned.Confusion},
		Folds:     append([]eval.FoldWeights{}, in.Eval.WeightsByFold...), // never nil, as null is no list
		About:     []string{}, Asked: []string{}, Required: []string{}, Summary: []string{}, Details: []string{},
		Warnings: []string{}, Tables: []Table{}, Search: []Level{}, Importance: []Feature{}, Facts: []Fact{},
		Findings:  []finding.Finding{},
		Preferred: len(in.Spec) > 0 || strings.HasPrefix(in.Measure, "pragma"),
		Costs:     none(), Mistakes: none(), Expect: none(), Each: none(), Counts: none(),
		Take: Setting{Classes: []string{}},
	}
	var rows portable.Sum
	for i := range t.Rows() {
		rows.Add(t.WeightOf(i))
	}
	r.Rows = Number(rows.Value())
	switch {
	case in.Costs.Amounts(): // whose loss is a sum
		r.Money = 1000 / r.Rows
	case in.Measure == "cost":
		r.Money = 1000
	}
	if in.Given {
		r.Rule = "given"
	}
	switch r.Used = r.Rule; {
	case in.Eval.Blocks != nil:
		r.Used = latestBlock
	case len(r.Folds) > 0:
		r.Used = middleOfFolds
	}
	for _, f := range in.Floors {
		r.Required = append(r.Required, f.Text(t.Classes))
	}
	s, err := newSweeper(in)
	if err != nil {
		return nil, err
	}
	for c, name := range t.Classes {
		class := Class{
			Name: name, Preference: prefs[c], Weight: Number(in.Weights[c]),
			Plain: in.Eval.Rules.Plain.Classes[name], Tuned: in.Eval.Rules.Tuned.Classes[name],
		}
		class.Few = 0 < class.Plain.Rows && class.Plain.Rows < effective.FewRows
		class.Alpha, class.Beta = prefs[c].AlphaBeta()
		r.Classes = append(r.Classes, class)
	}
	for c := range r.Classes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		class := &r.Classes[c]
		if judged, ok := in.Eval.Probabilities[class.Name]; ok {
			class.Charts = s.charts(c, judged.Calibrated)
			class.Charts.Says = says(r, class, judged, off(in.Eval, class.Name))
		}
	}
	matter := in.Matter
	if matter == nil {
		matter = pragma.PriorityClasses(prefs)
	}
	broken := brokenOf(in)
	r.First = first(r.Classes, broken, matter, in.Costs)
	if slices.Contains(matter, r.First) || slices.Contains(broken, r.First) && len(matter) < mostKey {
		rest := slices.DeleteFunc(slices.Clone(matter), func(c int) bool { return c == r.First })
		matter = append([]int{r.First}, rest...)
	}
	r.Key = key(r, matter)
	return r, nil
}

// none is a table that is not shown, as null is no list.
func none() Table { return Table{Head: []string{}, Rows: [][]string{}} }

// mostKey is how many classes have figures of their own at the beginning of a page.
const mostKey = 3

// key are recall and precision of the classes that matter most, of many and of none the share of right decisions.
func key(r *Report, matter []int) []Line {
	if len(r.Classes) == 2 {
		matter = []int{r.First}
	}
	if n := len(matter); n == 0 || n > mostKey {
		return []Line{{Name: "decisions that are right (accuracy)", Value: share(accuracy(r.Confusion.Tuned)),
			Against: "plain vote " + share(accuracy(r.Confusion.Plain))}}
	}
	var lines []Line
	for _, c := range matter {
		class := &r.Classes[c]
		for _, f := range []struct {
			name         string
			tuned, plain *float64
			interval     *[2]float64
		}{
			{"%q found (recall)", class.Tuned.Recall, class.Plain.Recall, class.Tuned.RecallInterval},
			{"alarms for %q that are right (precision)", class.Tuned.Precision, class.Plain.Precision,
				class.Tuned.PrecisionInterval},
		} {
			line := Line{Name: fmt.Sprintf(f.name, class.Name), Value: maybe(f.tuned), Against: "plain vote " + maybe(f.plain)}
			if f.tuned != nil && f.interval != nil {
				line.Value, line.Interval = english.Within(*f.tuned, f.interval[0], f.interval[1], 0)
				line.Value += " %"
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// accuracy is the share of rows that are decided rightly.
func accuracy(matrix [][]float64) float64 {
	var right, all portable.Sum
	for t, row := range matrix {
		for d, n := range row {
			if all.Add(n); d == t {
				right.Add(n)
			}
		}
	}
	return right.Value() / all.Value()
}

// brokenOf are the classes of which something is required that the tuned rule does not keep, in the order of what is
// required.
func brokenOf(in Input) []int {
	var out []int
	rows := in.Eval.Rules.Tuned.Counts(in.Eval.Votes.Classes)
	for _, f := range in.Floors {
		if f.Missing(rows) > 0 {
			out = append(out, f.Class)
		}
	}
	return out
}

// first returns the class to show first: one that has charts, if there is one, of those the first of which what is
// required is broken, then one that matters most, then that of the largest importance, or the dearest, of equals
// rather not one of few rows, then the rarest, or of few rows the most common.
func first(classes []Class, broken, matter []int, costs pragma.Costs) int {
	dear := make([]float64, len(classes))
	if len(costs.Matrix) > 0 && !costs.Amounts() {
		dear = costs.Weights(nil)
	}
	place := func(c int) float64 {
		if at := slices.Index(broken, c); at >= 0 {
			return float64(at)
		}
		return float64(len(broken))
	}
	rank := func(c int) [7]float64 {
		rank := [7]float64{0, place(c), 0, -classes[c].Preference.Theta, -dear[c], 0, classes[c].Plain.Support}
		if classes[c].Charts == nil {
			rank[0] = 1
		}
		if !slices.Contains(matter, c) {
			rank[2] = 1
		}
		if classes[c].Few {
			rank[5], rank[6] = 1, -rank[6]
		}
		return rank
	}
	best := 0
	for c := range classes {
		a, b := rank(c), rank(best)
		if slices.Compare(a[:], b[:]) < 0 {
			best = c
		}
	}
	return best
}

// charts makes the data behind the charts of class c.
func (s *sweeper) charts(c int, judged *eval.Judgement) *Charts {
	charts := &Charts{
		Votes: s.votes(c), Sweep: s.sweep(c),
		Reliability: bins(judged.Bins), Curve: bins(judged.Curve), Share: Number(judged.Figures.Share),
	}
	for _, cut := range judged.Cuts {
		to := &charts.Cuts
		to.Prob, to.Recall = append(to.Prob, Number(cut.Prob)), append(to.Recall, Number(cut.Recall))
		to.FalsePositive, to.Precision = append(to.FalsePositive, Number(cut.FalsePositive)), append(to.Precision,
			Number(cut.Precision))
	}
	charts.Benefit = s.benefit(c, judged)
	return charts
}

// benefit is the decision curve, up to where it is worth next to nothing, and what the decisions of the tuned rule
// are worth beside it.
func (s *sweeper) benefit(c int, judged *eval.Judgement) Benefit {
	const nothing, tiny = 0.05, 1e-9 // the first of what it is worth to find all without a false alarm
	share := judged.Figures.Share
	end := 1.5 * share // beyond, deciding all rows so is worth less than nothing
	for _, b := range judged.Decisions {
		if b.Model > nothing*share {
			end = max(end, b.Threshold)
		}
	}
	out := Benefit{Tuned: Number(math.NaN()), Worth: Number(math.NaN())}
	if at, worth, asked := NetBenefit(s.Eval, s.Costs, c); !math.IsNaN(at) {
		out.Asked, out.Tuned, out.Worth = asked, Number(at), Number(worth)
		end = max(end, at)
	}
	unit := 0.1
	if end <= 0.1 {
		unit = 0.01
	}
	end = float64(unit * math.Ceil(end/unit-tiny))
	for _, b := range judged.Decisions {
		percent := float64(100 * b.Threshold)
		drawn := percent < 1 || math.Abs(percent-math.Round(percent)) < tiny // a rare class is worth something below 1 % only
		if b.Threshold > end+tiny || unit == 0.1 && !drawn {
			continue
		}
		out.From, out.Model, out.All = append(out.From, Number(b.Threshold)), append(out.Model, Number(b.Model)),
			append(out.All, Number(b.All))
	}
	return out
}

// NetBenefit returns the net benefit of the tuned rule's decisions for class c, compared with never deciding for it,
// in rows found for each row there is. A false alarm costs as many of them as makes one indifferent at the
// probability at. If two classes have costs, at follows from them, and asked is true; else it is the
// probability from which on about as many rows are decided as the class; see [Benefit]. At and worth are NaN if
// no row is decided as the class, or if its probabilities are not known.
func NetBenefit(of *eval.Report, costs pragma.Costs, c int) (at, worth float64, asked bool) {
	hits := 0.0
	var ofAlarms, ofAll portable.Sum
	for t, row := range of.Rules.Tuned.Confusion {
		for d, n := range row {
			ofAll.Add(n)
			switch {
			case d == c && t == c:
				hits += n
			case d == c:
				ofAlarms.Add(n)
			}
		}
	}
	alarms, all := ofAlarms.Value(), ofAll.Value()
	judged := of.Probabilities[of.Votes.Classes[c]].Calibrated
	if hits+alarms == 0 || judged == nil {
		return math.NaN(), math.NaN(), false
	}
	if at, asked = indifferent(costs, c); !asked {
		at = fromOn(judged.Decisions, (hits+alarms)/all)
	}
	return at, (hits - float64(at/(1-at)*alarms)) / all, asked
}

// indifferent is the probability from which on it costs less to decide a row as class c of two; not ok where no such
// costs were asked for.
func indifferent(of pragma.Costs, c int) (at float64, ok bool) {
	costs := of.Matrix
	if len(costs) != 2 || of.Amounts() {
		return 0, false
	}
	alarm, missed := costs[1-c][c]-costs[1-c][1-c], costs[c][1-c]-costs[c][c]
	return alarm / (alarm + missed), alarm > 0 && missed > 0
}

// fromOn is the probability from which on such a share of the rows is decided as the class, or about that: of
// several that in the middle.
func fromOn(curve []calib.Benefit, share float64) float64 {
	off := func(b calib.Benefit) float64 { return math.Abs(b.Decided - share) }
	least := off(slices.MinFunc(curve, func(a, b calib.Benefit) int { return cmp.Compare(off(a), off(b)) }))
	near := func(b calib.Benefit) bool { return off(b) < least+1e-9 }
	first, after := slices.IndexFunc(curve, near), len(curve)
	for !near(curve[after-1]) {
		after--
	}
	return curve[(first+after)/2].Threshold
}

// bins leaves out the bins without a row.
func bins(table []calib.Bin) []Bin {
	var out []Bin
	for _, b := range table {
		if b.Count > 0 {
			out = append(out, Bin{Number(b.Low), Number(b.High), Number(b.Count), Number(b.Mean), Number(b.Share),
				Number(b.ShareLow), Number(b.ShareHigh)})
		}
	}
	return out
}

// mostBins is how many bins a histogram of votes has at most.
const mostBins = 51

// votes counts the rows by their votes for class c.
func (s *sweeper) votes(c int) Votes {
	width := (s.table.Trees + mostBins) / mostBins
	n := s.table.Trees/width + 1
	v := Votes{Width: width}
	for _, counts := range []*[]Number{&v.Found, &v.Missed, &v.Alarms, &v.Others} {
		*counts = make([]Number, n)
	}
	for i, truth := range s.table.Truth {
		counts := v.Others
		switch decided := s.decided[i]; {
		case truth == c && decided == c:
			counts = v.Found
		case truth == c:
			counts = v.Missed
		case decided == c:
			counts = v.Alarms
		}
		b := min(int(float64(s.table.Votes(i)[c])/s.table.Unit())/width, n-1)
		counts[b] += Number(s.table.WeightOf(i))
	}
	return v
}

// off says in which parts of the rows the probabilities of a class are off; "" where they are not.
func off(of *eval.Report, class string) string {
	f := assess.Miscalibrated(&assess.Subject{Report: of}, class)
	if f == nil {
		return ""
	}
	return (say.Voice{}).Sentence(f)
}
