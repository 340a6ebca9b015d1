package view

import (
	"slices"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/say"
	"github.com/rfpragma/rfpragma/vote"
)

// Window is a part of rows that is watched.
type Window struct {
	Name string      `json:"name"` // the value of --by, or which rows it has; "" of all rows
	Sums *eval.Watch `json:"sums"` // what is known of its rows, for --state
	// columns that were not as in training where its rows came from
	Columns   []*dataset.ColumnDrift `json:"columns,omitempty"`
	Estimates *eval.Estimates        `json:"estimates"` // what its probabilities imply
	// where labels came for all rows that are decided: by true class the weight of those decided as each; else null
	Labels [][]float64 `json:"labels,omitempty"`
}

// Gather adds the rows of another window. Labels are of all rows or of none.
func (w *Window) Gather(o *Window) {
	if w.Sums == nil {
		w.Sums = &eval.Watch{}
		w.Labels = nil
		for _, row := range o.Labels {
			w.Labels = append(w.Labels, slices.Clone(row))
		}
	} else if w.Labels != nil && o.Labels != nil {
		for t, row := range o.Labels {
			for d, n := range row {
				w.Labels[t][d] += n
			}
		}
	} else {
		w.Labels = nil
	}
	w.Sums.Gather(o.Sums)
	for _, d := range o.Columns {
		if !slices.ContainsFunc(w.Columns, func(e *dataset.ColumnDrift) bool { return e.Column == d.Column }) {
			w.Columns = append(w.Columns, d)
		}
	}
}

// Monitored is what is known of rows that mostly have no labels.
type Monitored struct {
	Goal    *Goal
	All     Window
	Windows []*Window // nil where rows are not parted
	By      string    // column whose values part them; "" for none
	// of each window, what is estimated of the rows of all others; nil unless a column parts them
	Others []*eval.Estimates
}

// Judgements are the findings of all rows, the gravest first.
func (m *Monitored) Judgements() []finding.Finding {
	out := assess.Estimates(finding.Where{Rows: codes.GivenRows}, m.All.Estimates, m.toldOf())
	out = append(out, assess.Labels(finding.Where{Rows: codes.GivenRows}, m.promises(&m.All))...)
	out = append(out, m.gaps()...)
	finding.Sort(out)
	return out
}

// gaps are the gaps between the values of a column: by labels, where all have some, else by what is estimated.
func (m *Monitored) gaps() []finding.Finding {
	if m.By == "" {
		return nil
	}
	var names []string
	var parts []*eval.Estimates
	var counts []*vote.Confusion
	for _, w := range m.Windows {
		names, parts = append(names, w.Name), append(parts, w.Estimates)
		if w.Labels != nil {
			of := eval.Rule{Confusion: w.Labels}
			counts = append(counts, of.Counts(m.Goal.Classes))
		}
	}
	told := func(gaps []eval.Gap) []eval.Gap {
		classes := m.toldOf()
		return slices.DeleteFunc(gaps, func(g eval.Gap) bool { return !slices.Contains(classes, g.Class) })
	}
	where := finding.Where{Rows: codes.GivenRows}
	if len(counts) == len(names) {
		return assess.Gaps(where, m.By, told(eval.CountedGaps(names, counts)))
	}
	return assess.Gaps(where, m.By, told(eval.EstimatedGaps(names, parts, m.Others)))
}

// Sentences are a sentence for each finding.
func (m *Monitored) Sentences(found []finding.Finding) []string {
	var out []string
	for i := range found {
		out = append(out, say.About(m.Goal.pragmaGoal()).Sentence(&found[i]))
	}
	return out
}

// toldOf are the names of the classes that are told of: those that matter most, or all where they are few.
func (m *Monitored) toldOf() []string {
	matter := m.Goal.Matter()
	if len(matter) == 0 || len(matter) > mostShown {
		matter = m.Goal.order()[:min(len(m.Goal.Classes), mostShown)]
	}
	var out []string
	for _, c := range matter {
		out = append(out, m.Goal.Classes[c])
	}
	return out
}

// labelShare is what labels say of a share of rows, with its 95 % interval; nil where there are none.
func labelShare(hits, rows float64) (*float64, *[2]float64) {
	if !(rows > 0) {
		return nil, nil
	}
	p := hits / rows
	low, high := calib.Wilson(hits, rows, calib.Z95)
	return &p, &[2]float64{low, high}
}

// found returns what labels say of the recall and the precision of a class.
func (w *Window) found(c int) (recall, precision *float64, recallIn, precisionIn *[2]float64) {
	if w.Labels == nil {
		return nil, nil, nil, nil
	}
	truth, decided := 0.0, 0.0
	for t := range w.Labels {
		truth += w.Labels[c][t]
		decided += w.Labels[t][c]
	}
	recall, recallIn = labelShare(w.Labels[c][c], truth)
	precision, precisionIn = labelShare(w.Labels[c][c], decided)
	return recall, precision, recallIn, precisionIn
}

