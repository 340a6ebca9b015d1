package view

import (
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
)

// span names a stretch of time.
func span(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
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

// judgedFoldWeights are the weights of the folds that figures are of: in the order of time those of the latest block.
func judgedFoldWeights(r *eval.Report) []eval.FoldWeights {
	if r.Blocks == nil {
		return r.WeightsByFold
	}
	return slices.DeleteFunc(slices.Clone(r.WeightsByFold),
		func(w eval.FoldWeights) bool { return w.Fold < len(r.Blocks)-1 })
}

// timeHead is the head of a column of blocks.
func timeHead(name string, blocks []eval.Block) string {
	if slices.ContainsFunc(blocks[1:], func(b eval.Block) bool { return b.From != b.To }) {
		return name + " from"
	}
	return name
}

// LaterShares are those of all classes; nil where not two blocks are judged.
func LaterShares(r *eval.Report, withheld *abstain.WithheldInfo) map[string]eval.Later {
	if r.Together == nil {
		return nil
	}
	out := map[string]eval.Later{}
	for name := range r.Rules.Tuned.Classes {
		out[name] = r.Later(name, withheld.DecidedIn)
	}
	return out
}
