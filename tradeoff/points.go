// Package tradeoff says what else the votes allow: which weights find how much of a class, and what a limit costs.
package tradeoff

import (
	"cmp"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Point is what else can be asked for, and what to expect of it: by searches that keep it, judged on rows that they
// have not seen.
type Point struct {
	Class     string  `json:"class"`     // whose weight is another one
	Recall    float64 `json:"recall"`    // share of its rows that would be found
	Precision float64 `json:"precision"` // share of the decisions for it that would be right
	Alerts    float64 `json:"alerts"`    // share of all rows that would be decided as it
	Loss      float64 `json:"loss"`      // by what the weights are searched for

	// what asks for it, as --measure takes it, beside the next; "" where the measure stays
	Measure string   `json:"measure,omitempty"`
	Require []string `json:"require"` // as --require takes it

	RecallInterval    *[2]float64 `json:"recall_interval,omitempty"`    // Wilson's, at 95 %
	PrecisionInterval *[2]float64 `json:"precision_interval,omitempty"` // likewise
	// summed cost of the rows; of a measure that is a cost
	Cost *float64   `json:"cost,omitempty"`
	Gain *eval.Gain `json:"gain,omitempty"` // what the tuned rule gains on it; of cv
	// another class that loses recall by it, the most of several; of three classes and more
	Loses *LostRecall `json:"loses,omitempty"`

	Or      []string `json:"-"` // what may ask for it where that misses it; nil of what was tried
	Instead bool     `json:"-"` // it is asked for in the place of what is required, see stricter, and not beside it
}

// LostRecall is the recall that a class would have, by 2 points or more below what it has.
type LostRecall struct {
	Class  string  `json:"class"`  // that loses it
	Recall float64 `json:"recall"` // that it would have
	Now    float64 `json:"now"`    // that it has under the tuned rule
}

// Voted are rows that have been judged, and how.
type Voted struct {
	*vote.Table
	Weights vote.Weights
	Tuned   *eval.Rule // what the tuned weights make of them
	Later   bool       // what is asked for is kept on rows before them

	Decided float64 // share of all rows that they are, as others are left undecided; 0 means 1
}

// Points are what else votes allow for the one class that matters most beside what is required, the fewest alarms
// first, and nothing where the class has few rows; where new rows may not keep that, see stricter. The weights of
// the others stay as they are, and what would miss a floor by them is left out; what the tuned rule makes of the
// rows is told elsewhere. What finds more of later rows is asked for by any recall, as that which is kept before
// says little of them.
func Points(t Voted, matter []int, floors []pragma.Floor) []Point {
	w, tuned := t.Weights, t.Tuned
	if instead := stricter(t.Table, w, tuned, floors); instead != nil {
		return instead
	}
	if len(matter) != 1 {
		return nil
	}
	c, h := matter[0], t.Compress()
	now := tuned.Classes[t.Classes[c]]
	if now.Recall == nil || now.Rows < effective.FewRows {
		return nil
	}
	var out []Point
	weights := offer.WeightsFor(h, w, c, offer.RecallsOffered)
	for i, weight := range weights {
		m := h.Confuse(weight.Of(w, c))
		o := made(m, c)
		floor := pragma.Floor{Class: c, What: pragma.RecallFloor, Limit: weight.Recall}
		fewer := o.Recall < *now.Recall
		if t.Later && !fewer {
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
			o.Or = offer.FloorTexts(offer.Also(floors, floor, offer.Budget(c, wider*t.share())), t.Classes)
			floor = offer.Budget(c, o.Alerts*t.share())
		}
		last, kept := len(out)-1, floor.What == pragma.RecallFloor && weight.Recall <= *now.Recall
		if kept || weight.Recall < 0.5 && o.Precision >= 0.5 || o.near(*now.Recall, now.Predicted/m.Total()) ||
			last >= 0 && o.near(out[last].Recall, out[last].Alerts) {
			continue
		}
		asked := offer.Also(floors, floor)
		if slices.Equal(asked, floors) || slices.ContainsFunc(floors,
			func(f pragma.Floor) bool { return f.Missing(f.Of(m, t.share())) > 0 }) {
			continue
		}
		o.Require = offer.FloorTexts(asked, t.Classes)
		out = append(out, o)
	}
	for _, recall := range offer.RecallsOffered {
		asked := offer.Also(floors, pragma.Floor{Class: c, What: pragma.RecallFloor, Limit: recall})
		if t.Later && recall > *now.Recall && !slices.Equal(asked, floors) {
			out = append(out, Point{Class: t.Classes[c], Recall: recall, Require: offer.FloorTexts(asked, t.Classes)})
		}
	}
	return out
}

const (
	missed = 0.05 // how far from the recall aimed at a choice must come out so that another way to ask for it is tried
	holds  = 0.8  // the part of what is found by weights chosen on the votes that a search must find to be told of
	right  = 0.9  // precision that fewer alarms hardly raise: there none are offered, or tried
)

// near tells whether a choice hardly differs from another one of that recall and share of alarms.
func (o *Point) near(recall, share float64) bool {
	return math.Abs(o.Recall-recall) < offer.NextTo && !offer.Apart(o.Alerts, share)
}

// judge takes the figures of its class in a trial, and tells whether it is a choice: some alarms are right, and
// more often than at random, where nearly all rows are.
func (o *Point) judge(names []string, got *Tried, tuned *eval.Rule) bool {
	classes := got.Classes
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
	o.Loss, o.Cost, o.Gain, o.Loses = got.Loss, got.Cost, got.Gain, losing(names, o.Class, classes, tuned)
	return !offer.AtRandom(o.Precision, class.Support/all)
}

// fewestBeyond is how many rows of a class must still be missed where the range is to be sure: what follows from
// the last few rows holds of these rows alone.
const fewestBeyond = 10

// stricter are the floors to ask for in the place of the one floor of recall that is required, where new rows may
// not keep it: first so that the estimate does, unless it does so already, then so that the whole range does, where
// enough rows are missed even then. Nothing where the class has few rows, or rows come in groups, which are not as
// many as they look.
//
// The least weight under which k of n rows are found finds a share of endlessly many such rows that is Beta(k,
// n+1-k) distributed, whatever the votes: k/(n+1) in the mean. Source: Wilks, Ann. Math. Statist. 12 (1941) 91-96,
// of tolerance limits.
func stricter(t *vote.Table, w vote.Weights, tuned *eval.Rule, floors []pragma.Floor) []Point {
	if len(floors) != 1 {
		return nil
	}
	f := floors[0]
	now := tuned.Classes[t.Classes[f.Class]]
	if f.What != pragma.RecallFloor || !f.OfAll() || t.Group != nil || now.RecallInterval == nil ||
		now.Rows < effective.FewRows || now.RecallInterval[0] >= f.Limit {
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
	var out []Point
	for _, k := range asked {
		if len(out) > 0 && out[0].RecallInterval[0] >= f.Limit { // by ties
			break
		}
		limit := shortest(max(f.Limit, (k-1)/n), k/n)
		for _, weight := range offer.WeightsFor(h, w, f.Class, []float64{limit}) {
			o := made(h.Confuse(weight.Of(w, f.Class)), f.Class)
			low, high := calib.Wilson(float64(o.Recall*n), n, calib.Z95) // ties may find more
			o.RecallInterval, o.Instead = &[2]float64{low, high}, true
			o.Require = []string{pragma.Floor{Class: f.Class, What: pragma.RecallFloor, Limit: limit}.Text(t.Classes)}
			out = append(out, o)
		}
	}
	return out
}

// made is what decisions make of class c.
func made(m *vote.Confusion, c int) Point {
	o := Point{Class: m.Classes[c], Alerts: m.Predicted(c) / m.Total()}
	o.Recall, _ = m.Recall(c)
	o.Precision, _ = m.Precision(c)
	return o
}

// losing returns the class that loses the most recall beside the tuned rule, but for one, nil of two classes.
func losing(names []string, but string, classes map[string]eval.Class, tuned *eval.Rule) (out *LostRecall) {
	if len(names) < 3 {
		return nil
	}
	most := offer.NextTo
	for _, name := range names {
		now, recall := tuned.Classes[name].Recall, classes[name].Recall
		if name != but && now != nil && recall != nil && *now-*recall >= most {
			most, out = *now-*recall, &LostRecall{name, *recall, *now}
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

// share is that of all rows which are decided.
func (t *Voted) share() float64 { return cmp.Or(t.Decided, 1) }
