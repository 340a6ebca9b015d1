package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

func TestExitCode(t *testing.T) {
	signalled := func(s os.Signal) context.Context {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(Stopped{s})
		return ctx
	}
	for _, tc := range []struct {
		name string
		ctx  context.Context
		err  error
		want int
	}{
		{"done", t.Context(), nil, ExitDone},
		{"done in spite of a signal", signalled(os.Interrupt), nil, ExitDone},
		{"usage", t.Context(), fmt.Errorf("cv: %w", Usagef("x")), ExitUsage},
		{"forest", t.Context(), fmt.Errorf("cv: %w", forest.ErrConfig), ExitUsage},
		{"votes", t.Context(), &dataset.UsageError{Text: "x"}, ExitUsage},
		{"data", t.Context(), &dataset.ParseError{Err: errors.New("x")}, ExitData},
		{"anything else", t.Context(), errors.New("x"), ExitData},
		{"model", t.Context(), fmt.Errorf("m.rfp: %w", rfpragma.ErrFormat), ExitModel},
		{"path", t.Context(), fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}), ExitIO},
		{"disk", t.Context(), syscall.ENOSPC, ExitIO},
		{"limit", t.Context(), &dataset.LimitError{Text: "x"}, ExitLimit},
		{"interrupt", signalled(os.Interrupt), context.Canceled, 130},
		{"terminate", signalled(syscall.SIGTERM), context.Canceled, 143},
	} {
		if got := ExitCode(tc.ctx, tc.err); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

// Long lists of warnings are cut.
func TestWarn(t *testing.T) {
	var out bytes.Buffer
	p := &Program{Stderr: &out, Quiet: true}
	p.Warn(make([]error, 0))
	p.Say("talk")
	if out.Len() > 0 {
		t.Errorf("%q from nothing", out.String())
	}
	var many []error
	for i := range 11 {
		many = append(many, fmt.Errorf("doubt %d", i))
	}
	p.Warn(many)
	if got := out.String(); strings.Count(got, "\n") != 9 || !strings.HasSuffix(got,
		"warning: doubt 7\nwarning: and 3 more\n") {
		t.Errorf("warnings\n%s", got)
	}
}
