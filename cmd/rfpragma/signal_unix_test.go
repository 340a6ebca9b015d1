//go:build unix

package main

import (
	"io"
	"syscall"
	"testing"
)

// The signals themselves, as far as the exit code.
func TestUnderSignals(t *testing.T) {
	for _, tc := range []struct {
		signal syscall.Signal
		want   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}} {
		stdin := &silent{asked: make(chan struct{})}
		ended := make(chan int)
		go func() { ended <- underSignals([]string{"rfpragma", "cv", "-"}, stdin, io.Discard, io.Discard) }()
		<-stdin.asked
		if err := syscall.Kill(syscall.Getpid(), tc.signal); err != nil {
			t.Fatal(err)
		}
		if got := <-ended; got != tc.want {
			t.Errorf("%v: exit %d, want %d", tc.signal, got, tc.want)
		}
	}
	if got := underSignals([]string{"rfpragma", "--version"}, nil, io.Discard, io.Discard); got != exitDone {
		t.Errorf("without a signal: exit %d", got)
	}
}

// silent is a stdin on which nobody types.
type silent struct{ asked chan struct{} }

func (s *silent) Read([]byte) (int, error) {
	close(s.asked)
	select {}
}
