package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRunsRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.csv")
	runs := append(turns(us, []float64{0.125, 0.25}, []float64{0.5, 0.75}), turns("ydf", []float64{3}, []float64{1})...)
	runs[2].Status = "over 300 s"
	if err := writeRuns(path, runs); err != nil {
		t.Fatal(err)
	}
	back, err := readRuns(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(runs []result) (all []string) {
		for _, r := range runs {
			for _, c := range r.cells() {
				all = append(all, formatCell(c))
			}
		}
		return all
	}
	if got, want := lines(back), lines(runs); !slices.Equal(got, want) {
		t.Errorf("read back %q, want %q", got, want)
	}
	if back[0].FitS != 0.125 || back[1].Accuracy != 0.75 || back[2].RowUS == back[2].RowUS {
		t.Errorf("read back %+v", back)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("files left: %q", left)
	}
}

// Every field has a column: told and score have as many as the header names for them.
func TestHeader(t *testing.T) {
	fields := reflect.TypeFor[result]().NumField() - 2 + reflect.TypeFor[told]().NumField() + reflect.TypeFor[score]().NumField()
	if cells := len((&result{}).cells()); len(header) != fields || cells != fields {
		t.Errorf("%d columns, %d cells, %d fields", len(header), cells, fields)
	}
}

func TestRunsRefused(t *testing.T) {
	head := strings.Join(header, ",") + "\n"
	row := slices.Repeat([]string{"1"}, len(header))
	row[2] = "many"
	for _, tc := range []struct{ text, want string }{
		{"a,b\n1,2\n", "the first line is not that of results"},
		{head + strings.Join(row, ",") + "\n", ":2: column rows:"},
	} {
		path := filepath.Join(t.TempDir(), "results.csv")
		if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readRuns(path); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("readRuns: %v, want %q", err, tc.want)
		}
	}
}

func TestNumberJSON(t *testing.T) {
	b, err := json.Marshal([]number{1.5, nan, 2e10})
	if err != nil || string(b) != "[1.5,null,2e+10]" {
		t.Errorf("Marshal = %s, %v", b, err)
	}
}
