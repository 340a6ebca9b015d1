package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// verdict says in plain words what rows that took no part make of a way to decide.
type verdict struct {
	classes []string
	matter  []int // the classes that matter most, see aim.matter
	prefs   []pragma.Preference
	measure string         // what the weights are searched for
	costs   pragma.Costs   // behind the measure "cost"
	whose   string         // what the costs are called where others stand beside; "" where not
	asked   pragma.Measure // that measure, nil where it is not known
	floors  []pragma.Floor
	rows    string // which rows: new ones, of which figures are expected, or others
	report  *eval.Report
	weights vote.Weights // of the votes of the report, in a cross-validation the middle of the folds
	beside  bool         // recall and precision stand beside the words, as large figures, and the details further down: then the words are few

	remaps    bool // a map fitted anew may be advised: the model is judged as it is saved, and its map is not of these rows
	unlike    bool // columns are not as in training: whatever is tuned or fitted on these rows is
	priced    bool // costs are given beside what the weights are searched for
	mixed     bool // rows that have a time are judged by trees that knew later ones: what is said is not said of new rows
	unreached bool // what is required was not reached even on the votes that weights were searched on
	discord   *discord
	given     bool                  // the weights were, and not searched for
	had       *eval.Rule            // the weights that a model has, beside those found on rows that are new to it, with what these gain; nil where there are none
	missed    []string              // by class, the one label of the file that all its rows are of which are not found, "" for none; nil where that is not known
	limit     *limitCost            // what a limit of alarms costs, nil where that is not known
	surer     *surer                // what a stricter recall finds than one that rows are too few to make sure of; nil likewise
	full      []eval.TopListFigures // what the lists are worth that have all alarms that limits allow; nil likewise
	others    []alternative         // other choices that stand beside the words
	withheld  *withheldInfo         // rows that are left undecided; nil for none
	also      []finding.Finding     // what was found elsewhere
	promises  []assess.Promise      // what cv promised of these rows; nil where that is not known
}

// newRows are those that a cross-validation speaks of.
const newRows = "new rows"

// mixedRows are the rows that figures are of where those that have a time are judged by trees that knew later ones.
const mixedRows = "rows with past and future mixed"

// mostNamed is how many classes that matter most get sentences of their own.
const mostNamed = 3

// words says what to expect, what it costs, and whether it is worth it: what a person reads who reads nothing else.
func (v *verdict) words() []string {
	head, cautions, rest := v.parts()
	return slices.Concat(head, cautions, rest)
}

// parts are the words: what to expect, whether what is required is kept and what it is worth; what to be careful of, the gravest first; and what else there is to say of these.
func (v *verdict) parts() (head, cautions, rest []string) {
	expect := v.mean()
	var many, more, traded []string
	if expect == nil {
		for _, c := range v.matter {
			expect = append(expect, v.class(c)...)
			alarms, caution := v.alarms(c), v.caution(c)
			if v.beside || len(v.matter) == 1 {
				expect = append(expect, alarms...)
			} else {
				more = append(more, alarms...)
			}
			few := min(len(caution), 1)
			many = append(many, caution[:few]...)
			if !v.beside {
				more = append(more, caution[few:]...)
			}
			if !v.beside || len(v.matter) == 1 {
				traded = append(traded, v.trade(c)...)
			}
		}
	}
	waste, scarce := v.waste(), v.scarce()
	kept, broken, advice := v.floorWords()
	if v.beside { // these stand among the limits
		waste, scarce, broken = nil, nil, nil
	}
	gains, others := v.gains()
	head = slices.Concat(waste, weightedWords(v.report.Weighed), v.discord.words(v.voice()), v.saves(), expect, broken, kept, traded, gains, many)
	cautions = slices.Concat(v.unsure(), v.worthless())
	rest = slices.Concat(advice, others, more, v.never(), scarce, v.limitWords(), v.edges(), v.hangs(), v.due(), v.topWords())
	whyOnce(judgedIn(v.report), v.classes, head, rest)
	return head, cautions, rest
}

// never says as which classes that have rows none is decided, but for those of which it is told.
func (v *verdict) never() []string {
	var told []int
	if len(v.matter) <= mostNamed {
		told = v.matter
	}
	f := assess.Never(v.subject(), told...)
	if f == nil {
		return nil
	}
	return []string{v.voice().Short(f)}
}

