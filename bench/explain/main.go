// Command explain measures the processor time in which a forest's votes are split into parts of the columns, beside the
// TreeExplainer of the Python package shap, on one forest of scikit-learn: 100 trees, grown on 10,000 made-up rows. It checks that both
// find the same parts. The TreeExplainer takes one processor; ours takes all, as rows are split independently.
//
//	go run ./explain -python PYTHON   # one that has shap and scikit-learn
//
// With names of public sets it asks instead whether the cells that reasons name, or the largest parts, are those that
// turn a decision.
//
//	go run ./explain -data FOLDER churn hypothyroid
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/internal/shapley"
)

func main() {
	command.Run("explain", run)
}

func run(ctx context.Context) error {
	python := flag.String("python", "python3", "`PYTHON` that has shap and scikit-learn")
	script := flag.String("script", "explain/explain.py", "`FILE` that it runs")
	rows := flag.Int("rows", 50, "`ROWS` to be split")
	data := flag.String("data", ".", "`FOLDER` with a folder of each set: churn/churn.csv")
	flag.Parse()
	if flag.NArg() > 0 {
		s := &study{data: *data, rows: 200}
		return s.print(ctx, flag.Args())
	}
	fmt.Printf("%d rows; processor time of a row in milliseconds\n", *rows)
	fmt.Printf("| columns | depth up to | shap | ours | shap / ours | ours on %d processors | largest difference |\n",
		runtime.GOMAXPROCS(0))
	fmt.Println("|---:|---:|---:|---:|---:|---:|---:|")
	for _, c := range []struct{ columns, depth int }{{10, 10}, {10, 30}, {30, 10}, {30, 30}, {100, 30}} {
		folder, err := os.MkdirTemp("", "explain")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		theirs, err := shap(ctx, *python, *script, folder, c.columns, c.depth, *rows)
		if err != nil {
			return err
		}
		f, err := read(filepath.Join(folder, "forest.json"))
		if err != nil {
			return err
		}
		ours, off := f.best()
		each := 1000 / float64(*rows)
		fmt.Printf("| %d | %d | %.2f | %.2f | %.1f | %.1f | %.0e |\n", c.columns, c.depth, each*theirs, each*ours,
			theirs/ours, theirs/ours*float64(runtime.GOMAXPROCS(0)), off)
	}
	return nil
}

// shap has the script fit a forest, and returns the processor seconds of the TreeExplainer.
func shap(ctx context.Context, python, script, folder string, columns, depth, rows int) (float64, error) {
	python3 := exec.CommandContext(ctx, python, script, folder, strconv.Itoa(columns), strconv.Itoa(depth),
		strconv.Itoa(rows))
	python3.Stderr = os.Stderr
	out, err := python3.Output()
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", python, script, err)
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

// scikitForest is one of scikit-learn, with rows and what shap says of them.
type scikitForest struct {
	Trees        []tree
	Rows, Values [][]float64
}

type tree struct {
	Feature, Left, Right    []int
	Threshold, Cover, Value []float64
}

func read(path string) (*scikitForest, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &scikitForest{}
	return f, json.Unmarshal(b, f)
}

// best returns the processor seconds of the best of three runs, of all threads together, and the largest difference to what shap says.
func (f *scikitForest) best() (seconds, off float64) {
	seconds = math.Inf(1)
	for range 3 {
		start := processor()
		values := f.split()
		seconds = min(seconds, processor()-start)
		for i, row := range values {
			for j, v := range row {
				off = max(off, math.Abs(v-f.Values[i][j]))
			}
		}
	}
	return seconds, off
}

// processor returns the seconds that this process has computed.
func processor() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return math.NaN()
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

// split prepares the trees, and splits what they say of the rows, which the workers share.
func (f *scikitForest) split() [][]float64 {
	ready := make([]*shapley.Tree, len(f.Trees))
	values := make([][]float64, len(f.Rows))
	workers := runtime.GOMAXPROCS(0)
	share(workers, len(ready), func(t int) { ready[t] = f.Trees[t].prepare(len(f.Trees)) })
	rooms := make([]shapley.Room, workers)
	share(workers, workers, func(w int) {
		lo, hi := w*len(values)/workers, (w+1)*len(values)/workers
		for i := lo; i < hi; i++ {
			values[i] = make([]float64, len(f.Rows[i]))
		}
		var left []bool
		for t, tree := range ready {
			for i := lo; i < hi; i++ {
				left = f.Trees[t].answers(left[:0], tree, f.Rows[i])
				tree.Add(values[i], left, &rooms[w])
			}
		}
	})
	return values
}

// share has workers do n things.
func share(workers, n int, do func(i int)) {
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	all.Wait()
}

func (t *tree) prepare(trees int) *shapley.Tree {
	nodes := make([]shapley.Node, len(t.Feature))
	for i := range nodes {
		nodes[i] = shapley.Node{Feature: t.Feature[i], Left: t.Left[i], Right: t.Right[i], Cover: t.Cover[i],
			Value: t.Value[i] / float64(trees)}
	}
	return shapley.New(nodes)
}

func (t *tree) answers(left []bool, of *shapley.Tree, x []float64) []bool {
	for _, i := range of.Tests() {
		left = append(left, x[t.Feature[i]] <= t.Threshold[i])
	}
	return left
}
