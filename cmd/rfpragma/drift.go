package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// driftFlag is that of the verbs that judge a model on later rows.
func driftFlag() cli.Flag {
	return &cli.BoolFlag{Name: "fail-on-drift", DisableDefaultText: true, Category: "Output", Usage: "end with exit code 8 where drift shows"}
}

// driftError ends a verb where drift shows, if that was asked for.
type driftError struct{ error }

// failOnDrift is the end of a verb that has shown all else.
func failOnDrift(c *cli.Context, name string, found *rfpragma.Comparison) error {
	if !c.Bool("fail-on-drift") || len(found.Drift) == 0 {
		return nil
	}
	return driftError{fmt.Errorf("%s: drift shows in %s, and --fail-on-drift is set", name, english.Plural(len(found.Drift), "figure"))}
}

// drift compares votes for the rows with those that the model was tuned on, and warns. It is nil where nothing can be compared, which is an error if drift was to be told.
func (p *program) drift(c *cli.Context, in *modelRows, votes *vote.Table) (*rfpragma.Comparison, error) {
	found := in.model.Drift(votes)
	if tuned, _ := in.model.FittedOn(in.frame); tuned || found == nil {
		if !c.Bool("fail-on-drift") {
			return nil, nil
		}
		if tuned {
			return nil, usagef("--fail-on-drift: the model was tuned on these very rows; give rows that came later")
		}
		return nil, usagef("--fail-on-drift: the model remembers nothing to compare with; train or tune it anew, and not on train votes")
	}
	p.warn(driftWarnings(in.model, found))
	return found, nil
}

// tunedOn says where the votes come from that a model was tuned on.
func tunedOn(source vote.Source) string {
	switch source {
	case vote.OOB:
		return "out of bag in training"
	case vote.Holdout:
		return "on the rows it was tuned on"
	}
	return "in cross-validation within training"
}

// promisedWords says how the classes that matter most did on the votes that a model was tuned on, and what follows where they have rows enough to tell.
func promisedWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	r := &m.Provenance
	if r.Figures == nil {
		return nil
	}
	var lines []string
	matter := aimOf(m, prefs).matter()
	for _, c := range matter[:min(len(matter), mostNamed)] {
		f := r.Figures[c]
		then := "."
		if f.Recall != nil && f.Recall.Value > 0 && f.Recall.Rows >= eval.FewRows {
			then = "; new rows far below that are not of the same kind."
		}
		lines = append(lines, fmt.Sprintf("%q %s: recall %s, precision %s%s", m.Classes()[c], tunedOn(r.Votes), observedText(f.Recall), observedText(f.Precision), then))
	}
	return lines
}

// observedText shows a share with its interval, in whole percents.
func observedText(o *rfpragma.Observed) string {
	if o == nil {
		return "n/a"
	}
	interval := o.Interval()
	return within(&o.Value, &interval)
}

// mostDrifts is how many figures are warned of one by one; all are in the JSON.
const mostDrifts = 5

// whatToDo is what helps where later rows are decided worse than those of training.
func whatToDo(drift []rfpragma.Drift) string {
	if slices.ContainsFunc(drift, func(d rfpragma.Drift) bool { return d.Figure == "ranking" }) {
		return "train anew with recent rows; no weights bring back what the trees no longer tell apart"
	}
	return "train anew with recent rows; where classes look as before and are only rarer or more common, tuning on recent labelled rows is enough"
}

// driftWarnings says in which figures of the classes rows are others than those of training, and what to do.
func driftWarnings(m *rfpragma.Model, found *rfpragma.Comparison) []error {
	var out []error
	drift := found.Drift
	for _, d := range drift[:min(len(drift), mostDrifts)] {
		out = append(out, errors.New(driftText(m, &d)))
	}
	if more := len(drift) - mostDrifts; more > 0 {
		out = append(out, fmt.Errorf("and so are %d more figures; evaluate --format json has all", more))
	}
	if slices.ContainsFunc(drift, decidedWorse) {
		out = append(out, errors.New("later rows may differ from those of training (drift), or rows of training tell of each other (see --group): "+whatToDo(drift)+"; to see it beforehand, hold out the last rows"))
	}
	if len(found.Better) > 0 {
		out = append(out, errors.New(betterText(m, &found.Better[0])))
	}
	return out
}

