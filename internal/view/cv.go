package view

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/memorised"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// RowsOf is the weight of the rows of a class in a block.
func (job *CVJob) RowsOf(block, class int) float64 {
	weight := 0.0
	for _, i := range job.Blocks[block].Rows {
		if job.Frame.Truth[i] == class {
			weight += job.Frame.WeightOf(i)
		}
	}
	return weight
}

// memorisedFinding is nil where there are no such columns.
func memorisedFinding(h *memorised.Columns, blocks int) *finding.Finding {
	if h == nil {
		return nil
	}
	f := finding.New(codes.ColumnMemorised, finding.Where{Rows: codes.AllBlocks, Blocks: blocks},
		finding.Figure{Name: "area_out_of_bag", Class: h.Class, Value: h.OutOfBag, Unit: codes.Area},
		finding.Figure{Name: "area", Class: h.Class, Value: h.With, Unit: codes.Area},
		finding.Figure{Name: "area_without", Class: h.Class, Value: h.Without, Unit: codes.Area},
		finding.Figure{Name: "trees", Value: float64(h.Trees), Unit: codes.Trees})
	f.Classes, f.Columns = []string{h.Class}, h.Names
	for _, name := range h.Names {
		f.Remedies = append(f.Remedies, finding.Remedy{Do: codes.IgnoreColumn, Column: name})
	}
	return &f
}

// VotedFold is what it takes to search and judge the weights of a fold anew: something else that is required changes
// no tree.
type VotedFold struct {
	Seed     uint64
	Tuned    *vote.Table  // votes that its weights were searched on
	OutOfBag *vote.Table  // out-of-bag votes of its forest
	Held     eval.HeldOut // votes that they are judged on, and the rule of these weights
	Tells    bool         // the figures are of these rows: in the order of time of those of the latest block
}

// Tells tells whether the figures are of the rows of a fold.
func (job *CVJob) Tells(h eval.HeldOut) bool { return job.Blocks == nil || h.Fold == len(job.Blocks)-2 }

// Result is what cv finds.
func (job *CVJob) Result(report *eval.Report) *result {
	r := &result{
		title: "EXPECT ON NEW ROWS", goal: job.Goal, next: true, points: job.Others, limit: job.Limit,
		lists: listTexts(job.Frame.Classes, job.Eval.Top),
		fixed: job.Goal.ByCost || job.Fit.Weights != nil,
		Subject: &assess.Subject{
			Goal: job.Goal.pragmaGoal(), Report: report, Decided: job.Withheld.Decided(), DecidedIn: job.Withheld.DecidedIn,
			Weights: job.MedianWeights(report), Frame: job.Frame, Dealt: job.Eval.FoldOf != nil,
			Sure: job.Fit.Sure,
		},
	}
	if job.Blocks != nil {
		r.title = "EXPECT ON LATER ROWS"
	}
	var also []finding.Finding
	if f := memorisedFinding(job.Memorised, len(report.Judged())); f != nil {
		also = append(also, *f)
	}
	return r.found(slices.Concat(also, job.By.gapFindings(r.Subject.Where()),
		reviewFindings(job.Withheld, job.Goal, r.Subject.Where()))...)
}

// ShowDetails writes all that the first screen leaves out.
func (job *CVJob) ShowDetails(to *layout.Page, report *eval.Report, r *result) {
	to.Say(MergedWords(job.Frame)...)
	to.Say(job.blockWords(false)...)
	if chosen := job.Chosen.chosenWords(); chosen != "" {
		to.Say(chosen)
	}
	if !job.Goal.ByCost {
		to.Say(foldWords(job.Frame.Classes, judgedFoldWeights(report), job.Goal.order(), job.ShownSettings().Trees,
			job.Goal.Prefs)...)
	}
	job.Goal.ShowCosts(to)
	to.Say(r.withheldWords(job.Frame.Weight != nil)...)
	to.Table(WithheldTable(job.Withheld, tables.Unit(job.Frame.Weight != nil)))
	ShowRules(to, job.Goal, job.MedianWeights(report), report)
	for _, g := range []*layout.Grid{job.blockTable(report), job.moneyByTime(report), job.listTable(report)} {
		if latest(report) != nil {
			g.Title = "Block by block"
		}
		to.Table(g)
	}
	to.Say(AlternativeWords(job.Others, job.Goal, job.ways(report))...)
	to.Table(AlternativeTable(job.Others, job.Goal))
}

// Introduced says what is cross-validated, and how.
func (job *CVJob) Introduced(to *layout.Page) {
	s := job.ShownSettings()
	times := ""
	if s.Repeats > 1 {
		times = fmt.Sprintf(" × %d", s.Repeats)
	}
	to.Say(fmt.Sprintf("%s: %s, %s; nested cross-validation, %s%s, %s", job.Name, WeighedRows(job.Frame.Rows(),
		job.Frame.Weight),
		job.Goal.shares(), job.foldsText(), times, english.Plural(s.Trees, "tree")))
}

// foldsText tells the folds.
func (job *CVJob) foldsText() string {
	text := english.Plural(job.ShownSettings().Folds, "fold")
	if job.Blocks != nil {
		text += fmt.Sprintf(" in the order of %s", english.Quote(job.Frame.Time.Name))
	}
	return text
}

// beforeText goes on with what trainings are without.
func (job *CVJob) beforeText() string {
	if job.Blocks == nil {
		return ""
	}
	return ", on rows before it alone"
}

