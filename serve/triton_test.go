package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
)

// tensorColumn is a column for the client.
type tensorColumn struct {
	Name     string `json:"name"`
	Datatype string `json:"datatype"`
	Cells    []any  `json:"cells"`
}

// A public client of the protocol reads what the server is and has, in each form of request and answer, and the
// decisions are those of the library. TRITON_PYTHON names a Python that has it (pip install tritonclient[http]).
func TestTritonClient(t *testing.T) {
	python, err := exec.LookPath(cmp.Or(os.Getenv("TRITON_PYTHON"), "python3"))
	if err != nil {
		t.Skip("there is no python3 to run the client of the protocol with")
	}
	if err := exec.Command(python, "-c", "import tritonclient.http").Run(); err != nil {
		t.Skip("python3 has no client of the protocol; python3 -m pip install 'tritonclient[http]', and name the Python in " +
			"TRITON_PYTHON if it is another")
	}
	server := httptest.NewServer(serving(t, Options{}))
	defer server.Close()
	frame, m := dataset.Fraud(300, 6), payments()
	asked := struct {
		Address string         `json:"address"`
		Model   string         `json:"model"`
		Columns []tensorColumn `json:"columns"`
	}{strings.TrimPrefix(server.URL, "http://"), "card", nil}
	for j := range frame.Columns {
		c := &frame.Columns[j]
		of := tensorColumn{c.Name, "FP64", nil}
		if c.Kind == dataset.Categorical {
			of.Datatype = "BYTES"
		}
		for i := range frame.Rows() {
			switch v := c.At(i); {
			case c.Kind == dataset.Categorical:
				of.Cells = append(of.Cells, c.Text(v))
			case v != v:
				of.Cells = append(of.Cells, nil)
			default:
				of.Cells = append(of.Cells, v)
			}
		}
		asked.Columns = append(asked.Columns, of)
	}
	request, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	client := exec.Command(python, "testdata/triton.py")
	var wrong bytes.Buffer
	client.Stdin, client.Stderr = bytes.NewReader(request), &wrong
	text, err := client.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &wrong)
	}
	var got struct {
		Live, Ready bool
		ModelReady  bool `json:"model_ready"`
		Server      string
		Inputs      [][]any
		Forms       map[string]struct {
			Decision             []string
			Probabilities, Votes [][]float64
			ID, Version          string
		}
		Reasons [][]rfpragma.Reason
		Errors  []string
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if !got.Live || !got.Ready || !got.ModelReady || got.Server != "rfpragma" || len(got.Inputs) != 12 {
		t.Errorf("%+v", got)
	}
	if len(got.Forms) != 6 || got.Forms["json"].ID != "seven" || len(got.Reasons) != 300 || len(got.Reasons[0]) == 0 {
		t.Errorf("%d forms, id %q, reasons of %d rows", len(got.Forms), got.Forms["json"].ID, len(got.Reasons))
	}
	for i, says := range []string{"nobody", "no input", "999"} {
		if !strings.Contains(got.Errors[i], says) {
			t.Errorf("error %q does not say %q", got.Errors[i], says)
		}
	}
	row := make([]float64, len(frame.Columns))
	for i := range frame.Rows() {
		frame.Row(row, i)
		p, err := m.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		for form, of := range got.Forms {
			if of.Decision[i] != p.Class || of.Probabilities[i][0] != p.Probabilities[0] || of.Votes[i][1] != p.Votes[1] {
				t.Fatalf("%s: row %d is %q, %v, %v; want %+v", form, i, of.Decision[i], of.Probabilities[i], of.Votes[i], p)
			}
		}
	}
}
