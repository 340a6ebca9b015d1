package verb

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
)

func evaluateCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
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
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			cli.MergeFlag(), cli.GroupFlag(), cli.DriftFlag(), cli.TopFlag(), cli.PerFlag(), cli.WithholdFlag(), cli.ByFlag(),
			prevalenceFlag(), decisionsFlag(), cli.EscapeFlag(), cli.ExpectedFlag(), cli.ResultFlag(), cli.DetailsFlag(),
		}, cli.MoneyFlags(), cli.NewDataFlags(), cli.RunFlags(view.AllForms)),
		Action: p.KeepResult(func(c *urfave.Context) error { return evaluate(p, c) }),
	}
}

func evaluate(p *cli.Program, c *urfave.Context) error {
	if c.IsSet("prevalence") && c.Bool("fail-on-drift") {
		return cli.Usagef("--fail-on-drift is for the model as it is; leave out --prevalence")
	}
	rows, err := readDecisions(p, c)
	if err != nil {
		return err
	}
	in, err := modelAndRows(p, c, view.AllForms)
	if err != nil {
		return err
	}
	if err := readExpected(p, c, &in); err != nil {
		return err
	}
	why := hints.TrainedOn(&in, "for what to expect of those run "+hints.Judging(&in, c))
	if why == nil {
		why = voteOnRows(&in, c) // which may answer some of the warnings
	}
	p.Warn(cli.WithoutFindings(rowWarnings(&in)))
	if why != nil {
		return why
	}
	if err := decide(p, c, &in, rows); err != nil {
		return err
	}
	return judge(p, c, &in)
}

// decide writes what the model decides of each row, where that is asked for.
func decide(p *cli.Program, c *urfave.Context, in *view.ModelRows, rows *predictions.Decisions) error {
	if rows == nil {
		return nil
	}
	rows.Lacks = in.Lacking
	rows.Form.Lacks, rows.Form.Withhold = abstain.NewLacking(in.Model).Possible(), c.Bool("withhold")
	rows.Why, rows.Form.Because = in.Why, in.Model.Provenance.Review != nil
	if err := nameRows(rows, in.Frame, in.Frame.Reading.ID, in.Name); err != nil {
		return err
	}
	holdRows(rows, 0, nil, in.Votes, predictions.Deciding(in.Model, in.Votes), in.Model.Probabilities)
	return writeDecisions(p, c, rows, in.Name)
}

// modelAndRows reads the arguments MODEL.rfp DATA and the flags that go with them; the result has one of the forms.
func modelAndRows(p *cli.Program, c *urfave.Context, forms string) (in view.ModelRows, err error) {
	if in.Form, err = cli.Format(c, strings.Split(forms, ", ")...); err != nil {
		return in, err
	}
	args, err := cli.Arguments(c, 2, 2)
	if err != nil {
		return in, err
	}
	in.Name = cli.InputName(args[1])
	if in.Workers, err = p.Threads(c); err != nil {
		return in, err
	}
	saved, from, err := cli.LoadFirst(c, args)
	if err != nil {
		return in, err
	}
	in.From = from
	if in.Model, in.Goal, err = modelFor(c, saved); err != nil {
		return in, err
	}
	if in.Lists, err = p.ReadLists(c, in.Goal); err != nil {
		return in, err
	}
	in.CostsFile = c.String("costs")
	if in.Costs, err = p.OtherCosts(c, in.Model); err != nil {
		return in, err
	}
	if in.Frame, err = readFor(p, c, in.Model, args[1]); err == nil {
		per := predictions.ListNumbers(in.Frame.Per)
		for i := range in.Lists {
			in.Lists[i].Per = per
		}
	}
	return in, err
}

