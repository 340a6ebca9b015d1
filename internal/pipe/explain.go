package pipe

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
)

// Explain says how votes are split into parts, see [explain.Options].
type Explain struct {
	Class          string `json:"class"`
	LogOdds        bool   `json:"log_odds"`
	Interventional bool   `json:"interventional"`
}

// Change says which changes are looked for, see [explain.ChangeOptions].
type Change struct {
	Most  int      `json:"most"`
	Class string   `json:"class"`
	Keep  []string `json:"keep"`
}

// explain splits what a model says of rows into parts of its columns. The answer has the names of the columns, the
// base, and the parts, row by row.
func (s *Server) explain(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	if r.Explain == nil || r.Background == nil {
		return protocolf("the request lacks explain, or background, a table")
	}
	m, _, err := s.model(r, buffers)
	if err != nil {
		return err
	}
	background, err := knownRows(r.Background, m, &r.Options, buffers)
	if err != nil {
		return err
	}
	rows, err := knownRows(r.Table, m, &r.Options, buffers)
	if err != nil {
		return err
	}
	e, err := explain.New(ctx, m, background, explain.Options{Class: r.Explain.Class, LogOdds: r.Explain.LogOdds,
		Interventional: r.Explain.Interventional, Workers: r.Options.Threads})
	if err != nil {
		return err
	}
	parts, err := e.Rows(ctx, rows)
	if err != nil {
		return err
	}
	a.warn(rows.Warnings...)
	var columns []string
	for _, field := range m.Forest.Schema {
		columns = append(columns, field.Name)
	}
	b := make([]byte, 0, 8*len(parts)*len(columns))
	for _, row := range parts {
		for _, part := range row {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(part))
		}
	}
	a.Result = map[string]any{"columns": columns, "base": e.Base, "parts": a.add(b)}
	return nil
}

// knownRows reads rows for a model, all at once.
func knownRows(t *Table, m *rfpragma.Model, o *Options, buffers [][]byte) (*dataset.Frame, error) {
	src, err := t.source(buffers)
	if err != nil {
		return nil, err
	}
	d := predictOptions(m, o)
	d.Amount = "" // which is a feature or of no use here
	return dataset.Read(src, d)
}
