package rfpragma

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/digest"
	"github.com/rfpragma/rfpragma/internal/sketch"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// Overlap counts the labelled rows of a table that are also rows of a model's training, with the same label and
// features; see [Model.Overlap].
type Overlap struct {
	Rows   int // rows of the table that have a label
	Same   int // estimate of how many of them are rows of the training; 0 if no more than chance explains
	Chance int // estimate of how many would be if all rows were new: rows of few features are often alike
	Again  int // estimate of how many of them repeat an earlier row of this table; 0 if no more than in the training

	// Classes holds the classes for which Same is not 0, judged by their own rows. A class of few rows can be
	// known by heart while the figures of all rows hide it.
	Classes []ClassOverlap
}

// ClassOverlap counts the rows of a class that are also rows of the training, see [Overlap].
type ClassOverlap struct {
	Class              int // index into the classes of the model
	Rows, Same, Chance int
}

// Most reports whether more than half of the rows, or of those of a class, are rows of the training beyond what
// chance explains: figures on such rows say nothing of new ones.
func (k Overlap) Most() bool {
	most := func(same, chance, rows int) bool { return 2*(same-chance) > rows }
	return most(k.Same, k.Chance, k.Rows) || slices.ContainsFunc(k.Classes,
		func(of ClassOverlap) bool { return most(of.Same, of.Chance, of.Rows) })
}

// Overlap looks for labelled rows of frame among those that the model was trained on, whatever their order and
// case weights. Figures of the model on such rows flatter, because trees know them by heart. Use it for a table
// that may contain some rows of the training; [Model.TrainedOn] tests exactly whether a table is the training
// data.
//
// A model keeps only a sample of its rows, see [sketch.Sketch], so the numbers are estimates if it was trained
// on more than [sketch.Size] rows. The number that chance explains follows from the training: a new row
// is as likely to equal another as a row of the training is (Good, Biometrika 40, 1953). Same is 0 unless it
// exceeds that number by a tenth of the rows, by Wilson intervals of three standard errors. Likewise Again is 0
// unless rows repeat more often than in the training. Each class is judged in the same way, by its own rows of
// the table and of the sample.
//
// For models saved before there was a sample, only Rows is set; for those whose sample does not tell the
// classes apart, there are no Classes.
//
// Errors: those of [dataset.Schema.Conform].
func (m *Model) Overlap(frame *dataset.Frame) (Overlap, error) {
	if m.Forest == nil {
		return Overlap{}, m.check()
	}
	if err := checkFrame(frame); err != nil {
		return Overlap{}, err
	}
	frame, err := m.Forest.Schema.Conform(frame)
	if err != nil {
		return Overlap{}, err
	}
	rows := *frame
	rows.Truth, rows.Classes = tables.TruthIn(frame, m.Classes()), m.Classes()
	var k Overlap
	of := make([]int, len(m.Classes())) // labelled rows by class
	for _, class := range rows.Truth {
		if class >= 0 {
			k.Rows++
			of[class]++
		}
	}
	s := m.sketch
	if s == nil {
		return k, nil
	}
	sampled, found := digest.Find(s, &rows)
	k.Same, k.Chance = s.Known(k.Rows, sum(found), sum(sampled))
	for c, was := range s.Classes {
		if c >= len(of) { // of trees that were changed
			break
		}
		if same, chance := was.Known(of[c], found[c], sampled[c]); same > 0 {
			k.Classes = append(k.Classes, ClassOverlap{Class: c, Rows: of[c], Same: same, Chance: chance})
		}
	}
	if own := sketchOf(&rows); own != nil {
		if again := own.Rows - len(own.Hashes); sketch.Beyond(again, own.Rows, s.Rows-len(s.Hashes), s.Rows) {
			k.Again = sketch.Estimate(k.Rows, again, own.Rows)
		}
	}
	return k, nil
}

// sum adds up counts.
func sum(counts []int) int {
	n := 0
	for _, count := range counts {
		n += count
	}
	return n
}

// fits refuses a sketch that a file has beside more classes than it knows, or fewer rows.
func fits(s *sketch.Sketch, rows, classes int) error {
	if s != nil && (s.Rows > rows || s.Classes != nil && len(s.Classes) != classes) {
		return fmt.Errorf("%w: header: a sketch of %d of %d rows, and %d of %d classes", ErrFormat, s.Rows, rows,
			len(s.Classes), classes)
	}
	return nil
}

// sketchOf returns the sketch of the rows of a frame.
func sketchOf(f *dataset.Frame) *sketch.Sketch {
	var s sketch.Sketcher
	digest.AddRows(&s, f)
	return s.Sketch()
}
