package pipe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
)

func TestVersion(t *testing.T) {
	r := dial(t, &Server{Version: []string{"v0"}}).get(`"op":"version"`)
	if field[int](r, "protocol") != Version || field[[]string](r, "program")[0] != "v0" {
		t.Errorf("%s", r.Result)
	}
}

// After a fault of a request the next one is answered.
func TestFaults(t *testing.T) {
	numbers := bytesOf([]float64{1, 2})
	column := func(more string) string {
		return `"op":"fit","table":{"rows":2,"columns":[{"name":"a","type":"float64"},` + more + `]}`
	}
	labels := bytesOf([]int32{0, 1})
	c := dial(t, &Server{Memory: func() int64 { return 1 << 20 }})
	for _, test := range []struct {
		fields  string
		buffers [][]byte
		code    string
		text    string
	}{
		{`"op":"nothing"`, nil, codeProtocol, "nothing that can be asked for"},
		{`"op":"fit","colour":1`, nil, codeProtocol, "unknown field"},
		{`"op":"fit"`, nil, codeProtocol, "lacks its table"},
		{`"op":"predict"`, nil, codeProtocol, "lacks its model"},
		{`"op":"predict","model":{"id":"ab"}`, nil, codeModel, "not known here"},
		{`"op":"load","model":{"buffer":0}`, [][]byte{[]byte("no model")}, codeFormat, "model file"},
		{`"op":"load","model":{"buffer":7}`, nil, codeProtocol, "buffer 7 of 0"},
		{`"op":"version"`, [][]byte{make([]byte, 1<<20)}, codeLimit, "1 MB, where 0 MB may be taken"},
		{column(`{"name":"class","type":"text"}`), [][]byte{numbers}, codeProtocol, `type "text"`},
		{column(`{"name":"class","type":"float32"}`), [][]byte{numbers}, codeProtocol, "16 bytes for 2 cells of 4"},
		{column(`{"name":" a","type":"float64"}`), [][]byte{numbers}, codeData, `both named "a"`},
		{column(`{"name":" ","type":"float64"}`), [][]byte{numbers}, codeData, "no name"},
		{column(`{"name":"class","type":"category","levels":["x"],"buffer":1}`), [][]byte{numbers, labels}, codeProtocol,
			"index 1 of 1 levels"},
		{column(`{"name":"class","type":"category","levels":["x"," x"],"buffer":1}`), [][]byte{numbers, labels}, codeData,
			"differ only in blanks"},
		{column(`{"name":"b","type":"category","levels":["x","y"],"buffer":1}`), [][]byte{numbers, labels}, codeOption,
			`no column "class"`},
		{`"op":"tune","scores":{"classes":["a"],"buffer":0}`, [][]byte{numbers}, codeProtocol, "for 1 classes"},
		{`"op":"tune","scores":{"classes":["a","b"],"buffer":0}`, [][]byte{numbers}, codeProtocol, "lack the truth"},
		{`"op":"tune","scores":{"classes":["a","b"],"buffer":0,"truth":1}`, [][]byte{bytesOf([]float64{-1, 2}),
			bytesOf([]int32{0})}, codeData, "row 1"},
	} {
		r := c.ask(test.fields, test.buffers...)
		if r.Error == nil || r.Error.Code != test.code || !strings.Contains(r.Error.Message, test.text) {
			t.Errorf("%s: %+v, want %s with %q", test.fields, r.Error, test.code, test.text)
		}
	}
	c.get(`"op":"version"`)
}

// Messages leave it to the client what an option is called.
func TestOptionsInBraces(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	fields, buffers := tableOf(frame, "class")
	c := dial(t, &Server{})
	for _, test := range []struct{ options, code, text string }{
		{`"target":"klass"`, codeOption, "name the column of the labels with {target}"},
		{`"trees":0`, codeOption, "{trees} is 0"},
		{`"ignore":["amont"]`, codeOption, "{ignore}"},
		{`"id":"amount","weight":"amount"`, codeOption, "is named by {id} and by {weight}"},
		{`"prefer":{"froud":{"theta":1,"x":0.1,"y":0.1}}`, codeOption, "{prefer}: "},
		{`"cost":{"fraud":[]}`, codeOption, "neither a number nor a text"},
		{`"cost":{"fraud":5},"measure":"f1"`, codeOption, "{measure} and {cost}"},
		{`"costs":{"classes":["fraud","good"],"matrix":[[0,1],[1,0]]}`, codeOption, `lack class "ok"`},
		{`"decide":"cost"`, codeOption, "{decide} cost needs the costs"},
		{`"require":["fraud:recall>=0.999","fraud:precision>=0.999"],"trees":20,"tune_forest":"off"`, codeFloors, "require"},
	} {
		r := c.ask(`"op":"fit","options":{`+test.options+`},`+fields, buffers...)
		if r.Error == nil || r.Error.Code != test.code || !strings.Contains(r.Error.Message, test.text) ||
			strings.Contains(r.Error.Message, "--") {
			t.Errorf("%s: %+v, want %s with %q", test.options, r.Error, test.code, test.text)
		}
	}
}

