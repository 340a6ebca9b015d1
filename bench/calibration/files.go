package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
)

// write writes a set for peers.py: a number for each cell, empty where missing, levels by their index; then the index of the
// class and, for each seed, the outer fold.
func (s *study) write(frame *dataset.Frame, name string) error {
	if err := os.MkdirAll(s.export, 0o755); err != nil {
		return err
	}
	var head []string
	for j := range frame.Columns {
		head = append(head, fmt.Sprintf("x%d", j))
	}
	head = append(head, "class")
	folds := make([][]int, s.seeds)
	for seed := range folds {
		var err error
		if folds[seed], err = dataset.Folds(frame, s.folds, uint64(seed)); err != nil {
			return err
		}
		head = append(head, fmt.Sprintf("fold%d", seed))
	}
	lines := [][]string{head}
	for i, truth := range frame.Truth {
		var cells []string
		for j := range frame.Columns {
			cell := ""
			if v := frame.Columns[j].At(i); !math.IsNaN(v) {
				cell = strconv.FormatFloat(v, 'g', -1, 64)
			}
			cells = append(cells, cell)
		}
		cells = append(cells, strconv.Itoa(truth))
		for _, foldOf := range folds {
			cells = append(cells, strconv.Itoa(foldOf[i]))
		}
		lines = append(lines, cells)
	}
	return set.WriteCSV(filepath.Join(s.export, name+".csv"), lines)
}

// read adds what peers.py has left of a set: files SET.SEED.WAY.csv with a line of probabilities for each row.
func (s *study) read(p probs, name string, seed int, frame *dataset.Frame) error {
	paths, err := filepath.Glob(filepath.Join(s.peers, fmt.Sprintf("%s.%d.*.csv", name, seed)))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("%s: %w", filepath.Join(s.peers, name), fs.ErrNotExist)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		lines, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			return err
		}
		base := filepath.Base(path)
		way := base[len(fmt.Sprintf("%s.%d.", name, seed)) : len(base)-len(".csv")]
		if len(lines) != frame.Rows() || len(lines[0]) != len(frame.Classes) {
			return fmt.Errorf("%s: %d rows of %d classes", path, len(lines), len(lines[0]))
		}
		for _, cell := range slices.Concat(lines...) {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return err
			}
			p[way] = append(p[way], v)
		}
	}
	return nil
}

func (s *study) save() error {
	if s.log == "" {
		return nil
	}
	lines := [][]string{{"set", "votes", "way", "classes", "log_loss", "log_loss_gain", "log_loss_se", "brier", "brier_gain", "brier_se"}}
	for _, r := range s.records {
		lines = append(lines, []string{
			r.set, r.votes, r.way, strconv.Itoa(r.classes), fmt.Sprint(r.logLoss.loss), fmt.Sprint(r.logLoss.gain), fmt.Sprint(r.logLoss.se),
			fmt.Sprint(r.brier.loss), fmt.Sprint(r.brier.gain), fmt.Sprint(r.brier.se),
		})
	}
	return set.WriteCSV(s.log, lines)
}

// report prints by votes and way the mean losses over the sets, and on how many of them they are better and worse than without a map
// by more than a standard error.
func (s *study) report(out io.Writer) {
	fmt.Fprintln(out, "| votes | way | sets | log loss | lower by > 1 se | higher | Brier | lower by > 1 se | higher |\n|---|---|---|---|---|---|---|---|---|")
	var keys [][2]string
	for _, r := range s.records {
		if key := [2]string{r.votes, r.way}; !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		n, logLoss, brier := 0, tally{}, tally{}
		for _, r := range s.records {
			if r.votes == key[0] && r.way == key[1] {
				n++
				logLoss.add(r.logLoss)
				brier.add(r.brier)
			}
		}
		fmt.Fprintf(out, "| %s | %s | %d | %.4f | %d | %d | %.4f | %d | %d |\n",
			key[0], key[1], n, logLoss.sum/float64(n), logLoss.lower, logLoss.higher, brier.sum/float64(n), brier.lower, brier.higher)
	}
}

// tally sums up the scores of a way over the sets.
type tally struct {
	sum           float64
	lower, higher int // than raw, by more than a standard error
}

func (t *tally) add(s score) {
	t.sum += s.loss
	switch {
	case s.gain > s.se:
		t.lower++
	case -s.gain > s.se:
		t.higher++
	}
}
