package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:      "evaluate",
		Usage:     "judge a saved model on labelled rows it has not seen",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma evaluate model.rfp later.csv
  rfpragma evaluate model.rfp later.csv --target outcome --format json
  rfpragma evaluate model.rfp later.csv --fail-on-drift   for a scheduled job: exit code 8
  rfpragma evaluate model.rfp later.csv --top ill=20      the 20 likeliest, or 1%: so many are right
  rfpragma evaluate model.rfp later.csv --cost ill=100 --cost well=5   what the decisions have cost
  rfpragma evaluate model.rfp later.csv --prevalence ill=0.002   as predict with it decides
  rfpragma evaluate model.rfp later.csv --decisions rows.csv     which rows are decided wrongly
  rfpragma evaluate model.rfp later.csv --withhold   rows that lack most are counted apart
  rfpragma evaluate model.rfp later.csv --expected cv.json   beside what cv ... -o cv.json promised

The answer is that of cv, for these rows: plain is the majority vote, tuned the model as it is.
Columns are matched by name; labels, case weights and groups are in the columns that had them in
training, or --target, --weight, --group. Ranges allow for rows of one group being alike.
The rows of the training are refused. If a tenth of the rows, or of those of a class, were among
them, beyond chance, a warning says so, as it does of rows that the model was tuned or fitted on.
For what to expect of new rows use rfpragma cv.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			mergeFlag(), groupFlag(), driftFlag(), topFlag(), perFlag(), withholdFlag(), prevalenceFlag(), decisionsFlag(), expectedFlag(), resultFlag(), detailsFlag(),
		}, moneyFlags(), newDataFlags(), runFlags(allForms)),
		Action: p.kept(p.evaluate),
	}
}

func (p *program) evaluate(c *cli.Context) error {
	if c.IsSet("prevalence") && c.Bool("fail-on-drift") {
		return usagef("--fail-on-drift is for the model as it is; leave out --prevalence")
	}
	rows, err := p.decisions(c)
	if err != nil {
		return err
	}
	in, err := p.modelAndRows(c, allForms)
	if err != nil {
		return err
	}
	if err := p.expects(c, &in); err != nil {
		return err
	}
	why := in.seen("for what to expect of those run " + in.judging(c))
	if why == nil {
		why = in.vote(c) // which may answer some of the warnings
	}
	p.warn(untold(in.warnings()))
	if why != nil {
		return why
	}
	if err := p.decide(c, &in, rows); err != nil {
		return err
	}
	return p.judge(c, &in)
}

// decide writes what the model decides of each row, where that is asked for.
func (p *program) decide(c *cli.Context, in *modelRows, rows *decisions) error {
	if rows == nil {
		return nil
	}
	rows.lacks = in.lacking
	rows.form.lacks, rows.form.withhold = newLacking(in.model).possible(), in.withheld != nil
	if err := rows.of(in.frame, in.frame.Reading.ID, in.name); err != nil {
		return err
	}
	rows.hold(0, nil, in.votes, deciding(in.model, in.votes), in.model.Probabilities)
	return p.writeDecisions(c, rows, in.name)
}

// modelRows is what a verb is given that asks a saved model about labelled rows.
type modelRows struct {
	model     *rfpragma.Model
	from      modelOrigin
	aim       *aim // what it was tuned for
	lists     []eval.TopList
	costsFile string       // of costs that are given, where they are in one
	costs     loss         // given beside what the model was tuned for; the zero value where none are
	money     *eval.Report // the rows judged by them; nil likewise
	frame     *dataset.Frame
	name      string // of the rows, for people
	form      string // of the result
	workers   int
	expected  *expectedInfo // what cv promised; nil where nobody asks for that
	unknown   []unknownInfo // rows of classes that the model does not know, once they are decided

	// What vote finds.
	votes, decided *vote.Table
	judged         *dataset.Frame // the rows that are decided: all but those whose decision is withheld
	lacks          *lacking
	lacking        [][]rfpragma.MissingCell // by row of frame, what it lacks where that is most of what the model decides by
	told           []error                  // of such rows
	withheld       *withheldInfo            // nil without --withhold
}

// modelAndRows reads the arguments MODEL.rfp DATA and the flags that go with them; the result has one of the forms.
func (p *program) modelAndRows(c *cli.Context, forms string) (in modelRows, err error) {
	if in.form, err = format(c, strings.Split(forms, ", ")...); err != nil {
		return in, err
	}
	args, err := arguments(c, 2, 2)
	if err != nil {
		return in, err
	}
	in.name = called(args[1])
	if in.workers, err = p.threads(c); err != nil {
		return in, err
	}
	saved, from, err := loadFirst(c, args)
	if err != nil {
		return in, err
	}
	in.from = from
	if in.model, in.aim, err = modelFor(c, saved); err != nil {
		return in, err
	}
	if in.lists, err = p.readLists(c, in.aim); err != nil {
		return in, err
	}
	in.costsFile = c.String("costs")
	if in.costs, err = p.otherCosts(c, in.model); err != nil {
		return in, err
	}
	if in.frame, err = p.readFor(c, in.model, args[1]); err == nil {
		per := listNumbers(in.frame.Per)
		for i := range in.lists {
			in.lists[i].Per = per
		}
	}
	return in, err
}

