package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// SetLoss has weights searched for by it; one that was not chosen is left to follow from the preference and what is
// required, as the model then remembers.
func SetLoss(l view.Loss, cfg *rfpragma.Config) {
	if cfg.Costs = l.Costs; l.Chosen || l.Costs.Matrix != nil {
		cfg.Measure, cfg.MeasureName = l.Measure, l.Name
	}
}

// ReadLoss reads what to search for, by a preference or not, beside floors. Nil classes are not known yet: it checks
// what it can without them.
func (p *Program) ReadLoss(c *urfave.Context, spec pragma.Spec, classes []string, floors []pragma.Floor) (view.Loss,
	error) {
	name := c.String("measure")
	switch {
	case c.IsSet("costs") && c.IsSet("cost"):
		return view.Loss{}, Usagef("--costs and --cost are both given; give one")
	case c.IsSet("costs") || c.IsSet("cost"):
		if c.IsSet("measure") && name != "cost" {
			return view.Loss{}, Usagef("--measure %.64s and costs are both given; give one", name)
		}
		return p.costLoss(c, classes)
	case name == "cost":
		return view.Loss{}, Usagef("--measure cost needs the costs; give them with --cost CLASS=COST, or name their file " +
			"with --costs")
	case c.IsSet("amount"):
		of := append(slices.Clone(classes), "CLASS", "OTHER")
		return view.Loss{}, Usagef("--amount needs costs by amount; write for example --cost %s=amount --cost %s=5", of[0],
			of[1])
	}
	if !c.IsSet("measure") {
		m, name, err := spec.Default(classes, floors)
		return view.Loss{Name: name, Measure: m}, err
	}
	m, err := spec.ParseMeasure(name, classes)
	if err != nil {
		return view.Loss{}, fmt.Errorf("--measure: %w", err)
	}
	return view.Loss{Name: name, Measure: m, Chosen: true}, nil
}

var errFloorsAndAmounts = Usagef("--require counts rows, and costs by amount count what is at stake; give one")

// LossFor is loss, or that of the model, if there is one and nothing else is asked for. The measure that follows
// from the model's preference and floors makes way, with the floors, for that which follows from others; one that
// was chosen stays.
func (p *Program) LossFor(c *urfave.Context, m *rfpragma.Model, spec pragma.Spec, classes []string,
	floors []pragma.Floor) (view.Loss, error) {
	if m == nil || Preferred(c) || slices.ContainsFunc([]string{"measure", "costs", "cost", "amount"}, c.IsSet) {
		return p.ReadLoss(c, spec, classes, floors)
	}
	measure, err := m.Measure()
	if err != nil {
		return p.ReadLoss(c, spec, classes, floors)
	}
	follows, err := view.Follows(m)
	if err != nil {
		return view.Loss{}, err
	}
	if follows && c.IsSet("require") {
		return p.ReadLoss(c, spec, classes, floors)
	}
	if m.Provenance.CostsOf().Amounts() && len(required(c)) > 0 {
		return view.Loss{}, errFloorsAndAmounts
	}
	return view.Loss{Name: m.Provenance.Measure, Measure: measure, Costs: m.Provenance.CostsOf(), Chosen: !follows}, nil
}

// costLoss reads what decisions cost.
func (p *Program) costLoss(c *urfave.Context, classes []string) (view.Loss, error) {
	if classes == nil && c.IsSet("costs") {
		return view.Loss{}, Findable("costs", c.String("costs"))
	}
	costs, err := p.readCosts(c, classes)
	if err != nil {
		return view.Loss{}, err
	}
	switch {
	case costs.Amounts() && !c.IsSet("amount"):
		return view.Loss{}, Usagef("a cost is by amount, but which column has the amounts? Name it with --amount")
	case !costs.Amounts() && c.IsSet("amount"):
		return view.Loss{}, Usagef("--amount %s is of no use: no cost is by amount; write for example --cost %s=amount",
			english.Quote(c.String("amount")), append(slices.Clone(classes), "CLASS")[0])
	case costs.Amounts() && len(required(c)) > 0:
		return view.Loss{}, errFloorsAndAmounts
	}
	m, err := costs.Measure()
	return view.Loss{Name: "cost", Measure: m, Costs: costs, Unnamed: unnamed(c, classes)}, err
}

