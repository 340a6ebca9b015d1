package rfpragma

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// years are made-up payments of several years, each with a drift, dealt out so that the rows are in no order.
func years(n int, drifts ...float64) *dataset.Frame {
	var parts []*dataset.Frame
	for year, drift := range drifts {
		parts = append(parts, dataset.DriftedFraud(n, uint64(year+1), drift))
	}
	all := dataset.DriftedFraud(n*len(drifts), 1, 0)
	all.Time = &dataset.Column{Field: dataset.Field{Name: "year"}}
	for i := range all.Rows() {
		year, row := i*7%len(parts), i/len(parts)
		from := parts[year]
		for j := range all.Columns {
			all.Columns[j].Values[i] = from.Columns[j].Values[row]
		}
		all.Truth[i] = from.Truth[row]
		all.Time.Values = append(all.Time.Values, float64(2020+year))
	}
	return all
}

func timeConfig() Config { return Config{Forest: forest.Config{Trees: 40}, Votes: vote.OOB} }

// Each block is decided as a model of the rows before it, trained by hand, decides it; the rows of the first are not
// judged, and rules are compared on those of the last.
func TestTimeIsByEarlierRows(t *testing.T) {
	f, ctx := years(500, 0, 0.1, 0.2, 0.3), context.Background()
	for _, weighed := range []bool{false, true} {
		if weighed {
			for i := range f.Rows() {
				f.Weight = append(f.Weight, float64(i%3))
			}
		}
		decided := map[int]int{}                         // by row
		expected, variance := [3]float64{}, [3]float64{} // of fraud, by fold
		report, err := CrossValidate(ctx, f, fraudSpec(), timeConfig(), eval.Config{Seed: 5, HeldOut: func(h eval.HeldOut) {
			for i, row := range h.Rows {
				if _, twice := decided[row]; twice {
					t.Errorf("row %d is judged twice", row)
				}
				decided[row] = h.Rule.Decide(h.Votes.Votes(i))
				var p [2]float64
				h.Probabilities(p[:], h.Votes.Votes(i))
				w := f.WeightOf(row)
				expected[h.Fold] += w * p[0]
				variance[h.Fold] += w * w * p[0] * (1 - p[0])
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		all, n := vote.NewConfusion(f.Classes), 0
		for year := 2021; year < 2024; year++ {
			var before, within []int
			for i, v := range f.Time.Values {
				if v < float64(year) {
					before = append(before, i)
				} else if v == float64(year) {
					within = append(within, i)
				}
			}
			c := timeConfig()
			c.Forest.Seed, c.Search.Seed, c.AcceptBest = 5, 5, true
			m := mustFit(t, f.Take(before), fraudSpec(), c)
			table, err := m.Forest.Votes(ctx, f.Take(within), 0)
			if err != nil {
				t.Fatal(err)
			}
			rule, block := table.Rule(m.Weights), vote.NewConfusion(f.Classes)
			for i, row := range within {
				d := rule.Decide(table.Votes(i))
				if got, judged := decided[row]; !judged || got != d {
					t.Errorf("row %d of %d is decided as %d (%t), want %d", row, year, got, judged, d)
				}
				all.Add(f.Truth[row], d, f.WeightOf(row))
				block.Add(f.Truth[row], d, f.WeightOf(row))
				n++
			}
			b := report.Blocks[year-2020]
			if b.From != fmt.Sprint(year) || b.To != b.From || b.Fold != year-2020 || b.Rows != block.Total() {
				t.Errorf("%d: block %+v", year, b)
			}
			if e := b.Expected["fraud"]; math.Abs(e.Value-expected[b.Fold-1]) > 1e-9 ||
				math.Abs(e.SE-math.Sqrt(variance[b.Fold-1])) > 1e-9 {
				t.Errorf("%d: expected %+v, want %v ± √%v", year, e, expected[b.Fold-1], variance[b.Fold-1])
			}
			if recall, _ := block.Recall(0); *b.Classes["fraud"].Recall != recall {
				t.Errorf("%d: recall %v, want %v", year, *b.Classes["fraud"].Recall, recall)
			}
		}
		if len(decided) != n || report.Blocks[0].Classes != nil || report.Blocks[3].Before != report.Blocks[0].Rows+
			report.Blocks[1].Rows+report.Blocks[2].Rows {
			t.Errorf("%d rows are judged, want %d; blocks %+v", len(decided), n, report.Blocks)
		}
		for truth, line := range report.Rules.Tuned.Confusion {
			for d, got := range line {
				if want := report.Blocks[3].Decided.At(truth, d); got != want || report.Together.Decided.At(truth,
					d) != all.At(truth, d) {
					t.Errorf("%d decided as %d: %v, want %v; together %v, want %v", truth, d, got, want,
						report.Together.Decided.At(truth, d), all.At(truth, d))
				}
			}
		}
	}
}

// What comes later changes no earlier decision: neither labels, nor cells, nor whether there are such rows.
func TestTimeDoesNotLookAhead(t *testing.T) {
	run := func(f *dataset.Frame) (votes [][]uint32, weights []eval.FoldWeights) {
		report, err := CrossValidate(context.Background(), f, fraudSpec(), timeConfig(), eval.Config{Folds: f.MostBlocks(),
			HeldOut: func(h eval.HeldOut) {
				if h.Fold < 2 {
					for i := range h.Rows {
						votes = append(votes, slices.Clone(h.Votes.Votes(i)))
					}
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		return votes, report.WeightsByFold[:2]
	}
	f := years(300, 0, 0, 0.2, 0.2)
	votes, weights := run(f)
	var early []int
	for i, year := range f.Time.Values {
		if year < 2023 {
			early = append(early, i)
			if year == 2022 {
				f.Truth[i] = 1 - f.Truth[i] // it is judged, and nothing is judged by it
			}
		} else {
			f.Truth[i] = i % 2
			f.Columns[0].Values[i] = -1
		}
	}
	for name, g := range map[string]*dataset.Frame{"other labels": f, "no later rows": f.Take(early)} {
		if v, w := run(g); !reflect.DeepEqual(v, votes) || !reflect.DeepEqual(w, weights) {
			t.Errorf("%s: earlier rows are voted on otherwise, or weights are %v, were %v", name, w, weights)
		}
	}
}

// Where fraud changes, less is found of later rows than folds by chance promise, and about as much as a model of the
// early rows finds.
func TestTimeShowsDrift(t *testing.T) {
	race.SkipFigures(t)
	f, ctx := years(2500, 0, 0, 0.35), context.Background()
	find := func(f *dataset.Frame, folds int) float64 {
		report, err := CrossValidate(ctx, f, fraudSpec(), timeConfig(), eval.Config{Folds: folds})
		if err != nil {
			t.Fatal(err)
		}
		if report.Blocks != nil {
			return *report.Blocks[2].Classes["fraud"].Recall
		}
		return *report.Rules.Tuned.Classes["fraud"].Recall
	}
	inTime := find(f, 2)
	var early, late []int
	for i, year := range f.Time.Values {
		if year < 2022 {
			early = append(early, i)
		} else {
			late = append(late, i)
		}
	}
	m := mustFit(t, f.Take(early), fraudSpec(), timeConfig())
	judged, err := m.Evaluate(ctx, votesFor(t, m, f.Take(late)), timeConfig().Search)
	if err != nil {
		t.Fatal(err)
	}
	held := *judged.Rules.Tuned.Classes["fraud"].Recall
	f.Time = nil
	if mixed := find(f, 5); !(inTime < mixed-0.05) || math.Abs(inTime-held) > 0.1 {
		t.Errorf("recall in the order of time %.3f, of held-out rows %.3f, of folds by chance %.3f", inTime, held, mixed)
	}
}

// A model is the same whether its rows have a time or not, but for what it remembers of them.
func TestFitTakesNoTime(t *testing.T) {
	f := years(300, 0, 0.2)
	c := Config{Forest: forest.Config{Trees: 10}, Votes: vote.CV}
	with := mustFit(t, f, fraudSpec(), c)
	f.Time = nil
	without := mustFit(t, f, fraudSpec(), c)
	if got := with.Provenance.Ordered; !slices.Equal(got, []string{"year"}) {
		t.Errorf("in the order of %q", got)
	}
	if with.Provenance.Ordered = without.Provenance.Ordered; !bytes.Equal(fileOf(t, with), fileOf(t, without)) {
		t.Error("the models differ")
	}
}

// Where rows have a time, weights and maps are fitted on votes for each block but the first by forests of the blocks
// before it; the forest is that of all rows, and the maps know of which shares they are.
func TestFitForward(t *testing.T) {
	f, ctx := years(400, 0, 0.1, 0.2), context.Background()
	for i, year := range f.Time.Values { // and fraud is rarer in the first
		if year > 2020 && i%10 == 0 {
			f.Truth[i] = 0
		}
	}
	c := Config{Forest: forest.Config{Trees: 20, Seed: 3}}
	var oob *vote.Table
	c.Grown = func(t *vote.Table) { oob = t }
	grown, table, _, err := c.HeldOut(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	if table.Source != vote.Forward || oob == nil || oob.Source != vote.OOB || c.Forests(f) != 3 {
		t.Errorf("votes %q, %d forests", table.Source, c.Forests(f))
	}
	var before, within []int
	for year := 2020; year < 2023; year++ {
		within = nil
		for i, v := range f.Time.Values {
			if v == float64(year) {
				within = append(within, i)
			}
		}
		want := &vote.Table{Counts: make([]uint32, 2*len(within)), Classes: f.Classes}
		if before != nil {
			slices.Sort(before)
			other, _, err := forest.Grow(ctx, f.Take(before), forest.Config{Trees: 20, Seed: derived(3, year-2021)})
			if err != nil {
				t.Fatal(err)
			}
			if want, err = other.Votes(ctx, f.Take(within), 0); err != nil {
				t.Fatal(err)
			}
		}
		for i, row := range within {
			if !slices.Equal(table.Votes(row), want.Votes(i)) {
				t.Fatalf("row %d of %d has votes %v, want %v", row, year, table.Votes(row), want.Votes(i))
			}
		}
		before = append(before, within...)
	}
	m := mustFit(t, f, fraudSpec(), c)
	p := m.Provenance
	if p.Votes != vote.Forward || p.Folds != 2 || p.Unvoted != 400 || p.Figures == nil ||
		!(p.MapShare[0] > 1.1*grown.Share[0]) {
		t.Errorf("%+v", p)
	}
	if _, err := m.OutOfBag(ctx, f, 0); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(),
		"tuned on forward votes, which its file does not hold; train again for other weights or maps, or give rows that it "+
			"has not seen") {
		t.Errorf("out of bag: %v", err)
	}
	for _, w := range m.Warnings {
		if strings.Contains(w.Error(), "without votes") {
			t.Errorf("warning: %v", w)
		}
	}
}

// Where no block can be judged by those before, the votes are those of rows without a time.
func TestNothingForward(t *testing.T) {
	f := years(300, 0, 0)
	last := years(300, 0, 0)
	for i, year := range last.Time.Values {
		if year == 2021 {
			last.Truth[i] = 0
		}
	}
	groups := *f
	groups.Group = make([]int, f.Rows())
	once := years(300, 0)
	for name, tc := range map[string]struct {
		frame *dataset.Frame
		votes vote.Source
	}{"one time": {once, vote.CV}, "one class to judge": {last, vote.CV}, "groups": {&groups, vote.CV},
		"two times": {f, vote.Forward}} {
		if got := (Config{Forest: forest.Config{Trees: 20}}).Source(tc.frame); got != tc.votes {
			t.Errorf("%s: %s votes, want %s", name, got, tc.votes)
		}
	}
}

// Where fraud changes from year to year, maps of forward votes promise less of the next year than those of mixed
// times, and nearer to what comes.
func TestForwardKnowsOfDrift(t *testing.T) {
	race.SkipFigures(t)
	f := years(1500, 0, 0.12, 0.24, 0.36)
	var early, late []int
	for i, year := range f.Time.Values {
		if year < 2023 {
			early = append(early, i)
		} else {
			late = append(late, i)
		}
	}
	logLoss := map[vote.Source]float64{}
	for _, source := range []vote.Source{"", vote.OOB} {
		c := timeConfig()
		c.Votes, c.Forest.Trees = source, 200
		m := mustFit(t, f.Take(early), fraudSpec(), c)
		judged, err := m.Evaluate(context.Background(), votesFor(t, m, f.Take(late)), c.Search)
		if err != nil {
			t.Fatal(err)
		}
		logLoss[m.Provenance.Votes] = judged.Rules.Tuned.LogLoss
	}
	if !(logLoss[vote.Forward] < logLoss[vote.OOB]) {
		t.Errorf("log loss %v", logLoss)
	}
}

// With repeats the blocks stay, and trees are others; what cannot be together is refused.
func TestTimeSettings(t *testing.T) {
	f, ctx := years(300, 0, 0, 0), context.Background()
	report, err := CrossValidate(ctx, f, fraudSpec(), timeConfig(), eval.Config{Repeats: 2})
	if err != nil {
		t.Fatal(err)
	}
	if n := report.Votes.Rows(); n != 600 || report.Rules.Tuned.PragmaSD == nil || len(report.WeightsByFold) != 4 ||
		report.Rules.Tuned.Classes["ok"].Support+report.Rules.Tuned.Classes["fraud"].Support != 300 {
		t.Errorf("%d rows, %d weights, %+v", n, len(report.WeightsByFold), report.Rules.Tuned.Classes)
	}
	if support := report.Blocks[1].Classes["ok"].Support + report.Blocks[1].Classes["fraud"].Support; support != 300 {
		t.Errorf("block 1 has %v rows", support)
	}
	var usage *dataset.UsageError
	if _, err := CrossValidate(ctx, f, fraudSpec(), timeConfig(), eval.Config{Folds: 3}); !errors.As(err, &usage) {
		t.Errorf("3 folds of 3 times: %v", err)
	}
	if _, err := CrossValidate(ctx, f, fraudSpec(), timeConfig(), eval.Config{FoldOf: append(make([]int, 899),
		1)}); !errors.Is(err, eval.ErrConfig) {
		t.Errorf("folds beside times: %v", err)
	}
	f.Group = make([]int, 900)
	if _, err := CrossValidate(ctx, f, fraudSpec(), timeConfig(), eval.Config{}); !errors.Is(err, eval.ErrConfig) {
		t.Errorf("groups beside times: %v", err)
	}
}

// A class that comes later than the first block is in vain looked for where it is new, and that is said.
func TestTimeOfANewClass(t *testing.T) {
	f := years(300, 0, 0, 0, 0)
	f.Classes = []string{"fraud", "ok", "phishing"}
	for i, year := range f.Time.Values {
		if year == 2023 && i%5 == 0 {
			f.Truth[i] = 2
		}
	}
	report, err := CrossValidate(context.Background(), f, pragma.Spec{"fraud": pragma.Priority()}, timeConfig(),
		eval.Config{})
	if err != nil {
		t.Fatal(err)
	}
	want := `class "phishing" has no row before 2023, so none of its rows up to 2023 can be found`
	if !slices.ContainsFunc(report.Warnings, func(w error) bool { return w.Error() == want }) || len(report.Blocks) != 4 {
		t.Errorf("warnings %q of %d blocks, want %s", report.Warnings, len(report.Blocks), want)
	}
	if recall := report.Rules.Tuned.Classes["phishing"].Recall; *recall != 0 {
		t.Errorf("recall %v of a class that nothing has seen", *recall)
	}
}
