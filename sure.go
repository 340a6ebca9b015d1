package rfpragma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
	"github.com/rfpragma/rfpragma/vote"
)

// Sure says how surely what is required is to hold on new rows: the floors of a search, and a limit of the cost. The
// zero value asks for nothing; then floors hold on the votes that weights are searched on, and on new rows in about
// half of all cases.
//
// Rows are kept apart by chance alone, of rows that have groups whole groups. The forest, the maps and a path of
// weights come from the others, and the weights are the last on the path that pass a test on those kept apart, see
// [risk.Control]. A case weight is taken to be no larger, on new rows, than the largest of the rows, and a group to
// be no heavier than the heaviest.
type Sure struct {
	Confidence float64 // that all constraints hold, such as 0.95, from 0.5 to below 1; 0 asks for nothing
	// share of the rows that are kept apart, above 0 and below 1; 0 means 0.2, or up to 0.5 where that leaves too few rows
	// of a class to show what is required of them, and of votes alone 0.5
	Share float64
	// OnVotes keeps no rows apart: the test is made on the votes that weights are searched on. The confidence is then
	// an approximation, as these votes are of other trees than decide new rows, and the path is laid on the same rows.
	OnVotes bool
	MaxCost float64 // limit of the mean cost of a row under Config.Costs; 0 means none
}

// The share of rows that are kept apart unless another one is asked for, and its most where classes are small.
const (
	leastApart = 0.2
	mostApart  = 0.5
)

// Guarantee records what was shown of the constraints of a model.
type Guarantee struct {
	Confidence float64 `json:"confidence"` // that was asked for
	// whether the test was passed; if not, the weights are the safest that there are
	Sure bool `json:"sure"`
	// whether the rows tested on were kept apart; else the confidence is an approximation
	Apart bool `json:"apart"`
	// number of rows that were tested on, or of groups of rows if rows have groups
	Units  int  `json:"units"`
	Groups bool `json:"groups,omitempty"` // units are groups
	// about how many units it takes; 0 if it is sure, or if no number does
	Needed int             `json:"needed,omitempty"`
	Tests  []GuaranteeTest `json:"tests"` // of the constraints
}

// GuaranteeTest is the test of a constraint.
type GuaranteeTest struct {
	Constraint string   `json:"constraint"`      // as pragma.ParseFloor reads it, or cost<=LIMIT
	Value      *float64 `json:"value,omitempty"` // the figure on the rows tested on; nil if they say nothing of it
	Of         int      `json:"of"`              // how many units say something of it
	P          float64  `json:"p"`               // see risk.Check
}

// apart returns the rows to fit on and those kept apart, nil if there are none, and c with the bound of their weights.
func (c Config) apart(train *dataset.Frame) (Config, *dataset.Frame, *dataset.Frame, error) {
	if c.Sure == (Sure{}) {
		return c, train, nil, nil
	}
	if err := c.checkSure(train.Time != nil); err != nil {
		return c, nil, nil, err
	}
	c.heaviest = heaviest(train)
	if c.Sure.OnVotes {
		if !evenly(train) {
			return c, nil, nil, fmt.Errorf(option.Text("%w: rows of different case weights are "+
				"sure only if some are kept apart; give {sure-share} above 0"), ErrConfig)
		}
		return c, train, nil, nil
	}
	rest, kept := deal(train.Rows(), train.Group, c.sureShare(train), c.Forest.Seed)
	if len(kept) == 0 || len(rest) == 0 {
		return c, nil, nil, fmt.Errorf("%w: of %d rows none are left to keep apart and to fit on; give more rows", ErrConfig,
			train.Rows())
	}
	return c, train.Take(rest), train.Take(kept), nil
}

