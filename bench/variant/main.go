// Command variant asks whether one thing about the trees matters: it grows forests as usual and with this one thing
// changed on the same random two thirds of each set, and judges both on the rest.
//
//	go run ./variant -seeds 10 -bag poisson letter.csv satimage.csv
//	go run ./variant -seeds 10 -subset-levels 65535 churn.csv adult.csv
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

func main() {
	command.Run("variant", run)
}

func run(ctx context.Context) error {
	seeds := flag.Int("seeds", 10, "random splits of each set")
	trees := flag.Int("trees", 200, "trees of each forest")
	bag := flag.String("bag", "", "the variant draws bags of this `KIND`")
	subsets := flag.Int("subset-levels", 0, "the variant splits columns of up to so many `LEVELS` by subsets")
	categorical := flag.String("categorical", "", "`COLUMNS` read as categories, a,b")
	flag.Parse()
	if flag.NArg() == 0 || *seeds < 2 || (*bag == "") == (*subsets == 0) {
		return fmt.Errorf("name CSV files with the label in a column class, 2 or more -seeds, and one variant: -bag or -subset-levels")
	}
	usual := forest.Config{Trees: *trees}
	variant := usual
	variant.Bag, variant.SubsetLevels = forest.Bag(*bag), *subsets
	fmt.Printf("%d trees, %d splits; the variant minus the usual forest, ± the standard error\n\n", *trees, *seeds)
	fmt.Println("| set | accuracy, usual | difference | recall of the rarest class, usual | difference | log loss, usual | difference |\n|---|---|---|---|---|---|---|")
	for _, path := range flag.Args() {
		frame, err := set.CSV(path, strings.FieldsFunc(*categorical, func(r rune) bool { return r == ',' })...)
		if err != nil {
			return err
		}
		if err := compare(ctx, path, frame, *seeds, usual, variant); err != nil {
			return err
		}
	}
	return nil
}

// compare prints the line of a set.
func compare(ctx context.Context, path string, frame *dataset.Frame, seeds int, usual, variant forest.Config) error {
	var first, difference [3]moments
	for seed := range seeds {
		train, test := split(frame, uint64(seed))
		var judged [2][3]float64
		for i, c := range []forest.Config{usual, variant} {
			c.Seed = uint64(seed)
			f, _, err := forest.Grow(ctx, train, c)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			table, err := f.Votes(ctx, test, 0)
			if err != nil {
				return err
			}
			judged[i] = judge(table)
		}
		for m := range first {
			first[m].add(judged[0][m])
			difference[m].add(judged[1][m] - judged[0][m])
		}
	}
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	fmt.Printf("| %s |", name)
	for m := range first {
		fmt.Printf(" %.4f | %+.4f ± %.4f |", first[m].mean(), difference[m].mean(), difference[m].error())
	}
	fmt.Println()
	return nil
}

// split deals the rows at random, a third to test.
func split(frame *dataset.Frame, seed uint64) (train, test *dataset.Frame) {
	rows := rand.New(rand.NewPCG(seed, 1)).Perm(frame.Rows())
	third := len(rows) / 3
	return frame.Take(rows[third:]), frame.Take(rows[:third])
}

// judge returns the accuracy, the recall of the rarest class and the log loss of the plain vote.
func judge(t *vote.Table) [3]float64 {
	counts := make([]float64, len(t.Classes))
	for _, c := range t.Truth {
		counts[c]++
	}
	rarest := 0
	for c, n := range counts {
		if n < counts[rarest] {
			rarest = c
		}
	}
	m := t.Confuse(nil)
	accuracy, _ := m.Accuracy()
	recall, _ := m.Recall(rarest)
	loss, k := 0.0, float64(len(t.Classes))
	for i, votes := range t.Judged() {
		loss -= math.Log((float64(votes[t.Truth[i]]) + 1/k) / (float64(vote.Total(votes)) + 1))
	}
	return [3]float64{accuracy, recall, loss / float64(t.Rows())}
}

// moments sums values up.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(v float64) {
	m.n++
	m.sum += v
	m.squares += v * v
}

func (m *moments) mean() float64 { return m.sum / m.n }

// error returns the standard error of the mean.
func (m *moments) error() float64 {
	return math.Sqrt(max(0, m.squares/m.n-m.mean()*m.mean()) / (m.n - 1))
}
