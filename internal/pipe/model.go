package pipe

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/vote"
)

// mostKnown is how many models are kept for further requests.
const mostKnown = 4

// known are the models that were asked last, the latest first.
type known struct {
	mu     sync.Mutex
	models []knownModel
}

type knownModel struct {
	id    string
	model *rfpragma.Model
}

var errUnknownModel = errors.New("the model is not known here; send it with its file")

func (k *known) keep(id string, m *rfpragma.Model) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.models = slices.DeleteFunc(k.models, func(o knownModel) bool { return o.id == id })
	k.models = slices.Insert(k.models, 0, knownModel{id, m})
	k.models = k.models[:min(len(k.models), mostKnown)]
}

func (k *known) find(id string) *rfpragma.Model {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, o := range k.models {
		if o.id == id {
			return o.model
		}
	}
	return nil
}

// model returns the model that a request is about.
func (s *Server) model(r *Request, buffers [][]byte) (*rfpragma.Model, string, error) {
	switch {
	case r.Model == nil:
		return nil, "", protocolf("the request lacks its model")
	case r.Model.Buffer == nil:
		m := s.models.find(r.Model.ID)
		if m == nil {
			return nil, "", errUnknownModel
		}
		s.models.keep(r.Model.ID, m)
		return m, r.Model.ID, nil
	}
	b, err := buffer(buffers, *r.Model.Buffer, -1, "the model")
	if err != nil {
		return nil, "", err
	}
	m, err := rfpragma.ReadModel(bytes.NewReader(b))
	if err != nil {
		return nil, "", err
	}
	id, err := m.ID()
	if err != nil {
		return nil, "", err
	}
	s.models.keep(id, m)
	return m, id, nil
}

// modelInfo says what a model is.
type modelInfo struct {
	ID       string        `json:"id"`      // SHA-256 of its file
	Classes  []string      `json:"classes"` // k names, in the order of all that is by class
	Share    []float64     `json:"share"`   // of each class among the training rows
	Weights  []float64     `json:"weights"` // of the votes for each class
	Order    []int         `json:"order"`   // the classes as they win ties
	Features []featureInfo `json:"features"`
	Trees    int           `json:"trees"`
	Nodes    int           `json:"nodes"`
	Prefer   string        `json:"prefer"` // the preference as a text; empty where others say what is wanted
	// on what and how it was fitted, see docs/json.md
	Provenance *rfpragma.Provenance `json:"provenance"`
}

type featureInfo struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"` // numeric or categorical
	Levels     []string `json:"levels,omitempty"`
	Importance float64  `json:"importance"` // its part of the fall of impurity
}

func describe(m *rfpragma.Model, id string) *modelInfo {
	info := &modelInfo{ID: id, Classes: m.Classes(), Share: m.Forest.Share, Weights: m.Weights, Order: m.Forest.TieOrder(),
		Trees: m.Forest.Trees(), Nodes: m.Forest.Nodes(), Prefer: m.Spec.String(), Provenance: &m.Provenance}
	impurity := m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		info.Features = append(info.Features, featureInfo{f.Name, f.Kind.String(), f.Levels, impurity[j]})
	}
	return info
}

// load says what a model is, and knows it from then on.
func (s *Server) load(_ context.Context, r *Request, buffers [][]byte, a *answer) error {
	m, id, err := s.model(r, buffers)
	if err != nil {
		return err
	}
	a.Result = map[string]any{"model": describe(m, id)}
	return nil
}

