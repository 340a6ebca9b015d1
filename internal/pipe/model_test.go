package pipe

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A model fitted through the pipe is, byte for byte, the one that the library fits to the same rows in a CSV file, as
// the command reads it.
func TestFitIsFit(t *testing.T) {
	frame := dataset.Fraud(1500, 3)
	fields, buffers := tableOf(frame, "class")
	c := dial(t, &Server{})
	r := c.get(`"op":"fit","want":["votes"],"options":{"trees":60,"tune_forest":"off","seed":7,
		"prefer":"fraud:priority"},`+fields, buffers...)

	cfg := rfpragma.Config{TuneForest: rfpragma.TuneOff, Forest: forest.Config{Trees: 60, Seed: 7}}
	cfg.Search.Seed = 7
	var oob []float64
	cfg.Grown = func(t *vote.Table) { oob = floatsOf(floats(t.Counts, 1)) }
	want, err := rfpragma.Fit(context.Background(), csvOf(t, frame), pragma.Spec{"fraud": pragma.Priority()}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := want.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data(r, "file"), file.Bytes()) {
		t.Error("another model than that of the rows as CSV")
	}
	if got := floatsOf(data(r, "votes")); !slices.Equal(got, oob) {
		t.Errorf("votes %v, want %v", got[:6], oob[:6])
	}
	if id, _ := want.ID(); field[modelInfo](r, "model").ID != id {
		t.Errorf("the model is %q, want %q", field[modelInfo](r, "model").ID, id)
	}
}

// Decisions, probabilities and votes of rows are those of the model, row by row, whatever the blocks; a model is known
// until others have been asked.
func TestPredict(t *testing.T) {
	frame := dataset.Fraud(9000, 3) // more than a part
	c := dial(t, &Server{})
	fields, buffers := tableOf(frame.Take(iota0(800)), "class")
	fitted := c.get(`"op":"fit","options":{"trees":30,"tune_forest":"off"},`+fields, buffers...)
	m, err := rfpragma.ReadModel(bytes.NewReader(data(fitted, "file")))
	if err != nil {
		t.Fatal(err)
	}
	id := field[modelInfo](fitted, "model").ID
	ask := fmt.Sprintf(`"op":"predict","want":["probabilities","votes","lacks"],"reasons":2,"model":{"id":%q},`, id)
	fields, buffers = tableOf(frame, "") // the label is no part of rows to decide
	r := c.get(ask+fields, buffers...)
	prob, votes := floatsOf(data(r, "probabilities")), floatsOf(data(r, "votes"))
	reasons := field[[][]rfpragma.Reason](r, "reasons")
	x := make([]float64, len(frame.Columns))
	for i := range frame.Rows() {
		frame.Row(x, i)
		want, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		decided := m.Classes()[binary.LittleEndian.Uint32(data(r, "decisions")[4*i:])]
		if decided != want.Class || !slices.Equal(prob[2*i:2*i+2], want.Probabilities) ||
			!slices.Equal(votes[2*i:2*i+2], want.Votes) {
			t.Fatalf("row %d: %s %v %v, want %+v", i, decided, prob[2*i:2*i+2], votes[2*i:2*i+2], want)
		}
		if why, _ := m.Reasons(x, want.Class, 2); i < 20 && !slices.Equal(why, reasons[i]) {
			t.Errorf("row %d: reasons %v, want %v", i, reasons[i], why)
		}
	}

	for seed := range mostKnown {
		small, smallBuffers := tableOf(dataset.Fraud(200, 1), "class")
		c.get(fmt.Sprintf(`"op":"fit","options":{"trees":2,"seed":%d},`, seed)+small, smallBuffers...)
	}
	if r := c.ask(ask+fields, buffers...); r.Error == nil || r.Error.Code != codeModel {
		t.Errorf("%+v of a model that was asked long ago", r.Error)
	}
	again := fmt.Sprintf(`"op":"predict","model":{"id":%q,"buffer":%d},`, id, len(buffers))
	r = c.get(again+fields, append(buffers, data(fitted, "file"))...)
	if len(data(r, "decisions")) != 4*frame.Rows() || r.Result["probabilities"] != nil {
		t.Errorf("%v", r.Buffers)
	}
}

