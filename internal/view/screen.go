package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
)

// result is a way to decide that was judged, as the first screen, the page and the JSON take it.
type result struct {
	title    string // of the figures, such as EXPECT ON NEW ROWS
	aim      *Aim
	Subject  *assess.Subject
	Findings []finding.Finding // the gravest first
	points   []Alternative     // other operating points
	promise  *ExpectedInfo     // what cv promised; nil where nobody asks
	lists    []string          // the lists of the likeliest rows, as they were asked for
	fixed    bool              // the decisions are those of a model as it is, or of weights that were given
}

// found works out what is found; also has findings from elsewhere.
func (r *result) found(also ...finding.Finding) *result {
	for _, o := range r.points {
		r.Subject.Offered = append(r.Subject.Offered, assess.Offer{Recall: o.Recall, Alerts: o.Alerts})
	}
	r.Findings = append(also, assess.Findings(r.Subject)...) // of equals the cause comes before what it does
	finding.Sort(r.Findings)
	return r
}

// Assessed are in JSON what was found.
type Assessed struct {
	Findings []finding.Finding `json:"findings"` // what was found, the gravest first: docs/findings.md explains each code
}

func (r *result) voice() say.Voice {
	v := say.About(r.aim.goal())
	v.Fixed = r.fixed
	return v
}

// Words are a sentence for each finding.
func (r *result) Words() []string {
	var out []string
	for i := range r.Findings {
		out = append(out, r.voice().Short(&r.Findings[i]))
	}
	return out
}

// mostCautions is how many findings the first screen has beside the verdict.
const mostCautions = 3

// Show writes the first screen of a result, but for what was judged and what to type next.
func (r *result) Show(to *layout.Page, details bool) {
	to.Say(r.aim.Request()...)
	to.Table(r.classes())
	if many := len(r.aim.Classes) > mostShown; !many || details || len(r.aim.Floors) > 0 || len(r.lists) > 0 {
		to.Table(r.figures())
	}
	to.Table(r.counts())
	to.Say(r.verdict()...)
	most := mostCautions
	for _, n := range []int{2, mostShown} { // classes take the room
		if len(r.aim.Classes) > n {
			most--
		}
	}
	if details {
		most = mostCautions + len(r.Findings) // notes as well
	}
	r.cautions(to, most)
}

// verdict says first which of the classes that matter are found no better than by chance, then what tuning gains, and
// whether the probabilities may be used.
func (r *result) verdict() []string {
	var lines []string
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Code == codes.ClassChance || strings.HasPrefix(string(f.Code), "gain.") &&
			f.Code != codes.GainUnproven ||
			strings.HasPrefix(string(f.Code), "retune.") {
			lines = append(lines, r.voice().Short(f)+r.advice(f))
		}
	}
	if r.enough() && !slices.ContainsFunc(r.Findings, func(f finding.Finding) bool {
		return strings.HasPrefix(
			string(f.Code), "calibration.")
	}) {
		lines = append(lines, "The probabilities may be used: they are off nowhere by more than chance.")
	}
	return lines
}

// enough tells whether there are rows enough of the classes whose probabilities are told of to say that these are
// right.
func (r *result) enough() bool {
	report := r.Subject.Report
	shown := shownClasses(r.aim.Classes, r.aim.Prefs, report.Probabilities)
	return len(shown) > 0 && !slices.ContainsFunc(shown, func(name string) bool {
		return report.Rules.Tuned.Classes[name].Rows < effective.FewRows
	})
}

// Told tells whether the first screen has a finding in another place.
func Told(f *finding.Finding) bool {
	code := string(f.Code)
	return f.Code == codes.ClassChance || f.Code == codes.ConstantWorse || f.Code == codes.ConstraintKept ||
		strings.HasPrefix(code, "gain.") && f.Code != codes.GainUnproven || strings.HasPrefix(code, "retune.")
}

