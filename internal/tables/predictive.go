package tables

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Predictive returns out-of-bag votes as all trees would give them to new rows like those of t. A row is out of
// bag in some 0.37·T of T trees, so "one vote of 184" stands for two or three of 500, and none of 184 is seldom
// none of 500. Weights and maps that are to hold for T votes are fitted on the returned table, which has T votes
// in each row that has any. Tables of another [Source], of soft votes or of no known number of trees are
// returned as they are.
//
// For each true class and each class that is voted for, the votes of the rows are a mixture of binomials. Its
// mixing distribution is estimated by a few steps of expectation maximisation (nonparametric maximum likelihood:
// Laird, JASA 73 (1978) 805-811), and gives the distribution of T votes. The rows keep their order by posterior
// mean, and take the quantiles of that distribution. So a row keeps its class, weight, amount and group, and
// only the distribution of the votes within a class is that of new rows; a single row may get votes by chance.
//
// The result depends neither on the order of the rows nor on that of the classes. Rows that are alike are
// merged, as by [Table.Condense].
func Predictive(t *vote.Table) *vote.Table {
	if t.Source != vote.OOB || t.Soft || t.Trees < 1 || full(t) {
		return t
	}
	p := &predictor{Table: t.Condense(), ranks: t.TieOrder(), known: map[kindKey]kind{}}
	for i := range p.Rows() {
		p.all = append(p.all, uint32(vote.Total(p.Votes(i))))
	}
	p.layGrid()
	return p.table()
}

// full tells whether every row that can be judged has the votes of all trees, as no out-of-bag row has.
func full(t *vote.Table) bool {
	for i, votes := range t.Judged() {
		if t.WeightOf(i) > 0 && vote.Total(votes) != uint64(t.Trees) {
			return false
		}
	}
	return true
}

// predictor carries the votes of a table over to all trees.
type predictor struct {
	*vote.Table
	ranks   []int     // the classes, in the order in which they win ties
	grid    []float64 // probabilities of a vote
	yes, no []float64 // logarithms of these, and of those of no vote

	all []uint32 // how many votes each row has

	mu    sync.Mutex
	known map[kindKey]kind // without weight
}

// kindKey is what rows of a kind share: how many votes a class has and, in the upper half, how many all have.
type kindKey uint64

// piece stands for some of the rows of a cell, a row of the table, that get the same votes.
type piece struct {
	cell, times int
	votes       []uint32
}

// mostPieces is into how many pieces the rows of a cell are divided at most, of three classes or more.
const mostPieces = 1 << 10