// driftVerdict says the same to whom only the last words reach, and that no drift shows where none does. Of rows with which nothing can be compared it says nothing.
func driftVerdict(m *rfpragma.Model, prefs []pragma.Preference, found *rfpragma.Comparison) []string {
	if found == nil {
		return nil
	}
	drift := found.Drift
	var worse, lines []string
	if len(drift) == 0 {
		lines = append(lines, steadyWords(m, prefs, found.Figures))
	}
	for _, d := range drift[:min(len(drift), mostDrifts)] {
		if decidedWorse(d) {
			worse = append(worse, driftText(m, &d))
		} else {
			lines = append(lines, driftText(m, &d)+".")
		}
	}
	if worse != nil {
		lines = append(lines, fmt.Sprintf("Do not count on what training promised: %s. What helps: %s.", strings.Join(worse, "; "), whatToDo(drift)))
	}
	if len(found.Better) > 0 {
		lines = append(lines, betterText(m, &found.Better[0]))
	}
	return lines
}

// steadyWords says in what no drift shows, and how the classes that matter most did where the weights were tuned.
func steadyWords(m *rfpragma.Model, prefs []pragma.Preference, figures []string) string {
	r := &m.Provenance
	none := "No drift shows in how often each class occurs" // which all rows have
	for i, figure := range figures[1:] {
		if none += ", "; i == len(figures)-2 {
			none = strings.TrimSuffix(none, ", ") + " and "
		}
		none += figure
	}
	matter := aimOf(m, prefs).matter()
	if len(matter) == 0 || len(matter) > mostNamed {
		return fmt.Sprintf("%s: of all classes these are what they were %s, but for chance.", none, tunedOn(r.Votes))
	}
	var had []string
	for _, c := range matter {
		f := r.Figures[c]
		had = append(had, fmt.Sprintf("recall of %q was %s and precision %s", m.Classes()[c], observedText(f.Recall), observedText(f.Precision)))
	}
	return fmt.Sprintf("%s: %s, %s.", none, tunedOn(r.Votes), strings.Join(had, "; "))
}

// decidedWorse tells that a drift is more than a class that is rarer or more common.
func decidedWorse(d rfpragma.Drift) bool { return d.Figure != "share" }

func driftText(m *rfpragma.Model, d *rfpragma.Drift) string {
	if d.Figure == "ranking" {
		return fmt.Sprintf("rows of %.64q are told from others less well than %s: ROC-AUC is %s on these rows and was %s, more than chance makes of it", d.Class, tunedOn(m.Provenance.Votes), areaText(&d.Is), areaText(&d.Was))
	}
	if decidedWorse(*d) {
		return fmt.Sprintf("%s of %.64q is %s on these rows and was %s %s, more than chance makes of it", d.Figure, d.Class, observedText(&d.Is), observedText(&d.Was), tunedOn(m.Provenance.Votes))
	}
	text := fmt.Sprintf("%.64q is %s of these rows and was %s %s", d.Class, percent(d.Is.Value), percent(d.Was.Value), tunedOn(m.Provenance.Votes))
	if d.Is.Value > 0 && d.Is.Value <= 0.995 { // above, two digits are 1
		text += "; if nothing else has changed, predict with " + csvtext.Flag("prevalence", fmt.Sprintf("%s=%.2g", d.Class, d.Is.Value), "CLASS=SHARE")
	}
	return text
}

// betterText doubts rows that are decided better than rows of training that the trees had not seen.
func betterText(m *rfpragma.Model, d *rfpragma.Drift) string {
	figure, is, was := d.Figure, observedText(&d.Is), observedText(&d.Was)
	if d.Figure == "ranking" {
		figure, is, was = "ROC-AUC", areaText(&d.Is), areaText(&d.Was)
	}
	return fmt.Sprintf("%s of %.64q is %s on these rows and was %s %s, better by more than chance: are these rows of the training?", figure, d.Class, is, was, tunedOn(m.Provenance.Votes))
}

// areaText shows a ROC-AUC with its interval, as 1 only where it is.
func areaText(o *rfpragma.Observed) string {
	text := func(x float64) string {
		if x >= 0.9995 && x < 1 {
			return "> 0.999"
		}
		return fmt.Sprintf("%.3f", x)
	}
	ends := o.Interval()
	return text(o.Value) + " (" + text(ends[0]) + "–" + text(ends[1]) + ")"
}
