package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// driftFlag is that of the verbs that judge a model on later rows.
func driftFlag() cli.Flag {
	return &cli.BoolFlag{Name: "fail-on-drift", DisableDefaultText: true, Category: "Output", Usage: "end with exit code 8 where drift shows"}
}

// driftError ends a verb where drift shows, if that was asked for.
type driftError struct{ error }

// failOnDrift is the end of a verb that has shown all else: it counts what the verdict says is worse, by the training or by what cv promised.
func failOnDrift(c *cli.Context, in *modelRows, found *rfpragma.Comparison) error {
	if !c.Bool("fail-on-drift") {
		return nil
	}
	n := len(in.expected.unpromised(found.Drift)) + len(in.expected.failed())
	if n == 0 {
		return nil
	}
	return driftError{fmt.Errorf("%s: drift shows in %s, and --fail-on-drift is set", in.name, english.Plural(n, "figure"))}
}

// drift compares votes for the rows with those that the model was tuned on, and warns. It is nil where nothing can be compared, which is an error if drift was to be told.
func (p *program) drift(c *cli.Context, in *modelRows, votes *vote.Table) (*rfpragma.Comparison, error) {
	found := in.model.Drift(votes)
	in.withoutShares(found)
	if tuned, _ := in.model.FittedOn(in.frame); tuned || found == nil {
		in.columns = columnsVerdict(in, nil)
		if !c.Bool("fail-on-drift") {
			return nil, nil
		}
		if tuned {
			return nil, usagef("--fail-on-drift: the model was tuned on these very rows; give rows that came later")
		}
		return nil, usagef("--fail-on-drift: the model remembers nothing to compare with; train or tune it anew, and not on train votes")
	}
	found.Drift = in.expected.unforeseen(found.Drift)
	in.columns = columnsVerdict(in, found)
	p.warnBeside(p.page(in.form), driftWarning(in, found))
	var err error
	if slices.ContainsFunc(found.Drift, ranks) && in.columns == nil { // with which no weights are to be tuned
		in.may, err = in.retuned(c.Context, c.Uint64("seed"), votes)
	}
	return found, err
}

// tunedOn says where the votes come from that a model was tuned on.
func tunedOn(source vote.Source) string {
	switch source {
	case vote.OOB:
		return "out of bag in training"
	case vote.Holdout:
		return "on the rows it was tuned on"
	case vote.Forward:
		return "in training, later rows judged by earlier ones"
	}
	return "in cross-validation within training"
}

// later tells of votes that they are for rows which came after those that the trees know, or may have.
func later(votes vote.Source) bool { return votes == vote.Holdout || votes == vote.Forward }

// mixedTimes tells whether rows that have a time were judged by trees that knew later ones.
func mixedTimes(r *rfpragma.Provenance) bool {
	return r.Reading.Time != "" && !later(r.Votes)
}

// promisedWords says how the classes that matter most did on the votes that a model was tuned on.
func promisedWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	r := &m.Provenance
	if r.Figures == nil {
		return nil
	}
	var lines []string
	matter := aimOf(m, prefs).matter()
	for _, c := range matter[:min(len(matter), mostNamed)] {
		f := r.Figures[c]
		from, then := tunedOn(r.Votes), "."
		if r.Votes == vote.Forward && r.Choice != rfpragma.Given { // how they were judged is said below
			from = "in training, optimistic"
		}
		if mixedTimes(r) {
			from, then = from+", past and future mixed", "; expect less on later rows."
		}
		lines = append(lines, fmt.Sprintf("%q %s: recall %s, precision %s%s", m.Classes()[c], from, observedText(f.Recall, 0), observedText(f.Precision, 0), then))
	}
	return lines
}

// floodedWords says of the classes that matter most, of which no alarms are limited, that their alarms were many and most of them wrong on the votes that a model was tuned on.
func floodedWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	var lines []string
	floors, err := m.Floors()
	if err != nil || m.Provenance.Figures == nil {
		return nil
	}
	v, matter := verdict{floors: floors}, aimOf(m, prefs).matter()
	for _, c := range matter[:min(len(matter), mostNamed)] {
		f := m.Provenance.Figures[c]
		if f.Share == nil || f.Recall == nil || f.Precision == nil || f.Precision.Value == 0 || v.limited(c, pragma.PrecisionFloor, pragma.FalseAlarms, pragma.Alerts) {
			continue
		}
		if share := f.Share.Value * f.Recall.Value / f.Precision.Value; assess.Flooded(m.Provenance.Measure, share, f.Precision.Value) {
			flood := assess.Flood(finding.Where{Rows: codes.GivenRows}, m.Classes()[c], share, f.Precision.Value, nil)
			lines = append(lines, v.voice().Clause(&flood)+"; rfpragma cv shows other choices.")
		}
	}
	return lines
}

