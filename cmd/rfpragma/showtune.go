package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// tuneResult is what tune writes as JSON.
type tuneResult struct {
	heading
	Data        dataInfo                  `json:"data"`                       // the rows that the votes are of
	Unvoted     int                       `json:"unvoted"`                    // rows without a vote
	Trees       int                       `json:"trees"`                      // most votes that a row has, 0 of scores
	Measure     string                    `json:"measure"`                    // what the weights are searched for
	Preferences map[string]preferenceInfo `json:"preferences"`                // what is wanted of each class
	Method      string                    `json:"method"`                     // of the search
	Loss        float64                   `json:"loss"`                       // on these votes, under the weights
	Plain       float64                   `json:"plain"`                      // on these votes, under the plain vote
	Prior       float64                   `json:"prior"`                      // under weights of 1/share
	Before      *float64                  `json:"before,omitempty"`           // under the weights that the model had; not of votes
	Lowest      *float64                  `json:"lowest,omitempty"`           // the lowest loss found within the floors, which chance takes part in; not of weights that were given
	Agreed      int                       `json:"agreed,omitempty"`           // so many searches found it, of as many as the field of says
	Of          int                       `json:"of,omitempty"`               // number of searches
	Expected    *expected                 `json:"expected,omitempty"`         // on new rows; not of weights that were given
	Costs       *tunedCosts               `json:"costs,omitempty"`            // where the measure is a cost
	Classes     []tunedClass              `json:"classes"`                    // the weights, in the order of the matrices
	Confusion   [][]float64               `json:"confusion"`                  // under the weights
	PlainMatrix [][]float64               `json:"confusion_plain"`            // under the plain vote
	Was         [][]float64               `json:"confusion_before,omitempty"` // under the weights that the model had; not of votes
	Top         []eval.TopListFigures     `json:"top,omitempty"`              // what the lists are worth that were asked for
	Limit       *limitCost                `json:"limit,omitempty"`            // what a limit of alarms costs on new rows; where costs say what is wanted, and not of weights that were given
	Others      []alternative             `json:"alternatives,omitempty"`     // what else the votes allow for the one class that matters most, beside what is required, or what to ask for instead of a recall that new rows may not keep; not of weights that were given
	askedInfo
	findings
	remarks
}

// expected is what to expect on new rows, by cross-validation of the search on the votes.
type expected struct {
	Loss            float64            `json:"loss"`                       // under weights found without the row
	Interval        *[2]float64        `json:"interval"`                   // 95 of 100 resamples of the rows, or of the groups they are of, are within; null of few groups
	Plain           float64            `json:"plain"`                      // under the plain vote
	StandardError   *float64           `json:"standard_error"`             // of the difference; null of few groups
	Groups          int                `json:"groups,omitempty"`           // how many the rows are of, if they have any
	EffectiveGroups float64            `json:"effective_groups,omitempty"` // groups of equal weight that would tell as much, by Kish
	Classes         []expectedClass    `json:"classes,omitempty"`          // not where costs are by amount
	WeightsByFold   []eval.FoldWeights `json:"weights_by_fold,omitempty"`  // that these figures are of; absent where the weights found are 1 each
}

type expectedClass struct {
	Label              string      `json:"class"`                     // name of the class
	Recall             *float64    `json:"recall"`                    // share of its rows that are found (sensitivity)
	RecallInterval     *[2]float64 `json:"recall_interval"`           // Wilson's, at 95 %
	Precision          *float64    `json:"precision"`                 // share of the decisions for it that are right (positive predictive value)
	PrecisionInterval  *[2]float64 `json:"precision_interval"`        // Wilson's, at 95 %
	Specificity        *float64    `json:"specificity"`               // share of the rows of other classes that are not decided as it (true negative rate)
	FalsePositives     *float64    `json:"false_positive_rate"`       // share of the rows of other classes that are decided as it, 1 - specificity
	NegativePredictive *float64    `json:"negative_predictive_value"` // share of the rows not decided as it that are of another class
}

