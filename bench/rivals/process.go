package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
)

// rivalsPython is the program of all rivals of the Python world.
//
//go:embed rivals.py
var rivalsPython string

// limit is how long a rival may take on a set.
const limit = 20 * time.Minute

// task is what a rival is told of a set, in the file task.json of a folder. The cells lie in the file cells beside
// it: float64, little-endian, row by row, NaN where missing, a category as the index of its level.
type task struct {
	Rows    int     `json:"rows"`
	Classes int     `json:"classes"`
	Levels  []int   `json:"levels"` // of each column, how many levels it has; 0 if it is numeric
	Truth   []int   `json:"truth"`  // class of each row
	Outer   []int   `json:"outer"`  // outer fold of each row
	Inner   [][]int `json:"inner"`  // by outer fold, the inner fold of each row; -1 for the rows of the outer fold itself
	Parts   int     `json:"parts"`  // inner folds
	Seed    int     `json:"seed"`
	Threads int     `json:"threads"`
}

// answer is what a rival says. In the file probabilities of the folder it leaves a matrix of rows × classes for
// each outer fold, float64: the rows of the fold have the probabilities of the model of all others, and each of
// these those of a model without its inner fold.
type answer struct {
	prob    [][]float64 // by outer fold, n·k
	seconds []float64   // by outer fold, to fit the model and those of the inner folds
}

// told is the last line of a rival's output, in JSON; libraries may write others before it.
type told struct {
	Version string    `json:"version"`
	Seconds []float64 `json:"seconds"`
}

// present returns those of the sides that start, with their versions, and says of the others how to install them.
func (s *study) present(ctx context.Context, wanted []side) ([]side, map[string]string, error) {
	var there []side
	versions := map[string]string{}
	for _, w := range wanted {
		if w.install != "" {
			t, err := s.run(ctx, w.name)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if err != nil {
				text := err.Error() // of which the last line says why
				fmt.Fprintf(s.log, "%s is skipped, it does not start; to install it: %s\n\t%s\n", w.name, w.install, text[strings.LastIndexByte(text, '\n')+1:])
				continue
			}
			fmt.Fprintln(s.log, w.name, t.Version)
			versions[w.name] = t.Version
		}
		there = append(there, w)
	}
	return there, versions, nil
}

// ask has a rival say its probabilities of all rows of a set.
func (s *study) ask(ctx context.Context, p *problem, name string) (a answer, err error) {
	folder, err := os.MkdirTemp("", "rivals-")
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := s.tell(p, folder); err != nil {
		return a, err
	}
	t, err := s.run(ctx, name, folder)
	if err != nil {
		return a, err
	}
	if len(t.Seconds) != outerFolds {
		return a, fmt.Errorf("it tells the seconds of %d folds of %d", len(t.Seconds), outerFolds)
	}
	a.seconds = t.Seconds
	a.prob, err = probabilities(filepath.Join(folder, "probabilities"), p.frame.Rows(), len(p.frame.Classes))
	return a, err
}

// tell writes the task of a set into a folder.
func (s *study) tell(p *problem, folder string) error {
	t := task{Rows: p.frame.Rows(), Classes: len(p.frame.Classes), Truth: p.frame.Truth, Outer: p.outer, Inner: p.inner, Parts: innerFolds, Seed: s.seed, Threads: threads}
	for _, c := range p.frame.Columns {
		levels := 0
		if c.Kind == dataset.Categorical {
			levels = len(c.Levels)
		}
		t.Levels = append(t.Levels, levels)
	}
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "task.json"), text, 0o600); err != nil {
		return err
	}
	var cells []byte
	row := make([]float64, len(p.frame.Columns))
	for i := range p.frame.Rows() {
		p.frame.Row(row, i)
		for _, v := range row {
			cells = binary.LittleEndian.AppendUint64(cells, math.Float64bits(v))
		}
	}
	return os.WriteFile(filepath.Join(folder, "cells"), cells, 0o600)
}

// run runs the program of a rival: alone it tells its version, with a folder it does the task there.
func (s *study) run(ctx context.Context, args ...string) (told, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, s.python, append([]string{"-"}, args...)...)
	cmd.Stdin = strings.NewReader(s.script)
	n := strconv.Itoa(threads)
	// Threads that wait in a loop would take the processors from those that work.
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS="+n, "OPENBLAS_NUM_THREADS="+n, "OMP_WAIT_POLICY=PASSIVE")
	cmd.WaitDelay = 5 * time.Second
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	if ctx.Err() == nil && limited.Err() != nil {
		return told{}, fmt.Errorf("it takes longer than %v", limit)
	}
	if err != nil {
		text := bytes.TrimSpace(complaint.Bytes())
		return told{}, fmt.Errorf("%w: %s", err, text[max(0, len(text)-600):])
	}
	text := bytes.TrimSpace(out.Bytes())
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	var t told
	if err := json.Unmarshal(line, &t); err != nil {
		return t, fmt.Errorf("the last line is no result: %.200q", line)
	}
	return t, nil
}

// probabilities reads what a rival has left: a matrix of n×k for each outer fold. Rows are divided by their sum,
// which single precision leaves near 1.
func probabilities(path string, n, k int) ([][]float64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) != 8*outerFolds*n*k {
		return nil, fmt.Errorf("it leaves %d bytes of probabilities; %d folds of %d × %d make %d", len(b), outerFolds, n, k, 8*outerFolds*n*k)
	}
	all := make([][]float64, outerFolds)
	for fold := range all {
		all[fold] = make([]float64, n*k)
		for i := range n {
			row, sum := all[fold][i*k:i*k+k], 0.0
			for c := range row {
				row[c] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*((fold*n+i)*k+c):]))
				if !(row[c] >= 0) {
					return nil, fmt.Errorf("the probability of row %d, class %d, is %v", i, c, row[c])
				}
				sum += row[c]
			}
			if math.Abs(sum-1) > 1e-3 {
				return nil, fmt.Errorf("the probabilities of row %d sum to %v", i, sum)
			}
			for c := range row {
				row[c] /= sum
			}
		}
	}
	return all, nil
}