// A stream that is no sequence of frames ends with an answer that says so, and without taking memory for what does not
// come.
func TestBrokenStreams(t *testing.T) {
	announced := []byte("RFP1\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00{}")
	for name, stream := range map[string][]byte{
		"text":       []byte("GET / HTTP/1.1\r\n\r\n"),
		"head":       []byte("RFP1"),
		"header":     binary.LittleEndian.AppendUint64([]byte("RFP1\xff\xff\xff\xff"), 0),
		"cut header": frameOf(`{"op":"version"}`)[:20],
		"cut body": append(binary.LittleEndian.AppendUint64([]byte("RFP1\x17\x00\x00\x00"), 1<<50),
			`{"buffers":[1125899906842624]}`...)[:16+23],
		"huge body": append(binary.LittleEndian.AppendUint64([]byte("RFP1\x1e\x00\x00\x00"), 1<<50),
			`{"buffers":[1125899906842624]}`...),
	} {
		var out bytes.Buffer
		err := (&Server{}).Serve(context.Background(), bytes.NewReader(stream), &out)
		var frame *frameError
		if !errors.As(err, &frame) || !strings.Contains(out.String(), codeProtocol) {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
	var out bytes.Buffer // an end between frames is none
	if err := (&Server{}).Serve(context.Background(), bytes.NewReader(announced), &out); err != nil {
		t.Errorf("%v after a whole frame", err)
	}
}

// Long work ends soon when it is cancelled, and the next request is answered; it also ends when the stream does.
func TestCancel(t *testing.T) {
	frame := dataset.Fraud(20000, 1)
	fields, buffers := tableOf(frame, "class")
	c := dial(t, &Server{})
	go func() {
		c.send(`"op":"fit","options":{"trees":100000,"tune_forest":"off"},`+fields, buffers...)
		time.Sleep(300 * time.Millisecond)
		_, _ = c.in.Write(frameOf(`{"id":1,"op":"cancel"}`))
	}()
	if r := c.receive(); r.ID != 1 || r.Error == nil || r.Error.Code != codeCancelled {
		t.Fatalf("%+v", r)
	}
	c.get(`"op":"version"`)

	go func() {
		c.send(`"op":"fit","options":{"trees":100000,"tune_forest":"off"},`+fields, buffers...)
		time.Sleep(100 * time.Millisecond)
		c.in.Close()
	}()
	go func() { _, _ = io.Copy(io.Discard, c.out) }()
	select {
	case err := <-c.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server goes on after the end of its stream")
	}
}

// The context of the server ends it while it waits.
func TestServeContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	in, _ := io.Pipe()
	done := make(chan error)
	go func() { done <- (&Server{}).Serve(ctx, in, io.Discard) }()
	stopped := errors.New("stopped")
	cancel(stopped)
	if err := <-done; !errors.Is(err, stopped) {
		t.Errorf("%v", err)
	}
}

// Whatever comes, nothing panics.
func FuzzServe(f *testing.F) {
	fields, buffers := tableOf(dataset.Fraud(30, 1), "class")
	f.Add(frameOf(`{"op":"version"}`))
	f.Add(frameOf(`{"op":"fit","options":{"trees":2},`+fields+`,"buffers":[]}`, buffers...))
	f.Add(frameOf(`{"op":"tune","buffers":[16,4],"scores":{"classes":["a","b"],"buffer":0,"truth":1}}`,
		make([]byte, 16), make([]byte, 4)))
	f.Fuzz(func(t *testing.T, stream []byte) {
		var out bytes.Buffer
		_ = (&Server{}).Serve(context.Background(), bytes.NewReader(stream), bufio.NewWriter(&out))
		if strings.Contains(out.String(), `"code":"internal"`) {
			t.Errorf("%q", out.String())
		}
	})
}
