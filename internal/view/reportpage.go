package view

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// ReportInput is what the page of a model that was judged on labelled rows is computed from.
func (in *ModelRows) ReportInput(judged *eval.Report) (report.Input, error) {
	m := in.Model
	l, err := lossOf(m)
	if err != nil {
		return report.Input{}, err
	}
	trained := make([][2]float64, len(m.Provenance.Plateau))
	for c, plateau := range m.Provenance.Plateau {
		trained[c] = [2]float64{plateau.Low, plateau.High}
	}
	floors, err := m.Floors()
	return report.Input{
		Eval: judged, Spec: m.Spec, Measure: l.Name, Loss: l.Measure, Costs: l.Costs, Floors: floors,
		Matter:  in.Goal.Matter(),
		Weights: m.Weights, Given: in.Goal.Given, Trained: trained,
	}, err
}

// FillPage adds what was judged, how the model did, beside its training as well, and its record.
func (in *ModelRows) FillPage(page *report.Report, judged *eval.Report, found *rfpragma.Comparison) {
	m, r := in.Model, in.Result(judged, found)
	page.Title = "Judged on " + pageTitle(in.Name, "what the model decides")
	page.About = append(append([]string{
		fmt.Sprintf("%s, %s%s", WeighedRows(in.Frame.Rows(), in.Frame.Weight), in.classRows(),
			Unjudged(Describe(in.Name, in.Frame))),
	}, slices.Concat(MergedWords(in.Frame), r.withheldWords(in.Frame.Weight != nil))...),
		grownWords(m),
	)
	r.onPage(page)
	putFigures(page, in.Goal, m.Weights, judged)
	if in.Money != nil {
		tables := []report.Table{titled(in.moneyTable(), "What the decisions cost by "+givenCosts)}
		if costs := in.costTable(); len(costs.Rows) > 0 {
			tables = append(tables, titled(costs, "What a row costs by "+givenCosts+", by its class and what it is decided as"))
		}
		page.Tables = append(tables, page.Tables...)
	}
	showWithheld(in.Withheld, page, in.Frame.Weight != nil)
	if table := in.Expected.promiseTable(); table.Rows != nil {
		page.Tables = append([]report.Table{titled(table, "What cv promised, and what is found")}, page.Tables...)
	}
	page.Tables = append(page.Tables, titled(WeightTable(m), "Weights of the votes"))
	page.Importance = modelFeatures(m)
	page.Facts = modelFacts(in)
}

// pageTitle says which file a page is about, and what of it, which comes last where there is little room.
func pageTitle(name, what string) string { return filepath.Base(name) + ": " + what }

// lossOf returns what a model was tuned for, or its preference where that is not known.
func lossOf(m *rfpragma.Model) (Loss, error) {
	if measure, err := m.Measure(); err == nil {
		return Loss{Name: m.Provenance.Measure, Measure: measure, Costs: m.Provenance.CostsOf()}, nil
	}
	measure, err := m.Spec.Measure(m.Classes())
	return Loss{Name: "pragma", Measure: measure}, err
}

// putFigures puts on the page the tables of evaluate and cv.
func putFigures(to *report.Report, of *Goal, weights vote.Weights, judged *eval.Report) {
	classes := of.Classes
	if costs := costTable(classes, of.Loss.Costs); len(costs.Rows) > 0 {
		to.Costs = titled(costs, "What a row costs, by its class and what it is decided as")
	}
	to.Mistakes = titled(confusionTable(of, judged), "What is taken for what most often")

	to.Tables = []report.Table{titled(rulesTable(&judged.Rules, of), "The ways to decide, side by side")}
	titles := []string{"What becomes of the rows, with 95 % intervals",
		"The rows of other classes: specificity, negative predictive value (NPV)"}
	for i, g := range classTables(of, judged, weights) {
		to.Tables = append(to.Tables, titled(g, titles[i]))
	}
	to.Tables = append(to.Tables, titled(probabilityTable(shownClasses(classes, of.Prefs, judged.Probabilities),
		judged.Probabilities, "raw"), "Probabilities before and after the map"))
	if len(judged.Top) > 0 {
		to.Tables = append(to.Tables, titled(topTable(judged), "Lists of the likeliest rows, with 95 % intervals"))
	}
}

