//go:build unix

package main

import (
	"context"
	"io"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
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

// SIGHUP has a server read its models anew, and SIGTERM ends it, once all requests are answered, without a fault.
func TestServeUnderSignals(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("the tests run under nohup")
	}
	path := filepath.Join(t.TempDir(), "card.rfp")
	m, err := rfpragma.Fit(context.Background(), dataset.Fraud(300, 1), nil, rfpragma.Config{Forest: forest.Config{Trees: 20}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	said := []*watched{{want: "1 model on http://127.0.0.1:", seen: make(chan struct{})},
		{want: "model reloaded", seen: make(chan struct{})}}
	ended := make(chan int, 1)
	go func() {
		ended <- underSignals([]string{"rfpragma", "serve", path, "--listen", "127.0.0.1:0"}, nil, io.Discard,
			io.MultiWriter(said[0], said[1]), nil)
	}()
	for i, then := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		select {
		case <-said[i].seen:
		case code := <-ended:
			t.Fatalf("exit %d: %s", code, said[i].text.String())
		}
		if err := syscall.Kill(syscall.Getpid(), then); err != nil {
			t.Fatal(err)
		}
	}
	if code := <-ended; code != cli.ExitDone {
		t.Errorf("exit %d, want 0: %s", code, said[0].text.String())
	}
}
