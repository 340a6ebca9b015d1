package anneal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Method is a way to search for weights.
type Method uint8

// The methods.
const (
	Auto        Method = iota // Exact if possible, else the better of Annealing and Coordinates
	Exact                     // all weights there are: for two classes, and for three if the votes are not too many
	Coordinates               // all weights along one class at a time, from several starts, until none gains
	Annealing                 // random changes with cooling, then Coordinates from the best point
)

var methods = []string{"auto", "exact", "coordinates", "annealing"}

// String returns the name that [ParseMethod] reads.
func (m Method) String() string {
	if int(m) >= len(methods) {
		return fmt.Sprintf("Method(%d)", uint8(m))
	}
	return methods[m]
}

// ParseMethod returns the method of that name: auto, exact, coordinates or annealing.
//
// Errors: [ErrSetting] for any other name.
func ParseMethod(name string) (Method, error) {
	for m, known := range methods {
		if name == known {
			return Method(m), nil
		}
	}
	return Auto, fmt.Errorf("%w: %w", ErrSetting, nearest.Unknown("method", name, methods))
}

// Choice says which of the weights searched are taken. The weights of the lowest loss owe some of it to chance:
// another sample of rows would have others. So Careful also searches on resamples of the rows and takes, for
// each class, the mean m of the logarithms of its weights (bagging of cutpoints: Thiele and Hirschfeld, Journal
// of Statistical Software 98, 2021). With more than two classes it multiplies m by m²/(m²+s²), where s is the
// standard deviation of the logarithms: it keeps all of m if the resamples agree, and next to nothing if they
// do not. This is in the manner of James and Stein 1961, who show that shrinking several estimates at once
// improves them, which shrinking a single one does not.
//
// A class of fewer than 20 rows has no weight of its own then. All such classes share one number, the power that
// the next paragraph explains.
//
// If several weights then gain less than three standard errors in a cross-validation, a single number replaces
// them: the power, from 0 to 1, of the cost of missing a row of each class, a cost that the measure gives
// without a search (Elkan, The foundations of cost-sensitive learning, IJCAI 2001). The power is the mean over
// the same resamples; if it gains less than one standard error, the weights stay 1. The one weight of
// two classes stays 1 if it gains less than 0.7. It needs no proof if it favours the class as which it is better to
// decide all rows than as the other.
type Choice uint8

// The choices.
const (
	Careful Choice = iota // what the weights of the lowest loss on many resamples have in common
	Lowest                // the weights of the lowest loss on the table
)

var choices = []string{"careful", "lowest"}

// String returns the name that [ParseChoice] reads.
func (c Choice) String() string {
	if int(c) >= len(choices) {
		return fmt.Sprintf("Choice(%d)", uint8(c))
	}
	return choices[c]
}

// ParseChoice returns the choice of that name: careful or lowest.
//
// Errors: [ErrSetting] for any other name.
func ParseChoice(name string) (Choice, error) {
	for c, known := range choices {
		if name == known {
			return Choice(c), nil
		}
	}
	return Careful, fmt.Errorf("%w: %w", ErrSetting, nearest.Unknown("choice", name, choices))
}

// ErrUnproven is wrapped by the warning of a result that the gain of tuned weights is not proven, see
// [Choice]. There is no such warning with Lowest, nor for what floors require.
var ErrUnproven = errors.New("the gain of tuned weights is not proven")

// ErrEdge is wrapped by the warning of a result that a weight is so large, or so small, that it outweighs all
// votes but one.
var ErrEdge = errors.New("a weight outdoes all votes but one")

// ErrFewInSlice is wrapped by the warning of a result that few rows tell of a floor of a slice.
var ErrFewInSlice = errors.New("few rows tell of what is required of a group")

// Errors of a search, wrapped with the reason and the remedy.
var (
	ErrSetting = errors.New("search cannot be set so")
	ErrTrain   = errors.New("votes cannot be tuned on")
	ErrNoRows  = errors.New("not enough rows to tune on")
	errMeasure = errors.New("measure cannot be lowered")
	ErrFloors  = errors.New("no weights reach what is required")
)

// Search says how to search for weights. The zero value is ready to use.
type Search struct {
	Method  Method         // 0 means Auto
	Seed    uint64         // of all random numbers; 0 is a seed like any other
	Chains  int            // number of chains of Annealing; 0 means 2
	Steps   int            // steps of each chain; 0 means 8,000
	Starts  int            // number of starts of Coordinates: equal weights, vote.Prior, then random ones; 0 means 4
	Workers int            // 0 means GOMAXPROCS; the result does not depend on it
	Choice  Choice         // for [vote.Train] votes it is always Lowest
	Floors  []pragma.Floor // what decisions must reach, whatever the loss; see [pragma.Within]

	// Trace, if not nil, is called for every level of every annealing, from several goroutines at once.
	Trace func(Level)

	// AllowTrain allows tuning on votes of the trees for their own training rows, which is only useful to
	// repeat experiments that did so.
	AllowTrain bool
}

