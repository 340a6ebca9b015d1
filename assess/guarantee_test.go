package assess

import (
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

func TestGuarantees(t *testing.T) {
	recall, cost := 0.88, 0.4
	g := &rfpragma.Guarantee{Confidence: 0.95, Sure: true, Apart: true, Units: 500, Tests: []rfpragma.GuaranteeTest{
		{Constraint: classes[0] + ":recall>=0.8", Value: &recall, Of: 120, P: 0.01},
		{Constraint: "cost<=0.5", Value: &cost, Of: 500, P: 0.05},
		{Constraint: "of a later version", P: 0.01},
	}}
	for _, tc := range []struct {
		apart  bool
		p      float64
		needed int
		want   finding.Code
	}{
		{true, 0.01, 0, codes.GuaranteeKept}, {false, 0.01, 0, codes.GuaranteeApproximate},
		{true, 0.06, 900, codes.GuaranteeMissing}, {false, 0.06, 0, codes.GuaranteeMissing},
	} {
		g.Apart, g.Tests[0].P, g.Needed = tc.apart, tc.p, tc.needed
		all := Guarantees(g, classes)
		if len(all) != 2 || all[0].Code != tc.want || all[0].Value("recall") != 0.88 || all[0].Value("recall_limit") != 0.8 ||
			all[0].Value("counted") != 120 || all[0].Value("needed") != float64(tc.needed) || all[1].Value("cost_limit") != 0.5 ||
			all[0].Classes[0] != classes[0] || all[1].Classes != nil {
			t.Errorf("%+v: %+v", tc, all)
		}
	}
	if all := Guarantees(nil, classes); all != nil {
		t.Errorf("of no guarantee: %+v", all)
	}
}
