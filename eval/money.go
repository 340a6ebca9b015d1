package eval

import (
	"math"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/effective"
)

// money adds up what the decisions of rows cost.
type money struct {
	blocks       effective.Share // weight and cost of the rows by block of time
	weight, cost float64
	squares      [3]float64 // sums of w², of w·c and of c², for rows of weight w that cost c
}

// add counts a row of a block, from 1; of 0 where that does not count.
func (m *money) add(block int, weight, cost float64) {
	m.weight += weight
	m.cost += cost
	if block > 0 {
		m.blocks.JoinPart(block, weight, cost)
	}
	m.squares[0] += float64(weight * weight)
	m.squares[1] += float64(weight * cost)
	m.squares[2] += float64(cost * cost)
}

// each is what a row costs in the mean, with the standard error of that ratio, by the rows, or, where these are of
// several blocks that differ by more than their rows would, by the blocks, see [effective.Share.Variance]. All repeats
// judge the same rows, so they are no more sure than one; nil without rows.
func (m *money) each(repeats float64) *calib.Estimate {
	if !(m.weight > 0) {
		return nil
	}
	mean := m.cost / m.weight
	spread := m.squares[2] - float64(2*mean*m.squares[1]) + float64(mean*mean*m.squares[0])
	rows := spread / (m.weight * m.weight) * repeats
	return &calib.Estimate{Value: mean, SE: math.Sqrt(max(0, rows, m.blocks.Variance(mean)))}
}

// gain is what the tuned rule saves on all rows beside another one; nil without rows.
func (o *untuned) gain() *Gain {
	repeats := float64(len(o.losses))
	each := o.more.each(repeats)
	if each == nil {
		return nil
	}
	rows := o.more.weight / repeats
	return &Gain{float64(each.Value * rows), float64(each.SE * rows)}
}
