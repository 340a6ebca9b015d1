package cli

import (
	"math"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// GivenWeights returns the weights that the flags name, by numbers or as a rule that cv shows beside the tuned one;
// nil if there are none.
func GivenWeights(c *urfave.Context, classes []string, costs pragma.Costs) (func(*vote.Table) vote.Weights, error) {
	switch givenRule(c) {
	case "plain":
		return func(*vote.Table) vote.Weights { return slices.Repeat(vote.Weights{1}, len(classes)) }, nil
	case "prior":
		return func(t *vote.Table) vote.Weights { return vote.Prior(t.Share) }, nil
	case "cost":
		if costs.Matrix == nil {
			return nil, Usagef("--weights cost: it is not said what errors cost; say it with --cost or --costs")
		}
		return func(t *vote.Table) vote.Weights { return costs.Weights(tables.MeanAmounts(t)) }, nil
	}
	w, err := givenNumbers(c, classes)
	if w == nil || err != nil {
		return nil, err
	}
	return func(*vote.Table) vote.Weights { return w }, nil
}

// givenRule returns the rule that --weights names, "" if none.
func givenRule(c *urfave.Context) string {
	if values := c.StringSlice("weights"); len(values) == 1 && slices.Contains(GivenRules, values[0]) {
		return values[0]
	}
	return ""
}

// checkGiven checks what needs neither classes nor costs.
func checkGiven(c *urfave.Context) error {
	if c.IsSet("weights") && c.IsSet("cutoff") {
		return Usagef("--weights and --cutoff are both given; give one")
	}
	if givenRule(c) != "" {
		return nil
	}
	if values := c.StringSlice("weights"); len(values) == 1 && !strings.Contains(values[0], "=") {
		return Usagef("--weights %s%s; write plain, prior or cost, or CLASS=WEIGHT", english.Quote(values[0]),
			nearest.Hint(values[0], GivenRules))
	}
	_, err := givenNumbers(c, nil)
	return err
}

// givenNumbers returns the weights that the flags give by numbers, nil if there are none. Nil classes are not known
// yet.
func givenNumbers(c *urfave.Context, classes []string) (vote.Weights, error) {
	switch {
	case c.IsSet("weights"):
		return ByClass("weights", c.StringSlice("weights"), classes, 1)
	case !c.IsSet("cutoff"):
		return nil, nil
	}
	cutoffs, err := ByClass("cutoff", c.StringSlice("cutoff"), classes, math.NaN())
	if err != nil {
		return nil, err
	}
	missing := slices.IndexFunc(cutoffs, math.IsNaN)
	if missing >= 0 && len(classes) == 2 && cutoffs[1-missing] < 1 {
		cutoffs[missing] = 1 - cutoffs[1-missing]
	}
	if missing >= 0 && len(classes) == 2 && math.IsNaN(cutoffs[missing]) && cutoffs[1-missing] >= 1 {
		return nil, Usagef("--cutoff %s=%v is not below 1, so it does not say that of class %s; write a share such as "+
			"%[1]s=20%%, or give both", classes[1-missing], cutoffs[1-missing], english.Quote(classes[missing]))
	}
	w := make(vote.Weights, len(classes))
	for k, v := range cutoffs {
		if math.IsNaN(v) {
			return nil, Usagef("--cutoff has none for class %s; give one for each class", english.Quote(classes[k]))
		}
		w[k] = 1 / v
	}
	named := -1
	if missing >= 0 {
		named = 1 - missing
	}
	return atLeast(w, named), nil
}

// votesUnit is how many counts the largest sum of the scores of a row becomes, see [vote.ReadCSV].
const votesUnit = 1 << 31

// atLeast returns the weights 1/cutoff such that a row that just reaches the cutoff of a class is decided as that
// class, as scikit-learn has it: the one that is named alone, or else, of several cutoffs reached at once, the lowest;
// of equal ones none counts more. The weight grows by less than one vote in a million does, and by more than scores
// lose when they become counts. Named is -1 where each class has its cutoff.
func atLeast(w vote.Weights, named int) vote.Weights {
	ordered := slices.Sorted(slices.Values(w))
	slices.Reverse(ordered)
	if len(w) < 2 || named < 0 && ordered[0] == ordered[1] {
		return w
	}
	if named < 0 {
		named = slices.Index(w, ordered[0])
	}
	w[named] *= 1 + float64(ordered[0]+ordered[1])/votesUnit
	return w
}

// GivenRules are the rules that --weights can name.
var GivenRules = []string{"plain", "prior", "cost"}
