package main

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// cvResult is what cv writes as JSON.
type cvResult struct {
	SchemaVersion int        `json:"schema_version"`
	Command       string     `json:"command"`
	Data          dataInfo   `json:"data"`
	Settings      cvSettings `json:"settings"`
	eval.Report
	Warnings []string `json:"warnings"`
	Words    []string `json:"words"` // the result in plain words
}

type cvSettings struct {
	Trees         int                       `json:"trees"`
	Mtry          int                       `json:"mtry"`
	MinLeaf       int                       `json:"min_leaf"`
	MaxDepth      int                       `json:"max_depth"` // 0 is no limit
	MaxLeaves     int                       `json:"max_leaves"`
	Criterion     string                    `json:"criterion"`
	RandomCuts    bool                      `json:"random_cuts"`
	Bag           string                    `json:"bag"`
	Fraction      float64                   `json:"fraction"`
	NoReplacement bool                      `json:"no_replacement"`
	SoftVotes     bool                      `json:"soft_votes"`
	Seed          uint64                    `json:"seed"`
	Folds         int                       `json:"folds"`
	Repeats       int                       `json:"repeats"`
	Votes         vote.Source               `json:"votes"`
	Calibration   string                    `json:"calibration"`
	Search        string                    `json:"search"`
	Measure       string                    `json:"measure"`
	Preferences   map[string]preferenceInfo `json:"preferences"`
}

