package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/pragma"
)

// figureTable are the lines of what to expect, each with its interval and with what it is measured against.
func (r *result) figureTable() *layout.Grid {
	g := &layout.Grid{Head: []string{r.title, "", "95 % interval", "plain vote", ""}, Tail: true}
	if len(r.goal.Classes) == 2 {
		r.class(g, r.goal.Matter()[0])
		for _, f := range r.goal.required() {
			if !f.OfAll() {
				r.addLimit(g, f)
			}
		}
	} else {
		g.Head[0] = "ALL ROWS"
		for _, f := range r.goal.required() {
			r.addLimit(g, f)
		}
	}
	r.listed(g)
	if w := r.goal.Withheld; w != nil {
		g.Add("undecided per 1,000 rows", layout.PerThousand(1 - w.Decided())[0], "", "", r.undecided())
		if matter := r.goal.Matter(); w.Close > 0 && len(matter) > 0 {
			if of := w.Classes[matter[0]]; of.Helped != nil {
				g.Add(english.Quote(of.Class)+" found with people", english.Percent(*of.Helped, 0), "", "", "if they are right")
			}
		}
	}
	r.loss(g)
	r.probabilities(g)
	if !slices.ContainsFunc(g.Rows, func(row []string) bool { return row[2] != "" }) && !r.wide {
		g.Drop(2)
	}
	return g
}

// class adds what becomes of a class.
func (r *result) class(g *layout.Grid, c int) {
	report, name := r.Subject.Report, r.goal.Classes[c]
	plain, tuned := report.Rules.Plain.Classes[name], report.Rules.Tuned.Classes[name]
	all := eval.Weight(report.Rules.Tuned.Classes) / r.Subject.Share()
	plainAlerts := plain.Predicted / all
	if w := r.reviewed(); w != nil { // all rows count, those that are left to people as not found
		plain = eval.ClassOf(w.Plain, c)
		plainAlerts = plain.Predicted / w.Plain.Total()
		of := w.Classes[c]
		if tuned.Recall = of.All; tuned.RecallInterval != nil {
			low, high := calib.Wilson(of.Found, of.Rows, calib.Z95)
			tuned.RecallInterval = &[2]float64{low, high}
		}
	}
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
	random := fmt.Sprintf("at random %s", english.Rounded(english.Percent(r.common(c), 1)))
	add := func(label, figure string, what pragma.Figure, value *float64, interval *[2]float64, was *float64,
		also string) {
		shown, ends := "none", ""
		if value != nil {
			shown = english.Percent(*value, 0)
			if interval != nil {
				var number string
				number, ends = english.Within(*value, interval[0], interval[1], r.goal.digits(c, what, *value))
				shown = number + " %"
			}
		}
		plain := "none"
		if was != nil {
			plain = english.Percent(*was, 0)
		}
		g.Add(label, shown, ends, plain, r.against(name, figure, also, r.kept(c, what, value)))
	}
	add(fmt.Sprintf("%q found (recall)", r.short(name)), "recall", pragma.RecallFloor, recall, inRecall, plain.Recall, "")
	right, raised := "alarms that are right (precision)", "alarms per 1,000 rows"
	if len(r.goal.Classes) > 2 {
		right = fmt.Sprintf("alarms for %q that are right", r.short(name))
		raised = fmt.Sprintf("alarms for %q per 1,000 rows", r.short(name))
	}
	add(right, "precision", pragma.PrecisionFloor, precision, inPrecision, plain.Precision,
		random)
	alerts, ends := tuned.Predicted/all, ""
	if later.Alerts != nil {
		alerts = later.Alerts.Value
		low := layout.PerThousand(later.Alerts.Interval[0], later.Alerts.Interval[1])
		ends = low[0] + "–" + low[1]
	}
	values := []float64{alerts, plainAlerts}
	limit := r.kept(c, pragma.Alerts, &alerts)
	if f := r.goal.limit(c, pragma.Alerts); f != nil {
		values = append(values, f.Limit)
	}
	texts := layout.PerThousand(values...)
	g.Add(raised, texts[0], ends, texts[1], r.against(name, "alerts", "", limit))
	if limit := r.kept(c, pragma.FalseAlarms, tuned.FalsePositives); limit != "" {
		was := ""
		if plain.FalsePositives != nil {
			was = english.Percent(*plain.FalsePositives, 1)
		}
		g.Add("false alarms among other rows", english.Percent(*tuned.FalsePositives, 1), "", was, limit)
	}
	r.spread(g, name, r.goal.limit(c, pragma.Alerts))
}

// spread adds how many alarms other trainings raise, where these are far apart.
func (r *result) spread(g *layout.Grid, class string, limit *pragma.Floor) {
	at := slices.IndexFunc(r.Findings, func(f finding.Finding) bool {
		return f.Code == codes.FoldsSpread && slices.Contains(f.Classes, class)
	})
	if at < 0 {
		return
	}
	var shares []float64
	for _, f := range r.Findings[at].Figures {
		shares = append(shares, f.Value)
	}
	low, high, against := slices.Min(shares), slices.Max(shares), ""
	if limit != nil && high > limit.Limit {
		against = fmt.Sprintf("limit %s: not always kept", layout.PerThousand(limit.Limit)[0])
	}
	g.Add("alarms from fold to fold", english.About(1000*low)+"–"+english.About(1000*high), "", "", against)
}

