package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/bench/measure"
	"github.com/rfpragma/rfpragma/dataset"
)

func TestChoose(t *testing.T) {
	got, err := choose(plan, "wide,letter", "-sets")
	if err != nil || !slices.Equal(names(got), []string{"letter", "wide"}) {
		t.Errorf("choose = %v, %v", got, err)
	}
	if got, err := choose(sides[1:], "", "-peers"); err != nil || len(got) != 0 {
		t.Errorf("choose of nothing = %v, %v", got, err)
	}
	if _, err := choose(plan, "letters", "-sets"); err == nil || !strings.Contains(err.Error(), `there is no "letters"; choose of letter,satimage`) {
		t.Errorf("choose: %v", err)
	}
}

func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"letter"}, `unexpected "letter"; name sets with -sets`},
		{[]string{"-seeds", "0"}, "at least 1"},
		{[]string{"-peers", "weka"}, `there is no "weka"`},
		{[]string{"-print", "-results", filepath.Join(t.TempDir(), "no.csv")}, "no such file"},
		{[]string{"ours", "stem"}, "takes STEM TREES THREADS SEED VOTES MODEL"},
	} {
		var out, complaint bytes.Buffer
		if err := run(t.Context(), tc.args, &out, &complaint); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("run %q: %v, want %q", tc.args, err, tc.want)
		}
	}
}

// writePart writes what sets.py would.
func writePart(t *testing.T, stem string, f *dataset.Frame) {
	t.Helper()
	var cells, labels []uint32
	row := make([]float64, len(f.Columns))
	for i, c := range f.Truth {
		f.Row(row, i)
		for _, v := range row {
			cells = append(cells, math.Float32bits(float32(v)))
		}
		labels = append(labels, uint32(c))
	}
	for end, part := range map[string]struct {
		descr, shape string
		words        []uint32
	}{
		".X.npy": {"<f4", fmt.Sprintf("%d, %d", f.Rows(), len(row)), cells},
		".y.npy": {"<i4", fmt.Sprintf("%d,", f.Rows()), labels},
	} {
		head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", part.descr, part.shape)
		b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
		b = append(b, head...)
		for _, w := range part.words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		if err := os.WriteFile(stem+end, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Our side on a small set, as a peer's would be: numbers are told, and votes judged.
func TestOurs(t *testing.T) {
	folder := t.TempDir()
	stem := filepath.Join(folder, "wave")
	writePart(t, stem+".train", dataset.Wave(300, 3, 1))
	writePart(t, stem+".test", dataset.Wave(100, 3, 2))
	votes, model := filepath.Join(folder, "votes"), filepath.Join(folder, "model")
	var out bytes.Buffer
	if err := run(t.Context(), []string{"ours", stem, "20", "2", "1", votes, model}, &out, os.Stderr); err != nil {
		t.Fatal(err)
	}
	got, err := parse(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got.Mtry != 4 || got.FitS <= 0 || got.PredictS <= 0 || got.Nodes < 60 || got.RowUS <= 0 || got.RowAllocs != 0 ||
		got.DecideUS <= 0 || got.FileBytes < 6*got.Nodes || got.LoadS <= 0 {
		t.Errorf("ours tells %+v", got)
	}
	if peak := measure.PeakMB(); peak == peak && (float64(got.FitMB) <= 0 || got.PeakMB < got.FitMB) {
		t.Errorf("ours tells of memory %g, then %g MB", got.FitMB, got.PeakMB)
	}
	j, err := (&bench{data: folder}).judge(set{name: "wave"})
	if err != nil {
		t.Fatal(err)
	}
	// The best rule reaches 0.86, a class named blindly 0.33.
	if s, err := j.scoreFile(votes); err != nil || s.Accuracy < 0.7 || s.LogLoss > 1 {
		t.Errorf("ours is worth %+v, %v", s, err)
	}
	if _, err := os.Stat(model); err == nil {
		t.Error("the file of the model is left")
	}
}
