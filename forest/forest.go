package forest

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/vote"
)

// Forest is a list of trees over the same features and classes. It never changes, so any number of goroutines
// may use it.
type Forest struct {
	Schema  dataset.Schema
	Classes []string
	Share   []float64 // len k, share of each class among the training rows
	Ties    []int     // the classes in the order in which they win ties; nil if that follows from Share, see TieOrder

	first       int      // number of its first tree
	trees       [][]node // node 0 is the root; for their order see grownTree
	layout      layout
	cuts        []cuts    // len p
	thresholds  []float64 // those of all features, see flatten,
	starts      []int     // and where those of each begin; len p
	categorical bool      // some feature is
	soft        bool      // a tree votes with the shares of the classes in its leaf
	shares      []uint16  // of soft votes, lists of k that sum to vote.Unit, of leaves that are not pure
	sums        *Sums     // of a forest of another program that does not vote; nil for all others
	gain        []uint64  // len p, see Importance
	origin      uint64    // digest of what the trees depend on beside their numbers
}

// Grow returns the forest grown on train, and the out-of-bag votes of its rows: each row is voted on only by
// the trees whose bag left it out, about 0.37·T of T trees.
//
// Every row needs a class, and at least two classes need rows. Rows of weight 0 are never drawn. The result
// depends only on train and c, not on the number of workers.
//
// Errors: [ErrConfig], [ErrTrain], [ErrMemory], those of [dataset.Frame.Check], and that of ctx. Source:
// Breiman, Machine Learning 45 (2001) 5-32.
func Grow(ctx context.Context, train *dataset.Frame, c Config) (*Forest, *vote.Table, error) {
	return GrowTrees(ctx, train, c, 0, c.Resolved(len(train.Columns)).Trees)
}

// GrowTrees returns the trees numbered from, ..., to-1 of the forest that [Grow] returns, or would return for
// more trees, and their out-of-bag votes. [Merge] joins parts, which may have been grown at another time or on
// another machine, and [vote.Table.Add] their votes. Errors: those of [Grow]; [ErrConfig] for numbers that no
// tree of the forest has.
func GrowTrees(ctx context.Context, train *dataset.Frame, c Config, from, to int) (*Forest, *vote.Table, error) {
	c = c.Resolved(len(train.Columns))
	if _, hash := c.Bag.Rows(); hash {
		f, err := GrowPart(ctx, train, c, from, to)
		if err != nil {
			return nil, nil, err
		}
		table, err := f.outOfBag(ctx, train, c)
		return f, table, err
	}
	table := &vote.Table{Truth: train.Truth, Weight: train.Weight, Amount: train.Amount, Source: vote.OOB, Soft: c.Soft,
		Trees: to - from}
	// from here on nothing holds the columns of train, see Prepared
	f, counts, err := growRange(ctx, train, c, from, to, true)
	if err != nil {
		return nil, nil, err
	}
	table.Classes, table.Share, table.Ties, table.Counts = f.Classes, f.Share, f.Ties, counts
	return f, table, nil
}

// GrowPart is [GrowTrees] without the votes, which [Forest.OutOfBag] returns for any rows. It takes less time,
// and no memory for the votes.
func GrowPart(ctx context.Context, train *dataset.Frame, c Config, from, to int) (*Forest, error) {
	f, _, err := growRange(ctx, train, c.Resolved(len(train.Columns)), from, to, false)
	return f, err
}

// growRange grows trees for a resolved c. It returns the counts of their out-of-bag votes where votes are wanted,
// but not of hash bags.
func growRange(ctx context.Context, train *dataset.Frame, c Config, from, to int, votes bool) (*Forest, []uint32,
	error) {
	if err := train.Check(); err != nil {
		return nil, nil, err
	}
	if err := c.check(train, from, to); err != nil {
		return nil, nil, err
	}
	g, err := prepareRows(ctx, train, c)
	if err != nil {
		return nil, nil, err
	}
	return g.grow(ctx, from, to, votes)
}

// growth is what the growers of a forest share.
type growth struct {
	*coded
	cfg      Config
	from, to int
	base     int64 // bytes that growing takes beside the trees, see Memory
	layout   layout
	counts   []uint32     // n×k, out-of-bag votes; nil where they are not wanted; guarded by
	locks    []sync.Mutex // of castRows rows each
	batches  bool         // whether trees are drawn together
	ordered  bool         // whether the order matters in which the classes of a node are listed
	used     [][]uint64   // by numeric feature, bit c: some tree cuts after code c; or-ed atomically
	gain     []uint64     // by feature; added to atomically
}

