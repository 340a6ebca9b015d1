package view

import (
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
)

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
