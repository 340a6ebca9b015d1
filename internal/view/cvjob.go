package view

import (
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/memorised"
	"github.com/rfpragma/rfpragma/vote"
)

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

// memorisedFinding is nil where there are no such columns.
func memorisedFinding(h *memorised.Columns, blocks int) *finding.Finding {
	if h == nil {
		return nil
	}
	f := finding.New(codes.ColumnMemorised, finding.Where{Rows: codes.AllBlocks, Blocks: blocks},
		finding.Figure{Name: "area_out_of_bag", Class: h.Class, Value: h.OutOfBag, Unit: codes.Area},
		finding.Figure{Name: "area", Class: h.Class, Value: h.With, Unit: codes.Area},
		finding.Figure{Name: "area_without", Class: h.Class, Value: h.Without, Unit: codes.Area},
		finding.Figure{Name: "trees", Value: float64(h.Trees), Unit: codes.Trees})
	f.Classes, f.Columns = []string{h.Class}, h.Names
	for _, name := range h.Names {
		f.Remedies = append(f.Remedies, finding.Remedy{Do: codes.IgnoreColumn, Column: name})
	}
	return &f
}

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