// readingFacts says how the table was read of which the features are.
func readingFacts(r dataset.Reading, features dataset.Schema) []report.Fact {
	var facts []report.Fact
	if words := ReadingWords(r); words != nil {
		facts = append(facts, Fact("Read as", strings.Join(words, "; ")))
	}
	const most = 50
	var names []string
	for _, f := range features {
		if f.Kind == dataset.Categorical {
			names = append(names, english.Quote(f.Name))
		}
	}
	if n := len(names); n > most {
		names = append(names[:most], fmt.Sprintf("and %d more", n-most))
	}
	if names != nil {
		facts = append(facts, Fact("Columns of categories", strings.Join(names, ", ")))
	}
	return facts
}

// modelFeatures are those of a model, the most used first.
func modelFeatures(m *rfpragma.Model) []report.Feature {
	impurity := m.Forest.Importance()
	out := make([]report.Feature, len(impurity))
	for j, f := range m.Forest.Schema {
		out[j] = report.Feature{Name: f.Name, Part: report.Number(impurity[j])}
	}
	slices.SortStableFunc(out, func(a, b report.Feature) int { return cmp.Compare(b.Part, a.Part) })
	return out
}

// grownWords say what grew the forest of a model, and on what.
func grownWords(m *rfpragma.Model) string {
	if m.Provenance.Origin != "" {
		return "A forest of " + ForestWords(m) + "."
	}
	return fmt.Sprintf("A forest of %s, grown on %s.", english.Plural(m.Forest.Trees(), "tree"),
		english.Plural(m.Provenance.Rows, "row"))
}

// modelFacts is the record of a model, and of the rows it was judged on.
func modelFacts(in *ModelRows) []report.Fact {
	m, r := in.Model, in.Model.Provenance
	maps := fmt.Sprintf("%s, fitted on %s", r.Calibration, VotesWords(cmp.Or(r.MapVotes, r.Votes), 0))
	if shares := ModelShares(m); shares != "" {
		maps = shares
	}
	training := []report.Fact{Fact("Training data", "not known")}
	if r.Rows > 0 {
		training = []report.Fact{
			Fact("Training data", fmt.Sprintf("%s, %s", english.Plural(r.Rows, "row"), english.Plural(len(m.Forest.Schema),
				"feature"))),
			Fact("sha256 of the training data", r.Data+", of the rows as they were read, not of a file"),
		}
	}
	return slices.Concat([]report.Fact{
		Fact("Rows judged", fmt.Sprintf("%s: %d", filepath.Base(in.Name), in.Judged.Labelled().Rows())),
		Fact("Model", in.From.File),
		Fact("sha256 of the model file", in.From.SHA256),
	}, training, readingFacts(r.Reading, m.Forest.Schema), []report.Fact{
		Fact("Forest", ForestWords(m)),
		Fact("Weights fitted on", VotesWords(r.Votes, r.Unvoted)),
		Fact("Search", searchText(&r)),
	}, in.Goal.recordFacts(), []report.Fact{
		Fact("Probabilities", maps),
		Fact("Seed of the training", r.Seed),
		Fact("rfpragma", strings.Join(BuildVersion(), ", ")),
	})
}

// searchText says how the weights were found.
func searchText(r *rfpragma.Provenance) string {
	if r.Choice == rfpragma.Given {
		return "none: the weights were given, by number or by rule"
	}
	return strings.TrimSpace(r.Search + " " + r.Choice)
}

