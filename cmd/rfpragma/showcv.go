package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// cvResult is what cv writes as JSON.
type cvResult struct {
	heading
	Data     dataInfo   `json:"data"`        // the rows
	SHA256   string     `json:"data_sha256"` // of what the rows say, as the provenance of a model has it that is trained on them
	Settings cvSettings `json:"settings"`    // how trees were grown and weights tuned, defaults filled in
	eval.Report
	Withheld  *withheldInfo         `json:"withheld,omitempty"`            // with --withhold, the rows that are left undecided, which are in no figure; in the order of time those of the latest block
	Later     map[string]eval.Later `json:"later,omitempty"`               // by class, what of it to expect of later rows, in the order of time where two blocks or more are judged: evaluate --expected judges by it
	LaterCost *eval.Forecast        `json:"later_cost_of_a_row,omitempty"` // likewise what to expect of the cost of a row, where costs are asked for
	Limit     *limitCost            `json:"limit,omitempty"`               // what a limit of alarms costs; where costs say what is wanted
	findings
	Alternatives []alternative `json:"alternatives,omitempty"` // what else the votes allow for the one class that matters most, beside what is required; where a recall is required that new rows may not keep, what to ask for instead
	remarks
}

type cvSettings struct {
	growthInfo
	Seed        uint64                    `json:"seed"`           // that all chance comes from
	Folds       int                       `json:"folds"`          // parts of the rows that are judged
	Repeats     int                       `json:"repeats"`        // times it was done, with other folds each, or in the order of time other trees
	Time        string                    `json:"time,omitempty"` // column in whose order later rows were judged by earlier ones
	Votes       vote.Source               `json:"votes"`          // where the votes come from that weights and maps are fitted on: oob, cv, forward or train
	Calibration string                    `json:"calibration"`    // method of the maps, as asked for
	Search      string                    `json:"search"`         // method of the search for weights
	Measure     string                    `json:"measure"`        // what the weights are searched for
	Preferences map[string]preferenceInfo `json:"preferences"`    // what is wanted of each class; empty where costs or another measure say it
	askedInfo
}

// growthInfo is how trees are grown, defaults filled in.
type growthInfo struct {
	Trees         int     `json:"trees"`          // number of trees
	Mtry          int     `json:"mtry"`           // features tried at each node
	MinLeaf       int     `json:"min_leaf"`       // least weight of a leaf
	MaxDepth      int     `json:"max_depth"`      // 0 is no limit
	MaxLeaves     int     `json:"max_leaves"`     // 0 is no limit
	Criterion     string  `json:"criterion"`      // of the splits: gini, entropy, hellinger, offcentred or pragma
	RandomCuts    bool    `json:"random_cuts"`    // one random cut of each feature tried
	SubsetLevels  int     `json:"subset_levels"`  // up to which columns are split by subsets of their levels
	Bag           string  `json:"bag"`            // how bags are drawn
	Fraction      float64 `json:"fraction"`       // share of the rows in a bag
	NoReplacement bool    `json:"no_replacement"` // a row is in a bag at most once
	SoftVotes     bool    `json:"soft_votes"`     // trees vote with shares
}

// growthOf is that of forests on so many features of rows of these classes.
func growthOf(c forest.Config, features int, classes []string) growthInfo {
	f := c.Resolved(features)
	return growthInfo{
		Trees: f.Trees, Mtry: f.Mtry, MinLeaf: f.MinLeaf, MaxDepth: f.MaxDepth, MaxLeaves: f.MaxLeaves,
		Criterion: string(f.Criterion), RandomCuts: f.RandomCuts, SubsetLevels: f.SubsetLevels,
		Bag: bagText(f, classes), Fraction: f.Fraction, NoReplacement: f.NoReplacement, SoftVotes: f.Soft,
	}
}

func (job *cvJob) settings() cvSettings {
	s := cvSettings{
		growthInfo: growthOf(job.fit.Forest, len(job.frame.Columns), job.frame.Classes), Seed: job.fit.Forest.Seed,
		Folds: job.eval.Folds, Repeats: job.eval.Repeats,
		Votes: job.fit.Source(job.frame), Calibration: string(job.fit.Calibration), Search: job.fit.Search.Method.String(),
		Measure: job.aim.loss.name, Preferences: job.aim.preferences(),
		askedInfo: job.aim.info(),
	}
	if job.eval.FoldOf != nil {
		s.Folds, s.Repeats = slices.Max(job.eval.FoldOf)+1, 1
	}
	if job.blocks != nil {
		s.Folds, s.Time = len(job.blocks)-1, job.frame.Time.Name
	}
	return s
}

