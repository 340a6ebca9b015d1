package serve

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// inferred is an answer of /v2.
type inferred struct {
	Model   string `json:"model_name"`
	Version string `json:"model_version"`
	ID      string
	Outputs []struct {
		Name, Datatype string
		Shape          []int
		Data           json.RawMessage
		Parameters     struct {
			Size int `json:"binary_data_size"`
		}
	}
	Error string
}

// columns has the tensors of the rows of a frame, a tensor for each column.
func columns(frame *dataset.Frame, asBinary bool) (inputs string, data []byte) {
	var parts []string
	for j := range frame.Columns {
		c := &frame.Columns[j]
		kind, cells, size := "FP64", []string{}, 0
		if c.Kind == dataset.Categorical {
			kind = "BYTES"
		}
		for i := range frame.Rows() {
			text := c.Text(c.At(i))
			switch {
			case asBinary && kind == "FP64":
				data, size = binary.LittleEndian.AppendUint64(data, math.Float64bits(c.At(i))), size+8
			case asBinary:
				data, size = append(binary.LittleEndian.AppendUint32(data, uint32(len(text))), text...), size+4+len(text)
			case math.IsNaN(c.At(i)):
				cells = append(cells, []string{"null", "NaN"}[i%2])
			case kind == "FP64":
				cells = append(cells, text)
			default:
				cells = append(cells, strconv.Quote(text))
			}
		}
		part := fmt.Sprintf(`{"name":%q,"shape":[%d,1],"datatype":%q`, c.Name, frame.Rows(), kind)
		if asBinary {
			part += fmt.Sprintf(`,"parameters":{"binary_data_size":%d}}`, size)
		} else {
			part += `,"data":[` + strings.Join(cells, ",") + `]}`
		}
		parts = append(parts, part)
	}
	return "[" + strings.Join(parts, ",") + "]", data
}

