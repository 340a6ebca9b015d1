package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/export"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/download"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
)

// The exit codes. Scripts rely on them.
const (
	ExitDone  = 0
	ExitBug   = 1 // a fault in rfpragma
	ExitUsage = 2 // the command line
	ExitData  = 3 // what the data says
	ExitModel = 4 // what the model file says
	ExitIO    = 5 // reading or writing failed
	ExitLimit = 6 // refused: too large
	ExitFloor = 7 // what is required cannot be reached
	ExitDrift = 8 // drift shows, and that was to be told

	exitInterrupt = 130 // stopped by SIGINT or SIGHUP
	exitTerminate = 143 // stopped by SIGTERM
)

// UsageError is a fault of the command line.
type UsageError struct{ err error }

func (e UsageError) Error() string { return e.err.Error() }

func (e UsageError) Unwrap() error { return e.err }

// Usagef is a fault of the command line.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Stopped is the cause of a context that ended by a signal.
type Stopped struct{ Signal os.Signal }

func (s Stopped) Error() string { return "stopped by signal: " + s.Signal.String() }

// ExitCode sorts an error into the code that scripts see.
func ExitCode(ctx context.Context, err error) int {
	var (
		usage     UsageError
		dataUsage *dataset.UsageError
		spec      *pragma.SpecError
		limit     *dataset.LimitError
		path      *fs.PathError
		link      *os.LinkError
		errno     syscall.Errno
		network   download.Error
		drift     DriftError
		stop      Stopped
	)
	switch {
	case err == nil:
		return ExitDone
	case errors.As(context.Cause(ctx), &stop):
		if stop.Signal == syscall.SIGTERM {
			return exitTerminate
		}
		return exitInterrupt
	case errors.Is(err, rfpragma.ErrFormat): // before what a model file may have of settings
		return ExitModel
	case errors.As(err, &usage), errors.As(err, &dataUsage), errors.As(err, &spec),
		errors.Is(err, forest.ErrConfig), errors.Is(err, rfpragma.ErrConfig), errors.Is(err, anneal.ErrSetting),
		errors.Is(err, anneal.ErrTrain), errors.Is(err, eval.ErrConfig):
		return ExitUsage
	case errors.As(err, &limit), errors.Is(err, forest.ErrMemory), errors.Is(err, export.ErrUnsupported):
		return ExitLimit
	case errors.Is(err, anneal.ErrFloors), errors.Is(err, risk.ErrUnsure):
		return ExitFloor
	case errors.As(err, &drift):
		return ExitDrift
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &errno), errors.As(err, &network),
		errors.Is(err, io.ErrShortWrite), errors.Is(err, io.ErrClosedPipe):
		return ExitIO
	default:
		return ExitData
	}
}

// QuietPipe reports whether the reader of our output went away, which is no error: it has
// seen what it wanted.
func QuietPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// DriftError ends a verb where drift shows, if that was asked for.
type DriftError struct{ Err error }

func (e DriftError) Error() string { return e.Err.Error() }
