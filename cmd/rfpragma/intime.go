package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// block parts rows in the order of time, of which later ones are judged by earlier ones.
func (job *cvJob) block(c *cli.Context) (err error) {
	if folds, most := job.eval.Folds, job.frame.MostBlocks(); folds > most && most > 0 {
		if c.IsSet("folds") {
			return usagef("--folds %d: column %s has %d times, and the first cannot be judged, as no rows come before it; the most is --folds %d", folds, english.Quote(job.frame.Time.Name), most+1, most)
		}
		job.fewer = fmt.Sprintf("Column %q has only %d times, of which the first is not judged: %s, not the usual %d; finer times, such as year and month in one column (1994-01), make more.", job.frame.Time.Name, most+1, foldsMade(most), folds)
		job.eval.Folds = most
	}
	if job.blocks, err = job.frame.Blocks(job.eval.Folds); err != nil {
		return err
	}
	if made := len(job.blocks) - 1; made < job.eval.Folds {
		job.fewer = fmt.Sprintf("The first block goes on to %s, so that classes are in it: %s, not %d.", job.blocks[0].To, foldsMade(made), job.eval.Folds)
	}
	return nil
}

// eitherTimeOrGroup says which of two flags to leave out when.
func eitherTimeOrGroup() error {
	return usagef("--time judges later rows by earlier ones, and --group rows of a group by those of others, and not both can be: where new rows are of the same groups as before leave --group out, where they are of new ones leave --time out")
}

// foldsMade says how many folds there are.
func foldsMade(n int) string {
	return fmt.Sprintf("%s %s made", english.Plural(n, "fold"), english.Verb(n, "is", "are"))
}

// foldsText tells the folds.
func (job *cvJob) foldsText() string {
	text := english.Plural(job.settings().Folds, "fold")
	if job.blocks != nil {
		text += fmt.Sprintf(" in the order of %s", english.Quote(job.frame.Time.Name))
	}
	return text
}

// beforeText goes on with what trainings are without.
func (job *cvJob) beforeText() string {
	if job.blocks == nil {
		return ""
	}
	return ", on rows before it alone"
}

// span names a stretch of time.
func span(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}

// blockWords says which rows are judged by which.
func (job *cvJob) blockWords() []string {
	if job.blocks == nil {
		return nil
	}
	first, last := job.blocks[0], job.blocks[len(job.blocks)-1]
	never := len(first.Rows)
	text := fmt.Sprintf("Later rows are judged by earlier ones: %s of %s, each by a model of the rows before its block alone; figures that name no block are of all of them together. The first %s, of %s, %s not judged.",
		english.Plural(job.frame.Rows()-never, "row"), span(job.blocks[1].From, last.To), english.Plural(never, "row"), span(first.From, first.To), english.Verb(never, "is", "are"))
	if len(job.blocks) > 2 {
		text += " The more blocks differ, the wider are the ranges of recall and precision."
	}
	return []string{text}
}

// blockTable shows what becomes of the classes that matter most in each block; no lines without blocks.
func (job *cvJob) blockTable(report *eval.Report) *grid {
	g := &grid{left: 1}
	if job.blocks == nil {
		return g
	}
	classes := shownClasses(job.aim.classes, job.aim.prefs, report.Probabilities)
	g.head = []string{job.frame.Time.Name, "class", "before", eval.Unit(report.Weighed), "of the class", "expected", "alarms in 10,000", "recall " + job.aim.rule(), "precision " + job.aim.rule()}
	if slices.ContainsFunc(report.Blocks[1:], func(b eval.Block) bool { return b.From != b.To }) {
		g.head[0] += " from"
	}
	for _, b := range report.Blocks[1:] {
		for _, name := range classes {
			class, alarms := b.Classes[name], "n/a"
			if share, ok := b.Decided.Alerts(slices.Index(job.frame.Classes, name)); ok {
				alarms = about(1e4 * share)
			}
			g.add(b.From, name, count(b.Before), count(b.Rows), rowsText(class.Support), about(b.Expected[name].Value), alarms, within(class.Recall, class.RecallInterval, 0), within(class.Precision, class.PrecisionInterval, 0))
		}
	}
	if len(classes) == 1 {
		g.head[4] = fmt.Sprintf("of %.32q", classes[0])
		g.left = 0
		g.drop(1)
	}
	return g
}

// latest is the block that is judged by the training on most rows; nil where none is earlier.
func latest(r *eval.Report) *eval.Block {
	if len(r.Blocks) < 3 { // the first is not judged
		return nil
	}
	return &r.Blocks[len(r.Blocks)-1]
}

// judgedRows names the rows that have been judged: in the order of time, where later ones need not be as they are, by the blocks.
func judgedRows(r *eval.Report) string {
	switch n := len(r.Blocks) - 1; {
	case n < 1:
		return newRows
	case n == 1:
		return "the later block"
	default:
		return fmt.Sprintf("the %d later blocks together", n)
	}
}