type tunedClass struct {
	Label string `json:"class"` // name of the class
	weighed
}

// shownTuning is what tune has to show.
type shownTuning struct {
	name   string
	table  *vote.Table
	frame  *dataset.Frame // the rows that they are of; nil of votes in a file
	staked *vote.Table    // by what is at stake, see pragma.Costs.Stakes
	loss   loss
	spec   pragma.Spec
	prefs  []pragma.Preference
	floors []pragma.Floor
	choice anneal.Choice
	found  anneal.Result
	trial  *anneal.Trial   // nil of weights that were given
	prior  *eval.Gain      // what the search gains in it on weights of one over the share of each class; nil as in gain
	cost   *eval.Gain      // likewise on weights by cost alone
	was    *rfpragma.Model // that the votes are of; nil of any other votes
	fresh  bool            // the rows are new to it, and to its weights
	kept   *eval.Gain      // what the search gains in its trial on the weights that it had; nil as in gain, and of rows that are not fresh
	model  *rfpragma.Model // the same with the weights found
	top    []eval.TopListFigures
	others []alternative
	limit  *limitCost
	surer  *surer
}

func (s *shownTuning) show(p *program, form string) error {
	t, costs := s.table, s.costs()
	judged := s.judgement()
	details, verdicts := s.details(p.ctx, judged), slices.Concat(s.trialWords(), s.verdict(judged))
	if costs != nil {
		verdicts = append(verdicts, costs.words(judged)...)
	}
	weights := weigh(s.found.Weights, s.found.Origins, func(c int) rfpragma.Interval { return rfpragma.Interval{Low: s.found.Low[c], High: s.found.High[c]} })
	switch form {
	case "json":
		out := s.result(weights)
		out.Costs, out.findings, out.remarks = costs, s.foundBy(judged), p.remarks(slices.Concat(details, verdicts))
		return p.writeJSON(out)
	case "csv":
		return p.weightsCSV(t.Classes, weights)
	}
	rows := weighedRows(tables.Stands(t), t.Weight)
	votes := fmt.Sprintf("votes of %s by up to %s", rows, english.Plural(t.Trees, "tree"))
	if s.model != nil && t.Source == vote.OOB {
		votes = "out-of-bag " + votes
	}
	if t.Scores {
		votes = "scores of " + rows
	}
	to := p.page(form).call(t.Classes)
	to.say(fmt.Sprintf("%s: %s, %s%s", s.name, votes, classShares(t.Classes, classWeightsOf(t)), unjudged(describeVotes(s.name, t, s.frame))))
	s.aim().show(to, false)
	to.table(s.weightTable(weights))
	from, now, before := s.compared()
	others := othersTable(s.aim().told(), from, now, s.rule(before, 0, nil).Classes, s.rule(t.Confuse(s.found.Weights), 0, nil).Classes)
	for _, g := range s.classFigures(from, now, before).tables(s.aim(), others) {
		to.table(g)
	}
	to.table(topTable(judged.report))
	if len(t.Classes) > 2 {
		to.table(confusionTable(t.Classes, from, now, before.Rows(), t.Confuse(s.found.Weights).Rows(), weighedTable(t)))
	}
	to.say(details...)
	to.say(verdicts...)
	to.say(alternativeWords(s.others, s.aim(), s.ways())...)
	to.table(alternativeTable(s.others, s.aim()))
	to.say(askedWords(s.others, t.Classes)...)
	if s.was != nil && t.Source == vote.OOB && !p.together() { // the rows of the training
		to.say(orderedWords(s.was.Provenance.Ordered, &s.was.Provenance.Reading, s.was.Forest.Schema)...)
	}
	return nil
}

// foundBy is what is found on new rows; nothing of weights that were given.
func (s *shownTuning) foundBy(v *verdict) findings {
	if s.trial == nil {
		return findings{[]finding.Finding{}}
	}
	return v.assessed()
}

