package forest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/vote"
)

// mostPermuted is about how many counts of permuted votes are held at once: 256 MB. Beyond that
// the features are taken in several goes.
const mostPermuted = 1 << 26

// rowsBetween is the number of rows after which a walk asks again whether it should go on.
const rowsBetween = 1 << 14

// PermutationVotes shows how much the votes depend on each feature. Feature by feature it calls each with two
// tables: the out-of-bag votes of train as they are, and as they would be if the cells of the feature were
// permuted among the rows, so that they tell the trees nothing while all else is unchanged. A permutation is
// drawn from the seed of c, the feature and round; other rounds have others. Rows of weight 0 take no part:
// their votes stay.
//
// All trees see the same permutation, so the votes for a row are those for a row that could exist. With another
// permutation in each tree, as Breiman has it, chance would cancel out between the trees and the votes of all
// rows would draw together: that makes no difference to the mean over the trees, but it does to what the forest
// decides.
//
// Train and c must be what the forest was grown on and with, except for c.Workers. It takes about as long as a
// few votes on all rows; for features that a tree does not use nothing is computed. The Progress of c is called
// once for each feature, evenly spread over the work, from several goroutines at once.
//
// Errors: [ErrTrain] for other data or settings; [ErrConfig] if bags leave no row out; those of each and ctx.
// Source: Breiman, Machine Learning 45 (2001) 5-32, section 10; for one permutation of the rows, Fisher, Rudin,
// Dominici, JMLR 20 (2019).
func (f *Forest) PermutationVotes(ctx context.Context, train *dataset.Frame, c Config, round int, each func(feature int,
	ordinary, permuted *vote.Table) error) error {
	p, err := newPermuter(ctx, f, train, c, round)
	if err != nil {
		return err
	}
	n, k, features := train.Rows(), len(f.Classes), len(f.Schema)
	table := func(counts []uint32) *vote.Table {
		return &vote.Table{
			Classes: f.Classes, Truth: train.Truth, Weight: train.Weight, Amount: train.Amount, Share: f.Share, Ties: f.Ties,
			Counts: counts, Source: vote.OOB, Soft: f.soft, Trees: len(f.trees),
		}
	}
	ordinary := table(make([]uint32, n*k))
	p.ordinary = ordinary.Counts
	step := max(1, mostPermuted/(n*k))
	for from := 0; from < features; from += step {
		p.from, p.changes = from, make([][]uint32, min(step, features-from))
		p.cells = make([][]uint32, len(p.changes))
		for b := range p.changes {
			if err := ctx.Err(); err != nil {
				return err
			}
			p.changes[b], p.cells[b] = make([]uint32, n*k), p.permuted(from+b)
		}
		if err := p.run(ctx); err != nil {
			return err
		}
		for b, counts := range p.changes {
			for i := range counts {
				counts[i] += ordinary.Counts[i]
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := each(from+b, ordinary, table(counts)); err != nil {
				return err
			}
			p.changes[b] = nil
		}
	}
	return nil
}

// permuter is what the workers of PermutationVotes share.
type permuter struct {
	f        *Forest
	data     *coded
	cfg      Config
	round    int
	idle     []uint32   // the rows of weight 0
	ranks    []uint32   // n×(p+1), of the cells of the rows
	ordinary []uint32   // n×k, added to atomically
	from     int        // the first feature of this go
	changes  [][]uint32 // by feature from there on n×k, what permuting adds to the votes, modulo 2³²
	cells    [][]uint32 // by feature from there on, by row the rank of the cell it is given
}

func newPermuter(ctx context.Context, f *Forest, train *dataset.Frame, c Config, round int) (*permuter, error) {
	if err := train.Check(); err != nil {
		return nil, err
	}
	c = c.Resolved(len(train.Columns))
	if err := c.CheckKinds(); err != nil {
		return nil, err
	}
	other := fmt.Errorf("%w: the forest was grown on other rows or with other settings; give those it was grown with",
		ErrTrain)
	if !slices.Equal(train.Classes, f.Classes) {
		return nil, other
	}
	d, err := newCoded(train, c, f.TieOrder())
	if err != nil {
		return nil, err
	}
	if err := d.encodeColumns(ctx, train.Columns, c.Workers); err != nil {
		return nil, err
	}
	if originOf(train, d, c) != f.origin || !slices.EqualFunc(train.Schema(), f.Schema, sameField) {
		return nil, other
	}
	if share, err := c.Proportional(train); err != nil || share.LeftOut(len(d.rows)) == 0 {
		return nil, fmt.Errorf("%w: the bag of every tree holds all rows, so there are no out-of-bag votes; grow the "+
			"forest with smaller bags", ErrConfig)
	}
	p := &permuter{f: f, data: d, cfg: c, round: round}
	for i := range train.Rows() {
		if d.weight(i) == 0 {
			p.idle = append(p.idle, uint32(i))
		}
	}
	return p, p.rank(ctx, train)
}

// rank fills in the ranks of all cells.
func (p *permuter) rank(ctx context.Context, train *dataset.Frame) error {
	stride := len(p.f.Schema) + 1
	p.ranks = make([]uint32, train.Rows()*stride)
	group, ctx := parallel.WithContext(ctx)
	group.SetLimit(p.cfg.Workers)
	for j := range train.Columns {
		if p.f.cuts[j].count() == 0 {
			continue
		}
		group.Go(func() error {
			for i := range train.Rows() {
				p.ranks[i*stride+j] = p.f.rank(j, train.Columns[j].At(i))
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// permuted returns the ranks of a feature, permuted among the rows of weight > 0.
func (p *permuter) permuted(feature int) []uint32 {
	stride, rows := len(p.f.Schema)+1, slices.Clone(p.data.rows)
	s := permutationStream(p.cfg.Seed, feature, p.round)
	for i := len(rows) - 1; i > 0; i-- { // Fisher and Yates
		j := s.below(i + 1)
		rows[i], rows[j] = rows[j], rows[i]
	}
	cells := make([]uint32, len(p.data.class))
	for i, row := range p.data.rows {
		cells[row] = p.ranks[int(rows[i])*stride+feature]
	}
	return cells
}

// run takes all trees, each worker the next one that nobody has.
func (p *permuter) run(ctx context.Context) error {
	var next, walked atomic.Int64
	group, ctx := parallel.WithContext(ctx)
	for range min(p.cfg.Workers, len(p.f.trees)) {
		group.Go(func() error {
			w := &permutation{permuter: p, times: make([]uint8, len(p.data.class)), met: make([][]meeting, len(p.changes))}
			for t := int(next.Add(1)) - 1; t < len(p.f.trees); t = int(next.Add(1)) - 1 {
				if err := w.tree(ctx, t); err != nil {
					return err
				}
				p.progress(int(walked.Add(1)))
			}
			return nil
		})
	}
	return group.Wait()
}

// progress reports that so many trees have been walked for the features of this go: of each they are a part of the
// work.
func (p *permuter) progress(walked int) {
	if p.cfg.Progress == nil {
		return
	}
	features, trees := len(p.changes), len(p.f.trees)
	for range features*walked/trees - features*(walked-1)/trees {
		p.cfg.Progress()
	}
}

// permutation is the work of one worker on one tree.
type permutation struct {
	*permuter
	times []uint8     // len n, draws of each row
	out   []uint32    // the rows of weight > 0 that are out of the bag
	leaf  []uint32    // by place in out, the vote of the leaf the row comes to
	met   [][]meeting // by feature, the rows whose way asks for it
}

// meeting is the first node on the way of a row that asks for a feature.
type meeting struct{ place, node uint32 }

// tree adds what a tree says. Of many rows that takes seconds, so ctx is asked on the way.
func (w *permutation) tree(ctx context.Context, t int) error {
	w.data.draw(w.times, w.cfg, w.f.first+t)
	w.out = w.out[:0]
	for _, row := range w.data.rows {
		if w.times[row] == 0 {
			w.out = append(w.out, row)
		}
	}
	for b := range w.met {
		w.met[b] = w.met[b][:0]
	}
	if err := w.walkAll(ctx, w.f.trees[t]); err != nil {
		return err
	}
	for b, met := range w.met {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(met) > 0 {
			w.permute(w.f.trees[t], w.from+b, met)
		}
	}
	return nil
}

// walkAll finds the leaves of the rows and notes what they are asked on their way. In the first
// go it casts their votes.
func (w *permutation) walkAll(ctx context.Context, nodes []node) error {
	f, p, stride, k := w.f, len(w.f.Schema), len(w.f.Schema)+1, len(w.f.Classes)
	w.leaf = w.leaf[:0]
	for place, row := range w.out {
		if place%rowsBetween == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ranks, at := w.ranks[int(row)*stride:(int(row)+1)*stride], uint32(0)
		for {
			n := nodes[at]
			j := int(f.layout.featureOf(n))
			if j == p {
				w.leaf = append(w.leaf, f.layout.cut(n))
				break
			}
			if b := j - w.from; b >= 0 && b < len(w.met) {
				if met := w.met[b]; len(met) == 0 || met[len(met)-1].place != uint32(place) {
					w.met[b] = append(met, meeting{uint32(place), at})
				}
			}
			at = f.next(n, ranks[j])
		}
	}
	if w.from > 0 {
		return nil
	}
	for place, row := range w.out {
		f.castShared(w.ordinary[int(row)*k:(int(row)+1)*k], w.leaf[place], 1)
	}
	for _, row := range w.idle {
		ranks := w.ranks[int(row)*stride : (int(row)+1)*stride]
		at := f.walk(nodes, func(j int) uint32 { return ranks[j] })
		f.castShared(w.ordinary[int(row)*k:(int(row)+1)*k], f.layout.cut(nodes[at]), 1)
	}
	return nil
}

// permute sends the rows that met a feature on from there, each with the cell it is given.
func (w *permutation) permute(nodes []node, feature int, met []meeting) {
	f, p, stride, k := w.f, len(w.f.Schema), len(w.f.Schema)+1, len(w.f.Classes)
	changes, cells := w.changes[feature-w.from], w.cells[feature-w.from]
	for _, m := range met {
		row := int(w.out[m.place])
		ranks, rank := w.ranks[row*stride:(row+1)*stride], cells[row]
		if rank == ranks[feature] {
			continue
		}
		n := nodes[m.node]
		for j := int(f.layout.featureOf(n)); j != p; j = int(f.layout.featureOf(n)) {
			if j == feature {
				n = nodes[f.next(n, rank)]
			} else {
				n = nodes[f.next(n, ranks[j])]
			}
		}
		if leaf := f.layout.cut(n); leaf != w.leaf[m.place] {
			f.castShared(changes[row*k:(row+1)*k], leaf, 1)
			f.castShared(changes[row*k:(row+1)*k], w.leaf[m.place], ^uint32(0))
		}
	}
}

// castShared adds the vote of a leaf so many times, atomically; ^0, which is -1, takes it back.
func (f *Forest) castShared(votes []uint32, leaf, times uint32) {
	k := uint32(len(f.Classes))
	switch {
	case !f.soft:
		atomic.AddUint32(&votes[leaf], times)
	case leaf < k:
		atomic.AddUint32(&votes[leaf], times*vote.Unit)
	default:
		for c, share := range f.shares[(leaf-k)*k : (leaf-k+1)*k] {
			if share > 0 {
				atomic.AddUint32(&votes[c], times*uint32(share))
			}
		}
	}
}

// permutationStream draws the permutation of a feature.
func permutationStream(seed uint64, feature, round int) stream {
	s := scramble(scramble(seed+0xe7037ed1a0b428db) ^ (uint64(feature)+1)*0xd1342543de82ef95)
	return stream(scramble(s ^ (uint64(round)+1)*0x9e3779b97f4a7c15))
}

// Importance returns by how much the splits on each feature lowered the impurity of their nodes, summed over
// the trees (len p, with sum 1; all 0 if nothing was split). It favours features of many different values,
// because it is measured on the rows that the splits were chosen on (Strobl et al. 2007);
// [Forest.PermutationVotes] does not. Source: Breiman 2001; Friedman 2001.
func (f *Forest) Importance() []float64 {
	sum := 0.0
	for _, g := range f.gain {
		sum += float64(g)
	}
	out := make([]float64, len(f.gain))
	for j, g := range f.gain {
		if sum > 0 {
			out[j] = float64(g) / sum
		}
	}
	return out
}
