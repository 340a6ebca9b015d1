package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// says puts into words what the charts of a class show; off is what [Off] says of it.
func says(r *Report, c *Class, judged eval.Judged, off string) Says {
	f := judged.Calibrated.Figures
	out := Says{
		Moves: movesSays(r, c), Sweep: sweepSays(c), Votes: votesSays(r, c), Reliability: reliabilitySays(c, off, f.Mean,
			f.Share),
		Curve: brierSays(f.Brier), Benefit: benefitSays(r, c),
		PR: fmt.Sprintf("To find more of %q (to the right), more false alarms have to be accepted (downwards). The "+
			"average precision is %s; rows ranked by chance would have %s.", c.Name, digits(f.AveragePrecision),
			digits(f.Share)),
	}
	if r.Lines() {
		out.PR += equallyGood
	}
	if math.IsNaN(f.AUC) {
		out.ROC = "There are rows of one class only."
		return out
	}
	out.ROC = fmt.Sprintf("The closer the line comes to the upper left, the better the rows are told apart: many found, "+
		"with few false alarms. By chance it would be the dashed one. Of a row of %q and one of another class, picked at "+
		"random, the first has the higher probability in %s of the cases (area %s).", c.Name, share(f.AUC), digits(f.AUC))
	if raw := judged.Raw; raw != nil && 2*f.Distinct <= raw.Figures.Distinct && digits(raw.Figures.AUC) != digits(f.AUC) {
		out.ROC += fmt.Sprintf(" The map gives many rows the same probability; without it the area is %s.",
			digits(raw.Figures.AUC))
	}
	return out
}

// equallyGood tells what the grey lines are.
const equallyGood = " Points on the same grey line are equally good by the preference."

// brierSays tells what the Brier score is made of, with as many decimals of all of it, so that it adds up.
func brierSays(b calib.CORP) string {
	places := 3
	for least := 0.1; places < 6 && b.Score < least; least /= 10 {
		places++
	}
	return fmt.Sprintf("The line is what each probability should have been, as far as these rows tell; right ones lie "+
		"on the dashed line. The Brier score is %.*f (0 is best). The same probability for all rows would score %.*f; "+
		"telling the rows apart gains %.*f, and probabilities that are too high or too low lose %.*f, which a better map "+
		"could win back.",
		places, b.Score, places, b.UNC, places, b.DSC, places, b.MCB)
}

// benefitSays tells what net benefit is, and what it is where the tuned rule decides.
func benefitSays(r *Report, c *Class) string {
	b := &c.Charts.Benefit
	text := fmt.Sprintf("The higher the line, the more the decisions are worth: rows of %q found per 100 rows, less a "+
		"price for each false alarm. The price rises to the right: 1/9 of a row found where you decide from a probability "+
		"of 10 %% on, a whole one from 50 %% on.", c.Name)
	t := float64(b.Tuned)
	if math.IsNaN(t) {
		return text + moneySays(r, c)
	}
	price := fmt.Sprintf("%s on, where %.3g false alarms cost as much as one row found is worth.",
		strings.Replace(english.Percent(t, 1), ".0 ", " ", 1), (1-t)/t)
	switch {
	case b.Asked:
		text += " By your costs it pays to decide for it from " + price
	case t > 0:
		text += fmt.Sprintf(" The %s rule decides for it from about %s", r.Rule, price)
	default:
		text += fmt.Sprintf(" The %s rule decides for it in all of these rows, as if false alarms cost nothing.", r.Rule)
	}
	if !(b.Worth < 0) {
		return text + moneySays(r, c)
	}
	text += fmt.Sprintf(" At that price to decide none would be worth more: of the rows decided so only %s are %q",
		maybe(c.Tuned.Precision), c.Name)
	if !b.Asked && len(r.Classes) == 2 {
		text += ", fewer than their probabilities say"
	}
	return text + "." + moneySays(r, c)
}

// plainName is a name that a shell takes as it is.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.]+$`)

// moneySays tells how to see in money what decisions for a class are worth, where they are not.
func moneySays(r *Report, c *Class) string {
	if c.Charts.Benefit.Asked || r.Measure == "cost" {
		return ""
	}
	const begin = " To see it in money run rfpragma cv with "
	names := []string{c.Name}
	for _, other := range r.Classes {
		if other.Name != c.Name {
			names = append(names, other.Name)
		}
	}
	if len(names) != 2 || !plainName.MatchString(names[0]) || !plainName.MatchString(names[1]) {
		return begin + option.Text("{cost} CLASS=… for each class.")
	}
	return begin + fmt.Sprintf(option.Text("{cost} %s=… {cost} %s=…."), names[0], names[1])
}