func iota0(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// A column means the same in each type that can hold it.
func TestColumnTypes(t *testing.T) {
	const n = 40
	labels := make([]int32, n)
	numbers := make([]float64, n)
	for i := range n {
		labels[i], numbers[i] = int32(i%2), float64(i*7%19)
	}
	cast := func(to any) []byte {
		var b []byte
		for _, v := range numbers {
			switch to.(type) {
			case float64:
				b = append(b, bytesOf(v)...)
			case float32:
				b = append(b, bytesOf(float32(v))...)
			case int64:
				b = append(b, bytesOf(int64(v))...)
			case int32:
				b = append(b, bytesOf(int32(v))...)
			case int16:
				b = append(b, bytesOf(int16(v))...)
			default:
				b = append(b, byte(v))
			}
		}
		return b
	}
	want := ""
	for _, c := range []struct {
		kind string
		data []byte
	}{{"float64", cast(0.0)}, {"float32", cast(float32(0))}, {"int64", cast(int64(0))}, {"uint64", cast(int64(0))},
		{"int32", cast(int32(0))}, {"uint32", cast(int32(0))}, {"int16", cast(int16(0))}, {"uint16", cast(int16(0))},
		{"int8", cast(nil)}, {"uint8", cast(nil)}} {
		table := &Table{Rows: n, Columns: []Column{{Name: "x", Type: c.kind},
			{Name: "class", Type: "category", Levels: []string{"no", "yes"}, Buffer: 1}}}
		frame, err := (&Server{}).frame(&Request{Table: table}, [][]byte{c.data, bytesOf(labels)})
		if err != nil {
			t.Fatal(err)
		}
		if got := rfpragma.Fingerprint(frame); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%s reads as other cells than float64", c.kind)
		}
	}
}

// Categories, truth values and missing cells are read as from CSV.
func TestCells(t *testing.T) {
	labels := []int32{0, 1, 0, 1}
	table := &Table{Rows: 4, Columns: []Column{
		{Name: "level", Type: "category", Levels: []string{"3", " b", ""}},
		{Name: "truth", Type: "bool", Buffer: 1},
		{Name: "number", Type: "float64", Buffer: 2},
		{Name: "large", Type: "int64", Buffer: 3},
		{Name: "class", Type: "category", Levels: []string{"10", "9"}, Buffer: 4},
	}}
	buffers := [][]byte{bytesOf([]int32{0, 1, -1, 2}), {0, 1, 1, 0},
		bytesOf([]float64{1, math.NaN(), math.Copysign(0, -1), 2}),
		bytesOf([]int64{1, 2, 3, 1<<53 + 1}), bytesOf(labels)}
	frame, err := (&Server{}).frame(&Request{Table: table}, buffers)
	if err != nil {
		t.Fatal(err)
	}
	csv := "level,truth,number,large,class\n3,false,1,1,10\nb,true,,2,9\n,true,0,3,10\n,false,2,9007199254740993,9\n"
	want, err := dataset.ReadCSV(strings.NewReader(csv), "x", dataset.Options{Target: "class",
		Categorical: []string{"level"}})
	if err != nil {
		t.Fatal(err)
	}
	if rfpragma.Fingerprint(frame) != rfpragma.Fingerprint(want) {
		t.Errorf("%+v, want %+v", frame.Columns, want.Columns)
	}
	if !slices.Equal(frame.Classes, []string{"9", "10"}) || !slices.Equal(frame.Truth, []int{1, 0, 1, 0}) {
		t.Errorf("%q %v", frame.Classes, frame.Truth)
	}

	buffers[2] = bytesOf([]float64{1, math.Inf(1), 0, 2})
	_, err = (&Server{}).frame(&Request{Table: table}, buffers)
	if err == nil || faultOf(context.Background(), err).Column != "number" || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("%v", err)
	}
}

// The importance is that of the library, on the very rows of the training.
func TestImportance(t *testing.T) {
	frame := dataset.Fraud(600, 3)
	fields, buffers := tableOf(frame, "class")
	c := dial(t, &Server{})
	fitted := c.get(`"op":"fit","options":{"trees":30,"tune_forest":"off"},`+fields, buffers...)
	m, err := rfpragma.ReadModel(bytes.NewReader(data(fitted, "file")))
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Importance(context.Background(), csvOf(t, frame), 2, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := fmt.Sprintf(`"op":"importance","repeats":2,"model":{"id":%q},`, field[modelInfo](fitted, "model").ID)
	r := c.get(ask+fields, buffers...)
	if got := field[rfpragma.Importance](r, "importance"); !slices.Equal(got.Features, want.Features) {
		t.Errorf("%+v, want %+v", got, want)
	}
	other, otherBuffers := tableOf(dataset.Fraud(600, 4), "class")
	if r := c.ask(ask+other, otherBuffers...); r.Error == nil || r.Error.Code != codeData {
		t.Errorf("%+v of other rows", r.Error)
	}
}
