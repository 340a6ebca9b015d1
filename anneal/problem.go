package anneal

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// problem is a histogram of votes made ready for a search. It is shared by all searches and
// never changes. Classes are known by their rank in the order in which they win ties, so
// that neither their names nor their order in the table take part in a search.
type problem struct {
	measure pragma.Measure
	sum     pragma.Sum // the measure, if it is one, else nil
	classes []string
	order   []int // by rank: the class, see vote.Table.TieOrder
	truth   []int32
	weight  []float64 // by row
	dense   []float64 // votes, by row and rank
	from    []int     // by row: where its entries begin, and at the end all
	entries []entry   // of all rows, without zeros, by rank within a row
	logs    []float64 // of the votes of entries, for three classes or more
	voters  [][]int32 // by rank: the rows that have a vote for it
	share   []float64 // by class, or nil
	slices  []vote.Slice
	in      []uint64 // by row: the slices it is in; nil without slices
	index   *index   // nil until a search asks for it, or if it would be too large
}

type entry struct {
	rank  int32
	votes float64
}

func newProblem(h *vote.Table, m pragma.Measure) *problem {
	k, n := len(h.Classes), h.Rows()
	p := &problem{
		measure: m,
		classes: h.Classes,
		order:   h.TieOrder(),
		truth:   make([]int32, n),
		weight:  onGrid(h.Weight),
		dense:   make([]float64, n*k),
		from:    make([]int, 1, n+1),
		voters:  make([][]int32, k),
		share:   h.Share,
		slices:  h.Slices,
		in:      h.In,
	}
	p.sum, _ = m.(pragma.Sum)
	for i := range n {
		counts := h.Votes(i)
		for rank, c := range p.order {
			if v := float64(counts[c]); v > 0 {
				p.dense[i*k+rank] = v
				p.entries = append(p.entries, entry{int32(rank), v})
				p.voters[rank] = append(p.voters[rank], int32(i))
			}
		}
		p.truth[i] = int32(h.Truth[i])
		p.from = append(p.from, len(p.entries))
	}
	if k > 2 {
		p.logs = make([]float64, len(p.entries))
		for i, e := range p.entries {
			p.logs[i] = portable.Log(e.votes)
		}
	}
	return p
}

// onGrid rounds weights to multiples of a power of two so fine that whole numbers stay as
// they are, and so coarse that every sum of them is exact. A row that is moved to and fro
// in a confusion matrix then leaves nothing behind, and a class that no row is decided as
// has a weight of exactly 0.
func onGrid(weights []float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	_, exponent := math.Frexp(sum)
	grid := math.Ldexp(1, exponent-52)
	rounded := make([]float64, len(weights))
	for i, w := range weights {
		rounded[i] = w
		if grid > 0 { // else all weights are on the finest grid there is
			rounded[i] = math.RoundToEven(w/grid) * grid
		}
	}
	return rounded
}

// votesOf returns the votes of row i without zeros, by rank.
func (p *problem) votesOf(i int) []entry { return p.entries[p.from[i]:p.from[i+1]] }

// votes returns the votes of row i for a rank.
func (p *problem) votes(i, rank int) float64 { return p.dense[i*len(p.order)+rank] }

// byRank puts weights in the order of ranks, and byClass back.
func (p *problem) byRank(w vote.Weights) []float64 {
	ranked := make([]float64, len(w))
	for rank, c := range p.order {
		ranked[rank] = w[c]
	}
	return ranked
}

func (p *problem) byClass(ranked []float64) vote.Weights {
	w := make(vote.Weights, len(ranked))
	for rank, c := range p.order {
		w[c] = ranked[rank]
	}
	return w
}

// scaled returns w with a weight of 1 for the most common class.
func (p *problem) scaled(w vote.Weights) vote.Weights { return vote.Scaled(w, p.order[0]) }

// inOf returns the slices that row i is in, as bits.
func (p *problem) inOf(i int) uint64 {
	if p.in == nil {
		return 0
	}
	return p.in[i]
}

// confusion returns the empty matrix of decisions, which counts slices apart.
func (p *problem) confusion() *vote.Confusion { return vote.NewConfusion(p.classes, p.slices...) }
