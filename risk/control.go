package risk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Control says what is to hold on new rows, and how surely. Constraints are floors, or a limit of the cost, or both.
type Control struct {
	Confidence float64 // that all constraints hold, such as 0.95; from 0.5 to below 1
	Floors     []pragma.Floor
	// MaxCost limits the mean cost of a row under Costs, whose costs are of decisions and not by amount; 0 means no
	// limit.
	MaxCost float64
	Costs   pragma.Costs
	// Heaviest is what no new row weighs more than, or where rows have groups no new group with all its rows. It is
	// not used where all rows weigh the same and have no groups. 0 means the heaviest of the rows to test on.
	Heaviest float64
}

// Errors, wrapped with details.
var (
	ErrSetting = errors.New("constraints cannot be guaranteed so")
	// ErrUnsure is wrapped by *[UnsureError]: no weights were shown to keep what is required.
	ErrUnsure = errors.New("what is required is not sure")
)

// Result is what a test shows.
type Result struct {
	Weights vote.Weights // the last on the path that pass, scaled as there
	Passed  int          // how many weights of the path pass, the first on the path before others
	Checks  []Check      // of Weights; where none pass of the first on the path: the floors in their order, then the cost
}

// Check is how a constraint fares on the rows that it is tested on.
type Check struct {
	Floor *pragma.Floor // nil of the cost
	Limit float64       // what the figure is to keep
	Value float64       // the figure on these rows; NaN if none of them says anything of it
	// independent rows, or groups of rows, that say something of the figure: of recall the rows of the class, of
	// precision those decided as it
	Of int
	// P is the largest probability of such a figure, or a better one, where the constraint does not hold on new rows.
	P float64
	// Needed is how many rows, or groups, there would have to be to test on for P to be small enough, if the figure
	// stayed as it is; 0 where P is small enough, and where the figure itself fails the limit. A figure is as likely to
	// come out worse as better, so take more.
	Needed int
}

// UnsureError says that even the first weights of a path do not pass.
type UnsureError struct {
	Classes []string
	Control Control
	Groups  bool    // units are groups and not rows
	Checks  []Check // of the first weights of the path
	Units   int     // number of rows, or groups, that were tested on
}

// Unwrap returns [ErrUnsure].
func (e *UnsureError) Unwrap() error { return ErrUnsure }

// Needed is how many rows, or groups, to test on might do, by the figures of those there are; 0 if none would, as a
// figure fails its limit.
func (e *UnsureError) Needed() int {
	most := 0
	for _, c := range e.Checks {
		if c.P <= 1-e.Control.Confidence {
			continue
		}
		if c.Needed == 0 {
			return 0
		}
		most = max(most, c.Needed)
	}
	return most
}

// Error says which constraints are not sure, and how many rows it would take.
func (e *UnsureError) Error() string {
	unit, text := "row", ""
	if e.Groups {
		unit = "group"
	}
	for _, c := range e.Checks {
		if c.P <= 1-e.Control.Confidence {
			continue
		}
		if text != "" {
			text += "; "
		}
		whole, sign := 1.0, ""
		if c.Floor != nil {
			whole, sign = c.Floor.Unit()
		}
		text += fmt.Sprintf("%s is %.4g%s on %s", c.Name(e.Classes), float64(c.Value*whole), sign, english.Plural(c.Of, unit))
	}
	remedy := "ask for less"
	if n := e.Needed(); n > 0 {
		remedy = fmt.Sprintf("it takes about %s to test on in place of %d; give more, or ask for less, or for less "+
			"confidence", english.Plural(n, unit), e.Units)
	}
	return fmt.Sprintf("%v with %.4g%% confidence: %s, under the safest weights; %s", ErrUnsure,
		100*e.Control.Confidence, text, remedy)
}

// Name returns the constraint as text.
func (c Check) Name(classes []string) string {
	if c.Floor == nil {
		return fmt.Sprintf("cost<=%v", c.Limit)
	}
	return c.Floor.Text(classes)
}

