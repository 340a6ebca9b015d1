package rfpragma

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// TuneForest says how thoroughly the settings of the forest are searched, see [Config].
type TuneForest string

// The ways. "" means quick from 200 trees on, and off below: the votes of fewer trees tell settings apart too poorly.
const (
	TuneOff   TuneForest = "off"   // the settings are those of Config.Forest
	TuneQuick TuneForest = "quick" // seven settings, at the price of 3 to 9 trainings
	TuneFull  TuneForest = "full"  // some 20 settings, at the price of 4 to 10
)

// fewestTrees is from how many trees on settings are searched unless it is said otherwise.
const fewestTrees = 200

// tunes returns how settings are searched for a forest of so many trees.
func (how TuneForest) tunes(trees int) TuneForest {
	switch {
	case how != "":
		return how
	case trees < fewestTrees:
		return TuneOff
	}
	return TuneQuick
}

// ForestChoice is the record of a search for the settings of the forest. Losses are of held-out votes.
type ForestChoice struct {
	Settings int  `json:"settings"` // number of settings that were tried
	Kept     bool `json:"kept"`     // whether no other settings were proven better than those that were given

	LogLoss      float64 `json:"log_loss"`       // calibrated log loss of the chosen settings
	GivenLogLoss float64 `json:"given_log_loss"` // and of those that were given
	Loss         float64 `json:"loss"`           // lowest loss that weights reach with the chosen settings
	GivenLoss    float64 `json:"given_loss"`     // and with those that were given
}

// setting is a forest that is tried.
type setting struct {
	config forest.Config
	votes  *vote.Table // of the trees so far; the rows are those of the training
	losses []float64   // by row: log loss; NaN without a vote
	mean   float64     // of the losses
	ahead  float64     // what the mean is expected to be with all trees
	trees  int
}

// contest is a search for settings: in rounds with more trees each, which fewer settings take part in.
type contest struct {
	Config
	train    *dataset.Frame
	settings []*setting
	whole    *forest.Forest // a tree on all rows, where others vote
	all      int            // trees of the forest that is to be grown
}

// round of a contest: up to so many trees, and how many settings go on.
type round struct{ trees, keep int }

// tuned returns c with the settings of the forest that do best for train, see TuneForest.
func (c Config) tuned(ctx context.Context, train *dataset.Frame) (Config, error) {
	trees := c.Forest.Resolved(len(train.Columns)).Trees
	c.TuneForest = c.TuneForest.tunes(trees)
	switch c.TuneForest {
	case TuneOff:
		return c, nil
	case TuneQuick, TuneFull:
	default:
		return c, fmt.Errorf("%w: tune forest %q; choose off, quick or full", ErrConfig, c.TuneForest)
	}
	if err := c.check(train); err != nil {
		return c, err
	}
	asked := c.Votes
	c.Votes = c.source(train) // which must not change with the number of trees
	r := &contest{Config: c, train: train, all: trees}
	for _, f := range c.settings(train) {
		f.Progress = nil
		r.settings = append(r.settings, &setting{config: f})
	}
	tried := len(r.settings)
	rounds := []round{{25, tried}, {50, 3}, {100, 2}, {200, 1}}
	if c.TuneForest == TuneFull {
		rounds = []round{{25, tried}, {50, 6}, {100, 3}, {200, 2}}
	}
	for _, next := range rounds {
		if next.trees < r.all {
			if err := r.run(ctx, next); err != nil {
				return c, err
			}
		}
	}
	if err := r.run(ctx, round{min(r.all, rounds[len(rounds)-1].trees), len(r.settings)}); err != nil {
		return c, err
	}
	best, err := r.choose(ctx)
	if err != nil {
		return c, err
	}
	best.choice.Settings = tried
	best.config.Progress, c.Votes = c.Forest.Progress, asked
	c.Forest, c.choice = best.config, &best.choice
	if c.Chosen != nil {
		c.Chosen(c.Forest.Resolved(len(train.Columns)), best.choice)
	}
	return c, nil
}