// aim is what was asked for.
func (s *shownTuning) aim() *aim {
	return &aim{classes: s.table.Classes, share: s.table.Share, ties: s.table.Ties, spec: s.spec, prefs: s.prefs, loss: s.loss, floors: floorTexts(s.floors, s.table.Classes), given: s.trial == nil}
}

// result is what tune writes as JSON, but for the costs and the words.
func (s *shownTuning) result(weights []weighed) tuneResult {
	t := s.table
	out := tuneResult{
		Expected: s.expected(), Agreed: s.found.Agreed, Of: s.found.Of,
		heading: heading{schemaVersion, "tune"}, Data: describeVotes(s.name, t, s.frame), Unvoted: t.Unvoted(), Trees: t.Trees,
		Measure: s.loss.name, Preferences: s.aim().preferences(), askedInfo: s.aim().info(), Method: s.found.Method.String(), Loss: s.found.Loss, Plain: s.found.Plain, Prior: s.under(vote.Prior(t.Share)),
		Top: s.top, Others: s.others, Limit: s.limit,
		Confusion: t.Confuse(s.found.Weights).Rows(), PlainMatrix: t.Confuse(nil).Rows(),
	}
	for c, w := range weights {
		out.Classes = append(out.Classes, tunedClass{t.Classes[c], w})
	}
	if s.trial != nil {
		out.Lowest = &s.found.Lowest
	}
	if s.was != nil {
		before := s.under(s.was.Weights)
		out.Before, out.Was = &before, t.Confuse(s.was.Weights).Rows()
	}
	return out
}

// weightTable shows the weights, and what else they are called.
func (s *shownTuning) weightTable(weights []weighed) *grid {
	g := &grid{head: []string{"class", "vote weight", "same loss with", "cutoff"}}
	for c, w := range weights {
		g.add(s.table.Classes[c], w.text(), plateauText(w.Plateau), fmt.Sprintf("%.3g", w.Cutoff))
	}
	if s.searched() {
		g.head = append(g.head, "in the folds")
		for c, text := range s.foldRangeTexts() {
			g.rows[c] = append(g.rows[c], text)
		}
	}
	return g
}

// under returns the loss of all rows under weights.
func (s *shownTuning) under(w vote.Weights) float64 { return s.loss.measure.Loss(s.staked.Confuse(w)) }

// underText shows the loss under weights that are told of beside those found, and says what these break of what is required.
func (s *shownTuning) underText(w vote.Weights) string {
	text := s.lossText(s.under(w))
	if broken := s.broken(w); broken != "" {
		text += ", but break what you require: " + broken
	}
	return text
}

// broken says which floors decisions under weights miss, and what they reach; "" where they keep all.
func (s *shownTuning) broken(w vote.Weights) string {
	var missed []string
	m := s.table.Confuse(w)
	for _, f := range s.floors {
		if value, ok := f.Value(m); ok && f.Missing(m) > 0 {
			missed = append(missed, fmt.Sprintf("%s would be %s", f.Text(s.table.Classes), floorText(f, value)))
		}
	}
	return strings.Join(missed, "; ")
}

