package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// few are the votes of ten trees for seven rows, three of them ill.
func few() *vote.Table {
	return &vote.Table{Classes: []string{"ill", "well"}, Truth: []int{0, 0, 0, 1, 1, 1, 1}, Trees: 10, Source: vote.CV,
		Counts: []uint32{8, 2, 5, 5, 1, 9, 5, 5, 2, 8, 0, 10, 0, 10}, Share: []float64{3.0 / 7, 4.0 / 7}}
}

func handler(t *testing.T, s Source, o Options) *Handler {
	t.Helper()
	o.Token = "secret"
	h, err := New(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// get asks a handler, as a browser of this machine does, and reads the answer into a value.
func get(t *testing.T, h *Handler, what string, query url.Values, into any) int {
	t.Helper()
	return send(t, h, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:80"+h.Path()+what+"?"+query.Encode(), nil), into)
}

func send(t *testing.T, h *Handler, r *http.Request, into any) int {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s: %v\n%.300s", r.URL, err, w.Body)
		}
	}
	return w.Code
}

// Of the ways in, only that with the token, from this machine and from the page itself is open.
func TestDoor(t *testing.T) {
	h := handler(t, Source{Name: "votes.csv", Votes: few()}, Options{})
	for _, tc := range []struct {
		method, address, origin, site string
		want                          int
	}{
		{"GET", "http://127.0.0.1:8000/secret/", "", "", http.StatusOK},
		{"GET", "http://localhost/secret/", "http://localhost", "same-origin", http.StatusOK},
		{"GET", "http://[::1]:8000/secret/answer", "http://[::1]:8000", "", http.StatusOK},
		{"GET", "http://127.9.9.9/secret/answer", "", "none", http.StatusOK},
		{"GET", "http://127.0.0.1/", "", "", http.StatusForbidden},
		{"GET", "http://127.0.0.1/secre/", "", "", http.StatusForbidden},
		{"GET", "http://127.0.0.1/secrets/answer", "", "", http.StatusForbidden},
		{"GET", "http://evil.example/secret/", "", "", http.StatusForbidden},
		{"GET", "http://10.0.0.7/secret/", "", "", http.StatusForbidden},
		{"GET", "http://127.0.0.1.evil.example/secret/", "", "", http.StatusForbidden},
		{"GET", "http://127.0.0.1/secret/answer", "http://evil.example", "", http.StatusForbidden},
		{"GET", "http://127.0.0.1/secret/answer", "http://127.0.0.1:9999", "", http.StatusForbidden},
		{"GET", "http://127.0.0.1/secret/answer", "null", "", http.StatusForbidden},
		{"POST", "http://127.0.0.1/secret/save", "", "cross-site", http.StatusForbidden},
		{"GET", "http://127.0.0.1/secret/save", "", "", http.StatusNotFound}, // which changes something
		{"GET", "http://127.0.0.1/secret/elsewhere", "", "", http.StatusNotFound},
		{"POST", "http://127.0.0.1/secret/save", "", "", http.StatusBadRequest}, // votes make no model
	} {
		r := httptest.NewRequest(tc.method, tc.address, nil)
		if tc.origin != "" {
			r.Header.Set("Origin", tc.origin)
		}
		if tc.site != "" {
			r.Header.Set("Sec-Fetch-Site", tc.site)
		}
		if got := send(t, h, r, nil); got != tc.want {
			t.Errorf("%s %s of %q, %q: %d, want %d", tc.method, tc.address, tc.origin, tc.site, got, tc.want)
		}
	}
	if one, err := New(t.Context(), Source{Votes: few()}, Options{}); err != nil || len(one.Path()) < 22 {
		t.Errorf("the path %q of a random token, %v", one.Path(), err)
	}
}

// The page loads nothing from elsewhere, by its own policy.
func TestPolicy(t *testing.T) {
	h := handler(t, Source{Name: `<script>alert("x")</script>`, Votes: few()}, Options{})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+h.Path(), nil))
	policy, page := w.Header().Get("Content-Security-Policy"), w.Body.String()
	if !strings.HasPrefix(policy, "default-src 'none'; script-src 'sha256-") || strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
	if strings.Contains(page, "<script>alert") || strings.Contains(page, `src="http`) || strings.Contains(page, "@import") {
		t.Error("the page holds what is not its own")
	}
}

