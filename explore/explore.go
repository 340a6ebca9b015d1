// Package explore shows, in a browser, what else could be asked of a model: every setting that tunes vote weights, its
// figures at once, and the model that it makes. The page computes nothing: each answer is that of the same search as
// elsewhere, over HTTP.
//
//	h, err := explore.New(ctx, explore.Source{Model: model, Rows: rows, Name: "later.csv"}, explore.Options{})
//	listener, err := net.Listen("tcp", "127.0.0.1:0")
//	fmt.Printf("http://%s%s\n", listener.Addr(), h.Path())
//	err = http.Serve(listener, h)
package explore

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/retune"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Source is what is explored: Votes, of a Model or of any other, or a Model and labelled Rows.
type Source struct {
	Name  string          // of the votes or rows, for people
	Model *rfpragma.Model // nil: the votes are of another model, and no model is saved
	// labelled rows as for [rfpragma.Model.Retune]; nil: nothing is said of a part of the rows, or of one
	Rows  *dataset.Frame
	Votes *vote.Table // of the model for the rows; nil: they are taken, out of bag for the rows of its training
}

// Options say what a page offers. The zero value is ready to use.
type Options struct {
	Search anneal.Search // how weights are searched; its Floors are not used
	Start  Setting       // what the page begins with; the zero value: the rarest class is to be found
	Costs  pragma.Costs  // a table of costs, for settings of the measure cost that have no Costs
	Nested *eval.Rule    // what a nested cross-validation said of Start, to stand beside; nil for nothing

	// Save keeps a model with the weights of the page and says where it is; nil: nothing is saved. It is called by one
	// request at a time.
	Save func(ctx context.Context, m *rfpragma.Model) (string, error)
	// Command is a command line that tunes for a setting, to be shown; nil for none.
	Command func(Setting) string
	// Token is a secret part of the path of the page; "" is a random one.
	Token string
}

// Handler answers the page and its requests. Only requests that carry the token, name a loopback host and come from no
// other site are answered; all others are refused with status 403. Any number of requests may run at once.
type Handler struct {
	options Options
	votes   retune.Votes
	table   *vote.Table // that is searched, condensed
	rows    []float64   // of each class, by their weight
	columns []column
	page    []byte
	policy  string
	known   latest[string, found] // by setting
	parts   latest[int, splitter] // by class
	saving  chan struct{}         // holds one while a model is saved
}

// New returns the handler of a page. Votes are taken and condensed here, so that answers need no row again: its time
// grows with the rows, and that of an answer with the distinct votes.
//
// Errors: a source without votes and without a model with rows; those of [rfpragma.Model.Retune] for its rows,
// of [vote.Table.Check], of the Start setting, and of ctx.
func New(ctx context.Context, s Source, o Options) (*Handler, error) {
	h := &Handler{options: o, votes: retune.Votes{Table: s.Votes, Model: s.Model, Name: s.Name, Frame: s.Rows},
		saving: make(chan struct{}, 1)}
	h.known.most, h.parts.most = mostKnown, mostSplit
	if h.options.Token == "" {
		h.options.Token = rand.Text()
	}
	if err := h.take(ctx, &s); err != nil {
		return nil, err
	}
	if err := h.votes.Table.Check(); err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	h.table, h.rows = h.votes.Searched().Condense(), view.ClassWeightsOf(h.votes.Table)
	if s.Rows != nil {
		h.columns = columnsOf(s.Rows)
	}
	if o.Start.empty() {
		h.options.Start = h.rarest()
	}
	if _, err := h.wish(&h.options.Start); err != nil {
		return nil, err
	}
	return h, h.makePage()
}

