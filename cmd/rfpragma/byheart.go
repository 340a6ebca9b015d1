package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

// What is said to be learnt by heart.
const (
	heartTrees  = 100  // that a forest has at most which is asked for it
	decayErrors = 3    // by how many standard errors later rows must be ranked worse than those out of bag
	gainErrors  = 2    // and better without the columns; that both areas are of the same rows is left out, so it asks for more
	leastArea   = 0.02 // of ROC area that either must come to
	leastHelp   = 0.01 // of ROC area that a column must be worth out of bag
	heartPart   = 0.1  // of that, what it may be worth on later rows
	gapPart     = 0.5  // of what later rows are ranked worse, how much columns must explain that are told though nothing is gained without them
)

// byHeart are columns that help to rank the rows of a class out of bag but not later ones. Areas are means over the blocks.
type byHeart struct {
	class                   string   // "" where no later rows are ranked worse than those out of bag, by more than chance
	columns                 []string // nil where none were found,
	doubted                 []string // of those that look like parts of a date
	trees                   int
	outOfBag, with, without float64 // ROC area out of bag, of later rows, and of these without the columns
	gains                   bool    // whether later rows are ranked better without, by more than chance
}

// area is the mean of the ROC areas of a class in several blocks, by weight.
type area struct{ sum, variance, weight float64 }

// rankingBy is the ROC area of a class by some votes; nil where its rows are too few to tell.
func rankingBy(t *vote.Table, class int) *rfpragma.Observed {
	figures := rfpragma.FiguresOf(t, nil)
	if figures == nil {
		return nil
	}
	return figures[class].Ranking
}

func (a *area) add(o *rfpragma.Observed, weight float64) {
	a.sum += float64(weight * o.Value)
	a.variance += float64(weight * weight * o.Value * (1 - o.Value) / o.Rows)
	a.weight += weight
}

func (a *area) mean() float64 { return a.sum / a.weight }

// above tells whether an area is larger than that of b by so many standard errors, and so much that it matters.
func (a *area) above(b *area, errors float64) bool {
	gap := a.mean() - b.mean()
	return gap >= leastArea && float64(gap*a.weight) > errors*math.Sqrt(a.variance+b.variance)
}

// decayed returns the class whose later rows are ranked worst beside rows out of bag, of those that matter; -1 where none is by more than chance. Told is whether rows of any were enough to tell.
func (job *cvJob) decayed(report *eval.Report) (worst int, told bool) {
	most := 0.0
	worst = -1
	if job.blocks == nil || job.settings().Votes == vote.Train {
		return worst, false
	}
	for _, name := range job.inBlocks(report) {
		class := slices.Index(job.aim.classes, name)
		var before, later area
		for _, fold := range job.voted {
			b, l := rankingBy(fold.oob, class), rankingBy(fold.held.Votes, class)
			if b != nil && l != nil {
				weight := job.rowsOf(fold.held.Block, class)
				before.add(b, weight)
				later.add(l, weight)
				told = true
			}
		}
		if gap := before.mean() - later.mean(); before.above(&later, decayErrors) && gap > most {
			worst, most = class, gap
		}
	}
	return worst, told
}

// rowsOf is the weight of the rows of a class in a block.
func (job *cvJob) rowsOf(block, class int) float64 {
	weight := 0.0
	for _, i := range job.blocks[block].Rows {
		if job.frame.Truth[i] == class {
			weight += job.frame.WeightOf(i)
		}
	}
	return weight
}

// grownBlocks are those of which a forest could be grown on the rows before them.
func (job *cvJob) grownBlocks() []int {
	var blocks []int
	for _, fold := range job.voted {
		if !slices.Contains(blocks, fold.held.Block) { // in a further repeat
			blocks = append(blocks, fold.held.Block)
		}
	}
	return blocks
}

// learntByHeart looks for such columns where later rows are ranked worse than those out of bag; nil where nothing can tell.
func (p *program) learntByHeart(ctx context.Context, job *cvJob, report *eval.Report) (*byHeart, error) {
	class, told := job.decayed(report)
	switch {
	case !told:
		return nil, nil
	case class < 0:
		return &byHeart{doubted: job.frame.Calendar()}, nil
	}
	fit, err := job.fit.Preferring(job.aim.spec, job.frame.Classes)
	if err != nil {
		return nil, err
	}
	c := fit.Forest
	c.Trees, c.Seed = min(c.Resolved(len(job.frame.Columns)).Trees, heartTrees), job.eval.Seed
	if c.LeftOut(len(job.blocks[0].Rows)) == 0 {
		return nil, nil
	}
	shown := p.progress("trees") // of how many is not known
	shown.least = 2 * c.Workers
	c.Progress = shown.add
	defer shown.end()
	return (&heartSearch{job, class, c}).run(ctx)
}

// heartSearch is the search for columns learnt by heart.
type heartSearch struct {
	job    *cvJob
	class  int
	forest forest.Config
}

// columnWorth is what forests grown on the rows before each block make of it, and what the columns are worth to them: by how much the area falls if their cells are permuted, summed by weight.
type columnWorth struct {
	outOfBag, later area
	oob, late       []float64 // by column, out of bag and in the blocks
}

