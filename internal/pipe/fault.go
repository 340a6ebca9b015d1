package pipe

import (
	"context"
	"errors"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/risk"
)

// Fault is an error as a value. In the message options stand in braces, such as {ignore} or {ignore="id"}, for the
// client to name them as its users know them.
type Fault struct {
	Code    string `json:"code"` // which kind; docs/pipe.md lists them
	Message string `json:"message"`
	Column  string `json:"column,omitempty"` // name of the column at fault
	Row     int    `json:"row,omitempty"`    // number of the row at fault, from 1
	Stack   string `json:"stack,omitempty"`  // of a fault of this program
}

// The codes of faults.
const (
	codeProtocol  = "protocol"      // a request that no client should send
	codeCancelled = "cancelled"     // the request was cancelled
	codeModel     = "unknown_model" // the model is not known; send it again with its file
	codeFormat    = "model_file"    // bytes that are no sound model
	codeData      = "data"          // something is wrong with the rows
	codeLimit     = "limit"         // too much of something
	codeMemory    = "memory"        // it would take more memory than there is
	codeFloors    = "floors"        // no weights reach what is required
	codeOption    = "option"        // an option that is not valid
	codeInternal  = "internal"      // a fault of this program
)

// warning is what the user should know although the work went on.
type warning struct {
	Code string `json:"code"` // drift, misfit, order, unproven, or other
	Text string `json:"text"`
}

// faultOf returns an error as a value.
func faultOf(ctx context.Context, err error) *Fault {
	f := &Fault{Code: codeOption, Message: err.Error()}
	var (
		protocol *protocolError
		parse    *dataset.ParseError
		limit    *dataset.LimitError
		bug      *parallel.Fault
	)
	is := func(targets ...error) bool {
		for _, t := range targets {
			if errors.Is(err, t) {
				return true
			}
		}
		return false
	}
	switch {
	case ctx.Err() != nil && is(context.Canceled):
		f.Code, f.Message = codeCancelled, "the request was cancelled"
	case errors.As(err, &bug):
		f.Code, f.Stack = codeInternal, string(bug.Stack)
	case errors.As(err, &protocol):
		f.Code = codeProtocol
	case errors.Is(err, errUnknownModel):
		f.Code = codeModel
	case is(rfpragma.ErrFormat):
		f.Code = codeFormat
	case errors.As(err, &limit):
		f.Code = codeLimit
	case is(forest.ErrMemory):
		f.Code = codeMemory
	case is(anneal.ErrFloors, risk.ErrUnsure):
		f.Code = codeFloors
	case errors.As(err, &parse):
		f.Code, f.Column, f.Row = codeData, parse.Field, parse.Row
	case is(forest.ErrTrain, anneal.ErrTrain, anneal.ErrNoRows, calib.ErrOneClass, rfpragma.ErrRow, eval.ErrNoLabels,
		dataset.ErrNoData, dataset.ErrShape, dataset.ErrValue):
		f.Code = codeData
	}
	return f
}

// warn adds warnings to an answer.
func (a *answer) warn(all ...error) {
	for _, err := range all {
		w := warning{Code: "other", Text: err.Error()}
		for _, kind := range []struct {
			of   error
			code string
		}{{dataset.ErrMisfit, "misfit"}, {dataset.ErrDrift, "drift"}, {dataset.ErrOrdered, "order"},
			{dataset.ErrIgnored, "ignored"}, {dataset.ErrUseless, "useless"}, {anneal.ErrUnproven, "unproven"},
			{anneal.ErrEdge, "edge"}} {
			if errors.Is(err, kind.of) {
				w.Code = kind.code
				break
			}
		}
		a.Warnings = append(a.Warnings, w)
	}
}
