package tradeoff

import (
	"context"
	"math"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
)

// Asked is what was asked for when the weights were searched that other choices stand beside.
type Asked struct {
	Goal     pragma.Goal
	Spec     pragma.Spec
	Chosen   bool     // the measure was chosen, and does not follow from the preference and from what is required
	Constant *float64 // what it costs to decide all rows alike, if that is less than the model costs; nil if not
}

// beside returns the measure that floors would be asked for by; that of the preference follows them, if none was
// chosen. Errors: those of [pragma.Spec.Default].
func (a *Asked) beside(floors ...pragma.Floor) (pragma.Measure, error) {
	if a.Goal.Name != "pragma" || a.Chosen {
		return a.Goal.Measure, nil
	}
	m, _, err := a.Spec.Default(a.Goal.Classes, floors)
	return m, err
}

// Trial returns what becomes of rows that a search for this measure under these floors has not seen; nil where
// nothing keeps them.
type Trial func(context.Context, pragma.Measure, ...pragma.Floor) (*Tried, error)

// Tried is what becomes of them.
type Tried struct {
	Classes map[string]eval.Class // by name
	// by what the weights are searched for, also where the trial searched for another measure
	Loss float64
	Cost *float64   // nil of a measure that is no cost
	Gain *eval.Gain // of the tuned rule on it, nil where that is not known
}

// Promised gives each the figures of a trial of what asks for it, as those of weights chosen on these very rows
// flatter. It leaves out what asks for more and hardly finds it, and what a search for fewer alarms may well find
// less of: it takes the least loss, and where weights that find next to nothing have nearly that, chance decides.
// In the place of a recall that is required it leaves out what would not keep it either, of any what decides nearly
// all rows alike, and of fewer alarms what comes to the same as another choice, or beside a floor as the tuned
// weights.
func Promised(ctx context.Context, try Trial, tuned *eval.Rule, of *Asked, others []Point) (out []Point, err error) {
	required := of.Goal.Floors
	all, dear := eval.Weight(tuned.Classes), math.Inf(1)
	if of.Constant != nil {
		dear = *of.Constant
	}
	for _, aimed := range others {
		o, ok, err := aimed.tried(ctx, try, tuned, of)
		if err != nil {
			return nil, err
		}
		enough, least, now := holds*aimed.Recall, 0.0, tuned.Classes[o.Class].Recall
		switch {
		case aimed.Instead:
			enough = required[0].Limit
		case aimed.Or == nil && now != nil:
			enough, least = 0, *now+offer.NextTo
		}
		same := len(required) > 0 && !aimed.Instead && now != nil && o.near(*now, tuned.Classes[o.Class].Predicted/all)
		if last := len(out) - 1; last >= 0 {
			least = max(least, out[last].Recall)
			same = same || !aimed.Instead && o.near(out[last].Recall, out[last].Alerts)
		}
		if costly := o.Cost != nil && *o.Cost >= dear; ok && !costly && o.Recall >= max(enough, least) && !same {
			out = append(out, o)
		}
	}
	return out, nil
}

// tried returns the choice with the figures of a trial, and whether it is one: where the first way to ask for it
// misses its recall, by the other way, if that comes nearer.
func (o Point) tried(ctx context.Context, try Trial, tuned *eval.Rule, of *Asked) (best Point, ok bool, err error) {
	best = o
	for _, texts := range [][]string{o.Require, o.Or} {
		off := math.Abs(best.Recall - o.Recall)
		if texts == nil || ok && off < missed {
			break
		}
		floors := make([]pragma.Floor, len(texts))
		for i, text := range texts {
			if floors[i], err = pragma.ParseFloor(text, of.Goal.Classes); err != nil {
				return o, false, err
			}
		}
		m, err := of.beside(floors...)
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
		with.Require, with.Or = texts, nil
		if !with.judge(of.Goal.Classes, got, tuned) {
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
func (a *Asked) curves(floors []pragma.Floor) bool {
	return len(floors) == 2 && floors[1].What == pragma.Alerts && !a.Chosen && offer.Curvable(&a.Goal)
}

// unlimited asks by the curved surface alone, m, for a choice that a limit of alarms beside a recall brings, where
// that comes to the same: then the limit does not bind, and hides what does it.
func (o *Point) unlimited(ctx context.Context, try Trial, m pragma.Measure, floors []pragma.Floor,
	limited *Tried) error {
	got, err := try(ctx, m, floors[0])
	if err != nil || got == nil {
		return err
	}
	now, was := got.Classes[o.Class], limited.Classes[o.Class]
	if now.Recall != nil && *now.Recall == *was.Recall && now.Predicted == was.Predicted {
		o.Measure, o.Require = offer.Curved, o.Require[:1]
	}
	return nil
}
