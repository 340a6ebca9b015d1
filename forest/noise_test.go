package forest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/vote"
)

// tossed has labels drawn by the toss of a coin for each row, the rarer class with probability
// rare: whatever decides without having seen the label of a row is right in half of the cases if rare is 0.5.
func tossed(n int, rare float64, seed uint64) *dataset.Frame {
	f := learnable(n, seed)
	rng := rand.New(rand.NewPCG(seed, 60))
	for i := range f.Truth {
		f.Truth[i] = 0
		if rng.Float64() < rare {
			f.Truth[i] = 1
		}
	}
	return f
}

// votesRight returns the mean over both classes of the share of single votes that are right.
// (The majority of balanced bags is not at chance on noise: the draws of the rarer class are of fewer different
// rows, so a vote leans to the common one, and rows of that have more votes, which is where a majority shows a
// lean most. By 200 seeds it is 0.508, standard error 0.002. A single vote knows nothing of that.)
func votesRight(t *vote.Table) float64 {
	var right, rows [2]float64
	for i, votes := range t.Judged() {
		c := t.Truth[i]
		rows[c]++
		right[c] += float64(votes[c]) / float64(vote.Total(votes))
	}
	return (right[0]/rows[0] + right[1]/rows[1]) / 2
}

// accuracy returns the share of rows with most votes for their class, a tie counting half: it
// would go to the class that is more common in the training rows, which the row is one of.
func accuracy(t *vote.Table) float64 {
	right, rows := 0.0, 0.0
	for i, votes := range t.Judged() {
		c := t.Truth[i]
		rows++
		switch own, other := votes[c], votes[1-c]; {
		case own > other:
			right++
		case own == other:
			right += 0.5
		}
	}
	return right / rows
}

// atChance fails unless the mean of figures is a half but for 4 standard errors. (The false alarm
// of one such test is about 1 in 1,000, as the spread is estimated from 20 figures; but the seeds are fixed.)
func atChance(t *testing.T, figures []float64) {
	t.Helper()
	n, sum, squares := float64(len(figures)), 0.0, 0.0
	for _, v := range figures {
		sum += v
	}
	for _, v := range figures {
		squares += (v - sum/n) * (v - sum/n)
	}
	se := math.Sqrt(squares / (n - 1) / n)
	t.Logf("%.4f, standard error %.4f", sum/n, se)
	if math.Abs(sum/n-0.5) > 4*se {
		t.Errorf("mean %.4f on noise, want 0.5 within 4 standard errors of %.4f", sum/n, se)
	}
}

// skipFigures skips what is about figures in a short run and under the race detector.
func skipFigures(t *testing.T) {
	t.Helper()
	if testing.Short() || race.Enabled {
		t.Skip("about figures, and not for a short run")
	}
}

// changed names the settings of c that are not 0.
func changed(c Config) string {
	var out []string
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() {
			out = append(out, fmt.Sprintf("%s %v", v.Type().Field(i).Name, f))
		}
	}
	return "noise " + strings.Join(out, ", ")
}

// Noise is not learned, whatever is drawn and however trees grow: out-of-bag votes are right by
// chance. A vote of a tree that has seen the row would be right nearly always. Balanced bags are judged on labels of
// which 30 % are rare, by the mean recall.
func TestNoiseOutOfBag(t *testing.T) {
	const n, seeds = 600, 20
	skipFigures(t)
	for _, cfg := range []Config{
		{},
		{MinLeaf: 5},
		{Mtry: 4},
		{Fraction: 0.3},
		{NoReplacement: true},
		{NoReplacement: true, Fraction: 0.9},
		{Bag: Stratified},
		{Bag: Stratified, NoReplacement: true},
		{Bag: Stratified, ClassRows: []float64{40, 0.2}},
		{Bag: Balanced},
		{Bag: Balanced, NoReplacement: true, Fraction: 0.8},
		{Bag: Poisson},
		{Bag: Poisson, Fraction: 0.5},
		{Bag: Hash(300)},
		{RandomCuts: true},
		{RandomCuts: true, NoReplacement: true, Fraction: 0.8},
		{Soft: true},
		{Soft: true, MinLeaf: 10},
		{Criterion: Entropy},
		{Criterion: Entropy, RandomCuts: true, Soft: true, Bag: Poisson},
		{Criterion: Hellinger},
		{Criterion: OffCentred},
		{Criterion: Pragma, Slopes: priority},
		{MaxLeaves: 12},
		{MaxDepth: 3},
	} {
		t.Run(changed(cfg), func(t *testing.T) {
			t.Parallel()
			var figures []float64
			for seed := range uint64(seeds) {
				rare, judge := 0.5, accuracy
				if cfg.Bag == Balanced {
					rare, judge = 0.3, votesRight
				}
				cfg.Trees, cfg.Seed, cfg.Workers = 41, seed, 1
				_, oob := mustGrow(t, tossed(n, rare, seed), cfg)
				figures = append(figures, judge(oob))
			}
			atChance(t, figures)
		})
	}
}

// The same by five folds, also where trees see all rows and nothing is out of bag.
func TestNoiseInFolds(t *testing.T) {
	const n, seeds = 600, 12
	skipFigures(t)
	for name, cfg := range map[string]Config{
		"plain":           {},
		"extra trees":     {RandomCuts: true, NoReplacement: true, Fraction: 1},
		"all rows, soft":  {NoReplacement: true, Fraction: 1, Soft: true, MinLeaf: 5},
		"leaves, entropy": {MaxLeaves: 20, Criterion: Entropy},
		"poisson":         {Bag: Poisson},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var figures []float64
			for seed := range uint64(seeds) {
				cfg.Trees, cfg.Seed, cfg.Workers = 21, seed, 1
				frame, right := tossed(n, 0.5, 100+seed), 0.0
				for fold := range 5 {
					var train, test []int
					for i := range n {
						if i%5 == fold {
							test = append(test, i)
						} else {
							train = append(train, i)
						}
					}
					f, _ := mustGrow(t, frame.Take(train), cfg)
					table, err := f.Votes(context.Background(), frame.Take(test), 1)
					if err != nil {
						t.Fatal(err)
					}
					right += accuracy(table) / 5
				}
				figures = append(figures, right)
			}
			atChance(t, figures)
		})
	}
}