// What is wrong with a setting is said, and is no fault of the server.
func TestSettingsRefused(t *testing.T) {
	h := handler(t, Source{Name: "votes.csv", Votes: few()}, Options{})
	for query, want := range map[string]string{
		"prefer=sick":                "sick",
		"prefer=ill:theta=x":         "theta",
		"require=ill:recall>0.9":     "recall",
		"weight=ill":                 "CLASS=NUMBER",
		"weight=sick=3":              `unknown class`,
		"weight=ill=0":               "1e-100",
		"weight=ill=NaN":             "1e-100",
		"weight=ill=3&weight=ill=4":  "two weights",
		"measure=beauty":             "beauty",
		"measure=cost":               "no table of costs",
		"cost=ill=amount&cost=well=": "well",
		"cost=ill=amount":            "the rows have none",
	} {
		q := url.Values{}
		for part := range strings.SplitSeq(query, "&") {
			key, value, _ := strings.Cut(part, "=")
			q.Add(key, value)
		}
		var answer struct{ Error string }
		if code := get(t, h, "answer", q, &answer); code != http.StatusBadRequest || !strings.Contains(answer.Error, want) {
			t.Errorf("%s: %d, %q", query, code, answer.Error)
		}
	}
	for _, s := range []Source{{}, {Name: "x", Rows: &dataset.Frame{}}, {Votes: &vote.Table{Classes: []string{"a"}}}} {
		if _, err := New(t.Context(), s, Options{}); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
	if _, err := New(t.Context(), Source{Votes: few()}, Options{Start: Setting{Prefer: []string{"sick"}}}); err == nil {
		t.Error("a page begins with a setting of another class")
	}
}

// By hand: votes for ill that weigh 3 are 24 against 2, 15 against 5 and 3 against 9 in the ill rows, and 15 against 5
// and 6 against 8 in two well ones, so two ill rows and one well one are alarms. The curve goes by the ratio of the
// votes: 2/8, 5/5 (an ill row and a well one), 8/2, 9/1.
func TestByHand(t *testing.T) {
	h := handler(t, Source{Name: "votes.csv", Votes: few()}, Options{})
	var got answer
	if code := get(t, h, "answer", url.Values{"prefer": {"ill"}, "weight": {"ill=3"}, "class": {"ill"}},
		&got); code != http.StatusOK {
		t.Fatal(code)
	}
	if want := [][]float64{{2, 1}, {1, 3}}; !slices.EqualFunc(got.Confusion, want, slices.Equal[[]float64]) {
		t.Errorf("the decisions %v, want %v", got.Confusion, want)
	}
	if f := got.Figures[0]; *f.Recall != 2.0/3 || *f.Precision != 2.0/3 || f.RecallInterval[0] > 0.25 ||
		f.RecallInterval[1] < 0.9 {
		t.Errorf("recall %v, precision %v, interval %v", *f.Recall, *f.Precision, *f.RecallInterval)
	}
	want := []point{{0.25, 1, 1}, {1, 2, 3}, {4, 2, 4}, {9, 3, 5}}
	if !slices.Equal(got.Curve, want) {
		t.Errorf("the curve %v, want %v", got.Curve, want)
	}
}

// A curve of many points keeps its ends, and has no step that is much longer than others.
func TestThinned(t *testing.T) {
	var all []point
	for i := range 5000 {
		all = append(all, point{float64(i), float64(i / 2), float64(i)})
	}
	got := thinned(all)
	if len(got) > mostPoints+1 || got[0] != all[0] || got[len(got)-1] != all[len(all)-1] {
		t.Errorf("%d points from %v to %v", len(got), got[0], got[len(got)-1])
	}
	for i := 1; i < len(got); i++ {
		if step := got[i].Named - got[i-1].Named; step > 3*5000/mostPoints {
			t.Errorf("a step of %v rows", step)
		}
	}
}

// fraud is a model with its own rows, out of bag.
func fraud(t *testing.T, o Options) (*Handler, *rfpragma.Model, *dataset.Frame) {
	t.Helper()
	rows := dataset.Fraud(1500, 1)
	model, err := rfpragma.Fit(t.Context(), rows, pragma.Spec{"fraud": pragma.Find()},
		rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return handler(t, Source{Name: "fraud", Model: model, Rows: rows}, o), model, rows
}

// Rows without labels, or of which some have votes, are refused.
func TestSourceRefused(t *testing.T) {
	_, model, rows := fraud(t, Options{})
	votes, err := model.Votes(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	open := *rows
	open.Truth = nil
	for name, s := range map[string]Source{
		"labels":      {Name: "x", Model: model, Rows: &open},
		"row by row":  {Name: "x", Model: model, Rows: rows, Votes: votes.Take([]int{1, 2})},
		"votes, or a": {Name: "x", Model: model},
	} {
		if _, err := New(t.Context(), s, Options{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Parts of the rows add up to all of them, and hold what their cells say; a row is decided with other cells as the model
// decides it, and the reasons are its own.
func TestRows(t *testing.T) {
	h, model, rows := fraud(t, Options{})
	q := url.Values{"prefer": {"fraud"}, "weight": {"fraud=4"}, "class": {"fraud"}}
	for name, most := range map[string]int{"amount": 4, "channel": mostLevels + 1} {
		q.Set("column", name)
		var parts []slice
		if code := get(t, h, "slices", q, &parts); code != http.StatusOK {
			t.Fatal(code)
		}
		all, support := 0.0, 0.0
		for _, p := range parts {
			all, support = all+p.Rows, support+p.Support
		}
		if len(parts) < 2 || len(parts) > most || all != float64(rows.Rows()) || support != rows.ClassWeights()[0] {
			t.Errorf("%s: %d parts of %v rows, %v of fraud", name, len(parts), all, support)
		}
	}
	w, err := model.WithWeights(vote.Weights{4, 1})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(rows.Columns))
	rows.Row(x, 6)
	at := slices.IndexFunc(rows.Columns, func(c dataset.Column) bool { return c.Name == "amount" })
	x[at] = 640
	p, err := w.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	why, err := w.Reasons(x, "fraud", mostReasons)
	if err != nil {
		t.Fatal(err)
	}
	var got decided
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+h.Path()+"row?"+q.Encode(),
		strings.NewReader(`{"row": 7, "class": "fraud", "cells": {"amount": "640"}}`))
	if code := send(t, h, r, &got); code != http.StatusOK || got.Decision != p.Class || !slices.Equal(got.Reasons, why) ||
		!slices.Equal(got.Probabilities, p.Probabilities) || got.Cells[at].Value != "640" || got.Cells[at].Was == "640" {
		t.Errorf("%d: %+v, and the model says %+v, %+v", code, got, p, why)
	}
	for _, body := range []string{"", `{"row": 0}`, `{"row": 1501}`, `{"row": 1, "cells": {"amount": "much"}}`} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+h.Path()+"row", strings.NewReader(body))
		if code := send(t, h, r, nil); code != http.StatusBadRequest {
			t.Errorf("%s: %d", body, code)
		}
	}
}

// A page that is asked from many sides at once answers each as it answers it alone.
func TestSideBySide(t *testing.T) {
	alone, together := handler(t, Source{Votes: few()}, Options{}), handler(t, Source{Votes: few()}, Options{})
	ask := func(h *Handler, i int) (a answer) {
		get(t, h, []string{"answer", "expect"}[i%2], url.Values{"prefer": {"ill"}, "weight": {fmt.Sprintf("ill=%d", 1+i%7)}}, &a)
		return a
	}
	var all sync.WaitGroup
	for i := range 3 * mostKnown {
		all.Go(func() {
			if got, want := ask(together, i), ask(alone, i); got.Loss != want.Loss || got.Classes[0] != want.Classes[0] {
				t.Errorf("%d: %v, alone %v", i, got.Classes, want.Classes)
			}
		})
	}
	all.Wait()
	if n := len(together.known.all); n > mostKnown {
		t.Errorf("%d settings are kept", n)
	}
}

// Who asked for something else meanwhile need not wait: the search ends with its request, and is made when it is asked
// for again.
func TestGivenUp(t *testing.T) {
	h := handler(t, Source{Votes: letters(1000)}, Options{})
	q := url.Values{"prefer": {"A"}}
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, stop)
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+h.Path()+"expect?"+q.Encode(), nil).WithContext(ctx)
	if code := send(t, h, r, nil); code != http.StatusBadRequest {
		t.Errorf("%d, though nobody waits", code)
	}
	var got answer
	if code := get(t, h, "answer", q, &got); code != http.StatusOK || len(got.Confusion) != 26 {
		t.Errorf("%d, decisions of %d classes", code, len(got.Confusion))
	}
}

// Of many classes a guess comes first: it gains, if not all that there is to gain, and says that it is one. It makes way
// for what is known.
func TestRough(t *testing.T) {
	h := handler(t, Source{Votes: letters(4200)}, Options{})
	q := url.Values{"prefer": {"A:theta=5,x=0.2,y=0.6;*:theta=1,x=0.5,y=0.5"}, "class": {"A"}}
	var guess, exact, again answer
	for _, ask := range []struct {
		what string
		into *answer
	}{{"rough", &guess}, {"answer", &exact}, {"rough", &again}} {
		if code := get(t, h, ask.what, q, ask.into); code != http.StatusOK {
			t.Fatal(ask.what, code)
		}
	}
	if !guess.Rough || guess.Plain != exact.Plain || guess.Loss > guess.Plain || guess.Curve == nil {
		t.Errorf("the guess has the loss %v, plain %v", guess.Loss, guess.Plain)
	}
	if exact.Rough || again.Rough || again.Loss != exact.Loss {
		t.Errorf("the answer has the loss %v, and when it is known %v", exact.Loss, again.Loss)
	}
	q.Set("weight", "B=2") // as A is the most common of equals, whose weight is 1
	var given answer
	if code := get(t, h, "rough", q, &given); code != http.StatusOK || given.Rough || given.Classes[1].Weight != 2 {
		t.Errorf("%d: of weights that are given %v is no guess", code, given.Classes[1])
	}
}

// letters are votes of 100 trees for rows of 26 classes, each like its neighbours.
func letters(n int) *vote.Table {
	t := &vote.Table{Trees: 100, Source: vote.CV}
	for c := range 26 {
		t.Classes, t.Share = append(t.Classes, string(rune('A'+c))), append(t.Share, 1.0/26)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		c := i % 26
		row := make([]uint32, 26)
		sure := 0.3 + 0.65*math.Sqrt(rng.Float64())
		for range 100 {
			if rng.Float64() < sure {
				row[c]++
			} else {
				row[(c+25+rng.IntN(3))%26]++
			}
		}
		t.Truth, t.Counts = append(t.Truth, c), append(t.Counts, row...)
	}
	return t
}

// A weight of 26 classes is moved, or a preference asked for, at first by a guess, among 20,000 rows.
func BenchmarkLetters(b *testing.B) {
	h, err := New(b.Context(), Source{Votes: letters(20_000)}, Options{Token: "secret"})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, h, "answer", "weight", func(i int) url.Values {
		return url.Values{"prefer": {"A"}, "weight": {fmt.Sprintf("A=%g", 1+float64(i%1000)/100)}, "class": {"A"}}
	})
	preferred := func(i int) url.Values {
		return url.Values{"prefer": {fmt.Sprintf("A:theta=%g,x=0.2,y=0.6", 1+float64(i%1000)/100)}, "class": {"A"}}
	}
	benchmark(b, h, "rough", "guess", preferred)
	benchmark(b, h, "answer", "prefer", preferred)
}

// Of ten million rows of two classes a preference is asked for.
func BenchmarkMillions(b *testing.B) {
	t := &vote.Table{Classes: []string{"ill", "well"}, Share: []float64{0.02, 0.98}, Trees: 500, Source: vote.CV}
	const n = 10_000_000
	for i := range n {
		u := float64(uint32(i)*2654435761) / (1 << 32)
		truth, v := 1, uint32(500*math.Pow(u, 4))
		if i%50 == 0 {
			truth, v = 0, uint32(500*math.Sqrt(u))
		}
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, v, 500-v)
	}
	h, err := New(b.Context(), Source{Votes: t}, Options{Token: "secret"})
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, h, "answer", "prefer", func(i int) url.Values {
		return url.Values{"prefer": {fmt.Sprintf("ill:theta=%g,x=0.2,y=0.6", 1+float64(i%1000)/100)}, "class": {"ill"}}
	})
}

func benchmark(b *testing.B, h *Handler, what, name string, setting func(i int) url.Values) {
	b.Run(name, func(b *testing.B) {
		i := 0
		for b.Loop() {
			i++
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+h.Path()+what+"?"+setting(i).Encode(), nil))
			if w.Code != http.StatusOK {
				b.Fatal(w.Body)
			}
		}
	})
}