// promises are the estimates beside what the labels say.
func (m *Monitored) promises(w *Window) []assess.Promise {
	var out []assess.Promise
	add := func(figure, class string, of *eval.Forecast, is *float64, in *[2]float64) {
		if of != nil && is != nil {
			expected := of.Interval
			out = append(out, assess.Promise{Figure: figure, Class: class, Expected: of.Value, ExpectedInterval: &expected,
				Found: *is, FoundInterval: in})
		}
	}
	for _, name := range m.toldOf() {
		c := slices.Index(m.Goal.Classes, name)
		of := &w.Estimates.Classes[c]
		recall, precision, recallIn, precisionIn := w.found(c)
		add("recall", name, of.Recall, recall, recallIn)
		add("precision", name, of.Precision, precision, precisionIn)
	}
	return out
}

// Show writes the first screen.
func (m *Monitored) Show(to *layout.Page, found []finding.Finding) {
	to.Say(m.Goal.Request()...)
	to.Table(m.estimateTable())
	for _, name := range m.toldOf() {
		to.Table(m.windows(name))
	}
	var lines []string
	for i, text := range m.Sentences(found) {
		if f := &found[i]; f.Code != codes.EstimateFigures && f.Code != codes.EstimateKept { // which the table shows
			lines = append(lines, english.Capital(f.Grade.String())+": "+text)
		}
	}
	to.Say(lines...)
}

// forecastText shows an estimate of a share, and its interval.
func forecastText(f *eval.Forecast) (is, ends string) {
	if f == nil {
		return "n/a", ""
	}
	is, ends = english.Within(f.Value, f.Interval[0], f.Interval[1], 0)
	return is + " %", ends
}

// estimateTable shows what all rows are estimated to have.
func (m *Monitored) estimateTable() *layout.Grid {
	e := m.All.Estimates
	g := &layout.Grid{Head: []string{"WITHOUT LABELS", "estimate", "95 % band", "in training", "labels say"}}
	known := slices.ContainsFunc(e.Classes, func(c eval.ClassEstimate) bool { return c.AlertsWas > 0 })
	for _, name := range m.toldOf() {
		c := slices.Index(m.Goal.Classes, name)
		of := &e.Classes[c]
		recall, precision, _, _ := m.All.found(c)
		if !e.Void {
			is, ends := forecastText(of.Recall)
			g.Add(english.Quote(name)+" found (recall)", is, ends, "", labelText(recall))
			is, ends = forecastText(of.Precision)
			g.Add("alarms that are right (precision)", is, ends, "", labelText(precision))
			is, ends = forecastText(of.Share)
			g.Add("share of "+english.Quote(name), is, ends, "", "")
		}
		alerts := layout.PerThousand(of.Alerts, of.AlertsWas)
		if !known {
			alerts[1] = ""
		}
		g.Add("alarms for "+english.Quote(name)+" per 1,000 rows", alerts[0], "", alerts[1], "")
	}
	if e.Cost != nil {
		label, show := lossUnit("cost", false)
		g.Add(label, show(e.Cost.Value)[0], endsBy(show, &e.Cost.Interval), "", "")
	}
	if m.All.Labels == nil {
		g.Drop(4)
	}
	return g
}

// labelText shows what labels say; "" without them.
func labelText(share *float64) string {
	if share == nil {
		return ""
	}
	return english.Percent(*share, 0)
}

// windows shows a class window by window.
func (m *Monitored) windows(name string) *layout.Grid {
	g := &layout.Grid{
		Title: english.Quote(name),
		Head: []string{"window", "rows", "alarms per 1,000", "found", "95 % band",
			"right", "95 % band", "labels: found", "right", ""},
		Tail: true,
	}
	c, labels := slices.Index(m.Goal.Classes, name), false
	for _, w := range m.Windows {
		of := &w.Estimates.Classes[c]
		recall, precision, _, _ := w.found(c)
		labels = labels || w.Labels != nil
		line := []string{w.Name, layout.Rows(w.Estimates.Rows), layout.PerThousand(of.Alerts)[0]}
		if w.Estimates.Void {
			line = append(line, "", "", "", "")
		} else {
			is, ends := forecastText(of.Recall)
			right, rightEnds := forecastText(of.Precision)
			line = append(line, is, ends, right, rightEnds)
		}
		remark := ""
		switch {
		case w.Estimates.Columns != nil:
			remark = "columns differ"
		case w.Estimates.Unlike:
			remark = "other kind of rows"
		case w.Estimates.Shifted:
			remark = "other shares"
		}
		g.Add(append(line, labelText(recall), labelText(precision), remark)...)
	}
	if !labels {
		g.Drop(8)
		g.Drop(7)
	}
	return g
}