// ReportInput is what the page of a cross-validation is computed from.
func (job *CVJob) ReportInput(judged *eval.Report) report.Input {
	loss := job.Goal.Loss
	return report.Input{
		Eval: judged, Spec: job.Goal.Spec, Measure: loss.Name, Loss: loss.Measure, Costs: loss.Costs,
		Floors: job.Fit.Search.Floors, Matter: job.Goal.Matter(), Weights: job.MedianWeights(judged),
	}
}

// FillPage adds what was cross-validated, what to expect, and the record.
func (job *CVJob) FillPage(page *report.Report, judged *eval.Report) {
	classes, weights := job.Frame.Classes, job.MedianWeights(judged)
	s := job.ShownSettings()
	page.Title = pageTitle(job.Name, "what to expect on new rows")
	page.About = append(append([]string{
		fmt.Sprintf("%s, %s, %s", WeighedRows(job.Frame.Rows(), job.Frame.Weight), english.Plural(len(job.Frame.Columns),
			"feature"), ClassShares(classes, job.Frame.ClassWeights())),
	}, MergedWords(job.Frame)...),
		fmt.Sprintf("Nested cross-validation, %s × %d: each row is judged by a forest of %s, weights and maps that were "+
			"fitted without it%s.", job.foldsText(), s.Repeats, english.Plural(s.Trees, "tree"), job.beforeText()),
	)
	if latest := job.latestWords(); latest != "" {
		page.About = append(page.About, latest+" See All figures, By time.")
	}
	r := job.Result(judged)
	page.About = append(page.About, r.withheldWords(job.Frame.Weight != nil)...)
	r.onPage(page)
	putFigures(page, job.Goal, weights, judged)
	showWithheld(job.Withheld, page, job.Frame.Weight != nil)
	if job.Blocks != nil {
		page.Tables = append(page.Tables, titled(job.blockTable(judged), "By time"))
		if money := job.moneyByTime(judged); money.Rows != nil {
			page.Tables = append(page.Tables, titled(money, "What a row costs by time"))
		}
		if judged.Top != nil {
			page.Tables = append(page.Tables, titled(job.listTable(judged), "Lists of the likeliest rows by time"))
		}
	}
	if introduced := AlternativeWords(job.Others, job.Goal, job.ways(judged)); introduced != nil {
		page.Tables = append(page.Tables, titled(AlternativeTable(job.Others, job.Goal), strings.TrimSuffix(introduced[0],
			":")))
	}
	page.Facts = slices.Concat([]report.Fact{
		Fact("Data", fmt.Sprintf("%s: %s, %s", filepath.Base(job.Name), english.Plural(job.Frame.Rows(), "row"),
			english.Plural(len(job.Frame.Columns), "feature"))),
	}, readingFacts(job.Frame.Reading, job.Frame.Schema()), []report.Fact{
		Fact("Forest", fmt.Sprintf("%s, mtry %d, smallest leaf %d, bag %s%s", english.Plural(s.Trees, "tree"), s.Mtry,
			s.MinLeaf, s.Bag, GrowthWords(job.Fit.Forest))),
		Fact("Weights fitted on", votesOf(s.Votes)+" of the training part of each fold"),
		Fact("Search", s.Search),
	}, job.Goal.recordFacts(), []report.Fact{
		Fact("Calibration", s.Calibration), Fact("Seed", s.Seed), Fact("rfpragma", strings.Join(BuildVersion(), ", ")),
	})
}

// ShownSettings are in JSON how it was judged.
func (job *CVJob) ShownSettings() CVSettings {
	s := CVSettings{
		Growth: GrowthOf(job.Fit.Forest, len(job.Frame.Columns), job.Frame.Classes), ForestChosen: job.Chosen.all > 0,
		Seed: job.Fit.Forest.Seed, Folds: job.Eval.Folds, Repeats: job.Eval.Repeats,
		Votes: job.Fit.Source(job.Frame), Calibration: string(job.Fit.Calibration), Search: job.Fit.Search.Method.String(),
		Measure: job.Goal.Loss.Name, Preferences: job.Goal.Preferences(),
		AskedInfo: job.Goal.Info(),
	}
	if job.Eval.FoldOf != nil {
		s.Folds, s.Repeats = slices.Max(job.Eval.FoldOf)+1, 1
	}
	if job.Blocks != nil {
		s.Folds, s.Time = len(job.Blocks)-1, job.Frame.Time.Name
	}
	return s
}

// MedianWeights are those in the middle of the folds.
func (job *CVJob) MedianWeights(report *eval.Report) vote.Weights {
	return medianWeights(job.Frame.Classes, judgedFoldWeights(report))
}

// CVJob is all that a cross-validation needs, checked before the first tree is grown.
type CVJob struct {
	Frame     *dataset.Frame
	Name      string
	Format    string
	Goal      *Goal // what is asked for
	Fit       rfpragma.Config
	Eval      eval.Config
	Rows      *predictions.Decisions // or nil, where nobody asks for them
	Chosen    ChosenForests          // with --tune-forest
	Fewer     string                 // says that there are fewer folds than usual
	Blocks    []dataset.Block        // of rows in the order of time, of which the first is not judged; nil for folds
	Voted     []VotedFold
	Others    []Alternative
	Limit     *LimitCost
	Memorised *memorised.Columns // columns that are better left out; nil where there are none

	Withheld *abstain.WithheldInfo // rows that are left undecided, which are in no figure; nil where all are decided
	By       *Slices               // nil without --by
}

// ShowSlices writes what was judged apart.
func (job *CVJob) ShowSlices(to *layout.Page) {
	for _, g := range job.By.tables(job.Goal, job.Frame.Weight != nil) {
		to.Table(g)
	}
}
