package pipe

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/rowkind"
	"github.com/rfpragma/rfpragma/internal/scores"
	"github.com/rfpragma/rfpragma/vote"
)

// scoredRows are n rows with the scores of another model.
type scoredRows struct {
	classes []string
	score   []float64 // n·k, row by row
	truth   []int     // n, -1 where not known; nil if none is
	weight  []float64 // n; nil means 1 each
	group   []int     // n; nil for none
	single  bool      // the second score is what the first lacks of 1
}

const scored = "probabilities" // what rows of scores are called in messages

// rows checks and decodes scores.
func (s *Scores) rows(buffers [][]byte) (*scoredRows, error) {
	if s == nil {
		return nil, protocolf("the request lacks its scores")
	}
	k, columns := len(s.Classes), len(s.Classes)
	if s.Single {
		columns = 1
	}
	if k < 2 || s.Single && k != 2 {
		return nil, protocolf("scores for %d classes", k)
	}
	b, err := buffer(buffers, s.Buffer, -1, "the scores")
	if err != nil {
		return nil, err
	}
	if len(b)%(8*columns) != 0 {
		return nil, protocolf("scores of %d bytes are not those of %d columns", len(b), columns)
	}
	n := len(b) / 8 / columns
	r := &scoredRows{classes: s.Classes, single: s.Single, score: make([]float64, 0, n*k)}
	for i := range n * columns {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0) || !s.Single && v < 0:
			return nil, csvtext.Faultf(scored, dataset.Pos{Row: i/columns + 1}, "",
				"the score of class %s is %v; scores are numbers from 0 on", english.Quote(s.Classes[i%columns]), v)
		case s.Single:
			r.score = append(r.score, 1-v)
		}
		r.score = append(r.score, v)
	}
	if r.truth, err = ints(buffers, s.Truth, n, "the truth"); err != nil {
		return nil, err
	}
	for i, c := range r.truth {
		if c < -1 || c >= k {
			return nil, protocolf("row %d is of class %d of %d", i+1, c, k)
		}
	}
	if r.group, err = ints(buffers, s.Group, n, "the groups"); err != nil {
		return nil, err
	}
	if s.Weight != nil {
		b, err := buffer(buffers, *s.Weight, 8*n, "the weights")
		if err != nil {
			return nil, err
		}
		for i := range n {
			r.weight = append(r.weight, math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		}
	}
	return r, nil
}

