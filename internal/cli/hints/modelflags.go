package hints

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// forestFlags are the flags by which a forest is grown as that of a model, where that is not the usual way.
func forestFlags(m *rfpragma.Model) []string {
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
	add("bag", view.BagText(was, m.Classes()), string(usual.Bag))
	add("fraction", was.Fraction, usual.Fraction)
	add("no-replacement", was.NoReplacement, false)
	add("soft-votes", was.Soft, false)
	for class, weight := range was.ClassWeight {
		add("class-weight", fmt.Sprintf("%s=%v", m.Classes()[class], weight), m.Classes()[class]+"=1")
	}
	add("seed", was.Seed, uint64(1))
	return flags
}

// hasColumns tells whether the rows have columns that are none of the features, as far as they were read.
func hasColumns(in *view.ModelRows, columns ...string) bool {
	if in.Frame == nil {
		return true
	}
	r := &in.Frame.Reading
	there := slices.Concat([]string{r.ID, r.Weight, r.Group, r.Amount}, r.TimeColumns(), r.Ignore)
	return !slices.ContainsFunc(columns, func(column string) bool { return !slices.Contains(there, column) })
}

// goalFlags are the flags that ask for what the model was tuned for, whose costs are in a file; "" if its name is not
// known.
func goalFlags(in *view.ModelRows, file string) []string {
	var flags []string
	add := func(name, value string) {
		flags = append(flags, "--"+name+" "+csvtext.Quote(value, strings.ToUpper(name)))
	}
	of, costs := in.Goal, in.Goal.Loss.Costs
	if len(of.Spec) > 0 {
		add("prefer", of.Spec.String())
	}
	switch usual, err := view.Follows(in.Model); {
	case costs.Matrix != nil:
		flags = append(flags, wantedCosts(of.Classes, costs, file)...)
	case err == nil && !usual:
		add("measure", of.Loss.Name)
	}
	for _, f := range of.Floors {
		add("require", f)
	}
	if of.ByCost {
		add("decide", "cost")
	}
	return flags
}

// costsFile stands for a file of costs whose name is not known.
const costsFile = "COSTS.csv"

// Costs says what to put into the file of costs that a command names, where that is not there yet.
func Costs(in *view.ModelRows, command string) string {
	if in.CostsFile != "" || !strings.Contains(command, "--costs "+costsFile) {
		return ""
	}
	return fmt.Sprintf("; first write %s, with what each decision costs, which rfpragma inspect %s shows, in the form "+
		"that rfpragma help preference shows", costsFile, csvtext.Quoted(in.From.File))
}

// wantedCosts are the flags that say what errors cost, in a file where they depend on the decision.
func wantedCosts(classes []string, costs pragma.Costs, file string) []string {
	if view.ByDecision(costs) {
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

// timeHint says which flag has later rows judged by earlier ones, where rows of the training were in an order that
// may be that of time, and which column, where these rows lack that by which the model was trained; groups forbid
// it.
func timeHint(in *view.ModelRows) string {
	r := &in.Model.Provenance
	switch time := r.Reading.Time; {
	case time != "" && !hasColumns(in, r.Reading.TimeColumns()...):
		columns := r.Reading.TimeColumns()
		return fmt.Sprintf("; to judge later rows by earlier ones, give them their %s %s, and add %s",
			english.Verb(len(columns), "column", "columns"), nearest.List(columns), csvtext.Flag("time", time, "COL"))
	case r.Ordered == nil || time != "" || r.Reading.Group != "":
		return ""
	}
	return fmt.Sprintf("; if %s tells the time, add %s", nearest.List(r.Ordered), csvtext.Flag("time",
		timeColumns(r.Ordered,
			&r.Reading, in.Model.Forest.Schema), "COL"))
}

// TrainedOn refuses rows of the training, of which figures of the model say nothing; nil for others. The hint
// is what to do.
func TrainedOn(in *view.ModelRows, hint string) error {
	if !in.Model.TrainedOn(in.Frame) {
		return nil
	}
	return fmt.Errorf("%s: the model was trained on these very rows, so that its figures on them say nothing of new "+
		"ones; %s%s%s", in.Name, hint, timeHint(in), Costs(in, hint))
}