// Level describes an annealing at one temperature.
type Level struct {
	Chain, Level int
	Temperature  float64
	Loss, Lowest float64 // loss at the end of the level, and the lowest so far
	Accepted     float64 // share of the steps that were accepted
}

// Result is what a search found.
type Result struct {
	Weights vote.Weights // by class, scaled so that the most common class has 1

	// Low and High give, for each class, the interval in which its weight can move, the others fixed, while Loss
	// stays the same; 0 and +Inf where it has no end.
	Low  []float64
	High []float64

	Loss   float64 // of the whole table, decided anew under Weights
	Plain  float64 // of the whole table under weights of 1 each
	Method Method  // the method used: never Auto, unless both methods were used together
	Lowest float64 // lowest loss found, which belongs to other weights if Choice prefers those; with Exact none is lower
	Agreed int     // how many of the searches ended at that loss
	Of     int     // number of searches; a single one for Exact

	// Origins says for each class where its weight comes from; nil of two classes, whose only weight is its own,
	// and where Choice is Lowest or the weights were given.
	Origins []Origin

	Warnings []error // what to know before using the weights

	trial *Trial // what proved the weights of three classes or more; nil where no cross-validation was needed for that
}

// Weights returns the weights that lower m most on t. It works on the histogram of t, so its time grows with
// the distinct rows, not with the rows. Out-of-bag votes are carried over to all trees first, see
// [vote.Table.Predictive], since the weights are to decide the votes of all trees; losses are of these votes.
//
// Weights of 1 are kept unless others are better. Among equally good weights those nearest to 1, by ratio, win,
// and they are moved to the middle (of the logarithms) of the interval in which nothing changes. A loss that is
// not a number never wins.
//
// Errors: those of [vote.Table.Check]; [ErrTrain] for votes of source Train, unless allowed; [ErrNoRows] if the
// rows that have votes, weight and a known class are of fewer than two classes; [ErrSetting], also for a measure or
// floors of other classes, see [pragma.CheckMeasure], or of slices that t does not have; [errMeasure] if m is never
// finite; [ErrFloors] if no weights reach the floors, with the figures of the weights that come nearest, which are the
// result; ctx.Err().
func (s Search) Weights(ctx context.Context, t *vote.Table, m pragma.Measure) (Result, error) {
	f, err := s.prepare(t, m)
	if err != nil {
		return Result{}, err
	}
	s, p := f.search, f.problem
	all, err := s.exact(ctx, p)
	if err != nil {
		return Result{}, err
	}
	found := []*state{all}
	if all != nil {
		s.Method = Exact
	} else if found, err = s.run(ctx, p); err != nil {
		return Result{}, err
	}
	r, err := f.result(ctx, found)
	if err != nil {
		return Result{}, err
	}
	r.Method, r.Of = s.Method, len(found)
	r.Lowest = f.base.Loss(f.table.Confuse(r.Weights)) // of the votes that were searched, as Loss is
	for _, one := range found {
		if loss := f.verify(p.byClass(one.weights)).loss; !better(r.Loss, loss) {
			r.Agreed++
		}
	}
	err = f.last(ctx, &r)
	return r, err
}

// Judge returns for the given weights the Result that [Search.Weights] would return if it had found them, with
// Lowest, Agreed and Of 0.
//
// Errors: those of [vote.Table.Check] and [vote.Weights.Check]; [ErrTrain], [ErrNoRows], [ErrSetting],
// [ErrFloors]; ctx.Err().
func (s Search) Judge(ctx context.Context, t *vote.Table, m pragma.Measure, w vote.Weights) (Result, error) {
	s.Choice = Lowest // as they are
	f, err := s.prepare(t, m)
	if err != nil {
		return Result{}, err
	}
	if err := w.Check(len(t.Classes)); err != nil {
		return Result{}, err
	}
	if w == nil { // the plain vote
		w = slices.Repeat(vote.Weights{1}, len(t.Classes))
	}
	f.given = true
	r := Result{Weights: f.problem.scaled(w), Method: s.Method}
	if err := r.Weights.Check(len(t.Classes)); err != nil {
		return Result{}, fmt.Errorf("%w; the largest weight may be 1e100 times the smallest", err)
	}
	err = f.last(ctx, &r)
	return r, err
}

// prepare checks s and t, and makes of them what a search needs.
func (s Search) prepare(t *vote.Table, m pragma.Measure) (*finish, error) {
	s, err := s.resolved(t)
	if err != nil {
		return nil, err
	}
	within := pragma.Within(m, s.Floors...)
	if err := pragma.CheckMeasure(within, len(t.Classes)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSetting, err)
	}
	if err := checkSlices(t, s.Floors); err != nil {
		return nil, err
	}
	t = tables.Predictive(t)
	h := t.Compress()
	if err := checkRows(h); err != nil {
		return nil, err
	}
	p := newProblem(h, within)
	return &finish{table: t, histogram: h, measure: p.measure, problem: p, search: s, base: m}, nil
}