// fit fits a model. The answer has its file, and the out-of-bag votes if they are wanted.
func (s *Server) fit(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	frame, err := s.frame(r, buffers)
	if err != nil {
		return err
	}
	cfg, w, err := r.Options.config(frame, s.memory())
	if err != nil {
		return err
	}
	var votes *vote.Table
	if slices.Contains(r.Want, "votes") {
		cfg.Grown = func(oob *vote.Table) { votes = oob }
	}
	m, err := rfpragma.Fit(ctx, frame, w.spec, cfg)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		return err
	}
	id, err := m.ID()
	if err != nil {
		return err
	}
	s.models.keep(id, m)
	a.warn(w.spec.Warnings(frame.Classes, m.Forest.Share)...)
	a.warn(w.costs.Warnings(frame.Classes)...)
	a.warn(frame.Warnings...)
	a.warn(m.Warnings...)
	goal, err := goalOf(m)
	if err != nil {
		return err
	}
	result := map[string]any{"model": describe(m, id), "file": a.add(file.Bytes()),
		"findings": tell(&goal, true, assess.Guarantees(m.Provenance.Guarantee, m.Classes()))}
	if votes != nil && votes.Rows() == frame.Rows() { // and none is kept apart, see [rfpragma.Sure]
		result["votes"] = a.add(floats(votes.Counts, 1/votes.Unit()))
	}
	a.Result = result
	return nil
}

// floats are counts, in units of so many, as float64.
func floats(counts []uint32, unit float64) []byte {
	b := make([]byte, 8*len(counts))
	for i, n := range counts {
		binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(float64(n)*unit))
	}
	return b
}

// predictOptions returns how rows for a model are read.
func predictOptions(m *rfpragma.Model, o *Options) dataset.Options {
	reading := m.Provenance.Reading
	d := dataset.Options{Schema: m.Forest.Schema, ID: o.ID, Missing: append(slices.Clone(o.Missing), reading.Missing...),
		Ignore: slices.Concat(o.Ignore, beside(&reading)), Workers: o.Threads, Strict: o.Strict}
	if m.Provenance.ByCost && m.Provenance.CostsOf().Amounts() {
		d.Amount = reading.Amount
	}
	return d
}

// beside are the columns of the training that are no features, which rows to be decided may have or not.
func beside(reading *dataset.Reading) []string {
	columns := append(reading.TimeColumns(), reading.Ignore...)
	for _, column := range []string{reading.Target, reading.Weight, reading.Group, reading.ID, reading.Amount} {
		if column != "" {
			columns = append(columns, column)
		}
	}
	return columns
}

// decided are the rows of a table as a model decides them.
type decided struct {
	m       *rfpragma.Model
	want    []string
	reasons int
	change  *Change

	decisions, probabilities, votes []byte // int32, float64 n×k, float64 n×k
	reasoned                        [][]rfpragma.Reason
	lacks                           [][]rfpragma.MissingCell
	changes                         []*explain.Change
	done                            int // rows so far
}

// predict decides rows. The answer has the decisions, and the probabilities, votes, reasons, changes and missing cells
// that are wanted.
func (s *Server) predict(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	m, id, err := s.model(r, buffers)
	if err != nil {
		return err
	}
	src, err := r.Table.source(buffers)
	if err != nil {
		return err
	}
	o := predictOptions(m, &r.Options)
	o.Ignore = slices.DeleteFunc(o.Ignore, func(c string) bool { return c == o.Amount })
	reader, err := dataset.NewSourceReader(src, o)
	if err != nil {
		return err
	}
	n, k := r.Table.Rows, len(m.Classes())
	d := &decided{m: m, want: r.Want, reasons: r.Reasons, change: r.Change, decisions: make([]byte, 4*n)}
	if d.wants("probabilities") {
		d.probabilities = make([]byte, 8*n*k)
	}
	if d.wants("votes") {
		d.votes = make([]byte, 8*n*k)
	}
	err = dataset.Stream(reader,
		func(frame *dataset.Frame, out *block) error { return out.decide(ctx, frame, d) },
		func(_ *dataset.Frame, out *block) error { return d.take(out) })
	if err != nil {
		return err
	}
	a.warn(reader.Warnings()...)
	result := map[string]any{"model": id, "decisions": a.add(d.decisions)}
	if d.probabilities != nil {
		result["probabilities"] = a.add(d.probabilities)
	}
	if d.votes != nil {
		result["votes"] = a.add(d.votes)
	}
	if r.Reasons > 0 {
		result["reasons"] = d.reasoned
	}
	if r.Change != nil {
		result["changes"] = d.changes
	}
	if d.lacks != nil {
		result["lacks"] = d.lacks
	}
	a.Result = result
	return nil
}

