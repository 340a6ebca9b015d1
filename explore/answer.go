package explore

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/retune"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// answer is what a setting gives: what tune writes for it as JSON, and what else the page shows.
type answer struct {
	view.TuneResult
	Figures []figures `json:"figures"`         // of each class on these votes, under the weights
	Curve   []point   `json:"curve,omitempty"` // what other weights of the class that is asked for would give
	Line    string    `json:"line"`            // command line that tunes so
	Rough   bool      `json:"rough,omitempty"` // a first guess, see rough
}

// figures are shares of a class with their 95 % intervals; null where there are no rows to tell.
type figures struct {
	Recall            *float64    `json:"recall"`
	RecallInterval    *[2]float64 `json:"recall_interval"`
	Precision         *float64    `json:"precision"`
	PrecisionInterval *[2]float64 `json:"precision_interval"`
}

// figuresOf returns the figures of each class where the votes are decided under w.
func figuresOf(t *vote.Table, w vote.Weights) []figures {
	out := make([]figures, len(t.Classes))
	confusion := t.Confuse(w)
	var observed []rfpragma.ClassFigures
	counted := plainRows(t)
	if !counted {
		observed = rfpragma.FiguresOf(t, w) // nil where rows of different weights were merged, as nobody knows how many
	}
	for c := range out {
		f := &out[c]
		if v, ok := confusion.Recall(c); ok {
			f.Recall = &v
		}
		if v, ok := confusion.Precision(c); ok {
			f.Precision = &v
		}
		switch {
		case counted:
			f.RecallInterval = wilson(f.Recall, confusion.True(c))
			f.PrecisionInterval = wilson(f.Precision, confusion.Predicted(c))
		case observed != nil:
			if o := observed[c].Recall; o != nil {
				interval := o.Interval()
				f.RecallInterval = &interval
			}
			if o := observed[c].Precision; o != nil {
				interval := o.Interval()
				f.PrecisionInterval = &interval
			}
		}
	}
	return out
}

// plainRows tells whether rows have neither weights nor groups, so that a share is of as many rows as are counted.
func plainRows(t *vote.Table) bool {
	for i := range t.Rows() {
		if t.WeightOf(i) != float64(t.TimesOf(i)) {
			return false
		}
	}
	return t.Group == nil
}

// wilson is the 95 % interval of a share of n rows; nil of none.
func wilson(share *float64, n float64) *[2]float64 {
	if share == nil {
		return nil
	}
	low, high := calib.Wilson(*share*n, n, calib.Z95)
	return &[2]float64{low, high}
}

// found is what is known of a setting.
type found struct {
	mutex  sync.Mutex // held while it is worked out, so that nobody works out the same
	wish   *retune.Wish
	tuning *view.Tuning // nil until it is found
	judged bool         // it is known what to expect
}

// mostKnown is how many settings are kept; their figures take a few kilobytes each, and some more for many classes.
const mostKnown = 64

// has tells whether the answer for a setting is at hand.
func (h *Handler) has(s *Setting) bool {
	f := h.known.kept(s.query().Encode())
	if f == nil || !f.mutex.TryLock() { // else it is being worked out
		return false
	}
	defer f.mutex.Unlock()
	return f.tuning != nil
}

// find searches what a setting asks for, unless that is known. Judge also works out what to expect on new rows. Both
// are the work of tune.
func (h *Handler) find(ctx context.Context, s *Setting, judge bool) (*view.Tuning, error) {
	f := h.known.of(s.query().Encode())
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.tuning == nil {
		w, err := h.wish(s)
		if err != nil {
			return nil, err
		}
		tuning, err := h.votes.Find(ctx, h.table, w)
		if err != nil {
			return nil, err
		}
		f.wish, f.tuning = w, tuning
	}
	if judge && !f.judged {
		judged := *f.tuning
		if err := h.votes.Expect(ctx, &judged, f.wish); err != nil {
			return nil, err
		}
		f.tuning, f.judged = &judged, true
	}
	return f.tuning, nil
}