// checkSlices refuses floors of rows that the table does not tell from others.
func checkSlices(t *vote.Table, floors []pragma.Floor) error {
	for _, slice := range pragma.Slices(floors) {
		if !slices.Contains(t.Slices, slice) {
			return fmt.Errorf("%w: the votes do not tell which rows have %s in column %s, so nothing can be required of "+
				"these rows; give rows, or votes, with that column", ErrSetting, english.Quote(slice.Value),
				english.Quote(slice.Column))
		}
	}
	return nil
}

// resolved checks t and s, and fills in what s leaves open.
func (s Search) resolved(t *vote.Table) (Search, error) {
	if err := t.Check(); err != nil {
		return s, err
	}
	k := len(t.Classes)
	switch {
	case t.Source == vote.Train && !s.AllowTrain:
		return s, fmt.Errorf("%w: they come from trees that have seen the rows, are nearly always right, and say nothing "+
			"about new rows; use oob, cv or holdout votes", ErrTrain)
	case s.Method > Annealing:
		return s, fmt.Errorf("%w: %v is no method; use one of the constants", ErrSetting, s.Method)
	case s.Choice > Lowest:
		return s, fmt.Errorf("%w: %v is no choice; use one of the constants", ErrSetting, s.Choice)
	case s.Method == Exact && k > 3:
		return s, fmt.Errorf("%w: the exact search is for two or three classes, the table has %d; use auto, coordinates or "+
			"annealing", ErrSetting, k)
	case s.Chains < 0 || s.Steps < 0 || s.Starts < 0 || s.Workers < 0:
		return s, fmt.Errorf("%w: chains %d, steps %d, starts %d and workers %d must not be negative; use 0 for the default",
			ErrSetting, s.Chains, s.Steps, s.Starts, s.Workers)
	}
	for _, d := range []struct {
		setting *int
		zero    int
	}{{&s.Chains, 2}, {&s.Steps, 8_000}, {&s.Starts, 4}, {&s.Workers, runtime.GOMAXPROCS(0)}} {
		if *d.setting == 0 {
			*d.setting = d.zero
		}
	}
	return s, nil
}

// checkRows refuses a histogram that has nothing to choose between.
func checkRows(h *vote.Table) error {
	if h.Rows() == 0 {
		return fmt.Errorf("%w: no row has a known class, a vote and a weight above 0; give labelled votes, or grow more "+
			"trees", ErrNoRows)
	}
	for _, c := range h.Truth {
		if c != h.Truth[0] {
			return nil
		}
	}
	return fmt.Errorf("%w: all rows are of class %s; weights need rows of at least two classes", ErrNoRows,
		english.Quote(h.Classes[h.Truth[0]]))
}

// exact makes the exact search, if s wants it and there are not too many classes or votes; else it
// returns nil.
func (s Search) exact(ctx context.Context, p *problem) (*state, error) {
	if s.Method != Auto && s.Method != Exact {
		return nil, nil
	}
	switch len(p.order) {
	case 2:
		return p.sweep(ctx)
	case 3:
		found, err := p.plane(ctx)
		if found == nil && err == nil && s.Method == Exact {
			err = fmt.Errorf("%w: the votes are too many for an exact search; use auto, coordinates or annealing", ErrSetting)
		}
		return found, err
	}
	return nil, nil
}

// run makes all the searches of s and returns what each found, in a fixed order.
func (s Search) run(ctx context.Context, p *problem) ([]*state, error) {
	var jobs []func(context.Context) (*state, error)
	if s.Method != Coordinates {
		if err := p.addIndex(ctx); err != nil {
			return nil, err
		}
		for i := range s.Chains {
			rng := rand.New(rand.NewPCG(s.Seed, uint64(i)))
			jobs = append(jobs, func(ctx context.Context) (*state, error) { return p.anneal(ctx, i, rng, s.Steps, s.Trace) })
		}
	}
	if s.Method != Annealing {
		for i := range s.Starts {
			rng := rand.New(rand.NewPCG(s.Seed, 1<<32+uint64(i)))
			jobs = append(jobs, func(ctx context.Context) (*state, error) { return p.coordinates(ctx, i, rng) })
		}
	}
	found := make([]*state, len(jobs))
	group, ctx := parallel.WithContext(ctx)
	group.SetLimit(s.Workers)
	for i, job := range jobs {
		group.Go(func() (err error) {
			found[i], err = job(ctx)
			return err
		})
	}
	return found, group.Wait()
}

// tolerance is how much two losses may differ, by ratio, and still count as equal: sums of
// the same numbers in another order differ by less.
const tolerance = 1e-12

func same(a, b float64) bool {
	largest := max(math.Abs(a), math.Abs(b))
	return a == b || !math.IsInf(largest, 1) && math.Abs(a-b) <= tolerance*largest
}

func better(a, b float64) bool { return a < b && !same(a, b) }

// finite turns a loss that is not a number into the worst there is.
func finite(loss float64) float64 {
	if math.IsNaN(loss) {
		return math.Inf(1)
	}
	return loss
}