// settings returns what is tried: first what was given, then what differs from it only where nothing was given.
func (c Config) settings(train *dataset.Frame) []forest.Config {
	p := len(train.Columns)
	given := c.Forest
	all := []forest.Config{given}
	add := func(leaf int, mtry float64, soft, random bool, by forest.Criterion) {
		f := given
		if f.MinLeaf == 0 {
			f.MinLeaf = leaf
		}
		if f.Mtry == 0 {
			f.Mtry = min(p, max(1, int(math.Round(mtry*math.Sqrt(float64(p))))))
		}
		f.Soft = f.Soft || soft
		f.RandomCuts = f.RandomCuts || random
		if f.Criterion == "" && !f.RandomCuts {
			f.Criterion = by
		}
		same := func(g forest.Config) bool {
			a, b := f.Resolved(p), g.Resolved(p)
			return a.MinLeaf == b.MinLeaf && a.Mtry == b.Mtry && a.Soft == b.Soft && a.RandomCuts == b.RandomCuts &&
				a.Criterion == b.Criterion
		}
		if 20*f.MinLeaf <= train.Rows() && !slices.ContainsFunc(all, same) {
			all = append(all, f)
		}
	}
	add(1, 2, false, false, "")
	add(5, 1, true, false, "")
	add(5, 2, true, false, "")
	add(2, 1, true, true, "")
	add(2, 4, true, true, "")
	add(1, 4, false, true, "")
	if c.TuneForest == TuneQuick {
		return all
	}
	for _, mtry := range []float64{0.5, 2, 4} {
		add(1, mtry, false, false, "")
	}
	add(1, 1, false, false, forest.Entropy)
	add(5, 1, true, false, forest.Entropy)
	for _, leaf := range []int{2, 5, 10, 20} {
		add(leaf, 1, true, false, "")
	}
	for _, leaf := range []int{5, 10, 20} {
		add(leaf, 2, true, false, "")
	}
	for _, leaf := range []int{1, 2, 5, 10} {
		add(leaf, 1, leaf > 1, true, "")
	}
	for _, leaf := range []int{1, 2, 5} {
		add(leaf, 4, leaf > 1, true, "")
	}
	return all
}

// run grows the forests up to the trees of a round, and lets the best go on; the first setting always does.
func (r *contest) run(ctx context.Context, to round) error {
	for _, s := range r.settings {
		if err := r.extend(ctx, s, to.trees); err != nil {
			return err
		}
	}
	others := r.settings[1:]
	slices.SortStableFunc(others, func(a, b *setting) int { return cmp.Compare(a.ahead, b.ahead) })
	r.settings = r.settings[:1+min(len(others), to.keep)]
	return nil
}

// extend grows the forest of s to so many trees, and judges its votes.
func (r *contest) extend(ctx context.Context, s *setting, trees int) error {
	if trees <= s.trees {
		return nil
	}
	c := r.Config
	c.Forest = s.config
	votes, err := r.votesOf(ctx, c, s.trees, trees)
	if err != nil {
		return err
	}
	before, had := s.mean, s.trees
	if s.votes == nil {
		s.votes = votes
	} else if err := s.votes.Add(votes); err != nil {
		return err
	}
	s.trees = trees
	if err := r.judge(ctx, s); err != nil {
		return err
	}
	s.ahead = s.mean
	if had > 0 { // what is left to gain falls as one over the number of trees
		a, b, all := 1/float64(had), 1/float64(trees), 1/float64(r.all)
		s.ahead += float64((s.mean - before) * ((b - all) / (a - b)))
	}
	return nil
}

// votesOf returns the votes of the trees from to to-1 for rows that these have not seen.
func (r *contest) votesOf(ctx context.Context, c Config, from, to int) (*vote.Table, error) {
	c.Forest.Trees = to
	source := c.source(r.train)
	if source != vote.CV && source != vote.Forward {
		_, votes, err := forest.GrowTrees(ctx, r.train, c.Forest, from, to)
		return votes, err
	}
	if r.whole == nil { // for the shares of the classes and their order
		var err error
		if r.whole, err = forest.GrowPart(ctx, r.train, c.Forest, 0, 1); err != nil {
			return nil, err
		}
	}
	splits := c.forward(r.train)
	if source == vote.CV {
		var err error
		if splits, err = c.across(r.train); err != nil {
			return nil, err
		}
	}
	return c.otherVotes(ctx, r.train, r.whole, source, splits, from, to)
}

