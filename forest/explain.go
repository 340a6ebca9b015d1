package forest

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/shapley"
)

// ExplainConfig says how votes are split into parts, see [Forest.Explainer].
type ExplainConfig struct {
	Class int // of which the votes are, an index into Classes
	// Interventional puts the cells of background rows, each in turn, in the place of those that are not known. It
	// takes as many times as long as there are background rows; a hundred are plenty. Otherwise unknown cells go both
	// ways at each split, in the proportion in which the background rows go.
	Interventional bool
	Workers        int // 0 means GOMAXPROCS
}

// Explainer splits the share of the votes that a row has for a class into parts of the features. It does not
// change, so any number of goroutines may use it.
type Explainer struct {
	// Base is the mean share of the votes for the class among the background rows, by their case weights. The parts
	// of a row are what its share lies above that.
	Base float64

	f          *Forest
	workers    int
	sign       float64 // -1 where trees are those of the other one of two classes
	trees      []*shapley.Tree
	background []uint32  // if interventional, the ranks of its rows, p each,
	weight     []float64 // and the part of each in the mean
}

// explained is how many background rows are counted before the next ones, and explainedRows how many rows a worker
// takes through the trees: what there is to know of a tree then stays near the processor.
const (
	explained     = 1 << 12
	explainedRows = 32
)

// Explainer prepares to split votes into Shapley values of the features (Lundberg et al., Nature Machine
// Intelligence 2 (2020) 56-67). Background rows, such as those of the training, say what is usual: no node keeps how
// many rows it was grown on. Their columns are matched by name, and their case weights heeded; their labels are not
// used.
//
// Errors: [ErrConfig] for a class that there is not; [ErrTrain] if there are no background rows of weight above 0;
// those of [dataset.Schema.Conform]; that of ctx.
func (f *Forest) Explainer(ctx context.Context, background *dataset.Frame, c ExplainConfig) (*Explainer, error) {
	if c.Class < 0 || c.Class >= len(f.Classes) {
		return nil, fmt.Errorf("%w: class %d of %d", ErrConfig, c.Class, len(f.Classes))
	}
	if f.sums != nil && !f.sums.additive() {
		return nil, fmt.Errorf("%w: the trees, of another program, add up margins and not shares, which are not split into "+
			"parts", ErrConfig)
	}
	background, err := f.Schema.Conform(background)
	if err != nil {
		return nil, err
	}
	var rows []int
	for i := range background.Rows() {
		if background.WeightOf(i) > 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: there are no background rows of weight above 0; give some, such as those of the "+
			"training", ErrTrain)
	}
	e := &Explainer{f: f, workers: c.Workers, sign: 1, trees: make([]*shapley.Tree, len(f.trees))}
	if e.workers <= 0 {
		e.workers = runtime.GOMAXPROCS(0)
	}
	covers, err := f.covers(ctx, background, rows, e.workers)
	if err != nil {
		return nil, err
	}
	class := c.Class
	if len(f.Classes) == 2 && f.voters(1-class) < f.voters(class) { // leaves of no votes cost nothing
		class, e.sign = 1-class, -1
	}
	ready := shapley.New
	if c.Interventional {
		ready = shapley.NewAgainst
	}
	err = each(ctx, len(f.trees), e.workers, func(t int, _ *struct{}) {
		e.trees[t] = ready(f.plain(t, covers[t], class))
	})
	if err != nil {
		return nil, err
	}
	for _, t := range e.trees {
		e.Base += float64(e.sign * t.Base())
	}
	if e.sign < 0 {
		e.Base++
	}
	if c.Interventional {
		e.against(background, rows)
	}
	return e, nil
}

// voters returns how many leaves vote for a class.
func (f *Forest) voters(class int) int {
	n := 0
	for _, nodes := range f.trees {
		for _, node := range nodes {
			if int(f.layout.featureOf(node)) == len(f.cuts) && f.part(class, f.layout.cut(node)) > 0 {
				n++
			}
		}
	}
	return n
}

// ranksOf writes the ranks of a row (len p).
func (f *Forest) ranksOf(ranks []uint32, frame *dataset.Frame, row int) {
	for j := range ranks {
		ranks[j] = f.rank(j, frame.Columns[j].At(row))
	}
}

