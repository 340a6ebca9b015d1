package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/vote"
)

// modelReport makes the page of a model that was judged on labelled rows, and compared with its training.
func modelReport(ctx context.Context, in *modelRows, judged *eval.Report, found *rfpragma.Comparison) (*report.Report, error) {
	m, r := in.model, in.model.Provenance
	l, err := lossOf(m)
	if err != nil {
		return nil, err
	}
	trained := make([][2]float64, len(r.Plateau))
	for c, plateau := range r.Plateau {
		trained[c] = [2]float64{plateau.Low, plateau.High}
	}
	floors, err := m.Floors()
	if err != nil {
		return nil, err
	}
	page, err := report.New(ctx, report.Input{
		Eval: judged, Spec: m.Spec, Measure: l.name, Loss: l.measure, Costs: l.costs, Floors: floors, Matter: in.aim.matter(), Weights: m.Weights, Given: in.aim.given, Trained: trained,
	})
	if err != nil {
		return nil, err
	}
	page.Title = "Judged on " + pageTitle(in.name, "what the model decides")
	page.About = append(append([]string{
		fmt.Sprintf("%s, %s%s", weighedRows(in.frame.Rows(), in.frame.Weight), in.known(), unjudged(describe(in.name, in.frame))),
	}, slices.Concat(mergedWords(in.frame), in.withheld.heading(in.frame.Weight != nil))...),
		fmt.Sprintf("A forest of %s, grown on %s.", english.Plural(m.Forest.Trees(), "tree"), english.Plural(r.Rows, "row")),
	)
	words, err := in.judgedWords(judged, true)
	if err != nil {
		return nil, err
	}
	came, failed := in.expected.words(true)
	drift := driftVerdict(in, found)
	page.Summary, page.Details = append(came, words.verdicts...), append(words.record, words.details...)
	if found != nil && len(found.Drift)+len(found.Better)+len(in.expected.failed()) == 0 { // none shows
		page.Summary = slices.Concat(came, drift, words.verdicts)
		if in.expected == nil {
			page.Summary = slices.Concat(words.verdicts, drift)
		}
		drift = nil
	}
	page.Warnings = append(page.Warnings, slices.Concat(in.columns, words.first, failed, drift, words.limits)...)
	page.Asked = append(in.aim.words(), in.costsWords()...)
	figures(page, in.aim, m.Weights, judged)
	if in.money != nil {
		page.Details[0] = untunedWords(&in.money.Rules)
		tables := []report.Table{in.moneyTable().titled("What the decisions cost by " + givenCosts)}
		if costs := in.costTable(); len(costs.rows) > 0 {
			tables = append(tables, costs.titled("What a row costs by "+givenCosts+", by its class and what it is decided as"))
		}
		page.Tables = append(tables, page.Tables...)
	}
	in.withheld.show(page, in.frame.Weight != nil)
	if table := in.expected.table(); table.rows != nil {
		page.Tables = append([]report.Table{table.titled("What cv promised, and what is found")}, page.Tables...)
	}
	page.Tables = append(page.Tables, weightTable(m).titled("Weights of the votes"))
	page.Importance = features(m)
	page.Facts = modelFacts(in)
	return page, nil
}

// pageTitle says which file a page is about, and what of it, which comes last where there is little room.
func pageTitle(name, what string) string { return filepath.Base(name) + ": " + what }

// lossOf returns what a model was tuned for, or its preference where that is not known.
func lossOf(m *rfpragma.Model) (loss, error) {
	if measure, err := m.Measure(); err == nil {
		return loss{name: m.Provenance.Measure, measure: measure, costs: m.Provenance.CostsOf()}, nil
	}
	measure, err := m.Spec.Measure(m.Classes())
	return loss{name: "pragma", measure: measure}, err
}

