package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
)

// loss is what the weights are searched for.
type loss struct {
	name    string
	measure pragma.Measure
	costs   pragma.Costs // behind the measure "cost"
	chosen  bool         // by --measure, or when the model was tuned
	unnamed []string     // classes that no --cost names
}

// into has weights searched for by it; one that was not chosen is left to follow from the preference and what is required, as the model then remembers.
func (l loss) into(cfg *rfpragma.Config) {
	if cfg.Costs = l.costs; l.chosen || l.costs.Matrix != nil {
		cfg.Measure, cfg.MeasureName = l.measure, l.name
	}
}

// loss reads what to search for, by a preference or not, beside floors. Nil classes are not known yet: it checks what it can without them.
func (p *program) loss(c *cli.Context, spec pragma.Spec, classes []string, floors []pragma.Floor) (loss, error) {
	name := c.String("measure")
	switch {
	case c.IsSet("costs") && c.IsSet("cost"):
		return loss{}, usagef("--costs and --cost are both given; give one")
	case c.IsSet("costs") || c.IsSet("cost"):
		if c.IsSet("measure") && name != "cost" {
			return loss{}, usagef("--measure %.64s and costs are both given; give one", name)
		}
		return p.costLoss(c, classes)
	case name == "cost":
		return loss{}, usagef("--measure cost needs the costs; give them with --cost CLASS=COST, or name their file with --costs")
	case c.IsSet("amount"):
		of := append(slices.Clone(classes), "CLASS", "OTHER")
		return loss{}, usagef("--amount needs costs by amount; write for example --cost %s=amount --cost %s=5", of[0], of[1])
	}
	if !c.IsSet("measure") {
		m, name, err := spec.Default(classes, floors)
		return loss{name: name, measure: m}, err
	}
	m, err := spec.ParseMeasure(name, classes)
	if err != nil {
		return loss{}, fmt.Errorf("--measure: %w", err)
	}
	return loss{name: name, measure: m, chosen: true}, nil
}

var errFloorsAndAmounts = usagef("--require counts rows, and costs by amount count what is at stake; give one")

// lossFor is loss, or that of the model, if there is one and nothing else is asked for. The measure that follows from the model's preference and floors makes way, with the
// floors, for that which follows from others; one that was chosen stays.
func (p *program) lossFor(c *cli.Context, m *rfpragma.Model, spec pragma.Spec, classes []string, floors []pragma.Floor) (loss, error) {
	if m == nil || preferred(c) || slices.ContainsFunc([]string{"measure", "costs", "cost", "amount"}, c.IsSet) {
		return p.loss(c, spec, classes, floors)
	}
	measure, err := m.Measure()
	if err != nil {
		return p.loss(c, spec, classes, floors)
	}
	follows, err := follows(m)
	if err != nil {
		return loss{}, err
	}
	if follows && c.IsSet("require") {
		return p.loss(c, spec, classes, floors)
	}
	if m.Provenance.CostsOf().Amounts() && len(required(c)) > 0 {
		return loss{}, errFloorsAndAmounts
	}
	return loss{name: m.Provenance.Measure, measure: measure, costs: m.Provenance.CostsOf(), chosen: !follows}, nil
}

// follows tells whether the measure of a model is the one that follows from its preference and what is required, and was not chosen.
func follows(m *rfpragma.Model) (bool, error) {
	had, err := m.Floors()
	if err != nil {
		return false, err
	}
	_, usual, err := m.Spec.Default(m.Classes(), had)
	return m.Provenance.Measure == usual && !m.Provenance.Chosen, err
}