// observedText shows a share with its interval, in whole percents.
func observedText(o *rfpragma.Observed, decimals int) string {
	if o == nil {
		return "n/a"
	}
	interval := o.Interval()
	return within(&o.Value, &interval, decimals)
}

// mostDrifts is how many figures are told one by one; all are in the JSON.
const mostDrifts = 5

// trainAnew is what helps where later rows are decided worse than those of training.
func trainAnew(m *rfpragma.Model) string {
	calendar := ""
	for _, column := range m.Provenance.Ordered {
		if slices.ContainsFunc(m.Forest.Schema, func(f dataset.Field) bool { return f.Name == column }) {
			calendar = fmt.Sprintf(", without what tells the time (--ignore %s and the like)", quoted(column))
			break
		}
	}
	return "training anew with recent rows beside the others" + calendar + ", judged on the latest labelled rows, held out"
}

// whatToDo is that, and what other weights may do where they do not help with all.
func whatToDo(m *rfpragma.Model, drift []rfpragma.Drift, may string) string {
	anew := trainAnew(m)
	switch ranking := slices.ContainsFunc(drift, ranks); {
	case ranking && may != "":
		return anew + ". Other weights do not bring back how well the trees tell the classes apart, but may " + may + ": rfpragma tune MODEL DATA with these rows"
	case ranking:
		return anew + ". Tuning does not bring back how well the trees tell the classes apart: it can only have fewer alarms for less recall, or more of both"
	}
	return anew + ". Where classes look as before and are only rarer or more common, tuning on recent labelled rows is enough"
}

// worthTuning is the part of a loss that other weights must save to be told of.
const worthTuning = 0.02

// retuned says what weights tuned on the judged votes may do for rows like these, by a cross-validation of the search; "" where it promises next to nothing, or nothing beyond noise.
func (in *modelRows) retuned(ctx context.Context, seed uint64, votes *vote.Table) (string, error) {
	m := in.model
	if m.Provenance.ByCost { // which has no use for other weights
		return "", nil
	}
	measure, err := m.Measure()
	if err != nil { // it is not in the file, of which a warning tells
		return "", nil
	}
	floors, err := m.Floors()
	if err != nil {
		return "", err
	}
	votes = (&tuning{frame: in.frame}).labelled(votes)
	staked, err := m.Provenance.CostsOf().Stakes(votes)
	if err != nil {
		return "", err
	}
	search := anneal.Search{Seed: seed, Workers: in.workers, Floors: floors}
	found, err := search.Weights(ctx, staked, measure)
	if errors.Is(err, anneal.ErrFloors) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	trial, err := search.Expect(ctx, staked, measure, found)
	if err != nil {
		return "", err
	}
	misses := func(of *vote.Confusion) bool {
		return slices.ContainsFunc(floors, func(f pragma.Floor) bool { return f.Missing(of) > 0 })
	}
	switch {
	case misses(trial.Confusion):
		return "", nil
	case misses(staked.Confuse(m.Weights)):
		return "keep what you require", nil
	case effective.TooFew(trial.EffectiveGroups):
		return "", nil
	}
	gain, noise, err := search.Gain(staked, measure, trial, m.Weights)
	if err != nil || !(gain > sureErrors*noise) || gain < worthTuning*trial.Loss {
		return "", err
	}
	is, was := besides(trial.Loss, trial.Loss+gain)
	return fmt.Sprintf("lower the loss, cross-validated on these rows from %s to %s (two standard errors are %s)", was, is, significant(sureErrors*noise, 2)), nil
}

// driftTold is a warning of what the verdict tells, and more of it.
type driftTold struct{ error }

