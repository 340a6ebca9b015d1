package assess

import (
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// Gaps says which figures of parts of the rows differ from those of all others by more than chance, see [eval.Slices]
// and [eval.EstimatedGaps]. Column is what the rows are parted by. The figures are that of the part, such as recall,
// that of the others, recall_others, and p.
func Gaps(where finding.Where, column string, gaps []eval.Gap) []finding.Finding {
	var out []finding.Finding
	for _, g := range gaps {
		code := finding.Code(codes.SliceGap)
		if g.Estimated {
			code = codes.EstimateGap
		}
		f := finding.New(code, where,
			shareOf(g.Class, g.Figure, g.Value, nil), shareOf(g.Class, g.Figure+"_others", g.Others, nil),
			figure("p", g.P, codes.Share))
		f.Classes, f.Columns, f.Part = []string{g.Class}, []string{column}, g.Slice
		out = append(out, f)
	}
	return out
}
