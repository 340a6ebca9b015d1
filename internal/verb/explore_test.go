package verb

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// exploring starts the verb, and returns the address that it prints; it ends with the test.
func exploring(t *testing.T, line string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out := &watched{want: "/\n", seen: make(chan struct{})}
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, append([]string{"rfpragma", "explore", "--no-browser"}, split(line)...), nil, out, &stderr)
	}()
	select {
	case <-out.seen:
	case code := <-ended:
		stop()
		t.Fatalf("explore %s: exit %d\n%s", line, code, stderr.String())
	}
	t.Cleanup(func() {
		if stop(); <-ended != cli.ExitDone {
			t.Errorf("explore %s: interrupted, and that is no success\n%s", line, stderr.String())
		}
	})
	out.mu.Lock()
	defer out.mu.Unlock()
	return strings.TrimSpace(out.text.String())
}

// fetched sends a request to a page, and returns the answer, which must have this status.
func fetched(t *testing.T, method, address, body string, status int) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil || got.StatusCode != status {
		t.Fatalf("%s %s: %s, %v\n%.300s", method, address, got.Status, err, text)
	}
	return text
}

// settings are flags of tune, each with the query that asks the page for the same.
func settings(first, other string) [][2]string {
	return [][2]string{
		{"--prefer " + first, "prefer=" + first},
		{"--prefer " + first + ":theta=6,x=0.3,y=0.7", "prefer=" + first + ":theta=6,x=0.3,y=0.7"},
		{"--measure mcc", "measure=mcc"},
		{"--cost " + first + "=20 --cost " + other + "=1", "cost=" + first + "=20&cost=" + other + "=1"},
		{"--prefer " + first + " --require '" + first + ":recall>=0.9'", "prefer=" + first + "&require=" + first +
			":recall>=0.9"},
		{"--prefer " + first + " --require '" + first + ":alerts<=8/100'", "prefer=" + first + "&require=" + first +
			":alerts<=8/100"},
		{"--prefer " + first + " --weights " + first + "=3", "prefer=" + first + "&weight=" + first + "=3"},
	}
}

// encoded is the query of a setting that is written without escapes.
func encoded(text string) string {
	q := url.Values{}
	for part := range strings.SplitSeq(text, "&") {
		key, value, _ := strings.Cut(part, "=")
		q.Add(key, value)
	}
	return q.Encode()
}

// The page says of each setting what tune says of it, at once and by cross-validation, and saves the same bytes: of
// out-of-bag votes, of rows that are new to the model, and of the votes of any other model.
func TestExploreAsTune(t *testing.T) {
	skipFigures(t)
	inFolder(t, nil)
	must(t, "generate fraud --rows 1200 --seed 1 -o data.csv")
	must(t, "generate fraud --rows 800 --seed 2 -o later.csv")
	must(t, "train data.csv --trees 200 --prefer fraud -o model.rfp")
	write(t, "votes.csv", manyVotes(400))
	judged := 0
	for _, of := range []string{"model.rfp data.csv", "model.rfp later.csv", "votes.csv"} {
		page, first, other := exploring(t, of), "fraud", "ok"
		if of == "votes.csv" {
			first, other = "ill", "well"
		}
		for _, s := range settings(first, other) {
			query := encoded(s[1])
			if of != "votes.csv" && !strings.Contains(s[0], "--require") {
				s[0] += " --require none"
			}
			var want, quick, full map[string]any
			for into, text := range map[*map[string]any]string{
				&want:  must(t, "tune "+of+" --accept-best --format json "+s[0]).stdout,
				&quick: string(fetched(t, "GET", page+"answer?class="+first+"&"+query, "", http.StatusOK)),
				&full:  string(fetched(t, "GET", page+"expect?"+query, "", http.StatusOK)),
			} {
				if err := json.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			for _, key := range []string{"alternatives", "limit", "warnings", "words", "findings", "data"} { // beside the figures
				delete(want, key)
			}
			for key, value := range want {
				later := key == "expected" || key == "lowest" || key == "given"
				if got, is := asJSON(t, full[key]), asJSON(t, value); got != is {
					t.Errorf("%s: %s: %s is %.300s, and tune says %.300s", of, s[1], key, got, is)
				}
				if got := asJSON(t, quick[key]); !later && got != asJSON(t, value) {
					t.Errorf("%s: %s: at once %s is %.300s, and tune says %.300s", of, s[1], key, got, asJSON(t, value))
				}
			}
			if want["expected"] != nil {
				judged++
			}
			if of == "votes.csv" {
				continue
			}
			must(t, "tune "+of+" --accept-best -o tuned.rfp "+s[0])
			fetched(t, "POST", page+"save?"+query, "", http.StatusOK)
			if read(t, "tuned.rfp") != read(t, "model-new.rfp") {
				t.Errorf("%s: %s: the page does not save what tune does", of, s[1])
			}
		}
	}
	if judged < 12 {
		t.Errorf("of %d settings alone it is known what to expect", judged)
	}
}

// Costs by the amount of each row are those of tune as well, and any other setting beside them.
func TestExploreAmounts(t *testing.T) {
	skipFigures(t)
	inFolder(t, nil)
	must(t, "generate fraud --rows 1200 --seed 1 -o data.csv")
	must(t, "train data.csv --trees 200 --prefer fraud -o model.rfp")
	page := exploring(t, "model.rfp data.csv --cost fraud=amount --cost ok=5 --amount amount")
	for _, query := range []string{"", encoded("cost=fraud=0.5*amount&cost=ok=3"), encoded("cost=fraud=100&cost=ok=3"),
		encoded("prefer=fraud&require=fraud:alerts<=2/100")} {
		var got struct {
			Line      string
			Confusion any
			Costs     any
		}
		if err := json.Unmarshal(fetched(t, "GET", page+"answer?"+query, "", http.StatusOK), &got); err != nil {
			t.Fatal(err)
		}
		fetched(t, "POST", page+"save?"+query, "", http.StatusOK)
		saved := read(t, "model-new.rfp")
		if err := os.Remove("model-new.rfp"); err != nil {
			t.Fatal(err)
		}
		var want struct{ Confusion, Costs any }
		line := strings.TrimPrefix(got.Line, "rfpragma ")
		if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &want); err != nil {
			t.Fatal(err)
		}
		if asJSON(t, got.Confusion) != asJSON(t, want.Confusion) || asJSON(t, got.Costs) != asJSON(t, want.Costs) {
			t.Errorf("%s: %v, %v, and tune says %v, %v", got.Line, got.Confusion, got.Costs, want.Confusion, want.Costs)
		}
		if read(t, "model-new.rfp") != saved {
			t.Errorf("%s gives another model", got.Line)
		}
	}
}

