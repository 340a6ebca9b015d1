package view

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/memorised"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

// ByHeart are columns that help to rank the rows of a class out of bag but not later ones.
type ByHeart memorised.Found

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
		var before, later memorised.Area
		for _, fold := range job.Voted {
			b, l := memorised.Ranking(fold.Oob, class), memorised.Ranking(fold.Held.Votes, class)
			if b != nil && l != nil {
				weight := job.RowsOf(fold.Held.Block, class)
				before.Add(b, weight)
				later.Add(l, weight)
				told = true
			}
		}
		if gap := before.Mean() - later.Mean(); before.Above(&later, memorised.DecayErrors) && gap > most {
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
