package assess

import (
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

func TestGaps(t *testing.T) {
	all := Gaps(finding.Where{Rows: codes.NewRows}, "region",
		[]eval.Gap{{Slice: "north", Class: "ill", Figure: "recall", Value: 0.5, Others: 0.8, P: 0.01}})
	if len(all) != 1 || all[0].Code != codes.SliceGap || all[0].Value("recall") != 0.5 || all[0].Value("recall_others") != 0.8 ||
		all[0].Value("p") != 0.01 || all[0].Part != "north" || all[0].Columns[0] != "region" || all[0].Classes[0] != "ill" {
		t.Errorf("%+v", all)
	}
	if all = Gaps(finding.Where{Rows: codes.GivenRows}, "region", []eval.Gap{{Estimated: true}}); all[0].Code != codes.EstimateGap {
		t.Errorf("%+v", all)
	}
}
