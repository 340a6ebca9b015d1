package view

import (
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/layout"
)

// by names what was asked.
func (e *Promise) by() string {
	if e.Time == "" {
		return "cv"
	}
	return "cv (time: " + e.Time + ")"
}

// promiseTable sets both side by side; it has no rows where nothing was promised.
func (e *Promise) promiseTable() *layout.Grid {
	g := &layout.Grid{}
	if e == nil {
		return g
	}
	g.Head = []string{"by " + e.by(), "expected (95 in 100)", "found", ""}
	for _, f := range e.Figures {
		g.Add(f.name, f.was, f.is, e.word(&f))
	}
	return g
}

// word is a verdict as people are shown it.
func (e *Promise) word(f *promisedFigure) string {
	switch {
	case f.tellsLittle():
		return asExpected + ", wide range"
	// nothing tells how far it goes from block to block
	case f.Figure == "loss" && f.Verdict == "" && e.Was.Together != nil:
		return "latest block, not judged"
	}
	return f.Verdict
}

// promise returns a figure of the decisions of which cv promised something, and which could be judged by that; nil
// where there is none.
func (e *Promise) promise(class, figure string) *promisedFigure {
	if e == nil {
		return nil
	}
	at := slices.IndexFunc(e.Figures, func(f promisedFigure) bool {
		return f.Class == class && f.Figure == figure && f.List == "" && f.Verdict != ""
	})
	if at < 0 {
		return nil
	}
	return &e.Figures[at]
}

// Unpromised leaves out the drift of figures that are judged by what was promised of them, and so told of.
func (e *Promise) Unpromised(drift []rfpragma.Drift) []rfpragma.Drift {
	return slices.DeleteFunc(slices.Clone(drift), func(d rfpragma.Drift) bool {
		return e.promise(d.Class,
			d.Figure) != nil
	})
}

// Unforeseen keeps apart the figures that are worse than in training and not, by more than chance, than was promised
// of that very figure, and returns the other drift: what cv promised is the yardstick, as the weights were tuned on
// the votes that training is known by, which may mix past and future, or be of all blocks. A range that is too wide
// is one, too: it is said that it tells little.
func (e *Promise) Unforeseen(drift []rfpragma.Drift) []rfpragma.Drift {
	if e == nil {
		return drift
	}
	left := []rfpragma.Drift{}
	for _, d := range drift {
		if f := e.promise(d.Class, d.Figure); f != nil && f.Verdict != f.worse() {
			e.Foreseen = append(e.Foreseen, d)
		} else {
			left = append(left, d)
		}
	}
	return left
}

// Unexpected names the figures of a class, or of all where it is "", that are lower or higher than was promised.
func (e *Promise) Unexpected(class string) string {
	var names []string
	for _, f := range e.Figures {
		if f.Class == class && (f.Verdict == lower || f.Verdict == higher) {
			names = append(names, strings.TrimSpace(f.List+" "+f.Figure+" "+f.Verdict))
		}
	}
	return strings.Join(names, ", ")
}

// Failed counts the figures that are worse than was promised by more than chance.
func (e *Promise) Failed() int {
	n := 0
	if e != nil {
		for _, f := range e.Figures {
			if f.Figure != "alerts" && f.Verdict == f.worse() {
				n++
			}
		}
	}
	return n
}

// listsTable sets what cv promised of lists beside what is found; it has no rows where nothing was.
func (e *Promise) listsTable() *layout.Grid {
	g := &layout.Grid{}
	if e == nil {
		return g
	}
	for _, f := range e.Figures {
		if f.List != "" {
			g.Head = []string{"PROMISED BY CV", "promised", "found", ""}
			g.Add(f.name, f.was, f.is, e.word(&f))
		}
	}
	return g
}