// limits are what to know before the figures are relied on, where the words are to be few: first that the model does worse than none, and what is required and not
// kept; then of which classes there are few rows.
func (v *verdict) limits() (first, limits []string) {
	if !v.beside {
		return nil, nil
	}
	_, broken, _ := v.floorWords()
	return slices.Concat(v.waste(), v.wide(), broken), v.scarce()
}

// wide says of the classes that get sentences of their own that ranges on later rows are too wide to plan with.
func (v *verdict) wide() []string {
	var lines []string
	if judged := judgedIn(v.report); len(v.matter) <= mostNamed {
		for _, c := range v.matter {
			of := v.report.Later(v.classes[c], v.withheld.decidedIn)
			if words := wideWords(of.Recall, of.Precision, judged, v.classes[c]); words != "" {
				lines = append(lines, words[1:])
			}
		}
	}
	return lines
}

// aside is what the words leave to the details where they are to be few.
func (v *verdict) aside() []string {
	if !v.beside || v.mean() != nil {
		return nil
	}
	var lines []string
	for _, c := range v.matter {
		if caution := v.caution(c); len(caution) > 1 {
			lines = append(lines, caution[1:]...)
		}
		if len(v.matter) > 1 {
			lines = append(lines, v.trade(c)...)
		}
	}
	return lines
}

// details says what one may want to know beside that.
func (v *verdict) details() []string {
	return slices.Concat(v.aside(), v.kin(), v.likeliest())
}

// likeliest sets the decisions against the probabilities, and says what maps make of these.
func (v *verdict) likeliest() []string {
	return append(v.agreement(), tieWords(shownClasses(v.classes, v.prefs, v.report.Probabilities), v.report.Probabilities)...)
}

// mean says what to expect of many classes; nil where each gets its own sentences.
func (v *verdict) mean() []string {
	plain, tuned := &v.report.Rules.Plain, &v.report.Rules.Tuned
	was, is := plain.Means.Priority, tuned.Means.Priority
	switch {
	case 0 < len(v.matter) && len(v.matter) <= mostNamed:
		return nil
	case v.beside, len(v.matter) == 0 && v.measure == "cost":
		return []string{}
	case len(v.matter) == 0:
		return []string{fmt.Sprintf("On %s %s of all rows are decided rightly, by the plain vote %s.", v.on(), percent(tuned.Accuracy), percent(plain.Accuracy))}
	case was == nil || is == nil:
		return []string{}
	}
	return []string{fmt.Sprintf("On %s %s of the rows of the %d classes that matter most are found, by the plain vote %s. Their mean precision, weighted by their rows, is %s, by the plain vote %s.",
		v.on(), percent(is.Recall), len(v.matter), percent(was.Recall), percent(is.Precision), percent(was.Precision))}
}

// explained takes away what was explained of a class before.
var explained = strings.NewReplacer(": that is recall", "", ": that is precision", "")

// class says what to expect of class c: beside large figures of that no more than that there is no alarm for it.
func (v *verdict) class(c int) (lines []string) {
	name := v.classes[c]
	if !v.beside {
		lines = v.shareWords(c)
		if c != v.matter[0] {
			for i, line := range lines {
				lines[i] = explained.Replace(line)
			}
		}
	}
	if v.report.Rules.Tuned.Classes[name].Precision == nil {
		lines = append(lines, v.voice().Short(&finding.Finding{Code: codes.ClassNever, Classes: []string{name}}))
	}
	return lines
}

// alarms says how many there are for class c, unless that is required: then it is said how many there are, and in the table of the plain vote.
func (v *verdict) alarms(c int) []string {
	name := v.classes[c]
	plain, tuned := v.report.Rules.Plain.Classes[name], v.report.Rules.Tuned.Classes[name]
	if tuned.Precision == nil || !v.beside && v.limited(c, pragma.Alerts) {
		return nil
	}
	if later := eval.ForecastShare(judgedIn(v.report), eval.AlertsIn(name, v.withheld.decidedIn)); later != nil {
		ends := fmt.Sprintf("%s to %s", inTenThousand(later.Interval[0]), inTenThousand(later.Interval[1]))
		return []string{fmt.Sprintf("10,000 later rows raise about %s for %q (%s).", english.Plural(inTenThousand(later.Value), "alarm"), name, ends)}
	}
	alarms, by := inTenThousand(tuned.Predicted/v.all()), "by the plain vote "+inTenThousand(plain.Predicted/v.all())
	if tuned.Predicted == plain.Predicted {
		by = "as by the plain vote"
	}
	return []string{fmt.Sprintf("10,000 such rows raise about %s for %q, %s.", english.Plural(alarms, "alarm"), name, by)}
}

