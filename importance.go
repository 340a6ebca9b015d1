package rfpragma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Importance says how much a model depends on each of its features, see [Model.Importance].
type Importance struct {
	Accuracy float64 `json:"accuracy"` // share of the out-of-bag votes that are right, by case weight
	Measure  string  `json:"measure"`  // name of the loss, see Model.Measure
	// loss of the rows as out-of-bag votes decide them; Model.Importance says under which weights
	Loss     float64             `json:"loss"`
	Repeats  int                 `json:"repeats"`  // how many times each feature was permuted
	Features []FeatureImportance `json:"features"` // len p, in the order of Forest.Schema
}

// FeatureImportance says how much a model depends on one feature: when its cells are permuted among the rows,
// Accuracy falls and Loss rises by these amounts, averaged over the repeats. For a useless feature both are
// about 0, the rise of the loss slightly above, because the weights were tuned on the unpermuted votes.
// Features that carry the same information share their importance, or hide each other's.
type FeatureImportance struct {
	Name     string  `json:"name"`          // name of the feature
	Impurity float64 `json:"impurity"`      // its part of the decrease of impurity, see forest.Forest.Importance
	Accuracy float64 `json:"accuracy_fall"` // mean fall of the share of right votes
	Loss     float64 `json:"loss_rise"`     // mean rise of the loss

	// Standard errors of these means over the repeats, 0 with a single repeat. They measure the chance of
	// permuting, not how other rows or trees would change the result.
	AccuracyError float64 `json:"accuracy_fall_error"`
	LossError     float64 `json:"loss_rise_error"` // standard error over the repeats
}

// Importance permutes each feature repeats times (0 means 5) and measures what that does to the out-of-bag
// votes of train, see [forest.Forest.PermutationVotes]. Accuracy is the effect on the votes of single trees, by
// case weight: the unscaled "mean decrease in accuracy" of R's randomForest. Loss is the effect on the
// decisions of the forest as the model makes them, by the model's measure, or by the PRAGMA of its preference
// if the measure is not known. Where the model has floors, the weights are instead those that the measure alone
// would choose on these votes: under weights that keep a floor at the measure's expense, a useless feature that
// breaks the floor would seem to do harm.
//
// Workers is as in forest.Config. Progress, if not nil, is called once for every permutation of a feature,
// evenly spread over the work and never by two goroutines at once.
//
// Errors: [forest.ErrTrain] if train is not the very frame that the model was trained on; [ErrConfig] or
// [forest.ErrConfig] if repeats is negative or no row is out of a bag; that of ctx.
func (m *Model) Importance(ctx context.Context, train *dataset.Frame, repeats, workers int, progress func(done,
	total int)) (*Importance, error) {
	if err := cmp.Or(m.check(), m.errForeign(), checkFrame(train)); err != nil {
		return nil, err
	}
	switch {
	case repeats < 0:
		return nil, fmt.Errorf("%w: %d repeats; choose 1 or more", ErrConfig, repeats)
	case Fingerprint(train) != m.Provenance.Data:
		return nil, fmt.Errorf("%w: these are not the rows that the model was trained on, and the votes of trees on other "+
			"rows are no out-of-bag votes; give the data of the training, read in the same way, with the same case weights",
			forest.ErrTrain)
	case repeats == 0:
		repeats = 5
	}
	out := &Importance{Measure: m.Provenance.Measure, Repeats: repeats}
	measure, err := m.Measure()
	if err != nil {
		out.Measure = pragmaMeasure
		if measure, err = m.Spec.Measure(m.Classes()); err != nil {
			return nil, err
		}
	}
	costs, weights := m.Provenance.CostsOf(), m.Weights
	loss := func(t *vote.Table) (float64, error) {
		t = tables.Predictive(t)
		if m.Provenance.ByCost {
			decided, err := m.confuse(t)
			if err != nil {
				return 0, err
			}
			return measure.Loss(decided), nil
		}
		t, err := costs.Stakes(t)
		if err != nil {
			return 0, err
		}
		return measure.Loss(t.Confuse(weights)), nil
	}
	c := m.Provenance.Growth()
	c.Workers = workers
	if progress != nil {
		c.Progress = counted(repeats*len(m.Forest.Schema), progress)
	}
	features := make([]spread, 2*len(m.Forest.Schema)) // of the accuracy, then of the loss
	for round := range repeats {
		err := m.Forest.PermutationVotes(ctx, train, c, round, func(feature int, ordinary, permuted *vote.Table) error {
			if round == 0 && feature == 0 {
				out.Accuracy = accuracy(ordinary)
				if len(m.Provenance.Floors) > 0 {
					free := Config{Search: anneal.Search{Seed: m.Provenance.Seed, Workers: workers}, Costs: costs}
					found, err := free.Tune(ctx, ordinary, measure)
					if err != nil {
						return err
					}
					weights = found.Weights
				}
				if out.Loss, err = loss(ordinary); err != nil {
					return err
				}
			}
			permutedLoss, err := loss(permuted)
			if err != nil {
				return err
			}
			features[2*feature].add(out.Accuracy - accuracy(permuted))
			features[2*feature+1].add(permutedLoss - out.Loss)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, out.fill(m.Forest, features)
}

// counted returns a function that counts its calls, which may come from several goroutines, for progress.
func counted(total int, progress func(done, total int)) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		progress(done, total)
	}
}

// fill turns what was found into the figures of the features.
func (out *Importance) fill(f *forest.Forest, features []spread) error {
	impurity := f.Importance()
	for j, field := range f.Schema {
		accuracy, loss := &features[2*j], &features[2*j+1]
		if sum := accuracy.mean + loss.mean + out.Loss; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return errors.New("too few rows are out of bag for the measure to judge them; more rows or more trees are needed")
		}
		out.Features = append(out.Features, FeatureImportance{
			Name: field.Name, Impurity: impurity[j], Accuracy: accuracy.mean, AccuracyError: accuracy.standardError(),
			Loss: loss.mean, LossError: loss.standardError(),
		})
	}
	return nil
}

// accuracy returns the share of the votes that are for the class of their row, by case weight.
func accuracy(t *vote.Table) float64 {
	right, all := 0.0, 0.0
	for i, votes := range t.Judged() {
		w := t.WeightOf(i)
		right += float64(w * float64(votes[t.Truth[i]]))
		all += float64(w * float64(vote.Total(votes)))
	}
	return right / all
}

// spread is the mean of numbers and the sum of squares around it (Welford 1962).
type spread struct {
	n, mean, squares float64
}

func (s *spread) add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / s.n
	s.squares += float64(d * (x - s.mean))
}

func (s *spread) standardError() float64 {
	if s.n < 2 {
		return 0
	}
	return math.Sqrt(s.squares / (s.n - 1) / s.n)
}
