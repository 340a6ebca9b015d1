// Command rfpragma-beam grows a forest, and counts its votes, on any runner of Apache Beam.
//
//	rfpragma-beam grow data.csv --trees 500 --parts 100 -o trees.part
//	rfpragma-beam tally trees.part data.csv --parts 100 -o votes.part
//	rfpragma merge trees.part votes.part --prefer ill -o model.rfp
//
// The files are those of rfpragma grow and rfpragma tally, byte for byte. Flags are named as there; --parts stands for
// --part, and the flags of Beam say where it runs.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/rfpragma/rfpragma/beamforest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// Exit codes, as those of rfpragma.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

const usage = `rfpragma-beam grows a forest, and counts its votes, on Apache Beam.

  rfpragma-beam grow data.csv --trees 500 --parts 100 -o trees.part
  rfpragma-beam tally trees.part data.csv --parts 100 -o votes.part
  rfpragma merge trees.part votes.part --prefer ill -o model.rfp

The files are those of rfpragma grow and rfpragma tally, byte for byte. Flags are named as there; each
part is an element of the pipeline, which takes one thread. All paths must be reachable by every worker.

Where it runs, by flags of Beam:
  (none)                     Prism, in this process: to try it; it serves on all network interfaces
  --runner universal --endpoint HOST:PORT --environment_type LOOPBACK|PROCESS|DOCKER|EXTERNAL
                             a job server: stand-alone Prism, Flink, Spark
  --runner dataflow ...      Google Cloud Dataflow; see its documentation for the flags
`

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(20) // as rfpragma does: what is in use is large tables, which cost the collector no time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

// run executes a command line, or works for a runner, which starts this program with flags alone.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	option.ForShell()
	if len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-h" && args[0] != "--help" {
		flag.Parse()
		beam.Init() // a worker ends here
		args = nil
	}
	verb := ""
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	j := newJob(verb)
	err := flag.ErrHelp
	switch {
	case j != nil:
		err = j.run(ctx, args, stderr)
	case verb != "help" && verb != "-h" && verb != "--help":
		err = fmt.Errorf("%w: %s is no verb; choose grow or tally", errUsage, english.Quote(verb))
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, flag.ErrHelp):
		explain(stderr, verb)
		return exitDone
	}
	fmt.Fprintf(stderr, "rfpragma-beam: %v\n", err)
	if errors.Is(err, errUsage) {
		return exitUsage
	}
	return exitFailed
}

// explain prints the help, of both verbs or one.
func explain(w io.Writer, verb string) {
	fmt.Fprint(w, usage)
	for _, each := range []string{"grow", "tally"} {
		if newJob(verb) == nil || each == verb {
			fmt.Fprintf(w, "\nFlags of %s:\n", each)
			j := newJob(each)
			j.flags.SetOutput(w)
			j.flags.PrintDefaults()
		}
	}
}

var errUsage = errors.New("usage")

// job is a verb with its flags.
type job struct {
	flags   *flag.FlagSet
	takes   []string // positional arguments, for messages
	timeout time.Duration
	build   func(s beam.Scope, args []string) (out string, err error)
}

// run runs the pipeline.
func (j *job) run(ctx context.Context, args []string, stderr io.Writer) error {
	own := map[string]bool{}
	j.flags.VisitAll(func(f *flag.Flag) { own[f.Name] = true })
	flag.VisitAll(func(f *flag.Flag) { // those of Beam
		if !own[f.Name] {
			j.flags.Var(f.Value, f.Name, f.Usage)
		}
	})
	j.flags.SetOutput(io.Discard)
	named, err := parse(j.flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w; rfpragma-beam %s -h lists the flags", errUsage, err, j.flags.Name())
	}
	if len(named) != len(j.takes) {
		return fmt.Errorf("%w: %s takes %s, %d given", errUsage, j.flags.Name(), strings.Join(j.takes, " "), len(named))
	}
	beam.Init()
	p, s := beam.NewPipelineWithRoot()
	out, err := j.build(s, named)
	if err != nil {
		return err
	}
	if j.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, j.timeout)
		defer stop()
	}
	if err := beamx.Run(ctx, p); err != nil {
		return errors.New(cause(err))
	}
	fmt.Fprintf(stderr, "%s written.\n", out)
	return nil
}

// cause returns the last line of an error of Beam: what went wrong. The lines before it, and the log, say in which step.
func cause(err error) string {
	text := strings.TrimSpace(err.Error())
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// parse reads flags that may stand anywhere, and returns the other arguments.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	var named []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return named, nil
		}
		named, args = append(named, args[0]), args[1:]
	}
}

// paths makes paths absolute, as workers have other folders to start from, and sees that the output is none of the inputs.
func paths(out *string, inputs ...*string) error {
	if *out == "" {
		return fmt.Errorf("%w: --output is missing; name the file to write", errUsage)
	}
	for _, path := range append(inputs, out) {
		if strings.Contains(*path, "://") {
			continue
		}
		full, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = full
	}
	for _, input := range inputs {
		if *input == *out {
			return fmt.Errorf("%w: --output %.256q is an input; name another file", errUsage, *out)
		}
	}
	return nil
}

// parts checks --parts.
func parts(n int) error {
	if n < 1 || n > 1<<20 {
		return fmt.Errorf("%w: --parts %d; give a number from 1 to %d", errUsage, n, 1<<20)
	}
	return nil
}

// newJob returns that of a verb, nil if there is no such verb.
func newJob(verb string) *job {
	j := &job{flags: flag.NewFlagSet(verb, flag.ContinueOnError)}
	switch verb {
	case "grow":
		j.grow()
	case "tally":
		j.tally()
	default:
		return nil
	}
	return j
}

func (j *job) grow() {
	var g beamforest.Growth
	j.takes = []string{"DATA.csv"}
	j.common(&g.Parts, &g.Out)
	dataFlags(j.flags, &g.Options)
	forestFlags(j.flags, &g.Forest)
	j.build = func(s beam.Scope, args []string) (string, error) {
		g.Data = args[0]
		err := cmp.Or(paths(&g.Out, &g.Data), parts(g.Parts), checkForest(g.Forest))
		if err == nil {
			beamforest.Grow(s, g)
		}
		return g.Out, err
	}
}

func (j *job) tally() {
	var c beamforest.Count
	j.takes = []string{"TREES.part", "DATA.csv"}
	j.common(&c.Parts, &c.Out)
	j.flags.StringVar(&c.Amount, "amount", "", "`COLUMN` of what is at stake in a row, for costs by amount")
	textFlags(j.flags, &c.Comma, &c.Decimal)
	j.build = func(s beam.Scope, args []string) (string, error) {
		c.Trees, c.Data = args[0], args[1]
		err := cmp.Or(paths(&c.Out, &c.Trees, &c.Data), parts(c.Parts))
		if err == nil {
			beamforest.Tally(s, c)
		}
		return c.Out, err
	}
}

// common adds the flags of every verb.
func (j *job) common(parts *int, out *string) {
	j.flags.IntVar(parts, "parts", 100, "`NUMBER` of elements that the work is dealt out to; it never changes the result")
	j.flags.StringVar(out, "output", "", "`FILE` to write; required")
	j.flags.StringVar(out, "o", "", "short for --output")
	j.flags.DurationVar(&j.timeout, "timeout", 0, "`TIME` after which the job is given up, such as 2h; 0 is no limit")
}
