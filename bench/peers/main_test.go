package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/bench/measure"
	sets "github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
)

func TestChoose(t *testing.T) {
	got, err := choose("forests,rare", "wide,letter", "ranger")
	if err != nil || !slices.Equal(names(got), []string{"forests"}) {
		t.Fatalf("choose = %v, %v; no set of rare is named", names(got), err)
	}
	if sets, sides := names(got[0].sets), names(got[0].sides); !slices.Equal(sets, []string{"letter", "wide"}) || !slices.Equal(sides, []string{us, byEntropy, "ranger"}) {
		t.Errorf("choose = %v by %v", sets, sides)
	}
	got, err = choose("rare", "", "none")
	if err != nil || len(got) != 1 || len(got[0].sets) != len(whole(got[0]).sets) || !slices.Equal(names(got[0].sides), []string{tuned, us}) {
		t.Errorf("choose of ours alone = %+v, %v", got, err)
	}
	got, err = choose("", "", "")
	if err != nil || !slices.Equal(names(got), names(tables)) || len(got[2].sides) != len(tables[2].sides) {
		t.Errorf("choose of all = %v, %v", names(got), err)
	}
	if back := whole(table{name: "go"}); len(back.sets) != 3 || len(back.sides) != 4 {
		t.Errorf("whole = %v by %v; what is not measured is shown too", names(back.sets), names(back.sides))
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
		{[]string{"-table", "forests", "-sets", "letters"}, `-sets: there is no "letters"; choose of letter,satimage`},
		{[]string{"-table", "go", "-peers", "ranger"}, `there is no "ranger"; choose of none,malaschitz`},
		{[]string{"-table", "all"}, `there is no "all"; choose of forests,go,rare`},
		{[]string{"-print", "-results", filepath.Join(t.TempDir(), "no")}, "no such file"},
		{[]string{"ours", "stem"}, "ours takes rfpragma, rfpragma:entropy or rfpragma:tuned, and STEM TREES THREADS SEED VOTES MODEL"},
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
	if err := errors.Join(sets.WriteRows(stem+".X.npy", sets.Cells(f)), sets.WriteLabels(stem+".y.npy", f.Truth)); err != nil {
		t.Fatal(err)
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
	if err := run(t.Context(), []string{"ours", us, stem, "20", "2", "1", votes, model}, &out, os.Stderr); err != nil {
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
	j, err := newSetJudge((&bench{data: folder}).stem(set{name: "wave"}, 1))
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
	out.Reset()
	if err := run(t.Context(), []string{"ours", byEntropy, stem, "20", "2", "1", votes, ""}, &out, os.Stderr); err != nil {
		t.Fatal(err)
	}
	if by, err := parse(out.Bytes()); err != nil || by.Mtry != 4 || by.Nodes >= got.Nodes {
		t.Errorf("ours like YDF tells %+v, %v; want a forest of fewer than %g nodes", by, err, got.Nodes)
	}
}

// Our side with weights and maps, on a set with a category, a missing cell and a rare class: its
// decisions are its own, and better than the plain ones by the preference they are tuned for.
func TestOursTuned(t *testing.T) {
	folder := t.TempDir()
	stem := (&bench{data: folder}).stem(set{name: "fraud", folds: true}, 2)
	train := dataset.Fraud(1500, 1)
	writePart(t, stem+".train", train)
	writePart(t, stem+".test", dataset.Fraud(1500, 2))
	levels := make([]int, len(train.Columns))
	for j, c := range train.Columns {
		levels[j] = len(c.Levels)
	}
	if err := sets.WriteLabels(stem+".levels.npy", levels); err != nil {
		t.Fatal(err)
	}
	j, err := newSetJudge(stem)
	if err != nil {
		t.Fatal(err)
	}
	worth := map[string]score{}
	for _, side := range []string{us, tuned} {
		votes, model := filepath.Join(folder, "votes"), filepath.Join(folder, "model")
		var out bytes.Buffer
		if err := run(t.Context(), []string{"ours", side, stem, "50", "2", "1", votes, model}, &out, os.Stderr); err != nil {
			t.Fatal(err)
		}
		got, err := parse(out.Bytes())
		if err != nil || got.FitS <= 0 || got.PredictS <= 0 || got.FileBytes <= 0 || got.Mtry == 0 {
			t.Errorf("%s tells %+v, %v", side, got, err)
		}
		if worth[side], err = j.scoreFile(votes); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(votes + decided); (err == nil) != (side == tuned) {
			t.Errorf("%s, decisions of its own: %v", side, err)
		}
		if err := removeBoth(votes); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "[vm]o*")); len(left) > 0 {
			t.Errorf("files left: %q", left)
		}
	}
	if worth[tuned].Pragma >= worth[us].Pragma || worth[tuned].Recall <= worth[us].Recall {
		t.Errorf("tuned %+v, plain %+v", worth[tuned], worth[us])
	}
}