// judge fits a smooth map to the votes of s, of few numbers as it is judged on the same rows, and works out the log
// loss of each row.
func (r *contest) judge(ctx context.Context, s *setting) error {
	c := Config{Calibration: calib.PlattLogit, Forest: s.config, Search: r.Search}
	if len(s.votes.Classes) > 2 {
		c.Calibration = calib.Temperature
	}
	maps, _, err := c.Calibrate(ctx, s.votes)
	if err != nil {
		return err
	}
	p, sum, rows := make([]float64, len(s.votes.Classes)), 0.0, 0.0
	s.losses = slices.Repeat([]float64{math.NaN()}, s.votes.Rows())
	for i, votes := range s.votes.Judged() {
		Probabilities(maps, p, votes, s.votes.Unit())
		s.losses[i] = -portable.Log(max(p[s.votes.Truth[i]], 1e-12))
		sum += float64(s.votes.WeightOf(i) * s.losses[i])
		rows += s.votes.WeightOf(i)
	}
	s.mean = sum / rows
	return nil
}

// chosenSetting are settings with their record.
type chosenSetting struct {
	config forest.Config
	choice ForestChoice
}

// choose returns the settings of the lowest log loss, if that is lower than with the given ones by a standard error;
// of those within one of the lowest, the settings whose votes weights can make the least loss of. Source of the
// bounds: the study in bench/tuning.
func (r *contest) choose(ctx context.Context) (*chosenSetting, error) {
	given, best := r.settings[0], r.settings[0]
	for _, s := range r.settings[1:] {
		if gain, se := r.gain(given, s); gain > se && s.mean < best.mean {
			best = s
		}
	}
	losses := map[*setting]float64{}
	for _, s := range r.settings {
		if gain, se := r.gain(s, best); s != given && s != best && (best == given || gain > se) {
			continue
		}
		loss, err := r.lowest(ctx, s)
		if err != nil {
			return nil, err
		}
		losses[s] = loss
	}
	chosen := best
	for _, s := range r.settings[1:] {
		gain, se := r.gain(given, s)
		if loss, near := losses[s]; near && gain > se && loss < losses[chosen] {
			chosen = s
		}
	}
	return &chosenSetting{chosen.config, ForestChoice{
		Kept: chosen == given, LogLoss: chosen.mean, GivenLogLoss: given.mean, Loss: losses[chosen], GivenLoss: losses[given],
	}}, nil
}

// gain returns by how much the mean log loss of b is lower than that of a, and the standard error of that.
func (r *contest) gain(a, b *setting) (gain, se float64) {
	n, sum, squares := 0.0, 0.0, 0.0
	for i, loss := range a.losses {
		d := loss - b.losses[i]
		if d != d {
			continue
		}
		w := a.votes.WeightOf(i)
		n += w
		sum += float64(w * d)
		squares += float64(w * float64(d*d))
	}
	if n == 0 {
		return 0, 0
	}
	rows := float64(tables.Stands(a.votes))
	mean := sum / n
	return mean, math.Sqrt(max(0, squares/n-float64(mean*mean)) / rows)
}

// lowest returns the lowest loss that weights reach on the votes of s.
func (r *contest) lowest(ctx context.Context, s *setting) (float64, error) {
	c := r.Config
	c.Search.Choice, c.Weights = anneal.Lowest, nil
	if len(s.votes.Classes) > 2 { // quicker, and nearly as low
		c.Search.Method, c.Search.Starts = anneal.Coordinates, 2
	}
	votes, err := tables.Slice(s.votes, r.train, pragma.Slices(c.Search.Floors))
	if err != nil {
		return 0, err
	}
	found, err := c.Tune(ctx, votes, c.Measure)
	if err != nil && found.Weights == nil {
		return 0, err
	}
	return found.Loss, nil
}
