package pipe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/report"
	"github.com/rfpragma/rfpragma/say"
	"github.com/rfpragma/rfpragma/vote"
)

// said is a finding with its sentence.
type said struct {
	finding.Finding
	Text string `json:"text"`
}

// judged is what an evaluation or a cross-validation has found.
type judged struct {
	subject *assess.Subject
	fixed   bool // a model as it is was judged, not how one is made
	title   string
	about   []string
}

// show puts what was found into the answer, with the page if it is wanted.
func (j *judged) show(ctx context.Context, r *Request, a *answer, also ...finding.Finding) error {
	goal, found := &j.subject.Goal, append(also, assess.Findings(j.subject)...)
	finding.Sort(found)
	told := tell(goal, j.fixed, found)
	result := map[string]any{"classes": goal.Classes, "measure": goal.Name, "report": j.subject.Report, "findings": told}
	if slices.Contains(r.Want, "html") {
		page, err := j.page(ctx, r.Title, told)
		if err != nil {
			return err
		}
		result["html"] = a.add(page)
	}
	a.Result = result
	return nil
}

// tell puts findings into words.
func tell(goal *pragma.Goal, fixed bool, found []finding.Finding) []said {
	voice := say.About(*goal)
	voice.Fixed = fixed
	told := make([]said, len(found))
	for i := range found {
		told[i] = said{found[i], voice.Sentence(&found[i])}
	}
	return told
}

// page makes the page of a result.
func (j *judged) page(ctx context.Context, title string, told []said) ([]byte, error) {
	goal, judgedRows := &j.subject.Goal, j.subject.Report
	spec := pragma.Spec{}
	for c, p := range goal.Preferences {
		spec[goal.Classes[c]] = p
	}
	in := report.Input{Eval: judgedRows, Spec: spec, Measure: goal.Name, Loss: goal.Measure, Costs: goal.Costs,
		Floors: goal.Floors, Matter: goal.Matter(), Weights: j.subject.Weights}
	page, err := report.New(ctx, in)
	if err != nil {
		return nil, err
	}
	if page.Title = title; title == "" {
		page.Title = j.title
	}
	page.About = j.about
	for i := range told {
		page.Findings = append(page.Findings, told[i].Finding)
		if told[i].Grade > finding.Note {
			page.Warnings = append(page.Warnings, told[i].Text)
		} else {
			page.Details = append(page.Details, told[i].Text)
		}
	}
	var out bytes.Buffer
	err = page.WriteHTML(&out)
	return out.Bytes(), err
}

// crossValidate says what to expect on new rows of a model that is fitted so.
func (s *Server) crossValidate(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	frame, err := s.frame(r, buffers)
	if err != nil {
		return err
	}
	cfg, w, err := r.Options.config(frame, s.memory())
	if err != nil {
		return err
	}
	// as the report of a cross-validation is by the measure that follows from what is required, too
	cfg.Measure, cfg.MeasureName = w.measure, w.name
	e, err := r.Judge.config(frame, r.Options.Seed)
	if err != nil {
		return err
	}
	found, err := rfpragma.CrossValidate(ctx, frame, w.spec, cfg, e)
	if err != nil {
		return err
	}
	prefs, err := w.spec.Resolve(frame.Classes)
	if err != nil {
		return err
	}
	goal := pragma.Goal{Classes: frame.Classes, Order: vote.TieOrder(frame.ClassWeights(), frame.FirstRows()),
		Preferences: prefs, Name: w.name, Measure: w.measure, Costs: w.costs, Floors: cfg.Search.Floors}
	a.warn(w.spec.Warnings(frame.Classes, eval.Shares(frame))...)
	a.warn(w.costs.Warnings(frame.Classes)...)
	a.warn(frame.Warnings...)
	a.warn(found.Warnings...)
	j := judged{
		subject: &assess.Subject{Goal: goal, Report: found, Weights: middle(frame.Classes, found), Frame: frame,
			Dealt: e.FoldOf != nil},
		title: r.Table.name() + ": what to expect on new rows",
		about: []string{
			fmt.Sprintf("%s, %s", english.Plural(frame.Rows(), "row"), english.Plural(len(frame.Columns), "feature")),
			fmt.Sprintf("Nested cross-validation: each row is judged by a forest of %s, weights and maps that were fitted "+
				"without it.", english.Plural(cfg.Forest.Trees, "tree")),
		},
	}
	return j.show(ctx, r, a)
}

// config returns how rows are divided.
func (j *Judge) config(frame *dataset.Frame, seed uint64) (eval.Config, error) {
	e := eval.Config{Folds: 10, Repeats: or(j.Repeats, 1), Seed: seed, FoldOf: j.FoldOf}
	switch {
	case j.Folds < 0 || j.Folds == 1 && frame.Time == nil || j.Repeats < 0:
		return e, csvtext.Usagef("{folds} is %d and {repeats} %d; give at least 2 folds, and 1 repeat", j.Folds, j.Repeats)
	case j.FoldOf != nil:
		e.Folds, e.Repeats = 0, 0
		if len(j.FoldOf) != frame.Rows() {
			return e, csvtext.Usagef("{fold-of} has %s for %s", english.Plural(len(j.FoldOf), "fold"),
				english.Plural(frame.Rows(), "row"))
		}
	case frame.Time != nil:
		e.Folds = j.Folds
	case j.Folds > 0:
		e.Folds = j.Folds
	default:
		if most := frame.MostFolds(); most >= 2 {
			e.Folds = min(e.Folds, most)
		}
	}
	return e, nil
}

