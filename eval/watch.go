package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Unlabelled is what is known of a model whose decisions of rows without labels are watched, see [Unlabelled.Infer].
type Unlabelled struct {
	Classes []string
	Order   []int       // of the classes, the winner of a tie first, see [vote.Table.TieOrder]
	Spread  *VoteSpread // of the votes that the maps were fitted on
	Base    []float64   // shares of the classes (len k) that the probabilities are for
	Rows    float64     // effective number of the rows that the maps were fitted on, above 0
	Alerts  []float64   // share of these that is decided as each class (len k); nil if not known
	Costs   pragma.Costs
}

// check refuses what does not go together.
func (u *Unlabelled) check() error {
	k := len(u.Classes)
	sound := k >= 2 && len(u.Order) == k && len(u.Base) == k && (u.Alerts == nil || len(u.Alerts) == k) && u.Rows > 0 &&
		u.Rows <= math.MaxFloat64
	for _, s := range u.Base {
		sound = sound && s >= 0 && s <= 1
	}
	if !sound {
		return fmt.Errorf("%w: %d classes with shares %v, of %v rows; give a share of each class, and a number of rows "+
			"above 0", ErrUnwatched, k, u.Base, u.Rows)
	}
	if err := u.Spread.Sound(k); err != nil {
		return fmt.Errorf("%w: %w", ErrUnwatched, err)
	}
	return nil
}

// Watch is what [Unlabelled.Infer] needs to know of new rows: sums, so that what is known of parts of the rows adds up.
type Watch struct {
	Rows  float64       `json:"rows"`  // weight of the rows
	Cells []WatchedCell `json:"cells"` // in the order of their part and decision
}

// WatchedCell is what is known of the rows of one part of [VoteSpread] that are decided alike.
type WatchedCell struct {
	Part     int       `json:"part"`     // number of the part
	Decision int       `json:"decision"` // index of the class; -1 of rows that are left to people
	Rows     float64   `json:"rows"`     // weight of these rows
	Expected []float64 `json:"expected"` // by class (len k), the sum of their probabilities
	Noise    []float64 `json:"noise"`    // by class, the variance of the weight of the rows that are of it
}

// ErrUnwatched is wrapped by errors of what cannot be estimated without labels.
var ErrUnwatched = errors.New("figures of rows without labels cannot be estimated")

// Watch sums up what votes for new rows say of them, given what is decided of each row, -1 of rows that are left to
// people, and the probabilities for raw votes (both len k). The rows need no labels.
//
// Errors: [ErrUnwatched] if u is not sound, or decisions are none; those of [vote.Table.Check].
func (u *Unlabelled) Watch(votes *vote.Table, decide func(i int) int,
	probabilities func(dst []float64, votes []uint32)) (*Watch, error) {
	if err := errors.Join(u.check(), votes.Check()); err != nil {
		return nil, err
	}
	if len(votes.Classes) != len(u.Classes) || decide == nil || probabilities == nil {
		return nil, fmt.Errorf("%w: votes for %d classes, where there are %d, or nothing to decide them by", ErrUnwatched,
			len(votes.Classes), len(u.Classes))
	}
	k := len(u.Classes)
	plain, p := vote.NewRule(nil, u.Order), make([]float64, k)
	cells := map[[2]int]*WatchedCell{}
	w := &Watch{}
	for i := range votes.Rows() {
		part, decision, weight := u.Spread.partOf(votes.Votes(i), plain), decide(i), votes.WeightOf(i)
		if part < 0 || !(weight > 0) {
			continue
		}
		if decision < -1 || decision >= k {
			return nil, fmt.Errorf("%w: row %d is decided as class %d, and there are %d", ErrUnwatched, i, decision, k)
		}
		at := [2]int{part, decision}
		cell := cells[at]
		if cell == nil {
			cell = &WatchedCell{Part: part, Decision: decision, Expected: make([]float64, k), Noise: make([]float64, k)}
			cells[at] = cell
		}
		probabilities(p, votes.Votes(i))
		cell.Rows += weight
		w.Rows += weight
		each := float64(weight*weight) / float64(votes.TimesOf(i)) // of rows that were merged
		for c, v := range p {
			cell.Expected[c] += float64(weight * v)
			cell.Noise[c] += float64(each * float64(v*(1-v)))
		}
	}
	for _, cell := range cells {
		w.Cells = append(w.Cells, *cell)
	}
	slices.SortFunc(w.Cells, WatchedCell.compare)
	return w, nil
}