// caution says how to have fewer alarms for class c, or to find more of it, where that may be wanted.
func (v *verdict) caution(c int) []string {
	if caution := v.flood(c); caution != nil {
		return caution
	}
	return v.misses(c)
}

// shareWords says what recall and precision of class c are, as far as they are defined. Of a handful of rows it tells the rows, as a share of
// 100 would promise too much. Alarms at random are right as often as rows are of the class.
func (v *verdict) shareWords(c int) []string {
	name := v.classes[c]
	plain, tuned := v.report.Rules.Plain.Classes[name], v.report.Rules.Tuned.Classes[name]
	judged, random := judgedIn(v.report), ofHundred(tuned.Support/v.judged())
	recall, precision := eval.ForecastShare(judged, eval.RecallIn(name)), eval.ForecastShare(judged, eval.PrecisionIn(name))
	var lines []string
	switch {
	case tuned.Recall == nil:
		recall = nil
	case recall != nil:
		found, ends := within100(recall.Value, &recall.Interval)
		lines = append(lines, fmt.Sprintf("Of 100 later rows of %q expect %s to be found (%s): that is recall.", name, found, ends))
	default:
		lines = append(lines, v.foundWords(c, plain, tuned)+": that is recall.")
	}
	switch {
	case tuned.Precision == nil:
		precision = nil
	case precision != nil:
		right, ends := within100(precision.Value, &precision.Interval)
		lines = append(lines, fmt.Sprintf("Of 100 later alarms for %q expect %s to be right (%s), at random %s: that is precision.", name, right, ends, ofHundred(shareIn(judged, name))))
	default:
		by := "no alarm comes from the plain vote"
		if plain.Precision != nil {
			by = "by the plain vote " + plainText(*plain.Precision, plain.Predicted)
		}
		right, ends := v.within(c, pragma.PrecisionFloor, *tuned.Precision, tuned.PrecisionInterval)
		of, others := "100 alarms", ""
		none := *tuned.Precision == 0 && tuned.Predicted < effective.FewRows && tuned.Rows < tuned.Support+0.5 // of which 0 of 100 would promise too much
		if none || handful(tuned.Predicted, tuned) {
			right, of, others = noneOr(*tuned.Precision*tuned.Predicted), english.Plural(about(tuned.Predicted), "alarm"), " of 100 on "+otherRows(v.on())
			random += " of 100"
			if plain.Precision != nil && plain.Predicted < effective.FewRows {
				by = "by the plain vote " + noneOr(*plain.Precision*plain.Predicted) + " of " + about(plain.Predicted)
			}
		}
		lines = append(lines, fmt.Sprintf("Of %s for %q %s %s right (%s%s), at random %s, %s: that is precision.",
			of, name, right, english.Verb(strings.Replace(right, "none", "1", 1), "is", "are"), ends, others, random, by))
	}
	if lines != nil {
		lines[len(lines)-1] += wideWords(recall, precision, judged, name)
	}
	return lines
}

// within shows a figure of class c and its interval, of 100, so exactly that it does not look like what is required of it and is not.
func (v *verdict) within(c int, what pragma.Figure, share float64, interval *[2]float64) (value, ends string) {
	decimals := 0
	for _, f := range v.floors {
		if f.Class == c && f.What == what {
			decimals = max(decimals, decimalsOf(beside(share, f.Limit, 0)))
		}
	}
	return english.Within(share, interval[0], interval[1], decimals)
}

// foundWords says how much of class c is found.
func (v *verdict) foundWords(c int, plain, tuned eval.Class) string {
	rows, name := v.on(), v.classes[c]
	found, ends := v.within(c, pragma.RecallFloor, *tuned.Recall, tuned.RecallInterval)
	if handful(tuned.Support, tuned) {
		found = about(*tuned.Recall * tuned.Support)
		return fmt.Sprintf("Of %s of %q %s %s found (%s of 100 on %s), by the plain vote %s", english.Plural(about(tuned.Support), "row"), name,
			found, english.Verb(found, "is", "are"), ends, otherRows(rows), about(*plain.Recall*plain.Support))
	}
	return fmt.Sprintf("On %s %s of 100 rows of %q %s found (%s), by the plain vote %s",
		rows, found, name, english.Verb(found, "is", "are"), ends, plainText(*plain.Recall, plain.Support))
}

