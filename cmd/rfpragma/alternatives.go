package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// alternative is what else can be asked for, and what to expect of it: by searches that keep it, judged on rows that they have not seen.
type alternative struct {
	Class     string  `json:"class"`     // whose weight is another one
	Recall    float64 `json:"recall"`    // share of its rows that would be found
	Precision float64 `json:"precision"` // share of the decisions for it that would be right
	Alerts    float64 `json:"alerts"`    // share of all rows that would be decided as it
	Loss      float64 `json:"loss"`      // by what the weights are searched for

	Measure string   `json:"measure,omitempty"` // what asks for it, as --measure takes it, beside the next; "" where the measure stays
	Require []string `json:"require"`           // as --require takes it

	RecallInterval    *[2]float64 `json:"recall_interval,omitempty"`    // Wilson's, at 95 %
	PrecisionInterval *[2]float64 `json:"precision_interval,omitempty"` // likewise
	Cost              *float64    `json:"cost,omitempty"`               // summed cost of the rows; of a measure that is a cost
	Gain              *eval.Gain  `json:"gain,omitempty"`               // what the tuned rule gains on it; of cv
	Loses             *lostRecall `json:"loses,omitempty"`              // another class that loses recall by it, the most of several; of three classes and more

	or      []string // what may ask for it where that misses it; nil of what was tried
	instead bool     // it is asked for in the place of what is required, see stricter, and not beside it
}

// lostRecall is the recall that a class would have, by 2 points or more below what it has.
type lostRecall struct {
	Class  string  `json:"class"`  // that loses it
	Recall float64 `json:"recall"` // that it would have
	Now    float64 `json:"now"`    // that it has under the tuned rule
}

// recallsOffered are the shares of a class to find that are told of, but for those next to what the tuned weights find. Less than half of
// it is for who can look at few rows: where most alarms are right anyway that is no choice.
var recallsOffered = []float64{0.1, 0.25, 0.5, 0.8, 0.9, 0.95, strictRecall}

// nextTo is how near to each other two recalls are so that one is enough, unless the alarms are apart.
const nextTo = 0.02

// votedRows are rows that have been judged, and how.
type votedRows struct {
	*vote.Table
	weights vote.Weights
	tuned   *eval.Rule // what the tuned weights make of them
	later   bool       // what is asked for is kept on rows before them

	withheld *withheldInfo // others, which are left undecided; nil for none
}

// alternatives are what else votes allow for the one class that matters most beside what is required, the fewest alarms first, and nothing where the class has few rows; where new rows may not keep that, see stricter. The
// weights of the others stay as they are, and what would miss a floor by them is left out; what the tuned rule makes of the rows is told elsewhere. What finds more of later rows is asked for by any recall, as that which is kept before says little of them.
func alternatives(t votedRows, matter []int, floors []pragma.Floor) []alternative {
	w, tuned := t.weights, t.tuned
	if instead := stricter(t.Table, w, tuned, floors); instead != nil {
		return instead
	}
	if len(matter) != 1 {
		return nil
	}
	c, h := matter[0], t.Compress()
	now := tuned.Classes[t.Classes[c]]
	if now.Recall == nil || now.Rows < eval.FewRows {
		return nil
	}
	var out []alternative
	weights := tradeoff.WeightsFor(h, w, c, recallsOffered)
	for i, weight := range weights {
		m := h.Confuse(weight.Of(w, c))
		o := made(m, c)
		floor := pragma.Floor{Class: c, What: pragma.RecallFloor, Limit: weight.Recall}
		fewer := o.Recall < *now.Recall
		if t.later && !fewer {
			break
		}
		if fewer && now.Precision != nil && *now.Precision >= right {
			continue
		}
		if fewer { // which a floor of recall would not raise, unless alarms are limited, too
			wider := now.Predicted / m.Total()
			if i+1 < len(weights) {
				wider = min(wider, made(h.Confuse(weights[i+1].Of(w, c)), c).Alerts)
			}
			o.or = floorTexts(also(floors, floor, budget(c, wider*t.withheld.decided())), t.Classes)
			floor = budget(c, o.Alerts*t.withheld.decided())
		}
		last, kept := len(out)-1, floor.What == pragma.RecallFloor && weight.Recall <= *now.Recall
		if kept || weight.Recall < 0.5 && o.Precision >= 0.5 || o.near(*now.Recall, now.Predicted/m.Total()) || last >= 0 && o.near(out[last].Recall, out[last].Alerts) {
			continue
		}
		asked := also(floors, floor)
		if slices.Equal(asked, floors) || slices.ContainsFunc(floors, func(f pragma.Floor) bool { return f.Missing(f.Of(m, t.withheld.decided())) > 0 }) {
			continue
		}
		o.Require = floorTexts(asked, t.Classes)
		out = append(out, o)
	}
	for _, recall := range recallsOffered {
		asked := also(floors, pragma.Floor{Class: c, What: pragma.RecallFloor, Limit: recall})
		if t.later && recall > *now.Recall && !slices.Equal(asked, floors) {
			out = append(out, alternative{Class: t.Classes[c], Recall: recall, Require: floorTexts(asked, t.Classes)})
		}
	}
	return out
}