// probabilities reads the tensor of probabilities, in JSON or binary, and the decisions of an answer.
func read(t *testing.T, w *httptest.ResponseRecorder) (decisions []string, numbers map[string][]float64) {
	t.Helper()
	body, tail := w.Body.Bytes(), []byte(nil)
	if length := w.Header().Get("Inference-Header-Content-Length"); length != "" {
		n, err := strconv.Atoi(length)
		if err != nil {
			t.Fatal(err)
		}
		body, tail = body[:n], body[n:]
	}
	var out inferred
	if err := json.Unmarshal(body, &out); err != nil || w.Code != 200 {
		t.Fatalf("status %d, %v: %s", w.Code, err, body)
	}
	numbers = map[string][]float64{}
	for _, o := range out.Outputs {
		data := tail[:o.Parameters.Size]
		tail = tail[o.Parameters.Size:]
		var err error
		switch {
		case o.Data != nil && o.Datatype == "FP64":
			var values []float64
			err = json.Unmarshal(o.Data, &values)
			numbers[o.Name] = values
		case o.Data != nil && o.Name == "decision":
			err = json.Unmarshal(o.Data, &decisions)
		case o.Datatype == "FP64":
			for ; len(data) > 0; data = data[8:] {
				numbers[o.Name] = append(numbers[o.Name], math.Float64frombits(binary.LittleEndian.Uint64(data)))
			}
		case o.Name == "decision":
			for len(data) > 0 {
				n := binary.LittleEndian.Uint32(data)
				decisions, data = append(decisions, string(data[4:4+n])), data[4+n:]
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(tail) > 0 {
		t.Errorf("%d bytes are of no output", len(tail))
	}
	return decisions, numbers
}

// Tensors in JSON and in binary form are decided as the library decides the same rows, and so is one tensor of all
// columns.
func TestInfer(t *testing.T) {
	s, m, frame := serving(t, Options{}), payments(), dataset.Fraud(600, 5)
	whole, _ := columns(frame, false)
	packed, data := columns(frame, true)
	head := `{"id":"a \"7\"","inputs":` + packed + `,"parameters":{"binary_data_output":true}}`
	for name, w := range map[string]*httptest.ResponseRecorder{
		"JSON": post(s, "/v2/models/card/infer", `{"inputs":`+whole+`}`),
		"binary": post(s, "/v2/models/card/versions/"+s.models["card"].now.Load().Version+"/infer", head+string(data),
			"Inference-Header-Content-Length", strconv.Itoa(len(head))),
	} {
		decisions, numbers := read(t, w)
		row := make([]float64, len(frame.Columns))
		for i := range frame.Rows() {
			frame.Row(row, i)
			p, err := m.Predict(row)
			if err != nil {
				t.Fatal(err)
			}
			for c := range m.Classes() {
				if numbers["probabilities"][2*i+c] != p.Probabilities[c] || numbers["votes"][2*i+c] != p.Votes[c] {
					t.Fatalf("%s: row %d differs", name, i)
				}
			}
			if decisions[i] != p.Class {
				t.Fatalf("%s: row %d is decided %q, want %q", name, i, decisions[i], p.Class)
			}
		}
	}
	named := decoded[inferred](t, post(s, "/v2/models/card/infer", `{"id":"7","inputs":`+whole+
		`,"outputs":[{"name":"reasons","parameters":{"binary_data":false}},{"name":"zone"}],"parameters":{"reasons":1}}`), 200)
	var reasons []string
	if err := json.Unmarshal(named.Outputs[0].Data, &reasons); err != nil || len(reasons) != 600 || named.ID != "7" ||
		len(named.Outputs) != 2 || !strings.HasPrefix(reasons[0], `[{"column":`) {
		t.Errorf("%v: %.300v", err, named)
	}
	one := `[{"name":"rows","datatype":"BYTES","shape":[1,12],"data":[["890","3","6","","","11","2310.4","900","0","online",` +
		`"overseas","travel"]]}]`
	decisions, numbers := read(t, post(s, "/v2/models/card/infer", `{"inputs":`+one+`}`))
	if p := want(t, m, suspicious); decisions[0] != p.Class || numbers["probabilities"][0] != p.Probabilities[0] {
		t.Errorf("%v %v, want %v", decisions, numbers, p)
	}
}

// What the server and its model are is told as the protocol has it.
func TestInferenceMetadata(t *testing.T) {
	s := serving(t, Options{})
	server := decoded[struct {
		Name       string
		Extensions []string
	}](t, get(s, "/v2"), 200)
	if server.Name != "rfpragma" || server.Extensions[0] != "binary_tensor_data" {
		t.Errorf("%+v", server)
	}
	model := decoded[struct {
		Name            string
		Versions        []string
		Inputs, Outputs []struct {
			Name, Datatype string
			Shape          []int
		}
		Parameters struct{ Classes []string }
	}](t, get(s, "/v2/models/card"), 200)
	if len(model.Inputs) != 12 || model.Inputs[9].Datatype != "BYTES" || model.Inputs[0].Datatype != "FP64" ||
		model.Outputs[1].Shape[1] != 2 || model.Parameters.Classes[0] != "fraud" {
		t.Errorf("%+v", model)
	}
	for _, path := range []string{"/v2/health/live", "/v2/health/ready", "/v2/models/card/ready",
		"/v2/models/card/versions/" + model.Versions[0] + "/ready"} {
		if w := get(s, path); w.Code != 200 {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
}

// What is wrong with a request to infer is said.
func TestInferFaults(t *testing.T) {
	s, frame := serving(t, Options{MaxRows: 4}), dataset.Fraud(2, 5)
	whole, _ := columns(frame, false)
	packed, data := columns(frame, true)
	tensor := func(kind, shape, cells string) string {
		return strings.Replace(whole, whole[1:strings.Index(whole, "},{")+1],
			fmt.Sprintf(`{"name":"amount","datatype":%q,"shape":%s,"data":%s}`, kind, shape, cells), 1)
	}
	for _, tc := range []struct {
		body, head string
		code       int
		says       string
	}{
		{"", "", 400, "too early"},
		{`{"inputs":[]}`, "", 400, "no inputs"},
		{`{"inputs":` + whole + `}}`, "", 400, "more follows"},
		{`{"inputs":[{"name":"amount","datatype":"FP64","shape":[1],"data":[1]}]}`, "", 400, `no input "hour"`},
		{`{"inputs":[{"name":"colour","datatype":"FP64","shape":[1],"data":[1]}]}`, "", 400, `no column "colour"`},
		{`{"inputs":[{"name":"amount","datatype":"FP64","shape":[1]}]}`, "", 400, "needs data"},
		{`{"inputs":[{"name":"amount","datatype":"FP64","shape":[-1],"data":[]}]}`, "", 400, "whole number"},
		{`{"inputs":[{"name":"amount","datatype":"FP64","shape":[9],"data":[1]}]}`, "", 413, "more than 4 rows"},
		{`{"inputs":` + tensor("FP64", "[2]", "[1]") + `}`, "", 400, "has 1 cells"},
		{`{"inputs":` + tensor("FP64", "[3]", "[1,2,3]") + `}`, "", 400, "rows"},
		{`{"inputs":` + tensor("FP64", "[2,2]", "[1,2,3,4]") + `}`, "", 400, "[rows, 1]"},
		{`{"inputs":` + tensor("FP64", "[2]", `["1","2"]`) + `}`, "", 400, "another type"},
		{`{"inputs":` + tensor("FP64", "[2]", `[1,{}]`) + `}`, "", 400, "no cell"},
		{`{"inputs":` + tensor("FP16", "[2]", `[1,2]`) + `}`, "", 400, "FP16"},
		{`{"inputs":` + tensor("BYTES", "[2]", `["1","much"]`) + `}`, "", 422, "not a number"},
		{`{"inputs":` + tensor("FP64", "[2]", `[1,1e999]`) + `}`, "", 422, "too large"},
		{`{"inputs":` + whole + `,"outputs":[{"name":"colour"}]}`, "", 400, `no output "colour"`},
		{`{"inputs":` + whole + `,"outputs":[{}]}`, "", 400, "no name"},
		{`{"inputs":` + whole + `,"parameters":{"reasons":0}}`, "", 400, "reasons"},
		{`{"inputs":` + packed + `}` + string(data[:20]), "-", 400, "fewer bytes"},
		{`{"inputs":` + packed + `}` + string(data) + "x", "-", 400, "more than the inputs"},
		{`{"inputs":` + packed + `}`, "99999", 400, "99999"},
		{`{"inputs":` + packed + `}`, "few", 400, "few"},
	} {
		if tc.head == "-" {
			tc.head = strconv.Itoa(len(`{"inputs":` + packed + `}`))
		}
		headers := []string{"Inference-Header-Content-Length", tc.head}
		if tc.head == "" {
			headers = nil
		}
		out := decoded[inferred](t, post(s, "/v2/models/card/infer", tc.body, headers...), tc.code)
		if !strings.Contains(out.Error, tc.says) {
			t.Errorf("%.100s: %q does not say %q", tc.body, out.Error, tc.says)
		}
	}
}
