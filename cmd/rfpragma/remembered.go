package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
)

// recall has o take the columns that a model knows from its training file, beside labels and features, where a table has them and no flag says
// otherwise: those of the wanted flags are read as in training, the others left out without a word. It returns the latter. Labels are left out if none are read.
func recall(c *cli.Context, o *dataset.Options, was dataset.Reading, columns []string, wanted ...string) (left []string) {
	type role struct {
		flag, column string
		to           *string
	}
	roles := []role{{"id", was.ID, &o.ID}, {"weight", was.Weight, &o.Weight}, {"group", was.Group, &o.Group}}
	unwanted := func(r role) bool { return !slices.Contains(wanted, r.flag) }
	roles = append(slices.DeleteFunc(slices.Clone(roles), unwanted), roles...) // first what is wanted: the column may be left out otherwise, as that of --id is of --group
	if o.Target == "" {
		roles = append(roles, role{"target", was.Target, &o.Target})
	}
	for _, column := range slices.Concat(was.TimeColumns(), was.Ignore) {
		roles = append(roles, role{"ignore", column, nil})
	}
	for _, known := range roles {
		named := append([]string{"", o.Target, o.ID, o.Weight, o.Group}, o.Ignore...)
		switch {
		case slices.Contains(named, known.column) || !slices.Contains(columns, known.column):
		case slices.Contains(wanted, known.flag) && !c.IsSet(known.flag):
			*known.to = known.column
		default:
			left = append(left, known.column)
			o.Ignore = append(o.Ignore, known.column)
		}
	}
	return left
}

// dataFault returns err as a fault of the data where it is one of a column that no flag names, but what the model knows.
func dataFault(c *cli.Context, err error) error {
	var named *dataset.UsageError
	if !errors.As(err, &named) || c.IsSet("per") || slices.ContainsFunc(dataFlags(), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) }) {
		return err
	}
	return errors.New(named.Text)
}

// judging is the command that judges a way to train on rows that a model has seen.
func (in *modelRows) judging(c *cli.Context) string {
	return in.anew(c, "cv", quoted(c.Args().Get(1)), in.frame.Reading.Target)
}

// anew is the command that does the work of a verb on the rows of the training, whose labels are in that column, with what the model knows of how they are read and what it was tuned for.
func (in *modelRows) anew(c *cli.Context, verb, rows, labels string) string {
	costs := ""
	if verb == "train" || in.costs.measure == nil { // else they are given beside those of the model
		costs = c.String("costs")
	}
	return spaced([]string{in.grown(c, verb, rows, labels)}, "", in.wanted(costs))
}