func (d *decided) wants(what string) bool { return slices.Contains(d.want, what) }

// block is what comes of some of the rows.
type block struct {
	class    []int32
	prob     []float64
	votes    *vote.Table
	reasoned [][]rfpragma.Reason
	lacks    [][]rfpragma.MissingCell
	changes  []*explain.Change
}

// decide decides the rows of a frame. A row that no tree votes on is of no class, -1.
func (b *block) decide(ctx context.Context, frame *dataset.Frame, d *decided) error {
	*b = block{class: b.class[:0], prob: b.prob[:0]}
	var err error
	if b.votes, err = d.m.Forest.Votes(ctx, frame, 1); err != nil {
		return err
	}
	prob := make([]float64, len(b.votes.Classes))
	x := make([]float64, len(frame.Columns))
	for i := range b.votes.Rows() {
		votes, amount := b.votes.Votes(i), math.NaN()
		if frame.Amount != nil {
			amount = frame.Amount[i]
		}
		class := d.m.DecideFor(votes, amount)
		if vote.Total(votes) == 0 {
			class = -1
		}
		b.class = append(b.class, int32(class))
		if d.probabilities != nil {
			d.m.Probabilities(prob, votes)
			b.prob = append(b.prob, prob...)
		}
		if d.reasons > 0 || d.change != nil || d.wants("lacks") {
			frame.Row(x, i)
			if err := b.explain(ctx, d, x, class); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// explain says why a row is of its class, what would change that, and what it lacks.
func (b *block) explain(ctx context.Context, d *decided, x []float64, class int) error {
	if d.reasons > 0 {
		var reasons []rfpragma.Reason
		if class >= 0 {
			var err error
			if reasons, err = d.m.Reasons(x, d.m.Classes()[class], d.reasons); err != nil {
				return err
			}
		}
		b.reasoned = append(b.reasoned, reasons)
	}
	if c := d.change; c != nil {
		change, err := explain.Nearest(ctx, d.m, x, explain.ChangeOptions{Class: c.Class, Keep: c.Keep, Most: c.Most})
		if err != nil {
			return err
		}
		b.changes = append(b.changes, change)
	}
	if d.wants("lacks") {
		lacks, err := d.m.MissingCells(x)
		if err != nil {
			return err
		}
		b.lacks = append(b.lacks, lacks)
	}
	return nil
}

// take takes over a block.
func (d *decided) take(b *block) error {
	le, k := binary.LittleEndian, len(b.votes.Classes)
	for i, class := range b.class {
		le.PutUint32(d.decisions[4*(d.done+i):], uint32(class))
	}
	for i, p := range b.prob {
		le.PutUint64(d.probabilities[8*(d.done*k+i):], math.Float64bits(p))
	}
	if d.votes != nil {
		copy(d.votes[8*d.done*k:], floats(b.votes.Counts, 1/b.votes.Whole()))
	}
	d.reasoned, d.lacks = append(d.reasoned, b.reasoned...), append(d.lacks, b.lacks...)
	d.changes = append(d.changes, b.changes...)
	d.done += len(b.class)
	return nil
}

// importance permutes the columns of the training rows, see [rfpragma.Model.Importance].
func (s *Server) importance(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	m, _, err := s.model(r, buffers)
	if err != nil {
		return err
	}
	frame, err := s.frame(r, buffers)
	if err != nil {
		return err
	}
	found, err := m.Importance(ctx, frame, r.Repeats, r.Options.Threads, nil)
	if err != nil {
		return err
	}
	a.Result = map[string]any{"importance": found}
	return nil
}