func (c WatchedCell) compare(other WatchedCell) int {
	if c.Part != other.Part {
		return c.Part - other.Part
	}
	return c.Decision - other.Decision
}

// Gather adds what is known of other rows of the same model.
func (w *Watch) Gather(other *Watch) {
	if other == nil {
		return
	}
	w.Rows += other.Rows
	for _, cell := range other.Cells {
		at, found := slices.BinarySearchFunc(w.Cells, cell, WatchedCell.compare)
		if !found {
			cell.Expected, cell.Noise = slices.Clone(cell.Expected), slices.Clone(cell.Noise)
			w.Cells = slices.Insert(w.Cells, at, cell)
			continue
		}
		to := &w.Cells[at]
		to.Rows += cell.Rows
		for c := range min(len(to.Expected), len(cell.Expected), len(to.Noise), len(cell.Noise)) {
			to.Expected[c] += cell.Expected[c]
			to.Noise[c] += cell.Noise[c]
		}
	}
}

// check refuses what is not of a model of k classes and so many parts.
func (w *Watch) check(k, parts int) error {
	if w == nil || !(w.Rows > 0 && w.Rows <= math.MaxFloat64) {
		return fmt.Errorf("%w: there are no rows with votes; give some", ErrUnwatched)
	}
	for i, c := range w.Cells {
		sound := c.Part >= 0 && c.Part < parts && c.Decision >= -1 && c.Decision < k &&
			c.Rows > 0 && c.Rows <= w.Rows*1.000001 &&
			len(c.Expected) == k && len(c.Noise) == k &&
			(i == 0 || w.Cells[i-1].compare(c) < 0)
		for j := 0; sound && j < k; j++ {
			sound = c.Expected[j] >= 0 && c.Expected[j] <= c.Rows*1.000001 && c.Noise[j] >= 0 && c.Noise[j] <= math.MaxFloat64
		}
		if !sound {
			return fmt.Errorf("%w: what is known of rows is not of this model; begin anew", ErrUnwatched)
		}
	}
	return nil
}

// Estimates are figures of new rows, without their labels, as the calibrated probabilities imply them. An interval is
// to hold what the labels of these very rows will say in 95 of 100 cases.
type Estimates struct {
	Rows float64 `json:"rows"` // weight of the rows
	// Void says that no figures are estimated, as the rows are not like those of training: columns differ, see Columns,
	// or the votes spread as no shares of the classes explain, see Unlike.
	Void bool `json:"void,omitempty"`
	// columns that the model decides by, and that differ more than shares of the classes explain
	Columns []string `json:"columns,omitempty"`
	Unlike  bool     `json:"unlike,omitempty"` // whether the votes spread as no shares explain
	// population stability index of the votes, beside those of training
	Votes  float64 `json:"votes_psi"`
	Chance float64 `json:"votes_chance"` // how probable so large an index is by chance (chi-squared)
	// Shifted says that the votes spread as where the classes have other shares, by more than chance. Figures are then
	// those under these. Intervals hold the figures under all shares that the votes do not contradict, and under those of
	// training: as far as the votes tell, rows may also be of other kinds with probabilities as they were.
	Shifted bool            `json:"shifted,omitempty"`
	Classes []ClassEstimate `json:"classes"` // in the order of the model's
	// mean cost of a row that is decided; nil without costs, and of costs by amount
	Cost *Forecast `json:"cost,omitempty"`
}

// ClassEstimate is what is estimated of a class. Without figures, see [Estimates].Void, all but the alerts are nil.
type ClassEstimate struct {
	Class     string    `json:"class"`           // its name
	Alerts    float64   `json:"alerts"`          // share of the rows that is decided as it, which is known
	AlertsWas float64   `json:"alerts_was"`      // likewise, of the rows that the model was tuned on; 0 if not known
	Share     *Forecast `json:"share,omitempty"` // share of the rows that is of it
	// share of its rows that is decided as it, among the rows that are decided; nil where no row is likely to be of it
	Recall    *Forecast `json:"recall,omitempty"`
	Precision *Forecast `json:"precision,omitempty"` // share of the alarms that is right; nil where there is none
}

