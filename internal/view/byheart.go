package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

// What is said to be learnt by heart.
const (
	HeartTrees  = 100 // that a forest has at most which is asked for it
	DecayErrors = 3   // by how many standard errors later rows must be ranked worse than those out of bag
	// and better without the columns; that both areas are of the same rows is left out, so it asks for more
	GainErrors = 2
	LeastArea  = 0.02 // of ROC area that either must come to
	leastHelp  = 0.01 // of ROC area that a column must be worth out of bag
	heartPart  = 0.1  // of that, what it may be worth on later rows
	// of what later rows are ranked worse, how much columns must explain that are told though nothing is gained without
	// them
	GapPart = 0.5
)

// ByHeart are columns that help to rank the rows of a class out of bag but not later ones. Areas are means over the
// blocks.
type ByHeart struct {
	Class                   string   // "" where no later rows are ranked worse than those out of bag, by more than chance
	Columns                 []string // nil where none were found,
	Doubted                 []string // of those that look like parts of a date
	Trees                   int
	OutOfBag, With, Without float64 // ROC area out of bag, of later rows, and of these without the columns
	Gains                   bool    // whether later rows are ranked better without, by more than chance
}

// area is the mean of the ROC areas of a class in several blocks, by weight.
type area struct{ sum, variance, Weight float64 }

// RankingBy is the ROC area of a class by some votes; nil where its rows are too few to tell.
func RankingBy(t *vote.Table, class int) *rfpragma.Observed {
	figures := rfpragma.FiguresOf(t, nil)
	if figures == nil {
		return nil
	}
	return figures[class].Ranking
}

// Add adds an area with a weight.
func (a *area) Add(o *rfpragma.Observed, weight float64) {
	a.sum += float64(weight * o.Value)
	a.variance += float64(weight * weight * o.Value * (1 - o.Value) / o.Rows)
	a.Weight += weight
}

// Mean is the weighted mean of what was added.
func (a *area) Mean() float64 { return a.sum / a.Weight }

// Above tells whether an area is larger than that of b by so many standard errors, and so much that it matters.
func (a *area) Above(b *area, errors float64) bool {
	gap := a.Mean() - b.Mean()
	return gap >= LeastArea && float64(gap*a.Weight) > errors*math.Sqrt(a.variance+b.variance)
}

// Decayed returns the class whose later rows are ranked worst beside rows out of bag, of those that matter; -1 where
// none is by more than chance. Told is whether rows of any were enough to tell.
func (job *CVJob) Decayed(report *eval.Report) (worst int, told bool) {
	most := 0.0
	worst = -1
	if job.Blocks == nil || job.Settings().Votes == vote.Train {
		return worst, false
	}
	for _, name := range job.inBlocks(report) {
		class := slices.Index(job.Aim.Classes, name)
		var before, later area
		for _, fold := range job.Voted {
			b, l := RankingBy(fold.Oob, class), RankingBy(fold.Held.Votes, class)
			if b != nil && l != nil {
				weight := job.RowsOf(fold.Held.Block, class)
				before.Add(b, weight)
				later.Add(l, weight)
				told = true
			}
		}
		if gap := before.Mean() - later.Mean(); before.Above(&later, DecayErrors) && gap > most {
			worst, most = class, gap
		}
	}
	return worst, told
}

// RowsOf is the weight of the rows of a class in a block.
func (job *CVJob) RowsOf(block, class int) float64 {
	weight := 0.0
	for _, i := range job.Blocks[block].Rows {
		if job.Frame.Truth[i] == class {
			weight += job.Frame.WeightOf(i)
		}
	}
	return weight
}

// GrownBlocks are those of which a forest could be grown on the rows before them.
func (job *CVJob) GrownBlocks() []int {
	var blocks []int
	for _, fold := range job.Voted {
		if !slices.Contains(blocks, fold.Held.Block) { // in a further repeat
			blocks = append(blocks, fold.Held.Block)
		}
	}
	return blocks
}

// ColumnWorth is what forests grown on the rows before each block make of it, and what the columns are worth to
// them: by how much the area falls if their cells are permuted, summed by weight.
type ColumnWorth struct {
	OutOfBag, Later area
	Oob, Late       []float64 // by column, out of bag and in the blocks
}

// Worst is the column that is worth something out of bag, and hardly a part of it on later rows, and loses most; -1
// where there is none.
func (w *ColumnWorth) Worst() int {
	worst, most := -1, 0.0
	for j, oob := range w.Oob {
		if lost := oob - w.Late[j]; oob >= float64(leastHelp*w.Later.Weight) && w.Late[j] <= float64(heartPart*oob) &&
			lost > most {
			worst, most = j, lost
		}
	}
	return worst
}

// ByHeartWords say what importance of rows in the order of columns that may be times leaves out, as [OrderedWords]
// does.
func ByHeartWords(columns []string, r *dataset.Reading, s dataset.Schema) []string {
	if columns == nil {
		return nil
	}
	when := ""
	if r.Time == "" {
		when = fmt.Sprintf("If %s is time, ", nearest.List(columns[:1]))
	}
	return []string{english.Capital(
		fmt.Sprintf("%spast and future are mixed here: what trees learn by heart, such as a month, looks worth more than "+
			"it is on later rows; cv %s looks for such columns.", when, csvtext.Flag("time", inOrder(columns, r, s), "COL")))}
}

// finding is what was found; nil where it is nothing.
func (h *ByHeart) finding(blocks int) *finding.Finding {
	if h == nil || h.Columns == nil {
		return nil
	}
	f := finding.New(codes.ColumnMemorised, finding.Where{Rows: codes.AllBlocks, Blocks: blocks},
		finding.Figure{Name: "area_out_of_bag", Class: h.Class, Value: h.OutOfBag, Unit: codes.Area},
		finding.Figure{Name: "area", Class: h.Class, Value: h.With, Unit: codes.Area},
		finding.Figure{Name: "area_without", Class: h.Class, Value: h.Without, Unit: codes.Area},
		finding.Figure{Name: "trees", Value: float64(h.Trees), Unit: codes.Trees})
	f.Classes, f.Columns = []string{h.Class}, h.Columns
	for _, name := range h.Columns {
		f.Remedies = append(f.Remedies, finding.Remedy{Do: codes.IgnoreColumn, Column: name})
	}
	return &f
}

// sameFolds says how the figures of other choices were found.
const sameFolds = "by the same folds"

// VotedFold is what it takes to search and judge the weights of a fold anew: something else that is required changes
// no tree.
type VotedFold struct {
	Seed  uint64
	Tuned *vote.Table  // votes that its weights were searched on
	Oob   *vote.Table  // out-of-bag votes of its forest
	Held  eval.HeldOut // votes that they are judged on, and the rule of these weights
	Tells bool         // the figures are of these rows: in the order of time of those of the latest block
}

// Tells tells whether the figures are of the rows of a fold.
func (job *CVJob) Tells(h eval.HeldOut) bool { return job.Blocks == nil || h.Fold == len(job.Blocks)-2 }