// run leaves out the column that loses most on later rows, and so on as long as these are ranked worse than rows out of bag: one by one, as a column that misleads hides what others are worth.
// It returns the columns if later rows are ranked better without, by more than chance, or no worse where the columns explain what is lost; else nil.
func (s *heartSearch) run(ctx context.Context) (*byHeart, error) {
	found, frame := &byHeart{class: s.job.frame.Classes[s.class], trees: s.forest.Trees}, *s.job.frame
	var first columnWorth
	for lost := 0.0; ; {
		w, err := s.worth(ctx, &frame)
		if err != nil || w.later.weight == 0 {
			return nil, err
		}
		if found.columns == nil {
			first = w
		}
		worst := w.worst()
		if worst >= 0 && len(frame.Columns) > 1 && w.outOfBag.above(&w.later, decayErrors) {
			found.columns = append(found.columns, frame.Columns[worst].Name)
			lost += (w.oob[worst] - w.late[worst]) / w.later.weight
			frame.Columns = slices.Delete(slices.Clone(frame.Columns), worst, worst+1)
			continue
		}
		found.outOfBag, found.with, found.without = first.outOfBag.mean(), first.later.mean(), w.later.mean()
		found.gains = w.later.above(&first.later, gainErrors)
		explained := lost >= float64(gapPart*(found.outOfBag-found.with)) && found.with-found.without < leastArea
		if !found.gains && !explained {
			found.columns = nil
		}
		if found.columns == nil {
			found.doubted = s.job.frame.Calendar()
		}
		return found, nil
	}
}

// worst is the column that is worth something out of bag, and hardly a part of it on later rows, and loses most; -1 where there is none.
func (w *columnWorth) worst() int {
	worst, most := -1, 0.0
	for j, oob := range w.oob {
		if lost := oob - w.late[j]; oob >= float64(leastHelp*w.later.weight) && w.late[j] <= float64(heartPart*oob) && lost > most {
			worst, most = j, lost
		}
	}
	return worst
}

// worth grows a forest for each block of a frame.
func (s *heartSearch) worth(ctx context.Context, frame *dataset.Frame) (columnWorth, error) {
	w := columnWorth{oob: make([]float64, len(frame.Columns)), late: make([]float64, len(frame.Columns))}
	for _, b := range s.job.grownBlocks() {
		if err := s.block(ctx, frame, b, &w); err != nil {
			return w, err
		}
	}
	return w, nil
}

// block adds what a forest makes of a block that is grown on the rows before it.
func (s *heartSearch) block(ctx context.Context, frame *dataset.Frame, block int, to *columnWorth) error {
	before, later, permuted := s.parted(frame, block)
	c := s.forest
	c.Mtry = min(c.Mtry, len(frame.Columns))
	grown, votes, err := forest.Grow(ctx, before, c)
	if err != nil {
		return err
	}
	seen, err := grown.Votes(ctx, later, c.Workers)
	if err != nil {
		return err
	}
	b, l, weight := rankingBy(votes, s.class), rankingBy(seen, s.class), s.job.rowsOf(block, s.class)
	if b == nil || l == nil {
		return nil
	}
	to.outOfBag.add(b, weight)
	to.later.add(l, weight)
	c.Progress = nil
	return grown.PermutationVotes(ctx, before, c, 0, func(j int, _, without *vote.Table) error {
		to.oob[j] += float64(weight * (b.Value - rankingBy(without, s.class).Value))
		own := later.Columns[j]
		later.Columns[j] = permuted.Columns[j]
		without, err := grown.Votes(ctx, later, c.Workers)
		later.Columns[j] = own
		if err == nil {
			to.late[j] += float64(weight * (l.Value - rankingBy(without, s.class).Value))
		}
		return err
	})
}

// parted returns the rows of a frame before a block, those of the block, and these in another order, whose cells are those of the block permuted.
func (s *heartSearch) parted(frame *dataset.Frame, block int) (before, later, permuted *dataset.Frame) {
	var rows []int
	for _, b := range s.job.blocks[:block] {
		rows = append(rows, b.Rows...)
	}
	slices.Sort(rows)
	own := s.job.blocks[block].Rows
	mixed := make([]int, len(own))
	for i, at := range rand.New(rand.NewPCG(s.forest.Seed, uint64(block))).Perm(len(own)) {
		mixed[i] = own[at]
	}
	return frame.Take(rows), frame.Take(own), frame.Take(mixed)
}

// byHeartWords say what importance of rows in the order of columns that may be times leaves out, as [orderedWords] does.
func byHeartWords(columns []string, r *dataset.Reading, s dataset.Schema) []string {
	if columns == nil {
		return nil
	}
	when := ""
	if r.Time == "" {
		when = fmt.Sprintf("If %s is time, ", nearest.List(columns[:1]))
	}
	return []string{english.Capital(fmt.Sprintf("%spast and future are mixed here: what trees learn by heart, such as a month, looks worth more than it is on later rows; cv %s looks for such columns.", when, csvtext.Flag("time", inOrder(columns, r, s), "COL")))}
}

// finding is what was found; nil where it is nothing.
func (h *byHeart) finding(blocks int) *finding.Finding {
	if h == nil || h.columns == nil {
		return nil
	}
	f := finding.New(codes.ColumnMemorised, finding.Where{Rows: codes.AllBlocks, Blocks: blocks},
		finding.Figure{Name: "area_out_of_bag", Class: h.class, Value: h.outOfBag, Unit: codes.Area}, finding.Figure{Name: "area", Class: h.class, Value: h.with, Unit: codes.Area},
		finding.Figure{Name: "area_without", Class: h.class, Value: h.without, Unit: codes.Area}, finding.Figure{Name: "trees", Value: float64(h.trees), Unit: codes.Trees})
	f.Classes, f.Columns = []string{h.class}, h.columns
	for _, name := range h.columns {
		f.Remedies = append(f.Remedies, finding.Remedy{Do: codes.IgnoreColumn, Column: name})
	}
	return &f
}
