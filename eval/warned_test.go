package eval

import (
	"errors"
	"testing"
)

// In the order of time it is told which warnings only the trainings on fewer rows give; of folds there are none such.
func TestEarlyWarnings(t *testing.T) {
	for _, inTime := range []bool{true, false} {
		r := &run{}
		few, early := errors.New("few rows"), errors.New("no weights")
		r.warn([]error{early}, false)
		r.warn([]error{few, early}, false)
		r.warn([]error{few}, true)
		if inTime {
			r.blocks = make([][]int, 4)
		}
		for _, w := range r.trainingWarnings() {
			var in *TrainingWarning
			if !errors.As(w, &in) || in.Times != 2 || in.Early != (inTime && errors.Is(w, early)) {
				t.Errorf("in time %t: %+v", inTime, w)
			}
		}
	}
}
