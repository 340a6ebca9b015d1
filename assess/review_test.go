package assess

import (
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

func TestReview(t *testing.T) {
	helped := 0.9
	f := Review(finding.Where{Rows: codes.NewRows}, 0.02, "ill", &helped)
	if f.Code != codes.ReviewZone || f.Value("reviewed") != 0.02 || f.Value("recall_helped") != 0.9 || f.Classes[0] != "ill" {
		t.Errorf("%+v", f)
	}
	if f := Review(finding.Where{}, 0.02, "ill", nil); len(f.Figures) != 1 || f.Classes != nil {
		t.Errorf("of no class: %+v", f)
	}
}
