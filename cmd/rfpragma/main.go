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
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/jedib0t/go-pretty/v6/text"
)

func main() {
	saveMemory()
	text.OverrideRuneWidthEastAsianWidth(false) // else tables would depend on the language of the user
	os.Exit(underSignals(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// saveMemory has garbage collected when there is a fifth of what is in use, not as much again: nearly
// all of that is tables of numbers, which cost the collector no time. GOGC says otherwise.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(20)
	}
}

// underSignals runs the command until it is done or the first signal; a second signal ends
// the process at once. A closed pipe is no signal but an error of writing, see quietPipe.
func underSignals(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	heeded := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		heeded = append(heeded, syscall.SIGHUP)
	}
	signal.Notify(signals, heeded...)
	go func() {
		s := <-signals
		signal.Reset(heeded...)
		cancel(stopped{s})
	}()
	return run(ctx, args, stdin, stdout, stderr)
}
