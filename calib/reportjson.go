package calib

import (
	"bytes"
	"encoding/json"
	"math"
)

// JSON has no word for a number that is not defined but null.

// MarshalJSON writes null for a figure that is not defined.
func (r Report) MarshalJSON() ([]byte, error) { return json.Marshal(r.overlay()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Report) UnmarshalJSON(data []byte) error {
	nan := math.NaN()
	read := Report{ // a null leaves them so
		BrierSE: nan, LogLossSE: nan, Z: nan, AUC: nan, AUCSE: nan, TiedPairs: nan, AveragePrecision: nan,
	}
	if err := json.Unmarshal(data, read.overlay()); err != nil {
		return err
	}
	*r = read
	return nil
}

type plainReport Report // without the methods

// overlay is the report with fields in place of those that may be NaN.
func (r *Report) overlay() any {
	return &struct {
		*plainReport
		BrierSE          *optional `json:"brier_se"`
		LogLossSE        *optional `json:"log_loss_se"`
		Z                *optional `json:"z"`
		AUC              *optional `json:"auc"`
		AUCSE            *optional `json:"auc_se"`
		TiedPairs        *optional `json:"tied_pairs"`
		AveragePrecision *optional `json:"average_precision"`
	}{
		(*plainReport)(r), (*optional)(&r.BrierSE), (*optional)(&r.LogLossSE), (*optional)(&r.Z),
		(*optional)(&r.AUC), (*optional)(&r.AUCSE), (*optional)(&r.TiedPairs), (*optional)(&r.AveragePrecision),
	}
}

type optional float64

func (o optional) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(o)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(o))
}

type plainEstimate Estimate

// MarshalJSON writes null for an estimate that is not defined.
func (e Estimate) MarshalJSON() ([]byte, error) {
	if math.IsNaN(e.Value) {
		return []byte("null"), nil
	}
	return json.Marshal(plainEstimate(e))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Estimate) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*e = unknown
		return nil
	}
	return json.Unmarshal(data, (*plainEstimate)(e))
}
