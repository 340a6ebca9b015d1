package main

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A child over the limit ends with all it started, and what it printed is no result.
func TestOverTheLimit(t *testing.T) {
	for _, tc := range []struct {
		name string
		ctx  func() (context.Context, context.CancelFunc)
		want error
	}{
		{"limit", func() (context.Context, context.CancelFunc) {
			return context.WithTimeoutCause(context.Background(), 300*time.Millisecond, errSlow)
		}, errSlow},
		{"interrupt", func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(300*time.Millisecond, cancel)
			return ctx, cancel
		}, context.Canceled},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, cancel := tc.ctx()
			defer cancel()
			cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 600 & wait")
			group(cmd)
			if _, err := output(ctx, cmd); !errors.Is(err, tc.want) {
				t.Errorf("output: %v, want %v", err, tc.want)
			}
			// Of the group nobody is left; its last member may still be waiting to be reaped.
			for range 100 {
				if err := syscall.Kill(-cmd.Process.Pid, 0); errors.Is(err, syscall.ESRCH) {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Error("what the child started still runs")
		})
	}
}

func TestFailedChild(t *testing.T) {
	cmd := exec.Command("sh", "-c", "echo no module >&2; exit 3")
	if _, err := output(t.Context(), cmd); err == nil || !strings.Contains(err.Error(), "exit status 3: no module") {
		t.Errorf("output: %v", err)
	}
}

func TestParse(t *testing.T) {
	got, err := parse([]byte("a library says hello\n{\"version\": \"1.2\", \"mtry\": 4, \"fit_s\": 0.5, \"nodes\": null}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Version != "1.2" || got.Mtry != 4 || got.FitS != 0.5 || got.Nodes == got.Nodes || got.RowUS == got.RowUS {
		t.Errorf("parse = %+v, want nodes and row_us NaN", got)
	}
	if _, err := parse([]byte("hello\n")); err == nil || !strings.Contains(err.Error(), `the last line is no result: "hello"`) {
		t.Errorf("parse of no result: %v", err)
	}
}

func TestAbsentPeer(t *testing.T) {
	b := &bench{python: "no-such-python", scratch: t.TempDir(), threads: 1}
	_, err := b.ask(t.Context(), time.Minute, tables[0].peers()[0])
	if !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("ask: %v, want %v", err, exec.ErrNotFound)
	}
	if got := tables[0].peers()[0].install; got != "python3 -m pip install scikit-learn" {
		t.Errorf("install = %q", got)
	}
}