// What voids estimates.
const (
	voidChance = 0.001 // how improbable a spread is at most that no shares explain
	voidPSI    = 0.1   // and how large its stability index is at least
	shiftLevel = 0.05  // how improbable the shares of training are at most where others are said to be
)

// Infer returns what the sums of new rows imply, and what the columns that are not as in training, of those that the
// model decides by, see [dataset.ErrDrift], leave of that. Probabilities hold for rows of the same kind, also where
// easy and hard ones are mixed otherwise. Where the classes seem to have other shares (Saerens, Latinne and
// Decaestecker, Neural Computation 14, 2002), they are corrected for these. The intervals have three parts: by chance
// the labels are others than probabilities say; the maps were fitted on a limited number of rows; and votes tell the
// shares only roughly.
//
// A column voids estimates if its stability index is above that of the classes: no shares of these can move a column
// further (data processing inequality).
//
// Errors: [ErrUnwatched] if u is not sound, or w is empty or of another model.
func (u *Unlabelled) Infer(w *Watch, drift []*dataset.ColumnDrift) (*Estimates, error) {
	if err := u.check(); err != nil {
		return nil, err
	}
	if err := w.check(len(u.Classes), len(u.Spread.Rows)); err != nil {
		return nil, err
	}
	e := newEstimating(u, w)
	out := &Estimates{Rows: w.Rows, Shifted: e.shifted()}
	out.Votes, out.Chance = e.offBy(nil)
	psi, chance := e.offBy(e.shares)
	out.Unlike = psi >= voidPSI && chance < voidChance
	for _, d := range drift {
		if d != nil && (d.Missing > 0 || d.Beyond > 0 || d.Factor > 0 || d.PSI > e.explains()) {
			out.Columns = append(out.Columns, d.Column)
		}
	}
	out.Void = out.Unlike || out.Columns != nil
	e.fillIn(out)
	return out, nil
}

// estimating are the estimates of the rows of a watch.
type estimating struct {
	*Unlabelled
	*Watch
	base   []float64   // shares of the classes that the probabilities are for
	likely [][]float64 // by part, how probable it is by class
	of     []float64   // by class, effective rows of training
	seen   []float64   // by part, weight of the new rows
	rest   float64     // new rows for each of the training, effective
	shares []float64   // of the classes that explain best how the votes spread
}

func newEstimating(u *Unlabelled, w *Watch) *estimating {
	h, k := u.Spread, len(u.Classes)
	e := &estimating{Unlabelled: u, Watch: w, base: u.Base, of: make([]float64, k), seen: make([]float64, len(h.Rows))}
	total, all := 0.0, make([]float64, len(h.Rows))
	for b, rows := range h.Rows {
		all[b] = portable.Total(rows)
		total += all[b]
		for c, n := range rows {
			e.of[c] += n
		}
	}
	for b, rows := range h.Rows { // a row more of each class, spread as all rows are
		likely := make([]float64, k)
		for c, n := range rows {
			likely[c] = (n + (all[b]+0.5)/(total+0.5*float64(len(all)))) / (e.of[c] + 1)
		}
		e.likely = append(e.likely, likely)
	}
	for c := range e.of {
		e.of[c] *= u.Rows / total
	}
	e.rest = w.Rows / u.Rows
	for _, c := range w.Cells {
		e.seen[c.Part] += c.Rows
	}
	e.shares = e.fit(-1, 0)
	return e
}

// mixed returns how probable a part is under shares of the classes.
func (e *estimating) mixed(part int, shares []float64) float64 {
	sum := 0.0
	for c, s := range shares {
		sum += float64(s * e.likely[part][c])
	}
	return sum
}

