// Package explain says why a model decides a row as it does: what each cell adds to the votes for a class, in parts
// that sum up ([New]), and the smallest change that turns the decision ([Nearest]). The cells that a decision owes most
// to, each alone, are [rfpragma.Model.Reasons].
package explain

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// Options says how votes are split into parts, see [New].
type Options struct {
	Class string // the class whose votes are split
	// LogOdds splits the log odds of the probability of the class in place of its share of the votes; for two classes.
	// The parts of the share are all stretched by one factor, that by which the log odds lie further from those of Base
	// than the share does: so they keep their order and still sum up. Probabilities count as 1e-6 from 0 and 1 at least.
	LogOdds bool
	// Interventional puts cells of background rows in the place of those that are not known; else the trees go both ways
	// there. See [forest.ExplainConfig].
	Interventional bool
	Workers        int // 0 means GOMAXPROCS; it changes no part
}

// Explainer splits what a model says of rows into parts of the columns. It does not change, so any number of
// goroutines may use it.
type Explainer struct {
	// Base is what the model says on average of the background rows: the mean share of the votes for the class, in
	// [0, 1]; or the log odds at that share, a straight line lying between those of whole votes.
	Base float64

	m     *rfpragma.Model
	class int
	odds  bool
	parts *forest.Explainer
}

// New prepares to split the votes for a class into Shapley values of the columns (Lundberg et al., Nature Machine
// Intelligence 2 (2020) 56-67). Background rows say what is usual: those of the training, or a part of them. Their
// columns are matched by name, their case weights heeded, their labels not used.
//
// Errors: [rfpragma.ErrConfig] for a class that the model does not have, and for log odds of more than two;
// [forest.ErrTrain] if there are no background rows; those of [dataset.Schema.Conform]; that of ctx.
func New(ctx context.Context, m *rfpragma.Model, background *dataset.Frame, o Options) (*Explainer, error) {
	e := &Explainer{m: m, class: slices.Index(m.Classes(), o.Class), odds: o.LogOdds}
	switch {
	case e.class < 0:
		return nil, fmt.Errorf("%w: there is no class %s whose votes could be split", rfpragma.ErrConfig,
			english.Quote(o.Class))
	case e.odds && len(m.Classes()) > 2:
		return nil, fmt.Errorf("%w: log odds are split for two classes, and there are %d; split the share of the votes",
			rfpragma.ErrConfig, len(m.Classes()))
	}
	var err error
	e.parts, err = m.Forest.Explainer(ctx, background, forest.ExplainConfig{Class: e.class,
		Interventional: o.Interventional, Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	if e.Base = e.parts.Base; e.odds {
		e.Base, _ = e.line(e.parts.Base)
	}
	return e, nil
}

// Rows returns for each row of frame the part of each column, in the order of Forest.Schema of the model. The parts of
// a row sum up to what the model says of it less Base: of shares to within 1e-12. Errors: those of
// [dataset.Schema.Conform]; that of ctx.
func (e *Explainer) Rows(ctx context.Context, frame *dataset.Frame) ([][]float64, error) {
	parts, err := e.parts.Parts(ctx, frame)
	if err != nil || !e.odds {
		return parts, err
	}
	for _, row := range parts {
		rise := 0.0
		for _, v := range row {
			rise += v
		}
		factor := e.factor(rise)
		for j := range row {
			row[j] *= factor
		}
	}
	return parts, nil
}

// Row is Rows for a row x (len p), as for [rfpragma.Model.Predict]. Errors: [rfpragma.ErrRow] for another one; that of
// ctx.
func (e *Explainer) Row(ctx context.Context, x []float64) ([]float64, error) {
	if err := check(e.m, x); err != nil {
		return nil, err
	}
	frame := &dataset.Frame{Classes: e.m.Classes(), Columns: make([]dataset.Column, len(x))}
	for j, v := range x {
		frame.Columns[j] = dataset.Column{Field: e.m.Forest.Schema[j], Values: []float64{v}}
	}
	rows, err := e.Rows(ctx, frame)
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// whole returns how many counts the votes for a row have.
func (e *Explainer) whole() float64 { return e.m.Forest.Unit() * float64(e.m.Forest.Trees()) }

// factor returns by how much the parts of a row are stretched, whose share lies so far above the mean.
func (e *Explainer) factor(rise float64) float64 {
	share := math.Round((e.parts.Base+rise)*e.whole()) / e.whole() // that of its votes, without rounding errors
	at, slope := e.line(share)
	if math.Abs(share-e.parts.Base)*e.whole() < 1e-6 {
		return slope
	}
	return (at - e.Base) / rise
}

// line returns the log odds at a share of the votes, and their slope there: on the straight line between those of the
// whole counts around it.
func (e *Explainer) line(share float64) (value, slope float64) {
	counts := share * e.whole()
	low := min(math.Floor(counts), e.whole()-1)
	from, to := e.logOdds(low), e.logOdds(low+1)
	return from + float64((counts-low)*(to-from)), (to - from) * e.whole()
}

// logOdds returns those of the class for so many counts.
func (e *Explainer) logOdds(counts float64) float64 {
	const least = 1e-6
	votes, p := make([]uint32, 2), make([]float64, 2)
	votes[e.class], votes[1-e.class] = uint32(counts), uint32(e.whole()-counts)
	e.m.Probabilities(p, votes)
	own, other := max(p[e.class], least), max(p[1-e.class], least)
	return portable.Log(own) - portable.Log(other)
}
