package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	sets "github.com/rfpragma/rfpragma/bench/set"
)

// result is one turn of a side: a line of the file of results.
type result struct {
	Date                           string
	Set                            string
	Rows, Features, Classes, Tests int
	Side                           string
	Cores, Threads, Trees, Seed    int
	Status                         string // ok, failed, or over how many seconds
	told
	score
}

// String returns one line for whoever waits.
func (r result) String() string {
	if r.Status != ok {
		return r.Side + ": " + r.Status
	}
	return fmt.Sprintf("%s: fit %.3f s, predict %.3f s, peak %.0f MB, accuracy %.4f", r.Side, float64(r.FitS), float64(r.PredictS), float64(r.PeakMB), float64(r.Accuracy))
}

// ok is the Status of a run that has numbers.
const ok = "ok"

// number is a float64 that is NaN where it is not known, which is null in JSON and empty in CSV.
type number float64

var nan = number(math.NaN())

// MarshalJSON writes NaN as null.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 64), nil
}

var header = []string{
	"date", "set", "rows", "features", "classes", "test_rows", "side", "version", "cores", "threads", "trees", "mtry", "seed", "status",
	"fit_s", "predict_s", "fit_mb", "peak_mb", "accuracy", "recall", "precision", "pragma", "log_loss", "nodes",
	"row_us", "row_allocs", "decide_us", "decide_allocs", "file_bytes", "load_s",
}

// cells returns where the fields of r lie, in the order of header.
func (r *result) cells() []any {
	return []any{
		&r.Date, &r.Set, &r.Rows, &r.Features, &r.Classes, &r.Tests, &r.Side, &r.Version, &r.Cores, &r.Threads, &r.Trees, &r.Mtry, &r.Seed, &r.Status,
		&r.FitS, &r.PredictS, &r.FitMB, &r.PeakMB, &r.Accuracy, &r.Recall, &r.Precision, &r.Pragma, &r.LogLoss, &r.Nodes,
		&r.RowUS, &r.RowAllocs, &r.DecideUS, &r.DecideAllocs, &r.FileBytes, &r.LoadS,
	}
}

// readRuns reads what writeRuns wrote.
func readRuns(path string) ([]result, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(lines) == 0 || !slices.Equal(lines[0], header) {
		return nil, fmt.Errorf("%s: the first line is not that of results; name another file with -results", path)
	}
	runs := make([]result, len(lines)-1)
	for i, line := range lines[1:] {
		for c, cell := range runs[i].cells() {
			if err := parseCell(cell, line[c]); err != nil {
				return nil, fmt.Errorf("%s:%d: column %s: %w", path, i+2, header[c], err)
			}
		}
	}
	return runs, nil
}

func parseCell(cell any, text string) error {
	var err error
	switch cell := cell.(type) {
	case *string:
		*cell = text
	case *int:
		*cell, err = strconv.Atoi(text)
	case *number:
		value := math.NaN()
		if text != "" {
			value, err = strconv.ParseFloat(text, 64)
		}
		*cell = number(value)
	}
	return err
}

// writeRuns writes the file of results anew.
func writeRuns(path string, runs []result) error {
	lines := [][]string{header}
	for _, r := range runs {
		var line []string
		for _, cell := range r.cells() {
			line = append(line, formatCell(cell))
		}
		lines = append(lines, line)
	}
	return sets.WriteCSV(path, lines)
}

func formatCell(cell any) string {
	switch cell := cell.(type) {
	case *int:
		return strconv.Itoa(*cell)
	case *number:
		if math.IsNaN(float64(*cell)) {
			return ""
		}
		return strconv.FormatFloat(float64(*cell), 'g', 6, 64)
	default:
		return *cell.(*string)
	}
}
