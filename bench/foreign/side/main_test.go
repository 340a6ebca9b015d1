package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/bench/foreign"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
)

func TestTurn(t *testing.T) {
	folder := t.TempDir()
	stem, votes, model := filepath.Join(folder, "wave"), filepath.Join(folder, "votes"), filepath.Join(folder, "model")
	for i, part := range []string{"train", "test"} {
		f := dataset.Wave(200, 3, uint64(i))
		if err := errors.Join(set.WriteRows(stem+"."+part+".X.npy", set.Cells(f)), set.WriteLabels(stem+"."+part+".y.npy", f.Truth)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range foreign.Peers() {
		t.Run(p.Name, func(t *testing.T) {
			var out bytes.Buffer
			if err := run([]string{p.Name, stem, "10", "2", "1", votes, model}, &out); err != nil {
				t.Fatal(err)
			}
			var told struct {
				Mtry     int
				Nodes    float64
				FitS     float64 `json:"fit_s"`
				PredictS float64 `json:"predict_s"`
				Bytes    float64 `json:"file_bytes"`
			}
			if err := json.Unmarshal(out.Bytes(), &told); err != nil {
				t.Fatalf("%s: %v", out.String(), err)
			}
			if told.Mtry != 4 || told.Nodes < 50 || told.FitS <= 0 || told.PredictS <= 0 || told.Bytes <= 0 {
				t.Errorf("it tells %+v", told)
			}
			if info, err := os.Stat(votes); err != nil || info.Size() != 4*200*3 {
				t.Errorf("votes: %v, %v", info, err)
			}
			if _, err := os.Stat(model); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the file of the model is left: %v", err)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"malaschitz"}, &out); err != nil || !strings.HasPrefix(out.String(), `{"version": "`) {
		t.Errorf("version %q, %v", out.String(), err)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{nil, "it takes PEER, or PEER STEM"},
		{[]string{"weka"}, `there is no "weka" among the forests of Go`},
		{[]string{"wlattner", "no-such-set", "10", "2", "1", "votes", ""}, "make the sets with sets.py"},
		{[]string{"wlattner", "no-such-set", "ten", "2", "1", "votes", ""}, "ten"},
	} {
		if err := run(tc.args, &out); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("run %q: %v, want %q", tc.args, err, tc.want)
		}
	}
}
