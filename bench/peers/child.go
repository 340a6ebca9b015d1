package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errSlow says that a child was stopped at its limit.
var errSlow = errors.New("over the limit")

// command returns the process of a side, not yet started. Ended through ctx it takes all that
// it started with it.
func (b *bench) command(ctx context.Context, s side, args ...string) *exec.Cmd {
	var cmd *exec.Cmd
	switch s.runs {
	case byPython:
		cmd = exec.CommandContext(ctx, b.python, append([]string{"-", s.name}, args...)...)
		cmd.Stdin = strings.NewReader(sidePython)
	case byR:
		cmd = exec.CommandContext(ctx, b.rscript, append([]string{"-", s.name}, args...)...)
		cmd.Stdin = strings.NewReader(sideR)
	case byGo:
		cmd = exec.CommandContext(ctx, "go", append([]string{"run", "-C", b.foreign, "./side", s.name}, args...)...)
	default:
		cmd = exec.CommandContext(ctx, b.self, append([]string{oursVerb, s.name}, args...)...)
	}
	threads := strconv.Itoa(b.threads)
	cmd.Env = append(os.Environ(), "TMPDIR="+b.scratch, "GOMAXPROCS="+threads, "OMP_NUM_THREADS="+threads, "OPENBLAS_NUM_THREADS="+threads)
	if s.runs == byGo {
		cmd.Env = append(cmd.Env, "GOPROXY=off") // nothing is installed without being asked for
	}
	group(cmd)
	return cmd
}

// group makes the end of cmd the end of all that it started.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

// ask runs the side and returns what its last line tells. Errors: errSlow after limit; that
// of ctx; what the side wrote last to standard error when it fails.
func (b *bench) ask(ctx context.Context, limit time.Duration, s side, args ...string) (told, error) {
	limited, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	out, err := output(limited, b.command(limited, s, args...))
	if err != nil {
		return told{}, err
	}
	return parse(out)
}

// output runs cmd, made with ctx, and returns what it printed.
func output(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		text := bytes.TrimSpace(complaint.Bytes())
		return nil, fmt.Errorf("%w: %s", err, text[max(0, len(text)-600):])
	}
	return out.Bytes(), nil
}

// told is what a side says of itself. Numbers that it does not say are NaN.
type told struct {
	Version      string `json:"version"`
	Mtry         int    `json:"mtry"`
	FitS         number `json:"fit_s"`         // seconds to fit, with all coding of the columns
	FitMB        number `json:"fit_mb"`        // peak memory up to then, with the training set, in MB of 2^20 bytes
	PredictS     number `json:"predict_s"`     // seconds for all test rows
	PeakMB       number `json:"peak_mb"`       // peak memory up to then, with the test set
	Nodes        number `json:"nodes"`         // of all trees, leaves too
	RowUS        number `json:"row_us"`        // microseconds for the votes of a single row
	RowAllocs    number `json:"row_allocs"`    // allocations
	DecideUS     number `json:"decide_us"`     // microseconds for decision and probabilities of a single row
	DecideAllocs number `json:"decide_allocs"` // allocations
	FileBytes    number `json:"file_bytes"`    // size of the saved model
	LoadS        number `json:"load_s"`        // seconds to load it
}

// nothingTold returns a told of which every number is NaN.
func nothingTold() told {
	return told{FitS: nan, FitMB: nan, PredictS: nan, PeakMB: nan, Nodes: nan, RowUS: nan, RowAllocs: nan, DecideUS: nan, DecideAllocs: nan, FileBytes: nan, LoadS: nan}
}

// parse reads the last line of a side's output; libraries may have written others before it.
func parse(out []byte) (told, error) {
	t := nothingTold()
	out = bytes.TrimSpace(out)
	line := out[bytes.LastIndexByte(out, '\n')+1:]
	if err := json.Unmarshal(line, &t); err != nil {
		return told{}, fmt.Errorf("the last line is no result: %.200q", line)
	}
	return t, nil
}