// asJSON is a value as JSON, with its keys in order.
func asJSON(t *testing.T, value any) string {
	t.Helper()
	b, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The command line that the page shows gives the model that it saves.
func TestExploreCommandLine(t *testing.T) {
	skipFigures(t)
	inFolder(t, map[string]string{"data.csv": small(400)})
	must(t, "train data.csv --trees 200 --prefer ill -o model.rfp")
	page := exploring(t, "model.rfp data.csv --seed 5 --prefer ill --require 'ill:recall>=0.8' -o kept.rfp")
	for _, query := range []string{"", encoded("cost=ill=7&cost=well=1"), encoded("prefer=well&weight=ill=2.5")} {
		var got struct{ Line string }
		if err := json.Unmarshal(fetched(t, "GET", page+"answer?"+query, "", http.StatusOK), &got); err != nil {
			t.Fatal(err)
		}
		fetched(t, "POST", page+"save?"+query, "", http.StatusOK)
		saved := read(t, "kept.rfp")
		if err := os.Remove("kept.rfp"); err != nil {
			t.Fatal(err)
		}
		must(t, strings.TrimPrefix(got.Line, "rfpragma "))
		if read(t, "kept.rfp") != saved {
			t.Errorf("%s gives another model", got.Line)
		}
	}
}

// manyVotes are votes of 20 trees for so many rows, a fifth of them ill.
func manyVotes(n int) string {
	var b strings.Builder
	b.WriteString("class,ill,well\n")
	for i := range n {
		class, ill := "well", i*7%11
		if i%5 == 0 {
			class, ill = "ill", 4+i*13%17
		}
		fmt.Fprintf(&b, "%s,%d,%d\n", class, ill, 20-ill)
	}
	return b.String()
}

// What cannot be explored is refused before anything is served.
func TestExploreRefused(t *testing.T) {
	trained(t)
	write(t, "votes.csv", manyVotes(40))
	write(t, "cv.json", `{"command": "cv"}`)
	for _, tc := range []struct{ line, want string }{
		{"explore votes.csv -o new.rfp", "votes make no model"},
		{"explore votes.csv --expected votes.csv", "is no JSON of cv"},
		{"explore votes.csv --port 70000", "--port 70000"},
		{"explore cv.json", "explore MODEL.rfp DATA --expected cv.json"},
	} {
		if got := invoke(t, nil, split(tc.line+" --no-browser")...); got.code == cli.ExitDone ||
			!strings.Contains(got.stderr, tc.want) {
			t.Errorf("%s: exit %d\n%s", tc.line, got.code, got.stderr)
		}
	}
	if all, err := filepath.Glob("*-new.rfp"); err != nil || all != nil {
		t.Errorf("%v is written, %v", all, err)
	}
}