// cautions writes the gravest findings, each with what may be done.
func (r *result) cautions(to *layout.Page, most int) {
	var shown []finding.Finding
	for _, f := range r.Findings {
		if !Told(&f) && (f.Grade > finding.Note || most > mostCautions) && !replaced(r.Findings, f.Code) {
			shown = append(shown, f)
		}
	}
	var lines []string
	for i := range shown[:min(len(shown), most)] {
		f := &shown[i]
		lines = append(lines, english.Capital(f.Grade.String())+": "+r.voice().Short(f)+r.advice(f))
	}
	if n := len(shown) - most; n > 0 {
		more := english.Plural(n, "more finding")
		if r.aim.Typed.Details != "" {
			more += ": " + r.aim.Typed.Details
		}
		lines = append(lines, more+".")
	}
	to.Say(lines...)
}

// replaced tells whether another finding says as much.
func replaced(all []finding.Finding, code finding.Code) bool {
	return slices.ContainsFunc(all, func(f finding.Finding) bool { return slices.Contains(f.Replaces, code) })
}

// advice goes on with what may be done about a finding; "" where nothing is to be typed.
func (r *result) advice(f *finding.Finding) string {
	for _, remedy := range f.Remedies {
		switch remedy.Do {
		case codes.MoreRows:
			continue
		case codes.KeepModel:
			return " Keep the model as it is."
		case codes.Recalibrate:
			return " A map fitted to recent labelled rows may help: rfpragma calibrate MODEL ROWS -o NEW."
		case codes.OtherChoice:
			if o := r.calmer(remedy.Class); o != nil {
				return fmt.Sprintf(" Fewer: %s finds %s, and %s are right.", strings.Join(r.aim.Typed.point(o), " "),
					english.Rounded(english.Percent(o.Recall, 1)), english.Rounded(english.Percent(o.Precision, 1)))
			}
		}
		if flag := r.aim.Typed.remedy(remedy, r.aim.Classes); flag != "" {
			if r.Subject.Rows == codes.GivenRows {
				return " Tune again with " + flag + "."
			}
			return " Try " + flag + "."
		}
	}
	return ""
}

// calmer is the operating point of most alarms that is no flood; nil where there is none.
func (r *result) calmer(class string) *Alternative {
	for i := len(r.points) - 1; i >= 0; i-- {
		if o := &r.points[i]; o.Class == class && !assess.Flooded(r.aim.Loss.Name, o.Alerts, o.Precision) {
			return o
		}
	}
	return nil
}

// Request says in a line or two what was asked for, in the terms of who asked.
func (a *Aim) Request() []string {
	var parts []string
	costs := a.Loss.Costs.Matrix != nil
	switch {
	case costs:
		c := 0
		if len(a.Classes) == 2 {
			c = pragma.MattersMore(a.order(), a.Prefs)
		}
		for _, text := range costWords(a.Classes, a.Loss.Costs, c) {
			parts = append(parts, uncapitalised(strings.TrimSuffix(text, ".")))
		}
	case !strings.HasPrefix(a.Loss.Name, "pragma"):
		parts = append(parts, "the lowest loss by "+a.Loss.Name)
	default:
		parts = append(parts, a.wished()...)
	}
	for _, f := range a.required() {
		parts = append(parts, (say.Voice{Classes: a.Classes}).Required(f))
	}
	if a.ByCost {
		parts = append(parts, "each row decided by its least expected cost")
	}
	return []string{"You asked: " + strings.Join(parts, "; ") + "."}
}

