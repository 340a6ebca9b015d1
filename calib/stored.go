package calib

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// The kinds of stored maps.
const (
	kindIdentity = "none"
	kindSigmoid  = "sigmoid"
	kindIsotonic = "isotonic"
)

// MarshalJSON writes the maps as {"maps":[{"kind":...},...]}, with the kinds "none", "sigmoid"
// (a, b, logit) and "isotonic" (score, value, linear). Numbers keep every bit. Unsound maps
// and maps of other types are an error.
func (o OneVsRest) MarshalJSON() ([]byte, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	maps := make([]any, len(o.Maps))
	for c, m := range o.Maps {
		switch m := m.(type) {
		case Identity:
			maps[c] = struct {
				Kind string `json:"kind"`
			}{kindIdentity}
		case Sigmoid:
			maps[c] = struct {
				Kind string `json:"kind"`
				Sigmoid
			}{kindSigmoid, m}
		case Isotonic:
			maps[c] = struct {
				Kind string `json:"kind"`
				Isotonic
			}{kindIsotonic, m}
		}
	}
	return json.Marshal(map[string]any{"maps": maps})
}

var errForm = errors.New("calibration maps are not in the form they were written in (a field is unknown, missing, repeated or misspelt); train again or restore the file from a copy")

// UnmarshalJSON reads what MarshalJSON wrote, and nothing else: apart from white space a set
// of maps has one spelling, so unknown, missing, repeated or misspelt fields are all errors.
// So are maps that fail [OneVsRest.Check].
func (o *OneVsRest) UnmarshalJSON(data []byte) error {
	var list struct {
		Maps []json.RawMessage `json:"maps"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("%w: %w", errForm, err)
	}
	read := OneVsRest{}
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
	*o = read
	return nil
}

func decodeMap(raw []byte) (Map, error) {
	var head struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", errForm, err)
	}
	var m Map
	var err error
	switch head.Kind {
	case kindIdentity:
		m = Identity{}
	case kindSigmoid:
		var s Sigmoid
		err = json.Unmarshal(raw, &s)
		m = s
	case kindIsotonic:
		var s Isotonic
		err = json.Unmarshal(raw, &s)
		m = s
	default:
		return nil, fmt.Errorf("kind %.64q is unknown; update rfpragma if a newer one wrote the file", head.Kind)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errForm, err)
	}
	return m, nil
}
