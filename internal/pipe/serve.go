package pipe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// Server answers requests. The zero value is ready to use.
type Server struct {
	// Memory returns how many bytes may still be taken, for frames and for work; 0 means that nothing limits it. Nil
	// means the same.
	Memory  func() int64
	Version []string // what is told of the program

	models known
}

// operations are what can be asked for.
var operations = map[string]func(s *Server, ctx context.Context, r *Request, buffers [][]byte, a *answer) error{
	"version":        (*Server).version,
	"fit":            (*Server).fit,
	"load":           (*Server).load,
	"predict":        (*Server).predict,
	"evaluate":       (*Server).evaluate,
	"explain":        (*Server).explain,
	"importance":     (*Server).importance,
	"cross_validate": (*Server).crossValidate,
	"tune":           (*Server).tune,
	"calibrate":      (*Server).calibrate,
	"apply":          (*Server).apply,
}

// job is a request that waits for its turn, with what was wrong with its frame.
type job struct {
	*Request
	buffers [][]byte
	fault   error
}

// Serve reads requests from in and writes an answer to each to out, one after the other, until in ends, which cancels
// what is being done. A request of the operation cancel is not answered: it has the request of its id answered soon,
// with the fault cancelled. At most one request waits while another is worked on.
//
// Errors: a stream that is no sequence of frames, for which the last answer has the id 0; an error of out; that of ctx.
// All else that goes wrong is in the answers.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	option.ForPeer()
	work, stop := context.WithCancel(ctx)
	defer stop()
	now := &current{ctx: work}
	jobs, broken := make(chan job), make(chan error, 1)
	go func() {
		defer close(jobs)
		defer stop()
		broken <- s.read(work, bufio.NewReaderSize(in, 1<<16), now, jobs)
	}()
	w := bufio.NewWriterSize(out, 1<<16)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case j, more := <-jobs:
			if !more {
				return ended(w, <-broken)
			}
			if err := s.answer(now, j, w); err != nil {
				return err
			}
		}
	}
}

// ended tells the other side why nothing more is read.
func ended(w *bufio.Writer, err error) error {
	var frame *frameError
	if errors.As(err, &frame) {
		return errors.Join(err, refuse(w, 0, &Fault{Code: codeProtocol, Message: frame.text}))
	}
	return err
}

// refuse answers with a fault.
func refuse(w *bufio.Writer, id uint64, f *Fault) error {
	header, err := json.Marshal(&answer{ID: id, Error: f, Lengths: []uint64{}})
	if err != nil {
		return err
	}
	return write(w, header, nil)
}

// current is the request that is worked on.
type current struct {
	ctx    context.Context // of all
	mu     sync.Mutex
	id     uint64
	cancel context.CancelFunc
}

// begin makes the request of that id the current one and returns its context.
func (c *current) begin(id uint64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(c.ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id, c.cancel = id, cancel
	return ctx, cancel
}

// stop cancels the current request, if it has that id.
func (c *current) stop(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil && c.id == id {
		c.cancel()
	}
}

// read hands on requests until the stream ends.
func (s *Server) read(ctx context.Context, in *bufio.Reader, now *current, jobs chan<- job) error {
	for {
		size, body, err := readHead(in)
		if csvtext.Ended(err) {
			return nil
		}
		if err != nil {
			return err
		}
		header, err := readBytes(in, uint64(size))
		if err != nil {
			return err
		}
		j := job{}
		if j.Request, j.fault = parse(header); j.fault == nil {
			j.fault = s.acceptable(j.Request, body)
		}
		if j.fault != nil {
			err = skip(in, body)
		} else {
			j.buffers, err = readBuffers(in, body, j.Buffers)
		}
		if err != nil {
			return err
		}
		if j.fault == nil && j.Op == "cancel" {
			now.stop(j.ID)
			continue
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			return nil
		}
	}
}

// acceptable returns why a body is not read, nil where it is.
func (s *Server) acceptable(r *Request, body uint64) error {
	if !fit(r.Buffers, body) {
		return protocolf("buffers of %d bytes do not make up a body of %d bytes", r.Buffers, body)
	}
	if spare := s.memory(); spare > 0 && body > uint64(spare)/2 {
		return csvtext.Limitf("the request has %d MB, where %d MB may be taken; send fewer rows or columns, or numbers as "+
			"float32", body>>20, spare>>21)
	}
	return nil
}

func (s *Server) memory() int64 {
	if s.Memory == nil {
		return 0
	}
	return s.Memory()
}

// answer does what is asked for and writes the answer.
func (s *Server) answer(now *current, j job, w *bufio.Writer) error {
	ctx, cancel := now.begin(j.ID)
	defer cancel()
	a := &answer{ID: j.ID, Lengths: []uint64{}}
	err := j.fault
	if err == nil {
		err = parallel.Safely(func() error {
			do, known := operations[j.Op]
			if !known {
				return protocolf("%q is nothing that can be asked for", j.Op)
			}
			return do(s, ctx, j.Request, j.buffers, a)
		})
	}
	if err == nil {
		err = ctx.Err() // somebody else has another answer by now
	}
	if err == nil {
		var header []byte
		if header, err = json.Marshal(a); err == nil {
			return write(w, header, a.buffers)
		}
	}
	return refuse(w, j.ID, faultOf(ctx, err))
}

// version says what this program is.
func (s *Server) version(_ context.Context, _ *Request, _ [][]byte, a *answer) error {
	a.Result = map[string]any{"protocol": Version, "program": s.Version}
	return nil
}
