package anneal_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A trace tells of every level of every chain: temperatures fall, and the lowest loss never rises.
func TestTrace(t *testing.T) {
	table := random(rand.New(rand.NewPCG(1, 91)), 400, 5, 20)
	var lock sync.Mutex
	var all []anneal.Level
	s := anneal.Search{Method: anneal.Annealing, Chains: 3, Steps: 6400, Trace: func(l anneal.Level) {
		lock.Lock()
		defer lock.Unlock()
		all = append(all, l)
	}}
	r := search(t, s, table, pragma.Balanced)
	if len(all) != 3*64 {
		t.Fatalf("%d levels, want 64 of each of 3 chains", len(all))
	}
	slices.SortFunc(all, func(a, b anneal.Level) int { return 100*(a.Chain-b.Chain) + a.Level - b.Level })
	for chain := range 3 {
		levels := all[64*chain : 64*chain+64]
		for i, l := range levels {
			if l.Chain != chain || l.Level != i || l.Lowest > l.Loss || l.Accepted < 0 || l.Accepted > 1 {
				t.Fatalf("level %d of chain %d: %+v", i, chain, l)
			}
			if i > 0 && (l.Temperature >= levels[i-1].Temperature || l.Lowest > levels[i-1].Lowest) {
				t.Fatalf("level %d of chain %d: %+v after %+v", i, chain, l, levels[i-1])
			}
		}
		if levels[63].Lowest < r.Lowest && !near(levels[63].Lowest, r.Lowest) {
			t.Errorf("chain %d passed %v, the result is %v", chain, levels[63].Lowest, r.Lowest)
		}
	}
	if r.Of != 3 || r.Agreed < 1 || r.Agreed > 3 || r.Lowest != r.Loss {
		t.Errorf("%d of %d searches agree on %v, the loss is %v", r.Agreed, r.Of, r.Lowest, r.Loss)
	}
}

// The lowest loss is of the votes that were searched, out-of-bag ones carried over to all trees, as the loss is.
func TestLowestOutOfBag(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 91))
	table := random(rng, 400, 5, 20)
	for i := range table.Truth[:150] { // with errors that no weights mend
		table.Truth[i] = rng.IntN(5)
	}
	table.Source, table.Trees = vote.OOB, 54
	r, err := anneal.Search{Method: anneal.Coordinates, Choice: anneal.Lowest}.Weights(t.Context(), table, pragma.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	if want := pragma.Balanced.Loss(tables.Predictive(table).Confuse(r.Weights)); r.Lowest != r.Loss ||
		!near(r.Lowest, want) {
		t.Errorf("the lowest loss is %v, the loss %v, want %v", r.Lowest, r.Loss, want)
	}
	if plain := pragma.Balanced.Loss(table.Confuse(r.Weights)); near(plain, r.Loss) {
		t.Error("the votes as they are have the same loss, so nothing was tested")
	}
}
