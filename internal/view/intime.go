package view

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// foldsText tells the folds.
func (job *CVJob) foldsText() string {
	text := english.Plural(job.Settings().Folds, "fold")
	if job.Blocks != nil {
		text += fmt.Sprintf(" in the order of %s", english.Quote(job.Frame.Time.Name))
	}
	return text
}

// beforeText goes on with what trainings are without.
func (job *CVJob) beforeText() string {
	if job.Blocks == nil {
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

// blockWords says which rows are judged by which, and unless that has been said of which figures are.
func (job *CVJob) blockWords(said bool) []string {
	if job.Blocks == nil {
		return nil
	}
	first, last := job.Blocks[0], job.Blocks[len(job.Blocks)-1]
	never := len(first.Rows)
	text := fmt.Sprintf("Later rows are judged by earlier ones: %s of %s, each by a model of the rows before its block "+
		"alone. The first %s, of %s, %s not judged.",
		english.Plural(job.Frame.Rows()-never, "row"), span(job.Blocks[1].From, last.To), english.Plural(never, "row"),
		span(first.From, first.To), english.Verb(never, "is", "are"))
	if latest := job.latestWords(); !said && latest != "" {
		text += " " + latest
	}
	return []string{text}
}

// latestWords say of which block figures are, and which to quote; "" where there are not several.
func (job *CVJob) latestWords() string {
	if len(job.Blocks) < 3 {
		return ""
	}
	last := job.Blocks[len(job.Blocks)-1]
	return fmt.Sprintf("Figures that name no block are of the latest, %s of %s. What to expect of later rows is said "+
		"first: a mean in which later blocks count more; \"together\" is of the rows of all blocks alike.",
		english.Plural(len(last.Rows), "row"), span(last.From, last.To))
}

// so many judged blocks, or fewer, do not tell how blocks differ

// blockTable shows what becomes of the classes that matter most in each block; no lines without blocks.
func (job *CVJob) blockTable(report *eval.Report) *layout.Grid {
	g := &layout.Grid{Left: 1}
	if job.Blocks == nil {
		return g
	}
	classes := job.InBlocks(report)
	g.Head = []string{timeHead(job.Frame.Time.Name, report.Blocks), "class", "before", tables.Unit(report.Weighed),
		"of the class", "expected", "alarms in 10,000", "recall " + job.Aim.rule(), "precision " + job.Aim.rule()}
	for _, b := range Timed(report) {
		from := b.From
		if b.Fold == 0 {
			from = Together
		}
		for _, name := range classes {
			class, alarms := b.Classes[name], "n/a"
			if share, ok := b.Decided.Alerts(slices.Index(job.Frame.Classes, name)); ok {
				alarms = english.InTenThousand(share * job.Withheld.DecidedIn(&b))
			}
			g.Add(from, name, layout.Count(b.Before), layout.Count(b.Rows), layout.Rows(class.Support), english.About(b.Expected[name].Value),
				job.broken(b, name, pragma.Alerts)+alarms, job.broken(b, name, pragma.RecallFloor)+layout.Within(class.Recall,
					class.RecallInterval, 0), job.broken(b, name, pragma.PrecisionFloor)+layout.Within(class.Precision,
					class.PrecisionInterval, 0))
		}
	}
	if len(classes) == 1 {
		g.Head[4] = fmt.Sprintf("of %.32q", classes[0])
		g.Left = 0
		g.Drop(1)
	}
	return g
}

// broken marks a figure of a block that is not what is required of it.
func (job *CVJob) broken(b eval.Block, class string, what pragma.Figure) string {
	if slices.ContainsFunc(job.Fit.Search.Floors, func(f pragma.Floor) bool {
		return f.What == what && job.Frame.Classes[f.Class] == class && b.Decided != nil &&
			f.Missing(f.Of(b.Decided, job.Withheld.DecidedIn(&b))) > 0
	}) {
		return "not kept, "
	}
	return ""
}

// Together is what all blocks are called where single ones are called by their times.
const Together = "together"

// Timed are the judged blocks, and where there are several these together, whose fold is 0.
func Timed(r *eval.Report) []eval.Block {
	blocks := slices.Clone(r.Blocks[1:])
	if r.Together != nil {
		blocks = append(blocks, *r.Together)
	}
	return blocks
}

// InBlocks returns the classes that are told of by block, as [shownClasses] does: of those that have rows in a
// block, though none in the latest.
func (job *CVJob) InBlocks(report *eval.Report) []string {
	judged := map[string]eval.Judged{}
	for c, name := range job.Aim.Classes {
		if len(job.Aim.Classes) == 2 && c != pragma.MattersMore(job.Aim.order(), job.Aim.Prefs) {
			continue
		}
		if slices.ContainsFunc(report.Blocks, func(b eval.Block) bool { return b.Classes[name].Support > 0 }) {
			judged[name] = eval.Judged{}
		}
	}
	return shownClasses(job.Aim.Classes, job.Aim.Prefs, judged)
}

// latest is the block that is judged by the training on most rows; nil where none is earlier.
func latest(r *eval.Report) *eval.Block {
	if len(r.Blocks) < 3 { // the first is not judged
		return nil
	}
	return &r.Blocks[len(r.Blocks)-1]
}

// judgedRows names the rows that figures are of: in the order of time, where later ones need not be as they are, by
// the block.
func judgedRows(r *eval.Report) string {
	switch n := len(r.Blocks) - 1; {
	case n < 1:
		return "new rows"
	case n == 1:
		return "the later block"
	default:
		return "the latest block"
	}
}

// counted are the weights of the folds that figures are of: in the order of time those of the latest block.
func counted(r *eval.Report) []eval.FoldWeights {
	if r.Blocks == nil {
		return r.WeightsByFold
	}
	return slices.DeleteFunc(slices.Clone(r.WeightsByFold),
		func(w eval.FoldWeights) bool { return w.Fold < len(r.Blocks)-1 })
}

// listTable shows what the lists are worth in each block; no lines without them.
func (job *CVJob) listTable(report *eval.Report) *layout.Grid {
	g := &layout.Grid{Head: []string{"", "list", tables.Unit(report.Weighed), "of all", "expected", "precision", "recall",
		"lift"}, Left: 1}
	for i, b := range report.Blocks {
		if i == 0 {
			g.Head[0] = timeHead(job.Frame.Time.Name, report.Blocks)
		}
		for _, l := range b.Top {
			g.Add(b.From, fmt.Sprintf("likeliest to be %q", l.Class), layout.Rows(l.Rows), english.Percent(l.Share, 1),
				english.About(*l.Expected), layout.Within(l.Precision, l.PrecisionInterval, 0), layout.Within(l.Recall, l.RecallInterval, 0),
				layout.Lift(l.Lift))
		}
	}
	return g
}

// timeHead is the head of a column of blocks.
func timeHead(name string, blocks []eval.Block) string {
	if slices.ContainsFunc(blocks[1:], func(b eval.Block) bool { return b.From != b.To }) {
		return name + " from"
	}
	return name
}

// ways says how the figures of other choices were found, and in the order of time why they are not what is asked for.
func (job *CVJob) ways(report *eval.Report) string {
	if job.Blocks != nil {
		return "by " + judgedRows(report)
	}
	return "by the same folds"
}

// forwardWords say how later rows are judged by earlier ones within a training.
func forwardWords(r *rfpragma.Provenance) []string {
	if r.Votes != vote.Forward {
		return nil
	}
	return []string{fmt.Sprintf("Weights and probabilities are fitted as the model will be used: %s in the order of %s, "+
		"each judged by trees of the rows before it alone. The first %s %s not judged; the trees of the model are grown on "+
		"all rows.",
		english.Plural(r.Folds, "block"), english.Quote(r.Reading.Time), english.Plural(r.Unvoted, "row"),
		english.Verb(r.Unvoted, "is", "are"))}
}