// amountHint says what to write where a cost is the name of a column of the data, "" where none is.
func amountHint(c *cli.Context, costs []string) string {
	columns := lineOf(c).columns(c.Context)
	for _, text := range costs {
		class, cost, _ := strings.Cut(text, "=")
		factor, name := "", cost
		if at := strings.LastIndex(cost, "*"); at >= 0 {
			factor, name = cost[:at+1], cost[at+1:]
		}
		at := slices.IndexFunc(columns, func(column string) bool { return strings.EqualFold(column, strings.TrimSpace(name)) })
		switch {
		case at >= 0 && !lineOf(c).numeric(c.Context, columns[at]):
			return fmt.Sprintf("; column %s has other things than numbers, so it cannot say what a row costs", english.Quote(columns[at]))
		case at >= 0:
			return fmt.Sprintf("; if column %s has what it costs, write --cost %s %s", english.Quote(columns[at]), csvtext.Quote(class+"="+factor+"amount", "CLASS=amount"), csvtext.Flag("amount", columns[at], "COLUMN"))
		}
	}
	return ""
}

// costLoss reads what decisions cost.
func (p *program) costLoss(c *cli.Context, classes []string) (loss, error) {
	if classes == nil && c.IsSet("costs") {
		return loss{}, findable("costs", c.String("costs"))
	}
	costs, err := p.readCosts(c, classes)
	if err != nil {
		return loss{}, err
	}
	switch {
	case costs.Amounts() && !c.IsSet("amount"):
		return loss{}, usagef("a cost is by amount, but which column has the amounts? Name it with --amount")
	case !costs.Amounts() && c.IsSet("amount"):
		return loss{}, usagef("--amount %s is of no use: no cost is by amount; write for example --cost %s=amount", english.Quote(c.String("amount")), append(slices.Clone(classes), "CLASS")[0])
	case costs.Amounts() && len(required(c)) > 0:
		return loss{}, errFloorsAndAmounts
	}
	m, err := costs.Measure()
	return loss{name: "cost", measure: m, costs: costs, unnamed: unnamed(c, classes)}, err
}

// unnamed are the classes that no --cost names, where there are any.
func unnamed(c *cli.Context, classes []string) []string {
	if !c.IsSet("cost") {
		return nil
	}
	texts, _ := pairs("cost", c.StringSlice("cost")) // they have been read
	return slices.DeleteFunc(slices.Clone(classes), func(class string) bool {
		return slices.ContainsFunc(texts, func(text string) bool {
			at := strings.LastIndex(text, "=")
			return at >= 0 && strings.TrimSpace(text[:at]) == class
		})
	})
}

// findable refuses a file that is not there, without opening it: it may be a pipe, which is read once.
func findable(flag, path string) error {
	if path == "" {
		return usagef("--%s is empty; name the file", flag)
	}
	info, err := os.Stat(path)
	var fault *fs.PathError
	switch {
	case errors.As(err, &fault):
		fault.Op = "open"
	case info.IsDir():
		err = isFolder(path)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w%s", flag, err, fileHint(err, path))
	}
	return nil
}

func (p *program) readCosts(c *cli.Context, classes []string) (pragma.Costs, error) {
	if c.IsSet("cost") {
		texts, err := pairs("cost", c.StringSlice("cost"))
		if err != nil {
			return pragma.Costs{}, err
		}
		costs, err := pragma.ParseCosts(texts, classes)
		if err != nil {
			return costs, fmt.Errorf("--cost: %w%s", err, amountHint(c, texts))
		}
		if classes != nil {
			p.warn(costs.Warnings(classes))
		}
		return costs, nil
	}
	path := c.String("costs")
	f, err := openFile(c.Context, path)
	if err != nil {
		return pragma.Costs{}, fmt.Errorf("--costs: %w", err)
	}
	defer f.Close()
	b := bufio.NewReaderSize(f, headBytes)
	head, _ := b.Peek(headBytes) // what is wrong with the file is said below
	if t, err := csvtext.NewReader(bytes.NewReader(head), path, 0); err == nil {
		p.separated(path)(t.Comma)
	}
	costs, warnings, err := pragma.ReadCosts(b, path, classes)
	if err != nil {
		return pragma.Costs{}, fmt.Errorf("--costs: %w", err)
	}
	p.warn(warnings)
	return costs, nil
}
