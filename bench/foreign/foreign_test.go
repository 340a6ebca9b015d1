package foreign

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/malaschitz/randomForest"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// all calls test for every peer and each of its settings.
func all(t *testing.T, test func(t *testing.T, p Peer, c Config)) {
	for _, p := range Peers() {
		for _, setting := range append([]string{""}, p.Settings...) {
			t.Run(strings.TrimSuffix(p.Name+":"+setting, ":"), func(t *testing.T) {
				test(t, p, Config{Trees: 20, Mtry: 4, Workers: 2, Setting: setting})
			})
		}
	}
}

// share returns the share of the judged rows that the majority decides rightly.
func share(table *vote.Table) float64 {
	accuracy, _ := table.Confuse(nil).Accuracy()
	return accuracy
}

func TestVotes(t *testing.T) {
	train, other := dataset.Wave(400, 3, 1), dataset.Wave(300, 3, 2)
	all(t, func(t *testing.T, p Peer, c Config) {
		votes := p.Votes(train, other, c)
		if err := votes.Check(); err != nil {
			t.Fatal(err)
		}
		for i := range votes.Rows() {
			if total := vote.Total(votes.Votes(i)); total != uint64(c.Trees) {
				t.Fatalf("row %d has %d votes of %d trees", i, total, c.Trees)
			}
		}
		// The best rule reaches 0.86, and 20 trees 0.80 and more; a class named blindly 0.33.
		if got := share(votes); got < 0.7 {
			t.Errorf("%.3f of new rows are decided rightly", got)
		}
	})
}

func TestForest(t *testing.T) {
	train := dataset.Wave(200, 2, 1)
	x := set.Cells(train)
	all(t, func(t *testing.T, p Peer, c Config) {
		f := p.Grow(x, train.Truth, 2, c)
		// A tree of full depth on as many waves has at least some leaves, and not more than rows.
		if n := f.Nodes(); n < 5*c.Trees || n > 2*train.Rows()*c.Trees {
			t.Errorf("%d nodes of %d trees", n, c.Trees)
		}
		var file bytes.Buffer
		if err := f.Write(&file); err != nil || file.Len() < 2*f.Nodes() {
			t.Errorf("%d bytes written, %v", file.Len(), err)
		}
		// The votes do not depend on who counts them.
		if one, many := f.Votes(x, 1), f.Votes(x, 3); !slices.Equal(one, many) {
			t.Error("one worker counts other votes than three")
		}
		// Trees of full depth know their own rows: that is why such votes are worth nothing.
		table := &vote.Table{Classes: train.Classes, Truth: train.Truth, Counts: f.Votes(x, 2), Trees: c.Trees}
		if got := share(table); got < 0.99 {
			t.Errorf("%.3f of the training rows are decided rightly; is there a limit to the depth?", got)
		}
	})
}

func TestHeldOut(t *testing.T) {
	train := dataset.Wave(300, 2, 1)
	all(t, func(t *testing.T, p Peer, c Config) {
		held, err := p.HeldOut(train, 3, c)
		if err != nil {
			t.Fatal(err)
		}
		if held.Source != vote.CV || held.Rows() != train.Rows() || held.Unvoted() != 0 || math.Abs(held.Share[0]+held.Share[1]-1) > 1e-12 {
			t.Errorf("held-out votes: source %s, %d rows, %d without votes, shares %v", held.Source, held.Rows(), held.Unvoted(), held.Share)
		}
		// Waves of two classes are told apart in 0.9 of the cases. All would be votes on their own rows.
		if got := share(held); got < 0.8 || got > 0.98 {
			t.Errorf("%.3f of the rows are decided rightly by forests that have not seen them", got)
		}
	})
	if _, err := Peers()[0].HeldOut(train, 1, Config{Trees: 1, Mtry: 1, Workers: 1}); err == nil {
		t.Error("one fold holds nothing out, and is taken")
	}
}

// With either of the ways of CloudForest trees vote more often for the rare class.
func TestSettings(t *testing.T) {
	train, other := dataset.Fraud(2000, 1), dataset.Fraud(2000, 2)
	votes := func(setting string) (fraud uint64) {
		p, s, err := Find("CloudForest" + setting)
		if err != nil {
			t.Fatal(err)
		}
		table := p.Votes(train, other, Config{Trees: 40, Mtry: 3, Workers: 2, Setting: s})
		for i := range table.Rows() {
			fraud += uint64(table.Votes(i)[0])
		}
		return fraud
	}
	plain := votes("")
	for _, setting := range []string{":" + cloudBalance, ":" + cloudWeights} {
		if got := votes(setting); got <= plain { // in trials 1.3 to 3.8 times as many
			t.Errorf("%d votes for fraud with %s, %d without", got, setting, plain)
		}
	}
}

func TestFind(t *testing.T) {
	p, setting, err := Find("CloudForest:balance")
	if err != nil || p.Name != "CloudForest" || setting != cloudBalance {
		t.Errorf("Find = %s, %q, %v", p.Name, setting, err)
	}
	for _, name := range []string{"", "weka", "malaschitz:balance", "CloudForest:"} {
		if _, _, err := Find(name); err == nil {
			t.Errorf("Find(%q) finds something", name)
		}
	}
}

func TestMissingCells(t *testing.T) {
	nan := float32(math.NaN())
	x := set.Matrix{Rows: 6, Columns: 2, Cells: []float32{0, 1, 0, 2, 0, nan, 1, 1, 1, 2, 1, nan}}
	y := []int{0, 0, 0, 1, 1, 1}
	all(t, func(t *testing.T, p Peer, c Config) {
		c.Mtry, c.Trees = 2, 1000 // some draw their bags from a seed that nobody sets
		votes := p.Grow(x, y, 2, c).Votes(x, 1)
		if len(votes) != 12 || votes[0] <= votes[1] || votes[6] >= votes[7] {
			t.Errorf("votes %v of rows that the first column parts", votes)
		}
	})
}

// The leaf of malaschitz that no row came to has no vote.
func TestEmptyLeaf(t *testing.T) {
	tree := randomforest.Branch{Value: 1, Branch0: &randomforest.Branch{IsLeaf: true, LeafValue: []float64{0.25, 0.75}}, Branch1: &randomforest.Branch{IsLeaf: true, LeafValue: []float64{0, 0}}}
	for row, want := range map[float64]int{1: 1, 2: -1} {
		if got := decision(leaf(&tree, []float64{row})); got != want {
			t.Errorf("decision of the leaf of %g is %d, want %d", row, got, want)
		}
	}
}
