package cli

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

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// Program is a run of the command: where it reads and writes.
type Program struct {
	Ctx            context.Context
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Beside         io.Writer // where people see a result that goes to a file; io.Discard where none does
	Quiet          bool
	Warned         []error           // warnings about the result, which its JSON has too
	Typed          map[string]string // flags on the command line, see Settle
	Line           *Progress         // what may stand in the last line of a terminal, or nil
	origin         map[string]string // of the flags that come from elsewhere: where they are set
	workers        int               // --threads, once it is read
	replaced       map[string]bool   // the files that were there before they were written
	wanted         pragma.Spec       // --prefer-file, once it is read
}

// Verbs are the names of the verbs of a command, without help.
func Verbs(app *urfave.App) []string {
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

// UsageFault turns the parser's word about a flag into one line.
func UsageFault(c *urfave.Context, err error, _ bool) error {
	text, root := err.Error(), c.Command.Name == c.App.Name
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		name = strings.TrimLeft(name, "-")
		if root && slices.Contains(filesElsewhere, name) {
			return Usagef("%.64s stands before the verb; files stand behind it, without a flag, as in rfpragma cv FILE",
				Dashed(name))
		}
		if root {
			return Usagef("%.64s stands before the verb, where only --help and --version may; write rfpragma VERB %.64[1]s",
				Dashed(name))
		}
		var known []string
		for _, f := range append(slices.Clone(c.Command.Flags), urfave.HelpFlag) {
			known = append(known, f.Names()[0])
		}
		hint := flagHint(c.App, c.Command, known, Dashed, name)
		return Usagef("there is no flag %.64s%s; rfpragma help %s lists them", Dashed(name), hint, c.Command.Name)
	}
	help := "rfpragma help " + c.Command.Name
	if root {
		help = "rfpragma --help"
	}
	if part := invalid.FindStringSubmatch(text); part != nil {
		value, _ := strconv.Unquote(part[1]) // as the parser has quoted it
		return wrongValue(FlagNamed(c.Command.Flags, part[2]), Dashed(part[2]), value, help)
	}
	return Usagef("%s; %s tells what there is", text, help)
}

// wrongValue tells that a flag takes no such value.
func wrongValue(flag urfave.Flag, name, value, help string) error {
	if _, whole := flag.(*urfave.IntFlag); whole && strings.Trim(value, "0123456789") == "" && value != "" {
		return Usagef("%s %.64s is too large; write a smaller number", name, value)
	}
	if digits := strings.NewReplacer("'", "", ",", "", "_", "", " ", "").Replace(value); thousands.MatchString(value) {
		return Usagef("%s %s is not %s; write %s without marks between thousands", name, english.Quote(value), wanted(flag),
			digits)
	}
	return Usagef("%s %s is not %s; %s tells more", name, english.Quote(value), wanted(flag), help)
}

// plainNumbers refuses whole numbers that the parser of flags would not read as people do: for it 010 is 8, and 0x10
// is 16.
func plainNumbers(command *urfave.Command, given map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		flag, value := FlagNamed(command.Flags, name), given[name]
		switch flag.(type) {
		case *urfave.IntFlag, *urfave.Uint64Flag:
		default:
			continue
		}
		digits := strings.TrimLeft(value, "+-")
		if strings.Trim(digits, "0123456789") != "" {
			return wrongValue(flag, Dashed(name), value, "rfpragma help "+command.Name)
		}
		if plain := strings.TrimLeft(digits, "0"); len(digits) > 1 && plain != digits {
			return Usagef("%s %.64s begins with 0; write %.64s", Dashed(name), value, cmp.Or(plain, "0"))
		}
	}
	return nil
}

// wanted says what a flag takes.
func wanted(f urfave.Flag) string {
	switch f.(type) {
	case *urfave.IntFlag:
		return "a whole number"
	case *urfave.Uint64Flag:
		return "a whole number from 0 to 2^64-1"
	case *urfave.GenericFlag:
		return "a share, such as 0.63 or 63%"
	default:
		return "true or false"
	}
}

// HelpTemplate shows the examples of a verb first.
const HelpTemplate = `{{.HelpName}}: {{.Usage}}

Examples:
{{.Description}}

Usage: {{.HelpName}}{{if .VisibleFlags}} [flags]{{end}}{{if .ArgsUsage}} {{.ArgsUsage}}{{end}}
{{range .VisibleFlagCategories}}
{{if .Name}}{{.Name}}{{else}}Other{{end}}:
{{range .Flags}}  {{.}}
{{end}}{{end}}`

// Remember keeps the first error of writing, so that none is lost where a printing function
// returns nothing.
type Remember struct {
	W   io.Writer
	Err error
}

func (r *Remember) Write(b []byte) (int, error) {
	if r.Err != nil {
		return 0, r.Err
	}
	n, err := r.W.Write(b)
	r.Err = err
	return n, err
}

// Say writes a line of talk to stderr.
func (p *Program) Say(format string, args ...any) {
	if !p.Quiet {
		p.Line.End()
		fmt.Fprintln(p.Stderr, layout.Printable(fmt.Sprintf(format, args...)))
	}
}

// Warn tells of what one should know of the result: on stderr and in its JSON. That a table has more columns than
// are needed is said, as other talk is.
func (p *Program) Warn(warnings []error) {
	var grave []error
	for _, w := range warnings {
		if errors.Is(w, dataset.ErrUnmet) && !p.IsTyped("missing") {
			continue // the words of a shared file of settings are for other tables, too
		}
		p.Warned = append(p.Warned, w)
		if errors.Is(w, dataset.ErrIgnored) || errors.Is(w, dataset.ErrUseless) { // which harm nothing
			p.Say("%v", w)
		} else {
			grave = append(grave, w)
		}
	}
	p.caution(grave)
}

// Untold leaves out the warnings that are told as findings: of columns that tell the class, of rows in order, of
// searches that reach nothing or prove nothing, and of columns that are not as in training.
func Untold(warnings []error) []error {
	return slices.DeleteFunc(slices.Clone(warnings), func(w error) bool {
		return errors.As(w, new(*dataset.TellsWarning)) || errors.Is(w, dataset.ErrOrdered) ||
			errors.Is(w, dataset.ErrDrift) && view.ColumnDrift(w) == nil ||
			errors.Is(w, anneal.ErrUnproven) || errors.Is(w, anneal.ErrFloors) || errors.Is(w, anneal.ErrEdge)
	})
}

// DetailsFlag is that of the verbs that have a first screen.
func DetailsFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "details", DisableDefaultText: true, Category: "Output",
		Usage: "show all figures and findings"}
}

// Misfit returns the warning by which rows are not for the model, if there is one, and tells the others.
func (p *Program) Misfit(warnings []error) error {
	at := slices.IndexFunc(warnings, func(w error) bool { return errors.Is(w, dataset.ErrMisfit) })
	if at < 0 {
		return nil
	}
	p.Warn(slices.Delete(slices.Clone(warnings), at, at+1))
	return warnings[at]
}

// caution writes warnings to stderr, also when quiet. The rest of a long list is in the JSON.
func (p *Program) caution(warnings []error) {
	const most = 8
	if len(warnings) > 0 {
		p.Line.End()
	}
	for i, w := range warnings {
		if i == most {
			fmt.Fprintf(p.Stderr, "warning: and %d more\n", len(warnings)-most)
			break
		}
		fmt.Fprintf(p.Stderr, "warning: %s\n", layout.Printable(w.Error()))
	}
}
