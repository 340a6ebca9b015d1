package scoring

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
)

// Scorer is a model with what is prepared once to read rows and to write answers. It never changes.
type Scorer struct {
	Model   *rfpragma.Model
	ID      string  // of the model
	Version string  // the first digits of ID, as /v2 has it in paths
	Fields  []Field // the features, and then the amount that the model decides by, if that is none of them
	P, K    int
	Amount  int      // the field of the amount; -1 if none is needed
	Names   [][]byte // by class, its name as a text of JSON
	members [][]byte // the same as a member of an object, with the colon
	byName  map[string]int
	spare   map[string]bool // columns that the training had, and the model does not need
	alarms  []bool
}

// versionDigits is how much of an id tells the models of a server apart.
const versionDigits = 12

// NewScorer prepares a model.
func NewScorer(m *rfpragma.Model) (*Scorer, error) {
	if m == nil || m.Forest == nil {
		return nil, fmt.Errorf("%w: there is no model to serve; load or fit one", rfpragma.ErrConfig)
	}
	id, err := m.ID()
	if err != nil {
		return nil, err
	}
	s := &Scorer{Model: m, ID: id, Version: id[:versionDigits], byName: map[string]int{}, spare: map[string]bool{},
		P: len(m.Forest.Schema), K: len(m.Classes()), Amount: -1, alarms: alarming(m)}
	reading := &m.Provenance.Reading
	for _, f := range m.Forest.Schema {
		s.add(newField(f, reading.Missing))
	}
	if m.Provenance.ByCost && m.Provenance.CostsOf().Amounts() {
		if err := s.addAmount(reading); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Concat([]string{reading.Target, reading.Weight, reading.Group, reading.ID,
		reading.Amount}, reading.TimeColumns(), reading.Ignore) {
		s.spare[name] = true
	}
	for _, class := range m.Classes() {
		name := AppendText(nil, class)
		s.Names, s.members = append(s.Names, name), append(s.members, append(slices.Clip(name), ':'))
	}
	return s, nil
}

func (s *Scorer) add(f Field) {
	s.byName[f.Name] = len(s.Fields)
	s.Fields = append(s.Fields, f)
}

// addAmount finds the column of the amount, which may be none of the features.
func (s *Scorer) addAmount(r *dataset.Reading) error {
	if at, is := s.byName[r.Amount]; !is {
		s.Amount = s.P
		s.add(newField(dataset.Field{Name: r.Amount, Kind: dataset.Numeric}, r.Missing))
	} else if s.Amount = at; s.Fields[at].Kind != dataset.Numeric {
		return fmt.Errorf("%w: the model decides by the amounts in a column of categories", rfpragma.ErrConfig)
	}
	return nil
}

// Field returns the field of a column, and whether the model has it.
func (s *Scorer) Field(name string) (int, bool) {
	j, known := s.byName[name]
	return j, known
}

// next returns the field of a column, that after the one before at first; -1 if the model does not have it.
func (s *Scorer) next(name []byte, before int) int {
	if next := before + 1; next < len(s.Fields) && string(name) == s.Fields[next].Name {
		return next
	}
	if j, known := s.byName[string(name)]; known {
		return j
	}
	return -1
}

// isAmount tells whether an amount can be at stake.
func isAmount(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }
