package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/bench/measure"
	sets "github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// oursVerb makes this program our side.
const oursVerb = "ours"

// ours is our side: SIDE STEM TREES THREADS SEED VOTES MODEL, as in side.py.
func ours(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) != 7 || !slices.Contains([]string{us, byEntropy, tuned}, args[0]) {
		return fmt.Errorf("%s takes %s, %s or %s, and STEM TREES THREADS SEED VOTES MODEL; it is meant for peers itself", oursVerb, us, byEntropy, tuned)
	}
	debug.SetGCPercent(20) // as in the command
	stem, votes, model := args[1], args[5], args[6]
	var numbers [3]int
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.Atoi(args[i+2]); err != nil {
			return err
		}
	}
	config := forest.Config{Trees: numbers[0], Workers: numbers[1], Seed: uint64(numbers[2])}
	t := nothingTold()
	if args[0] == tuned {
		if err := fitTuned(ctx, stem, config, votes, model, &t); err != nil {
			return err
		}
		return json.NewEncoder(stdout).Encode(t)
	}
	f, err := fit(ctx, args[0], stem, config, &t)
	if err != nil {
		return err
	}
	if err := predict(stem, f, config.Workers, votes, &t); err != nil {
		return err
	}
	if model != "" && args[0] == us {
		if err := askModel(ctx, stem, config, model, &t); err != nil {
			return err
		}
	}
	return json.NewEncoder(stdout).Encode(t)
}

// fit times the way from rows to forest and out-of-bag votes.
func fit(ctx context.Context, side, stem string, c forest.Config, t *told) (*forest.Forest, error) {
	x, y, err := sets.Part(stem, "train")
	if err != nil {
		return nil, err
	}
	levels, err := sets.Levels(stem)
	if err != nil {
		return nil, err
	}
	t.Mtry = int(math.Sqrt(float64(x.Columns)))
	if side == byEntropy {
		c.Criterion = forest.Entropy
	}
	c.Mtry = t.Mtry
	classes := slices.Max(y) + 1
	begin := time.Now()
	f, oob, err := forest.Grow(ctx, sets.Coded(x, y, classes, levels, c.Workers), c)
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

// part reads a part of a set as a frame.
func part(stem, name string, classes int) (*dataset.Frame, error) {
	x, y, err := sets.Part(stem, name)
	if err != nil {
		return nil, err
	}
	levels, err := sets.Levels(stem)
	if err != nil {
		return nil, err
	}
	return sets.Frame(x, y, max(classes, slices.Max(y)+1), levels), nil
}

// fitTuned times the way from rows to a model that knows what it is for: forest, weights tuned
// for the preference that the judge has too, and maps, all from the training rows alone.
func fitTuned(ctx context.Context, stem string, c forest.Config, votes, path string, t *told) error {
	train, err := part(stem, "train", 0)
	if err != nil {
		return err
	}
	t.Mtry = int(math.Sqrt(float64(len(train.Columns))))
	c.Mtry = t.Mtry
	spec := preference(rarest(train.Truth, train.Truth))
	begin := time.Now()
	m, err := rfpragma.Fit(ctx, train, spec, rfpragma.Config{TuneForest: rfpragma.TuneOff, Forest: c, Search: anneal.Search{Workers: c.Workers, Seed: c.Seed}})
	if err != nil {
		return err
	}
	t.FitS = number(time.Since(begin).Seconds())
	t.FitMB = number(measure.PeakMB())
	t.Nodes = number(m.Forest.Nodes())
	if err := predictTuned(ctx, stem, m, votes, t); err != nil || path == "" {
		return err
	}
	defer os.Remove(path)
	return saved(m, path, t)
}

// predictTuned times probabilities and decisions of all test rows, and writes them.
func predictTuned(ctx context.Context, stem string, m *rfpragma.Model, path string, t *told) error {
	k := len(m.Classes())
	frame, err := part(stem, "test", k)
	if err != nil {
		return err
	}
	begin := time.Now()
	table, err := m.Votes(ctx, frame)
	if err != nil {
		return err
	}
	probabilities, decisions := make([]float32, 0, k*frame.Rows()), make([]int32, 0, frame.Rows())
	row := make([]float64, k)
	for i := range table.Rows() {
		m.Probabilities(row, table.Votes(i))
		for _, p := range row {
			probabilities = append(probabilities, float32(p))
		}
		decisions = append(decisions, int32(m.Decide(table.Votes(i))))
	}
	t.PredictS = number(time.Since(begin).Seconds())
	t.PeakMB = number(measure.PeakMB())
	return errors.Join(writeWords(path, probabilities), writeWords(path+decided, decisions))
}

// writeWords writes words of four bytes, little-endian.
func writeWords[T float32 | int32](path string, words []T) error {
	b, err := binary.Append(nil, binary.LittleEndian, words)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

// saved saves a model as path and tells how large the file is.
func saved(m *rfpragma.Model, path string, t *told) error {
	if err := m.Save(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	t.FileBytes = number(info.Size())
	return nil
}

// predict times the votes of all test rows and writes their shares, and then those of single rows.
func predict(stem string, f *forest.Forest, workers int, path string, t *told) error {
	x, y, err := sets.Part(stem, "test")
	if err != nil {
		return err
	}
	levels, err := sets.Levels(stem)
	if err != nil {
		return err
	}
	begin := time.Now()
	counts := votesOf(f, x, workers)
	t.PredictS = number(time.Since(begin).Seconds())
	t.PeakMB = number(measure.PeakMB())
	frame := sets.Frame(x, y, len(f.Classes), levels)
	votes := make([]uint32, len(f.Classes))
	t.RowUS, t.RowAllocs = singly(frame, func(row []float64) { f.Vote(votes, row) })
	return sets.WriteShares(path, counts, f.Trees())
}

// votesOf returns the votes for the rows of a matrix, a thousand at a time, or as many as stay near the processor.
func votesOf(f *forest.Forest, x sets.Matrix, workers int) []uint32 {
	const near = 1 << 16 // cells
	k, p := len(f.Classes), x.Columns
	rows := min(1000, max(8, near/p))
	counts := make([]uint32, x.Rows*k)
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			cells := make([]float64, rows*p)
			for {
				hi := int(next.Add(int64(rows)))
				lo := hi - rows
				if hi = min(hi, x.Rows); lo >= hi {
					return
				}
				for i, v := range x.Cells[lo*p : hi*p] {
					cells[i] = float64(v)
				}
				f.VoteRows(counts[lo*k:hi*k], cells[:(hi-lo)*p])
			}
		})
	}
	group.Wait()
	return counts
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
	frame, err := part(stem, "train", 0)
	if err != nil {
		return err
	}
	m, err := rfpragma.Fit(ctx, frame, pragma.Spec{}, rfpragma.Config{TuneForest: rfpragma.TuneOff, Forest: c, Votes: vote.OOB})
	if err != nil {
		return err
	}
	defer os.Remove(path)
	if err := saved(m, path, t); err != nil {
		return err
	}
	begin := time.Now()
	if m, err = rfpragma.Load(path); err != nil {
		return err
	}
	t.LoadS = number(time.Since(begin).Seconds())
	t.DecideUS, t.DecideAllocs = singly(frame, func(row []float64) {
		if _, fault := m.Predict(row); fault != nil {
			err = fault
		}
	})
	return err
}
