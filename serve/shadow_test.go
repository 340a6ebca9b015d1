package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// locked is a text that several write.
type locked struct {
	sync.Mutex
	strings.Builder
}

func (l *locked) Write(b []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Builder.Write(b)
}

func holder(t *testing.T, m *rfpragma.Model) *Holder {
	t.Helper()
	h, err := NewHolder(m)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A shadow decides the same rows as it would by itself, also where its categories have other numbers and it reads fewer
// columns; where it differs it is counted, and some rows are written.
func TestShadow(t *testing.T) {
	train := dataset.Fraud(1500, 9)
	train.Columns = train.Columns[2:]
	for j := range train.Columns {
		if c := &train.Columns[j]; c.Name == "channel" { // the first rows alone, so that levels lack
			for i := range c.Values {
				if c.Values[i] == 0 {
					c.Values[i] = 1
				}
			}
		}
	}
	other, err := rfpragma.Fit(context.Background(), train, pragma.Spec{"fraud": {Theta: 1, X: 0.5, Y: 0.5}},
		rfpragma.Config{Forest: forest.Config{Trees: 100, Seed: 3}})
	if err != nil {
		t.Fatal(err)
	}
	var log locked
	s := serving(t, Options{Shadows: map[string]*Holder{"card": holder(t, other)}, ShadowLog: &log})
	rows, differ := dataset.Fraud(400, 11), map[[2]string]int{}
	lines := rowsOfJSON(rows)
	out := decoded[decidedRows](t, post(s, "/score", "["+strings.Join(lines, ",")+"]", "Content-Type", "application/json"),
		200)
	for i, line := range lines {
		var cells map[string]any
		if err := json.Unmarshal([]byte(line), &cells); err != nil {
			t.Fatal(err)
		}
		row, _, err := other.Row(cells)
		if err != nil {
			t.Fatal(err)
		}
		p, err := other.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		if p.Class != out.Rows[i].Decision {
			differ[[2]string{out.Rows[i].Decision, p.Class}]++
		}
	}
	if len(differ) == 0 {
		t.Fatal("the models decide all rows alike")
	}
	for s.shadows["card"].busy.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	metrics := get(s, "/metrics").Body.String()
	for pair, n := range differ {
		line := fmt.Sprintf(`rfpragma_shadow_differences_total{model="card",decision=%q,shadow=%q} %d`, pair[0], pair[1], n)
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("no line %s in %s", line, metrics[strings.Index(metrics, "# HELP rfpragma_shadow"):])
		}
	}
	first, _, _ := strings.Cut(log.String(), "\n")
	var line struct {
		Decision string
		Shadow   string `json:"shadow_decision"`
		Row      map[string]any
	}
	if err := json.Unmarshal([]byte(first), &line); err != nil || line.Decision == line.Shadow || line.Row["amount"] == nil {
		t.Errorf("%v: %s", err, first)
	}
}

// rowsOfJSON has the rows of a frame as objects.
func rowsOfJSON(frame *dataset.Frame) []string {
	lines := make([]string, frame.Rows())
	for i := range lines {
		cells := map[string]any{}
		for j := range frame.Columns {
			c := &frame.Columns[j]
			v := c.At(i)
			switch {
			case v != v:
				cells[c.Name] = nil
			case c.Kind == dataset.Categorical:
				cells[c.Name] = c.Text(v)
			default:
				cells[c.Name] = v
			}
		}
		line, err := json.Marshal(cells)
		if err != nil {
			panic(err)
		}
		lines[i] = string(line)
	}
	return lines
}

// A shadow that needs what the model does not read, or has no model, is refused.
func TestShadowRefused(t *testing.T) {
	train := dataset.Fraud(300, 9)
	train.Columns[0].Name = "sum"
	other, err := rfpragma.Fit(context.Background(), train, pragma.Spec{}, rfpragma.Config{
		Forest: forest.Config{Trees: 50, Seed: 3}})
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]*Holder{"card": holder(t, payments())}
	for name, m := range map[string]*rfpragma.Model{"card": other, "loan": payments()} {
		_, err := New(models, Options{Shadows: map[string]*Holder{name: holder(t, m)}})
		if !errors.Is(err, rfpragma.ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Options that do not fit are refused.
func TestOptions(t *testing.T) {
	models := map[string]*Holder{"card": holder(t, payments())}
	for _, tc := range []struct {
		models map[string]*Holder
		o      Options
		says   string
	}{
		{nil, Options{}, "no model"},
		{models, Options{Default: "loan"}, "loan"},
		{models, Options{MaxRows: -1}, "-1"},
		{map[string]*Holder{"a/b": models["card"]}, Options{}, "a/b"},
	} {
		if _, err := New(tc.models, tc.o); !errors.Is(err, rfpragma.ErrConfig) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%+v: %v", tc.o, err)
		}
	}
	two, err := New(map[string]*Holder{"card": models["card"], "loan": models["card"]}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := post(two, "/score", suspicious); w.Code != 404 || post(two, "/score/loan", suspicious).Code != 200 {
		t.Errorf("of two models one must be named: status %d", w.Code)
	}
}
