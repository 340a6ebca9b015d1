package verb

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// otherModel says in what a cross-validation is not of the model, so that it promised something of another one; ""
// where it is.
func otherModel(was *view.CVResult, m *rfpragma.Model) string {
	const again = "; run cv and train with the same file and the same flags"
	r, s, features := &m.Provenance, &was.Settings, len(m.Forest.Schema)
	timed := func(column string) string {
		if column == "" {
			return "without --time"
		}
		return "with " + csvtext.Flag("time", column, "COL")
	}
	growth := r.Growth()
	growth.Trees = m.Forest.Trees()
	there, here := s.Growth, view.GrowthOf(growth, features, m.Classes())
	chosen := r.ForestChoice != nil
	if chosen && s.ForestChosen { // each by its own rows
		here.Mtry, here.MinLeaf, here.Criterion = there.Mtry, there.MinLeaf, there.Criterion
		here.RandomCuts, here.SoftVotes = there.RandomCuts, there.SoftVotes
	}
	grown := differing(there, here)
	switch {
	case s.Time != r.Reading.Time:
		return fmt.Sprintf("was made %s, and the model %s, which decides whether the column is one to learn from%s",
			timed(s.Time), timed(r.Reading.Time), again)
	case was.SHA256 != r.Data && (r.Guarantee == nil || !r.Guarantee.Apart): // else it is of a part of them
		return fmt.Sprintf("is of other rows or columns (%s, %s) than the model was trained on (%s, %s)%s",
			english.Plural(was.Data.Rows, "row"), english.Plural(was.Data.Features, "feature"), english.Plural(r.Rows, "row"),
			english.Plural(features, "feature"), again)
	case chosen != s.ForestChosen:
		return fmt.Sprintf("has forests of %s settings, and the model one of %s settings (--tune-forest)%s",
			chosenOr(s.ForestChosen), chosenOr(chosen), again)
	case grown != nil:
		return fmt.Sprintf("is of other forests than that of the model: %s%s", strings.Join(grown, ", "), again)
	case r.VotesData != "":
		return "knows nothing of the rows that the weights of the model were tuned on after its training"
	}
	return ""
}

// chosenOr says where the settings of a forest come from.
func chosenOr(chosen bool) string {
	if chosen {
		return "chosen"
	}
	return "given"
}

// differing names the settings of one growth that are not those of another, as flags.
func differing(was, is view.Growth) []string {
	var out []string
	for i, a, b := 0, reflect.ValueOf(was), reflect.ValueOf(is); i < a.NumField(); i++ {
		if !a.Field(i).Equal(b.Field(i)) {
			out = append(out, fmt.Sprintf("--%s %v and not %v", strings.ReplaceAll(a.Type().Field(i).Tag.Get("json"), "_", "-"),
				a.Field(i), b.Field(i)))
		}
	}
	return out
}

// newExpected checks that the model was made for what cv judged.
func newExpected(was *view.CVResult, m *rfpragma.Model, of *view.Goal) (*view.Promise, error) {
	var classes []string
	for _, c := range was.Data.Classes {
		classes = append(classes, c.Label)
	}
	s, rule := &was.Settings, modelRule(m)
	wished, err := otherGoal(s, of)
	switch {
	case err != nil:
		return nil, err
	case !slices.Equal(classes, m.Classes()):
		return nil, fmt.Errorf("its classes are %s, and those of the model %s; run cv on the rows of the training",
			nearest.List(classes), nearest.List(m.Classes()))
	case eval.Weight(was.Rules.Tuned.Classes) == 0:
		return nil, errors.New("it has no figures of rows that were judged; write it anew with rfpragma cv")
	case wished != "":
		return nil, fmt.Errorf("%s; run cv with the flags of train", wished)
	case rule == "" || rule == "cost" && was.Rules.Cost == nil:
		return nil, errors.New("it says nothing of the weights of the model, which were given by numbers")
	}
	return &view.Promise{Time: s.Time, Rule: rule, Was: was, Goal: of}, nil
}

// otherGoal says in what a cross-validation was not asked for what the model was; "" where it was. What is required
// comes first, as the measure may follow from that.
func otherGoal(s *view.CVSettings, of *view.Goal) (string, error) {
	is := of.Info()
	required := func(floors []string) string { return cmp.Or(strings.Join(floors, "; "), "nothing") }
	for _, part := range []struct {
		there, here any
		text        string
	}{
		{view.AskedInfo{Required: s.Required}, view.AskedInfo{Required: is.Required},
			fmt.Sprintf("it requires %s (--require), and the model %s", required(s.Required), required(is.Required))},
		{s.Measure, of.Loss.Name, fmt.Sprintf("its measure is %s, and that of the model %s", english.Quote(s.Measure),
			english.Quote(of.Loss.Name))},
		{view.AskedInfo{CostMatrix: s.CostMatrix, CostByAmount: s.CostByAmount}, view.AskedInfo{CostMatrix: is.CostMatrix,
			CostByAmount: is.CostByAmount}, "its costs (--cost, --costs) are not those of the model"},
		{s.ByCost, is.ByCost, "one of the two decides by expected cost (--decide cost), and the other by weights"},
		{s.Preferences, of.Preferences(), "its preferences (--prefer) are not those of the model"},
	} {
		there, err := json.Marshal(part.there)
		here, failed := json.Marshal(part.here)
		if err := cmp.Or(err, failed); err != nil {
			return "", err
		}
		if !bytes.Equal(there, here) {
			return part.text, nil
		}
	}
	return "", nil
}

// modelRule names the rule of cv that the weights of a model are; "" of numbers that were given.
func modelRule(m *rfpragma.Model) string {
	if m.Provenance.Choice != rfpragma.Given {
		return "tuned"
	}
	rules := map[string]vote.Weights{"plain": slices.Repeat(vote.Weights{1}, len(m.Classes())),
		"prior": vote.Prior(m.Forest.Share)}
	if costs := m.Provenance.CostsOf(); costs.Matrix != nil && !costs.Amounts() {
		rules["cost"] = costs.Weights(nil)
	}
	for _, name := range cli.GivenRules {
		same := rules[name] != nil
		for c, w := range rules[name] {
			same = same && math.Abs(m.Weights[c]/m.Weights[0]*rules[name][0]/w-1) < 1e-9
		}
		if same {
			return name
		}
	}
	return ""
}
