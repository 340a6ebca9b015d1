package serve

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// Whatever is posted as rows has an answer that is sound, and a single row the answer that the library has.
func FuzzScore(f *testing.F) {
	for _, seed := range []string{suspicious, "[" + suspicious + "]", `{"amount":1}`, with("channel", `"fax"`), "a,b\n1,2\n",
		with("amount", `"\u00e9"`), "[[[", `{"amount":{"a":[1,2]}}`, "\xff\xfe{", with("hour", "1e999")} {
		for _, kind := range []string{"application/json", "application/x-ndjson", "text/csv", ""} {
			f.Add(seed, kind)
		}
	}
	s := serving(f, Options{MaxBody: 1 << 16, MaxRows: 100, Withhold: true})
	m := payments()
	f.Fuzz(func(t *testing.T, body, kind string) {
		w := post(s, "/score?reasons=1", body, "Content-Type", kind)
		if w.Code >= 500 {
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") == jsonForm && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("no JSON: %s", w.Body)
		}
		var cells map[string]any
		if kind != jsonForm || json.Unmarshal([]byte(body), &cells) != nil || cells == nil {
			return
		}
		row, _, err := m.Row(cells)
		if w.Code != 200 {
			return // it may be stricter, with columns given twice, say
		}
		if err != nil {
			t.Fatalf("decided, and the library says %v", err)
		}
		p, err := m.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		var got decidedRow
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		for c, class := range m.Classes() {
			if got.Probabilities[class] != p.Probabilities[c] {
				t.Fatalf("probability %v of %s, want %v", got.Probabilities[class], class, p.Probabilities[c])
			}
		}
	})
}

// Whatever is posted as tensors has an answer that is sound.
func FuzzInfer(f *testing.F) {
	frame := dataset.Fraud(2, 5)
	whole, _ := columns(frame, false)
	packed, data := columns(frame, true)
	f.Add(`{"inputs":`+whole+`}`, -1)
	f.Add(`{"inputs":`+whole+`,"outputs":[{"name":"reasons"},{"name":"findings"},{"name":"lacks"}]}`, -1)
	head := `{"inputs":` + packed + `,"parameters":{"binary_data_output":true}}`
	f.Add(head+string(data), len(head))
	f.Add(`{"inputs":[{"name":"x","shape":[1,12],"datatype":"FP64","data":[[1,2,3,4,5,6,7,8,9,null,null,null]]}]}`, -1)
	s := serving(f, Options{MaxBody: 1 << 16, MaxRows: 100})
	f.Fuzz(func(t *testing.T, body string, length int) {
		var headers []string
		if length >= 0 {
			headers = []string{"Inference-Header-Content-Length", strconv.Itoa(length)}
		}
		w := post(s, "/v2/models/card/infer", body, headers...)
		text := w.Body.Bytes()
		if n, err := strconv.Atoi(w.Header().Get("Inference-Header-Content-Length")); err == nil {
			text = text[:n]
		}
		if w.Code >= 500 || !json.Valid(text) {
			t.Fatalf("status %d: %s", w.Code, text)
		}
	})
}
