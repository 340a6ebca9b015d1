package rfpragma

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Adopt makes a model of a forest that another program grew, see package foreign, which names the program as its
// origin. It decides as that program does and gives its probabilities, until it is tuned and calibrated on rows that
// the trees have not seen, by [Model.Retune] and [Model.Recalibrate].
//
// Train are the labelled rows that the forest was grown on; nil if they are not at hand. With them the model knows how
// common the classes are, and can tell rows of its training, and cells that are far from these.
//
// Errors: [ErrConfig] for a forest that was grown by this library or has no origin; those of
// [dataset.Schema.Conform].
func Adopt(f *forest.Forest, origin string, train *dataset.Frame) (*Model, error) {
	if f == nil || !f.Foreign() || origin == "" {
		return nil, fmt.Errorf("%w: this is no forest of another program; make it by package foreign", ErrConfig)
	}
	own, k := *f, len(f.Classes)
	m := &Model{Forest: &own, Weights: slices.Repeat(vote.Weights{1}, k), Spec: pragma.Spec{},
		Provenance: Provenance{Origin: origin, Votes: vote.External, Folds: 1, Choice: Given,
			Search: anneal.Search{}.Method.String(), Measure: pragmaMeasure, Calibration: string(calib.None),
			Reading: dataset.Reading{Target: "class"}, Plateau: slices.Repeat([]Interval{{1, 1}}, k)}}
	if train != nil {
		if err := m.know(train); err != nil {
			return nil, err
		}
	}
	m.Maps = Uncalibrated(own.TieOrder())
	m.index()
	return m, nil
}

// know has the model know the rows that its forest was grown on.
func (m *Model) know(train *dataset.Frame) error {
	if err := checkFrame(train); err != nil {
		return err
	}
	rows, err := m.Forest.Schema.Conform(train.Labelled())
	if err != nil {
		return err
	}
	if !slices.Equal(rows.Classes, m.Classes()) {
		return fmt.Errorf("%w: rows of the classes %.64q, and a forest of the classes %.64q; read them with its classes",
			ErrConfig, rows.Classes, m.Classes())
	}
	if rows.Rows() == 0 {
		return fmt.Errorf("%w: the rows that the forest was grown on have no labels", ErrConfig)
	}
	weight, all := make([]float64, len(m.Classes())), 0.0
	for i, class := range tables.TruthIn(rows, m.Classes()) {
		weight[class] += rows.WeightOf(i)
		all += rows.WeightOf(i)
	}
	if !(all > 0) {
		return fmt.Errorf("%w: all %s that the forest was grown on have the weight 0", ErrConfig,
			english.Plural(rows.Rows(), "row"))
	}
	for c := range weight {
		weight[c] /= all
	}
	var baselines dataset.Baselines
	baselines.Add(rows)
	m.Forest.Share, m.Forest.Schema, m.sketch = weight, baselines.In(m.Forest.Schema), sketchOf(rows)
	m.Provenance.Grown = Grown{Rows: rows.Rows(), Data: Fingerprint(rows)}.of(rows)
	m.Provenance.Reading = train.Reading
	return nil
}

// checkForeign says what cannot be in the record of a forest of another program, of which little is known.
func (r *Provenance) checkForeign() error {
	const longest = 200
	g := &r.Grown
	if len(r.Origin) > longest || g.Rows < 0 || (g.Rows > 0) != isSum(g.Data) || g.Rows == 0 && g.Data != "" ||
		g.Bare != "" && !isSum(g.Bare) || g.Soft || g.Mtry != 0 || g.Bag != "" {
		return fmt.Errorf("a forest of %.80q with %d rows, data sum %.80q", r.Origin, g.Rows, g.Data)
	}
	return nil
}

// errForeign says that there are no votes out of bag.
func (m *Model) errForeign() error {
	if m.Provenance.Origin == "" {
		return nil
	}
	return fmt.Errorf("%w: the trees are of another program (%s), and which of them left a row out is not known; give "+
		"rows that none of them has seen", ErrConfig, m.Provenance.Origin)
}
