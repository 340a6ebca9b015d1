package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/tables"
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
			mergeFlag(), groupFlag(), driftFlag(), topFlag(), perFlag(), withholdFlag(), prevalenceFlag(), decisionsFlag(), expectedFlag(), resultFlag(),
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
	p.warnBeside(p.page(in.form), in.warnings())
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
	columns   []string      // columns that are not as in training, in words; nil where all are
	may       string        // what weights tuned on these rows may do where the ranking drifts, see retuned
	expected  *expectedInfo // what cv promised; nil where nobody asks for that
	unknown   []unknownInfo // rows of classes that the model does not know, once they are decided

	// What vote finds.
	votes, decided *vote.Table
	judged         *dataset.Frame // the rows that are decided: all but those whose decision is withheld
	lacks          *lacking
	lacking        [][]rfpragma.MissingCell // by row of frame, what it lacks where that is most of what the model decides by
	told           []error                  // of such rows
	withheld       *withheldInfo            // nil without --withhold

	full []eval.TopListFigures // see verdict
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
	p.warnBeside(p.page(in.form), in.told)
	floors, err := m.Floors()
	if err != nil {
		return nil, err
	}
	report, err := m.Evaluate(c.Context, in.decided, search, slices.Concat(in.lists, fullLists(floors))...)
	if errors.Is(err, eval.ErrNoLabels) {
		return nil, fmt.Errorf("%s: %w; check that column %s holds labels such as %s", name, err, english.Quote(frame.Reading.Target), nearest.List(m.Classes()))
	}
	if err == nil {
		in.full = setApart(report, len(in.lists))
		in.money, err = in.inMoney(c.Context, report.Votes)
	}
	if err == nil {
		p.warn(slices.Concat(report.Warnings, reversed(shownClasses(m.Classes(), in.aim.prefs, report.Probabilities), report.Probabilities), longLists(in.lists, report.Top)))
	}
	return report, err
}

// reversed warns of classes whose rows have lower probabilities of them than other rows, by more than chance makes of it: by the standard error of the area, or, if that is
// larger, by that of an area of rows ranked by chance (Hanley and McNeil, Radiology 143 (1982) 29-36).
func reversed(classes []string, judged map[string]eval.Judged) []error {
	var warnings []error
	for _, name := range classes {
		f := judged[name].Calibrated.Figures
		hits := float64(f.Rows * f.Share)
		chance := math.Sqrt((f.Rows + 1) / (12 * hits * (f.Rows - hits)))
		if f.AUCSE > chance { // it may be unknown
			chance = f.AUCSE
		}
		if f.AUC+calib.Z95*chance < 0.5 {
			warnings = append(warnings, fmt.Errorf("rows of %s have lower probabilities of being so than other rows (ROC area %s): are the labels swapped?", english.Quote(name), fixed(f.AUC, 4)))
		}
	}
	return warnings
}

func (p *program) judge(c *cli.Context, in *modelRows) error {
	report, err := p.evaluated(c, in, anneal.Search{Seed: c.Uint64("seed"), Workers: in.workers})
	if err != nil {
		return err
	}
	in.compare(report)
	found, err := p.drift(c, in, in.votes)
	if err != nil {
		return err
	}
	said, err := in.judgedWords(report, false)
	if err != nil {
		return err
	}
	v, err := in.verdict(report, false)
	if err != nil {
		return err
	}
	drift := driftVerdict(in, found)
	words := func(both bool) [][]string { // of what was expected a table may stand beside them, and drift is of one verdict with that
		if in.expected == nil {
			return [][]string{in.columns, said.verdicts, drift, said.limits}
		}
		came, failed := in.expected.words(both)
		return [][]string{in.columns, slices.Concat(failed, came, drift), said.verdicts, said.limits}
	}
	switch in.form {
	case "json":
		if found == nil {
			found = &rfpragma.Comparison{}
		}
		data := describe(in.name, in.frame)
		data.Unknown = in.unknown
		err = p.writeJSON(evaluateResult{
			heading: heading{schemaVersion, "evaluate"}, Model: in.from, Data: data, Rules: report.Rules, Probabilities: report.Probabilities,
			Agreement: report.Agreement, Gain: report.Gain, Top: report.Top, Withheld: in.withheld, Unvoted: report.Unvoted, Always: report.Always, Drift: found.Drift, Columns: columnDrifts(in.frame.Warnings), Better: found.Better, Steady: found.NoDrift,
			Expected: in.expected, Costs: in.paid(), askedInfo: in.aim.info(), findings: v.assessed(), remarks: p.remarks(slices.Concat(append(words(true), said.details, said.record)...)),
		})
	case "csv":
		err = p.rulesCSV(in.aim.classes, report, in.money, found, in.expected)
	}
	if to := p.page(in.form).call(in.frame.Classes); err == nil && !to.silent() {
		showJudged(to, in, report, words(false), said.details)
	}
	return cmp.Or(err, failOnDrift(c, in, found))
}