// uncapitalised begins a text with a small letter, as it stands within a sentence.
func uncapitalised(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// wished says what is preferred: of the plainest preference that a class matters most.
func (a *Aim) wished() []string {
	var parts []string
	for _, w := range distinct(a.Classes, a.Prefs) {
		if w.Preference == (pragma.Preference{}) || w.Preference == pragma.Neutral() {
			continue
		}
		names := make([]string, len(w.classes))
		for i, name := range w.classes {
			names[i] = strconv.Quote(name)
		}
		parts = append(parts, fmt.Sprintf("%s %s %g times; all found at precision %s equals %s found at 100 %%",
			english.First(names), english.Verb(len(names), "counts", "count"), w.Theta, english.Rounded(english.Percent(w.X, 1)), english.Rounded(english.Percent(w.Y, 1))))
	}
	if parts == nil {
		return []string{"all classes alike"}
	}
	return parts
}

// figures are the lines of what to expect, each with its interval and with what it is measured against.
func (r *result) figures() *layout.Grid {
	g := &layout.Grid{Head: []string{r.title, "", "95 % interval", ""}, Tail: true}
	if len(r.aim.Classes) == 2 {
		r.class(g, r.aim.Matter()[0])
	} else {
		g.Head[0] = "ALL ROWS"
		for _, f := range r.aim.required() {
			r.limit(g, f)
		}
	}
	r.listed(g)
	if w := r.aim.Withheld; w != nil {
		g.Add("undecided per 1,000 rows", layout.PerThousand(1 - w.Decided())[0], "", "they lack most of what decides")
	}
	r.loss(g)
	r.probabilities(g)
	return g
}

// class adds what becomes of a class of two.
func (r *result) class(g *layout.Grid, c int) {
	report, name := r.Subject.Report, r.aim.Classes[c]
	plain, tuned := report.Rules.Plain.Classes[name], report.Rules.Tuned.Classes[name]
	later := eval.Later{}
	if judged := report.Judged(); len(judged) > 1 {
		later = report.Later(name, r.Subject.DecidedIn)
	}
	recall, precision := tuned.Recall, tuned.Precision
	inRecall, inPrecision := tuned.RecallInterval, tuned.PrecisionInterval
	if later.Recall != nil {
		recall, inRecall = &later.Recall.Value, &later.Recall.Interval
	}
	if later.Precision != nil {
		precision, inPrecision = &later.Precision.Value, &later.Precision.Interval
	}
	random := fmt.Sprintf("at random %s", english.Rounded(english.Percent(tuned.Support/eval.Weight(report.Rules.Tuned.Classes), 1)))
	add := func(label, figure string, what pragma.Figure, value *float64, interval *[2]float64, was *float64,
		also string) {
		shown, ends := "none", ""
		if value != nil {
			shown = english.Percent(*value, 0)
			if interval != nil {
				var number string
				number, ends = english.Within(*value, interval[0], interval[1], r.aim.digits(c, what, *value))
				shown = number + " %"
			}
		}
		g.Add(label, shown, ends, r.against(name, figure, plainText1(was, also), r.kept(c, what, value)))
	}
	add(fmt.Sprintf("%q found (recall)", r.short(name)), "recall", pragma.RecallFloor, recall, inRecall, plain.Recall, "")
	add("alarms that are right (precision)", "precision", pragma.PrecisionFloor, precision, inPrecision, plain.Precision,
		random)
	all := eval.Weight(report.Rules.Tuned.Classes) / r.Subject.Share()
	alerts, ends := tuned.Predicted/all, ""
	if later.Alerts != nil {
		alerts = later.Alerts.Value
		low := layout.PerThousand(later.Alerts.Interval[0], later.Alerts.Interval[1])
		ends = low[0] + "–" + low[1]
	}
	values := []float64{alerts, plain.Predicted / all}
	limit := r.kept(c, pragma.Alerts, &alerts)
	if at := slices.IndexFunc(r.aim.required(), func(f pragma.Floor) bool {
		return f.Class == c &&
			f.What == pragma.Alerts
	}); at >= 0 {
		values = append(values, r.aim.required()[at].Limit)
	}
	texts := layout.PerThousand(values...)
	g.Add("alarms per 1,000 rows", texts[0], ends, r.against(name, "alerts", "plain vote "+texts[1], limit))
	if limit := r.kept(c, pragma.FalseAlarms, tuned.FalsePositives); limit != "" {
		g.Add("false alarms among other rows", english.Percent(*tuned.FalsePositives, 1), "", limit)
	}
}

// plainText1 is what a share is measured against.
func plainText1(plain *float64, also string) string {
	text := "plain vote none"
	if plain != nil {
		text = "plain vote " + english.Percent(*plain, 0)
	}
	if also != "" {
		text += ", " + also
	}
	return text
}

// against is what a figure is measured against: a limit that was asked for first, or what cv promised.
func (r *result) against(class, figure, usual, limit string) string {
	if limit != "" {
		return limit
	}
	if f := r.promise.promise(class, figure); f != nil {
		was := f.was
		if figure == "alerts" {
			was = promisedAlerts(f)
		}
		return "promised " + was + ": " + r.promise.word(f)
	}
	return usual
}

// promisedAlerts shows the alarms that cv promised, of 1,000 rows as they are found.
func promisedAlerts(f *expectedFigure) string {
	if f.ExpectedInterval == nil {
		return layout.PerThousand(*f.Expected)[0]
	}
	texts := layout.PerThousand(*f.Expected, f.ExpectedInterval[0], f.ExpectedInterval[1])
	return fmt.Sprintf("%s (%s–%s)", texts[0], texts[1], texts[2])
}

// kept says how a figure stands to the limit that was asked for; "" where none was.
func (r *result) kept(c int, what pragma.Figure, value *float64) string {
	at := slices.IndexFunc(r.aim.required(), func(f pragma.Floor) bool { return f.Class == c && f.What == what })
	if at < 0 || value == nil {
		return ""
	}
	f := r.aim.required()[at]
	most := what == pragma.Alerts || what == pragma.FalseAlarms
	name, texts := "at least ", []string{}
	if most {
		name = "at most "
	}
	if what == pragma.Alerts {
		texts = append(layout.PerThousand(f.Limit, *value), layout.PerThousand(math.Abs(*value-f.Limit))...)
	} else {
		for _, x := range []float64{f.Limit, *value, math.Abs(*value - f.Limit)} {
			texts = append(texts, english.Rounded(english.Percent(x, 1)))
		}
	}
	over := f.Missing(f.Of(confusionOf(r.aim.Classes, r.Subject.Report.Rules.Tuned.Confusion), r.Subject.Share())) > 0
	switch {
	case over && most:
		return fmt.Sprintf("asked: %s%s: over by %s", name, texts[0], texts[2])
	case over:
		return fmt.Sprintf("asked: %s%s: short by %s", name, texts[0], texts[2])
	}
	return fmt.Sprintf("asked: %s%s: within", name, texts[0])
}

// limit adds a constraint of one of several classes.
func (r *result) limit(g *layout.Grid, f pragma.Floor) {
	m := f.Of(confusionOf(r.aim.Classes, r.Subject.Report.Rules.Tuned.Confusion), r.Subject.Share())
	value, ok := f.Value(m)
	if !ok {
		return
	}
	label := map[pragma.Figure]string{pragma.RecallFloor: "%q found (recall)",
		pragma.PrecisionFloor: "alarms for %q that are right",
		pragma.Alerts:         "alarms for %q per 1,000 rows", pragma.FalseAlarms: "false alarms for %q"}[f.What]
	shown := english.Percent(value, 1)
	if f.What == pragma.Alerts {
		shown = layout.PerThousand(value, f.Limit)[0]
	}
	g.Add(fmt.Sprintf(label, r.short(r.aim.Classes[f.Class])), shown, "", r.kept(f.Class, f.What, &value))
}

// digits is with how many decimals a share of class c is shown at least, so that it does not look like a limit that it
// is not.
func (a *Aim) digits(c int, what pragma.Figure, share float64) int {
	for _, f := range a.required() {
		if f.Class == c && f.What == what {
			return layout.Decimals(english.Beside(share, f.Limit, 0))
		}
	}
	return 0
}

// short is a name that is not too wide for a line.
func (r *result) short(name string) string {
	return layout.Shortened([]string{name}, layout.NameWidth)[0]
}

// listed adds what lists of the likeliest rows are worth.
func (r *result) listed(g *layout.Grid) {
	report := r.Subject.Report
	for i, l := range report.Top {
		if l.Recall == nil || l.Precision == nil {
			continue
		}
		recall, inRecall, precision, inPrecision := *l.Recall, l.RecallInterval, *l.Precision, l.PrecisionInterval
		ofRecall, ofPrecision := eval.ListIn(i)
		if f := eval.ForecastShare(report.Judged(), ofRecall); f != nil {
			recall, inRecall = f.Value, &f.Interval
		}
		if f := eval.ForecastShare(report.Judged(), ofPrecision); f != nil {
			precision, inPrecision = f.Value, &f.Interval
		}
		name := fmt.Sprintf("list %s=%s", r.short(l.Class), layout.Rows(l.Rows)) // of tune, by its length
		if i < len(r.lists) {
			name = "list " + r.lists[i]
		}
		for _, line := range []struct {
			label    string
			value    float64
			interval *[2]float64
			against  string
		}{
			{name + ": right", precision, inPrecision, fmt.Sprintf("%s, %s of all%s", english.Plural(layout.Rows(l.Rows), "row"),
				english.Rounded(english.Percent(l.Share, 1)), liftWords(l.Lift))},
			{name + fmt.Sprintf(": of %q found", r.short(l.Class)), recall, inRecall, "at random " + english.Rounded(english.Percent(l.Share, 1))},
		} {
			shown, ends := english.Percent(line.value, 0), ""
			if line.interval != nil {
				var number string
				number, ends = english.Within(line.value, line.interval[0], line.interval[1], 0)
				shown = number + " %"
			}
			g.Add(line.label, shown, ends, line.against)
		}
	}
}

// liftWords goes on with how many times as many rows of the class a list has as one drawn at random.
func liftWords(lift *float64) string {
	if lift == nil {
		return ""
	}
	return fmt.Sprintf(", %s × random", english.Fixed(*lift, 1))
}

// loss adds what was searched for: cost in money, else the loss.
func (r *result) loss(g *layout.Grid) {
	report, l := r.Subject.Report, r.aim.Loss
	plain, tuned := assess.Loss(&report.Rules.Plain), assess.Loss(&report.Rules.Tuned)
	interval := cmp.Or(report.Rules.Tuned.LossInterval, report.Rules.Tuned.PragmaInterval)
	if report.Rules.Tuned.Loss != nil {
		interval = report.Rules.Tuned.LossInterval
	}
	label, show, times := "loss by "+l.Name+" (0 is best)", english.Amounts, 1.0
	if l.Name == "pragma" { // a variant is named, as it compares with no other
		label = "loss (PRAGMA, 0 is best)"
	}
	without := r.without()
	if l.Name == "cost" {
		label, show, times = "cost per 1,000 rows", english.Sums, 1000
		if l.Costs.Amounts() {
			label, times = "cost of all rows", 1
		} else if f := eval.ForecastCost(report.Judged()); f != nil {
			tuned, interval = f.Value, &f.Interval
		}
	}
	values := []float64{times * tuned, times * plain}
	if without != nil {
		values = append(values, times**without)
	}
	n := len(values)
	if interval != nil {
		values = append(values, times*interval[0], times*interval[1])
	}
	texts, ends := show(values...), ""
	if l.Name != "cost" {
		for i, x := range values {
			texts[i] = english.Fixed(x, 3)
		}
	}
	if interval != nil {
		ends = texts[n] + "–" + texts[n+1]
	}
	against := "plain vote " + texts[1]
	if without != nil {
		against += ", no model " + texts[2]
	}
	g.Add(label, texts[0], ends, r.against("", "loss", against, ""))
}

// without is what is lost where all rows are decided alike, as the class that loses the least; nil where that is not
// known.
func (r *result) without() *float64 {
	report := r.Subject.Report
	if report.Always != nil {
		least := math.Inf(1)
		for _, cost := range report.Always {
			least = min(least, cost)
		}
		if !r.aim.Loss.Costs.Amounts() {
			least /= eval.Weight(report.Rules.Tuned.Classes)
		}
		return &least
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; strings.HasPrefix(string(f.Code), "constant.") {
			loss := f.Value("constant_loss")
			return &loss
		}
	}
	return nil
}

// probabilities adds how good they are, by their log loss.
func (r *result) probabilities(g *layout.Grid) {
	report := r.Subject.Report
	if len(r.aim.Classes) > 2 {
		if report.Rules.Tuned.LogLoss > 0 {
			g.Add("log loss of the probabilities", english.Fixed(report.Rules.Tuned.LogLoss, 4), "", "")
		}
		return
	}
	for _, name := range shownClasses(r.aim.Classes, r.aim.Prefs, report.Probabilities) {
		j := report.Probabilities[name]
		if j.Calibrated == nil {
			continue
		}
		texts := english.Amounts(j.Calibrated.Figures.LogLoss.Score, j.Calibrated.Figures.LogLoss.UNC)
		g.Add("log loss of the probabilities", texts[0], "", "one for all rows "+texts[1])
	}
}

// counts are what becomes of 1,000 rows of two classes; those that are left undecided are in no cell.
func (r *result) counts() *layout.Grid {
	g := &layout.Grid{}
	if len(r.aim.Classes) != 2 {
		return g
	}
	c := r.aim.Matter()[0]
	order, all := []int{c, 1 - c}, eval.Weight(r.Subject.Report.Rules.Tuned.Classes)
	var cells []float64
	for _, truth := range order {
		for _, decision := range order {
			cells = append(cells, r.Subject.Report.Rules.Tuned.Confusion[truth][decision]/all*r.Subject.Share())
		}
	}
	texts := layout.PerThousand(cells...)
	g.Head = []string{"OF 1,000 ROWS"}
	for i, truth := range order {
		name := r.short(r.aim.Classes[truth])
		g.Head = append(g.Head, fmt.Sprintf("decided %q", name))
		g.Add(fmt.Sprintf("are %q", name), texts[2*i], texts[2*i+1])
	}
	return g
}

// classes has a line for each of several classes, those that matter most first.
func (r *result) classes() *layout.Grid {
	g := &layout.Grid{}
	if len(r.aim.Classes) < 3 {
		return g
	}
	report := r.Subject.Report
	g.Head = []string{r.title, "rows", "found", "95 %", "plain vote", "right", "95 %", "at random", "alarms per 1,000"}
	matter := r.aim.Matter()
	order := slices.Clone(matter)
	for c := range r.aim.Classes {
		if !slices.Contains(matter, c) {
			order = append(order, c)
		}
	}
	all := eval.Weight(report.Rules.Tuned.Classes)
	share := func(x *float64, interval *[2]float64) (value, ends string) {
		switch {
		case x == nil:
			return "none", ""
		case interval == nil:
			return english.Percent(*x, 0), ""
		}
		value, ends = english.Within(*x, interval[0], interval[1], 0)
		return value + " %", ends
	}
	for _, c := range order {
		name := r.aim.Classes[c]
		plain, tuned := report.Rules.Plain.Classes[name], report.Rules.Tuned.Classes[name]
		found, foundEnds := share(tuned.Recall, tuned.RecallInterval)
		right, rightEnds := share(tuned.Precision, tuned.PrecisionInterval)
		was, _ := share(plain.Recall, nil)
		g.Add(name, layout.Rows(tuned.Support), found, foundEnds, was, right, rightEnds, english.Rounded(english.Percent(tuned.Support/all, 1)),
			layout.PerThousand(tuned.Predicted / all * r.Subject.Share())[0])
	}
	return g
}