// also adds floors to those that are required: of two limits of one figure of a class the stricter one stays.
func also(required []pragma.Floor, more ...pragma.Floor) []pragma.Floor {
	out := slices.Clone(required)
	for _, f := range more {
		i := slices.IndexFunc(out, func(g pragma.Floor) bool { return g.Class == f.Class && g.What == f.What })
		atMost := f.What == pragma.Alerts || f.What == pragma.FalseAlarms
		switch {
		case i < 0:
			out = append(out, f)
		case atMost && f.Limit < out[i].Limit, !atMost && f.Limit > out[i].Limit:
			out[i] = f
		}
	}
	return out
}

const (
	missed = 0.05 // how far from the recall aimed at a choice must come out so that another way to ask for it is tried
	holds  = 0.8  // the part of what is found by weights chosen on the votes that a search must find to be told of
	right  = 0.9  // precision that fewer alarms hardly raise: there none are offered, or tried
	lucky  = 1.1  // up to how many times the share of the class a precision is hardly more than that of alarms at random
)

// trial returns what becomes of rows that a search for this measure under these floors has not seen; nil where nothing keeps them.
type trial func(context.Context, pragma.Measure, ...pragma.Floor) (*tried, error)

// tried is what becomes of them.
type tried struct {
	classes map[string]eval.Class
	loss    float64    // by what the weights are searched for, also where the trial searched for another measure
	cost    *float64   // nil of a measure that is no cost
	gain    *eval.Gain // of the tuned rule on it, nil where that is not known
}

// try is a trial of a search on these votes.
func (s *shownTuning) try(search anneal.Search) trial {
	return func(ctx context.Context, m pragma.Measure, floors ...pragma.Floor) (*tried, error) {
		search.Floors = floors
		t, err := search.Try(ctx, s.table, m)
		if err != nil {
			return nil, err
		}
		out := &tried{classes: s.rule(t.Confusion, t.Loss, &t).Classes, loss: s.loss.measure.Loss(t.Confusion)}
		if s.loss.costs.Matrix != nil {
			cost := s.loss.costs.Total(t.Confusion)
			out.cost = &cost
		}
		return out, nil
	}
}

// promised gives each the figures of a trial of what asks for it, as those of weights chosen on these very rows flatter. It leaves out what asks for more and
// hardly finds it, and what a search for fewer alarms may well find less of: it takes the least loss, and where weights that find next to nothing have nearly that, chance decides. In the place of a recall that is required it leaves out what would not keep it either, of any
// what decides nearly all rows alike, and of fewer alarms what comes to the same as another choice, or beside a floor as the tuned weights.
func promised(ctx context.Context, try trial, report *eval.Report, of *aim, others []alternative) (out []alternative, err error) {
	tuned, required := &report.Rules.Tuned, of.required()
	all, dear := judgedWeight(tuned), math.Inf(1)
	if s, kept := assess.SpentHere(report), (&assess.Subject{Goal: of.goal()}).AlikeKept(tuned); s.Wasted(kept) {
		dear = s.Always[s.Cheapest(kept)]
	}
	for _, aimed := range others {
		o, ok, err := aimed.tried(ctx, try, tuned, of)
		if err != nil {
			return nil, err
		}
		enough, least, now := holds*aimed.Recall, 0.0, tuned.Classes[o.Class].Recall
		switch {
		case aimed.instead:
			enough = required[0].Limit
		case aimed.or == nil && now != nil:
			enough, least = 0, *now+nextTo
		}
		same := len(required) > 0 && !aimed.instead && now != nil && o.near(*now, tuned.Classes[o.Class].Predicted/all)
		if last := len(out) - 1; last >= 0 {
			least = max(least, out[last].Recall)
			same = same || !aimed.instead && o.near(out[last].Recall, out[last].Alerts)
		}
		if costly := o.Cost != nil && *o.Cost >= dear; ok && !costly && o.Recall >= max(enough, least) && !same {
			out = append(out, o)
		}
	}
	return out, nil
}

