package serve

import (
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// asked is what a request to POST /score asks for.
type asked struct {
	name    string
	of      *served
	reasons int
	form    string // of the body
	csv     bool   // the answer is to be CSV
}

// The forms of rows.
const (
	jsonForm  = "application/json"
	linesForm = "application/x-ndjson"
	csvForm   = "text/csv"
)

// score answers POST /score.
func (s *Server) score(w http.ResponseWriter, r *http.Request, name string) error {
	a, err := s.asked(r, name)
	if err != nil {
		return err
	}
	if a.form == linesForm {
		return s.stream(w, r, a)
	}
	begin := time.Now()
	b := scoring.NewBatch(a.of.Scorer)
	defer b.Free()
	leave, err := s.limits.body(w, r, b)
	if err != nil {
		return err
	}
	defer leave()
	if a.form == "" {
		if a.form = csvForm; scoring.IsJSON(b.Body) {
			a.form = jsonForm
		}
	}
	out, single := scoring.Answers{Batch: b, Reasons: a.reasons, Withhold: s.o.Withhold}, false
	if a.form == csvForm {
		a.csv = r.Header.Get("Accept") != jsonForm
		err = b.CSV(b.Body, s.o.MaxRows)
	} else {
		single, err = b.JSON(b.Body, s.o.MaxRows)
	}
	if err == nil {
		err = b.Unfit()
	}
	if err != nil {
		return err
	}
	write := out.List
	if a.csv {
		write = out.CSV
	} else if single {
		write = out.Alone
	}
	if err := s.settle(r, a.name, a.of, b, begin, write); err != nil {
		return err
	}
	s.send(w, a, b, single)
	return nil
}

// settle has a batch decided and put into words, counts it, has the shadow look at it, and logs it.
func (s *Server) settle(r *http.Request, name string, of *served, b *scoring.Batch, begin time.Time,
	write func(to []byte, lo, hi int) []byte) error {
	leave, err := s.limits.enter(r.Context(), s.limits.places, 1)
	if err != nil {
		return err
	}
	defer leave()
	if err := b.Decide(r.Context(), write); err != nil {
		return err
	}
	of.window.add(b, begin, s.o.Window)
	if shadow := s.shadows[name]; shadow != nil {
		shadow.look(b)
	}
	if s.log == nil {
		return nil
	}
	if err := s.log.add(r, name, b, begin, s.o.Withhold); err != nil {
		s.traffic.unlogged.Add(1)
		s.o.Logger.Error("the request log cannot be written; the request is refused", "error", err)
		return scoring.Refusef(http.StatusServiceUnavailable,
			"the request log cannot be written, so the rows are not decided; "+
				"tell who runs the server")
	}
	return nil
}

// send writes the answer for a batch.
func (s *Server) send(w http.ResponseWriter, a asked, b *scoring.Batch, single bool) {
	h := w.Header()
	h.Set("X-Model-Id", b.Of.ID)
	out, kind, end := b.Out[:0], jsonForm, ""
	switch {
	case a.csv:
		kind, out = csvForm, scoring.AppendHead(out, b.Of, a.reasons)
	case single:
		out, end = append(out, '{'), ","
	default:
		out, end = append(out, `{"rows":[`...), "],"
	}
	for c, text := range b.Texts {
		if c > 0 && !a.csv {
			out = append(out, ',')
		}
		out = append(out, text...)
	}
	if !a.csv {
		out = scoring.AppendText(append(append(out, end...), `"model":`...), a.name)
		out = append(append(append(out, `,"id":"`...), b.Of.ID...), "\"}\n"...)
	}
	b.Out = out
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(out)))
	_, _ = w.Write(out) // who is gone needs no answer
}

// asked reads what a request asks for, but for its body.
func (s *Server) asked(r *http.Request, name string) (asked, error) {
	holder := s.models[name]
	if holder == nil {
		return asked{}, s.unknown(name)
	}
	a := asked{name: name, of: holder.now.Load()}
	if r.URL.RawQuery != "" {
		var err error
		if a.reasons, err = reasonsAsked(r.URL.Query(), a.of.P); err != nil {
			return a, err
		}
	}
	kind := r.Header.Get("Content-Type")
	if kind != jsonForm {
		kind, _, _ = mime.ParseMediaType(kind)
	}
	switch kind {
	case jsonForm, linesForm, csvForm:
		a.form = kind
	case "application/jsonl", "application/jsonlines", "application/ndjson":
		a.form = linesForm
	case "", "application/x-www-form-urlencoded", "application/octet-stream", "text/plain": // as curl sends whatever it is
	default:
		return a, scoring.Refusef(http.StatusUnsupportedMediaType, "rows are not read as %.60q; send application/json, "+
			"application/x-ndjson or text/csv", kind)
	}
	return a, nil
}

// reasonsAsked reads how many reasons are asked for.
func reasonsAsked(q url.Values, most int) (int, error) {
	for name := range q {
		if name != "reasons" {
			return 0, scoring.Refusef(http.StatusBadRequest, "there is no parameter %.60q; reasons=N is one", name)
		}
	}
	n, err := strconv.Atoi(q.Get("reasons"))
	if err != nil || n < 0 {
		return 0, scoring.Refusef(http.StatusBadRequest, "reasons=%.40q is no number of reasons; give 1 or more", q.Get(
			"reasons"))
	}
	return min(n, most), nil
}

// unknown refuses the name of no model.
func (s *Server) unknown(name string) error {
	if name == "" {
		return scoring.Refusef(http.StatusNotFound, "several models are served; POST /score/NAME, with one of %q", s.names)
	}
	return scoring.Refusef(http.StatusNotFound, "there is no model %.80q; there are %q", name, s.names)
}