// sureShare is the share of the rows that are kept apart. It follows from the number of rows of a class only where all
// that is required is of those rows: alarms and precision depend on that number, and their test would be bent.
func (c Config) sureShare(train *dataset.Frame) float64 {
	if c.Sure.Share != 0 {
		return c.Sure.Share
	}
	if train.Weight != nil || train.Group != nil || c.Sure.MaxCost != 0 {
		return leastApart
	}
	rows, share := train.ClassWeights(), leastApart
	for _, f := range c.Search.Floors {
		of, miss := rows[f.Class], 1-f.Limit // rows that tell of the floor, and how many of them may be wrong
		switch {
		case !f.OfAll() || f.What != pragma.RecallFloor && f.What != pragma.FalseAlarms:
			return leastApart
		case f.What == pragma.FalseAlarms:
			of, miss = float64(train.Rows())-of, f.Limit
		}
		// of the fewest rows none may be wrong; twice as many leave the search some room
		share = max(share, min(2*risk.Fewest(1-miss, c.Sure.Confidence)/max(of, 1), mostApart))
	}
	return share
}

// checkSure refuses what cannot be made sure.
func (c Config) checkSure(timed bool) error {
	s := c.Sure
	switch {
	case s.Confidence == 0:
		return fmt.Errorf(option.Text("%w: {sure} is missing beside what says how to be sure; give a confidence, such "+
			"as 0.95"), ErrConfig)
	case !(s.Confidence >= 0.5 && s.Confidence < 1):
		return fmt.Errorf(option.Text("%w: {sure} is %v; give a confidence from 0.5 to below 1, such as 0.95"), ErrConfig,
			s.Confidence)
	case !(s.Share >= 0 && s.Share < 1):
		return fmt.Errorf(option.Text("%w: {sure-share} is %v; give a share above 0 and below 1"), ErrConfig, s.Share)
	case len(c.Search.Floors) == 0 && s.MaxCost == 0:
		return fmt.Errorf(option.Text("%w: {sure} needs something that is required; give {require}"), ErrConfig)
	case s.MaxCost != 0 && c.Costs.Matrix == nil:
		return fmt.Errorf(option.Text("%w: a limit of the cost needs the costs of decisions; give {cost}"), ErrConfig)
	case c.ByCost:
		return fmt.Errorf(option.Text("%w: {sure} speaks of decisions by vote weights, not of those by expected cost; "+
			"leave one out"), ErrConfig)
	case timed:
		return fmt.Errorf(option.Text("%w: {sure} needs new rows that are like the given ones but for chance, and rows "+
			"that have a time may change with it; leave one out"), ErrConfig)
	}
	return nil
}

// heaviest is what no row, or group, weighs more than; 0 where all rows weigh the same and have no groups.
func heaviest(f *dataset.Frame) float64 {
	if f.Weight == nil && f.Group == nil {
		return 0
	}
	weight := func(i int) float64 {
		if f.Weight == nil {
			return 1
		}
		return f.Weight[i]
	}
	most, groups := 0.0, map[int]float64{}
	for i := range f.Rows() {
		sum := weight(i)
		if f.Group != nil {
			sum += groups[f.Group[i]]
			groups[f.Group[i]] = sum
		}
		most = max(most, sum)
	}
	return most
}

// evenly tells whether all rows that weigh anything weigh the same.
func evenly(f *dataset.Frame) bool {
	first := 0.0
	for _, w := range f.Weight {
		if w > 0 && first == 0 {
			first = w
		}
		if w > 0 && w != first {
			return false
		}
	}
	return true
}

// deal returns the indices of n rows in two parts, the second of such a share of the rows, or of their groups if they
// have some, by chance alone. It does not look at classes: with a fixed number of each, alarms would be no random
// sample of those to come.
func deal(n int, group []int, share float64, seed uint64) (rest, kept []int) {
	const stream = 0x5afe
	rng := rand.New(rand.NewPCG(seed, stream))
	units := make([]int, n) // of each row
	count := n
	if group != nil {
		number := map[int]int{}
		for i, g := range group {
			if _, known := number[g]; !known {
				number[g] = len(number)
			}
			units[i] = number[g]
		}
		count = len(number)
	} else {
		for i := range units {
			units[i] = i
		}
	}
	is := make([]bool, count)
	for _, u := range rng.Perm(count)[:int(math.Round(share*float64(count)))] {
		is[u] = true
	}
	for i, u := range units {
		if is[u] {
			kept = append(kept, i)
		} else {
			rest = append(rest, i)
		}
	}
	return rest, kept
}

