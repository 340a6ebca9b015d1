//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"syscall"
	"testing"
	"time"
)

// A pipe by name into which nobody writes does not hold the command up beyond a signal, whatever
// it is given as.
func TestSignalBeforeAPipe(t *testing.T) {
	trained(t)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // let go who waits
		if f, err := os.OpenFile("pipe", os.O_RDWR, 0); err == nil {
			f.Close()
		}
	})
	for _, line := range []string{
		"cv pipe", "train pipe -o new.rfp", "tune pipe", "inspect pipe", "predict pipe data.csv", "predict model.rfp pipe",
		"evaluate pipe data.csv", "evaluate model.rfp pipe", "cv data.csv --folds-from pipe", "cv data.csv --prefer-file pipe", "cv data.csv --costs pipe",
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan int, 1)
		go func() {
			ended <- run(ctx, append([]string{"rfpragma"}, split(line)...), nil, io.Discard, io.Discard)
		}()
		time.Sleep(30 * time.Millisecond) // up to the pipe
		cancel(stopped{os.Interrupt})
		select {
		case code := <-ended:
			if code != 130 {
				t.Errorf("%s: exit %d", line, code)
			}
		case <-time.After(time.Second):
			t.Errorf("%s: no end within a second of the signal", line)
		}
	}
}
