package assess

import (
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

func TestEstimates(t *testing.T) {
	where := finding.Where{Rows: codes.GivenRows}
	of := func(v float64) *eval.Forecast {
		return &eval.Forecast{Value: v, Interval: [2]float64{v - 0.1, v + 0.1}}
	}
	e := &eval.Estimates{Rows: 100, Shifted: true, Classes: []eval.ClassEstimate{{Class: "well"},
		{Class: "ill", Alerts: 0.2, Share: of(0.3), Recall: of(0.8)}}, Cost: of(2)}
	all := Estimates(where, e, []string{"ill"})
	if len(all) != 2 || all[0].Code != codes.EstimateShares || all[0].Value("share") != 0.3 ||
		all[1].Code != codes.EstimateFigures || len(all[1].Figures) != 3 || *all[1].Figures[0].Interval != e.Classes[1].Recall.Interval ||
		all[1].Value("alerts") != 0.2 || all[1].Value("cost") != 2 || all[1].Classes[0] != "ill" {
		t.Errorf("%+v", all)
	}
	e.Void, e.Columns, e.Votes = true, []string{"x"}, 0.4
	if all := Estimates(where, e, []string{"ill"}); len(all) != 1 || all[0].Code != codes.EstimateVoid || all[0].Columns[0] != "x" ||
		all[0].Value("votes_psi") != 0.4 || all[0].Value("alerts") != 0.2 {
		t.Errorf("%+v", all)
	}
	if Estimates(where, nil, nil) != nil {
		t.Error("of nothing something is found")
	}
}

func TestLabels(t *testing.T) {
	band := &[2]float64{0.7, 0.9}
	all := Labels(finding.Where{Rows: codes.GivenRows}, []Promise{{Figure: "recall", Class: "ill", Expected: 0.8,
		ExpectedInterval: band, Found: 0.71}, {Figure: "precision", Class: "ill", Expected: 0.8, ExpectedInterval: band,
		Found: 0.91}, {Figure: "recall", Class: "well", Found: 0.5}})
	if len(all) != 2 || all[0].Code != codes.EstimateMissed || all[0].Value("precision_found") != 0.91 ||
		all[1].Code != codes.EstimateKept || all[1].Value("recall_found") != 0.71 || len(all[1].Figures) != 2 {
		t.Errorf("%+v", all)
	}
}