// fit returns the shares of the classes that explain the votes best, by expectation maximisation from those of the map,
// or from the best ones. A class of 0 or more is held at a share.
func (e *estimating) fit(held int, at float64) []float64 {
	shares := slices.Clone(e.shares)
	if shares == nil {
		for _, s := range e.base {
			shares = append(shares, max(s, 1e-6))
		}
	}
	const most, small = 200, 1e-8
	for range most {
		next := make([]float64, len(shares))
		for b, n := range e.seen {
			mix := e.mixed(b, shares)
			for c := range next {
				next[c] += float64(n*shares[c]) * e.likely[b][c] / mix
			}
		}
		rest := portable.Total(next)
		if held >= 0 {
			rest -= next[held]
		}
		moved := 0.0
		for c := range next {
			v := next[c] / rest
			if held >= 0 {
				v = at
				if c != held {
					v = (1 - at) * next[c] / max(rest, 1e-300)
				}
			}
			moved += math.Abs(v - shares[c])
			shares[c] = v
		}
		if moved < small {
			break
		}
	}
	return shares
}

// fits returns the logarithm of the likelihood of shares, as if the rows of training that likelihoods come from were
// as uncertain as the new ones.
func (e *estimating) fits(shares []float64) float64 {
	sum := 0.0
	for b, n := range e.seen {
		if n > 0 {
			sum += float64(n * portable.Log(max(e.mixed(b, shares), 1e-300)))
		}
	}
	return sum / (1 + e.rest)
}

// shifted tells whether other shares than those of the map explain the votes better, by more than chance.
func (e *estimating) shifted() bool {
	better := 2 * (e.fits(e.shares) - e.fits(e.base))
	return mathext.GammaIncRegComp(float64(len(e.base)-1)/2, max(0, better)/2) < shiftLevel
}

// shareEnds returns the ends of the 95 % interval of the share of a class, by the profile of the likelihood.
func (e *estimating) shareEnds(class int) [2]float64 {
	const drop = calib.Z95 * calib.Z95 / 2
	best, ends := e.fits(e.shares), [2]float64{}
	for side, limit := range []float64{1e-6, 1 - 1e-6} {
		inside, outside := e.shares[class], limit
		for range 20 {
			middle := (inside + outside) / 2
			if best-e.fits(e.fit(class, middle)) < drop {
				inside = middle
			} else {
				outside = middle
			}
		}
		ends[side] = inside
	}
	return ends
}

// explains returns up to which stability index columns may differ as the classes have other shares.
func (e *estimating) explains() float64 {
	if !e.shifted() {
		return 0
	}
	psi := 0.0
	for c, s := range e.shares {
		if s > 0 && e.base[c] > 0 {
			psi += float64((s - e.base[c]) * portable.Log(s/e.base[c]))
		}
	}
	return 1.5 * psi // as the index of a column is itself uncertain
}

// offBy returns how far the votes are from what shares explain, nil for those of the training, by stability index and
// chi-squared. Parts of few rows are one with the next.
func (e *estimating) offBy(shares []float64) (psi, chance float64) {
	free := len(e.base)
	if shares == nil {
		shares, free = e.base, 1
	}
	type bin struct{ is, was, variance float64 }
	var bins []bin
	var open bin
	for b, n := range e.seen {
		was := float64(e.Watch.Rows * e.mixed(b, shares))
		open.is, open.was, open.variance = open.is+n, open.was+was, open.variance+was
		for c, s := range shares {
			p := e.likely[b][c]
			open.variance += float64(e.Watch.Rows*e.Watch.Rows) * float64(s*s) * float64(p*(1-p)) / max(1, e.of[c])
		}
		if open.was >= 5 {
			bins, open = append(bins, open), bin{}
		}
	}
	if len(bins) == 0 {
		return 0, 1
	}
	last := &bins[len(bins)-1]
	last.is, last.was, last.variance = last.is+open.is, last.was+open.was, last.variance+open.variance
	chi := 0.0
	for _, b := range bins {
		is, was := (b.is+0.5)/(e.Watch.Rows+0.5), (b.was+0.5)/(e.Watch.Rows+0.5)
		psi += float64((is - was) * portable.Log(is/was))
		chi += float64((b.is-b.was)*(b.is-b.was)) / b.variance
	}
	if len(bins) <= free {
		return psi, 1
	}
	return psi, mathext.GammaIncRegComp(float64(len(bins)-free)/2, chi/2)
}