// unnamed are the classes that no --cost names, where there are any.
func unnamed(c *urfave.Context, classes []string) []string {
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

func (p *Program) readCosts(c *urfave.Context, classes []string) (pragma.Costs, error) {
	if c.IsSet("cost") {
		texts, err := pairs("cost", c.StringSlice("cost"))
		if err != nil {
			return pragma.Costs{}, err
		}
		costs, err := pragma.ParseCosts(texts, classes)
		if err != nil {
			if slices.ContainsFunc(texts, func(text string) bool {
				_, cost, _ := strings.Cut(text, "=")
				_, fault := csvtext.Share(cost)
				return fault != nil && !strings.HasSuffix(cost, "amount")
			}) {
				err = fmt.Errorf("%w; what a column says that a row costs is CLASS=amount with --amount COLUMN", err)
			}
			return costs, fmt.Errorf("--cost: %w", err)
		}
		if classes != nil {
			p.Warn(costs.Warnings(classes))
		}
		return costs, nil
	}
	path := c.String("costs")
	f, err := OpenFile(c.Context, path)
	if err != nil {
		return pragma.Costs{}, fmt.Errorf("--costs: %w", err)
	}
	defer f.Close()
	b := bufio.NewReaderSize(f, table.HeadBytes)
	head, _ := b.Peek(table.HeadBytes) // what is wrong with the file is said below
	if t, err := csvtext.NewReader(bytes.NewReader(head), path, 0); err == nil {
		p.SaySeparator(path)(t.Comma)
	}
	costs, warnings, err := pragma.ReadCosts(b, path, classes)
	if err != nil {
		return pragma.Costs{}, fmt.Errorf("--costs: %w", err)
	}
	p.Warn(warnings)
	return costs, nil
}

// DecidesByCost reads --decide, and refuses what does not go with it.
func DecidesByCost(c *urfave.Context) (bool, error) {
	how := c.String("decide")
	switch {
	case how == "weights" || how == "": // of verbs without the flag
		return false, nil
	case how != "cost":
		return false, Usagef("--decide %s%s; write weights or cost", english.Quote(how), nearest.Hint(how, DecideHows))
	case !c.IsSet("cost") && !c.IsSet("costs"):
		return false, Usagef("--decide cost needs the costs; give them with --cost CLASS=COST, or name their file with " +
			"--costs")
	case len(required(c)) > 0:
		return false, Usagef("--decide cost decides each row for itself, and --require is kept by vote weights alone; give " +
			"one")
	}
	for _, other := range []string{"weights", "cutoff", "report", "figures"} {
		if c.IsSet(other) {
			return false, Usagef("--decide cost does not decide by vote weights, and --%s is of these; leave one out", other)
		}
	}
	return true, nil
}

// NoWeights refuses to do with a model what is done with the weights that it decides by.
func NoWeights(m *rfpragma.Model, verb string) error {
	if !m.Provenance.ByCost {
		return nil
	}
	return Usagef("%s goes by vote weights, and this model decides by expected cost (--decide cost); evaluate judges "+
		"it, and train makes another", verb)
}

// OtherCosts reads costs to judge a model by beside what it was tuned for; the zero value where none are given.
func (p *Program) OtherCosts(c *urfave.Context, m *rfpragma.Model) (view.Loss, error) {
	if !slices.ContainsFunc(costFlags("", ""), func(f urfave.Flag) bool { return c.IsSet(f.Names()[0]) }) {
		return view.Loss{}, nil
	}
	own := m.Provenance.Reading.Amount
	if column := c.String("amount"); m.Provenance.CostsOf().Amounts() && c.IsSet("amount") && column != own {
		return view.Loss{}, Usagef("--amount %s: the costs of the model are by column %s, and a row has one amount; name "+
			"that one", english.Quote(column), english.Quote(own))
	}
	l, err := p.ReadLoss(c, nil, m.Classes(), nil)
	if err == nil && SameCosts(l.Costs, m.Provenance.CostsOf()) { // which stand there in any case
		return view.Loss{}, nil
	}
	return l, err
}

// CheckWish checks, before long reading, what says what is wanted, as far as that needs no data.
func (p *Program) CheckWish(c *urfave.Context) error {
	if _, _, err := p.ReadSpec(c); err != nil {
		return err
	}
	if err := checkGiven(c); err != nil {
		return err
	}
	if _, err := DecidesByCost(c); err != nil {
		return err
	}
	_, err := p.ReadLoss(c, nil, nil, nil)
	return err
}

// DecideHows are the values of that flag.
var DecideHows = []string{"weights", "cost"}

// SameCosts tells whether decisions cost the same.
func SameCosts(a, b pragma.Costs) bool {
	if !slices.EqualFunc(a.Matrix, b.Matrix, slices.Equal[[]float64]) {
		return false
	}
	for truth := range a.Matrix {
		if (a.ByAmount != nil && a.ByAmount[truth]) != (b.ByAmount != nil && b.ByAmount[truth]) {
			return false
		}
	}
	return true
}
