package anneal

import (
	"math"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// problem is a histogram of votes made ready for a search. It is shared by all searches and
// never changes. Classes are known by their rank in the order in which they win ties, so
// that neither their names nor their order in the table take part in a search.
type problem struct {
	measure pragma.Measure
	classes []string
	order   []int // by rank: the class
	rows    []row
	votes   []entry   // of all rows, one after another, without zeros, by rank within a row
	voters  [][]voter // by rank: the rows that have a vote for it
	share   []float64 // by class, or nil
}

type row struct {
	truth    int // class
	weight   float64
	from, to int // of votes
}

type entry struct {
	rank  int
	votes float64
}

type voter struct {
	row   int
	votes float64
}

func newProblem(h *vote.Table, m pragma.Measure) *problem {
	k := len(h.Classes)
	p := &problem{
		measure: m,
		classes: h.Classes,
		order:   vote.TieOrder(h.Share, k),
		rows:    make([]row, h.Rows()),
		voters:  make([][]voter, k),
		share:   h.Share,
	}
	weights := onGrid(h.Weight)
	for i := range p.rows {
		from, counts := len(p.votes), h.Votes(i)
		for rank, c := range p.order {
			if v := float64(counts[c]); v > 0 {
				p.votes = append(p.votes, entry{rank, v})
				p.voters[rank] = append(p.voters[rank], voter{i, v})
			}
		}
		p.rows[i] = row{truth: h.Truth[i], weight: weights[i], from: from, to: len(p.votes)}
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
