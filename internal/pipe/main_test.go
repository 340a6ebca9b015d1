package pipe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// client is the other side: it speaks the protocol as docs/pipe.md has it, without the types of this package but
// [answer]'s fields.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
	id   uint64
}

// dial starts a server.
func dial(t *testing.T, s *Server) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		err := s.Serve(context.Background(), inR, outW)
		outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
	})
	return c
}

type reply struct {
	ID       uint64
	Result   map[string]json.RawMessage
	Error    *Fault
	Warnings []warning
	Buffers  []int

	data [][]byte
}

// frameOf writes a frame.
func frameOf(header string, buffers ...[]byte) []byte {
	var body []byte
	for _, b := range buffers {
		body = append(body, b...)
		body = append(body, make([]byte, (8-len(b)%8)%8)...)
	}
	out := []byte("RFP1")
	out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(body)))
	return slices.Concat(out, []byte(header), body)
}

// send writes a request: the fields of its header as JSON, without the braces.
func (c *client) send(fields string, buffers ...[]byte) {
	c.t.Helper()
	c.id++
	lengths := make([]int, len(buffers))
	for i, b := range buffers {
		lengths[i] = len(b)
	}
	l, _ := json.Marshal(lengths)
	id, _ := json.Marshal(c.id)
	header := `{"id":` + string(id) + `,"buffers":` + string(l) + `,` + fields + `}`
	if _, err := c.in.Write(frameOf(header, buffers...)); err != nil {
		c.t.Error(err) // of a goroutine, too
	}
}

// receive reads an answer.
func (c *client) receive() *reply {
	c.t.Helper()
	r := &reply{}
	head := make([]byte, 16)
	if _, err := io.ReadFull(c.out, head); err != nil {
		c.t.Fatal(err)
	}
	header := make([]byte, binary.LittleEndian.Uint32(head[4:]))
	body := make([]byte, binary.LittleEndian.Uint64(head[8:]))
	_, _ = io.ReadFull(c.out, header)
	if _, err := io.ReadFull(c.out, body); err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(header, r); err != nil {
		c.t.Fatal(err)
	}
	for _, n := range r.Buffers {
		r.data = append(r.data, body[:n])
		body = body[(n+7)/8*8:]
	}
	return r
}

// ask sends a request and returns its answer.
func (c *client) ask(fields string, buffers ...[]byte) *reply {
	c.t.Helper()
	go c.send(fields, buffers...)
	r := c.receive()
	if r.ID != c.id {
		c.t.Fatalf("the answer to %d, not to %d", r.ID, c.id)
	}
	return r
}

// get is ask for a request that succeeds.
func (c *client) get(fields string, buffers ...[]byte) *reply {
	c.t.Helper()
	r := c.ask(fields, buffers...)
	if r.Error != nil {
		c.t.Fatalf("%s: %s", r.Error.Code, r.Error.Message)
	}
	return r
}

// field decodes a field of the result.
func field[T any](r *reply, name string) T {
	var v T
	_ = json.Unmarshal(r.Result[name], &v)
	return v
}

// data returns the buffer that a field names.
func data(r *reply, name string) []byte { return r.data[field[int](r, name)] }

func floatsOf(b []byte) []float64 {
	out := make([]float64, len(b)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return out
}

func bytesOf(values any) []byte {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, values)
	return b.Bytes()
}

// tableOf sends a frame as a table: numbers as float64, categories and labels as categories.
func tableOf(f *dataset.Frame, target string) (fields string, buffers [][]byte) {
	t := Table{Name: "data", Rows: f.Rows()}
	for _, col := range f.Columns {
		c := Column{Name: col.Name, Type: "float64", Buffer: len(buffers)}
		cells := make([]float64, f.Rows())
		for i := range cells {
			cells[i] = col.At(i)
		}
		if col.Kind == dataset.Numeric {
			buffers = append(buffers, bytesOf(cells))
		} else {
			c.Type, c.Levels = "category", col.Levels
			indices := make([]int32, len(cells))
			for i, v := range cells {
				if indices[i] = -1; v == v {
					indices[i] = int32(v)
				}
			}
			buffers = append(buffers, bytesOf(indices))
		}
		t.Columns = append(t.Columns, c)
	}
	if target != "" {
		labels := make([]int32, f.Rows())
		for i, c := range f.Truth {
			labels[i] = int32(c)
		}
		t.Columns = append(t.Columns, Column{Name: target, Type: "category", Levels: f.Classes, Buffer: len(buffers)})
		buffers = append(buffers, bytesOf(labels))
	}
	text, _ := json.Marshal(t)
	return `"table":` + string(text), buffers
}

// csvOf reads what a frame is as CSV, as the command does.
func csvOf(t *testing.T, f *dataset.Frame) *dataset.Frame {
	t.Helper()
	var text strings.Builder
	if err := dataset.WriteCSV(&text, f, "class"); err != nil {
		t.Fatal(err)
	}
	read, err := dataset.ReadCSV(strings.NewReader(text.String()), "data.csv", dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	return read
}