// tried returns the choice with the figures of a trial, and whether it is one: where the first way to ask for it misses its recall, by the other way, if that comes nearer.
func (o alternative) tried(ctx context.Context, try trial, tuned *eval.Rule, of *aim) (best alternative, ok bool, err error) {
	best = o
	for _, texts := range [][]string{o.Require, o.or} {
		off := math.Abs(best.Recall - o.Recall)
		if texts == nil || ok && off < missed {
			break
		}
		floors := make([]pragma.Floor, len(texts))
		for i, text := range texts {
			if floors[i], err = pragma.ParseFloor(text, of.classes); err != nil {
				return o, false, err
			}
		}
		m, err := of.loss.beside(of.spec, of.classes, floors...)
		if err != nil {
			return o, false, err
		}
		got, err := try(ctx, m, floors...)
		if err != nil {
			return o, false, err
		}
		if got == nil {
			continue
		}
		with := o
		with.Require, with.or = texts, nil
		if !with.judge(of.classes, got, tuned) {
			continue
		}
		if of.curves(floors) {
			if err := with.unlimited(ctx, try, m, floors, got); err != nil {
				return o, false, err
			}
		}
		if !ok || math.Abs(with.Recall-o.Recall) < off {
			best, ok = with, true
		}
	}
	return best, ok, nil
}

// curves tells whether a limit of alarms beside a recall has the weights searched for by a curved surface.
func (a *aim) curves(floors []pragma.Floor) bool {
	return len(floors) == 2 && floors[1].What == pragma.Alerts && !a.loss.chosen && assess.Curvable(a.loss.name, a.prefs)
}

// unlimited asks by the curved surface alone, m, for a choice that a limit of alarms beside a recall brings, where that comes to the same: then the limit does not bind, and hides what does it.
func (o *alternative) unlimited(ctx context.Context, try trial, m pragma.Measure, floors []pragma.Floor, limited *tried) error {
	got, err := try(ctx, m, floors[0])
	if err != nil || got == nil {
		return err
	}
	now, was := got.classes[o.Class], limited.classes[o.Class]
	if now.Recall != nil && *now.Recall == *was.Recall && now.Predicted == was.Predicted {
		o.Measure, o.Require = curved, o.Require[:1]
	}
	return nil
}

// flags are what asks for it.
func (o *alternative) flags() []string {
	var flags []string
	if o.Measure != "" {
		flags = append(flags, "--measure "+o.Measure)
	}
	for _, text := range o.Require {
		flags = append(flags, "--require "+shellQuoted(text))
	}
	return flags
}

// near tells whether a choice hardly differs from another one of that recall and share of alarms.
func (o *alternative) near(recall, share float64) bool {
	return math.Abs(o.Recall-recall) < nextTo && !apart(o.Alerts, share)
}

// budget limits the decisions for class c to a share of all, in 10,000 and a little rounded up.
func budget(c int, share float64) pragma.Floor {
	rows := tradeoff.ThreeDigits(1e4 * share)
	return pragma.Floor{Class: c, What: pragma.Alerts, Limit: rows / 1e4, Typed: fmt.Sprintf("%g/10000", rows)}
}

