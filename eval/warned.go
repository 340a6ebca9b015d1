package eval

import (
	"fmt"
	"slices"
)

// TrainingWarning is a warning that one or more trainings of a cross-validation gave.
type TrainingWarning struct {
	Warning error
	Times   int  // how many trainings gave it
	Of      int  // number of trainings
	Early   bool // in the order of time: the training on most rows, which judges the latest block, did not give it
}

// where says how many trainings gave it: "in 2 of 10 trainings", "in all 10 trainings".
func (w *TrainingWarning) where() string {
	switch {
	case w.Of == 1:
		return "in the one training"
	case w.Times < w.Of:
		return fmt.Sprintf("in %d of %d trainings", w.Times, w.Of)
	}
	return fmt.Sprintf("in all %d trainings", w.Of)
}

func (w *TrainingWarning) Error() string { return fmt.Sprintf("%s: %v", w.where(), w.Warning) }

// Unwrap returns the warning of the trainings.
func (w *TrainingWarning) Unwrap() error { return w.Warning }

// repeated is a warning and the number of trainings that gave it.
type repeated struct {
	warning error
	times   int
	late    bool // one of the latest block did
}

// merger is a warning whose figures may be others in another training. Merge returns the warning that says both, if
// other is of its kind.
type merger interface {
	Merge(other error) (error, bool)
}

// takes counts note if it says the same as the warning, with other figures or not.
func (w *repeated) takes(note error) bool {
	if m, ok := w.warning.(merger); ok { // also of one that says the same: it may count, or have details
		if merged, same := m.Merge(note); same {
			w.warning = merged
			w.times++
			return true
		}
	}
	if w.warning.Error() == note.Error() {
		w.times++
		return true
	}
	return false
}

// warn keeps each warning of the trainings once, and counts it. Late is a training of the latest block in the order
// of time.
func (r *run) warn(notes []error, late bool) {
	for _, note := range notes {
		at := slices.IndexFunc(r.warned, func(w *repeated) bool { return w.takes(note) })
		if at < 0 {
			at = len(r.warned)
			r.warned = append(r.warned, &repeated{note, 1, false})
		}
		r.warned[at].late = r.warned[at].late || late
	}
}

// trainingWarnings returns what the trainings have warned of.
func (r *run) trainingWarnings() []error {
	var out []error
	for _, w := range r.warned { // of trainings, so there are some
		out = append(out, &TrainingWarning{w.warning, w.times, r.trainings, r.blocks != nil && !w.late})
	}
	return out
}