// details says in plain words what was found, but for what the judgement tells.
func (s *shownTuning) details(ctx context.Context, j *verdict) []string {
	t, w := s.table, s.found.Weights
	words := weightWords(t.Classes, w, t.TieOrder(), t.Trees, s.prefs)
	if len(t.Classes) == 2 {
		c := pragma.MattersMore(t.TieOrder(), s.prefs)
		words = append(words, sameWords(t.Classes, w, c))
		if prices := s.pricing(ctx, c); prices != nil {
			words = append(words, prices.words(w, t.Confuse(w), s.votesPrice(prices))...)
		} else {
			words = append(words, sharePriceWords(s.aim(), w, t.Confuse(w), c))
		}
		if !t.Scores && !t.Soft {
			words = append(words, s.changeWords(c)...)
		}
		if figures := rfpragma.FiguresOf(t, w); figures != nil && s.others == nil {
			words = append(words, j.more(c, w, figures[c].Recall)...)
		}
	}
	loss, prior := fmt.Sprintf("On these votes %s.", lossWords(s.loss.name, s.found.Plain, s.found.Loss)+s.lowestWords()), vote.Prior(t.Share)
	if s.under(prior) != s.found.Loss && j.untuned() != "prior" { // else the verdict tells it
		loss += fmt.Sprintf(" Weights of one over the share of each class give %s.", s.underText(prior))
	}
	words = append(words, loss)
	switch {
	case s.was == nil:
	case sameDecisions(s.was, s.model):
		words = append(words, "The model decides with these weights as it did before.")
	default:
		words = append(words, fmt.Sprintf("The weights that the model has give %s.%s", s.underText(s.was.Weights), s.backWords()))
	}
	switch {
	case s.trial == nil:
		words = append(words, "Nothing was searched: unless you chose the weights by these very votes, the ranges hold for new rows of the same kind.")
	case s.searched():
		of := ""
		if s.fresh {
			of = " of the new weights"
		}
		words = append(words, fmt.Sprintf("The ranges%s are optimistic, as the weights were tuned on these votes.", of))
	}
	return words
}

// lowestWords says how sure it is that there is no lower loss.
func (s *shownTuning) lowestWords() string {
	r, that := s.found, ""
	if len(s.floors) > 0 {
		that = " that keeps what you require"
	}
	switch tuned := s.table.Confuse(r.Weights); {
	case r.Of == 0 || slices.ContainsFunc(s.floors, func(f pragma.Floor) bool { return f.Missing(tuned) > 0 }):
		return ""
	case r.Method == anneal.Exact && s.lossText(r.Lowest) == s.lossText(r.Loss):
		return fmt.Sprintf("; none%s is lower", that)
	case r.Method == anneal.Exact:
		return fmt.Sprintf("; none%s is lower than %s", that, s.lossText(r.Lowest))
	}
	return fmt.Sprintf("; the lowest found%s is %s, by %d of %d searches", that, s.lossText(r.Lowest), r.Agreed, r.Of)
}

// verdict says what to expect on new rows, by the trial of the search; nothing of weights that were given. Of costs by amount, which no row counts
// in, only what is gained.
func (s *shownTuning) verdict(v *verdict) []string {
	switch {
	case s.trial == nil:
		return v.topWords()
	case s.loss.costs.Amounts():
		return slices.Concat(v.waste(), v.saves(), []string{v.gain()}, v.unproven(), v.topWords())
	default:
		return v.words()
	}
}

// judgement is what the words are made of.
func (s *shownTuning) judgement() *verdict {
	v := &verdict{
		classes: s.table.Classes, matter: s.aim().matter(), prefs: s.prefs, measure: s.loss.name, costs: s.loss.costs, asked: s.loss.measure, floors: s.floors, rows: newRows, mixed: s.mixed(), report: s.judged(), weights: s.found.Weights,
		unreached: slices.ContainsFunc(s.found.Warnings, unreached), others: s.others, limit: s.limit, surer: s.surer, discord: s.discord(),
	}
	if s.fresh && s.trial != nil {
		had := s.fixed(s.was.Weights, s.kept)
		v.had = &had
	}
	return v
}

