package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
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
func failOnDrift(c *cli.Context, name string, drift []rfpragma.Drift) error {
	if !c.Bool("fail-on-drift") || len(drift) == 0 {
		return nil
	}
	return driftError{fmt.Errorf("%s: drift shows in %s, and --fail-on-drift is set", name, english.Plural(len(drift), "figure"))}
}

// drift compares votes for the rows with those that the model was tuned on, and warns. It is nil where nothing can be compared, which is an error if drift was to be told.
func (p *program) drift(c *cli.Context, in *modelRows, votes *vote.Table) ([]rfpragma.Drift, error) {
	drift, compared := in.model.Drift(votes)
	if tuned, _ := in.model.FittedOn(in.frame); tuned || !compared {
		if !c.Bool("fail-on-drift") {
			return nil, nil
		}
		if tuned {
			return nil, usagef("--fail-on-drift: the model was tuned on these very rows; give rows that came later")
		}
		return nil, usagef("--fail-on-drift: the model remembers nothing to compare with; train or tune it anew, and not on train votes")
	}
	p.warn(driftWarnings(in.model, drift))
	if drift == nil {
		drift = []rfpragma.Drift{}
	}
	return drift, nil
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

// promisedWords says how the classes that matter most did on the votes that a model was tuned on.
func promisedWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	r := &m.Provenance
	if r.Figures == nil {
		return nil
	}
	var lines []string
	matter := matterMost(m.Forest.Share, prefs)
	for _, c := range matter[:min(len(matter), mostNamed)] {
		f := r.Figures[c]
		lines = append(lines, fmt.Sprintf(
			"%q %s: recall %s, precision %s; new rows far below that are not of the same kind.", m.Classes()[c], tunedOn(r.Votes), observedText(f.Recall), observedText(f.Precision)))
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
const whatToDo = "train anew with recent rows; where classes look as before and are only rarer or more common, tuning on recent labelled rows is enough"

// driftWarnings says in which figures of the classes rows are others than those of training, and what to do.
func driftWarnings(m *rfpragma.Model, drift []rfpragma.Drift) []error {
	var out []error
	for _, d := range drift[:min(len(drift), mostDrifts)] {
		out = append(out, errors.New(driftText(m, &d)))
	}
	if more := len(drift) - mostDrifts; more > 0 {
		out = append(out, fmt.Errorf("and so are %d more figures; evaluate --format json has all", more))
	}
	if slices.ContainsFunc(drift, decidedWorse) {
		out = append(out, errors.New("later rows may differ from those of training (drift), or rows of training tell of each other (see --group): "+whatToDo+"; to see it beforehand, hold out the last rows"))
	}
	return out
}

// driftVerdict says the same to whom only the last words reach.
func driftVerdict(m *rfpragma.Model, drift []rfpragma.Drift) []string {
	var worse, lines []string
	for _, d := range drift[:min(len(drift), mostDrifts)] {
		if decidedWorse(d) {
			worse = append(worse, driftText(m, &d))
		} else {
			lines = append(lines, driftText(m, &d)+".")
		}
	}
	if worse != nil {
		lines = append(lines, fmt.Sprintf("Do not count on what training promised: %s. What helps: %s.", strings.Join(worse, "; "), whatToDo))
	}
	return lines
}

// steadyWords says that no drift shows, and how the classes that matter most did where the weights were tuned.
func steadyWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	r := &m.Provenance
	matter := matterMost(m.Forest.Share, prefs)
	if len(matter) == 0 || len(matter) > mostNamed {
		return []string{fmt.Sprintf("No drift shows: recall and precision of all classes are those %s, but for chance.", tunedOn(r.Votes))}
	}
	var had []string
	for _, c := range matter {
		f := r.Figures[c]
		had = append(had, fmt.Sprintf("recall of %q was %s and precision %s", m.Classes()[c], observedText(f.Recall), observedText(f.Precision)))
	}
	return []string{fmt.Sprintf("No drift shows: %s, %s.", tunedOn(r.Votes), strings.Join(had, "; "))}
}

// decidedWorse tells that a drift is more than a class that is rarer or more common.
func decidedWorse(d rfpragma.Drift) bool { return d.Figure != "share" }

func driftText(m *rfpragma.Model, d *rfpragma.Drift) string {
	if decidedWorse(*d) {
		return fmt.Sprintf("%s of %.64q is %s on these rows and was %s %s, more than chance makes of it", d.Figure, d.Class, observedText(&d.Is), observedText(&d.Was), tunedOn(m.Provenance.Votes))
	}
	text := fmt.Sprintf("%.64q is %s of these rows and was %s %s", d.Class, percent(d.Is.Value), percent(d.Was.Value), tunedOn(m.Provenance.Votes))
	if d.Is.Value > 0 && d.Is.Value <= 0.995 { // above, two digits are 1
		text += "; if nothing else has changed, predict with " + csvtext.Flag("prevalence", fmt.Sprintf("%s=%.2g", d.Class, d.Is.Value), "CLASS=SHARE")
	}
	return text
}