// take votes on the rows of a source that has none.
func (h *Handler) take(ctx context.Context, s *Source) (err error) {
	v := &h.votes
	switch {
	case s.Votes == nil && (s.Model == nil || s.Rows == nil):
		return errors.New("explore: there is nothing to explore; give votes, or a model and labelled rows")
	case s.Model == nil || s.Rows == nil:
		v.Frame, s.Rows = nil, nil // which say nothing without a model
		return nil
	}
	if err := s.Rows.Check(); err != nil {
		return err
	}
	if s.Rows.Truth == nil {
		return fmt.Errorf("%s: the rows have no labels; give rows of which the class is known", s.Name)
	}
	if s.Votes == nil {
		if s.Model.TrainedOn(s.Rows) {
			v.Frame = s.Rows.Labelled()
			s.Rows = v.Frame
			v.Table, err = s.Model.OutOfBag(ctx, s.Rows, h.options.Search.Workers)
		} else {
			v.Table, err = s.Model.Forest.Votes(ctx, s.Rows, h.options.Search.Workers)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if v.Table.Rows() != s.Rows.Rows() {
		return fmt.Errorf("explore: there are votes for %d rows, and %d rows; give votes row by row", v.Table.Rows(),
			s.Rows.Rows())
	}
	tuned, _ := s.Model.FittedOn(s.Rows)
	v.Fresh = v.Table.Source != vote.OOB && !tuned
	return nil
}

// rarest is the setting of which the rarest class is to be found.
func (h *Handler) rarest() Setting {
	order := h.table.TieOrder()
	return Setting{Prefer: []string{pragma.Spec{h.table.Classes[order[len(order)-1]]: pragma.Find()}.String()}}
}

// Path is the path of the page, which holds the token.
func (h *Handler) Path() string { return "/" + url.PathEscape(h.options.Token) + "/" }

// ServeHTTP answers a request, see [Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Cache-Control", "no-store")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	token, what, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if why := foreign(r); why != "" {
		refuse(w, http.StatusForbidden, errors.New(why))
		return
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(h.options.Token)) != 1 {
		refuse(w, http.StatusForbidden, errors.New("the address lacks the token of this page; open the one that was printed"))
		return
	}
	answers := map[string]func(context.Context, *http.Request) (any, error){
		"GET rough": h.rough, "GET answer": h.answer, "GET expect": h.expect, "GET slices": h.slices, "POST row": h.row, "POST save": h.save,
	}
	switch answer, known := answers[r.Method+" "+what]; {
	case known:
		h.reply(w, r, answer)
	case what == "" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		head.Set("Content-Type", "text/html; charset=utf-8")
		head.Set("Content-Security-Policy", h.policy)
		_, _ = w.Write(h.page) // who asked may be gone, here and below
	default:
		refuse(w, http.StatusNotFound, fmt.Errorf("there is no %s %.64q here", r.Method, what))
	}
}

// reply writes what was asked for, or what was wrong with the question.
func (h *Handler) reply(w http.ResponseWriter, r *http.Request, answer func(context.Context, *http.Request) (any,
	error)) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	out, err := answer(r.Context(), r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	text, err := json.Marshal(out)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}

// refuse answers with what is wrong.
func refuse(w http.ResponseWriter, status int, why error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why.Error()})
}

// foreign says why a request may come from another machine or site: a name that was made to point to this machine
// (DNS rebinding), or a page from elsewhere that a browser here has open; "" if it does not.
func foreign(r *http.Request) string {
	if !loopback(r.Host) {
		return "the host is not this machine; open http://127.0.0.1"
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
			return "the request comes from another site"
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" {
		return "the request comes from another site"
	}
	return ""
}

// loopback tells whether a host, with a port or without, is this machine.
func loopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return name == "localhost" || net.ParseIP(name).IsLoopback()
}

// data is what the page is told from the start.
type data struct {
	Name    string      `json:"name"`
	About   string      `json:"about"`
	Classes []string    `json:"classes"`
	Rows    []float64   `json:"rows"`  // of each class, by their weight
	First   int         `json:"first"` // index of the class that matters most, else of the rarest
	Amounts bool        `json:"amounts"`
	Table   bool        `json:"table"` // there is a table of costs
	Columns []column    `json:"columns"`
	Count   int         `json:"count"` // of rows that can be looked at
	Start   string      `json:"start"` // as a query
	Saves   bool        `json:"saves"`
	Nested  *nestedRule `json:"nested"`
	Trained bool        `json:"trained"` // the rows are those of the training
}

// nestedRule is what a nested cross-validation said.
type nestedRule struct {
	Confusion [][]float64 `json:"confusion"`
	Figures   []figures   `json:"figures"`
}

func (h *Handler) data() data {
	t := h.table
	d := data{Name: h.votes.Name, About: h.about(), Classes: t.Classes, Rows: h.rows,
		Amounts: t.Amount != nil, Table: h.options.Costs.Matrix != nil, Columns: h.columns,
		Start: h.options.Start.query().Encode(), Saves: h.options.Save != nil && h.votes.Model != nil,
		Trained: t.Source == vote.OOB}
	if h.votes.Frame != nil {
		d.Count = h.votes.Table.Rows()
	}
	order := t.TieOrder()
	d.First = order[len(order)-1]
	if w, err := h.wish(&h.options.Start); err == nil {
		if matter := h.matter(w); len(matter) > 0 {
			d.First = matter[0]
		}
	}
	if n := h.options.Nested; n != nil {
		d.Nested = &nestedRule{Confusion: n.Confusion}
		for _, class := range t.Classes {
			c := n.Classes[class]
			d.Nested.Figures = append(d.Nested.Figures, figures{c.Recall, c.RecallInterval, c.Precision, c.PrecisionInterval})
		}
	}
	return d
}

// matter returns the classes that matter most by a wish, the first before others.
func (h *Handler) matter(w *retune.Wish) []int {
	goal := pragma.Goal{Classes: h.table.Classes, Order: h.table.TieOrder(), Preferences: w.Prefs, Name: w.Loss.Name,
		Measure: w.Loss.Measure, Costs: w.Loss.Costs, Floors: w.Search.Floors}
	return goal.Matter()
}
