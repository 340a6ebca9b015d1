package explore

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/retune"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Setting is what is asked of decisions, in texts. It is also the query of the page's address: prefer, measure, cost,
// require and weight, each as often as it has texts.
type Setting struct {
	Prefer  []string // preferences, as [pragma.ParseSpec] reads them
	Measure string   // name of the loss, as [pragma.Spec.ParseMeasure] reads it, or cost; "" follows from the rest
	Costs   []string // of errors, such as ill=10, as [pragma.ParseCosts] reads them
	Require []string // what must hold before all, as [pragma.ParseFloor] reads it
	Weights []string // such as ill=4: vote weights to judge instead of searching; classes not named have 1
}

func (s *Setting) empty() bool {
	return len(s.Prefer)+len(s.Costs)+len(s.Require)+len(s.Weights) == 0 && s.Measure == ""
}

// query is the setting in an address.
func (s *Setting) query() url.Values {
	q := url.Values{}
	for key, texts := range map[string][]string{"prefer": s.Prefer, "cost": s.Costs, "require": s.Require,
		"weight": s.Weights} {
		if len(texts) > 0 {
			q[key] = texts
		}
	}
	if s.Measure != "" {
		q.Set("measure", s.Measure)
	}
	return q
}

// settingOf reads the setting in an address; that of the start where there is none.
func (h *Handler) settingOf(q url.Values) Setting {
	s := Setting{Prefer: q["prefer"], Measure: q.Get("measure"), Costs: q["cost"], Require: q["require"],
		Weights: q["weight"]}
	if s.empty() {
		return h.options.Start
	}
	return s
}

// wish reads what a setting asks for.
func (h *Handler) wish(s *Setting) (w *retune.Wish, err error) {
	classes := h.table.Classes
	w = &retune.Wish{Search: h.options.Search, AcceptBest: true}
	w.Search.Floors = nil
	for _, text := range s.Require {
		floor, err := pragma.ParseFloor(text, classes)
		if err != nil {
			return nil, err
		}
		w.Search.Floors = append(w.Search.Floors, floor)
	}
	w.Spec = pragma.Spec{}
	for _, text := range s.Prefer {
		spec, err := pragma.ParseSpec(text)
		if err != nil {
			return nil, err
		}
		for class, p := range spec {
			w.Spec[class] = p
		}
	}
	if _, err := w.Spec.Resolve(classes); err != nil {
		return nil, err
	}
	w.Spec = w.Spec.For(classes, h.rows)
	if w.Prefs, err = w.Spec.Resolve(classes); err != nil {
		return nil, err
	}
	if w.Loss, err = h.loss(s, w); err != nil {
		return nil, err
	}
	if len(s.Weights) > 0 {
		given, err := weightsOf(s.Weights, classes)
		if err != nil {
			return nil, err
		}
		w.Weights = func(*vote.Table) vote.Weights { return given }
	}
	return w, nil
}

// loss reads what is to be low.
func (h *Handler) loss(s *Setting, w *retune.Wish) (l view.Loss, err error) {
	classes := h.table.Classes
	switch {
	case len(s.Costs) > 0:
		if l.Costs, err = pragma.ParseCosts(s.Costs, classes); err != nil {
			return l, err
		}
	case s.Measure == "cost":
		if l.Costs = h.options.Costs; l.Costs.Matrix == nil {
			return l, errors.New("there is no table of costs; say what an error on each class costs")
		}
	case s.Measure != "":
		l.Name, l.Chosen = s.Measure, true
		l.Measure, err = w.Spec.ParseMeasure(s.Measure, classes)
		return l, err
	default:
		l.Measure, l.Name, err = w.Spec.Default(classes, w.Search.Floors)
		return l, err
	}
	switch {
	case l.Costs.Amounts() && h.table.Amount == nil:
		return l, errors.New("a cost is by amount, and the rows have none; name the column of amounts when you start")
	case l.Costs.Amounts() && len(w.Search.Floors) > 0:
		return l, errors.New("limits count rows, and costs by amount count what is at stake; keep one of them")
	}
	l.Name = "cost"
	l.Measure, err = l.Costs.Measure()
	return l, err
}

// weightsOf reads vote weights.
func weightsOf(texts, classes []string) (vote.Weights, error) {
	w := slices.Repeat(vote.Weights{1}, len(classes))
	given := make([]bool, len(classes))
	for _, text := range texts {
		at := strings.LastIndex(text, "=")
		if at < 0 {
			return nil, fmt.Errorf("weight %s: write CLASS=NUMBER", english.Quote(text))
		}
		c := slices.Index(classes, text[:at])
		v, err := csvtext.Number(text[at+1:])
		switch {
		case c < 0:
			return nil, fmt.Errorf("weight %s: %w", english.Quote(text), nearest.Unknown("class", text[:at], classes))
		case given[c]:
			return nil, fmt.Errorf("class %s has two weights; keep one", english.Quote(classes[c]))
		case err != nil || !(v >= 1e-100 && v <= 1e100) || math.IsInf(v, 0):
			return nil, fmt.Errorf("weight %s: write a number from 1e-100 to 1e100", english.Quote(text))
		}
		w[c], given[c] = v, true
	}
	return w, nil
}