// assured returns the weights found on tuned votes, or others that keep what is required as surely as is asked for,
// with the record of that; nil if nothing is asked for. Kept are the votes for rows kept apart; nil means tuned.
func (c Config) assured(ctx context.Context, tuned, kept *vote.Table, found anneal.Result) (anneal.Result, *Guarantee,
	error) {
	if c.Sure == (Sure{}) {
		return found, nil, nil
	}
	control := risk.Control{Confidence: c.Sure.Confidence, Floors: c.Search.Floors, MaxCost: c.Sure.MaxCost,
		Costs: c.Costs, Heaviest: c.heaviest}
	staked, err := c.Costs.Stakes(tuned)
	if err != nil {
		return found, nil, err
	}
	path := []vote.Weights{found.Weights}
	if c.Weights == nil {
		if path, err = c.path(ctx, control, staked, found.Weights); err != nil {
			return found, nil, sureError(err)
		}
	}
	record := &Guarantee{Confidence: c.Sure.Confidence, Apart: kept != nil}
	if kept == nil {
		kept = tuned
	}
	result, err := control.Test(ctx, path, kept)
	var unsure *risk.UnsureError
	var warning error
	if errors.As(err, &unsure) {
		record.Needed = unsure.Needed()
		if !c.AcceptBest {
			if record.Apart && c.heaviest == 0 && c.canBeSure(tuned, kept) {
				err = fmt.Errorf(option.Text("%w, or test on the votes that weights are searched on, by {own votes}"), err)
			}
			return found, nil, err
		}
		warning, result.Weights = shortOf(unsure), path[0]
	} else if err != nil {
		return found, nil, sureError(err)
	}
	record.Sure = warning == nil
	record.of(result, kept)
	if !slices.Equal(result.Weights, found.Weights) {
		search := c.Search
		search.Floors, search.AllowTrain = nil, search.AllowTrain || c.Votes == vote.Train // they hold on the other rows
		if found, err = search.Judge(ctx, staked, c.Measure, result.Weights); err != nil {
			return found, nil, err
		}
	}
	if warning != nil {
		found.Warnings = append([]error{warning}, found.Warnings...)
	}
	return found, record, nil
}

// canBeSure tells whether both tables together have rows enough to be sure of each recall that is required, if all are
// found.
func (c Config) canBeSure(tuned, kept *vote.Table) bool {
	all, also := tuned.Confuse(nil), kept.Confuse(nil)
	return !slices.ContainsFunc(c.Search.Floors, func(f pragma.Floor) bool {
		rows := all.True(f.Class) + also.True(f.Class)
		return f.What == pragma.RecallFloor && f.OfAll() && rows < risk.Fewest(f.Limit, c.Sure.Confidence)
	})
}

// path leads from the safest weights to those found, and on to what would be best without floors: the votes that it is
// laid on may be too wary of the floors, as those of fewer trees are.
func (c Config) path(ctx context.Context, control risk.Control, votes *vote.Table, found vote.Weights) ([]vote.Weights,
	error) {
	way := []vote.Weights{found}
	if len(c.Search.Floors) > 0 {
		free := c.Search
		free.Floors = nil
		best, err := free.Weights(ctx, votes, c.Measure)
		if err != nil {
			return nil, err
		}
		way = append(way, best.Weights)
	}
	return control.Path(ctx, votes, c.Search, c.Measure, way...)
}

