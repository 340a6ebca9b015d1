package cli

import (
	"math"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// WeightFlags name weights that are to be taken, not searched for.
func WeightFlags() []urfave.Flag {
	return []urfave.Flag{
		List(urfave.StringSliceFlag{Name: "weights", Category: "Fitting",
			Usage: "`CLASS=WEIGHT` (a=4,b=1), or plain, prior or cost, instead of a search"}),
		List(urfave.StringSliceFlag{Name: "cutoff", Category: "Fitting",
			Usage: "`CLASS=CUTOFF` instead of a search, as R has it: votes / cutoff decide"}),
	}
}

// Given returns the weights that the flags name, by numbers or as a rule that cv shows beside the tuned one; nil if
// there are none.
func Given(c *urfave.Context, classes []string, costs pragma.Costs) (func(*vote.Table) vote.Weights, error) {
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
	if values := c.StringSlice("weights"); len(values) == 1 && slices.Contains(view.GivenRules, values[0]) {
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
			nearest.Hint(values[0], view.GivenRules))
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
// class, as scikit-learn has it: of several cutoffs reached at once the lowest counts, and of two equal ones that of
// the named class, -1 for none. The weight grows by less than one vote in a million does, and by more than scores lose
// when they become counts.
func atLeast(w vote.Weights, named int) vote.Weights {
	most, second := -1, 0.0
	for k, v := range w {
		switch {
		case most < 0 || v > w[most]:
			if most >= 0 {
				second = max(second, w[most])
			}
			most = k
		default:
			second = max(second, v)
		}
	}
	if most < 0 {
		return w
	}
	if second == w[most] {
		if most = named; named < 0 {
			return w
		}
	}
	w[most] *= 1 + float64(w[most]+second)/votesUnit
	return w
}

// pairs are the items of lists such as ill=4,well=1. Of a number with a comma the whole is told, not what stands
// behind it.
func pairs(flag string, values []string) ([]string, error) {
	all, err := names(flag, values)
	for i := range all {
		n := i + 1
		for n < len(all) && all[n] != "" && strings.Trim(strings.TrimSuffix(all[n], "%"), ".0123456789") == "" {
			n++
		}
		if typed := strings.Join(all[i:n], ","); n > i+1 && strings.Contains(all[i], "=") {
			return nil, Usagef("--%s %s: a comma separates classes; %s", flag, english.Quote(typed), csvtext.PointCure)
		}
	}
	return all, err
}

// ByClass reads values such as ill=4, or ill=20% of what is no weight, for the classes; a class that is not named
// has the given one. Nil classes are not known yet: any name will do.
func ByClass(flag string, values, classes []string, other float64) ([]float64, error) {
	all, err := pairs(flag, values)
	if err != nil {
		return nil, err
	}
	numbers, given := slices.Repeat([]float64{other}, len(classes)), make([]bool, len(classes))
	weighs := flag == "weights" || flag == "class-weight"
	for _, v := range all {
		name, text, split := view.CutLast(v, "=")
		if !split {
			if flag == "class-weight" && strings.HasPrefix(v, "balanced") { // as scikit-learn has it
				return nil, Usagef("--%s %s; write CLASS=NUMBER, or --bag balanced for bags of as many rows of each class", flag,
					english.Quote(v))
			}
			return nil, Usagef("--%s %s; write CLASS=NUMBER", flag, english.Quote(v))
		}
		class := slices.Index(classes, name)
		w, err := csvtext.Share(text)
		switch {
		case classes != nil && class < 0:
			return nil, Usagef("--%s %s: %w", flag, english.Quote(v), nearest.Unknown("class", name, classes))
		case err != nil && csvtext.LooksNumeric(text):
			return nil, Usagef("--%s %s: %v", flag, english.Quote(v), err)
		case err == nil && weighs && strings.HasSuffix(strings.TrimSpace(text), "%"):
			cure := "write a number, such as 10"
			if flag == "weights" {
				cure += ", or --cutoff " + csvtext.Quote(v, "CLASS=SHARE") + " where that share of the votes is to be enough"
			}
			return nil, Usagef("--%s %s: a weight says how many times a class counts, and is no share; %s", flag,
				english.Quote(v), cure)
		case err != nil || !(w > 0) || math.IsInf(w, 1):
			return nil, Usagef("--%s %s; write CLASS=NUMBER with a number above 0", flag, english.Quote(v))
		case classes == nil:
			continue
		}
		if given[class] {
			return nil, Usagef("--%s names class %s twice; keep one", flag, english.Quote(classes[class]))
		}
		numbers[class], given[class] = w, true
	}
	return numbers, nil
}