// against is what a figure is measured against beside the plain vote: a limit that was asked for, or what cv promised.
func (r *result) against(class, figure, usual, limit string) string {
	if limit != "" {
		return limit
	}
	if f := r.promise.promise(class, figure); f != nil {
		was := f.was
		if figure == "alerts" {
			was = promisedAlerts(f)
		}
		return "cv " + was + ": " + r.promise.word(f)
	}
	return usual
}

// promisedAlerts shows the alarms that cv promised, of 1,000 rows as they are found.
func promisedAlerts(f *promisedFigure) string {
	if f.ExpectedInterval == nil {
		return layout.PerThousand(*f.Expected)[0]
	}
	texts := layout.PerThousand(*f.Expected, f.ExpectedInterval[0], f.ExpectedInterval[1])
	return fmt.Sprintf("%s (%s–%s)", texts[0], texts[1], texts[2])
}

// kept says how a figure stands to the limit that was asked for; "" where none was.
func (r *result) kept(c int, what pragma.Figure, value *float64) string {
	f := r.goal.limit(c, what)
	if f == nil || value == nil {
		return ""
	}
	return r.keptOf(*f, *value)
}

// keptOf says how a figure stands to a limit.
func (r *result) keptOf(f pragma.Floor, value float64) string {
	what := f.What
	most := what == pragma.Alerts || what == pragma.FalseAlarms
	texts, name := []string{}, "asked"
	if most {
		name = "limit"
	}
	if what == pragma.Alerts {
		texts = append(layout.PerThousand(f.Limit), english.Significant(1000*math.Abs(value-f.Limit), 2))
	} else {
		points := strings.TrimSuffix(english.Rounded(english.Percent(math.Abs(value-f.Limit), 1)), " %")
		texts = append(texts, english.Rounded(english.Percent(f.Limit, 1)), english.Plural(points, "point"))
	}
	over := f.Missing(f.Of(r.Subject.Report.Rules.Tuned.Counts(r.goal.Classes), r.Subject.Share())) > 0
	switch {
	case over && most:
		return fmt.Sprintf("%s %s: over by %s", name, texts[0], texts[1])
	case over:
		return fmt.Sprintf("%s %s: short by %s", name, texts[0], texts[1])
	case slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return f.Code == codes.GuaranteeMissing }):
		return fmt.Sprintf("%s %s: not sure", name, texts[0])
	}
	return fmt.Sprintf("%s %s: kept", name, texts[0])
}

// addLimit adds a constraint of one of several classes, or of a group of the rows.
func (r *result) addLimit(g *layout.Grid, f pragma.Floor) {
	m := f.Of(r.Subject.Report.Rules.Tuned.Counts(r.goal.Classes), r.Subject.Share())
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
	label, ends := fmt.Sprintf(label, r.short(r.goal.Classes[f.Class])), ""
	class := r.Subject.Report.Rules.Tuned.Classes[r.goal.Classes[f.Class]]
	of := r.Subject.Report.Rules.Tuned.SliceOf(f.Slice)
	if of != nil {
		label += ", " + r.short(f.Slice.Column) + " " + r.short(f.Slice.Value)
		class = of.Classes[r.goal.Classes[f.Class]]
	}
	if of != nil || f.OfAll() {
		interval := map[pragma.Figure]*[2]float64{pragma.RecallFloor: class.RecallInterval,
			pragma.PrecisionFloor: class.PrecisionInterval}[f.What]
		if interval != nil {
			shown, ends = english.Within(value, interval[0], interval[1], r.goal.digits(f.Class, f.What, value))
			shown += " %"
		}
	}
	plain, was := r.Subject.Report.Rules.Plain.Counts(r.goal.Classes), ""
	if value, ok := f.Value(f.Of(plain, r.Subject.Share())); ok {
		if was = english.Percent(value, 0); f.What == pragma.Alerts {
			was = layout.PerThousand(value, f.Limit)[0]
		}
	}
	g.Add(label, shown, ends, was, r.keptOf(f, value))
}