// Test takes the last weights of a path (len 1 or more) that, with all before them, pass a test on the votes: for
// each of them and each constraint, figures as good as these would be rarer than 1 − Confidence where the constraint
// does not hold on new rows. Then all constraints hold on new rows with probability Confidence, if
//
//   - the rows tested on are drawn independently from where new rows come from, by chance alone, or whole groups are,
//   - the path does not depend on them, nor do the trees that vote for them, which are those that vote for new rows,
//   - and no new row, or group, is heavier than Heaviest.
//
// A floor of a slice is tested on the rows of that slice, which are then drawn like its new rows.
//
// Out-of-bag and cross-validated votes are of other trees, and a path is laid on the very same rows: then the
// confidence is an approximation. Shares of rows of equal weight are tested by the exact binomial tail, anything else
// by betting on a bounded mean. Figures of a class without rows, and the precision of a class that no row is decided
// as, are not sure.
//
// Errors: [ErrSetting]; *[UnsureError] if even the first weights do not pass; those of [vote.Table.Check] and
// [vote.Weights.Check]; ctx.Err().
func (c Control) Test(ctx context.Context, path []vote.Weights, votes *vote.Table) (Result, error) {
	if err := c.checkTested(votes); err != nil {
		return Result{}, err
	}
	if len(path) == 0 {
		return Result{}, fmt.Errorf("%w: there are no weights to test; lay a path of some", ErrSetting)
	}
	s := newSample(c, votes)
	out := Result{}
	for _, w := range path {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if err := w.Check(len(votes.Classes)); err != nil {
			return Result{}, err
		}
		checks := s.checks(w)
		if c.unsure(checks) {
			if out.Passed == 0 {
				out.Checks = checks
			}
			break
		}
		out.Weights, out.Checks = w, checks
		out.Passed++
	}
	if out.Passed > 0 {
		return out, nil
	}
	for i := range out.Checks {
		out.Checks[i].Needed = c.needed(&out.Checks[i], s)
	}
	return out, &UnsureError{Classes: votes.Classes, Control: c, Groups: votes.Group != nil, Checks: out.Checks,
		Units: s.units}
}

// unsure tells whether a constraint does not pass.
func (c Control) unsure(checks []Check) bool {
	for _, one := range checks {
		if !(one.P <= 1-c.Confidence) {
			return true
		}
	}
	return false
}

// check refuses what cannot be tested.
func (c Control) check(t *vote.Table) error {
	if err := t.Check(); err != nil {
		return err
	}
	if !(c.Confidence >= 0.5 && c.Confidence < 1) {
		return fmt.Errorf("%w: confidence %v; choose one from 0.5 to below 1, such as 0.95", ErrSetting, c.Confidence)
	}
	if len(c.Floors) == 0 && c.MaxCost == 0 {
		return fmt.Errorf(option.Text("%w: nothing is required; give {require}"), ErrSetting)
	}
	for _, f := range c.Floors {
		if f.Class < 0 || f.Class >= len(t.Classes) {
			return fmt.Errorf("%w: there is no class %d; the %d classes are counted from 0", ErrSetting, f.Class,
				len(t.Classes))
		}
		if !(f.Limit >= 0 && f.Limit <= 1) {
			return fmt.Errorf("%w: the limit %v of %s is not from 0 to 1", ErrSetting, f.Limit, f.What)
		}
		if !f.OfAll() && !slices.Contains(t.Slices, f.Slice) {
			return fmt.Errorf("%w: the votes do not tell which rows have %s in column %s; give rows, or votes, with that "+
				"column", ErrSetting, english.Quote(f.Slice.Value), english.Quote(f.Slice.Column))
		}
	}
	if !(c.Heaviest >= 0 && c.Heaviest <= math.MaxFloat64) {
		return fmt.Errorf("%w: the heaviest row weighs %v; give a number from 0 on", ErrSetting, c.Heaviest)
	}
	return c.checkCost(len(t.Classes))
}

// checkTested refuses votes that nothing can be tested on.
func (c Control) checkTested(t *vote.Table) error {
	if err := c.check(t); err != nil {
		return err
	}
	switch {
	case t.Source == vote.Train:
		return fmt.Errorf("%w: votes of trees for rows that they have seen say nothing of new rows; use holdout, oob or cv "+
			"votes", ErrSetting)
	case t.Count != nil:
		return fmt.Errorf("%w: rows count as what is at stake in them, which has no bound; give votes without amounts",
			ErrSetting)
	case tables.MixedWeights(t):
		return fmt.Errorf("%w: rows of different weights were merged, so that the single rows are not known; give them one "+
			"by one", ErrSetting)
	}
	return nil
}

// checkCost refuses a limit of the cost that cannot be tested.
func (c Control) checkCost(k int) error {
	switch {
	case c.MaxCost == 0:
		return nil
	case !(c.MaxCost > 0 && c.MaxCost <= math.MaxFloat64):
		return fmt.Errorf("%w: the cost of a row is to be at most %v; give a number above 0", ErrSetting, c.MaxCost)
	case len(c.Costs.Matrix) != k:
		return fmt.Errorf("%w: a limit of the cost needs the costs of the %d classes, and there are %d; give a cost for "+
			"each decision", ErrSetting, k, len(c.Costs.Matrix))
	case c.Costs.Amounts():
		return fmt.Errorf("%w: a cost by amount has no bound, so that no number of rows makes sure of its mean; limit other "+
			"figures", ErrSetting)
	}
	_, err := c.Costs.Measure()
	return err
}
