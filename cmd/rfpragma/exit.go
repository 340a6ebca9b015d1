package main

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
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// The exit codes. Scripts rely on them.
const (
	exitDone  = 0
	exitBug   = 1 // a fault in rfpragma
	exitUsage = 2 // the command line
	exitData  = 3 // what the data says
	exitModel = 4 // what the model file says
	exitIO    = 5 // reading or writing failed
	exitLimit = 6 // refused: too large
	exitFloor = 7 // what is required cannot be reached
	exitDrift = 8 // drift shows, and that was to be told

	exitInterrupt = 130 // stopped by SIGINT or SIGHUP
	exitTerminate = 143 // stopped by SIGTERM
)

// usageError is a fault of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// stopped is the cause of a context that ended by a signal.
type stopped struct{ signal os.Signal }

func (s stopped) Error() string { return "stopped by signal: " + s.signal.String() }

// exitCode sorts an error into the code that scripts see.
func exitCode(ctx context.Context, err error) int {
	var (
		usage     usageError
		dataUsage *dataset.UsageError
		spec      *pragma.SpecError
		limit     *dataset.LimitError
		path      *fs.PathError
		link      *os.LinkError
		errno     syscall.Errno
		network   networkError
		drift     driftError
		stop      stopped
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(context.Cause(ctx), &stop):
		if stop.signal == syscall.SIGTERM {
			return exitTerminate
		}
		return exitInterrupt
	case errors.Is(err, rfpragma.ErrFormat): // before what a model file may have of settings
		return exitModel
	case errors.As(err, &usage), errors.As(err, &dataUsage), errors.As(err, &spec),
		errors.Is(err, forest.ErrConfig), errors.Is(err, rfpragma.ErrConfig), errors.Is(err, anneal.ErrSetting), errors.Is(err, anneal.ErrTrain), errors.Is(err, eval.ErrConfig):
		return exitUsage
	case errors.As(err, &limit), errors.Is(err, forest.ErrMemory):
		return exitLimit
	case errors.Is(err, anneal.ErrFloors):
		return exitFloor
	case errors.As(err, &drift):
		return exitDrift
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &errno), errors.As(err, &network),
		errors.Is(err, io.ErrShortWrite), errors.Is(err, io.ErrClosedPipe):
		return exitIO
	default:
		return exitData
	}
}

// quietPipe reports whether the reader of our output went away, which is no error: it has
// seen what it wanted.
func quietPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