// otherRows are those that an interval speaks of, where some rows are judged.
func otherRows(rows string) string {
	if rows == newRows {
		return rows
	}
	return "other rows"
}

// handful tells whether a weight of rows of a class, or of alarms for it, is that of few rows, and not the sum of light ones.
func handful(n float64, class eval.Class) bool {
	return n < english.Few && class.Rows < class.Support+0.5
}

// plainText shows a share of so many rows, of 100, or of the rows themselves where they are few.
func plainText(share, rows float64) string { return english.OfRows(share, rows) }

// noneOr shows how many of few rows there are.
func noneOr(n float64) string { return english.NoneOr(n) }

// ofHundred shows a share as so many of 100.
func ofHundred(share float64) string { return english.OfHundred(share) }

// judged is the weight of all rows that are decided.
func (v *verdict) judged() float64 { return judgedWeight(&v.report.Rules.Tuned) }

// all is the weight of all rows, those left undecided among them.
func (v *verdict) all() float64 { return v.judged() / v.withheld.decided() }

// judgedWeight is the weight of all rows that a rule decides.
func judgedWeight(r *eval.Rule) float64 {
	var rows portable.Sum
	for _, class := range r.Classes {
		rows.Add(class.Support)
	}
	return rows.Value()
}

// within100 shows a share and its interval, of 100.
func within100(share float64, interval *[2]float64) (value, ends string) {
	return english.Within(share, interval[0], interval[1], 0)
}

// about shows a number of rows that is an estimate.
func about(n float64) string { return english.About(n) }

// inTenThousand shows how many of 10,000 rows such a share is, which are whole ones.
func inTenThousand(share float64) string { return english.InTenThousand(share) }

// tieWords says of which classes the map leaves less than half of the different probabilities, as isotonic ones do.
func tieWords(classes []string, judged map[string]eval.Judged) []string {
	var words []string
	for _, name := range classes {
		raw, calibrated := judged[name].Raw, judged[name].Calibrated
		if raw == nil || 2*calibrated.Figures.Distinct > raw.Figures.Distinct {
			continue
		}
		left := calibrated.Figures.Distinct
		text := fmt.Sprintf("The map gives rows of different votes the same probability of %q: of %d different probabilities %d %s left", name, raw.Figures.Distinct, left, english.Verb(left, "is", "are"))
		for _, area := range []struct {
			name        string
			before, now float64
		}{{". The ROC area", raw.Figures.AUC, calibrated.Figures.AUC}, {", the area under precision and recall", raw.Figures.AveragePrecision, calibrated.Figures.AveragePrecision}} {
			if before, now := fmt.Sprintf("%.4f", area.before), fmt.Sprintf("%.4f", area.now); before == now {
				text += fmt.Sprintf("%s stays at %s", area.name, now)
			} else {
				text += fmt.Sprintf("%s goes from %s to %s", area.name, before, now)
			}
		}
		words = append(words, text+".")
	}
	return words
}

// agreement says how often the decision is not the likeliest class, and why: as that was asked for, or, where that is often, as votes and probabilities rank classes otherwise.
func (v *verdict) agreement() []string {
	r, rows := v.report, "the rows"
	if latest(r) != nil {
		rows = "the " + v.on()
	}
	var lines []string
	if r.Moved >= 0.0005 { // else it would be shown as 0
		lines = append(lines, fmt.Sprintf("%s of %s are decided as %s.", percent(r.Moved), rows, v.wanted()))
	}
	if other := 1 - r.Agreement - r.Moved; other > 0.01 {
		lines = append(lines, fmt.Sprintf("On %s of %s votes and probabilities disagree about the likeliest class.", percent(other), rows))
	}
	return lines
}

// wanted says as what rows are decided of which another class is likelier, and why: of two classes a weight moves all rows to the same one.
func (v *verdict) wanted() string {
	worth := ": by " + v.by() + " that is worth it"
	if len(v.classes) > 2 {
		return "a class that is not the likeliest" + worth
	}
	plain, tuned, c := v.report.Rules.Plain.Classes, v.report.Rules.Tuned.Classes, 0
	if name := v.classes[1]; tuned[name].Predicted > plain[name].Predicted {
		c = 1
	}
	if said := strings.HasPrefix(v.measure, "pragma") || v.measure == "cost"; said && slices.Contains(v.matter, c) {
		worth = ": missing one is worse, as you said"
	}
	return fmt.Sprintf("%q although %q is likelier%s", v.classes[c], v.classes[1-c], worth)
}
