package assess

import (
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// Review says which share of the rows is close and left to people, and, where helped is not nil, what is found of a
// class in all rows if these people are right. The figures are reviewed, and recall_helped of the class.
func Review(where finding.Where, share float64, class string, helped *float64) finding.Finding {
	f := finding.New(codes.ReviewZone, where, figure("reviewed", share, codes.Share))
	if helped != nil {
		f.Classes = []string{class}
		f.Figures = append(f.Figures, shareOf(class, "recall_helped", *helped, nil))
	}
	return f
}
