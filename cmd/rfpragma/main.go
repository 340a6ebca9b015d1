// Command rfpragma makes decisions on rare and costly classes with a random forest.
//
//	rfpragma cv                       try it on the built-in example
//	rfpragma cv data.csv --prefer ill
//	rfpragma train data.csv --prefer ill -o model.rfp
//	rfpragma predict model.rfp new.csv -o out.csv
//
// Every verb explains itself: rfpragma help VERB.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/verb"
)

func main() {
	saveMemory()
	os.Exit(underSignals(os.Args, os.Stdin, openOutput(os.Stdout), os.Stderr, os.Exit))
}

// saveMemory has garbage collected when there is a fifth of what is in use, not as much again: nearly
// all of that is tables of numbers, which cost the collector no time. GOGC says otherwise.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(20)
	}
}

// grace is how long the command has after a signal to end by itself, but for a verb that needs more.
const grace = 800 * time.Millisecond

// underSignals runs the command until it is done or the first signal; a second signal ends
// the process at once. A closed pipe is no signal but an error of writing, see QuietPipe.
//
// Work that a signal does not end in time, such as writing to a pipe that nobody reads, is
// abandoned: exit ends the process, which leaves files whole, see internal/atomicfile.
func underSignals(args []string, stdin io.Reader, stdout, stderr io.Writer, exit func(code int)) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var needs cli.Grace
	ctx = needs.With(ctx)
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	heeded := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		heeded = append(heeded, syscall.SIGHUP)
	}
	signal.Notify(signals, heeded...)
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		var cause cli.Stopped
		for cause.Signal == nil || cause.Signal == syscall.SIGHUP && needs.Hangups() {
			select {
			case <-ended:
				return
			case cause.Signal = <-signals:
			}
		}
		signal.Reset(heeded...)
		cancel(cause)
		select {
		case <-ended:
		case <-time.After(grace + needs.More()):
			line := ""
			if cli.TerminalWidth(stderr)() > 0 {
				line = cli.Wiped
			}
			fmt.Fprintf(stderr, "%srfpragma: %v\n", line, cause)
			exit(cli.ExitCode(ctx, cause))
		}
	}()
	return verb.Run(ctx, args, stdin, stdout, stderr)
}