// on names the rows that figures are of.
func (v *verdict) on() string {
	switch {
	case v.mixed:
		return mixedRows
	case v.report.Blocks != nil:
		return judgedRows(v.report)
	}
	return v.rows
}

// lateShares goes on with what recall and precision of a class are in the latest block, where the sentences tell what they are in all.
func (v *verdict) lateShares(name string, sentences []string) {
	last := latest(v.report)
	if last == nil {
		return
	}
	class := last.Classes[name]
	for i, s := range sentences {
		share, interval, of := class.Recall, class.RecallInterval, class.Support
		if strings.HasSuffix(s, " precision.") {
			share, interval, of = class.Precision, class.PrecisionInterval, class.Predicted
		}
		if share == nil {
			continue
		}
		value, ends := within100(*share, interval)
		if handful(of, class) {
			value, ends = fmt.Sprintf("%s of %s", about(*share*of), about(of)), ends+" of 100"
		}
		sentences[i] = fmt.Sprintf("%s; in the latest block %s (%s).", strings.TrimSuffix(s, "."), value, ends)
	}
}

// lateLoss tells the loss in the latest block, whose rows are nearest to new ones; "" where it cannot be told.
func (v *verdict) lateLoss() string {
	last := latest(v.report)
	if last == nil || last.Decided == nil || v.asked == nil || v.costs.Amounts() {
		return ""
	}
	return fmt.Sprintf(" In the latest block %s is %s.", v.lossName(), lossTexts(v.measure, v.asked.Loss(last.Decided), v.loss(&v.report.Rules.Plain))[0])
}

// wasteful tells whether it costs less to decide all rows alike than as the tuned rule does; in the order of time also in the latest block.
func wasteful(costs pragma.Costs, r *eval.Report) bool {
	cheapest := cheaper(slices.Sorted(maps.Keys(r.Always)), r.Always, r.Rules.Tuned.Cost)
	if last := latest(r); cheapest != "" && last != nil && last.Decided != nil && !costs.Amounts() {
		return costs.Always(last.Decided)[cheapest] < costs.Total(last.Decided)
	}
	return cheapest != ""
}

// lateWaste tells what it is in the latest block to decide all rows as one class, and as the model does; "" where it cannot be told.
func (v *verdict) lateWaste(always int) string {
	last := latest(v.report)
	if last == nil || last.Decided == nil || v.asked == nil || v.costs.Amounts() {
		return ""
	}
	alike, tuned := v.asked.Loss(decidedAs(always, last.Decided)), v.asked.Loss(last.Decided)
	texts, too := lossTexts(v.measure, alike, tuned), "so it is in the latest block"
	if alike >= tuned {
		too = "not so in the latest block"
	}
	return fmt.Sprintf(" %s: there %s is %s that way, and %s by the model.", english.Capital(too), v.lossName(), texts[0], texts[1])
}

// ways says how the figures of other choices were found, and in the order of time why they are not what is asked for.
func (job *cvJob) ways(report *eval.Report) string {
	if job.blocks != nil {
		return "by " + judgedRows(report) + "; what is asked for is kept on the rows before a block, and later rows are other ones"
	}
	return sameFolds
}

// offBlock is a block whose probabilities make more or fewer rows of a class expected than there are, by more than chance.
type offBlock struct {
	*eval.Block
	expected, there float64
}

// text names the block, and tells how it is off.
func (b offBlock) text() string {
	how := "low"
	if b.expected > b.there {
		how = "high"
	}
	return fmt.Sprintf("from %s on, trained on %s, too %s (%s expected, %s there)", b.From, english.Plural(about(b.Before), "row"), how, about(b.expected), about(b.there))
}

// offBlocks returns the blocks whose probabilities of a class are off as a whole, and the rows that the others make expected and have. None where there are not several blocks.
func (v *verdict) offBlocks(name string) (off []offBlock, others offBlock) {
	if latest(v.report) == nil {
		return nil, others
	}
	for i := range v.report.Blocks[1:] {
		b := &v.report.Blocks[1+i]
		class, expected := b.Classes[name], b.Expected[name]
		gap, chance := math.Abs(class.Support-expected.Value), expected.SE
		if class.Rows > 0 { // that of the rows there are, too: a few are no proof where fewer are expected
			chance = max(chance, class.Support/math.Sqrt(class.Rows))
		}
		if gap > offErrors*chance && gap > offPart*expected.Value {
			off = append(off, offBlock{b, expected.Value, class.Support})
		} else {
			others.expected, others.there = others.expected+expected.Value, others.there+class.Support
		}
	}
	return off, others
}

