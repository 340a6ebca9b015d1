package serve

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// zipped is a text as gzip has it.
func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

// with is the suspicious row with another cell.
func with(column, cell string) string {
	var cells map[string]json.RawMessage
	if err := json.Unmarshal([]byte(suspicious), &cells); err != nil {
		panic(err)
	}
	cells[column] = json.RawMessage(cell)
	text, err := json.Marshal(cells)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// What is wrong with a request is said, with its place and how to mend it, and no row of it is decided.
func TestScoreFaults(t *testing.T) {
	s := serving(t, Options{MaxBody: 5000, MaxRows: 3})
	for _, tc := range []struct {
		name, body, kind string
		code             int
		says             string
	}{
		{"nothing", "", "application/json", 400, "too early"},
		{"cut off", suspicious[:80], "application/json", 400, "too early"},
		{"cut off in a list", "[" + suspicious, "application/json", 400, "too early"},
		{"two rows", suspicious + suspicious, "application/json", 400, "application/x-ndjson"},
		{"no row", `[1]`, "application/json", 400, "an object in { }"},
		{"no JSON", `{"amount": nan}`, "application/json", 400, "a number, a text"},
		{"NaN", `{"amount": NaN}`, "application/json", 400, "a number, a text"},
		{"octal", `{"amount": 01}`, "application/json", 400, "a number, a text"},
		{"half a number", `{"amount": 1.}`, "application/json", 400, "no digit"},
		{"escape", `{"amount": "\q"}`, "application/json", 400, "an escape"},
		{"control", "{\"amount\": \"\x01\"}", "application/json", 400, "control character"},
		{"no UTF-8", "{\"amount\": \"\xff\"}", "application/json", 400, "not UTF-8"},
		{"deep", `{"x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}", "application/json", 400,
			"within each other"},
		{"a list for a cell", with("amount", "[1]"), "application/json", 422, "a list or an object is no cell"},
		{"a word for a number", with("amount", `"a lot"`), "application/json", 422, "not a number"},
		{"too large", with("amount", "1e999"), "application/json", 422, "too large"},
		{"infinity", with("amount", `"Infinity"`), "application/json", 422, "not a number"},
		{"twice", `{"amount":1,` + suspicious[1:], "application/json", 422, "twice"},
		{"a column lacks", `{"amount":1}`, "application/json", 422, "not given"},
		{"rows", "[" + strings.Repeat(`{},`, 3) + `{}]`, "application/json", 413, "more than 3 rows"},
		{"bytes", strings.Repeat(" ", 6000), "application/json", 413, "more than 5000 bytes"},
		{"form", suspicious, "image/png", 415, "image/png"},
		{"ragged CSV", "amount,hour\n1,2\n3\n", "text/csv", 422, "rows"},
		{"CSV of other columns", "a,b\n1,2\n", "text/csv", 422, "amount"},
		{"no CSV", "", "text/csv", 422, "empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := post(s, "/score", tc.body, "Content-Type", tc.kind)
			out := decoded[struct{ Error string }](t, w, tc.code)
			if !strings.Contains(out.Error, tc.says) {
				t.Errorf("%q does not say %q", out.Error, tc.says)
			}
		})
	}
	if n := s.models["card"].now.Load().window.total.rows; n != 0 {
		t.Errorf("%d rows were decided", n)
	}
}

// All rows and cells that do not fit are named, in their order, up to twenty rows.
func TestScoreFaultsNamed(t *testing.T) {
	s := serving(t, Options{})
	bad := with("hour", `"noon"`)
	body := "[" + suspicious + "," + strings.Repeat(bad+",", 30) + `{"amount":"x"}]`
	out := decoded[struct {
		Error string
		Rows  []struct {
			Row   int
			Cells []struct{ Column, Value, Reason string }
		}
	}](t, post(s, "/score", body, "Content-Type", "application/json"), 422)
	if len(out.Rows) != 20 || out.Rows[0].Row != 2 || out.Rows[19].Row != 21 || out.Rows[0].Cells[0].Column != "hour" ||
		out.Rows[0].Cells[0].Value != "noon" {
		t.Errorf("%+v", out)
	}
}

// Paths, methods, models and parameters that there are not.
func TestNowhere(t *testing.T) {
	s := serving(t, Options{})
	for _, tc := range []struct {
		method, path string
		code         int
		says         string
	}{
		{"GET", "/", 404, "POST /score"},
		{"GET", "/score", 404, "POST /score"},
		{"POST", "/score/loan", 404, `there are ["card"]`},
		{"POST", "/score?reasons=many", 400, "reasons"},
		{"POST", "/score?explain=1", 400, "explain"},
		{"GET", "/v2/models/loan", 404, "loan"},
		{"GET", "/v2/models/card/versions/7", 404, "version"},
		{"POST", "/admin/reload", 404, "POST /score"}, // which is elsewhere
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(tc.method, tc.path, strings.NewReader(suspicious)))
		if out := decoded[struct{ Error string }](t, w, tc.code); !strings.Contains(out.Error, tc.says) {
			t.Errorf("%s %s: %q does not say %q", tc.method, tc.path, out.Error, tc.says)
		}
	}
}

// A body may be compressed; what grows beyond the limit, or is damaged, is refused.
func TestCompressed(t *testing.T) {
	s := serving(t, Options{MaxBody: 5000})
	same(t, payments(), decoded[decidedRow](t, post(s, "/score", zipped(suspicious), "Content-Encoding", "gzip"), 200),
		want(t, payments(), suspicious))
	for _, tc := range []struct {
		body, how string
		code      int
	}{
		{zipped(strings.Repeat(" ", 1e6)), "gzip", 413},
		{zipped(suspicious)[:50], "gzip", 400},
		{suspicious, "gzip", 400},
		{suspicious, "br", 415},
	} {
		if w := post(s, "/score", tc.body, "Content-Encoding", tc.how); w.Code != tc.code {
			t.Errorf("%s: status %d, want %d: %s", tc.how, w.Code, tc.code, w.Body)
		}
	}
}

// A category and a column that the training did not have are findings about the row, which is decided.
func TestFindings(t *testing.T) {
	s := serving(t, Options{})
	body := with("channel", `"fax"`)
	out := decoded[decidedRow](t, post(s, "/score", `{"colour":["red"],"class":"ok",`+body[1:]), 200)
	same(t, payments(), out, want(t, payments(), body))
	got := fmt.Sprint(out.Findings)
	if want := "[{unknown-column colour } {unseen-category channel fax}]"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
}

// A row that lacks most of what the model decides by is undecided; without Withhold its decision is given as well.
func TestLacking(t *testing.T) {
	row := `{"amount":null,"hour":3,"weekday":6,"distance_km":7210,"days_since_last":0.05,"purchases_24h":null,
		"spent_24h":null,"account_age_days":65,"failed_pins":2,"channel":"online","country":"overseas","merchant":"travel"}`
	shown := decoded[decidedRow](t, post(serving(t, Options{}), "/score", row), 200)
	same(t, payments(), shown, want(t, payments(), row))
	held := decoded[decidedRow](t, post(serving(t, Options{Withhold: true}), "/score", row), 200)
	if shown.Zone != "undecided" || held.Zone != "undecided" || held.Decision != "undecided" || len(held.Lacks) < 3 {
		t.Errorf("%+v and %+v", shown, held)
	}
}

// Text of any form is a cell as the library reads it.
func TestCellsAsLibrary(t *testing.T) {
	s, m := serving(t, Options{}), payments()
	for _, tc := range [][2]string{
		{"amount", `"890.00"`}, {"amount", `" 890 "`}, {"amount", `8.9e2`}, {"amount", `-0`}, {"amount", `""`},
		{"amount", `123456789012345678901234567890`}, {"amount", `0.1`}, {"amount", `1e-400`}, {"hour", `true`},
		{"channel", `"Online"`}, {"channel", `7`}, {"channel", `null`}, {"channel", `"\u006fnline"`}, {"channel", `true`},
		{"channel", `" online"`}, {"merchant", `1.50`},
	} {
		body := with(tc[0], tc[1])
		var cells map[string]any
		if err := json.Unmarshal([]byte(body), &cells); err != nil {
			continue // 1e-400, say, which encoding/json takes
		}
		row, warnings, err := m.Row(cells)
		w := post(s, "/score", body)
		if err != nil {
			if w.Code != http.StatusUnprocessableEntity {
				t.Errorf("%s: status %d, and the library says %v", body, w.Code, err)
			}
			continue
		}
		p, err := m.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		got := decoded[decidedRow](t, w, 200)
		if same(t, m, got, p); len(got.Findings) != len(warnings) {
			t.Errorf("%v: findings %v, and the library warns %v", tc, got.Findings, warnings)
		}
	}
}
