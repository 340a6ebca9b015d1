package cli

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/memory"
	"github.com/rfpragma/rfpragma/internal/view"
)

// DataOptions turns the data flags into reading options.
func (p *Program) DataOptions(c *urfave.Context) (dataset.Options, error) {
	o := dataset.Options{
		Target: c.String("target"), Positive: c.String("positive"),
		ID: c.String("id"), Weight: c.String("weight"), Amount: c.String("amount"), Group: c.String("group"),
		Time: c.String("time"), Per: c.String("by"),
		Keep:           requiredColumns(c),
		DropUnlabelled: c.Bool("drop-unlabelled"),
		Memory:         memory.Spare(os.DirFS("/")),
	}
	for _, list := range []struct {
		flag string
		to   *[]string
	}{{"categorical", &o.Categorical}, {"number", &o.Number}, {"ignore", &o.Ignore}} {
		var err error
		if *list.to, err = Names(list.flag, c.StringSlice(list.flag)); err != nil {
			return o, err
		}
	}
	var err error
	if o.Missing, err = missingWords(c.StringSlice("missing")); err != nil {
		return o, err
	}
	if o.Merge, err = merges(c.StringSlice("merge-labels")); err != nil {
		return o, err
	}
	if o.Comma, err = separator(c.String("sep")); err != nil {
		return o, err
	}
	o.Decimal, err = decimal(c.String("decimal"))
	return o, err
}

// Threads reads --threads; a command without it uses all there are.
func (p *Program) Threads(c *urfave.Context) (int, error) {
	if p.workers > 0 {
		return p.workers, nil // what is odd about it was said the first time
	}
	text := c.String("threads")
	if text == "auto" || text == "" && !c.IsSet("threads") {
		return runtime.GOMAXPROCS(0), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, Usagef("--threads %s; give a number from 1, or auto", english.Quote(text))
	}
	if most := 8 * runtime.NumCPU(); n > most {
		p.caution([]error{fmt.Errorf("--threads %d is more than this machine can use; %d are used, and the result is the "+
			"same", n, most)})
		n = most
	}
	p.workers = n
	return n, nil
}

// Format checks --format.
func Format(c *urfave.Context, known ...string) (string, error) {
	f := c.String("format")
	if !slices.Contains(known, f) {
		return "", Usagef("--format %s; choose %s", english.Quote(f), strings.Join(known, ", "))
	}
	return f, nil
}

// ResultForm reads --format of a verb that has all forms.
func ResultForm(c *urfave.Context) (string, error) {
	return Format(c, strings.Split(view.AllForms, ", ")...)
}
