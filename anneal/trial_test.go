package anneal

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// On equal weights a search gains what its trial says itself, with the same standard error; on others what the
// losses of all rows say; and of weights of 1 each nothing on the same.
func TestGain(t *testing.T) {
	race.SkipFigures(t)
	for _, k := range []int{2, 4} {
		table := votesOf(rand.New(rand.NewPCG(3, 67)), 200, k, 0.15)
		for _, groups := range []bool{false, true} {
			if groups {
				table = repeated(table, 2)
			}
			s, ones, fixed := Search{Seed: 5}, slices.Repeat(vote.Weights{1}, k), vote.Prior(table.Share)
			trial, err := s.Try(t.Context(), table, pragma.Balanced)
			if err != nil {
				t.Fatal(err)
			}
			gain, deviation, err := s.Gain(table, pragma.Balanced, trial, ones)
			if err != nil || gain != trial.Plain-trial.Loss || deviation != trial.Error {
				t.Errorf("%d classes: %v, gain %v ± %v on equal weights, the trial says %v ± %v", k, err, gain, deviation,
					trial.Plain-trial.Loss, trial.Error)
			}
			gain, deviation, err = s.Gain(table, pragma.Balanced, trial, fixed)
			if want := pragma.Balanced.Loss(table.Confuse(fixed)) - trial.Loss; err != nil || math.Abs(gain-want) > 1e-12 ||
				!(deviation > 0 && deviation < 0.2) {
				t.Errorf("%d classes: %v, gain %v ± %v, want %v", k, err, gain, deviation, want)
			}
			plain, err := s.Expect(t.Context(), table, pragma.Balanced, Result{Weights: ones})
			if err != nil {
				t.Fatal(err)
			}
			if gain, deviation, err = s.Gain(table, pragma.Balanced, plain, ones); err != nil || gain != 0 || deviation != 0 {
				t.Errorf("%d classes: %v, weights of 1 gain %v ± %v on the same", k, err, gain, deviation)
			}
			if _, _, err = s.Gain(table, pragma.Balanced, trial, ones[1:]); !errors.Is(err, vote.ErrShape) {
				t.Errorf("%d classes: %v of one weight less", k, err)
			}
		}
	}
}

// The weights of a trial are by class, whichever class is the common one: named the other way round the classes
// have the same weights, and what these gain on fixed ones stays.
func TestTrialWhicheverClassIsCommon(t *testing.T) {
	race.SkipFigures(t)
	for _, k := range []int{3, 4} {
		table := votesOf(rand.New(rand.NewPCG(4, 67)), 200, k, 0.15)
		turned := reversed(table)
		s := Search{Seed: 5}
		trial, err := s.Try(t.Context(), table, pragma.Balanced)
		if err != nil {
			t.Fatal(err)
		}
		other, err := s.Try(t.Context(), turned, pragma.Balanced)
		if err != nil {
			t.Fatal(err)
		}
		uneven := false
		for f, w := range trial.Weights {
			back := slices.Clone(other.Weights[f])
			slices.Reverse(back)
			if !slices.Equal(w, back) {
				t.Errorf("%d classes, part %d: weights %v, named the other way round %v", k, f, w, other.Weights[f])
			}
			uneven = uneven || w[0] != w[k-1]
		}
		fixed := vote.Prior(table.Share)
		gain, deviation, err := s.Gain(table, pragma.Balanced, trial, fixed)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(fixed)
		if g, d, err := s.Gain(turned, pragma.Balanced, other, fixed); err != nil || math.Abs(g-gain) > 1e-9 ||
			math.Abs(d-deviation) > 1e-9 || !uneven {
			t.Errorf("%d classes: gain %v ± %v, named the other way round %v ± %v (%v); weights that differ %v", k, gain,
				deviation, g, d, err, uneven)
		}
	}
}
