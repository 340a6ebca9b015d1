package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/measure"
	sets "github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// oursVerb makes this program our side.
const oursVerb = "ours"

// ours is our side: STEM TREES THREADS SEED VOTES MODEL, as in side.py.
func ours(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) != 6 {
		return fmt.Errorf("%s takes STEM TREES THREADS SEED VOTES MODEL; it is meant for peers itself", oursVerb)
	}
	debug.SetGCPercent(20) // as in the command
	stem, votes, model := args[0], args[4], args[5]
	var numbers [3]int
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.Atoi(args[i+1]); err != nil {
			return err
		}
	}
	config := forest.Config{Trees: numbers[0], Workers: numbers[1], Seed: uint64(numbers[2])}
	t := nothingTold()
	f, err := fit(ctx, stem, config, &t)
	if err != nil {
		return err
	}
	if err := predict(ctx, stem, f, config.Workers, votes, &t); err != nil {
		return err
	}
	if model != "" {
		if err := askModel(ctx, stem, config, model, &t); err != nil {
			return err
		}
	}
	return json.NewEncoder(stdout).Encode(t)
}

// load reads a part of the set.
func load(stem, part string) (sets.Matrix, []int, error) {
	x, err := sets.Rows(stem + "." + part + ".X.npy")
	if err != nil {
		return x, nil, err
	}
	y, err := sets.Labels(stem + "." + part + ".y.npy")
	return x, y, err
}

// fit times the way from rows to forest and out-of-bag votes.
func fit(ctx context.Context, stem string, c forest.Config, t *told) (*forest.Forest, error) {
	x, y, err := load(stem, "train")
	if err != nil {
		return nil, err
	}
	t.Mtry = int(math.Sqrt(float64(x.Columns)))
	c.Mtry = t.Mtry
	classes := slices.Max(y) + 1
	begin := time.Now()
	f, oob, err := forest.Grow(ctx, sets.Coded(x, y, classes, c.Workers), c)
	if err != nil {
		return nil, err
	}
	t.FitS = number(time.Since(begin).Seconds())
	t.FitMB = number(measure.PeakMB())
	runtime.KeepAlive(x) // whoever fits holds the rows
	if oob.Rows() != x.Rows {
		return nil, fmt.Errorf("%d out-of-bag votes of %d rows", oob.Rows(), x.Rows)
	}
	t.Nodes = number(f.Nodes())
	return f, nil
}

// predict times the votes of all test rows and writes their shares, and then those of single rows.
func predict(ctx context.Context, stem string, f *forest.Forest, workers int, path string, t *told) error {
	x, y, err := load(stem, "test")
	if err != nil {
		return err
	}
	begin := time.Now()
	frame := sets.Frame(x, y, len(f.Classes))
	table, err := f.Votes(ctx, frame, workers)
	if err != nil {
		return err
	}
	t.PredictS = number(time.Since(begin).Seconds())
	t.PeakMB = number(measure.PeakMB())
	runtime.KeepAlive(x)
	shares := make([]byte, 0, 4*len(table.Counts))
	for _, n := range table.Counts {
		shares = binary.LittleEndian.AppendUint32(shares, math.Float32bits(float32(n)/float32(f.Trees())))
	}
	votes := make([]uint32, len(f.Classes))
	t.RowUS, t.RowAllocs = singly(frame, func(row []float64) { f.Vote(votes, row) })
	return os.WriteFile(path, shares, 0o600)
}

// singly asks for the first rows of the frame one by one, for some tenths of a second, and
// returns microseconds and allocations for each.
func singly(frame *dataset.Frame, ask func(row []float64)) (us, allocs number) {
	rows := make([][]float64, min(1000, frame.Rows()))
	for i := range rows {
		rows[i] = make([]float64, len(frame.Columns))
		frame.Row(rows[i], i)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, asked := time.Now(), 0
	for time.Since(begin) < 300*time.Millisecond {
		for _, row := range rows {
			ask(row)
		}
		asked += len(rows)
	}
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	return number(took.Seconds() * 1e6 / float64(asked)), number(math.Round(float64(after.Mallocs-before.Mallocs) / float64(asked)))
}

// askModel fits a whole model, saves it as path, loads it and asks it for single rows.
func askModel(ctx context.Context, stem string, c forest.Config, path string, t *told) error {
	x, y, err := load(stem, "train")
	if err != nil {
		return err
	}
	frame := sets.Frame(x, y, slices.Max(y)+1)
	m, err := rfpragma.Fit(ctx, frame, pragma.Spec{}, rfpragma.Config{Forest: c, Votes: vote.OOB})
	if err != nil {
		return err
	}
	if err := m.Save(path); err != nil {
		return err
	}
	defer os.Remove(path)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	begin := time.Now()
	if m, err = rfpragma.Load(path); err != nil {
		return err
	}
	t.LoadS = number(time.Since(begin).Seconds())
	t.FileBytes = number(info.Size())
	t.DecideUS, t.DecideAllocs = singly(frame, func(row []float64) {
		if _, fault := m.Predict(row); fault != nil {
			err = fault
		}
	})
	return err
}