// introduced says what is cross-validated, and how.
func (job *cvJob) introduced(to *page) {
	s := job.settings()
	data := fmt.Sprintf("%s: %s, %s, %s", job.name, weighedRows(job.frame.Rows(), job.frame.Weight), english.Plural(len(job.frame.Columns), "feature"), classShares(job.frame.Classes, job.frame.ClassWeights()))
	to.say(append(append([]string{data}, mergedWords(job.frame)...), fmt.Sprintf("%s, mtry %d%s, %s × %d, tuned on %s, seed %d",
		english.Plural(s.Trees, "tree"), s.Mtry, growthWords(job.fit.Forest), job.foldsText(), s.Repeats, votesOf(s.Votes), s.Seed))...)
}

// verdict is what the words are made of.
func (job *cvJob) verdict(report *eval.Report, beside bool) *verdict {
	v := &verdict{
		classes: job.frame.Classes, matter: job.aim.matter(), prefs: job.aim.prefs, measure: job.aim.loss.name, costs: job.aim.loss.costs, asked: job.aim.loss.measure, floors: job.fit.Search.Floors, rows: newRows, report: report, weights: job.weights(report), beside: beside, given: job.aim.byCost,
		unreached: slices.ContainsFunc(report.Warnings, unreached), others: job.others, limit: job.limit, surer: job.surer, full: job.full, discord: job.discord(report), missed: missedLabels(job.frame, job.decided()), withheld: job.withheld,
	}
	if f := job.byHeart.finding(len(judgedIn(report))); f != nil {
		v.also = append(v.also, *f)
	}
	return v
}

// words says the result in plain words, beside large figures of recall and precision or without them.
func (job *cvJob) words(report *eval.Report, beside bool) said {
	v, classes, prefs, decided := job.verdict(report, beside), job.frame.Classes, job.aim.prefs, job.decided()
	when := ""
	if job.eval.Repeats > 1 {
		when = " in the first repeat"
	}
	var votes []string
	folds := report.WeightsByFold
	if job.aim.byCost { // which goes by no weights
		folds = nil
	} else {
		votes = foldWords(classes, folds, job.aim.order(), job.fit.Forest.Resolved(1).Trees, prefs)
	}
	ranked := slices.DeleteFunc(shownClasses(classes, prefs, report.Probabilities), func(name string) bool { return report.Rules.Plain.Classes[name].Rows < effective.FewRows })
	first, limits := v.limits()
	head, cautions, rest := v.parts()
	whyOnce(judgedIn(report), classes, first, rest)
	refused, few := refusedWords(report.Warnings), slices.Concat(trainingWords(report.Warnings, errFewBlocks), job.byHeart.words())
	out := said{
		details:  slices.Concat(v.details(), foldMapWords(ranked, report.Probabilities), job.byHeart.clears(), v.optimism()),
		verdicts: slices.Concat(rest, foundByLabel(job.frame, decided, when), job.withheld.words(v.matter, job.frame.Weight != nil), partWords(job.eval.Top, report.Top)),
		blocks:   job.blockWords(beside),
		first:    first, limits: slices.Concat(v.miscalibrated(), v.uninformed(), v.unranged(folds, job.eval.Repeats == 1 && job.eval.FoldOf == nil && job.blocks == nil)),
	}
	if beside {
		out.details = slices.Concat(votes, out.blocks, out.details)
		out.verdicts, out.limits = slices.Concat(head, cautions, out.verdicts, refused), slices.Concat(limits, few, out.limits)
	} else {
		out.head, out.cautions = append(head, votes...), slices.Concat(refused, few, cautions)
		out.gains, _ = v.gains()
	}
	return out
}

// mostHead is how many lines the words have that a result begins with.
const mostHead = 8

// headed parts the words before the tables, the first of them, the gain and the gravest caution in any case, from those for which there is no room.
func (s said) headed() (head, left []string) {
	caution := s.cautions[:min(1, len(s.cautions))]
	lines := func(sentence string) int { return 1 + strings.Count(wrapped(sentence, pageWidth), "\n") }
	room := mostHead
	for _, sentence := range caution {
		room -= lines(sentence)
	}
	for i, sentence := range s.head {
		if n := lines(sentence); i == 0 || n <= room || slices.Contains(s.gains, sentence) {
			head, room = append(head, sentence), room-n
		} else {
			left = append(left, sentence)
		}
	}
	return append(head, caution...), append(left, s.cautions[len(caution):]...)
}

// weights are those in the middle of the folds.
func (job *cvJob) weights(report *eval.Report) vote.Weights {
	return medianWeights(job.frame.Classes, counted(report))
}

// muchArea is how much ROC area the maps of folds can cost before it is told why.
const muchArea = 0.02