// answer finds the weights for the setting in the address, and tells what they do on these votes.
func (h *Handler) answer(ctx context.Context, r *http.Request) (any, error) {
	setting := h.settingOf(r.URL.Query())
	tuning, err := h.find(ctx, &setting, false)
	if err != nil {
		return nil, err
	}
	return h.shown(tuning, &setting, r, false), nil
}

// shown is what is told at once, with the curve of the class that is asked for.
func (h *Handler) shown(tuning *view.Tuning, setting *Setting, r *http.Request, rough bool) *answer {
	out := h.told(tuning, setting)
	out.Findings, out.Rough = []finding.Finding{}, rough
	if class := slices.Index(h.table.Classes, r.URL.Query().Get("class")); class >= 0 {
		out.Curve = curveOf(h.table, tuning.Found.Weights, class)
	}
	return out
}

// manyClasses is from how many classes on a search takes so long that a guess comes first.
const manyClasses = 4

// rough is a first guess at the answer, in a fraction of its time. What it says of the weights guessed is exact.
func (h *Handler) rough(ctx context.Context, r *http.Request) (any, error) {
	setting := h.settingOf(r.URL.Query())
	if len(h.table.Classes) < manyClasses || len(setting.Weights) > 0 || h.has(&setting) {
		return h.answer(ctx, r)
	}
	w, err := h.wish(&setting)
	if err != nil {
		return nil, err
	}
	guess, err := h.guess(w)
	if err != nil {
		return nil, err
	}
	w.Weights = func(*vote.Table) vote.Weights { return guess }
	tuning, err := h.votes.Find(ctx, h.table, w)
	if err != nil {
		return nil, err
	}
	return h.shown(tuning, &setting, r, true), nil
}

// expect is answer with what to expect on new rows, by a cross-validation of the search on the votes, and what that
// means.
func (h *Handler) expect(ctx context.Context, r *http.Request) (any, error) {
	setting := h.settingOf(r.URL.Query())
	tuning, err := h.find(ctx, &setting, true)
	if err != nil {
		return nil, err
	}
	out := h.told(tuning, &setting)
	screen := tuning.FirstScreen()
	out.Findings, out.Words = screen.Findings, screen.Words()
	if tuning.Trial == nil { // as tune has it
		out.Findings, out.Words = []finding.Finding{}, []string{}
	}
	return out, nil
}

func (h *Handler) told(s *view.Tuning, setting *Setting) *answer {
	w := s.Found.Weights
	weighed := view.Weigh(w, s.Found.Origins, func(c int) rfpragma.Interval {
		return rfpragma.Interval{Low: s.Found.Low[c], High: s.Found.High[c]}
	})
	out := &answer{TuneResult: s.Result(weighed), Figures: figuresOf(s.Table, w)}
	out.Costs = s.TotalCosts()
	out.Words, out.Warnings = []string{}, []string{}
	for _, warning := range s.Found.Warnings {
		out.Warnings = append(out.Warnings, strings.TrimPrefix(warning.Error(), h.votes.Name+": "))
	}
	if h.options.Command != nil {
		out.Line = h.options.Command(*setting)
	}
	return out
}

// about says what is explored.
func (h *Handler) about() string {
	t := h.table
	kind := "votes"
	switch {
	case t.Scores:
		kind = "scores"
	case t.Source == vote.OOB:
		kind = "out-of-bag votes"
	}
	return fmt.Sprintf("%s of %s: %s", kind, view.WeighedRows(tables.Stands(h.votes.Table), h.votes.Table.Weight),
		view.ClassShares(t.Classes, h.rows))
}

// save keeps a model with the weights of a setting: that which tune makes of the same.
func (h *Handler) save(ctx context.Context, r *http.Request) (any, error) {
	if h.options.Save == nil || h.votes.Model == nil {
		return nil, fmt.Errorf("nothing can be saved here: %s", english.Quote(h.votes.Name))
	}
	setting := h.settingOf(r.URL.Query())
	w, err := h.wish(&setting)
	if err != nil {
		return nil, err
	}
	h.saving <- struct{}{}
	defer func() { <-h.saving }()
	_, model, err := h.votes.FindModel(ctx, h.votes.Searched(), w)
	if err != nil {
		return nil, err
	}
	path, err := h.options.Save(ctx, model)
	return map[string]string{"path": path}, err
}
