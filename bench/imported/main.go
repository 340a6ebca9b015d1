// Command imported compares what forests of other programs answer with what their own programs do: for each model that
// make.py and make.R of foreign/testdata have written to a folder, on all rows of its table.
//
// usage: imported FOLDER...
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/foreign"
)

// answers is what the program of a model says of rows.
type answers struct {
	Rows     string   `json:"rows"`
	Features []string `json:"features"`
	Classes  []string `json:"classes"`
	Numbers  bool     `json:"numbers"`
	Scores   [][]any  `json:"scores"` // numbers, or their text
}

func main() {
	fmt.Println("| set | model | rows | largest difference of a score | other decisions |\n|---|---|---|---|---|")
	for _, folder := range os.Args[1:] {
		paths, err := filepath.Glob(filepath.Join(folder, "*.scores.json"))
		if err == nil && len(paths) == 0 {
			err = fmt.Errorf("%s: no answers of models", folder)
		}
		for _, path := range paths {
			if err == nil {
				err = compare(folder, strings.TrimSuffix(path, ".scores.json"))
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// compare prints a line for a model.
func compare(folder, stem string) error {
	text, err := os.ReadFile(stem + ".scores.json")
	if err != nil {
		return err
	}
	var want answers
	if err := json.Unmarshal(text, &want); err != nil {
		return err
	}
	f, err := load(stem, &want)
	if err != nil {
		return err
	}
	rows, err := os.ReadFile(filepath.Join(folder, want.Rows))
	if err != nil {
		return err
	}
	frame, err := dataset.ReadCSV(bytes.NewReader(rows), want.Rows, dataset.Options{Schema: f.Schema})
	if err != nil {
		return err
	}
	table, err := f.Votes(context.Background(), frame, 2)
	if err != nil {
		return err
	}
	rule, row, got := table.Rule(nil), make([]float64, len(f.Schema)), make([]float64, len(f.Classes))
	far, others := 0.0, 0
	for i, answer := range want.Scores {
		theirs, err := numbers(answer)
		if err != nil {
			return err
		}
		frame.Row(row, i)
		f.Scores(got, row)
		for c, v := range got {
			far = max(far, math.Abs(v-theirs[c]))
		}
		best := slices.Index(theirs, slices.Max(theirs))
		if tied := strings.Count(fmt.Sprint(theirs), fmt.Sprint(theirs[best])) > 1; rule.Decide(table.Votes(i)) != best &&
			(f.Scored() || !tied) { // whole votes that tie are decided by chance in their program
			others++
		}
	}
	fmt.Printf("| %s | %s | %d | %.2g | %d |\n", filepath.Base(folder), filepath.Base(stem), len(want.Scores), far, others)
	return nil
}

// load reads the model of any kind that has the stem.
func load(stem string, want *answers) (*foreign.Forest, error) {
	for _, ending := range []string{".json", ".txt", ".ubj", ".onnx"} {
		file, err := os.Open(stem + ending)
		if err != nil {
			continue
		}
		defer file.Close()
		o := foreign.Options{Classes: want.Classes}
		if want.Numbers {
			o.Classes = nil
		}
		if ending == ".onnx" {
			o.Features = want.Features
		}
		return foreign.Read(file, stem+ending, o)
	}
	return nil, fmt.Errorf("%s: no model", stem)
}

func numbers(values []any) ([]float64, error) {
	out := make([]float64, len(values))
	for c, v := range values {
		switch v := v.(type) {
		case float64:
			out[c] = v
		case string:
			var err error
			if out[c], err = strconv.ParseFloat(v, 64); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