// short is a name that is not too wide for a line.
func (r *result) short(name string) string {
	if r.wide {
		return name
	}
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
		laterRecall, laterPrecision := eval.LaterList(report.Judged(), i)
		if f := laterRecall; f != nil {
			recall, inRecall = f.Value, &f.Interval
		}
		if f := laterPrecision; f != nil {
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
			{name + fmt.Sprintf(": of %q found", r.short(l.Class)), recall, inRecall, "at random " +
				english.Rounded(english.Percent(l.Share, 1))},
		} {
			shown, ends := english.Percent(line.value, 0), ""
			if line.interval != nil {
				var number string
				number, ends = english.Within(line.value, line.interval[0], line.interval[1], 0)
				shown = number + " %"
			}
			g.Add(line.label, shown, ends, "", line.against)
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
	if r.costWithPeople(g) {
		return
	}
	report, l := r.Subject.Report, r.goal.Loss
	plain, tuned := assess.Loss(&report.Rules.Plain), assess.Loss(&report.Rules.Tuned)
	interval := report.Rules.Tuned.PragmaInterval
	if report.Rules.Tuned.Loss != nil {
		interval = report.Rules.Tuned.LossInterval
	}
	if f := eval.ForecastCost(report.Judged()); l.Name == "cost" && !l.Costs.Amounts() && f != nil {
		tuned, interval = f.Value, &f.Interval
	}
	label, show := lossUnit(l.Name, l.Costs.Amounts())
	if w := r.goal.Withheld; w != nil && w.Rows > 0 {
		label = strings.Replace(strings.Replace(label, "1,000 rows", "1,000 decided rows", 1), "all rows", "decided rows", 1)
	}
	if strings.HasPrefix(l.Name, "pragma") {
		label = "loss (0 is best)"
	}
	without := r.without()
	values := []float64{tuned, plain}
	if without != nil {
		values = append(values, *without)
	}
	n := len(values)
	if interval != nil {
		values = append(values, interval[:]...)
	}
	texts, ends := show(values...), ""
	if interval != nil {
		ends = texts[n] + "–" + texts[n+1]
	}
	against := ""
	if without != nil {
		against = "no model " + texts[2]
	}
	if f := r.promise.promise("", "loss"); f != nil && f.ExpectedInterval != nil {
		was := show(*f.Expected, f.ExpectedInterval[0], f.ExpectedInterval[1])
		against = fmt.Sprintf("cv %s (%s–%s): %s", was[0], was[1], was[2], r.promise.word(f))
	}
	g.Add(label, texts[0], ends, texts[1], against)
}

// without is what is lost where all rows are decided alike, as the class that loses the least of those that keep
// what is required; nil where that is not known.
func (r *result) without() *float64 {
	report := r.Subject.Report
	if report.Always != nil {
		kept := r.Subject.AlikeKept(&report.Rules.Tuned) // what breaks a limit is no choice
		if len(kept) == 0 {
			return nil
		}
		least := math.Inf(1)
		for _, class := range kept {
			least = min(least, report.Always[class])
		}
		if !r.goal.Loss.Costs.Amounts() {
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
	if len(r.goal.Classes) > 2 { // which no single figure is measured against
		return
	}
	for _, name := range shownClasses(r.goal.Classes, r.goal.Prefs, report.Probabilities) {
		j := report.Probabilities[name]
		if j.Calibrated == nil {
			continue
		}
		texts := english.Amounts(j.Calibrated.Figures.LogLoss.Score, j.Calibrated.Figures.LogLoss.UNC)
		g.Add("log loss of the probabilities", texts[0], "", "", "one for all rows "+texts[1])
	}
}

// countTable are what becomes of 1,000 rows of two classes.
func (r *result) countTable() *layout.Grid {
	g := &layout.Grid{}
	if len(r.goal.Classes) != 2 {
		return g
	}
	c := r.goal.Matter()[0]
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
		name := r.short(r.goal.Classes[truth])
		g.Head = append(g.Head, fmt.Sprintf("decided %q", name))
		g.Add(fmt.Sprintf("are %q", name), texts[2*i], texts[2*i+1])
	}
	if w := r.goal.Withheld; w != nil && w.Rows > 0 && r.Subject.Report.Blocks == nil {
		g.Head = append(g.Head, predictions.Undecided)
		rows := w.Rows / (1 - w.Decided())
		for i, truth := range order {
			g.Rows[i] = append(g.Rows[i], layout.PerThousand(w.Classes[truth].Undecided / rows)[0])
		}
	}
	return g
}

// classTable has a line for each of several classes, those that matter most first.
func (r *result) classTable() *layout.Grid {
	g := &layout.Grid{}
	if len(r.goal.Classes) < 3 {
		return g
	}
	report := r.Subject.Report
	g.Head = []string{r.title, "rows", "found", "95 % interval", "plain vote", "right", "95 % interval",
		"alarms per 1,000"}
	matter := r.goal.Matter()
	order := slices.Clone(matter)
	for c := range r.goal.Classes {
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
		name := r.goal.Classes[c]
		plain, tuned := report.Rules.Plain.Classes[name], report.Rules.Tuned.Classes[name]
		found, foundEnds := share(tuned.Recall, tuned.RecallInterval)
		right, rightEnds := share(tuned.Precision, tuned.PrecisionInterval)
		was, _ := share(plain.Recall, nil)
		g.Add(name, layout.Rows(tuned.Support), found, foundEnds, was, right, rightEnds,
			layout.PerThousand(tuned.Predicted / all * r.Subject.Share())[0])
	}
	return g
}
