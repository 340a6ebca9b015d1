package verb

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/resultcsv"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
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
		err = p.WriteCSV(resultcsv.Weights(m.Classes(), view.ModelWeights(m)))
	}
	if err != nil || to.Silent() {
		return err
	}
	r := m.Provenance
	grown := fmt.Sprintf("%s (%s), mtry %d, bag %s%s, seed %d, grown on %s with %s",
		english.Plural(m.Forest.Trees(), "tree"), english.Plural(m.Forest.Nodes(), "node"), r.Mtry, view.BagText(r.Growth(),
			m.Classes()), view.GrowthWords(r.Growth()), r.Seed,
		english.Plural(r.Rows, "row"), english.Plural(len(m.Forest.Schema), "feature"))
	if r.Origin != "" {
		grown = fmt.Sprintf("%s, with %s", view.ForestWords(m), english.Plural(len(m.Forest.Schema), "feature"))
	}
	weights := view.WeightTable(m)
	if c.Command.Name == "train" { // shares and what was asked for are there already; inspect says how it was made
		weights.Without("share", "same loss with")
	} else {
		to.Say(grown)
		if chosen := view.ChoiceWords(m); chosen != "" {
			to.Say(chosen)
		}
		to.Say(view.GoalOf(m, prefs).Request()...)
	}
	to.Table(weights)
	to.Say(words...)
	return nil
}

// modelInfo is a model in JSON, without its trees.
type modelInfo struct {
	view.Heading
	Classes  []modelClass   `json:"classes"`  // in the order of the model
	Features []modelFeature `json:"features"` // in the order of the model
	Trees    int            `json:"trees"`    // number of trees
	Nodes    int            `json:"nodes"`    // of all trees, leaves included
	// the preference as --prefer takes it; empty where costs or another measure say what is wanted
	Spec        string                         `json:"spec"`
	Preferences map[string]view.PreferenceInfo `json:"preferences"` // what is wanted of each class
	Provenance  rfpragma.Provenance            `json:"provenance"`  // on what and how the model was fitted
	view.Assessed
	view.Remarks
}

type modelClass struct {
	Label string  `json:"class"` // name of the class
	Share float64 `json:"share"` // of the training rows
	view.Weighed
}

type modelFeature struct {
	Name   string   `json:"name"`             // of the column
	Kind   string   `json:"kind"`             // numeric or categorical
	Levels []string `json:"levels,omitempty"` // of a categorical feature

	Impurity float64 `json:"impurity"` // its part of the fall of impurity

	// its cells in training, with which those of new rows are compared
	Baseline *dataset.Baseline `json:"baseline,omitempty"`
}

func describeModel(m *rfpragma.Model, prefs []pragma.Preference, said view.Remarks, command string) modelInfo {
	info := modelInfo{
		Heading: view.Heading{SchemaVersion: view.SchemaVersion, Command: command}, Trees: m.Forest.Trees(),
		Nodes: m.Forest.Nodes(), Spec: m.Spec.String(),
		Preferences: view.GoalOf(m, prefs).Preferences(), Provenance: m.Provenance, Remarks: said,
	}
	info.Findings = append([]finding.Finding{}, assess.Guarantees(m.Provenance.Guarantee, m.Classes())...)
	if r := m.Provenance.Review; r != nil {
		info.Findings = append(info.Findings, assess.Review(finding.Where{Rows: codes.NewRows}, r.Reviewed, "", nil))
	}
	for c, w := range view.ModelWeights(m) {
		info.Classes = append(info.Classes, modelClass{m.Classes()[c], m.Forest.Share[c], w})
	}
	impurity := m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		info.Features = append(info.Features, modelFeature{f.Name, f.Kind.String(), f.Levels, impurity[j], f.Baseline})
	}
	return info
}