// A grownTree is a tree whose cuts are still codes of the training data: of a numeric feature
// the last code that goes left. Node 0 is the root; the nodes stand in the order in which a walk from it, left
// before right, comes to their parents, each left child directly before the right one.
type grownTree struct {
	nodes  []node
	starts []uint32 // the sets of its categorical nodes, in the order of the nodes; as in cuts
	codes  []uint32
	shares []uint16 // of its leaves that are not pure, for soft votes
}

func newGrowth(d *coded, c Config, from, to int) *growth {
	p := len(d.columns)
	w := &growth{coded: d, cfg: c, from: from, to: to, used: make([][]uint64, p), gain: make([]uint64, p)}
	for j := range d.columns {
		if !d.columns[j].categorical {
			w.used[j] = make([]uint64, d.columns[j].most/64+1)
		}
	}
	w.layout, _ = d.layout()
	exact := c.Criterion == Gini || c.Criterion == Entropy
	w.batches = exact && !c.RandomCuts && c.MaxLeaves == 0 && d.takesBatches()
	w.ordered = !exact || d.real != nil || slices.ContainsFunc(d.columns,
		func(c codedColumn) bool { return c.categorical })
	return w
}

// keepVotes has the votes of rows out of bag counted while trees grow.
func (w *growth) keepVotes() {
	n := len(w.class)
	w.counts, w.locks = make([]uint32, n*w.k), make([]sync.Mutex, (n+castRows-1)/castRows)
}

// layout returns that of grown trees, and whether there is one.
func (d *coded) layout() (layout, bool) {
	n := len(d.class)
	most := d.k + n
	for j := range d.columns {
		most = max(most, int(d.columns[j].most))
	}
	l, ok := newLayout(most, len(d.columns))
	return l, ok && 2*n <= mostNodes
}

// take returns a range of the trees that nobody has: several where they are drawn together, fewer the fewer are left.
func (w *growth) take(next *atomic.Int64, trees int) (from, to int) {
	for {
		from := int(next.Load())
		n := min(1, trees-from)
		if w.batches {
			n = min(batchTrees, max(n, (trees-from)/w.cfg.Workers))
		}
		if next.CompareAndSwap(int64(from), int64(from+n)) {
			return from, from + n
		}
	}
}

// run grows the trees, each worker taking the next ones that nobody has.
func (w *growth) run(ctx context.Context) ([]grownTree, error) {
	trees := make([]grownTree, w.to-w.from)
	var next, grown, nodes atomic.Int64
	group, ctx := parallel.WithContext(ctx)
	grow := func(g *grower, t int) (err error) {
		if trees[t], err = g.grow(ctx, w.from+t); err != nil {
			return err
		}
		if err := w.cfg.foresee(w.base, nodes.Add(int64(len(trees[t].nodes))), grown.Add(1), len(trees)); err != nil {
			return err
		}
		if w.cfg.Progress != nil {
			w.cfg.Progress()
		}
		return nil
	}
	for range min(w.cfg.Workers, len(trees)) {
		group.Go(func() error {
			g := newGrower(w)
			for {
				from, to := w.take(&next, len(trees))
				if from == to {
					return nil
				}
				if err := g.draw(ctx, w.from+from, w.from+to); err != nil {
					return err
				}
				for t := from; t < to; t++ {
					if err := grow(g, t); err != nil {
						return err
					}
				}
			}
		})
	}
	return trees, group.Wait()
}

