package verb

import (
	"math"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/view"
)

// prevalenceFlag is that of the verbs that ask a model as if the classes were as common as elsewhere.
func prevalenceFlag() urfave.Flag {
	return cli.List(urfave.StringSliceFlag{Name: "prevalence", Category: "Output",
		Usage: "`CLASS=SHARE` in the population, if not as in training (a=0.002)"})
}

// modelFor returns the model for the prevalence that is asked for, and what it was tuned for.
func modelFor(c *urfave.Context, m *rfpragma.Model) (*rfpragma.Model, *view.Goal, error) {
	m, err := forPrevalence(c, m)
	if err != nil {
		return nil, nil, err
	}
	prefs, err := m.Spec.Resolve(m.Classes())
	if err != nil {
		return nil, nil, err
	}
	of := view.GoalOf(m, prefs)
	of.Typed = cli.Typed
	return m, of, nil
}

// forPrevalence returns the model for the prevalence that is asked for. Classes that are not named share what is
// left as in training.
func forPrevalence(c *urfave.Context, m *rfpragma.Model) (*rfpragma.Model, error) {
	if !c.IsSet("prevalence") {
		return m, nil
	}
	share, err := cli.ByClass("prevalence", c.StringSlice("prevalence"), m.Classes(), math.NaN())
	if err != nil {
		return nil, err
	}
	var ofNamed, ofOthers portable.Sum
	for c, s := range share {
		if class := m.Classes()[c]; s > 1 && s < 100 {
			return nil, cli.Usagef("--prevalence %.64s=%v looks like a percentage; write %.64[1]s=%.6[3]g or %.64[1]s=%[2]v%%",
				class, s, s/100)
		}
		if math.IsNaN(s) {
			ofOthers.Add(m.Forest.Share[c])
		} else {
			ofNamed.Add(s)
		}
	}
	named, others := ofNamed.Value(), ofOthers.Value()
	if others > 0 && !(named < 1) || others == 0 && math.Abs(named-1) > 1e-6 {
		return nil, cli.Usagef("--prevalence: the shares add up to %.6g; those of all classes are 1, and of some less", named)
	}
	for c, s := range share {
		if math.IsNaN(s) {
			share[c] = m.Forest.Share[c] / others * (1 - named)
		}
	}
	return m.ForPrevalence(share)
}