// driftWarning says in one line in which figures rows are others than those of training, or better; the verdict says by how much, and what to do.
func driftWarning(in *modelRows, found *rfpragma.Comparison) []error {
	if len(found.Drift) > 0 {
		text := "drift shows in " + figuresText(found.Drift)
		mixed, time := in.mixed(), in.model.Provenance.Reading.Time
		switch worse := slices.ContainsFunc(found.Drift, decidedWorse); {
		case worse && mixed != "":
			text += "; " + mixed
		case worse && in.expected == nil && time != "":
			text += "; " + yardstick(time)
		}
		return []error{driftTold{errors.New(text)}}
	}
	if len(found.Better) > 0 && in.model.Provenance.Votes != vote.Forward {
		return []error{driftTold{errors.New(figuresText(found.Better) + " on these rows: better than in training by more than chance; are they of the training?")}}
	}
	return nil
}

// flatters tells that figures of training may be too good for later rows to be like them. The weights may have been tuned on later rows since.
func flatters(m *rfpragma.Model) bool {
	return m.Provenance.Ordered != nil && !later(m.Provenance.Votes)
}

// mixed says so, and what to compare with instead; "" where nothing tells of it.
func (in *modelRows) mixed() string {
	if !flatters(in.model) {
		return ""
	}
	r, text := &in.model.Provenance, "the figures of training mix past and future"
	time := inOrder(r.Ordered, &r.Reading, in.model.Forest.Schema)
	if r.Reading.Time == "" {
		text = fmt.Sprintf("if %s tells the time, %s", nearest.List(r.Ordered), text)
	}
	switch {
	case in.expected == nil:
		return text + "; " + yardstick(time)
	case in.expected.Time == "":
		return text + ", and so do those of cv: rfpragma cv " + csvtext.Flag("time", time, "COL") + " does not"
	}
	return text + ", and those of " + in.expected.by() + " do not"
}

// yardstick says what later rows are better compared with than the training.
func yardstick(time string) string {
	return "the better yardstick is --expected with the JSON of rfpragma cv " + csvtext.Flag("time", time, "COL")
}

// figuresText names figures with what they are and were.
func figuresText(drift []rfpragma.Drift) string {
	var out []string
	for _, d := range drift[:min(len(drift), mostDrifts)] {
		figure, is, was := d.Figure, percent(d.Is.Value), percent(d.Was.Value)
		if d.Figure == "ranking" {
			figure, is, was = "ROC-AUC", fixed(d.Is.Value, 3), fixed(d.Was.Value, 3)
		}
		out = append(out, fmt.Sprintf("%s of %s (%s, was %s)", figure, english.Quote(d.Class), is, was))
	}
	if more := len(drift) - mostDrifts; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}

// drifted are the warnings of columns that are not as in training, in words for those who know which file it is; also of what is missing in undecided rows alone, where
// figures that are worse, which are of all rows, may come of them.
func (in *modelRows) drifted(found *rfpragma.Comparison) []string {
	var lines []string
	for _, w := range in.frame.Warnings {
		if errors.Is(w, dataset.ErrDrift) && (!in.lacks.answers(w) || found != nil && slices.ContainsFunc(found.Drift, decidedWorse)) {
			lines = append(lines, strings.TrimPrefix(w.Error(), in.name+": "))
		}
	}
	return lines
}

// columnsVerdict says which columns are not as in training, with which no figure is to be relied on before it is known why.
func columnsVerdict(in *modelRows, found *rfpragma.Comparison) []string {
	lines := in.drifted(found)
	if more := len(lines) - mostDrifts; more > 0 {
		lines = append(lines[:mostDrifts], fmt.Sprintf("and %s.", english.Plural(more, "more column")))
	}
	if lines != nil {
		lines[0] = "Look first at what is not as in training, " + lines[0]
	}
	return lines
}

// whatHelps says what may help where later rows are decided worse, as soon as a better yardstick than training, or more rows, tell the same.
func (in *modelRows) whatHelps(worse []rfpragma.Drift) string {
	when := "What may help: "
	switch {
	case in.columns != nil: // with which nothing is to be tuned
		return "If the columns are right as they are, what may help: " + trainAnew(in.model) + "."
	case in.expected == nil && (flatters(in.model) || in.model.Provenance.Reading.Time != ""):
		when = "What may help if they are below that, too: "
	}
	return when + whatToDo(in.model, worse, in.may) + "."
}