// assemble makes the trees those of f: it numbers the cuts that occur, feature by feature, and
// writes these numbers into the nodes in place of the codes.
func (w *growth) assemble(ctx context.Context, f *Forest, trees []grownTree) error {
	f.gain = w.gain
	f.cuts = make([]cuts, len(w.columns))
	ranks := make([]ranks, len(w.columns))
	err := each(ctx, len(w.columns), w.cfg.Workers, func(j int, _ *struct{}) {
		if col := &w.columns[j]; col.categorical {
			f.cuts[j] = newSets(int(col.most))
		} else {
			ranks[j] = newRanks(w.used[j])
			f.cuts[j].at = ranks[j].thresholds(col)
		}
	})
	if err != nil {
		return err
	}
	f.index()
	sets := w.countSets(trees)
	most := w.k - 1
	for i := range trees {
		most += len(trees[i].shares) / w.k
	}
	for j := range f.cuts {
		most = max(most, f.cuts[j].count()-1, sets[j]-1)
	}
	f.layout, _ = newLayout(most, len(w.columns))
	shares := make([]uint32, len(trees)) // those of the trees before
	for i := range trees {
		shares[i] = uint32(len(f.shares) / w.k)
		f.trees, f.shares = append(f.trees, trees[i].nodes), append(f.shares, trees[i].shares...)
	}
	workers := w.cfg.Workers
	if f.categorical { // sets are numbered in the order of the trees
		workers = 1
	}
	return each(ctx, len(trees), workers, func(i int, _ *struct{}) { w.settle(f, &trees[i], shares[i], ranks) })
}

// countSets returns the number of categorical cuts of each feature.
func (w *growth) countSets(trees []grownTree) []int {
	sets := make([]int, len(w.columns))
	for i := range trees {
		if len(trees[i].starts) == 0 {
			continue
		}
		for _, n := range trees[i].nodes {
			if j := int(w.layout.featureOf(n)); j < len(sets) && w.columns[j].categorical {
				sets[j]++
			}
		}
	}
	return sets
}

// settle rewrites the nodes of t in place, in the layout of f, given the shares of leaves that trees before it have.
func (w *growth) settle(f *Forest, t *grownTree, shares uint32, ranks []ranks) {
	l, p, set := w.layout, uint32(len(f.cuts)), 0
	for i, n := range t.nodes {
		feature, cut := l.featureOf(n), l.cut(n)
		switch {
		case feature == p:
			if cut >= uint32(w.k) {
				cut += shares
			}
		case w.columns[feature].categorical:
			cut = f.cuts[feature].add(t.codes[t.starts[set]:t.starts[set+1]])
			set++
		default:
			cut = ranks[feature].of(cut)
		}
		t.nodes[i] = f.layout.pack(cut, feature, n.missing() != 0, n.child())
	}
}

// ranks numbers the members of a set of codes, ascending.
type ranks struct {
	words  []uint64 // bit c%64 of word c/64 is set for a member c
	before []uint32 // by word: members in the words before
}

func newRanks(words []uint64) ranks {
	r := ranks{words: words, before: make([]uint32, len(words))}
	sum := uint32(0)
	for w, word := range words {
		r.before[w] = sum
		sum += uint32(bits.OnesCount64(word))
	}
	return r
}

// of returns the rank of a member.
func (r *ranks) of(code uint32) uint32 {
	return r.before[code/64] + uint32(bits.OnesCount64(r.words[code/64]&(1<<(code%64)-1)))
}

// thresholds returns those of the members, ascending.
func (r *ranks) thresholds(col *codedColumn) []float64 {
	n := 0
	if last := len(r.words) - 1; last >= 0 {
		n = int(r.before[last]) + bits.OnesCount64(r.words[last])
	}
	at := make([]float64, 0, n)
	for w, word := range r.words {
		for ; word != 0; word &= word - 1 {
			at = append(at, col.threshold(uint32(64*w+bits.TrailingZeros64(word))))
		}
	}
	return at
}

// smallestLayout returns the layout that the cuts of f need.
func (f *Forest) smallestLayout() layout {
	most := len(f.Classes) - 1 + f.lists()
	for j := range f.cuts {
		most = max(most, f.cuts[j].count()-1)
	}
	l, _ := newLayout(most, len(f.cuts))
	return l
}

// lists returns the number of leaves that hold more than a class.
func (f *Forest) lists() int {
	if f.sums != nil {
		return len(f.sums.leaves) / f.sums.width()
	}
	return len(f.shares) / len(f.Classes)
}

// TieOrder returns the classes in the order in which they win ties, in leaves and between the votes of trees: by
// falling share, and equals in the order of their first rows, see [dataset.Frame.FirstRows].
func (f *Forest) TieOrder() []int {
	return (&vote.Table{Classes: f.Classes, Share: f.Share, Ties: f.Ties}).TieOrder()
}

// Trees returns the number of trees.
func (f *Forest) Trees() int { return len(f.trees) }

// Nodes returns the number of nodes of all trees.
func (f *Forest) Nodes() int {
	sum := 0
	for _, nodes := range f.trees {
		sum += len(nodes)
	}
	return sum
}
