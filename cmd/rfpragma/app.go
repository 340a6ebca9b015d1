package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/pragma"
)

// program is a run of the command: where it reads and writes.
type program struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
	beside         io.Writer // where people see a result that goes to a file; io.Discard where none does
	quiet          bool
	warned         []error           // warnings about the result, which its JSON has too
	typed          map[string]string // flags on the command line, see settle
	line           *progress         // what may stand in the last line of a terminal, or nil
	origin         map[string]string // of the flags that come from elsewhere: where they are set
	workers        int               // --threads, once it is read
	replaced       map[string]bool   // the files that were there before they were written
	wanted         pragma.Spec       // --prefer-file, once it is read
}

// run executes a command line and returns its exit code. Results go to stdout, talk,
// warnings and errors to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	option.ForShell()
	p := &program{ctx: ctx, stdin: stdin, stdout: &remember{w: stdout}, stderr: stderr, beside: io.Discard}
	err := parallel.Safely(func() error { return p.run(ctx, args) })
	if err == nil {
		err = p.stdout.(*remember).err
	}
	var fault *parallel.Fault
	if errors.As(err, &fault) {
		fmt.Fprintf(stderr, "rfpragma: %v\nPlease report it with the command line and these lines:\n%s", fault, fault.Stack)
		return exitBug
	}
	if quietPipe(err) {
		return exitDone
	}
	code := exitCode(ctx, err)
	if err != nil {
		if code == 130 || code == 143 {
			err = context.Cause(ctx)
		}
		err = p.whence(err)
		p.line.end()
		fmt.Fprintf(stderr, "rfpragma: %s\n", printable(strings.TrimRight(err.Error(), "\n")))
	}
	return code
}

func (p *program) run(ctx context.Context, args []string) error {
	app := p.app()
	app.Setup()
	if len(args) == 2 && args[1] == "version" {
		args = []string{args[0], "--version"} // as so many programs have it
	}
	if p.help(args) {
		return nil
	}
	args, err := permute(app, args)
	if err != nil {
		return err
	}
	if args, err = p.settle(app, args); err != nil {
		return err
	}
	err = app.RunContext(ctx, args)
	var topic cli.ExitCoder // the library's: help on what is no verb
	if errors.As(err, &topic) {
		return noHelp(app, args[len(args)-1])
	}
	return err
}

func (p *program) app() *cli.App {
	app := &cli.App{
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
		Writer: p.stdout, ErrWriter: p.stderr,
		Version:                   strings.Join(buildVersion(), "\n"),
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              usageFault,
		CustomAppHelpTemplate:     rootTemplate(),
		Action: func(c *cli.Context) error {
			if c.Args().Len() == 0 {
				c.App.Writer = p.stderr // as of a fault, whose code it has
				if err := cli.ShowAppHelp(c); err != nil {
					return err
				}
				return usagef("say what to do: write a verb, as in the first steps above")
			}
			return noVerb(c.App, c.Args().First())
		},
	}
	app.Commands = []*cli.Command{
		p.cvCommand(), p.trainCommand(), p.predictCommand(), p.evaluateCommand(),
		p.tuneCommand(), p.calibrateCommand(), p.inspectCommand(), p.importanceCommand(), p.reportCommand(), p.generateCommand(), p.dataCommand(),
		p.growCommand(), p.tallyCommand(), p.mergeCommand(), p.completionCommand(), p.manCommand(),
	}
	for _, c := range app.Commands {
		c.OnUsageError = usageFault
		c.HideHelpCommand = true
		c.CustomHelpTemplate = helpTemplate
		if len(c.Flags) == 0 {
			continue
		}
		c.Flags = append(c.Flags, commonFlags()...)
		act := c.Action
		c.Action = func(c *cli.Context) error {
			if c.Bool("print-config") {
				return p.printConfig(c)
			}
			p.quiet = c.Bool("quiet")
			return withNameHint(c, act(c))
		}
	}
	return app
}

func verbs(app *cli.App) []string {
	var names []string
	for _, c := range app.Commands {
		if c.Name != "help" {
			names = append(names, c.Name)
		}
	}
	return names
}