// sureError is an error of a setting as one of this package.
func sureError(err error) error {
	if errors.Is(err, risk.ErrSetting) {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return err
}

// shortOf is the warning of weights that are not sure.
func shortOf(e *risk.UnsureError) error {
	units := "rows"
	if e.Groups {
		units = "groups"
	}
	confidence := note.Of("%.4g", 100*e.Control.Confidence)
	if n := e.Needed(); n > 0 {
		return note.New(risk.ErrUnsure.Error()+" with %v %% confidence: it takes about %v "+units+
			" to test on in place of %v", confidence, note.Count(n), note.Count(e.Units)).Wrapping(risk.ErrUnsure)
	}
	return note.New(risk.ErrUnsure.Error()+" with %v %% confidence, as even the safest weights miss it on the rows to "+
		"test on", confidence).Wrapping(risk.ErrUnsure)
}

// of fills in how the tests came out on votes.
func (g *Guarantee) of(r risk.Result, votes *vote.Table) {
	g.Groups = votes.Group != nil
	groups := map[int]bool{}
	for i := range votes.Judged() {
		switch {
		case !(votes.WeightOf(i) > 0):
		case g.Groups:
			groups[votes.Group[i]] = true
		default:
			g.Units += votes.TimesOf(i)
		}
	}
	g.Units += len(groups)
	for _, c := range r.Checks {
		test := GuaranteeTest{Constraint: c.Name(votes.Classes), Of: c.Of, P: c.P}
		if v := c.Value; v == v {
			test.Value = &v
		}
		g.Tests = append(g.Tests, test)
	}
}

// check says what cannot be in a record.
func (g *Guarantee) check() error {
	if g == nil {
		return nil
	}
	if !(g.Confidence >= 0.5 && g.Confidence < 1) || g.Units < 1 || g.Needed < 0 || g.Sure && g.Needed > 0 ||
		len(g.Tests) == 0 {
		return fmt.Errorf("a confidence of %v, sure %v, by %d units and %d tests, needing %d", g.Confidence, g.Sure, g.Units,
			len(g.Tests), g.Needed)
	}
	for _, t := range g.Tests {
		if t.Of < 0 || t.Of > g.Units || !(t.P >= 0 && t.P <= 1) || g.Sure && t.P > 1-g.Confidence {
			return fmt.Errorf("a test of %.80q by %d of %d units with p %v", t.Constraint, t.Of, g.Units, t.P)
		}
	}
	return nil
}

// TuneSurely searches the weights on votes as [Config.Tune], and has what is required of them hold as surely as c.Sure
// says; the record of that is nil if it asks for nothing. The votes are dealt in two parts by chance alone: the weights
// are searched on one and tested on the other, on a half of the rows unless Sure.Share says otherwise. Out-of-bag votes
// whose rows were merged, see [vote.Table.Condense], are tested on as they are. For votes of
// trees that also decide new rows the confidence is exact, for out-of-bag and cross-validated votes an approximation.
//
// Errors: [ErrConfig]; [risk.ErrUnsure] if c.Sure asks for more than the votes can show; those of [Config.Tune], and
// [anneal.ErrNoRows].
func (c Config) TuneSurely(ctx context.Context, votes *vote.Table, measure pragma.Measure) (anneal.Result, *Guarantee,
	error) {
	tuned, kept := votes, (*vote.Table)(nil)
	c.Measure = measure
	if c.Sure != (Sure{}) {
		if err := c.checkSure(false); err != nil {
			return anneal.Result{}, nil, err
		}
		bare := dataset.Frame{Truth: votes.Truth, Weight: votes.Weight, Group: votes.Group}
		if votes.Times == nil {
			c.heaviest = heaviest(&bare)
		}
		if votes.Times != nil && c.Sure.Share == 0 {
			c.Sure.OnVotes = true
		}
		if !c.Sure.OnVotes {
			if votes.Times != nil {
				return anneal.Result{}, nil, fmt.Errorf(option.Text("%w: out-of-bag votes are kept without their rows, "+
					"so that none can be kept apart; test on the votes that weights are searched on, by {own votes}"), ErrConfig)
			}
			c.Sure.Share = cmp.Or(c.Sure.Share, mostApart)
			rest, apart := deal(votes.Rows(), votes.Group, c.Sure.Share, c.Search.Seed)
			tuned, kept = votes.Take(rest), votes.Take(apart)
		}
	}
	found, err := c.search(ctx, tuned, measure)
	if found, err = c.heedFloors(found, err); err != nil {
		return found, nil, err
	}
	return c.assured(ctx, tables.Predictive(tuned), kept, found)
}