// judged is what is known of new rows: by the trial, or by the weights that were given, and of the lists.
func (s *shownTuning) judged() *eval.Report {
	report := &eval.Report{Top: s.top, Weighed: weighedTable(s.table), Votes: s.table, Warnings: s.found.Warnings}
	before, after, r := s.table.Confuse(nil), s.table.Confuse(s.found.Weights), &report.Rules
	t := s.trial
	if t == nil {
		r.Plain, r.Tuned = s.rule(before, s.found.Plain, nil), s.rule(after, s.found.Loss, nil)
		return report
	}
	report.Gain, report.Groups, report.EffectiveGroups = s.gain(), t.Groups, t.EffectiveGroups
	if r.Plain, r.Tuned = s.rule(before, t.Plain, nil), s.rule(t.Confusion, t.Loss, t); s.loss.costs.Amounts() { // of which the matrix of the trial is
		r.Tuned = s.rule(after, t.Loss, nil)
	}
	if costs := s.loss.costs; costs.Matrix != nil {
		total := costs.Total(t.Confusion)
		r.Tuned.Cost, report.Always = &total, costs.Always(s.staked.Confuse(nil))
	}
	if r.Prior = s.fixed(vote.Prior(s.table.Share), s.prior); s.cost != nil {
		cost := s.fixed(s.loss.costs.Weights(tables.MeanAmounts(s.table)), s.cost)
		r.Cost = &cost
	}
	return report
}

// fixed is a way to decide the rows that was not searched for on them, and what the search gains on it.
func (s *shownTuning) fixed(w vote.Weights, gain *eval.Gain) eval.Rule {
	rule := s.rule(s.table.Confuse(w), s.under(w), nil)
	if rule.Gain = gain; s.loss.costs.Matrix != nil {
		total := s.loss.costs.Total(s.staked.Confuse(w))
		rule.Cost = &total
	}
	return rule
}

// gain is what the search gains in its trial; nil where the rows are of so few groups that nobody knows how sure that is.
func (s *shownTuning) gain() *eval.Gain {
	if t := s.trial; !effective.TooFew(t.EffectiveGroups) {
		return &eval.Gain{Loss: t.Plain - t.Loss, StandardError: t.Error}
	}
	return nil
}

// compare fills in what the search gains in its trial on weights that need none, and on those of a model to which the rows are new.
func (s *shownTuning) compare(search anneal.Search) (err error) {
	if s.trial == nil || s.gain() == nil {
		return nil
	}
	on := func(w vote.Weights) *eval.Gain {
		var g eval.Gain
		if err == nil {
			g.Loss, g.StandardError, err = search.Gain(s.staked, s.loss.measure, *s.trial, w)
		}
		return &g
	}
	if s.fresh {
		s.kept = on(s.was.Weights)
	}
	if s.loss.costs.Amounts() {
		return err
	}
	if s.prior = on(vote.Prior(s.table.Share)); s.loss.costs.Matrix != nil {
		s.cost = on(s.loss.costs.Weights(tables.MeanAmounts(s.table)))
	}
	return err
}

// offer finds what else the votes allow. Where weights are given a requirement moves nothing, and beside costs by amount there is none.
func (s *shownTuning) offer(ctx context.Context, search anneal.Search) (err error) {
	if s.trial == nil || slices.ContainsFunc(s.found.Warnings, unreached) || s.loss.costs.Amounts() {
		return nil
	}
	t, judged := s.table, s.judged()
	if s.limit, err = tradeoff.LimitOf(ctx, s.try(search), s.aim().asks(nil), judged.Rules.Tuned.Cost, judged.Rules.Tuned.Classes); err != nil {
		return err
	}
	if s.surer, err = tradeoff.StricterOf(ctx, s.try(search), s.aim().asks(nil), &judged.Rules.Tuned); err != nil {
		return err
	}
	tuned := s.rule(t.Confuse(s.found.Weights), s.found.Loss, s.trial)
	if len(s.floors) > 0 { // on these votes the weights keep them
		tuned = judged.Rules.Tuned
	}
	tuned.Cost, judged.Rules.Tuned = judged.Rules.Tuned.Cost, tuned
	s.others, err = tradeoff.Promised(ctx, s.try(search), &judged.Rules.Tuned, s.aim().asks(judged), tradeoff.Points(tradeoff.Voted{Table: t, Weights: s.found.Weights, Tuned: &tuned}, s.aim().most(), s.floors))
	return err
}