// grown is the command that has the rows of the training read, and a forest grown, as for the model.
func (in *modelRows) grown(c *cli.Context, verb, rows, labels string) string {
	was, merges := in.model.Provenance.Reading, in.model.Provenance.Reading.Merge
	if in.frame != nil { // a label that it does not have cannot be asked for
		merges = mergesOf(in.frame)
	}
	flags := givenFlags(c, slices.DeleteFunc(dataFlags(), func(f cli.Flag) bool { return f.Names()[0] == "merge-labels" }))
	add := func(name, value string) {
		if flag := csvtext.Flag(name, value, strings.ToUpper(name)); value != "" && !c.IsSet(name) && !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	target := ""
	if labels != "class" {
		target = csvtext.Flag("target", labels, "COL")
	}
	add("positive", was.Positive)
	for _, class := range slices.Sorted(maps.Keys(merges)) {
		flags = append(flags, csvtext.Typing("merge-labels", csvtext.Merging(class, merges[class]), "CLASS=LABELS"))
	}
	for _, word := range was.Missing {
		if flag := csvtext.Flag("missing", word, "WORD"); !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	for _, f := range in.model.Forest.Schema {
		number := func(level string) bool { _, form := csvtext.ParseNumber(level); return form != csvtext.Word }
		if f.Kind == dataset.Categorical && slices.ContainsFunc(f.Levels, number) {
			add("categorical", f.Name)
		}
	}
	there := func(name, column string) {
		if in.has(column) {
			add(name, column)
		}
	}
	ofLabels := func(word string) bool { return strings.HasPrefix(word, was.Target+"=") }
	if !c.IsSet("drop-unlabelled") && (slices.ContainsFunc(was.Missing, ofLabels) || in.frame != nil && describe(in.name, in.frame).Unlabelled > 0) {
		flags = append(flags, "--drop-unlabelled")
	}
	there("id", was.ID)
	there("weight", was.Weight)
	there("group", was.Group)
	if in.has(was.TimeColumns()...) {
		add("time", was.Time)
	}
	for _, column := range was.Ignore {
		there("ignore", column)
	}
	if in.model.Provenance.CostsOf().Amounts() {
		there("amount", was.Amount)
	}
	return spaced([]string{"rfpragma " + verb, rows}, target, append(flags, forestOf(in.model)...))
}

// forestOf are the flags by which a forest is grown as that of a model, where that is not the usual way.
func forestOf(m *rfpragma.Model) []string {
	was := m.Provenance.Growth()
	p := len(m.Forest.Schema)
	was, usual := was.Resolved(p), forest.Config{NoReplacement: was.NoReplacement}.Resolved(p)
	var flags []string
	add := func(name string, value, usual any) {
		switch value {
		case usual:
		case true:
			flags = append(flags, "--"+name)
		default:
			flags = append(flags, csvtext.Flag(name, fmt.Sprint(value), strings.ToUpper(name)))
		}
	}
	add("trees", m.Forest.Trees(), usual.Trees)
	add("mtry", was.Mtry, usual.Mtry)
	add("min-leaf", was.MinLeaf, usual.MinLeaf)
	add("max-depth", was.MaxDepth, usual.MaxDepth)
	add("max-leaves", was.MaxLeaves, usual.MaxLeaves)
	add("criterion", was.Criterion, usual.Criterion)
	add("random-cuts", was.RandomCuts, false)
	add("subset-levels", was.SubsetLevels, usual.SubsetLevels)
	add("bag", bagText(was, m.Classes()), string(usual.Bag))
	add("fraction", was.Fraction, usual.Fraction)
	add("no-replacement", was.NoReplacement, false)
	add("soft-votes", was.Soft, false)
	for class, weight := range was.ClassWeight {
		add("class-weight", fmt.Sprintf("%s=%v", m.Classes()[class], weight), m.Classes()[class]+"=1")
	}
	add("seed", was.Seed, uint64(1))
	return flags
}

// refitting is the command that trains the model again with what the flags of tune or calibrate ask for; else it is wanted as before.
func (in *modelRows) refitting(c *cli.Context) string {
	wish := slices.DeleteFunc(in.wanted(c.String("costs")), func(flag string) bool {
		switch name, _, _ := strings.Cut(flag, " "); name {
		case "--require":
			return c.IsSet("require")
		case "--measure":
			return c.IsSet("measure") || preferred(c) || measured(c)
		}
		return preferred(c) || measured(c)
	})
	wish = append(wish, givenFlags(c, slices.Concat(preferFlags(), fitFlags(), weightFlags()))...)
	return spaced([]string{in.grown(c, "train", quoted(c.Args().Get(1)), in.frame.Reading.Target)}, "", append(wish, "-o NEW.rfp"))
}

// has tells whether the rows have columns that are none of the features, as far as they were read.
func (in *modelRows) has(columns ...string) bool {
	if in.frame == nil {
		return true
	}
	r := &in.frame.Reading
	there := slices.Concat([]string{r.ID, r.Weight, r.Group, r.Amount}, r.TimeColumns(), r.Ignore)
	return !slices.ContainsFunc(columns, func(column string) bool { return !slices.Contains(there, column) })
}

// wanted are the flags that ask for what the model was tuned for, whose costs are in a file; "" if its name is not known.
func (in *modelRows) wanted(file string) []string {
	var flags []string
	add := func(name, value string) {
		flags = append(flags, "--"+name+" "+csvtext.Quote(value, strings.ToUpper(name)))
	}
	of, costs := in.aim, in.aim.loss.costs
	if len(of.spec) > 0 {
		add("prefer", of.spec.String())
	}
	switch usual, err := follows(in.model); {
	case costs.Matrix != nil:
		flags = append(flags, wantedCosts(of.classes, costs, file)...)
	case err == nil && !usual:
		add("measure", of.loss.name)
	}
	for _, f := range of.floors {
		add("require", f)
	}
	if of.byCost {
		add("decide", "cost")
	}
	return flags
}

// costsFile stands for a file of costs whose name is not known.
const costsFile = "COSTS.csv"

// costsHint says what to put into the file of costs that a command names, where that is not there yet.
func (in *modelRows) costsHint(command string) string {
	if in.costsFile != "" || !strings.Contains(command, "--costs "+costsFile) {
		return ""
	}
	return fmt.Sprintf("; first write %s, with what each decision costs, which rfpragma inspect %s shows, in the form that rfpragma help preference shows", costsFile, quoted(in.from.File))
}

// wantedCosts are the flags that say what errors cost, in a file where they depend on the decision.
func wantedCosts(classes []string, costs pragma.Costs, file string) []string {
	if byDecision(costs) {
		return []string{"--costs " + csvtext.Quote(cmp.Or(file, costsFile), costsFile)}
	}
	var flags []string
	for truth, class := range classes {
		flags = append(flags, csvtext.Typing("cost", class+"="+costFlag(costs, truth), "COST"))
	}
	return flags
}

// costFlag is what an error on a class costs, as --cost takes it.
func costFlag(costs pragma.Costs, truth int) string {
	number := strconv.FormatFloat(costs.Matrix[truth][(truth+1)%len(costs.Matrix)], 'f', -1, 64)
	switch {
	case costs.ByAmount == nil || !costs.ByAmount[truth]:
		return number
	case number == "1":
		return "amount"
	}
	return number + "*amount"
}

// timeHint says which flag has later rows judged by earlier ones, where rows of the training were in an order that may be that of time, and which column, where these rows lack that by which the model was
// trained; groups forbid it.
func (in *modelRows) timeHint() string {
	r := &in.model.Provenance
	switch time := r.Reading.Time; {
	case time != "" && !in.has(r.Reading.TimeColumns()...):
		columns := r.Reading.TimeColumns()
		return fmt.Sprintf("; to judge later rows by earlier ones, give them their %s %s, and add %s", english.Verb(len(columns), "column", "columns"), nearest.List(columns), csvtext.Flag("time", time, "COL"))
	case r.Ordered == nil || time != "" || r.Reading.Group != "":
		return ""
	}
	return fmt.Sprintf("; if %s tells the time, add %s", nearest.List(r.Ordered), csvtext.Flag("time", inOrder(r.Ordered, &r.Reading, in.model.Forest.Schema), "COL"))
}

// seen refuses rows of the training, of which figures of the model say nothing; nil for others. The hint is what to do.
func (in *modelRows) seen(hint string) error {
	if !in.model.TrainedOn(in.frame) {
		return nil
	}
	return fmt.Errorf("%s: the model was trained on these very rows, so that its figures on them say nothing of new ones; %s%s%s", in.name, hint, in.timeHint(), in.costsHint(hint))
}

// flattered says that figures of the model on the rows are too good, as its weights or maps were made of these very rows; nothing if they were not.
func (in *modelRows) flattered() []error {
	what := ""
	switch weights, maps := in.model.FittedOn(in.frame); {
	case weights && maps:
		what = "weights were tuned and its maps fitted"
	case weights:
		what = "weights were tuned"
	case maps:
		what = "maps were fitted"
	default:
		return nil
	}
	return []error{fmt.Errorf("%s: the model's %s on these very rows, so that its figures on them flatter; judge it on rows that came later", in.name, what)}
}

// known says that some rows are of the training of the model, which knows them by heart, or there twice; nothing if no more are than chance makes.
func known(k rfpragma.Overlap, classes []string, name string) []error {
	var warnings []error
	if k.Again > 0 {
		warnings = append(warnings, fmt.Errorf("%s: about %d of these %d rows %s the same label and features as an earlier one, far more than in training; %s: else they count twice, and the ranges are too narrow",
			name, k.Again, k.Rows, english.Verb(k.Again, "has", "have"), csvtext.EnteredTwice(k.Again)))
	}
	if were := knownWords(k, classes); were != "" {
		warnings = append(warnings, fmt.Errorf("%s: %s in the training, alike in label and features; trees know such rows by heart, so that what follows flatters; give rows that came later", name, were))
	}
	return warnings
}

// knownWords says how many rows were in the training, of all and of the classes of which more are; "" where no more are than chance makes.
func knownWords(k rfpragma.Overlap, classes []string) string {
	var were []string
	if k.Same > 0 {
		were = append(were, fmt.Sprintf("%d of these %d rows%s", k.Same, k.Rows, byChance(k.Chance)))
	}
	same := k.Same // of all that are told
	for _, of := range k.Classes {
		if float64(of.Same)/float64(of.Rows) > float64(k.Same)/float64(k.Rows)+moreOfAClass {
			were = append(were, fmt.Sprintf("%d of the %d rows of %s%s", of.Same, of.Rows, english.Quote(classes[of.Class]), byChance(of.Chance)))
			same += of.Same
		}
	}
	if were == nil {
		return ""
	}
	return fmt.Sprintf("about %s %s", few(were), english.Verb(same, "was", "were"))
}

// moreOfAClass is by how much the share of known rows of a class is above that of all rows where the class is named.
const moreOfAClass = 0.1

// byChance says how many rows would be known if all were new.
func byChance(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (by chance it would be about %d)", n)
}

// ungrouped says that rows are taken as single ones where those of the training were not, if that was not asked for.
func ungrouped(c *cli.Context, m *rfpragma.Model, rows *dataset.Frame, name string) []error {
	column := m.Provenance.Reading.Group
	if column == "" || rows.Group != nil || c.IsSet("group") {
		return nil
	}
	return []error{fmt.Errorf("%s: there is no column %s, which told in training what rows belong together; the ranges take each row as one of its own, "+
		"and are too narrow where several are of one; name the column with --group", name, english.Quote(column))}
}
