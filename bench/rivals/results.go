package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/rfpragma/rfpragma/bench/set"
)

// result is what a side makes of a set under a goal: a line of the file of results. Gaps are above our default on
// the same rows, so they are above 0 where we are better; behind them are their standard errors over the rows.
type result struct {
	Date, Set               string
	Rows, Features, Classes int
	Rare                    string // class that the goal prefers
	RareRows                int
	Side, Version, Goal     string
	Cores, Threads          int
	Seed, Limit             int // Limit is the largest number of rows that are drawn

	Pragma, PragmaGap, PragmaSE    float64
	AUC                            float64 // of the rare class against the rest, mean over the outer folds
	LogLoss, LogLossGap, LogLossSE float64
	Brier                          float64
	Seconds                        float64 // to fit, in all outer folds, with the inner ones
}

var header = []string{
	"date", "set", "rows", "features", "classes", "rare", "rare_rows", "side", "version", "goal", "cores", "threads", "seed", "limit",
	"pragma", "pragma_gap", "pragma_se", "auc", "log_loss", "log_loss_gap", "log_loss_se", "brier", "seconds",
}

// cells returns where the fields of r lie, in the order of header.
func (r *result) cells() []any {
	return []any{
		&r.Date, &r.Set, &r.Rows, &r.Features, &r.Classes, &r.Rare, &r.RareRows, &r.Side, &r.Version, &r.Goal, &r.Cores, &r.Threads, &r.Seed, &r.Limit,
		&r.Pragma, &r.PragmaGap, &r.PragmaSE, &r.AUC, &r.LogLoss, &r.LogLossGap, &r.LogLossSE, &r.Brier, &r.Seconds,
	}
}

// line returns a result without figures.
func (s *study) line(p *problem, name, version, goal string) result {
	r := result{
		Date: s.date, Set: p.name, Rows: p.frame.Rows(), Features: len(p.frame.Columns), Classes: len(p.frame.Classes), Rare: p.frame.Classes[p.rare],
		Side: name, Version: version, Goal: goal, Cores: s.cores, Threads: threads, Seed: s.seed, Limit: s.rows,
	}
	for _, c := range p.frame.Truth {
		if c == p.rare {
			r.RareRows++
		}
	}
	return r
}

// readResults reads what writeResults wrote.
func readResults(path string) ([]result, error) {
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
	results := make([]result, len(lines)-1)
	for i, line := range lines[1:] {
		for c, cell := range results[i].cells() {
			var err error
			switch cell := cell.(type) {
			case *string:
				*cell = line[c]
			case *int:
				*cell, err = strconv.Atoi(line[c])
			case *float64:
				*cell, err = strconv.ParseFloat(line[c], 64)
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: column %s: %w", path, i+2, header[c], err)
			}
		}
	}
	return results, nil
}

// writeResults writes the file of results anew.
func writeResults(path string, results []result) error {
	lines := [][]string{header}
	for _, r := range results {
		var line []string
		for _, cell := range r.cells() {
			switch cell := cell.(type) {
			case *string:
				line = append(line, *cell)
			case *int:
				line = append(line, strconv.Itoa(*cell))
			case *float64:
				line = append(line, strconv.FormatFloat(*cell, 'g', 6, 64))
			}
		}
		lines = append(lines, line)
	}
	return set.WriteCSV(path, lines)
}