// rule is a way to decide the rows of the table. The intervals are those of the trial, if it is one.
func (s *shownTuning) rule(m *vote.Confusion, loss float64, t *anneal.Trial) eval.Rule {
	r := eval.Rule{Pragma: loss, Confusion: m.Rows(), Classes: map[string]eval.Class{}}
	r.Means = eval.MeansOf(m, pragma.PriorityClasses(s.prefs))
	r.Accuracy, _ = m.Accuracy()
	if s.loss.name != "pragma" {
		r.Loss = &loss
	}
	number := tables.EffectiveRows(s.table)
	for c, name := range m.Classes {
		class := eval.ClassOf(m, c)
		if class.Rows = number[c]; t != nil {
			class.RecallInterval, class.PrecisionInterval = &t.Recall[c], &t.Precision[c]
		}
		r.Classes[name] = class
	}
	return r
}

// pricing is that of class c by the probabilities of the model, or of other votes by what is fitted to them; nil where nothing is.
func (s *shownTuning) pricing(ctx context.Context, c int) *pricing {
	if s.model != nil {
		return modelPricing(s.model, s.prefs)
	}
	if s.table.Scores || s.table.Soft {
		return nil
	}
	maps, _, err := (rfpragma.Config{}).Calibrate(ctx, s.table)
	if err != nil {
		return nil
	}
	prob := func(dst []float64, votes []uint32) { rfpragma.Probabilities(maps, dst, votes, 1) }
	return &pricing{s.aim(), prob, 1, mapWords(sharesWords(maps.Method, maps)), s.table.TieOrder(), s.table.Trees, c}
}

// changeWords says of class c, of two, what the next larger number of votes that changes anything would change on these votes, if precision rises.
func (s *shownTuning) changeWords(c int) []string {
	t := s.table
	h, now := t.Compress(), t.Confuse(s.found.Weights)
	recall, precision := shareText(now.Recall(c)), shareText(now.Precision(c))
	for need := tables.Enough(t.Rule(s.found.Weights), t.Trees, c) + 1; need < t.Trees; need++ {
		then := h.Confuse(needing(need, t.Trees, c))
		found, right := shareText(then.Recall(c)), shareText(then.Precision(c))
		if found == recall && right == precision {
			continue
		}
		was, _ := now.Precision(c)
		if is, ok := then.Precision(c); !ok || is <= was || right == precision {
			return nil
		}
		went := fmt.Sprintf("would go from %s to %s on these votes, and precision", recall, found)
		if found == recall {
			went = fmt.Sprintf("would stay at %s on these votes, and precision go", recall)
		}
		return []string{fmt.Sprintf("If %d votes were needed, recall of %q %s from %s to %s.", need, t.Classes[c], went, precision, right)}
	}
	return nil
}

// expected is what the trial says of new rows. Where costs are by amount, so are its matrices, and there is nothing
// to say of recall and precision.
func (s *shownTuning) expected() *expected {
	if s.trial == nil {
		return nil
	}
	out := &expected{Loss: s.trial.Loss, Plain: s.trial.Plain, Groups: s.trial.Groups, EffectiveGroups: s.trial.EffectiveGroups, WeightsByFold: s.foldWeights()}
	if s.gain() != nil {
		out.Interval, out.StandardError = &s.trial.Interval, &s.trial.Error
	}
	if s.loss.costs.Amounts() {
		return out
	}
	for c, name := range s.table.Classes {
		of := eval.ClassOf(s.trial.Confusion, c)
		e := expectedClass{Label: name, Recall: of.Recall, Precision: of.Precision, Specificity: of.Specificity, FalsePositives: of.FalsePositives, NegativePredictive: of.NegativePredictive}
		if e.Recall != nil {
			e.RecallInterval = &s.trial.Recall[c]
		}
		if e.Precision != nil {
			e.PrecisionInterval = &s.trial.Precision[c]
		}
		out.Classes = append(out.Classes, e)
	}
	return out
}