// middle returns the median of each class's weight over the folds, of an even number the geometric mean of the middle
// two; in the order of time those of the latest block.
func middle(classes []string, r *eval.Report) vote.Weights {
	folds := slices.DeleteFunc(slices.Clone(r.WeightsByFold), func(w eval.FoldWeights) bool {
		return r.Blocks != nil && w.Fold < len(r.Blocks)-1
	})
	w := slices.Repeat(vote.Weights{1}, len(classes))
	for c, name := range classes {
		var weights []float64
		for _, f := range folds {
			weights = append(weights, f.Weights[name])
		}
		if n := len(weights); n > 0 {
			slices.Sort(weights)
			w[c] = math.Sqrt(weights[n/2]) * math.Sqrt(weights[(n-1)/2])
		}
	}
	return w
}

// evaluate judges a model on labelled rows, or on votes for them.
func (s *Server) evaluate(ctx context.Context, r *Request, buffers [][]byte, a *answer) error {
	m, _, err := s.model(r, buffers)
	if err != nil {
		return err
	}
	goal, err := goalOf(m)
	if err != nil {
		return err
	}
	votes, drifted, err := s.judgedVotes(ctx, m, r, buffers, a)
	if err != nil {
		return err
	}
	found, err := m.Evaluate(ctx, votes, anneal.Search{Seed: r.Options.Seed, Workers: r.Options.Threads})
	if err != nil {
		return err
	}
	a.warn(found.Warnings...)
	remaps := m.Provenance.Prevalence == nil && !drifted
	j := judged{fixed: true, title: r.Table.name() + ": what the model decides",
		subject: &assess.Subject{Goal: goal, Report: found, Rows: codes.GivenRows, Weights: m.Weights, Unlike: drifted,
			Remaps: remaps},
		about: []string{fmt.Sprintf("%s, which a model of %s decides as it is.", english.Plural(votes.Rows(), "row"),
			english.Plural(m.Forest.Trees(), "tree"))}}
	return j.show(ctx, r, a, assess.Drift(j.subject.Where(), m.Drift(votes), nil)...)
}

func (t *Table) name() string {
	if t == nil || t.Name == "" {
		return "rows"
	}
	return t.Name
}

// goalOf is what a model was tuned for.
func goalOf(m *rfpragma.Model) (pragma.Goal, error) {
	g := pragma.Goal{Classes: m.Classes(), Order: m.Forest.TieOrder(), Name: m.Provenance.Measure,
		Costs: m.Provenance.CostsOf()}
	var err error
	if g.Preferences, err = m.Spec.Resolve(g.Classes); err != nil {
		return g, err
	}
	if g.Measure, err = m.Measure(); err != nil {
		return g, err
	}
	g.Floors, err = m.Floors()
	return g, err
}

// judgedVotes returns the votes of a model that it is judged by, and whether rows are not as in training.
func (s *Server) judgedVotes(ctx context.Context, m *rfpragma.Model, r *Request, buffers [][]byte, a *answer) (
	*vote.Table, bool, error) {
	if r.Scores != nil {
		t, err := r.Scores.table(buffers)
		if err != nil {
			return nil, false, err
		}
		if !slices.Equal(t.Classes, m.Classes()) {
			return nil, false, protocolf("the votes are for the classes %q, and the model has %q", t.Classes, m.Classes())
		}
		t.Source, t.Share, t.Ties = vote.OOB, m.Forest.Share, vote.Ties(m.Forest.Share, m.Forest.TieOrder())
		t.Trees = m.Forest.Trees()
		return t, false, nil
	}
	src, err := r.Table.source(buffers)
	if err != nil {
		return nil, false, err
	}
	o := predictOptions(m, &r.Options)
	o.Target = or(r.Options.Target, m.Provenance.Reading.Target)
	o.Ignore = slices.DeleteFunc(o.Ignore, func(c string) bool { return c == o.Target || c == o.Amount })
	o.Classes, o.Positive, o.Merge = m.Classes(), m.Provenance.Reading.Positive, m.Provenance.Reading.Merge
	o.Weight, o.Group = r.Options.Weight, r.Options.Group
	o.Ignore = slices.DeleteFunc(o.Ignore, func(c string) bool { return c == o.Weight || c == o.Group })
	frame, err := dataset.Read(src, o)
	if err != nil {
		return nil, false, err
	}
	a.warn(frame.Warnings...)
	if m.TrainedOn(frame) {
		return nil, false, csvtext.Faultf(r.Table.name(), dataset.Pos{}, "",
			"these are the rows that the model was trained on, which say nothing about new ones; cross-validate instead, or "+
				"give others")
	}
	t, err := m.Votes(ctx, frame)
	drifted := slices.ContainsFunc(frame.Warnings, func(w error) bool { return errors.Is(w, dataset.ErrDrift) })
	return t, drifted, err
}

// table returns scores as votes.
func (s *Scores) table(buffers [][]byte) (*vote.Table, error) {
	rows, err := s.rows(buffers)
	if err != nil {
		return nil, err
	}
	return rows.votes()
}
