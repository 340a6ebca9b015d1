package rfpragma_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/dataset/parquet"
	"github.com/rfpragma/rfpragma/forest"
)

// C93: the same table as CSV, ARFF and Parquet gives the same bytes of a model. The files were
// written by the script beside them.
func TestSameModelOfAnyFormat(t *testing.T) {
	const folder = "dataset/parquet/testdata/"
	models := map[string][]byte{}
	files, err := filepath.Glob(folder + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		switch name := filepath.Base(path); name {
		case "table.csv", "table.arff", "dictionary.parquet", "plain.parquet", "groups.parquet", "version2.parquet":
			models[name] = modelOf(t, path)
		}
	}
	if len(models) != 6 {
		t.Fatalf("%d files, want 6", len(models))
	}
	for name, model := range models {
		if !bytes.Equal(model, models["table.csv"]) {
			t.Errorf("the model of %s is another than that of table.csv", name)
		}
	}
}

func modelOf(t *testing.T, path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Only CSV does not know that these are no numbers, or may be none.
	o := dataset.Options{Target: "class", Categorical: []string{"zip", "night", "town", "sort"}}
	open := map[string]func(io.Reader) (dataset.Source, error){
		".csv":  func(r io.Reader) (dataset.Source, error) { return dataset.CSV(r, "table", o) },
		".arff": func(r io.Reader) (dataset.Source, error) { return dataset.ARFF(r, "table") },
		".parquet": func(io.Reader) (dataset.Source, error) {
			return parquet.Open(bytes.NewReader(b), int64(len(b)), "table")
		},
	}[filepath.Ext(path)]
	s, err := open(strings.NewReader(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".csv" {
		o.Categorical = nil
	}
	frame, err := dataset.Read(s, o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rfpragma.Fit(t.Context(), frame, nil, rfpragma.Config{Forest: forest.Config{Trees: 20, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var model bytes.Buffer
	if _, err := m.WriteTo(&model); err != nil {
		t.Fatal(err)
	}
	return model.Bytes()
}
