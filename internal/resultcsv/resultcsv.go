// Package resultcsv has the results of verbs as CSV: a header, and records.
package resultcsv

import (
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/view"
)

// Probabilities have a line for the probabilities of each class before the maps, if they are any, and one for
// those after, named as in JSON.
func Probabilities(classes []string, judged map[string]eval.Judged) (head []string, records [][]string) {
	figure := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return layout.Number(v)
	}
	for _, name := range classes {
		for i, j := range []*eval.Judgement{judged[name].Raw, judged[name].Calibrated} {
			if j == nil {
				continue
			}
			r := j.Figures
			records = append(records, []string{name, []string{"raw", "calibrated"}[i], figure(r.Brier.Score),
				figure(r.LogLoss.Score), figure(r.ECE),
				figure(r.Slope.Value), figure(r.Intercept.Value), figure(r.AUC), figure(r.AveragePrecision)})
		}
	}
	return []string{"class", "probabilities", "brier", "log_loss", "ece", "slope", "intercept", "auc",
		"average_precision"}, records
}

// intervalCells are the cells of an interval.
func intervalCells(interval *[2]float64) []string {
	if interval == nil {
		return []string{"", ""}
	}
	return []string{layout.Number(interval[0]), layout.Number(interval[1])}
}

// classRecords are the lines of what becomes of each class by a rule.
func classRecords(rule string, classes []string, of map[string]eval.Class) (records [][]string) {
	none := intervalCells(nil)
	for _, name := range classes {
		c := of[name]
		record := []string{rule, name, "", "", "", "", layout.Maybe(c.Recall), layout.Maybe(c.Precision),
			layout.Number(c.Support),
			layout.Number(c.Predicted), "", ""}
		records = append(records, slices.Concat(record, intervalCells(c.RecallInterval), intervalCells(c.PrecisionInterval),
			none, none,
			[]string{layout.Maybe(c.Specificity), layout.Maybe(c.FalsePositives), layout.Maybe(c.NegativePredictive)}))
	}
	return records
}

// alikeRecords are the lines of what it costs to decide all rows as a class; none without costs.
func alikeRecords(classes []string, always map[string]float64) (records [][]string) {
	for _, name := range classes {
		if always != nil {
			records = append(records, slices.Concat([]string{"always", name, "", "", "", "", "", "", "", "", "",
				layout.Number(always[name])}, make([]string, 11)))
		}
	}
	return records
}

// blockRecords are the lines of a block of time, or of all together.
func blockRecords(classes []string, b *eval.Block) [][]string {
	rule, each := "block", ""
	if b.Fold == 0 {
		rule = view.Together
	}
	if b.Each != nil {
		each = layout.Number(b.Each.Value)
	}
	whole := slices.Concat([]string{rule, "", "", "", "", "", "", "", "", "", each, layout.Maybe(b.Cost)},
		make([]string, 11))
	return slices.Concat([][]string{whole}, classRecords(rule, classes, b.Classes), alikeRecords(classes, b.Always))
}

// Rules have a line for each rule and class, one for each rule as a whole, one for what it costs to decide all
// rows as a class, and one for each list. Of rows judged by other costs as well, money, a column more has what they
// come to, and where rows were compared with those of the training one names the figures of a class that drift.
// Where cv promised something there are its lines as well, and the last column names the figures that are not as
// expected. Of rows in the order of time there are such lines for each block, and for all together, with columns
// that say which.
func Rules(classes []string, report, money *eval.Report, found *rfpragma.Comparison,
	expected *view.Promise) (head []string, records [][]string) {
	r, none := &report.Rules, intervalCells(nil)
	head = []string{"rule", "class", "pragma", "accuracy", "brier", "log_loss", "recall", "precision", "support",
		"predicted", "loss", "cost",
		"recall_low", "recall_high", "precision_low", "precision_high", "pragma_low", "pragma_high", "loss_low", "loss_high",
		"specificity", "false_positive_rate", "negative_predictive_value"}
	rules := view.RulesOf(r)
	if expected != nil {
		rules = append(rules, view.Named{Name: "expected", Rule: &expected.Judged})
	}
	for _, n := range rules {
		record := []string{n.Name, "", layout.Number(n.Rule.Pragma), layout.Number(n.Rule.Accuracy),
			layout.Number(n.Rule.Brier),
			layout.Number(n.Rule.LogLoss), "", "", "", "", layout.Maybe(n.Rule.Loss), layout.Maybe(n.Rule.Cost)}
		records = append(records, slices.Concat(record, none, none, intervalCells(n.Rule.PragmaInterval),
			intervalCells(n.Rule.LossInterval), []string{"", "", ""}))
		records = append(records, classRecords(n.Name, classes, n.Rule.Classes)...)
	}
	records = append(records, alikeRecords(classes, report.Always)...)
	for _, l := range report.Top {
		record := []string{"top", l.Class, "", "", "", "", layout.Maybe(l.Recall), layout.Maybe(l.Precision),
			layout.Number(r.Tuned.Classes[l.Class].Support), layout.Number(l.Rows), "", ""}
		records = append(records, slices.Concat(record, intervalCells(l.RecallInterval), intervalCells(l.PrecisionInterval),
			none, none, []string{"", "", ""}))
	}
	if report.Blocks != nil {
		head = append(head, "from", "to")
		for i, record := range records {
			records[i] = append(record, "", "")
		}
		for _, b := range view.Timed(report) {
			for _, record := range blockRecords(classes, &b) {
				records = append(records, append(record, b.From, b.To))
			}
		}
	}
	if money != nil {
		head = append(head, "given_cost")
		for i, record := range records {
			records[i] = append(record, costCell(money, record[0], record[1]))
		}
	}
	if found != nil {
		head = append(head, "drift")
		for i, record := range records {
			var figures []string
			for _, d := range found.Drift {
				if record[0] == "tuned" && record[1] == d.Class {
					figures = append(figures, d.Figure)
				}
			}
			records[i] = append(record, strings.Join(figures, " "))
		}
	}
	if expected != nil {
		head = append(head, "unexpected")
		for i, record := range records {
			cell := ""
			if record[0] == "tuned" {
				cell = expected.Unexpected(record[1])
			}
			records[i] = append(record, cell)
		}
	}
	return head, records
}

// Importance has a line for each feature.
func Importance(out *rfpragma.Importance) (head []string, records [][]string) {
	for _, f := range out.Features {
		records = append(records, []string{f.Name, layout.Number(f.Loss), layout.Number(f.LossError),
			layout.Number(f.Accuracy),
			layout.Number(f.AccuracyError), layout.Number(f.Impurity)})
	}
	return []string{"feature", "loss_rise", "loss_rise_error", "accuracy_fall", "accuracy_fall_error",
		"impurity"}, records
}

// Weights have a line for each class.
func Weights(classes []string, weights []view.Weighed) (head []string, records [][]string) {
	for c, w := range weights {
		records = append(records, []string{classes[c], layout.Number(w.Weight), layout.Number(w.Plateau.Low),
			layout.Number(w.Plateau.High), layout.Number(w.Cutoff)})
	}
	return []string{"class", "weight", "plateau_low", "plateau_high", "cutoff"}, records
}

// costCell is the cost of a rule as a whole by the costs given; "" of others.
func costCell(money *eval.Report, rule, class string) string {
	for _, n := range view.MoneyRules(money) {
		if n.Name == rule && class == "" {
			return layout.Maybe(n.Rule.Cost)
		}
	}
	return ""
}
