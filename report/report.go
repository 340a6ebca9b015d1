// Package report presents what is known of the decisions of a model as one page: a self-contained HTML file with
// charts, the tables behind them, and what they say in words. The size of the page depends on the number of classes,
// not of rows.
package report

import (
	"context"
	"encoding/json"
	"io"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Input is what a report is made of. Eval, Measure, Loss and Weights are required.
type Input struct {
	Eval    *eval.Report   // as returned by package eval
	Spec    pragma.Spec    // the preferences asked for
	Measure string         // name of the loss
	Loss    pragma.Measure // the measure that the weights lower
	Costs   pragma.Costs   // behind the loss, if it is a cost
	Floors  []pragma.Floor // floors that come before the loss
	// up to three classes that matter most, with which the page begins; nil for those of priority by Spec
	Matter []int
	// len k, around which the weight of each class is varied: those of the model, or the middle of the folds, or those
	// of the latest block
	Weights vote.Weights
	Given   bool // whether the weights were given instead of searched for
	// len k, the interval of each class's weight that is as good on the votes tuned on; nil in a cross-validation
	Trained [][2]float64
}

// Report is a page. New fills in the words about the result; the caller adds what it is about, and may change the
// words.
type Report struct {
	Title    string   // what the page is about
	About    []string // which rows were judged, by which trees
	Summary  []string // the result in plain words, as short as can be
	Details  []string // what else there is to say
	Warnings []string // what to know before trusting the result

	Findings []finding.Finding // what was found, see package assess

	page *report.Report
}

// New makes a Report with all that can be drawn of the outcome of an evaluation.
//
// Errors: a required part that is missing; parts that do not belong together; those of [pragma.Spec.Resolve] and of
// costs by amount; that of ctx.
func New(ctx context.Context, in Input) (*Report, error) {
	page, err := report.New(ctx, report.Input(in))
	if err != nil {
		return nil, err
	}
	return &Report{page.Title, page.About, page.Summary, page.Details, page.Warnings, page.Findings, page}, nil
}

// filled is the page with the words of r.
func (r *Report) filled() *report.Report {
	page := *r.page
	page.Title, page.About, page.Summary, page.Details, page.Warnings = r.Title, r.About, r.Summary, r.Details, r.Warnings
	page.Findings = r.Findings
	return &page
}

// WriteHTML writes the page. It needs no other file and requests nothing from a server, which its content security
// policy enforces. The same report gives the same bytes.
func (r *Report) WriteHTML(w io.Writer) error { return r.filled().WriteHTML(w, nil) }

// MarshalJSON returns what the page shows, as docs/json.md has it.
func (r *Report) MarshalJSON() ([]byte, error) { return json.Marshal(r.filled()) }
