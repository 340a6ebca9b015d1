package serve

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// stream answers rows that come a line each, while they come: a line for each, in their order. A row that cannot be
// decided has a line with its error; the others are decided nonetheless.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, a asked) error {
	b := scoring.NewBatch(a.of.Scorer)
	defer b.Free()
	leave, err := s.limits.enter(r.Context(), s.limits.bytes, min(scoring.MostLine, s.o.MaxBuffered))
	if err != nil {
		return err
	}
	defer leave()
	c := http.NewResponseController(w)
	_ = c.EnableFullDuplex() // of a recorder in tests there is none to enable
	from, err := plain(r, func(from io.ReadCloser) io.ReadCloser { return from })
	if err != nil {
		return bodyError(err)
	}
	in := scoring.NewLines(from)
	h := w.Header()
	h.Set("Content-Type", linesForm)
	h.Set("X-Model-Id", a.of.ID)
	h.Set("Connection", "close") // what comes after an error is not read
	for begun := false; ; begun = true {
		now := time.Now()
		_ = c.SetReadDeadline(now.Add(s.o.Timeout)) // so slow a client is one that ties up a connection
		_ = c.SetWriteDeadline(now.Add(2 * s.o.Timeout))
		end := in.Read(b)
		err := s.answerLines(w, r, a, b, in)
		if err == nil && end != nil && !errors.Is(end, io.EOF) {
			err = bodyError(end)
		}
		if err != nil {
			return cut(w, err, begun || len(b.Out) > 0)
		}
		if end != nil {
			return nil
		}
		if err := c.Flush(); err != nil {
			return nil // who is gone needs no answer
		}
		b.Clear()
	}
}

// cut ends a stream with an error: as a line of its own where an answer has begun.
func cut(w http.ResponseWriter, err error, begun bool) error {
	if !begun {
		return err
	}
	_, _ = w.Write(append(scoring.AppendText([]byte(`{"error":`), asRefusal(err).Text), "}\n"...))
	return nil
}

// answerLines decides the latest rows and writes a line for each, and one for each line that has no row.
func (s *Server) answerLines(w http.ResponseWriter, r *http.Request, a asked, b *scoring.Batch,
	in *scoring.Lines) error {
	words := scoring.Answers{Batch: b, Reasons: a.reasons, Withhold: s.o.Withhold, Lines: in}
	if b.Texts, b.Out = b.Texts[:0], b.Out[:0]; b.Rows > 0 {
		if err := s.settle(r, a.name, a.of, b, time.Now(), words.Each); err != nil {
			return err
		}
	}
	out := b.Out[:0]
	for _, text := range b.Texts {
		out = append(out, text...)
	}
	if b.Out = in.End(out, b); len(b.Out) == 0 {
		return nil // so that the status can still be that of an error
	}
	_, err := w.Write(b.Out)
	return err
}