// invalid is how the flag parser complains about a value.
var invalid = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([^:]*): `)

// thousands are numbers with marks between thousands. A point may stand before decimals.
var thousands = regexp.MustCompile(`^\d{1,3}([', _]\d{3})+$`)

// usageFault turns the parser's word about a flag into one line.
func usageFault(c *cli.Context, err error, _ bool) error {
	text, root := err.Error(), c.Command.Name == c.App.Name
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		name = strings.TrimLeft(name, "-")
		if root && slices.Contains(filesElsewhere, name) {
			return usagef("%.64s stands before the verb; files stand behind it, without a flag, as in rfpragma cv FILE", dashed(name))
		}
		if root {
			return usagef("%.64s stands before the verb, where only --help and --version may; write rfpragma VERB %.64[1]s", dashed(name))
		}
		var known []string
		for _, f := range append(slices.Clone(c.Command.Flags), cli.HelpFlag) {
			known = append(known, f.Names()[0])
		}
		hint := flagHint(c.App, c.Command, known, dashed, name)
		return usagef("there is no flag %.64s%s; rfpragma help %s lists them", dashed(name), hint, c.Command.Name)
	}
	help := "rfpragma help " + c.Command.Name
	if root {
		help = "rfpragma --help"
	}
	if part := invalid.FindStringSubmatch(text); part != nil {
		value, _ := strconv.Unquote(part[1]) // as the parser has quoted it
		return wrongValue(flagNamed(c.Command.Flags, part[2]), dashed(part[2]), value, help)
	}
	return usagef("%s; %s tells what there is", text, help)
}

// wrongValue tells that a flag takes no such value.
func wrongValue(flag cli.Flag, name, value, help string) error {
	if _, whole := flag.(*cli.IntFlag); whole && strings.Trim(value, "0123456789") == "" && value != "" {
		return usagef("%s %.64s is too large; write a smaller number", name, value)
	}
	if digits := strings.NewReplacer("'", "", ",", "", "_", "", " ", "").Replace(value); thousands.MatchString(value) {
		return usagef("%s %s is not %s; write %s without marks between thousands", name, english.Quote(value), wanted(flag), digits)
	}
	return usagef("%s %s is not %s; %s tells more", name, english.Quote(value), wanted(flag), help)
}

// plainNumbers refuses whole numbers that the parser of flags would not read as people do: for it 010 is 8, and 0x10 is 16.
func plainNumbers(command *cli.Command, given map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		flag, value := flagNamed(command.Flags, name), given[name]
		switch flag.(type) {
		case *cli.IntFlag, *cli.Uint64Flag:
		default:
			continue
		}
		digits := strings.TrimLeft(value, "+-")
		if strings.Trim(digits, "0123456789") != "" {
			return wrongValue(flag, dashed(name), value, "rfpragma help "+command.Name)
		}
		if plain := strings.TrimLeft(digits, "0"); len(digits) > 1 && plain != digits {
			return usagef("%s %.64s begins with 0; write %.64s", dashed(name), value, cmp.Or(plain, "0"))
		}
	}
	return nil
}

// wanted says what a flag takes.
func wanted(f cli.Flag) string {
	switch f.(type) {
	case *cli.IntFlag:
		return "a whole number"
	case *cli.Uint64Flag:
		return "a whole number from 0 to 2^64-1"
	case *cli.GenericFlag:
		return "a share, such as 0.63 or 63%"
	default:
		return "true or false"
	}
}

// helpTemplate shows the examples of a verb first.
const helpTemplate = `{{.HelpName}}: {{.Usage}}

Examples:
{{.Description}}

Usage: {{.HelpName}}{{if .VisibleFlags}} [flags]{{end}}{{if .ArgsUsage}} {{.ArgsUsage}}{{end}}
{{range .VisibleFlagCategories}}
{{if .Name}}{{.Name}}{{else}}Other{{end}}:
{{range .Flags}}  {{.}}
{{end}}{{end}}`

// remember keeps the first error of writing, so that none is lost where a printing function
// returns nothing.
type remember struct {
	w   io.Writer
	err error
}

func (r *remember) Write(b []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.w.Write(b)
	r.err = err
	return n, err
}

// say writes a line of talk to stderr.
func (p *program) say(format string, args ...any) {
	if !p.quiet {
		p.line.end()
		fmt.Fprintln(p.stderr, printable(fmt.Sprintf(format, args...)))
	}
}

// warn tells of what one should know of the result: on stderr and in its JSON. That a table has more columns than are needed is
// said, as other talk is.
func (p *program) warn(warnings []error) {
	var grave []error
	for _, w := range warnings {
		if errors.Is(w, dataset.ErrUnmet) && !p.isTyped("missing") {
			continue // the words of a shared file of settings are for other tables, too
		}
		p.warned = append(p.warned, w)
		if errors.Is(w, dataset.ErrIgnored) || errors.Is(w, dataset.ErrUseless) { // which harm nothing
			p.say("%v", w)
		} else {
			grave = append(grave, w)
		}
	}
	p.caution(grave)
}

// untold leaves out the warnings that are told as findings: of columns that tell the class, of rows in order, of
// searches that reach nothing or prove nothing, and of columns that are not as in training.
func untold(warnings []error) []error {
	return slices.DeleteFunc(slices.Clone(warnings), func(w error) bool {
		return errors.As(w, new(*dataset.TellsWarning)) || errors.Is(w, dataset.ErrOrdered) || errors.Is(w, dataset.ErrDrift) && columnDrift(w) == nil ||
			errors.Is(w, anneal.ErrUnproven) || errors.Is(w, anneal.ErrFloors) || errors.Is(w, anneal.ErrEdge)
	})
}

// detailsFlag is that of the verbs that have a first screen.
func detailsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "details", DisableDefaultText: true, Category: "Output", Usage: "show all figures and findings"}
}

// misfit returns the warning by which rows are not for the model, if there is one, and tells the others.
func (p *program) misfit(warnings []error) error {
	at := slices.IndexFunc(warnings, func(w error) bool { return errors.Is(w, dataset.ErrMisfit) })
	if at < 0 {
		return nil
	}
	p.warn(slices.Delete(slices.Clone(warnings), at, at+1))
	return warnings[at]
}

// caution writes warnings to stderr, also when quiet. The rest of a long list is in the JSON.
func (p *program) caution(warnings []error) {
	const most = 8
	if len(warnings) > 0 {
		p.line.end()
	}
	for i, w := range warnings {
		if i == most {
			fmt.Fprintf(p.stderr, "warning: and %d more\n", len(warnings)-most)
			break
		}
		fmt.Fprintf(p.stderr, "warning: %s\n", printable(w.Error()))
	}
}

// printable escapes what steers a terminal, so that a name in the data or of a file can neither
// break a line nor steer a terminal.
func printable(text string) string {
	if !strings.ContainsFunc(text, csvtext.Steers) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if csvtext.Steers(r) {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
