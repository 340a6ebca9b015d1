package main

import (
	"math"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

// Rows may be decided by the least expected cost under their probabilities, instead of by vote weights, see
// [rfpragma.Config.ByCost].

// decideFlag is that of the verbs that make or judge such models.
func decideFlag() cli.Flag {
	return &cli.StringFlag{Name: "decide", Value: "weights", Category: "Fitting", Usage: "`HOW`: by weights, or by the least expected cost: cost"}
}

// decideHows are the values of that flag.
var decideHows = []string{"weights", "cost"}

// byCost reads --decide, and refuses what does not go with it.
func byCost(c *cli.Context) (bool, error) {
	how := c.String("decide")
	switch {
	case how == "weights" || how == "": // of verbs without the flag
		return false, nil
	case how != "cost":
		return false, usagef("--decide %s%s; write weights or cost", english.Quote(how), nearest.Hint(how, decideHows))
	case !c.IsSet("cost") && !c.IsSet("costs"):
		return false, usagef("--decide cost needs the costs; give them with --cost CLASS=COST, or name their file with --costs")
	case len(required(c)) > 0:
		return false, usagef("--decide cost decides each row for itself, and --require is kept by vote weights alone; give one")
	}
	for _, other := range []string{"weights", "cutoff", "report", "figures"} {
		if c.IsSet(other) {
			return false, usagef("--decide cost does not decide by vote weights, and --%s is of these; leave one out", other)
		}
	}
	return true, nil
}

// noWeights refuses to do with a model what is done with the weights that it decides by.
func noWeights(m *rfpragma.Model, verb string) error {
	if !m.Provenance.ByCost {
		return nil
	}
	return usagef("%s goes by vote weights, and this model decides by expected cost (--decide cost); evaluate judges it, and train makes another", verb)
}

// deciding decides the rows of a table as a model does.
func deciding(m *rfpragma.Model, table *vote.Table) func(i int) int {
	return func(i int) int {
		amount := math.NaN()
		if table.Amount != nil {
			amount = table.Amount[i]
		}
		return m.DecideFor(table.Votes(i), amount)
	}
}
