package rfpragma

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// publicSet is a public benchmark set, as sets.json in their folder has it.
type publicSet struct {
	Name, File, Label string
	Categorical       []string
}

// publicSets returns the sets in the folder RFPRAGMA_DATA; without it the test is skipped.
func publicSets(t *testing.T) (sets []publicSet) {
	t.Helper()
	folder := os.Getenv("RFPRAGMA_DATA")
	if folder == "" {
		t.Skip("set RFPRAGMA_DATA to a folder with the public benchmark sets, see README")
	}
	text, err := os.ReadFile(filepath.Join(folder, "sets.json"))
	if err != nil {
		t.Skip("the folder RFPRAGMA_DATA has no sets.json")
	}
	if err := json.Unmarshal(text, &sets); err != nil {
		t.Fatal(err)
	}
	return sets
}

func (s publicSet) read(t *testing.T) *dataset.Frame {
	t.Helper()
	file, err := os.Open(filepath.Join(os.Getenv("RFPRAGMA_DATA"), s.File))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	frame, err := dataset.ReadCSV(file, s.File, dataset.Options{Target: s.Label, Categorical: s.Categorical})
	if err != nil {
		t.Fatal(err)
	}
	return frame
}
