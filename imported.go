package rfpragma

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Adopt makes a model of a forest that another program grew, see package foreign, which names the program as its
// origin. It decides as that program does and gives its probabilities, until it is tuned and calibrated on rows that
// the trees have not seen, by [Model.Retune] and [Model.Recalibrate].
//
// Train are the labelled rows that the forest was grown on, if they are at hand. With them the model knows how common
// the classes are, and can tell rows of its training, and cells that are far from these.
//
// Errors: [ErrConfig] for a forest of our own, or without an origin; those of [dataset.Schema.Conform].
func Adopt(f *forest.Forest, origin string, train *dataset.Frame) (*Model, error) {
	if f == nil || !f.Foreign() || origin == "" {
		return nil, fmt.Errorf("%w: this is no forest of another program; make it by package foreign", ErrConfig)
	}
	own, k := *f, len(f.Classes)
	m := &Model{Forest: &own, Weights: slices.Repeat(vote.Weights{1}, k), Spec: pragma.Spec{},
		Provenance: Provenance{Origin: origin, Votes: vote.External, Folds: 1, Choice: Given,
			Search: anneal.Search{}.Method.String(), Measure: pragmaMeasure, Calibration: string(calib.None),
			Reading: dataset.Reading{Target: "class"}, Plateau: slices.Repeat([]Interval{{1, 1}}, k)}}
	var err error
	if train != nil {
		err = m.know(train)
	}
	m.Maps = Uncalibrated(own.TieOrder())
	m.index()
	return m, err
}

// know has the model know the rows that its forest was grown on.
func (m *Model) know(train *dataset.Frame) error {
	if err := checkFrame(train); err != nil {
		return err
	}
	rows, err := m.Forest.Schema.Conform(train.Labelled())
	switch {
	case err != nil:
		return err
	case !slices.Equal(rows.Classes, m.Classes()):
		return fmt.Errorf("%w: rows of the classes %.64q, and a forest of the classes %.64q; read them with its classes",
			ErrConfig, rows.Classes, m.Classes())
	}
	share, all := rows.ClassWeights(), 0.0
	for _, w := range share {
		all += w
	}
	if !(all > 0) {
		return fmt.Errorf("%w: the rows that the forest was grown on have no labels, or no weight", ErrConfig)
	}
	for c := range share {
		share[c] /= all
	}
	var baselines dataset.Baselines
	baselines.Add(rows)
	m.Forest.Share, m.Forest.Schema, m.sketch = share, baselines.In(m.Forest.Schema), sketchOf(rows)
	m.Provenance.Grown = Grown{Rows: rows.Rows(), Data: Fingerprint(rows)}.of(rows)
	m.Provenance.Reading = train.Reading
	return nil
}