// onPage puts on a page what was asked for, what is found, and what to be careful of.
func (r *result) onPage(page *report.Report) {
	wide := *r
	wide.wide = true
	r = &wide
	page.Asked = r.goal.Request()
	page.Summary, page.Findings = r.verdict(), r.Findings
	page.Rows /= report.Number(r.Subject.Share())
	page.Key, page.Expect = r.headline()
	if len(page.Expect.Rows) == 1 { // the log loss, which stands among all figures, too
		page.Expect = report.Table{}
	}
	for _, name := range r.goal.Classes {
		if !r.goal.ByCost { // which takes no weights
			page.Take.Classes = append(page.Take.Classes, csvtext.Listed(name))
		}
	}
	each := headed(r.classTable(), "class")
	for i, head := range each.Head {
		each.Head[i] = strings.TrimSuffix(head, " interval") // for which a narrow page has no room
	}
	page.Each = titled(each, "Each class")
	page.Counts = titled(headed(r.countTable(), ""), "Of 1,000 rows")
	for i := range r.Findings {
		f := &r.Findings[i]
		text := english.Capital(f.Grade.String()) + ": " + r.voice().Sentence(f) + r.advice(f)
		switch {
		case r.told(f) || replaced(r.Findings, f.Code):
		case f.Grade > finding.Note && !r.beside(f):
			page.Warnings = append(page.Warnings, text)
		default:
			page.Details = append(page.Details, text)
		}
	}
}

// headline are the figures that a page begins with, and the others. First comes what was asked for: a limit, a list,
// what errors cost; then recall and precision of the classes that matter; without any of these the loss.
func (r *result) headline() (key []report.Line, others report.Table) {
	matter := r.goal.Matter()
	switch {
	case len(r.goal.Classes) == 2:
		matter = matter[:1]
	case len(matter) > MostNamed:
		matter = nil
	}
	classes := slices.Clone(matter)
	for _, f := range r.goal.required() {
		if !slices.Contains(classes, f.Class) {
			classes = append(classes, f.Class)
		}
	}
	asked, found := &layout.Grid{}, &layout.Grid{}
	for _, c := range classes {
		of := &layout.Grid{}
		r.class(of, c)
		for i, what := range []pragma.Figure{pragma.RecallFloor, pragma.PrecisionFloor, pragma.Alerts,
			pragma.FalseAlarms}[:min(len(of.Rows), 4)] {
			switch {
			case r.goal.limit(c, what) != nil:
				asked.Add(of.Rows[i]...)
			case i < 2 && slices.Contains(matter, c):
				found.Add(of.Rows[i]...)
			}
		}
	}
	r.listed(asked)
	if r.goal.Loss.Name == "cost" || len(asked.Rows)+len(found.Rows) == 0 {
		r.loss(asked)
	}
	rest := r.figureTable()
	title := english.Capital(strings.ToLower(rest.Head[0]))
	for _, cells := range append(asked.Rows, found.Rows...) {
		key = append(key, report.Line{Name: layout.Printable(cells[0]), Value: cells[1], Interval: cells[2],
			Against: besidePlain(cells[3], cells[4])})
		rest.Rows = slices.DeleteFunc(rest.Rows, func(other []string) bool { return other[0] == cells[0] })
	}
	for i, cells := range rest.Rows { // a page has less room beside each other than a screen
		rest.Rows[i] = append(cells[:3:3], besidePlain(cells[3], cells[4]))
	}
	rest.Head = slices.Delete(rest.Head, 3, 4)
	return key, titled(headed(rest, ""), title)
}

// besidePlain joins what a figure is of the plain vote with what else it is measured against.
func besidePlain(plain, other string) string {
	switch {
	case plain == "":
		return other
	case other == "":
		return "plain vote " + plain
	}
	return "plain vote " + plain + ", " + other
}

// headed gives the first column another head.
func headed(g *layout.Grid, head string) *layout.Grid {
	if len(g.Head) > 0 {
		g.Head[0] = head
	}
	return g
}

// BuildVersion says what was built, of what, and by what, as far as the build tells, line by line.
func BuildVersion() []string {
	info, _ := debug.ReadBuildInfo()
	return VersionOf(info, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
}

// VersionOf is what --version tells of a build.
func VersionOf(info *debug.BuildInfo, goVersion, system string) []string {
	version, commit, at, state := "development", "", "", ""
	if info != nil {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.time":
				at = " of " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				state = ", with changes"
			}
		}
	}
	return []string{
		version,
		"commit " + cmp.Or(commit, "not known") + at + state,
		goVersion + " " + system,
		fmt.Sprintf("model files of version %d", rfpragma.FileVersion),
	}
}
