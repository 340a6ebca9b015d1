//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// started starts the command in a process of its own: this test, see TestMain.
func started(t *testing.T, line string, stdout io.Writer) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command("rfpragma", split(line)...)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &stderr
}

// L300, L303, L305, L306, L307: a process is killed, interrupted, ended or left by its terminal at
// some moment of reading, growing or saving. The file is the old or the new one, whole; after a signal
// that can be heeded the exit code tells, and nothing is left beside it.
func TestStoppedAtAnyMoment(t *testing.T) {
	skipFigures(t)
	inFolder(t, nil)
	must(t, "generate fraud --rows 3000 -o in.csv")
	must(t, "train in.csv --trees 15 --prefer fraud -o new.rfp")
	line := "train in.csv --trees 15 --prefer fraud -o m.rfp"
	begin := time.Now()
	cmd, _ := started(t, line, io.Discard)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	whole, old, renewed := time.Since(begin), "RFPRAGMA, the old model", read(t, "new.rfp")
	for i, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for moment := range 5 {
			write(t, "m.rfp", old)
			cmd, stderr := started(t, line, io.Discard)
			time.Sleep(whole * time.Duration(8*moment+2*i+1) / 38) // any moment will do
			if err := cmd.Process.Signal(signal); err != nil && !strings.Contains(err.Error(), "finished") {
				t.Fatal(err)
			}
			err := cmd.Wait()
			got := read(t, "m.rfp")
			if got != old && got != renewed {
				t.Errorf("%v: the file has %d bytes, and is neither the old model nor the new one", signal, len(got))
			}
			var ended *exec.ExitError
			// before it heeds signals, it ends by them
			if signal == syscall.SIGKILL || err == nil || !errors.As(err, &ended) ||
				ended.Sys().(syscall.WaitStatus).Signaled() {
				continue
			}
			want := map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 130}[signal]
			if code := ended.ExitCode(); code != want || !strings.HasSuffix(stderr.String(), "rfpragma: stopped by signal: "+
				signal.String()+"\n") {
				t.Errorf("%v: exit %d, want %d\n%s", signal, code, want, stderr.String())
			}
		}
	}
}

// L304: a second Ctrl-C ends the process at once, by the signal itself, whatever it waits for: here
// for the reader of a pipe that is full.
func TestSecondSignal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = w.Write(make([]byte, 1<<12))
	}
	cmd, stderr := started(t, "--version", w)
	time.Sleep(200 * time.Millisecond) // it heeds signals, and waits
	over := make(chan error)
	go func() { over <- cmd.Wait() }()
	for ending := false; !ending; {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		select {
		case err = <-over:
			ending = true
		case <-time.After(100 * time.Millisecond): // far less than it has to end by itself
		}
	}
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT || stderr.Len() > 0 {
		t.Errorf("ended by %v, want by the second signal\n%s", err, stderr.String())
	}
}

// L310: a process that is stopped and goes on makes the same model.
func TestStopAndContinue(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 3000 -o in.csv")
	must(t, "train in.csv --trees 20 --prefer fraud -o new.rfp")
	cmd, stderr := started(t, "train in.csv --trees 20 --prefer fraud -o m.rfp", io.Discard)
	for range 5 {
		time.Sleep(10 * time.Millisecond)
		for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
			if err := cmd.Process.Signal(s); err != nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if read(t, "m.rfp") != read(t, "new.rfp") {
		t.Error("another model")
	}
}

// L311: of two trainings into one file at once, one wins as a whole.
func TestTwoTrainingsIntoOneFile(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": small(60)})
	var whole []string
	for seed := range 2 {
		must(t, fmt.Sprintf("train in.csv --trees 3 --seed %d -o alone.rfp", seed+1))
		whole = append(whole, read(t, "alone.rfp"))
	}
	for range 5 {
		first, _ := started(t, "train in.csv --trees 3 --seed 1 -o m.rfp", io.Discard)
		second, _ := started(t, "train in.csv --trees 3 --seed 2 -o m.rfp", io.Discard)
		if err := errors.Join(first.Wait(), second.Wait()); err != nil {
			t.Fatal(err)
		}
		if got := read(t, "m.rfp"); got != whole[0] && got != whole[1] {
			t.Errorf("the file has %d bytes and is neither model", len(got))
		}
	}
}