// movesSays tells what tuning does to recall and precision.
func movesSays(r *Report, c *Class) string {
	if c.Plain.Recall == nil {
		return fmt.Sprintf("There is no row of %q.", c.Name)
	}
	takes, recall := went(maybe(c.Plain.Recall), maybe(c.Tuned.Recall))
	and, precision := went(maybe(c.Plain.Precision), maybe(c.Tuned.Precision))
	if and += " "; and == takes+" " {
		and = ""
	}
	who := "Tuning"
	if r.Rule == "given" {
		who = "Against the plain vote the weight given"
	}
	text := fmt.Sprintf("%s %s the recall of %q %s and %sits precision %s.", who, takes, c.Name, recall, and, precision)
	if n := c.Plain.Predicted; r.Unit == tables.Unit(false) && n > 0 && n < english.Few && c.Tuned.Precision != nil {
		text = fmt.Sprintf("%s %s the recall of %q %s; its precision is %s. The plain vote decides %s as %[3]q, too few to "+
			"compare.", who, takes, c.Name, recall, maybe(c.Tuned.Precision), english.Plural(count(n), "row"))
	}
	if c.Plain.Precision == nil || c.Tuned.Precision == nil {
		text += " Precision is n/a where no row is decided as it."
	}
	if r.Lines() {
		text += equallyGood
	}
	return text + drawnSays(r)
}

// drawnSays tells what the arrows and dots of recall and precision are, those that are there.
func drawnSays(r *Report) (text string) {
	drawn := func(moved, few bool) bool {
		return slices.ContainsFunc(r.Classes, func(c Class) bool {
			return c.Plain.Recall != nil && c.Tuned.Recall != nil && c.moves() == moved && (c.Few || !few)
		})
	}
	if drawn(true, false) {
		text = fmt.Sprintf(" Arrows lead from the plain vote, a hollow dot, to the %s rule.", r.Rule)
	}
	if drawn(true, true) {
		text += fmt.Sprintf(" Dashed ones are of classes of fewer than %d rows.", effective.FewRows)
	}
	if drawn(false, true) {
		text += fmt.Sprintf(" A hollow dot without an arrow is a class of fewer than %d rows that stays where it is.",
			effective.FewRows)
	}
	return text
}

// moves tells whether recall or precision of a class is another one by the tuned rule, as drawn: at 0 where there is
// none.
func (c *Class) moves() bool {
	at := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	return at(c.Plain.Recall) != at(c.Tuned.Recall) || at(c.Plain.Precision) != at(c.Tuned.Precision)
}

// went says how a figure goes from one value to another.
func went(from, to string) (verb, where string) {
	if from == to {
		return "leaves", "at " + to
	}
	return "takes", fmt.Sprintf("from %s to %s", from, to)
}

// Lines reports whether the loss depends on recall and precision of each class by straight lines, 1 + α·r +
// β·p.
func (r *Report) Lines() bool { return r.Measure == "pragma" }

// ofPragma reports whether the loss follows from the preference, by straight lines or by other curves
// (pragma:s=SHAPE).
func (r *Report) ofPragma() bool { return r.Lines() || strings.HasPrefix(r.Measure, "pragma:") }

// sweepSays tells what a higher weight does, and what the shaded and the hatched ones are.
func sweepSays(c *Class) string {
	s := &c.Charts.Sweep
	text := fmt.Sprintf("A higher weight finds more of %q, and raises more false alarms.", c.Name)
	if s.Trained == nil {
		text += s.shade(" Shaded weights lose the least on these rows, which is known only afterwards.", s.Plateau)
	} else {
		text += s.shade(" Shaded weights did as well in training.", *s.Trained)
	}
	switch every := !slices.ContainsFunc(s.Broken, func(missed []int) bool { return len(missed) > 0 }); {
	case s.Broken == nil || every:
		return text
	case !s.keepable:
		return text + " No weight of this class alone keeps what you require."
	}
	return text + " Hatched weights break what you require."
}