type preferenceInfo struct {
	pragma.Preference
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

func preferences(classes []string, prefs []pragma.Preference) map[string]preferenceInfo {
	info := make(map[string]preferenceInfo, len(classes))
	for c, name := range classes {
		alpha, beta := prefs[c].AlphaBeta()
		info[name] = preferenceInfo{prefs[c], alpha, beta}
	}
	return info
}

func (job *cvJob) settings() cvSettings {
	f := job.fit.Forest.Resolved(len(job.frame.Columns))
	s := cvSettings{
		Trees: f.Trees, Mtry: f.Mtry, MinLeaf: f.MinLeaf, MaxDepth: f.MaxDepth, MaxLeaves: f.MaxLeaves,
		Criterion: string(f.Criterion), RandomCuts: f.RandomCuts,
		Bag: string(f.Bag), Fraction: f.Fraction, NoReplacement: f.NoReplacement, SoftVotes: f.Soft, Seed: f.Seed,
		Folds: job.eval.Folds, Repeats: job.eval.Repeats,
		Votes: job.fit.Source(job.frame), Calibration: string(job.fit.Calibration), Search: job.fit.Search.Method.String(),
		Measure: job.loss.name, Preferences: preferences(job.frame.Classes, job.prefs),
	}
	if job.eval.FoldOf != nil {
		s.Folds, s.Repeats = slices.Max(job.eval.FoldOf)+1, 1
	}
	return s
}

func (p *program) showCV(job *cvJob, report *eval.Report) error {
	words := job.words(report)
	switch job.format {
	case "json":
		out := cvResult{
			SchemaVersion: schemaVersion, Command: "cv", Data: describe(job.name, job.frame),
			Settings: job.settings(), Report: *report, Warnings: []string{}, Words: words,
		}
		for _, w := range append(slices.Clone(job.frame.Warnings), report.Warnings...) {
			out.Warnings = append(out.Warnings, w.Error())
		}
		return p.writeJSON(out)
	case "csv":
		return p.rulesCSV(job.frame.Classes, &report.Rules)
	}
	s := job.settings()
	fmt.Fprintf(p.stdout, "%s: %d rows, %d features, %s\n", job.name, job.frame.Rows(), len(job.frame.Columns), classShares(job.frame.Classes, job.frame.ClassWeights()))
	fmt.Fprintf(p.stdout, "%d trees, mtry %d%s, %d folds × %d, tuned on %s votes, seed %d\n",
		s.Trees, s.Mtry, growthWords(job.fit.Forest), s.Folds, s.Repeats, s.Votes, s.Seed)
	showPreferences(p.stdout, job.frame.Classes, job.prefs)
	fmt.Fprintln(p.stdout)
	rulesTable(&report.Rules, job.loss.name).write(p.stdout)
	fmt.Fprintln(p.stdout)
	classTable(job.frame.Classes, &report.Rules).write(p.stdout)
	fmt.Fprintln(p.stdout)
	probabilityTable(shownClasses(job.frame.Classes, job.prefs, report.Probabilities), report.Probabilities).write(p.stdout)
	fmt.Fprintln(p.stdout)
	showWords(p.stdout, words)
	return nil
}

// named is a rule and its name.
type named struct {
	name string
	rule *eval.Rule
}

func rulesOf(r *eval.Rules) []named {
	rules := []named{{"plain", &r.Plain}, {"prior", &r.Prior}, {"tuned", &r.Tuned}, {"optimistic", &r.Optimistic}}
	if r.Cost != nil {
		rules = slices.Insert(rules, 2, named{"cost", r.Cost})
	}
	return rules
}

// rulesTable sets the rules side by side.
func rulesTable(r *eval.Rules, measure string) *grid {
	g := &grid{head: []string{""}}
	rules := rulesOf(r)
	line := func(name string, show func(*eval.Rule) string) {
		cells := []string{name}
		for _, n := range rules {
			cells = append(cells, show(n.rule))
		}
		g.add(cells...)
	}
	for _, n := range rules {
		g.head = append(g.head, n.name)
	}
	line("PRAGMA (0 is best)", func(r *eval.Rule) string { return fmt.Sprintf("%.4f", r.Pragma) })
	if r.Plain.PragmaSD != nil {
		line("  spread of repeats", func(r *eval.Rule) string { return fmt.Sprintf("± %.4f", *r.PragmaSD) })
	}
	if r.Tuned.PragmaInterval != nil {
		line("  in 95 of 100 resamples", func(r *eval.Rule) string {
			if r.PragmaInterval == nil {
				return ""
			}
			return fmt.Sprintf("%.3f–%.3f", r.PragmaInterval[0], r.PragmaInterval[1])
		})
	}
	if r.Plain.Loss != nil {
		line("loss "+measure, func(r *eval.Rule) string { return lossText(*r.Loss) })
	}
	if r.Plain.Cost != nil && (r.Plain.Loss == nil || *r.Plain.Cost != *r.Plain.Loss) {
		line("cost of all rows", func(r *eval.Rule) string { return lossText(*r.Cost) })
	}
	line("accuracy", func(r *eval.Rule) string { return percent(r.Accuracy) })
	for _, m := range []struct {
		name string
		of   func(eval.Means) *eval.Mean
	}{
		{"priority classes (MP)", func(m eval.Means) *eval.Mean { return m.Priority }},
		{"other classes (MA)", func(m eval.Means) *eval.Mean { return m.Others }},
		{"all classes (MG)", func(m eval.Means) *eval.Mean { return m.All }},
	} {
		if m.of(r.Plain.Means) == nil {
			continue
		}
		line("recall, "+m.name, func(r *eval.Rule) string { return percent(m.of(r.Means).Recall) })
		line("precision, "+m.name, func(r *eval.Rule) string { return percent(m.of(r.Means).Precision) })
	}
	line("Brier score", func(r *eval.Rule) string { return fmt.Sprintf("%.4f", r.Brier) })
	line("log loss", func(r *eval.Rule) string { return fmt.Sprintf("%.4f", r.LogLoss) })
	return g
}

// classTable shows what tuning does to each class.
func classTable(classes []string, r *eval.Rules) *grid {
	g := &grid{head: []string{"class", "rows", "recall plain", "recall tuned", "precision plain", "precision tuned"}}
	for _, name := range classes {
		plain, tuned := r.Plain.Classes[name], r.Tuned.Classes[name]
		g.add(name, count(plain.Support), percentOr(plain.Recall), within(tuned.Recall, tuned.RecallInterval),
			percentOr(plain.Precision), within(tuned.Precision, tuned.PrecisionInterval))
	}
	return g
}

// mostShown is how many classes the table of probabilities has at most; all are in the JSON.
const mostShown = 8

// shownClasses returns the classes of the table of probabilities: those that matter most, or all if they are alike.
func shownClasses(classes []string, prefs []pragma.Preference, judged map[string]eval.Judged) []string {
	var shown []string
	for c, name := range classes {
		if _, ok := judged[name]; ok && (len(classes) == 2 || prefs[c].Theta == topTheta(prefs)) && len(shown) < mostShown {
			shown = append(shown, name)
		}
	}
	return shown
}

// probabilityTable sets probabilities before and after the maps side by side.
func probabilityTable(classes []string, judged map[string]eval.Judged) *grid {
	g := &grid{head: []string{"probabilities of", "", "Brier", "log loss", "ECE", "slope", "intercept", "ROC-AUC", "PR-AUC"}}
	figure := func(v float64) string {
		if math.IsNaN(v) {
			return "n/a"
		}
		return fmt.Sprintf("%.4f", v)
	}
	for _, name := range classes {
		label := name
		for i, j := range []*eval.Judgement{judged[name].Raw, judged[name].Calibrated} {
			if j == nil {
				continue
			}
			r := j.Figures
			g.add(label, []string{"raw", "calibrated"}[i], figure(r.Brier.Score), figure(r.LogLoss.Score), figure(r.ECE),
				figure(r.Slope.Value), figure(r.Intercept.Value), figure(r.AUC), figure(r.AveragePrecision))
			label = ""
		}
	}
	return g
}

// tieWords says of which classes the map leaves less than half of the different probabilities, as isotonic ones do.
func tieWords(classes []string, judged map[string]eval.Judged) []string {
	var words []string
	for _, name := range classes {
		raw, calibrated := judged[name].Raw, judged[name].Calibrated
		if raw == nil || 2*calibrated.Figures.Distinct > raw.Figures.Distinct {
			continue
		}
		words = append(words, fmt.Sprintf("The map of %q makes ties: there are %d different probabilities, raw %d; the ROC area goes from %.4f to %.4f, that under precision and recall from %.4f to %.4f.", name,
			calibrated.Figures.Distinct, raw.Figures.Distinct, raw.Figures.AUC, calibrated.Figures.AUC, raw.Figures.AveragePrecision, calibrated.Figures.AveragePrecision))
	}
	return words
}

// agreementWords says how often the likeliest class is another one than the decision.
func agreementWords(agreement float64) string {
	if agreement == 1 {
		return "On all rows the decision is the likeliest class."
	}
	return fmt.Sprintf("On %s of the rows the decision is the likeliest class; on the others your preference is worth more than the difference in probability.", percent(agreement))
}

// rulesCSV writes a line for each rule and class, and one for each rule as a whole.
func (p *program) rulesCSV(classes []string, r *eval.Rules) error {
	head := []string{"rule", "class", "pragma", "accuracy", "brier", "log_loss", "recall", "precision", "support", "predicted", "loss", "cost"}
	var records [][]string
	for _, n := range rulesOf(r) {
		records = append(records, []string{n.name, "", number(n.rule.Pragma), number(n.rule.Accuracy), number(n.rule.Brier), number(n.rule.LogLoss), "", "", "", "", maybe(n.rule.Loss), maybe(n.rule.Cost)})
		for _, name := range classes {
			c := n.rule.Classes[name]
			records = append(records, []string{n.name, name, "", "", "", "", maybe(c.Recall), maybe(c.Precision), number(c.Support), number(c.Predicted), "", ""})
		}
	}
	return p.writeCSV(head, records)
}

// words says the result of a cross-validation in plain words.
func (job *cvJob) words(report *eval.Report) []string {
	classes := job.frame.Classes
	lines := foldWords(classes, report.WeightsByFold, job.frame.ClassWeights(), job.fit.Forest.Resolved(1).Trees, job.prefs)
	for c, name := range classes {
		if job.prefs[c].Theta < topTheta(job.prefs) || len(classes) > 2 && allAlike(job.prefs) {
			continue
		}
		plain, tuned := report.Rules.Plain.Classes[name], report.Rules.Tuned.Classes[name]
		lines = append(lines, fmt.Sprintf("Expect for %q on new rows: recall %s, precision %s; plain has %s, %s.", name,
			within(tuned.Recall, tuned.RecallInterval), within(tuned.Precision, tuned.PrecisionInterval),
			percentOr(plain.Recall), percentOr(plain.Precision)))
	}
	lines = append(lines, agreementWords(report.Agreement))
	lines = append(lines, tieWords(shownClasses(classes, job.prefs, report.Probabilities), report.Probabilities)...)
	if report.Always != nil {
		lines = append(lines, alwaysWords(classes, report.Always))
	}
	return append(lines, gainWords(report, job.loss.name)...)
}

// gainWords says what tuning gains on new rows, by the loss that was asked for.
func gainWords(report *eval.Report, measure string) []string {
	r := &report.Rules
	what, of := "your preference", func(r *eval.Rule) float64 { return r.Pragma }
	if r.Plain.Loss != nil {
		what, of = "the measure you chose", func(r *eval.Rule) float64 { return *r.Loss }
	}
	plain, tuned := of(&r.Plain), of(&r.Tuned)
	lines := []string{fmt.Sprintf("By %s new rows are decided better: the loss (%s) falls from %s to %s.", what, measure, lossText(plain), lossText(tuned))}
	if g := report.Gain; g != nil && g.Loss > 0 && g.Loss <= g.StandardError {
		lines[0] += fmt.Sprintf(" That is no gain beyond noise: the standard error of the difference is %.2g.", g.StandardError)
	}
	if !(tuned < plain) {
		lines[0] = fmt.Sprintf("By %s tuning gains nothing on new rows (%s %s, plain %s): keep the plain vote.", what, measure, lossText(tuned), lossText(plain))
	}
	return append(lines, fmt.Sprintf("Tuned and judged on the same votes it would look like %s (optimistic); do not count on that.", lossText(of(&r.Optimistic))))
}

// allAlike tells whether all classes are equally important.
func allAlike(prefs []pragma.Preference) bool {
	return !slices.ContainsFunc(prefs, func(f pragma.Preference) bool { return f.Theta != prefs[0].Theta })
}

func topTheta(prefs []pragma.Preference) float64 {
	top := 0.0
	for _, f := range prefs {
		top = max(top, f.Theta)
	}
	return top
}

// foldWords says what the weights of the folds mean for a forest of the given number of trees.
func foldWords(classes []string, folds []eval.FoldWeights, share []float64, trees int, prefs []pragma.Preference) []string {
	if len(classes) > 2 {
		return []string{"In the middle of the folds " + worthWords(classes, medianWeights(classes, folds)) + "."}
	}
	c := mattersMore(share, prefs)
	needs := make([]int, len(folds))
	for i, f := range folds {
		needs[i] = votesNeeded(vote.Weights{f.Weights[classes[0]], f.Weights[classes[1]]}, share, trees, c)
	}
	slices.Sort(needs)
	least, middle, most := needs[0], needs[len(needs)/2], needs[len(needs)-1]
	text := fmt.Sprintf("In the folds %d to %d of %d votes are enough for %q (middle %d)", least, most, trees, classes[c], middle)
	if least == most {
		text = fmt.Sprintf("In all folds %d of %d votes %s enough for %q", least, trees, isAre(least), classes[c])
	}
	return append([]string{fmt.Sprintf("%s; the plain vote needs %d.", text, votesNeeded(nil, share, trees, c))}, cornerWords(middle, trees, classes[c])...)
}

// weightWords says what the weights mean for a forest of the given number of trees.
func weightWords(classes []string, w vote.Weights, share []float64, trees int, prefs []pragma.Preference) []string {
	if len(classes) > 2 {
		return []string{"Now " + worthWords(classes, w) + "."}
	}
	c := mattersMore(share, prefs)
	if trees == 0 { // scores
		return nil
	}
	need, plain := votesNeeded(w, share, trees, c), votesNeeded(nil, share, trees, c)
	text := fmt.Sprintf("%d of %d votes %s now enough for %q; the plain vote needs %d.", need, trees, isAre(need), classes[c], plain)
	if need == plain {
		text = fmt.Sprintf("%d of %d votes %s enough for %q, as in the plain vote.", need, trees, isAre(need), classes[c])
	}
	return append([]string{text}, cornerWords(need, trees, classes[c])...)
}

// cornerWords warns where a single vote decides.
func cornerWords(need, trees int, class string) []string {
	if need > 1 || trees < 3 {
		return nil
	}
	return []string{fmt.Sprintf("One vote is enough: the last points of recall of %q are bought at any price in precision. If that is too much, raise x.", class)}
}

// worthWords says what a vote for each class is worth.
func worthWords(classes []string, w vote.Weights) string {
	text := "a vote counts"
	for c, name := range classes {
		if c > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s for %q", weightText(w[c]), name)
	}
	return text
}

// mattersMore returns the class of two that is more important, of equals the rarer.
func mattersMore(share []float64, prefs []pragma.Preference) int {
	if prefs[1].Theta > prefs[0].Theta || prefs[1].Theta == prefs[0].Theta && share[1] < share[0] {
		return 1
	}
	return 0
}

// votesNeeded returns the least number of votes with which class c wins of two.
func votesNeeded(w vote.Weights, share []float64, trees, c int) int {
	rule := vote.NewRule(w, share, 2)
	votes := make([]uint32, 2)
	return 1 + sort.Search(trees, func(i int) bool { // more votes never lose: a file may speak of billions
		votes[c], votes[1-c] = uint32(i+1), uint32(trees-i-1)
		return rule.Decide(votes) == c
	})
}

// medianWeights returns the median of each class's weight over the folds, of an even number
// the geometric mean of the middle two.
func medianWeights(classes []string, folds []eval.FoldWeights) vote.Weights {
	w := make(vote.Weights, len(classes))
	for c, name := range classes {
		weights := make([]float64, len(folds))
		for i, f := range folds {
			weights[i] = f.Weights[name]
		}
		slices.Sort(weights)
		w[c] = math.Sqrt(weights[len(weights)/2]) * math.Sqrt(weights[(len(weights)-1)/2])
	}
	return w
}