// figures puts on the page the tables of evaluate and cv.
func figures(to *report.Report, of *aim, weights vote.Weights, judged *eval.Report) {
	classes := of.classes
	to.Details = append([]string{untunedWords(&judged.Rules)}, to.Details...)
	if costs := costTable(classes, of.loss.costs); len(costs.rows) > 0 {
		to.Costs = costs.titled("What a row costs, by its class and what it is decided as")
	}
	to.Mistakes = confusionTable(classes, "plain", of.rule(), judged.Rules.Plain.Confusion, judged.Rules.Tuned.Confusion, judged.Weighed).titled("What is taken for what most often")
	to.Tables = []report.Table{rulesTable(&judged.Rules, of).titled("The ways to decide, side by side")}
	titles := []string{"What becomes of the rows, with 95 % intervals", "The rows of other classes: specificity, false positive rate (FPR), negative predictive value (NPV)"}
	others := othersTable(classes, "plain", of.rule(), judged.Rules.Plain.Classes, judged.Rules.Tuned.Classes)
	for i, g := range classFiguresOf(of, judged, weights).tables(of, others) {
		to.Tables = append(to.Tables, g.titled(titles[i]))
	}
	to.Tables = append(to.Tables, probabilityTable(shownClasses(classes, of.prefs, judged.Probabilities), judged.Probabilities, "raw").titled("Probabilities before and after the map"))
	if len(judged.Top) > 0 {
		to.Tables = append(to.Tables, topTable(judged).titled("Lists of the likeliest rows, with 95 % intervals"))
	}
}

// untunedWords says what the rules are that the tuned one stands beside, for those who know the page alone.
func untunedWords(r *eval.Rules) string {
	text := "Plain is the plain vote: the class with most votes. Prior counts a vote by one over the share of its class in the training rows"
	if r.Cost != nil {
		text += ", cost by what the errors of its class cost"
	}
	return text + ": that needs no tuning."
}

// readingFacts says how the table was read of which the features are.
func readingFacts(r dataset.Reading, features dataset.Schema) []report.Fact {
	var facts []report.Fact
	if words := readingWords(r); words != nil {
		facts = append(facts, fact("Read as", strings.Join(words, "; ")))
	}
	const most = 50
	var names []string
	for _, f := range features {
		if f.Kind == dataset.Categorical {
			names = append(names, english.Quote(f.Name))
		}
	}
	if n := len(names); n > most {
		names = append(names[:most], fmt.Sprintf("and %d more", n-most))
	}
	if names != nil {
		facts = append(facts, fact("Columns of categories", strings.Join(names, ", ")))
	}
	return facts
}

// features are those of a model, the most used first.
func features(m *rfpragma.Model) []report.Feature {
	impurity := m.Forest.Importance()
	out := make([]report.Feature, len(impurity))
	for j, f := range m.Forest.Schema {
		out[j] = report.Feature{Name: f.Name, Part: report.Number(impurity[j])}
	}
	slices.SortStableFunc(out, func(a, b report.Feature) int { return cmp.Compare(b.Part, a.Part) })
	return out
}

// modelFacts is the record of a model, and of the rows it was judged on.
func modelFacts(in *modelRows) []report.Fact {
	m, r := in.model, in.model.Provenance
	maps := fmt.Sprintf("%s, fitted on %s", r.Calibration, votesWords(cmp.Or(r.MapVotes, r.Votes), 0))
	if shares := modelShares(m); shares != "" {
		maps = shares
	}
	return slices.Concat([]report.Fact{
		fact("Rows judged", fmt.Sprintf("%s: %d", filepath.Base(in.name), in.judged.Labelled().Rows())),
		fact("Model", in.from.File),
		fact("sha256 of the model file", in.from.SHA256),
		fact("Training data", fmt.Sprintf("%s, %s", english.Plural(r.Rows, "row"), english.Plural(len(m.Forest.Schema), "feature"))),
		fact("sha256 of the training data", r.Data+", of the rows as they were read, not of a file"),
	}, readingFacts(r.Reading, m.Forest.Schema), []report.Fact{
		fact("Forest", fmt.Sprintf("%s (%s), mtry %d, smallest leaf %d, bag %s%s", english.Plural(m.Forest.Trees(), "tree"), english.Plural(m.Forest.Nodes(), "node"), r.Mtry, r.MinLeaf, bagText(r.Growth(), m.Classes()), growthWords(r.Growth()))),
		fact("Weights fitted on", votesWords(r.Votes, r.Unvoted)),
		fact("Search", searchText(&r)),
	}, in.aim.facts(), []report.Fact{
		fact("Probabilities", maps),
		fact("Seed of the training", r.Seed),
		fact("rfpragma", strings.Join(buildVersion(), ", ")),
	})
}

