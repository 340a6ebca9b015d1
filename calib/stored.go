package calib

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rfpragma/rfpragma/internal/english"
)

// The kinds of stored maps.
const (
	kindIdentity = "none"
	kindSigmoid  = "sigmoid"
	kindIsotonic = "isotonic"
	kindBeta     = "beta"
	kindPower    = "power"
	kindVenn     = "venn-abers"
)

// MarshalJSON writes the maps as {"maps":[{"kind":...},...]}, with the kinds "none", "sigmoid"
// (a, b, logit), "isotonic" (score, value, linear), "beta" (a, b, c), "power" (a, b) and
// "venn-abers" (score, low, high). With maps of pairs it is {"coupling":...,"maps":[...]}, with
// null for a pair that has none. Cross exponents follow as "cross", an order of the classes as "order", vote weights
// as "vote_weights". Numbers keep every bit. Unsound maps and maps of other types are
// an error.
func (s Set) MarshalJSON() ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	maps := make([]any, len(s.Maps))
	for c, m := range s.Maps {
		maps[c] = spelling(m)
	}
	fields := map[string]any{"maps": maps} // written in the order of the alphabet
	if s.Coupling != againstRest {
		fields["coupling"] = s.Coupling
	}
	if s.Order != nil {
		fields["order"] = s.Order
	}
	if s.Cross != nil {
		fields["cross"] = s.Cross
	}
	if s.VoteWeights != nil {
		fields["vote_weights"] = s.VoteWeights
	}
	return json.Marshal(fields)
}

// spelling returns what is written for a map that was checked, nil for one that is missing.
func spelling(m Map) any {
	type head struct {
		Kind string `json:"kind"`
	}
	switch m := m.(type) {
	case Identity:
		return head{kindIdentity}
	case Sigmoid:
		return struct {
			head
			Sigmoid
		}{head{kindSigmoid}, m}
	case Isotonic:
		return struct {
			head
			Isotonic
		}{head{kindIsotonic}, m}
	case BetaCurve:
		return struct {
			head
			BetaCurve
		}{head{kindBeta}, m}
	case Power:
		return struct {
			head
			Power
		}{head{kindPower}, m}
	case VennAbersTable:
		return struct {
			head
			VennAbersTable
		}{head{kindVenn}, m}
	}
	return nil
}

var errForm = errors.New("calibration maps are not in the form they were written in (a field is unknown, missing, " +
	"repeated or misspelt); train again or restore the file from a copy")

// UnmarshalJSON reads what MarshalJSON wrote, and nothing else: apart from white space a set
// of maps has one spelling, so unknown, missing, repeated or misspelt fields are all errors.
// So are maps that fail [Set.Check].
func (s *Set) UnmarshalJSON(data []byte) error {
	var list struct {
		Coupling couples           `json:"coupling"`
		Cross    []float64         `json:"cross"`
		Maps     []json.RawMessage `json:"maps"`
		Order    []int             `json:"order"`
		Weights  []float64         `json:"vote_weights"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("%w: %w", errForm, err)
	}
	read := Set{Coupling: list.Coupling, Cross: list.Cross, Order: list.Order, VoteWeights: list.Weights}
	for c, raw := range list.Maps {
		m, err := decodeMap(raw)
		if err != nil {
			return fmt.Errorf("calibration map %d: %w", c, err)
		}
		read.Maps = append(read.Maps, m)
	}
	again, err := read.MarshalJSON()
	if err != nil {
		return err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return fmt.Errorf("%w: %w", errForm, err)
	}
	if !bytes.Equal(again, compact.Bytes()) {
		return errForm
	}
	*s = read
	return nil
}

func decodeMap(raw []byte) (Map, error) {
	var head struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", errForm, err)
	}
	if head.Kind == "" && string(raw) == "null" {
		return nil, nil
	}
	switch head.Kind {
	case kindIdentity:
		return Identity{}, nil
	case kindSigmoid:
		return decodeAs[Sigmoid](raw)
	case kindIsotonic:
		return decodeAs[Isotonic](raw)
	case kindBeta:
		return decodeAs[BetaCurve](raw)
	case kindPower:
		return decodeAs[Power](raw)
	case kindVenn:
		return decodeAs[VennAbersTable](raw)
	default:
		return nil, fmt.Errorf("kind %s is unknown; update rfpragma if a newer one wrote the file", english.Quote(head.Kind))
	}
}

func decodeAs[M Map](raw []byte) (Map, error) {
	var m M
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("%w: %w", errForm, err)
	}
	return m, nil
}
