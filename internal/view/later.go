package view

import (
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
)

// rowsIn is what the judged rows of a block weigh.
func rowsIn(b *eval.Block) float64 { return b.Weight() }

// judgedIn are all but the first; none where rows have no time.
func judgedIn(r *eval.Report) []eval.Block { return r.Judged() }

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
