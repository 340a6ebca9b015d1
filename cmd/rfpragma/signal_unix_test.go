//go:build unix

package main

import (
	"io"
	"os/signal"
	"sync"
	"syscall"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// The signals themselves, as far as the exit code.
func TestUnderSignals(t *testing.T) {
	for _, tc := range []struct {
		signal syscall.Signal
		want   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 130}} {
		if signal.Ignored(tc.signal) {
			continue // the tests run under nohup
		}
		stdin := &silent{asked: make(chan struct{})}
		ended := make(chan int)
		go func() { ended <- underSignals([]string{"rfpragma", "cv", "-"}, stdin, io.Discard, io.Discard, nil) }()
		<-stdin.asked
		if err := syscall.Kill(syscall.Getpid(), tc.signal); err != nil {
			t.Fatal(err)
		}
		if got := <-ended; got != tc.want {
			t.Errorf("%v: exit %d, want %d", tc.signal, got, tc.want)
		}
	}
	if got := underSignals([]string{"rfpragma", "--version"}, nil, io.Discard, io.Discard, nil); got != cli.ExitDone {
		t.Errorf("without a signal: exit %d", got)
	}
}

// Work that no signal ends, as it waits for a reader of stdout, is abandoned.
func TestSignalWhileNobodyReads(t *testing.T) {
	reader, stdout := io.Pipe()
	defer reader.Close() // let go the writer
	writes := &announced{w: stdout, begun: make(chan struct{})}
	var stderr watched
	exited := make(chan int)
	go underSignals([]string{"rfpragma", "generate", "fraud"}, nil, writes, &stderr, func(code int) { exited <- code })
	<-writes.begun
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-exited; got != 143 || stderr.text.String() != "rfpragma: stopped by signal: terminated\n" {
		t.Errorf("exit %d, want 143\n%s", got, stderr.text.String())
	}
}

// announced is a writer that says when it is written to.
type announced struct {
	w     io.Writer
	begun chan struct{}
	once  sync.Once
}

func (a *announced) Write(b []byte) (int, error) {
	a.once.Do(func() { close(a.begun) })
	return a.w.Write(b)
}

// silent is a stdin on which nobody types.
type silent struct{ asked chan struct{} }

func (s *silent) Read([]byte) (int, error) {
	close(s.asked)
	select {}
}
