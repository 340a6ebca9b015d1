package scores

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/rowkind"
)

// Map is a map from the scores of any model to probabilities, as JSON.
type Map struct {
	SchemaVersion int      `json:"schema_version"`
	Kind          string   `json:"kind"` // [Kind]
	Classes       []string `json:"classes"`
	// the column of scores for the last class; "" where each class has one
	Score  string    `json:"score,omitempty"`
	Votes  bool      `json:"votes,omitempty"` // the columns have whole votes
	Trees  int       `json:"trees,omitempty"` // shares are smoothed as those of so many trees; 0 where they are not
	Range  *Range    `json:"range,omitempty"` // of the column of scores; older files have none
	Method string    `json:"method"`
	Maps   calib.Set `json:"maps"`

	Met Scale `json:"-"` // of the scores that it was given
}

// Kind tells a file of a map from others, and Version how it is read.
const (
	Kind    = "rfpragma calibration"
	Version = 1
)

// Write writes the map as JSON.
func (m *Map) Write(w io.Writer) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// mostMapBytes is how large a file of a map may be.
const mostMapBytes = 64 << 20

// ReadMap reads a map file. Errors are those of a model file: [rfpragma.ErrFormat].
func ReadMap(r io.Reader, name string) (*Map, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostMapBytes+1))
	if err != nil {
		return nil, err
	}
	fault := func(err error) error { return fmt.Errorf("%s: %w: %w", name, rfpragma.ErrFormat, err) }
	if len(b) > mostMapBytes {
		return nil, fault(fmt.Errorf("it has more than %d bytes", mostMapBytes))
	}
	var m Map
	in := json.NewDecoder(bytes.NewReader(b))
	in.DisallowUnknownFields()
	if err := in.Decode(&m); err != nil {
		return nil, fault(err)
	}
	seen := map[string]bool{}
	for _, c := range m.Classes {
		seen[c] = true
	}
	switch {
	case m.Kind != Kind:
		return nil, fault(fmt.Errorf("it is no map of rfpragma calibrate"))
	case m.SchemaVersion != Version:
		return nil, fault(fmt.Errorf("its version is %d, and this program reads %d; update rfpragma", m.SchemaVersion,
			Version))
	case len(m.Classes) < 2 || m.Maps.Classes() != len(m.Classes) || len(seen) != len(m.Classes) || m.Score != "" &&
		len(m.Classes) != 2:
		return nil, fault(fmt.Errorf("it has %d classes, and maps for %d", len(m.Classes), m.Maps.Classes()))
	case m.Range != nil && (m.Score == "" || !(m.Range.Low <= m.Range.High)):
		return nil, fault(fmt.Errorf("it is fitted on scores from %v to %v", m.Range.Low, m.Range.High))
	case m.Trees < 0 || m.Trees > 0 && m.Votes:
		return nil, fault(fmt.Errorf("it is fitted on shares of %d trees; give 1 or more, and none with votes", m.Trees))
	}
	m.Met.fitted = m.fittedOn()
	return &m, nil
}

// Order returns the classes in the order in which all verbs write them; of two the map has that of the scores last.
func (m *Map) Order() []int {
	order, compare := make([]int, len(m.Classes)), csvtext.Order(m.Classes)
	for c := range order {
		order[c] = c
	}
	slices.SortFunc(order, func(a, b int) int { return compare(m.Classes[a], m.Classes[b]) })
	return order
}

// WantsVotes says what a map of votes is for.
const WantsVotes = "the map is fitted on whole numbers of votes: give those, which are shares times the number of " +

	"trees, or fit a map on shares"

// Shares writes into dst what the map takes of row i, and returns the sum of its scores. Votes become shares where
// the map is of shares, as their number does not matter to it; the other way it would. Met
// takes note of their scale.
func (m *Map) Shares(dst []float64, columns []dataset.Column, i int) (float64, error) {
	if err := rowScores(dst, columns, i); err != nil {
		return 0, err
	}
	if m.Score != "" {
		m.Met.add(dst[1])
	}
	sum, whole := new(rowkind.Kinds).Add(dst)
	if m.Votes && !whole {
		return 0, fmt.Errorf("has scores that are no whole numbers; %s", WantsVotes)
	}
	if m.Score == "" {
		toShares(dst, m.Votes)
	}
	smoothShares(dst, m.Trees)
	return sum, nil
}