// driftVerdict says in which figures rows are others than those of training, and what to do, see whatToDo, or that no drift shows. Of rows with which nothing can be compared it says nothing.
func driftVerdict(in *modelRows, found *rfpragma.Comparison) []string {
	if found == nil {
		return nil
	}
	m := in.model
	var worse, shares []rfpragma.Drift
	for _, d := range found.Drift {
		if decidedWorse(d) {
			worse = append(worse, d)
		} else {
			shares = append(shares, d)
		}
	}
	lines := in.unsureWords()
	if len(found.Drift) == 0 && (in.expected == nil || in.expected.Foreseen == nil) {
		if steady := in.steadyWords(found); steady != "" {
			lines = append(lines, steady)
		}
	}
	lines = append(lines, in.worseWords(worse)...)
	for _, d := range shares[:min(len(shares), mostDrifts)] {
		lines = append(lines, driftText(m, &d)+".")
	}
	if more := len(shares) - mostDrifts; more > 0 {
		lines = append(lines, fmt.Sprintf("So it is with %s; evaluate --format json has all.", english.Plural(more, "more class")))
	}
	if len(found.Better) > 0 {
		lines = append(lines, betterText(m, &found.Better[0]))
	}
	return lines
}

// worseWords say what is worse than in training, but for what cv promised, of which another sentence tells, and what may help.
func (in *modelRows) worseWords(worse []rfpragma.Drift) (lines []string) {
	r := &in.model.Provenance
	left, time := in.expected.unpromised(worse), r.Reading.Time
	below := fmt.Sprintf("The model does worse on these rows than %s, by more than chance: %s.", tunedOn(r.Votes), figuresText(left))
	if in.expected != nil {
		below = fmt.Sprintf("Worse than %s by more than chance, in what %s does not promise: %s.", tunedOn(r.Votes), in.expected.by(), figuresText(left))
	}
	switch mixed := in.mixed(); {
	case len(left) == 0:
	case mixed != "":
		lines = append(lines, below+" Later rows rarely reach that: "+mixed+".")
	case in.expected != nil:
		lines = append(lines, below)
	case time != "":
		lines = append(lines, below+" That was of all blocks of the training together, and single ones differ: "+yardstick(time)+", which knows by how much.")
	default:
		lines = append(lines, below+" Later rows may differ, or rows of training tell of each other (see --group).")
	}
	if worse != nil || in.expected.failed() != nil {
		lines = append(lines, in.whatHelps(worse))
	}
	return lines
}

// ranks tells that a drift is of how well the trees tell a class from others.
func ranks(d rfpragma.Drift) bool { return d.Figure == "ranking" }

// decidedWorse tells that a drift is more than a class that is rarer or more common.
func decidedWorse(d rfpragma.Drift) bool { return d.Figure != "share" }

// driftText says of a class that it is rarer or more common, and what to do.
func driftText(m *rfpragma.Model, d *rfpragma.Drift) string {
	text := fmt.Sprintf("%s is %s of these rows and was %s %s", english.Quote(d.Class), percent(d.Is.Value), percent(d.Was.Value), tunedOn(m.Provenance.Votes))
	if d.Is.Value > 0 && d.Is.Value <= 0.995 { // above, two digits are 1
		text += "; if nothing else has changed, predict with " + csvtext.Flag("prevalence", fmt.Sprintf("%s=%.2g", d.Class, d.Is.Value), "CLASS=SHARE")
	}
	return text
}

// betterText doubts rows that are decided better than rows of training that the trees had not seen, unless those were judged by trees of far fewer rows than the model has.
func betterText(m *rfpragma.Model, d *rfpragma.Drift) string {
	figure, is, was := d.Figure, observedText(&d.Is, 0), observedText(&d.Was, 0)
	if d.Figure == "ranking" {
		figure, is, was = "ROC-AUC", areaText(&d.Is), areaText(&d.Was)
	}
	why := ": are these rows of the training?"
	if m.Provenance.Votes == vote.Forward {
		why = ", as may be of a model that knows more rows than the trees by which those were judged."
	}
	return fmt.Sprintf("%s of %s is %s on these rows and was %s %s, better by more than chance%s", figure, english.Quote(d.Class), is, was, tunedOn(m.Provenance.Votes), why)
}

// areaText shows a ROC-AUC with its interval. Neither it nor the lower end is shown as 1 where it is not.
func areaText(o *rfpragma.Observed) string {
	value, ends := underOne(o.Value, 3), o.Interval()
	if ends[0] < 1 {
		ends[0] = min(ends[0], 0.999)
	}
	return fmt.Sprintf("%s (%.3f–%.3f)", value, ends[0], ends[1])
}