// covers returns by tree and node the weight of the rows that come there.
func (f *Forest) covers(ctx context.Context, frame *dataset.Frame, rows []int, workers int) ([][]float64, error) {
	p := len(f.Schema)
	covers := make([][]float64, len(f.trees))
	for t, nodes := range f.trees {
		covers[t] = make([]float64, len(nodes))
	}
	ranks := make([]uint32, min(explained, len(rows))*p)
	for block := range slices.Chunk(rows, explained) {
		err := each(ctx, len(block), workers, func(i int, _ *struct{}) {
			f.ranksOf(ranks[i*p:(i+1)*p], frame, block[i])
		})
		if err != nil {
			return nil, err
		}
		err = each(ctx, len(f.trees), workers, func(t int, _ *struct{}) {
			for i, row := range block {
				own := ranks[i*p : (i+1)*p]
				covers[t][f.walk(f.trees[t], func(j int) uint32 { return own[j] })] += frame.WeightOf(row)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return covers, each(ctx, len(f.trees), workers, func(t int, _ *struct{}) {
		for i, cover := range slices.Backward(covers[t]) { // children stand behind their parents
			if n := f.trees[t][i]; int(f.layout.featureOf(n)) < p {
				covers[t][i] = cover + covers[t][n.child()] + covers[t][n.child()+1]
			}
		}
	})
}

// part returns what a leaf adds to the share of a class.
func (f *Forest) part(class int, leaf uint32) float64 {
	if f.sums != nil {
		k := len(f.Classes)
		return f.sums.leaves[(int(leaf)-k)*k+class] / f.sums.Divide
	}
	return float64(f.castFor(class, leaf)) / (f.Unit() * float64(len(f.trees)))
}

// plain returns the nodes of a tree, with what its leaves add to the share of the votes for a class.
func (f *Forest) plain(tree int, cover []float64, class int) []shapley.Node {
	nodes := make([]shapley.Node, len(cover))
	for i, n := range f.trees[tree] {
		nodes[i] = shapley.Node{Feature: int(f.layout.featureOf(n)), Left: int(n.child()), Right: int(n.child()) + 1,
			Cover: cover[i]}
		if nodes[i].Feature == len(f.cuts) {
			nodes[i] = shapley.Node{Feature: -1, Cover: cover[i], Value: f.part(class, f.layout.cut(n))}
		}
	}
	return nodes
}

// against keeps the background rows.
func (e *Explainer) against(background *dataset.Frame, rows []int) {
	p, sum := len(e.f.Schema), 0.0
	e.background, e.weight = make([]uint32, len(rows)*p), make([]float64, len(rows))
	for _, row := range rows {
		sum += background.WeightOf(row)
	}
	for i, row := range rows {
		e.f.ranksOf(e.background[i*p:(i+1)*p], background, row)
		e.weight[i] = background.WeightOf(row) / sum
	}
}

// Parts returns for each row of frame the part of each feature, in the order of Schema: by how much the share of the
// votes for the class lies above Base because of its cell. They sum up to that share less Base, but for rounding. It
// depends on nothing but the forest, the background rows and the row. Errors: those of [dataset.Schema.Conform]; that
// of ctx.
func (e *Explainer) Parts(ctx context.Context, frame *dataset.Frame) ([][]float64, error) {
	frame, err := e.f.Schema.Conform(frame)
	if err != nil {
		return nil, err
	}
	parts := make([][]float64, frame.Rows())
	size := max(1, min(explainedRows, len(parts)/e.workers))
	err = each(ctx, (len(parts)+size-1)/size, e.workers, func(block int, s *splitting) {
		lo := block * size
		e.split(ctx, parts[lo:min(lo+size, len(parts))], frame, lo, s)
	})
	return parts, err
}

// splitting is the memory of a worker.
type splitting struct {
	room  shapley.Room
	ranks []uint32
	left  [][]bool // by row, and behind them by background row
}

// split splits the votes of the rows from lo on; parts are incomplete when ctx ends.
func (e *Explainer) split(ctx context.Context, parts [][]float64, frame *dataset.Frame, lo int, s *splitting) {
	p := len(e.f.Schema)
	s.ranks = slices.Grow(s.ranks[:0], len(parts)*p)[:len(parts)*p]
	for i := range parts {
		parts[i] = make([]float64, p)
		e.f.ranksOf(s.ranks[i*p:(i+1)*p], frame, lo+i)
	}
	for len(s.left) <= len(e.weight) {
		s.left = append(s.left, nil)
	}
	for t, tree := range e.trees {
		if ctx.Err() != nil {
			return
		}
		for b := range e.weight {
			s.left[b+1] = e.answers(s.left[b+1][:0], t, e.background[b*p:(b+1)*p])
		}
		for i, dst := range parts {
			s.left[0] = e.answers(s.left[0][:0], t, s.ranks[i*p:(i+1)*p])
			if e.weight == nil {
				tree.Add(dst, s.left[0], &s.room)
				continue
			}
			for b, weight := range e.weight {
				tree.AddAgainst(dst, s.left[0], s.left[b+1], weight, &s.room)
			}
		}
	}
	for _, dst := range parts {
		for j := range dst {
			dst[j] *= e.sign
		}
	}
}

// answers appends where a row of these ranks goes left in a tree.
func (e *Explainer) answers(left []bool, tree int, ranks []uint32) []bool {
	nodes := e.f.trees[tree]
	for _, i := range e.trees[tree].Tests() {
		n := nodes[i]
		left = append(left, e.f.next(n, ranks[e.f.layout.featureOf(n)]) == n.child())
	}
	return left
}
