package dataset

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// TestRealSets reads public benchmark sets and compares them with what their list says.
func TestRealSets(t *testing.T) {
	dir := os.Getenv("RFPRAGMA_DATA")
	if dir == "" {
		t.Skip("set RFPRAGMA_DATA to a folder with the public benchmark sets, see README")
	}
	text, err := os.ReadFile(filepath.Join(dir, "sets.json"))
	if os.IsNotExist(err) {
		t.Skip("the folder RFPRAGMA_DATA has no sets.json, a list of what is in the sets, to compare with")
	}
	if err != nil {
		t.Fatal(err)
	}
	var sets []struct {
		Name, File, Label string
		Rows, Features    int
		Categorical       []string
		Classes           map[string]int
		Missing           int `json:"missing_cells"`
	}
	if err := json.Unmarshal(text, &sets); err != nil || len(sets) == 0 {
		t.Fatalf("%d sets in the list: %v", len(sets), err)
	}
	for _, s := range sets {
		t.Run(s.Name, func(t *testing.T) {
			file, err := os.Open(filepath.Join(dir, s.File))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			f, err := ReadCSV(file, s.File, Options{Target: s.Label, Categorical: s.Categorical})
			if err != nil {
				t.Fatal(err)
			}
			missing, categorical := 0, 0
			for j, n := range f.Missing() {
				missing += n
				if f.Columns[j].Kind == Categorical {
					categorical++
				}
			}
			if f.Rows() != s.Rows || len(f.Columns) != s.Features || missing != s.Missing || categorical != len(s.Categorical) {
				t.Errorf("%d rows, %d features, %d of them categorical, %d missing cells; want %d, %d, %d, %d",
					f.Rows(), len(f.Columns), categorical, missing, s.Rows, s.Features, len(s.Categorical), s.Missing)
			}
			for c, rows := range f.ClassWeights() {
				if want := s.Classes[f.Classes[c]]; int(rows) != want {
					t.Errorf("%v rows of class %q, want %d", rows, f.Classes[c], want)
				}
			}
			if len(f.Classes) != len(s.Classes) || !slices.IsSortedFunc(f.Classes, csvtext.Order(f.Classes)) {
				t.Errorf("classes %q", f.Classes)
			}
		})
	}
}