// ints decodes n numbers of 32 bits; nil where there is no such buffer.
func ints(buffers [][]byte, at *int, n int, what string) ([]int, error) {
	if at == nil {
		return nil, nil
	}
	b, err := buffer(buffers, *at, 4*n, what)
	if err != nil {
		return nil, err
	}
	out := make([]int, n)
	for i := range out {
		out[i] = int(int32(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return out, nil
}

// votes returns the rows as votes, as the command reads them from a file.
func (r *scoredRows) votes() (*vote.Table, error) {
	k := len(r.classes)
	if r.truth == nil {
		return nil, protocolf("the scores lack the truth")
	}
	t := &vote.Table{Classes: r.classes, Truth: r.truth, Weight: r.weight, Group: r.group, Share: make([]float64, k)}
	var err error
	if t.Counts, t.Scores, err = rowkind.Counts(r.score, k); err != nil {
		return nil, csvtext.Faultf(scored, dataset.Pos{}, "", "%w", err)
	}
	for i := range r.truth {
		if !t.Scores {
			t.Trees = max(t.Trees, int(vote.Total(t.Votes(i))))
		}
	}
	if err := t.Check(); err != nil {
		return nil, csvtext.Faultf(scored, dataset.Pos{}, "", "%w", err)
	}
	count, first := r.count()
	all := portable.Total(count)
	if all == 0 {
		return nil, csvtext.Faultf(scored, dataset.Pos{}, "", "no row has a class and a weight above 0; add some")
	}
	for c, n := range count {
		t.Share[c] = n / all
	}
	t.Ties = vote.Ties(t.Share, vote.TieOrder(t.Share, first))
	return t, nil
}

// count returns the weight of the rows of each class and, likewise, the first row that weighs more than 0.
func (r *scoredRows) count() (rows []float64, first []int) {
	rows, first = make([]float64, len(r.classes)), slices.Repeat([]int{len(r.truth)}, len(r.classes))
	for i, c := range r.truth {
		w := 1.0
		if r.weight != nil {
			w = r.weight[i]
		}
		if c >= 0 && w > 0 {
			rows[c] += w
			first[c] = min(first[c], i)
		}
	}
	return rows, first
}

// tune searches class weights for the scores of another model.
func (s *Server) tune(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	rows, err := r.Scores.rows(buffers)
	if err != nil {
		return err
	}
	t, err := rows.votes()
	if err != nil {
		return err
	}
	o := &r.Options
	search, err := o.search(t.Classes)
	if err != nil {
		return err
	}
	count, _ := rows.count()
	w, err := o.wish(t.Classes, count, t.TieOrder(), search.Floors)
	if err != nil {
		return err
	}
	given, err := byClass("weights", o.Weights, t.Classes)
	if err != nil {
		return err
	}
	cfg := rfpragma.Config{Search: search, Costs: w.costs}
	if given != nil {
		cfg.Weights = func(*vote.Table) vote.Weights { return given }
	}
	found, err := cfg.Tune(ctx, t, w.measure)
	unreached := errors.Is(err, anneal.ErrFloors)
	if unreached && o.AcceptBest {
		a.warn(err)
		err = nil
	}
	if err != nil {
		return err
	}
	a.warn(scores.OfTable(scored, t)...)
	a.warn(w.spec.Warnings(t.Classes, t.Share)...)
	a.warn(found.Warnings...)
	result := map[string]any{"classes": t.Classes, "order": t.TieOrder(), "weights": found.Weights, "low": found.Low,
		"high": finite(found.High), "loss": number(found.Loss), "plain": number(found.Plain), "measure": w.name,
		"origins": found.Origins}
	if given == nil && !unreached && !math.IsNaN(found.Loss) {
		trial, err := search.Expect(ctx, t, w.measure, found)
		if err != nil {
			return err
		}
		result["expected"] = map[string]any{"loss": number(trial.Loss), "interval": trial.Interval,
			"plain": number(trial.Plain), "standard_error": number(trial.Error)}
	}
	a.Result = result
	return nil
}

// number is a number in JSON, null where it is none.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func finite(all []float64) []*float64 {
	out := make([]*float64, len(all))
	for i, v := range all {
		out[i] = number(v)
	}
	return out
}

// frame returns the rows as package scores takes them, and the class that a single score is of.
func (r *scoredRows) frame() (f *dataset.Frame, positive string) {
	n, k := r.n(), len(r.classes)
	f = &dataset.Frame{Classes: r.classes, Truth: r.truth, Weight: r.weight}
	if r.truth == nil {
		f.Truth = slices.Repeat([]int{-1}, n)
	}
	for c, class := range r.classes {
		column := dataset.Column{Field: dataset.Field{Name: class}, Values: make([]float64, n)}
		for i := range n {
			column.Values[i] = r.score[i*k+c]
		}
		f.Columns = append(f.Columns, column)
	}
	if r.single {
		f.Columns = f.Columns[1:]
		return f, r.classes[1]
	}
	return f, ""
}

func (r *scoredRows) n() int { return len(r.score) / len(r.classes) }

// calibrate fits a map from the scores of another model to probabilities. It goes as a text, as numbers that are
// written otherwise would not be what [calib.Set] reads.
func (s *Server) calibrate(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	rows, err := r.Scores.rows(buffers)
	if err != nil {
		return err
	}
	if rows.truth == nil {
		return protocolf("the scores lack the truth")
	}
	method := calib.Auto
	if r.Options.Calibrate != "" {
		if method, err = calib.Parse(r.Options.Calibrate); err != nil {
			return err
		}
	}
	frame, positive := rows.frame()
	of, err := scores.New(frame, positive, scored)
	if err != nil {
		return err
	}
	all := make([]int, rows.n())
	for i := range all {
		all[i] = i
	}
	set, warnings, err := of.Calibration(method).Fit(ctx, all, r.Options.Threads)
	if err != nil {
		return err
	}
	a.warn(of.Directions(scored)...)
	a.warn(warnings...)
	var text bytes.Buffer
	m := scores.Map{SchemaVersion: scores.Version, Kind: scores.Kind, Classes: of.Classes, Score: of.Column,
		Votes: of.Votes,
		Trees: of.Trees, Range: of.Range, Method: string(set.Method), Maps: set}
	if err := m.Write(&text); err != nil {
		return err
	}
	a.Result = map[string]any{"map": text.String(), "method": m.Method}
	return nil
}

// apply applies such a map.
func (s *Server) apply(_ context.Context, r *Request, buffers [][]byte, a *answer) error {
	rows, err := r.Scores.rows(buffers)
	if err != nil {
		return err
	}
	m, err := scores.ReadMap(strings.NewReader(r.Scores.Map), "the map")
	if err != nil {
		return err
	}
	k := len(rows.classes)
	if !slices.Equal(m.Classes, rows.classes) || (m.Score != "") != rows.single {
		return protocolf("the map is for the classes %q, and there are scores for %q", m.Classes, rows.classes)
	}
	frame, _ := rows.frame()
	var faults scores.RowFaults
	share, prob, out := make([]float64, k), make([]float64, k), make([]byte, 8*len(rows.score))
	for i := range rows.n() {
		if _, err := m.Shares(share, frame.Columns, i); err != nil {
			faults.Note(i+1, err)
			continue
		}
		m.Maps.Probabilities(prob, share)
		for c, p := range prob {
			binary.LittleEndian.PutUint64(out[8*(i*k+c):], math.Float64bits(p))
		}
	}
	if faults.Any() {
		return faults.Err(scored)
	}
	a.warn(m.Met.Warnings(scored)...)
	if err := m.Met.Err(scored); err != nil {
		a.warn(err) // margins of a classifier may well lie between 0 and 1 in one table and not in another
	}
	a.Result = map[string]any{"probabilities": a.add(out)}
	return nil
}
