package serve

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// requestLog writes a line of JSON for each request that is decided. A line is written whole, or taken back where the
// writer is a file, so that a full disk leaves no half of one.
type requestLog struct {
	cells bool
	mu    sync.Mutex
	w     io.Writer
	line  []byte
	torn  bool // the latest line was cut off and could not be taken back
}

// add logs a batch that began to be read at a time.
func (l *requestLog) add(r *http.Request, name string, b *scoring.Batch, begin time.Time, withhold bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := l.line[:0]
	if l.torn {
		line = append(line, '\n')
	}
	line = append(begin.UTC().AppendFormat(append(line, `{"time":"`...), time.RFC3339Nano), `","model":`...)
	line = append(scoring.AppendText(line, name), `,"id":"`...)
	line = append(append(line, b.Of.ID...), `","path":`...)
	line = scoring.AppendText(line, r.URL.Path)
	for _, h := range []struct{ header, key string }{{"X-Request-Id", "request"}, {"Traceparent", "trace"}} {
		if v := r.Header.Get(h.header); v != "" {
			line = scoring.AppendText(append(append(append(line, `,"`...), h.key...), `":`...), v[:min(len(v), 200)])
		}
	}
	line = append(line, `,"decisions":[`...)
	for i, c := range b.Class {
		if i > 0 {
			line = append(line, ',')
		}
		if b.Withheld(i, withhold) {
			line = append(line, scoring.UndecidedText...)
		} else {
			line = append(line, b.Of.Names[c]...)
		}
	}
	line = append(line, ']')
	if l.cells {
		line = b.AppendRows(append(line, `,"rows":`...))
	}
	line = append(line, "}\n"...)
	l.line = line
	return l.write(line)
}

// write writes a line, and takes it back if it does not fit.
func (l *requestLog) write(line []byte) error {
	n, err := l.w.Write(line)
	if err == nil {
		l.torn = false
		return nil
	}
	if n == 0 {
		return err
	}
	l.torn = true
	if file, is := l.w.(interface {
		io.Seeker
		Truncate(size int64) error
	}); is {
		if end, fault := file.Seek(-int64(n), io.SeekCurrent); fault == nil {
			fault = file.Truncate(end)
			l.torn = fault != nil
			err = errors.Join(err, fault)
		}
	}
	return err
}