// searchText says how the weights were found.
func searchText(r *rfpragma.Provenance) string {
	if r.Choice == rfpragma.Given {
		return "none: the weights were given, by number or by rule"
	}
	return strings.TrimSpace(r.Search + " " + r.Choice)
}

// report makes the page of a cross-validation.
func (job *cvJob) report(ctx context.Context, judged *eval.Report) (*report.Report, error) {
	classes := job.frame.Classes
	weights := job.weights(judged)
	page, err := report.New(ctx, report.Input{
		Eval: judged, Spec: job.aim.spec, Measure: job.aim.loss.name, Loss: job.aim.loss.measure, Costs: job.aim.loss.costs, Floors: job.fit.Search.Floors, Matter: job.aim.matter(), Weights: weights, Later: laterShares(judged, job.withheld),
		LaterCost: eval.ForecastCost(judgedIn(judged)),
	})
	if err != nil {
		return nil, err
	}
	s := job.settings()
	page.Title = pageTitle(job.name, "what to expect on new rows")
	page.About = append(append([]string{
		fmt.Sprintf("%s, %s, %s", weighedRows(job.frame.Rows(), job.frame.Weight), english.Plural(len(job.frame.Columns), "feature"), classShares(classes, job.frame.ClassWeights())),
	}, mergedWords(job.frame)...),
		fmt.Sprintf("Nested cross-validation, %s × %d: each row is judged by a forest of %s, weights and maps that were fitted without it%s.", job.foldsText(), s.Repeats, english.Plural(s.Trees, "tree"), job.beforeText()),
	)
	if latest := job.latestWords(); latest != "" {
		page.About = append(page.About, latest+" See All figures, By time.")
	}
	page.About = append(page.About, job.withheld.heading(job.frame.Weight != nil)...)
	words := job.words(judged, true)
	page.Summary, page.Details, page.Warnings = words.verdicts, words.details, append(page.Warnings, slices.Concat(words.first, words.limits)...)
	page.Asked = job.aim.words()
	figures(page, job.aim, weights, judged)
	job.withheld.show(page, job.frame.Weight != nil)
	if job.blocks != nil {
		page.Tables = append(page.Tables, job.blockTable(judged).titled("By time"))
		if money := job.moneyByTime(judged); money.rows != nil {
			page.Tables = append(page.Tables, money.titled("What a row costs by time"))
		}
		if judged.Top != nil {
			page.Tables = append(page.Tables, job.listTable(judged).titled("Lists of the likeliest rows by time"))
		}
	}
	if introduced := alternativeWords(job.others, job.aim, job.ways(judged)); introduced != nil {
		page.Tables = append(page.Tables, alternativeTable(job.others, job.aim).titled(strings.TrimSuffix(introduced[0], ":")))
		page.Details = append(page.Details, betterWords(job.others, &judged.Rules.Tuned)...)
	}
	page.Details = append(page.Details, job.omittedWords(judged)...)
	page.Facts = slices.Concat([]report.Fact{
		fact("Data", fmt.Sprintf("%s: %s, %s", filepath.Base(job.name), english.Plural(job.frame.Rows(), "row"), english.Plural(len(job.frame.Columns), "feature"))),
	}, readingFacts(job.frame.Reading, job.frame.Schema()), []report.Fact{
		fact("Forest", fmt.Sprintf("%s, mtry %d, smallest leaf %d, bag %s%s", english.Plural(s.Trees, "tree"), s.Mtry, s.MinLeaf, s.Bag, growthWords(job.fit.Forest))),
		fact("Weights fitted on", votesOf(s.Votes)+" of the training part of each fold"),
		fact("Search", s.Search),
	}, job.aim.facts(), []report.Fact{
		fact("Calibration", s.Calibration), fact("Seed", s.Seed), fact("rfpragma", strings.Join(buildVersion(), ", ")),
	})
	return page, nil
}