// readFor reads labelled rows by the schema of a model.
func readFor(p *cli.Program, c *urfave.Context, m *rfpragma.Model, path string) (*dataset.Frame, error) {
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
	}
	was := m.Provenance.Reading
	if o.Target == "" {
		o.Target = was.Target
	}
	if o.Target == "" {
		return nil, cli.Usagef("--target is missing: the model does not know the name of the column of labels")
	}
	o.Positive, o.Schema, o.Classes = was.Positive, m.Forest.Schema, m.Classes()
	if o.Merge, err = mergedAlso(was.Merge, o.Merge, m.Classes()); err != nil {
		return nil, err
	}
	o.Missing = append(o.Missing, was.Missing...)
	if o.Per = cmp.Or(c.String("per"), c.String("by")); c.IsSet("per") && c.IsSet("by") {
		return nil, cli.Usagef("--per parts lists, and --by parts what is judged; give one")
	}
	if o.Amount == "" && m.Provenance.CostsOf().Amounts() {
		o.Amount = was.Amount
	}
	t, err := p.OpenTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	columns := t.Source.Columns()
	if len(columns) > 1 && !c.IsSet("target") && !slices.Contains(columns, o.Target) {
		early := ""
		if c.Command.Name == "report" {
			early = "; before any truth is known cv DATA --report FILE makes such a page of the rows of the training"
		}
		return nil, fmt.Errorf("%s has no labels: there is no column %s, which held them in training (%s); name another "+
			"with --target; rows without labels are for rfpragma predict%s",
			cli.InputName(path), english.Quote(o.Target), nearest.Suggest(o.Target, columns), early)
	}
	wanted := []string{"weight", "group"}
	if c.String("decisions") != "" {
		wanted = append(wanted, "id")
	}
	cli.RecallColumns(c, &o, was, columns, wanted...)
	for _, column := range slicedBy(m, columns) {
		if !slices.Contains(o.Keep, column) {
			o.Keep = append(o.Keep, column)
		}
	}
	frame, err := dataset.Read(t.Source, o)
	if err != nil {
		return nil, cli.DataFault(c, cli.NamingBy(c, err))
	}
	if frame.Rows() == 0 {
		return nil, cli.NoRows(t.Source.Name())
	}
	frame.Reading.Target, frame.Reading.Missing, frame.Reading.Merge, frame.Reading.Amount, frame.Reading.ID = o.Target,
		o.Missing, o.Merge, o.Amount, o.ID
	frame.Reading.Weight, frame.Reading.Group, frame.Reading.Ignore = o.Weight, o.Group, o.Ignore
	frame.Warnings = byImportance(m, frame.Warnings)
	return frame, cli.Renamable(c, frame, p.WarnUnlessMisfit(frame.Warnings))
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
			return nil, cli.Usagef("--merge-labels: %w", nearest.Unknown("class", class, classes))
		}
		all[class] = append(all[class], also[class]...)
	}
	return all, nil
}

// evaluated judges the model on the rows; the optimistic rule is made with search.
func evaluated(p *cli.Program, c *urfave.Context, in *view.ModelRows, search anneal.Search) (*eval.Report, error) {
	m, frame, name := in.Model, in.Frame, in.Name
	in.DecideUnknown()
	p.Warn(unknownClassWarnings(in))
	if _, err := m.Measure(); err != nil {
		p.Warn([]error{err})
	}
	k, err := m.Overlap(frame)
	if err != nil {
		return nil, err
	}
	overlaps := overlapWarnings(k, m.Classes(), name)
	in.Overlaps = len(overlaps) > 0
	p.Warn(slices.Concat(fittedOnWarnings(in), overlaps, cli.Ungrouped(c, m, frame, name)))
	p.Warn(in.Told)
	p.Warn(slicesUntold(m, in.Decided))
	report, err := m.Evaluate(c.Context, in.Decided, search, in.Lists...)
	if errors.Is(err, eval.ErrNoLabels) {
		return nil, fmt.Errorf("%s: %w; check that column %s holds labels such as %s", name, err,
			english.Quote(frame.Reading.Target), nearest.List(m.Classes()))
	}
	if err == nil {
		in.Money, err = inMoney(in, c.Context, report.Votes)
	}
	if err == nil {
		p.Warn(append(cli.WithoutFindings(report.Warnings), longListWarnings(in.Lists, report.Top)...))
	}
	return report, err
}

// evaluateResult is what evaluate writes as JSON.
type evaluateResult struct {
	view.Heading
	Model view.ModelOrigin `json:"model"` // the file that was judged
	Data  view.DataInfo    `json:"data"`  // the rows
	Rules eval.Rules       `json:"rules"` // ways to decide, compared on the same votes
	// with --withhold, the rows that are left undecided, which are in no figure but those of drift
	Withheld *abstain.WithheldInfo `json:"withheld,omitempty"`
	By       *view.Slices          `json:"by,omitempty"` // with --by, parts of the rows that are judged apart
	// weight of the rows without a vote, which are not judged
	Unvoted float64 `json:"unvoted"`
	// by class, of two classes for the one that matters: that of priority, else the one rarer in training
	Probabilities map[string]eval.Judged `json:"probabilities"`
	// share of the rows, by weight, that the largest calibrated probability and the tuned votes decide alike
	Agreement float64 `json:"agreement"`
	// what tuning gains on these rows; not of costs by amount
	Gain *eval.Gain            `json:"gain,omitempty"`
	Top  []eval.TopListFigures `json:"top,omitempty"` // what the lists are worth that were asked for
	// what it costs to decide all rows as the class; not without costs
	Always map[string]float64 `json:"cost_of_always,omitempty"`
	// what the rows cost by costs that are given and are not those that the model was tuned for
	Costs *view.PaidCosts `json:"costs,omitempty"`
	// with --expected, what cv promised beside what is found
	Expected *view.Promise `json:"expected,omitempty"`
	// figures that are others than in training by more than chance; null where there is nothing to compare with
	Drift []rfpragma.Drift `json:"drift"`
	// columns that are not as in training, the one that the model decides most by first
	Columns []*dataset.ColumnDrift `json:"columns,omitempty"`
	// figures that are better than in training by more than chance, as those of rows of the training are
	Better []rfpragma.Drift `json:"better,omitempty"`
	// recalls and rankings in which no drift shows, and below what it would
	Steady []rfpragma.Unchanged `json:"steady,omitempty"`
	view.AskedInfo
	view.Assessed
	view.Remarks
}
