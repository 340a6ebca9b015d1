package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// block parts rows in the order of time, of which later ones are judged by earlier ones.
func (job *cvJob) block(c *cli.Context) (err error) {
	if folds, most := job.eval.Folds, job.frame.MostBlocks(); folds > most && most > 0 {
		if c.IsSet("folds") {
			return usagef("--folds %d: column %s has %d times, and the first cannot be judged, as no rows come before it; the most is --folds %d", folds, english.Quote(job.frame.Time.Name), most+1, most)
		}
		job.fewer = fmt.Sprintf("Column %q has only %d times, of which the first is not judged: %s, not the usual %d; finer times, such as year and month in one column, make more.", job.frame.Time.Name, most+1, foldsMade(most), folds)
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
	return []string{fmt.Sprintf("Later rows are judged by earlier ones: %s of %s, each by a model of the rows before its block alone. The first %s, of %s, %s not judged.",
		english.Plural(job.frame.Rows()-never, "row"), span(job.blocks[1].From, last.To), english.Plural(never, "row"), span(first.From, first.To), english.Verb(never, "is", "are"))}
}

// blockTable shows what becomes of the classes that matter most in each block; no lines without blocks.
func (job *cvJob) blockTable(report *eval.Report) *grid {
	g := &grid{left: 2}
	if job.blocks == nil {
		return g
	}
	classes := shownClasses(job.aim.classes, job.aim.prefs, report.Probabilities)
	g.head = []string{job.frame.Time.Name, "to", "class", "before", eval.Unit(report.Weighed), "of the class", "recall " + job.aim.rule(), "precision " + job.aim.rule()}
	for _, b := range report.Blocks[1:] {
		for _, name := range classes {
			class := b.Classes[name]
			g.add(b.From, b.To, name, count(b.Before), count(b.Rows), rowsText(class.Support), within(class.Recall, class.RecallInterval), within(class.Precision, class.PrecisionInterval))
		}
	}
	if !slices.ContainsFunc(report.Blocks[1:], func(b eval.Block) bool { return b.From != b.To }) {
		g.drop("to")
	}
	if len(classes) == 1 {
		g.head[slices.Index(g.head, "of the class")] = fmt.Sprintf("of %.32q", classes[0])
		g.drop("class")
	}
	return g
}

// drop leaves out one of the columns that are left-aligned.
func (g *grid) drop(column string) {
	at := 1 + slices.Index(g.head[1:], column)
	g.head = slices.Delete(g.head, at, at+1)
	for i := range g.rows {
		g.rows[i] = slices.Delete(g.rows[i], at, at+1)
	}
	g.left--
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