func (p *predictor) table() *vote.Table {
	var pieces []piece
	byTruth := make([][]int, len(p.Classes))
	for _, i := range p.cells() {
		if truth := p.Truth[i]; truth >= 0 && vote.Total(p.Votes(i)) > 0 && p.WeightOf(i) > 0 {
			byTruth[truth] = append(byTruth[truth], i)
		} else {
			pieces = append(pieces, piece{i, p.TimesOf(i), p.Votes(i)})
		}
	}
	parts := make([][]piece, len(byTruth)) // each true class by itself, so side by side
	group, _ := parallel.WithContext(context.Background())
	group.SetLimit(runtime.GOMAXPROCS(0))
	for c, cells := range byTruth {
		group.Go(func() error {
			switch {
			case len(cells) == 0:
			case len(p.Classes) == 2:
				parts[c] = p.two(cells)
			default:
				parts[c] = p.several(cells)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		panic(err) // a fault in a class is one here
	}
	pieces = append(pieces, slices.Concat(parts...)...)
	rows := make([]int, len(pieces))
	for i, q := range pieces {
		rows[i] = q.cell
	}
	out := p.Take(rows)
	out.Times, out.Weight = make([]int, len(pieces)), make([]float64, len(pieces))
	for i, q := range pieces {
		copy(out.Votes(i), q.votes)
		out.Times[i], out.Weight[i] = q.times, p.weight(q)
		if out.Count != nil {
			out.Count[i] = p.Count[q.cell] * float64(q.times) / float64(p.TimesOf(q.cell))
		}
	}
	return out.Condense()
}

// cells returns the rows of the table in an order that does not depend on that of the classes.
func (p *predictor) cells() []int {
	order := make([]int, p.Rows())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		for _, c := range p.ranks {
			if by := cmp.Compare(p.Votes(a)[c], p.Votes(b)[c]); by != 0 {
				return by
			}
		}
		return 0
	})
	return order
}

// weight returns the weight of the rows of a piece.
func (p *predictor) weight(q piece) float64 {
	return p.WeightOf(q.cell) * float64(q.times) / float64(p.TimesOf(q.cell))
}

// two carries over the cells of one true class, of two classes.
func (p *predictor) two(cells []int) []piece {
	whole := make([]piece, len(cells))
	for i, cell := range cells {
		whole[i] = piece{cell: cell, times: p.TimesOf(cell)}
	}
	class := p.ranks[1]
	places, expected := p.places(whole, class, 0)
	var pieces []piece
	u, below, at := 0, expected[0], 0.0
	for _, place := range places {
		q := whole[place.piece]
		weight := p.weight(q)
		each := weight / float64(q.times)
		for done := 0; done < q.times; {
			until := q.times // the rows whose middle lies below the end of u votes
			if u < p.Trees {
				until = int(max(0, min(float64(q.times), math.Ceil((below-at)/each-0.5))))
			}
			if until > done {
				votes := make([]uint32, 2)
				votes[class], votes[1-class] = uint32(u), uint32(p.Trees-u)
				pieces = append(pieces, piece{q.cell, until - done, votes})
				done = until
			}
			if done < q.times {
				u++
				below += expected[u]
			}
		}
		at += weight
	}
	return pieces
}

// several carries over the cells of one true class, of three classes or more: the votes for each class by
// itself. What the sum of all lacks of T votes goes to the class that has most.
func (p *predictor) several(cells []int) []piece {
	var pieces []piece
	for _, cell := range cells {
		n := p.TimesOf(cell)
		parts := min(n, mostPieces)
		for i := range parts {
			pieces = append(pieces, piece{cell, n/parts + min(1, max(0, n%parts-i)), make([]uint32, len(p.Classes))})
		}
	}
	for rank, class := range p.ranks {
		if p.unknown(class) {
			continue
		}
		places, expected := p.places(pieces, class, uint64(rank))
		u, below, at := 0, expected[0], 0.0
		for _, place := range places {
			weight := p.weight(pieces[place.piece])
			for u < p.Trees && below <= at+float64(weight/2) {
				u++
				below += expected[u]
			}
			pieces[place.piece].votes[class] = uint32(u)
			at += weight
		}
	}
	for _, q := range pieces {
		p.fill(q.votes)
	}
	return pieces
}

// unknown tells whether no row of a class was in the training, so that no tree can vote for it, however many there are.
func (p *predictor) unknown(class int) bool {
	if p.Share == nil || p.Share[class] > 0 {
		return false
	}
	for i := range p.Truth {
		if p.Votes(i)[class] > 0 {
			return false
		}
	}
	return true
}

// fill has votes add up to those of all trees: what is missing, or too much, is that of the class that has most,
// or, where the others alone are too many, a part of each.
func (p *predictor) fill(votes []uint32) {
	top := p.ranks[0]
	for _, c := range p.ranks {
		if votes[c] > votes[top] {
			top = c
		}
	}
	trees, total := uint64(p.Trees), vote.Total(votes)
	if others := total - uint64(votes[top]); others < trees {
		votes[top] = uint32(trees - others)
		return
	}
	for c, v := range votes {
		votes[c] = uint32(uint64(v) * trees / total)
	}
	votes[top] += uint32(trees - vote.Total(votes))
}

// place is a piece in the order of its votes for a class.
type place struct {
	piece int
	tie   uint64 // puts pieces that are alike in another order for each class
}

// kind are the rows of as many votes for a class, of as many in all.
type kind struct {
	weight float64
	from   int       // first index of the likelihood on the grid; 0 before it and after its end
	likely []float64 // proportional to the likelihood
	mean   float64   // of the posterior probability of a vote for the class
	run    int       // which of the means it is, from the lowest; kinds of one mean are of one run
}

// places returns pieces in the order of their votes for a class, and the expected weight by number of votes of
// all trees.
func (p *predictor) places(pieces []piece, class int, salt uint64) ([]place, []float64) {
	kinds, of, kindOf := []kind(nil), map[kindKey]int{}, make([]int, len(pieces))
	for i, q := range pieces {
		key := kindKey(p.all[q.cell])<<32 | kindKey(p.Votes(q.cell)[class])
		at, known := of[key]
		if !known {
			at = len(kinds)
			of[key] = at
			kinds = append(kinds, p.kind(key))
		}
		kinds[at].weight += p.weight(q)
		kindOf[i] = at
	}
	mixing := mixture(kinds, p.grid)
	return ordered(kinds, kindOf, salt), expected(mixing, p.grid, p.Trees)
}

// ordered puts pieces, of which the kinds are given, in the order of the means of these. So far fewer kinds than pieces
// are sorted. Pieces of one mean are in the order of their ties.
func ordered(kinds []kind, kindOf []int, salt uint64) []place {
	byMean := make([]int, len(kinds))
	for i := range byMean {
		byMean[i] = i
	}
	slices.SortFunc(byMean, func(a, b int) int { return cmp.Compare(kinds[a].mean, kinds[b].mean) })
	for i, k := range byMean[1:] {
		before := &kinds[byMean[i]]
		if kinds[k].run = before.run; kinds[k].mean != before.mean {
			kinds[k].run++
		}
	}
	from := make([]int, len(kinds)+1) // where the places of each run begin
	for _, k := range kindOf {
		from[kinds[k].run+1]++
	}
	for run := range kinds {
		from[run+1] += from[run]
	}
	places, next := make([]place, len(kindOf)), slices.Clone(from)
	for i, k := range kindOf {
		at := &next[kinds[k].run]
		places[*at] = place{piece: i, tie: portable.Mixed(uint64(i), salt)}
		*at++
	}
	for run := range kinds {
		slices.SortFunc(places[from[run]:from[run+1]], func(a, b place) int {
			return cmp.Or(cmp.Compare(a.tie, b.tie), cmp.Compare(a.piece, b.piece))
		})
	}
	return places
}

// layGrid lays a grid of probabilities whose log odds are multiples of 0.1, from about 1/8T to 1 − 1/8T.
func (p *predictor) layGrid() {
	const perUnit = 10
	half := int(math.Ceil(perUnit * portable.Log(8*float64(p.Trees))))
	for i := -half; i <= half; i++ {
		q := 1 / (1 + portable.Exp(-float64(i)/perUnit))
		p.grid, p.yes, p.no = append(p.grid, q), append(p.yes, portable.Log(q)), append(p.no, portable.Log(1-q))
	}
}

// negligible is the natural logarithm of a likelihood, relative to the largest, that is taken as 0.
const negligible = -16

// kind returns the rows of a key, with their likelihood on the grid.
func (p *predictor) kind(key kindKey) kind {
	p.mu.Lock()
	k, known := p.known[key]
	p.mu.Unlock()
	if known {
		return k
	}
	v, all := key&math.MaxUint32, key>>32
	votes, others := float64(v), float64(all-v)
	logs, most := make([]float64, len(p.grid)), math.Inf(-1)
	for i := range logs {
		logs[i] = float64(votes*p.yes[i]) + float64(others*p.no[i])
		most = max(most, logs[i])
	}
	for logs[k.from]-most < negligible {
		k.from++
	}
	for _, l := range logs[k.from:] { // it has a single maximum
		if l-most < negligible {
			break
		}
		k.likely = append(k.likely, portable.Exp(l-most))
	}
	p.mu.Lock()
	p.known[key] = k
	p.mu.Unlock()
	return k
}

// mixingSteps is the number of steps of expectation maximisation, from equal shares of the grid: enough to find
// the distribution, and too few to follow each row.
const mixingSteps = 20

// mixture returns the weight of the rows of all kinds by probability of a vote, and sets the posterior means of
// the kinds.
func mixture(kinds []kind, grid []float64) []float64 {
	prior, post := slices.Repeat([]float64{1}, len(grid)), make([]float64, len(grid))
	parts := make([]float64, len(grid))
	for step := range mixingSteps + 1 {
		clear(post)
		for i := range kinds {
			k := &kinds[i]
			sum, from, parts := 0.0, prior[k.from:][:len(k.likely)], parts[:len(k.likely)]
			for j, l := range k.likely {
				parts[j] = float64(l * from[j])
				sum += parts[j]
			}
			if step == mixingSteps {
				mean := 0.0
				for j, part := range parts {
					mean += float64(part * grid[k.from+j])
				}
				k.mean = mean / sum
			}
			scale, to := k.weight/sum, post[k.from:][:len(k.likely)]
			for j, part := range parts {
				to[j] += float64(scale * part)
			}
		}
		prior, post = post, prior
	}
	return prior
}

// expected returns the expected weight by number of votes of so many trees: a mixture of binomials.
func expected(mixing, grid []float64, trees int) []float64 {
	out, p := make([]float64, trees+1), make([]float64, trees+1)
	const least = 1e-20
	n := float64(trees)
	for i, q := range grid {
		if mixing[i] == 0 {
			continue
		}
		odds := q / (1 - q)
		mode := int(n * q)
		p[mode] = 1
		sum, low, high := 1.0, mode, mode
		for ; high < trees && p[high] > least; high++ {
			p[high+1] = float64(p[high] * ((n - float64(high)) / float64(high+1)) * odds)
			sum += p[high+1]
		}
		for ; low > 0 && p[low] > least; low-- {
			p[low-1] = float64(p[low] * (float64(low) / (n - float64(low) + 1)) / odds)
			sum += p[low-1]
		}
		for u := low; u <= high; u++ {
			out[u] += float64(mixing[i] * (p[u] / sum))
		}
	}
	return out
}