// showJudged shows people how a model did on labelled rows: what it comes to in words, block by block, the first of which, what is not as in training, comes before all figures, then the tables, then what else there is to know of these.
func showJudged(to *page, in *modelRows, report *eval.Report, words [][]string, details []string) {
	frame := in.frame
	to.say(append([]string{fmt.Sprintf("%s: %s, %s%s", in.name, weighedRows(frame.Rows(), frame.Weight), in.known(), unjudged(describe(in.name, frame)))}, slices.Concat(mergedWords(frame), in.withheld.heading(frame.Weight != nil))...)...)
	to.say(words[0]...)
	to.table(in.withheld.table(tables.Unit(frame.Weight != nil)))
	to.say(in.aim.sought()...)
	to.table(costTable(in.aim.classes, in.aim.loss.costs))
	to.say(in.costsWords()...)
	to.table(in.costTable())
	to.table(in.expected.table())
	for _, block := range words[1:] {
		to.say(block...)
	}
	to.table(in.moneyTable())
	showRules(to, in.aim, in.model.Weights, report)
	to.say(append(details, in.aim.surface()...)...)
}

// said is a result in plain words.
type said struct {
	head     []string // of a cross-validation shown without large figures what to expect, before all tables; else it is a part of the verdicts, and so is the next
	gains    []string // of the head, for which there is always room: what it is worth; nil where it is not told
	cautions []string // what to be careful of, the gravest first, of which that one is at the head
	blocks   []string // which rows are judged by which, in the order of time
	details  []string // what one may want to know
	verdicts []string // what everybody does
	first    []string // what to know before all else, beside large figures: that the model does worse than none, what is required and not kept; else it is a part of the verdicts, and so is the next
	limits   []string // what else to know before the figures are relied on
	record   []string // what is of the model, or rarely asked for: in JSON and on the page alone
}

// verdict is what the words are made of.
func (in *modelRows) verdict(report *eval.Report, beside bool) (v *verdict, err error) {
	m := in.model
	v = &verdict{
		classes: m.Classes(), matter: in.aim.matter(), prefs: in.aim.prefs, measure: m.Provenance.Measure, costs: in.aim.loss.costs, asked: in.aim.loss.measure, rows: "these rows", report: report, weights: m.Weights, beside: beside,
		given: m.Provenance.Choice == rfpragma.Given || m.Provenance.ByCost, missed: missedLabels(in.judged, decidedRows(in.judged, report.Decided)), full: in.full, withheld: in.withheld, promises: in.expected.promises(),
	}
	if v.priced = in.money != nil; v.priced && v.costs.Matrix != nil {
		v.whose = "the costs of the model"
	}
	_, mapped := m.FittedOn(in.frame)
	v.unlike = in.columns != nil
	v.remaps = m.Provenance.Prevalence == nil && !mapped && !v.unlike
	v.floors, err = m.Floors()
	return v, err
}

// judgedWords says in plain words how a model did on labelled rows, beside large figures of recall and precision or without them.
func (in *modelRows) judgedWords(report *eval.Report, beside bool) (words said, err error) {
	m, decided := in.model, decidedRows(in.judged, report.Decided)
	v, err := in.verdict(report, beside)
	if err != nil {
		return words, err
	}
	as := "as it is saved"
	if shares := m.Provenance.Prevalence; shares != nil {
		as = "for " + populationWords(m.Classes(), shares)
	}
	rule := in.aim.rule()
	anew := "searched and calibrated anew"
	if calib.Method(m.Provenance.Calibration) == calib.None {
		anew = "searched anew"
	}
	ways := english.Capital(rule) + " is the model " + as + "; optimistic is " + anew + " on these very rows"
	if dearer := v.dearer(); dearer != "" && v.loss(&report.Rules.Optimistic) > v.loss(&report.Rules.Tuned) {
		ways += ". Its loss is higher" + dearer
	}
	first, limits := v.limits()
	decides, details, record := in.ruleWords(), slices.Concat(v.kin(), []string{ways + "."}), append(v.aside(), v.likeliest()...)
	if m.Provenance.Prevalence != nil { // it is another one than that of the file
		details = append(decides, details...)
	} else {
		record = append(decides, record...)
	}
	return said{
		details: details, verdicts: slices.Concat(in.moneyWords(), v.words(), foundByLabel(in.judged, decided, ""), in.lackingWords(report.Decided, v.matter)),
		first: first, limits: slices.Concat(limits, v.miscalibrated(), v.uninformed()), record: record,
	}, nil
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