// judge takes the figures of its class in a trial, and tells whether it is a choice: some alarms are right, and more often than at random, where nearly all rows are.
func (o *alternative) judge(names []string, got *tried, tuned *eval.Rule) bool {
	classes := got.classes
	class := classes[o.Class]
	if class.Recall == nil || class.Precision == nil {
		return false
	}
	var rows portable.Sum
	for _, name := range names {
		rows.Add(classes[name].Support)
	}
	all := rows.Value()
	o.Recall, o.Precision, o.Alerts = *class.Recall, *class.Precision, class.Predicted/all
	o.RecallInterval, o.PrecisionInterval = class.RecallInterval, class.PrecisionInterval
	o.Loss, o.Cost, o.Gain, o.Loses = got.loss, got.cost, got.gain, losing(names, o.Class, classes, tuned)
	return !atRandom(o.Precision, class.Support/all)
}

// atRandom tells whether alarms for a class are hardly right more often than at random, as where nearly all rows are. Share is that of the class.
func atRandom(precision, share float64) bool { return precision <= lucky*share }

// fewestBeyond is how many rows of a class must still be missed where the range is to be sure: what follows from the last few rows holds of these rows alone.
const fewestBeyond = 10

// stricter are the floors to ask for in the place of the one floor of recall that is required, where new rows may not keep it: first so that the estimate does, unless it does so already, then so that the whole
// range does, where enough rows are missed even then. Nothing where the class has few rows, or rows come in groups, which are not as many as they look.
//
// The least weight under which k of n rows are found finds a share of endlessly many such rows that is Beta(k, n+1-k) distributed, whatever the votes: k/(n+1) in the mean. Source: Wilks,
// Ann. Math. Statist. 12 (1941) 91-96, of tolerance limits.
func stricter(t *vote.Table, w vote.Weights, tuned *eval.Rule, floors []pragma.Floor) []alternative {
	if len(floors) != 1 {
		return nil
	}
	f := floors[0]
	now := tuned.Classes[t.Classes[f.Class]]
	if f.What != pragma.RecallFloor || t.Group != nil || now.RecallInterval == nil || now.Rows < eval.FewRows || now.RecallInterval[0] >= f.Limit {
		return nil
	}
	n, h := math.Round(now.Rows), t.Compress()
	var asked []float64 // rows to find
	if k := math.Ceil(f.Limit * (n + 1)); *now.Recall < f.Limit && k <= n {
		asked = append(asked, k)
	}
	for k := math.Ceil(f.Limit * n); k <= n-fewestBeyond; k++ {
		if low, _ := calib.Wilson(k, n, calib.Z95); low >= f.Limit {
			asked = append(asked, k)
			break
		}
	}
	var out []alternative
	for _, k := range asked {
		if len(out) > 0 && out[0].RecallInterval[0] >= f.Limit { // by ties
			break
		}
		limit := shortest(max(f.Limit, (k-1)/n), k/n)
		for _, weight := range tradeoff.WeightsFor(h, w, f.Class, []float64{limit}) {
			o := made(h.Confuse(weight.Of(w, f.Class)), f.Class)
			low, high := calib.Wilson(float64(o.Recall*n), n, calib.Z95) // ties may find more
			o.RecallInterval, o.instead = &[2]float64{low, high}, true
			o.Require = []string{pragma.Floor{Class: f.Class, What: pragma.RecallFloor, Limit: limit}.Text(t.Classes)}
			out = append(out, o)
		}
	}
	return out
}

// made is what decisions make of class c.
func made(m *vote.Confusion, c int) alternative {
	o := alternative{Class: m.Classes[c], Alerts: m.Predicted(c) / m.Total()}
	o.Recall, _ = m.Recall(c)
	o.Precision, _ = m.Precision(c)
	return o
}

// losing returns the class that loses the most recall beside the tuned rule, but for one, nil of two classes.
func losing(names []string, but string, classes map[string]eval.Class, tuned *eval.Rule) (out *lostRecall) {
	if len(names) < 3 {
		return nil
	}
	most := nextTo
	for _, name := range names {
		now, recall := tuned.Classes[name].Recall, classes[name].Recall
		if name != but && now != nil && recall != nil && *now-*recall >= most {
			most, out = *now-*recall, &lostRecall{name, *recall, *now}
		}
	}
	return out
}

// shortest returns the number of the fewest decimals above low, and not above high, both up to 1.
func shortest(low, high float64) float64 {
	for unit := 10.0; unit < 1e9; unit *= 10 {
		if v := math.Floor(high*unit+1e-9) / unit; v > low {
			return v
		}
	}
	return high
}