// foldMapWords says of which classes the probabilities of all folds together rank rows worse than the votes do. Within a fold a map that rises cannot.
func foldMapWords(classes []string, judged map[string]eval.Judged) []string {
	var words []string
	for _, name := range classes {
		raw, calibrated := judged[name].Raw, judged[name].Calibrated
		if raw != nil && raw.Figures.AUC-calibrated.Figures.AUC > muchArea {
			words = append(words, fmt.Sprintf("Each fold has a map of its own, and put together their probabilities rank the rows of %q worse than the votes do: the ROC area is %.4f, raw %.4f. A model has one map: where that rises, it keeps the order.",
				name, calibrated.Figures.AUC, raw.Figures.AUC))
		}
	}
	return words
}

// refusedWords say in how many trainings no weights reach what is required, and what train makes of that.
func refusedWords(warnings []error) []string {
	for _, w := range warnings {
		var in *eval.TrainingWarning
		if unreached(w) && errors.As(w, &in) {
			return []string{fmt.Sprintf("But %s here no weights reach all that you require on the votes they are searched on: train then makes no model (exit code 7), unless you add --accept-best.", in.Where())}
		}
	}
	return nil
}

// leavesWords say what each of two floors that no weights reach leaves of the other, which JSON and a page have among all details of warnings.
func leavesWords(warnings []error) []string {
	for _, w := range warnings {
		if detail := note.Detail(w); unreached(w) && detail != "" {
			return []string{detail}
		}
	}
	return nil
}

// unreached tells whether a warning is of floors that no weights reach.
func unreached(warning error) bool { return errors.Is(warning, anneal.ErrFloors) }

func (p *program) showCV(job *cvJob, to *page, report *eval.Report) error {
	words, err := job.words(report, false), error(nil)
	all := slices.Concat(words.head, words.cautions, words.verdicts, words.blocks, words.details, words.limits, job.omittedWords(report))
	switch job.format {
	case "json":
		out := cvResult{
			heading: heading{schemaVersion, "cv"}, Data: describe(job.name, job.frame), SHA256: rfpragma.Fingerprint(job.frame),
			Settings: job.settings(), Report: *report, Withheld: job.withheld, Later: laterShares(report, job.withheld), LaterCost: eval.ForecastCost(judgedIn(report)), Alternatives: job.others, Limit: job.limit, findings: job.verdict(report, false).assessed(), remarks: p.remarks(all),
		}
		err = p.writeJSON(out)
	case "csv":
		err = p.rulesCSV(job.frame.Classes, report, nil, nil, nil)
	}
	if err != nil || to.silent() {
		return err
	}
	if columns, _ := job.frame.Ordered(); !p.together() { // else warnings have told it
		words.cautions = slices.Concat(leakWords(job.frame.Warnings), words.cautions)
		if job.eval.FoldOf == nil && job.blocks == nil { // else the folds may part it
			words.cautions = slices.Concat(orderedWords(columns, &job.frame.Reading, job.frame.Schema()), words.cautions)
		}
	}
	head, left := words.headed()
	to.say(head...)
	job.aim.show(to, true)
	to.say(job.withheld.heading(job.frame.Weight != nil)...)
	to.table(job.withheld.table(tables.Unit(job.frame.Weight != nil)))
	to.say(words.blocks...)
	showRules(to, job.aim, job.weights(report), report)
	for _, g := range []*grid{job.blockTable(report), job.moneyByTime(report), job.listTable(report)} {
		if latest(report) != nil {
			g.title = "Block by block"
		}
		to.table(g)
	}
	to.say(words.details...)
	if chosen := job.chosen.words(); chosen != "" {
		to.say(chosen)
	}
	to.say(slices.Concat(left, words.verdicts, leavesWords(report.Warnings), words.limits)...)
	to.say(alternativeWords(job.others, job.aim, job.ways(report))...)
	to.table(alternativeTable(job.others, job.aim))
	to.say(job.omittedWords(report)...)
	if job.blocks == nil { // else it has been said
		to.say(askedWords(job.others, job.frame.Classes)...)
	}
	to.say(append(betterWords(job.others, &report.Rules.Tuned), keptWords(job.others)...)...)
	return nil
}

// leakWords say of columns that give the class away what the figures count on.
func leakWords(warnings []error) []string {
	var columns, without []string
	for _, w := range warnings {
		var in *dataset.TellsWarning
		if errors.As(w, &in) {
			columns = append(columns, in.Columns...)
		}
	}
	if columns == nil {
		return nil
	}
	for _, name := range columns {
		without = append(without, csvtext.Flag("ignore", name, "COL"))
	}
	return []string{fmt.Sprintf("These figures count on %s being known when a row is to be decided; if not, add %s.", nearest.List(columns), strings.Join(without, " "))}
}
