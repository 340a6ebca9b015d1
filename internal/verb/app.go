package verb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/licences"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/verb/datasets"
	"github.com/rfpragma/rfpragma/internal/verb/exchange"
	"github.com/rfpragma/rfpragma/internal/view"
)

// Run executes a command line and returns its exit code. Results go to stdout, talk,
// warnings and errors to stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	option.ForShell()
	p := &cli.Program{Ctx: ctx, Stdin: stdin, Stdout: &cli.Remember{W: stdout}, Stderr: stderr, Beside: io.Discard}
	err := parallel.Safely(func() error { return run(p, ctx, args) })
	if err == nil {
		err = p.Stdout.(*cli.Remember).Err
	}
	var fault *parallel.Fault
	if errors.As(err, &fault) {
		fmt.Fprintf(stderr, "rfpragma: %v\nPlease report it with the command line and these lines:\n%s", fault, fault.Stack)
		return cli.ExitBug
	}
	if cli.QuietPipe(err) {
		return cli.ExitDone
	}
	code := cli.ExitCode(ctx, err)
	if err != nil {
		if code == 130 || code == 143 {
			err = context.Cause(ctx)
		}
		err = p.Whence(err)
		p.Line.End()
		fmt.Fprintf(stderr, "rfpragma: %s\n", layout.Printable(strings.TrimRight(err.Error(), "\n")))
	}
	return code
}

func run(p *cli.Program, ctx context.Context, args []string) error {
	app := app(p)
	app.Setup()
	if len(args) == 2 && args[1] == "version" {
		args = []string{args[0], "--version"} // as so many programs have it
	}
	if len(args) == 2 && args[1] == "--licenses" {
		_, err := io.WriteString(p.Stdout, licences.Text)
		return err
	}
	if cli.Help(p.Stdout, args) {
		return nil
	}
	args, err := cli.Permute(app, args)
	if err != nil {
		return err
	}
	if args, err = p.Settle(app, args); err != nil {
		return err
	}
	err = app.RunContext(ctx, args)
	var topic urfave.ExitCoder // the library's: help on what is no verb
	if errors.As(err, &topic) {
		return cli.NoHelp(app, args[len(args)-1])
	}
	return err
}

func app(p *cli.Program) *urfave.App {
	app := &urfave.App{
		Name:  "rfpragma",
		Usage: "decisions on rare and costly classes with a random forest",
		Description: "Grows a forest, keeps every row's raw votes, and finds the class vote weights that are best\n" +
			"for what you prefer; maps votes to calibrated probabilities; says by nested cross-validation\n" +
			"what to expect.\n\n" +
			"First steps:\n" +
			"  rfpragma cv                                          the built-in example\n" +
			"  rfpragma inspect data.csv                            look at your data first\n" +
			"  rfpragma cv data.csv --prefer ill                    your data, class 'ill' matters most\n" +
			"  rfpragma cv data.csv --ask                           asked in plain words what matters\n" +
			"  rfpragma train data.csv --prefer ill -o model.rfp    keep a model",
		Writer: p.Stdout, ErrWriter: p.Stderr,
		Version:                   strings.Join(view.BuildVersion(), "\n"),
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*urfave.Context, error) {},
		OnUsageError:              cli.UsageFault,
		CustomAppHelpTemplate:     cli.RootTemplate(),
		Action: func(c *urfave.Context) error {
			if c.Args().Len() == 0 {
				c.App.Writer = p.Stderr // as of a fault, whose code it has
				if err := urfave.ShowAppHelp(c); err != nil {
					return err
				}
				return cli.Usagef("say what to do: write a verb, as in the first steps above")
			}
			return cli.NoVerb(c.App, c.Args().First())
		},
	}
	app.Commands = []*urfave.Command{
		cvCommand(p), trainCommand(p), predictCommand(p), evaluateCommand(p),
		tuneCommand(p), calibrateCommand(p), inspectCommand(p), datasets.SplitCommand(p),
		importanceCommand(p), reportCommand(p), exploreCommand(p), monitorCommand(p), serveCommand(p),
		exchange.ExportCommand(p),
		datasets.GenerateCommand(p), datasets.DataCommand(p),
		growCommand(p), tallyCommand(p), mergeCommand(p),
		exchange.ImportCommand(p, exchange.Shared{Output: modelOutput, Read: readFor, Show: showModel}),
		pipeCommand(p), cli.CompletionCommand(p),
		manCommand(p),
	}
	for _, c := range app.Commands {
		c.OnUsageError = cli.UsageFault
		c.HideHelpCommand = true
		c.CustomHelpTemplate = cli.HelpTemplate
		if len(c.Flags) == 0 {
			continue
		}
		c.Flags = append(c.Flags, cli.CommonFlags()...)
		act := c.Action
		c.Action = func(c *urfave.Context) error {
			if c.Bool("print-config") {
				return p.PrintConfig(c)
			}
			p.Quiet = c.Bool("quiet")
			return cli.WithNameHint(c, act(c))
		}
	}
	return app
}

// manCommand prints the manual page.
func manCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:        "man",
		Usage:       "print the manual page",
		Description: `  rfpragma man > rfpragma.1                              man -l rfpragma.1 shows it`,
		Action: func(c *urfave.Context) error {
			if _, err := cli.Arguments(c, 0, 0); err != nil {
				return err
			}
			_, err := io.WriteString(p.Stdout, cli.Manual(app(p)))
			return err
		},
	}
}
