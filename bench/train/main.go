// Command train times the growing of a forest beside scikit-learn's, on the same file, with
// the same trees, mtry and threads, in turns within one run, so that a noisy machine is noisy
// for both. The coding of the columns and the out-of-bag votes are in our time, reading the
// file is in neither.
//
//	go run ./bench/train -data letter.csv -mtry 4 -python python3
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// setup is what both sides are asked to do.
type setup struct {
	data, python, script string
	trees, mtry, threads int
	runs                 int
}

func run() error {
	var s setup
	flag.StringVar(&s.data, "data", "", "CSV file of numeric columns, the label last in a column named class")
	flag.StringVar(&s.python, "python", "python3", "interpreter that has scikit-learn (pip install scikit-learn)")
	flag.StringVar(&s.script, "script", "bench/train/sklearn_fit.py", "the peer's side")
	flag.IntVar(&s.trees, "trees", 100, "trees")
	flag.IntVar(&s.mtry, "mtry", 4, "features tried at each node")
	flag.IntVar(&s.threads, "threads", 2, "threads")
	flag.IntVar(&s.runs, "runs", 5, "turns")
	flag.Parse()
	frame, err := read(s.data)
	if err != nil {
		return err
	}
	p, err := start(s)
	if err != nil {
		return err
	}
	defer p.stop()
	fmt.Printf("scikit-learn %s, %d trees, mtry %d, %d threads, %d rows × %d\n", p.version, s.trees, s.mtry, s.threads, frame.Rows(), len(frame.Columns))
	var ours, theirs []float64
	for seed := range s.runs {
		took, accuracy, err := grow(frame, s, uint64(seed)+1)
		if err != nil {
			return err
		}
		peerTook, peerAccuracy, err := p.fit(seed + 1)
		if err != nil {
			return err
		}
		ours, theirs = append(ours, took), append(theirs, peerTook)
		fmt.Printf("seed %d: rfpragma %.3f s (out-of-bag accuracy %.4f), scikit-learn %.3f s (%.4f)\n", seed+1, took, accuracy, peerTook, peerAccuracy)
	}
	a, b := median(ours), median(theirs)
	fmt.Printf("median: rfpragma %.3f s, scikit-learn %.3f s: %.2f times faster\n", a, b, b/a)
	return nil
}

func read(path string) (*dataset.Frame, error) {
	if path == "" {
		return nil, errors.New("name a file with -data")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	frame, err := dataset.ReadCSV(f, path, dataset.Options{Target: "class"})
	if err != nil {
		return nil, err
	}
	for j, c := range frame.Columns { // cells as the peer has them, so that coding them takes its time
		values := make([]float64, c.Len())
		for i := range values {
			values[i] = c.At(i)
		}
		frame.Columns[j] = dataset.Column{Field: c.Field, Values: values}
	}
	return frame, nil
}

// grow returns the seconds our side takes and its out-of-bag accuracy.
func grow(frame *dataset.Frame, s setup, seed uint64) (seconds, accuracy float64, err error) {
	begin := time.Now()
	_, oob, err := forest.Grow(context.Background(), frame, forest.Config{Trees: s.trees, Mtry: s.mtry, Workers: s.threads, Seed: seed})
	if err != nil {
		return 0, 0, err
	}
	seconds = time.Since(begin).Seconds()
	accuracy, _ = oob.Confuse(nil).Accuracy()
	return seconds, accuracy, nil
}

// peer is the running Python side.
type peer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	version string
}

func start(s setup) (*peer, error) {
	cmd := exec.Command(s.python, s.script, s.data, strconv.Itoa(s.trees), strconv.Itoa(s.mtry), strconv.Itoa(s.threads))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; name an interpreter that has scikit-learn with -python", err)
	}
	p := &peer{cmd: cmd, in: in, out: bufio.NewReader(out)}
	if _, err := fmt.Fscanln(p.out, &p.version); err != nil {
		return nil, fmt.Errorf("the peer did not start (%w); name an interpreter that has scikit-learn with -python", err)
	}
	return p, nil
}

func (p *peer) fit(seed int) (seconds, accuracy float64, err error) {
	if _, err := fmt.Fprintln(p.in, seed); err != nil {
		return 0, 0, err
	}
	_, err = fmt.Fscanln(p.out, &seconds, &accuracy)
	return seconds, accuracy, err
}

func (p *peer) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[len(x)/2] + x[(len(x)-1)/2]) / 2
}
