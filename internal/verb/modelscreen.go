package verb

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/view"
)

// showModel shows a model: how it was grown, if it is not new what was asked for, its classes and their weights.
func showModel(p *cli.Program, c *urfave.Context, to *layout.Page, m *rfpragma.Model, form string) error {
	prefs, err := m.Spec.Resolve(m.Classes())
	if err != nil {
		return err
	}
	words := view.ModelWords(m, view.GoalOf(m, prefs))
	switch form {
	case "json":
		err = p.WriteJSON(describeModel(m, prefs, p.Remarks(words), c.Command.Name))
	case "csv":
		err = weightsCSV(p, m.Classes(), view.ModelWeights(m))
	}
	if err != nil || to.Silent() {
		return err
	}
	r := m.Provenance
	to.Say(fmt.Sprintf("%s (%s), mtry %d, bag %s%s, seed %d, grown on %s with %s",
		english.Plural(m.Forest.Trees(), "tree"), english.Plural(m.Forest.Nodes(), "node"), r.Mtry, view.BagText(r.Growth(),
			m.Classes()), view.GrowthWords(r.Growth()), r.Seed,
		english.Plural(r.Rows, "row"), english.Plural(len(m.Forest.Schema), "feature")))
	if chosen := view.ChoiceWords(m); chosen != "" {
		to.Say(chosen)
	}
	if c.Command.Name != "train" {
		to.Say(view.GoalOf(m, prefs).Request()...)
	}
	to.Table(view.WeightTable(m))
	to.Say(words...)
	return nil
}