// readFor reads labelled rows by the schema of a model.
func (p *program) readFor(c *cli.Context, m *rfpragma.Model, path string) (*dataset.Frame, error) {
	o, err := p.options(c)
	if err != nil {
		return nil, err
	}
	was := m.Provenance.Reading
	if o.Target == "" {
		o.Target = was.Target
	}
	if o.Target == "" {
		return nil, usagef("--target is missing: the model does not know the name of the column of labels")
	}
	o.Positive, o.Schema, o.Classes = was.Positive, m.Forest.Schema, m.Classes()
	if o.Merge, err = mergedAlso(was.Merge, o.Merge, m.Classes()); err != nil {
		return nil, err
	}
	o.Missing = append(o.Missing, was.Missing...)
	o.Per = c.String("per")
	if o.Amount == "" && m.Provenance.CostsOf().Amounts() {
		o.Amount = was.Amount
	}
	t, err := p.openTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	columns := t.source.Columns()
	if len(columns) > 1 && !c.IsSet("target") && !slices.Contains(columns, o.Target) {
		early := ""
		if c.Command.Name == "report" {
			early = "; before any truth is known cv DATA --report FILE makes such a page of the rows of the training"
		}
		return nil, fmt.Errorf("%s has no labels: there is no column %s, which held them in training (%s); name another with --target; rows without labels are for rfpragma predict%s",
			called(path), english.Quote(o.Target), nearest.Suggest(o.Target, columns), early)
	}
	wanted := []string{"weight", "group"}
	if c.String("decisions") != "" {
		wanted = append(wanted, "id")
	}
	recall(c, &o, was, columns, wanted...)
	frame, err := dataset.Read(t.source, o)
	if err != nil {
		return nil, dataFault(c, err)
	}
	if frame.Rows() == 0 {
		return nil, noRows(t.source.Name())
	}
	frame.Reading.Target, frame.Reading.Missing, frame.Reading.Merge, frame.Reading.Amount, frame.Reading.ID = o.Target, o.Missing, o.Merge, o.Amount, o.ID
	frame.Reading.Weight, frame.Reading.Group, frame.Reading.Ignore = o.Weight, o.Group, o.Ignore
	frame.Warnings = byBearing(m, frame.Warnings)
	return frame, renamable(c, frame, p.misfit(frame.Warnings))
}

// mergedAlso are the labels that are of classes of a model by its training, and by a flag.
func mergedAlso(was, also map[string][]string, classes []string) (map[string][]string, error) {
	if also == nil {
		return was, nil
	}
	all := map[string][]string{}
	for class, labels := range was {
		all[class] = slices.Clone(labels)
	}
	for _, class := range slices.Sorted(maps.Keys(also)) {
		if !slices.Contains(classes, class) {
			return nil, usagef("--merge-labels: %w", nearest.Unknown("class", class, classes))
		}
		all[class] = append(all[class], also[class]...)
	}
	return all, nil
}

// evaluated judges the model on the rows; the optimistic rule is made with search.
func (p *program) evaluated(c *cli.Context, in *modelRows, search anneal.Search) (*eval.Report, error) {
	m, frame, name := in.model, in.frame, in.name
	in.decideUnknown()
	p.warn(in.strange())
	if _, err := m.Measure(); err != nil {
		p.warn([]error{err})
	}
	k, err := m.Overlap(frame)
	if err != nil {
		return nil, err
	}
	p.warn(slices.Concat(in.flattered(), known(k, m.Classes(), name), ungrouped(c, m, frame, name)))
	p.warn(in.told)
	report, err := m.Evaluate(c.Context, in.decided, search, in.lists...)
	if errors.Is(err, eval.ErrNoLabels) {
		return nil, fmt.Errorf("%s: %w; check that column %s holds labels such as %s", name, err, english.Quote(frame.Reading.Target), nearest.List(m.Classes()))
	}
	if err == nil {
		in.money, err = in.inMoney(c.Context, report.Votes)
	}
	if err == nil {
		p.warn(append(untold(report.Warnings), longLists(in.lists, report.Top)...))
	}
	return report, err
}

// evaluateResult is what evaluate writes as JSON.
type evaluateResult struct {
	heading
	Model         modelOrigin            `json:"model"`                    // the file that was judged
	Data          dataInfo               `json:"data"`                     // the rows
	Rules         eval.Rules             `json:"rules"`                    // ways to decide, compared on the same votes
	Withheld      *withheldInfo          `json:"withheld,omitempty"`       // with --withhold, the rows that are left undecided, which are in no figure but those of drift
	Unvoted       float64                `json:"unvoted"`                  // weight of the rows without a vote, which are not judged
	Probabilities map[string]eval.Judged `json:"probabilities"`            // by class, of two classes for the one that matters: that of priority, else the one rarer in training
	Agreement     float64                `json:"agreement"`                // share of the rows, by weight, that the largest calibrated probability and the tuned votes decide alike
	Gain          *eval.Gain             `json:"gain,omitempty"`           // what tuning gains on these rows; not of costs by amount
	Top           []eval.TopListFigures  `json:"top,omitempty"`            // what the lists are worth that were asked for
	Always        map[string]float64     `json:"cost_of_always,omitempty"` // what it costs to decide all rows as the class; not without costs
	Costs         *paidCosts             `json:"costs,omitempty"`          // what the rows cost by costs that are given and are not those that the model was tuned for
	Expected      *expectedInfo          `json:"expected,omitempty"`       // with --expected, what cv promised beside what is found
	Drift         []rfpragma.Drift       `json:"drift"`                    // figures that are others than in training by more than chance; null where there is nothing to compare with
	Columns       []*dataset.ColumnDrift `json:"columns,omitempty"`        // columns that are not as in training, the one that the model decides most by first
	Better        []rfpragma.Drift       `json:"better,omitempty"`         // figures that are better than in training by more than chance, as those of rows of the training are
	Steady        []rfpragma.Unchanged   `json:"steady,omitempty"`         // recalls and rankings in which no drift shows, and below what it would
	askedInfo
	findings
	remarks
}
