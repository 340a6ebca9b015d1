// Package watching watches rows that come without labels, from run to run.
package watching

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// State is what is kept from run to run.
type State struct {
	Model   string         `json:"model_sha256"`
	Rows    int            `json:"rows"` // number of rows seen
	Windows []*view.Window `json:"windows"`
}

// ErrOther is the error of a state of another model.
var ErrOther = errors.New("is of another model")

// Watch watches rows of a run.
type Watch struct {
	Model *rfpragma.Model
	State State  // of before, and, once it is judged, with this run
	Size  int    // rows of a window; 0 for all
	Span  Span   // how long a window is, of rows whose Per is their time,
	When  string // and of which column
	By    string // column of Per by whose values rows are parted; "" for none
	As    []int  // by class, how many rows are decided as it
	named map[string]*view.Window
	spans map[string]string // windows by the time that is written
	seen  []*view.Window    // of this run, in the order of their coming
}

// Read reads what earlier runs saw; nothing where there is no file yet.
func Read(path, model string) (State, error) {
	state := State{Model: model}
	if path == "" {
		return state, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return state, nil
	}
	if err != nil {
		return state, err
	}
	if err := json.Unmarshal(text, &state); err != nil {
		return state, fmt.Errorf("%s is no state of monitor: %w; name another file", path, err)
	}
	if state.Model != model {
		return state, ErrOther
	}
	if slices.ContainsFunc(state.Windows, func(w *view.Window) bool { return w == nil || w.Sums == nil }) {
		return state, fmt.Errorf("%s is no state of monitor: a window has no sums; name another file", path)
	}
	return state, nil
}

// Add watches a block of rows.
func (j *Watch) Add(ctx context.Context, f *dataset.Frame, workers int) error {
	votes, err := j.Model.Forest.Votes(ctx, f, workers)
	if err != nil {
		return err
	}
	if j.named == nil {
		j.named, j.As = map[string]*view.Window{}, make([]int, len(j.Model.Classes()))
	}
	decide := predictions.Deciding(j.Model, votes)
	parts, order := map[string][]int{}, []string{}
	for i := range votes.Rows() {
		name := ""
		switch {
		case j.Span != Span{}:
			if name, err = j.windowOf(f.Per[i]); err != nil {
				return fmt.Errorf("column %s, row %d: %w", english.Quote(j.When), j.State.Rows+i+1, err)
			}
		case f.Per != nil:
			name = f.Per[i]
		case j.Size > 0:
			first := (j.State.Rows + i) / j.Size * j.Size
			name = fmt.Sprintf("rows %d-%d", first+1, first+j.Size)
		}
		if parts[name] == nil {
			order = append(order, name)
		}
		parts[name] = append(parts[name], i)
		if d := decide(i); d >= 0 {
			j.As[d]++
		}
	}
	for _, name := range order {
		part := votes.Take(parts[name])
		w := &view.Window{Name: name}
		if w.Sums, err = j.Model.Watch(part); err != nil {
			return err
		}
		w.Labels = labelsOf(j.Model, part)
		to := j.named[name]
		if to == nil {
			to = &view.Window{Name: name}
			j.named[name] = to
			j.seen = append(j.seen, to)
		}
		to.Gather(w)
	}
	j.State.Rows += votes.Rows()
	return nil
}

// windowOf returns the window of a time, and reads each text once.
func (j *Watch) windowOf(text string) (string, error) {
	name, known := j.spans[text]
	if known {
		return name, nil
	}
	name, err := j.Span.window(text)
	if j.spans == nil {
		j.spans = map[string]string{}
	}
	if err == nil {
		j.spans[text] = name
	}
	return name, err
}

// labelsOf counts how rows of each class are decided; nil unless all have labels.
func labelsOf(m *rfpragma.Model, votes *vote.Table) [][]float64 {
	k, decide := len(m.Classes()), predictions.Deciding(m, votes)
	out := make([][]float64, k)
	for t := range out {
		out[t] = make([]float64, k)
	}
	for i, truth := range votes.Truth {
		if truth < 0 {
			return nil
		}
		if !m.Close(votes.Votes(i)) {
			out[truth][decide(i)] += votes.WeightOf(i)
		}
	}
	if len(votes.Truth) == 0 {
		return nil
	}
	return out
}

// Judged estimates all windows, with those of earlier runs. Columns are those that are not as in training in this run.
func (j *Watch) Judged(of *view.Goal, columns []*dataset.ColumnDrift) (*view.Monitored, error) {
	out := &view.Monitored{Goal: of, By: j.By}
	windows := j.State.Windows
	for _, w := range j.seen {
		w.Columns = columns
		at := slices.IndexFunc(windows, func(o *view.Window) bool { return o.Name == w.Name })
		switch {
		case at < 0:
			windows = append(windows, w)
		case w.Labels != nil && windows[at].Labels == nil && windows[at].Sums.Rows == w.Sums.Rows:
			// labels of these rows came
			windows[at].Labels = w.Labels
		default:
			windows[at].Gather(w)
		}
	}
	if j.Span != (Span{}) {
		slices.SortStableFunc(windows, func(a, b *view.Window) int { return strings.Compare(a.Name, b.Name) })
	}
	for _, w := range windows {
		var err error
		if w.Estimates, err = j.Model.Estimate(w.Sums, w.Columns); err != nil {
			return nil, err
		}
		out.All.Gather(w)
	}
	if j.State.Windows = windows; len(windows) > 1 || windows[0].Name != "" {
		out.Windows = windows
	}
	var err error
	if out.All.Estimates, err = j.Model.Estimate(out.All.Sums, out.All.Columns); err != nil || j.By == "" {
		return out, err
	}
	out.Others, err = j.others(windows)
	return out, err
}

// others estimates, for each window, the rows of all others; nil where there are none.
func (j *Watch) others(windows []*view.Window) ([]*eval.Estimates, error) {
	out := make([]*eval.Estimates, len(windows))
	for i := range windows {
		var rest view.Window
		for k, w := range windows {
			if k != i {
				rest.Gather(w)
			}
		}
		if rest.Sums == nil || rest.Sums.Rows == 0 {
			continue
		}
		var err error
		if out[i], err = j.Model.Estimate(rest.Sums, rest.Columns); err != nil {
			return nil, err
		}
	}
	return out, nil
}