// Names of the weights of a cross-validation, where each fold has its own.
const (
	latestBlock   = "latest block"
	middleOfFolds = "middle of the folds"
)

// inUse names the weights of the classes of a cross-validation.
func (r *Report) inUse() string {
	if r.Used == latestBlock {
		return "the weight of the latest block"
	}
	return "the middle of the weights that the folds have found"
}

// foldsSay tells what the chart of the weights of the folds shows.
func (r *Report) foldsSay() string {
	return "Each dot is the weight that one fold has found, the bar " + r.inUse() +
		". Where the dots lie far apart the weight owes much to chance."
}

// foldsDiffer tells whether there is anything to be drawn of the weights of the folds.
func (r *Report) foldsDiffer() bool {
	return slices.ContainsFunc(r.Folds, func(f eval.FoldWeights) bool {
		for _, w := range f.Weights {
			if w != 1 {
				return true
			}
		}
		return false
	})
}

// shade returns the words that tell of a shade, where the range of weights is wide enough to be seen: one step of
// the sweep.
func (s *Sweep) shade(words string, of [2]Number) string {
	last := len(s.Weights) - 1
	from, to := max(of[0], s.Weights[0]), min(of[1], s.Weights[last])
	if portable.Log(float64(to/from)) < portable.Log(float64(s.Weights[last]/s.Weights[0]))/float64(last) {
		return ""
	}
	return words
}

// votesSays tells where the votes part the class from the others.
func votesSays(r *Report, c *Class) string {
	v := &c.Charts.Votes
	sum := func(counts []Number) (n float64) {
		for _, x := range counts {
			n += float64(x)
		}
		return n
	}
	found, missed, alarms := sum(v.Found), sum(v.Missed), sum(v.Alarms)
	text := fmt.Sprintf("Found %s of %s of %q, missed %s, with %s.", count(found), english.Plural(count(found+missed),
		"row"), c.Name, count(missed), english.Plural(count(alarms), "false alarm"))
	// Half of the rows of the class lie above the median bin, 99 of 100 others below the last of theirs.
	middle, far := len(v.Found), 0
	for above := 0.0; middle > 0 && 2*above < found+missed; {
		middle--
		above += float64(v.Found[middle] + v.Missed[middle])
	}
	others := sum(v.Alarms) + sum(v.Others)
	for below := 0.0; far < len(v.Others) && below < 0.99*others; far++ {
		below += float64(v.Alarms[far] + v.Others[far])
	}
	if middle > 0 {
		text += fmt.Sprintf(" Half of the rows of %q have at least %d of %s.", c.Name, middle*v.Width, english.Plural(r.Trees,
			"vote"))
	}
	return text + fmt.Sprintf(" 99 of 100 rows of other classes have fewer than %s.",
		english.Plural(min(far*v.Width, r.Trees+1), "vote"))
}

// reliabilitySays tells where the groups are off the diagonal by more than chance.
func reliabilitySays(c *Class, off string, mean, observed float64) string {
	text := fmt.Sprintf("Each dot is a group of rows with about the same probability of %q. Where that is right the dot "+
		"lies on the dashed line. ", c.Name)
	switch {
	case off != "":
		text += off
	case len(c.Charts.Reliability) == 1:
		text = "All rows have nearly the same probability."
	default:
		text += "Apart from chance, all groups lie on it."
	}
	return text + fmt.Sprintf(" Of all rows %s are %q; the mean probability is %s.", share(observed), c.Name, share(mean))
}

// share shows a share in percent, below ten of them to a tenth.
func share(x float64) string {
	decimals := 0
	if x < 0.1 {
		decimals = 1
	}
	return english.Percent(x, decimals)
}

// maybe shows a share that there may not be.
func maybe(x *float64) string {
	if x == nil {
		return "n/a"
	}
	return share(*x)
}

// digits shows a score, which lies mostly between 0 and 1, and looks like neither where it is neither.
func digits(x float64) string {
	switch {
	case math.IsNaN(x):
		return "n/a"
	case x == 1:
		return "1"
	case x != 0 && math.Abs(x) < 0.001:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case x >= 0.9995 && x < 1:
		return strconv.FormatFloat(min(x, 0.99999), 'f', 5, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// count shows a number of rows, or a sum of weights.
func count(n float64) string {
	if n == math.Trunc(n) {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'f', 1, 64)
}