// offBlockWords says in which blocks the probabilities of a class are off by more than chance, and whether the latest, which says most of new rows, is one; "" where none is.
func (v *verdict) offBlockWords(name string) string {
	off, others := v.offBlocks(name)
	if off == nil {
		return ""
	}
	var texts []string
	for _, b := range off[:min(len(off), mostNamed)] {
		texts = append(texts, b.text())
	}
	if more := len(off) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	n, last := len(v.report.Blocks)-1, latest(v.report)
	text := fmt.Sprintf("By more than chance the probabilities of %q are off in %d of %d blocks: %s.", name, len(off), n, strings.Join(texts, "; "))
	if len(off) < n {
		text += fmt.Sprintf(" In the others %s %s expected, %s %s there.", about(others.expected), english.Verb(about(others.expected), "is", "are"), about(others.there), english.Verb(about(others.there), "is", "are"))
	}
	if off[len(off)-1].Block == last {
		return text + " The latest is off, and new rows come after it: do not take them at their word."
	}
	return text + fmt.Sprintf(" The latest, whose training has most rows (%s), is not off, and a model of all rows is nearest to it.", about(last.Before))
}

// later says of a floor that blocks together do not keep why that is so, and what the latest makes of it.
func (v *verdict) later(f pragma.Floor) string {
	text := "which is not kept: it is reached on the rows before each block, and later rows are other ones"
	last := latest(v.report)
	if last == nil || last.Decided == nil {
		return text
	}
	value, ok := f.Value(last.Decided)
	switch {
	case !ok:
		return text
	case f.Missing(last.Decided) > 0:
		return text + "; in the latest block it is " + floorText(f, value)
	}
	return text + fmt.Sprintf("; the latest block, whose training has most rows (%s), keeps it: %s", about(last.Before), floorText(f, value))
}

// keptLately tells whether the latest block keeps all that is required.
func (v *verdict) keptLately() bool {
	last := latest(v.report)
	return last != nil && last.Decided != nil && !slices.ContainsFunc(v.floors, func(f pragma.Floor) bool { return f.Missing(last.Decided) > 0 })
}

// lateWarnings leaves out what only trainings of early blocks warn of, but for what decides whether there is a model, and says so.
func lateWarnings(warnings []error) []error {
	n := len(warnings)
	warnings = slices.DeleteFunc(warnings, func(w error) bool {
		var in *eval.TrainingWarning
		return errors.As(w, &in) && in.Early && !unreached(w)
	})
	if n -= len(warnings); n > 0 {
		warnings = append(warnings, fmt.Errorf("%d more %s of early blocks alone, whose trainings have fewer rows", n, english.Verb(n, "warning is", "warnings are")))
	}
	return warnings
}

// mixed tells whether the rows are those of a training that mixes past and future.
func (s *shownTuning) mixed() bool {
	return s.was != nil && s.table.Source == vote.OOB && mixedTimes(&s.was.Provenance)
}

// ways says how the figures of other choices were found.
func (s *shownTuning) ways() string {
	if s.mixed() {
		return "cross-validated on these votes, past and future mixed"
	}
	return "cross-validated on these votes"
}

// timeWords says how rows are judged in the order of a column that may be a time. One of dates is proposed before others, as it has finer times than a year, and left out where it is none, as later dates are unknown.
func timeWords(v *dataset.Overview) []string {
	var dates, ordered []string
	for _, f := range v.Findings {
		switch f.Sort {
		case dataset.FoundDates:
			dates = f.Columns
		case dataset.FoundOrdered:
			ordered = f.Columns
		}
	}
	const judged = ": later rows are then judged by earlier ones"
	switch {
	case ordered == nil:
		return nil
	case len(dates) != 1 || slices.Contains(ordered, dates[0]):
		return []string{fmt.Sprintf("If %s is time, add %s%s.", nearest.List(ordered), csvtext.Flag("time", ordered[0], "COL"), judged)}
	}
	return []string{fmt.Sprintf("If %s says when a row was, add %s %s%s. Else add %s, and if %s is time %s.", nearest.List(dates), csvtext.Flag("time", dates[0], "COL"), csvtext.Flag("ignore", ordered[0], "COL"), judged,
		csvtext.Flag("ignore", dates[0], "COL"), nearest.List(ordered), csvtext.Flag("time", ordered[0], "COL"))}
}

// orderedWords closes what is said of rows in the order of columns that may be times, as the last words may be all that is kept, or of rows whose time
// is known by a column of that name.
func orderedWords(columns []string, time string) []string {
	switch {
	case columns == nil:
		return nil
	case time != "":
		return []string{fmt.Sprintf("The rows were judged with past and future mixed: expect less on later rows; cv %s says how much less.", csvtext.Flag("time", time, "COL"))}
	}
	return []string{fmt.Sprintf("The rows were in the order of %s: if that is time, expect less on later rows; cv %s says how much less.",
		nearest.List(columns), csvtext.Flag("time", columns[0], "COL"))}
}
