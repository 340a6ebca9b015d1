package forest

import (
	"container/heap"
	"slices"
)

// candidate is a node with the split that it may get.
type candidate struct {
	at    task
	split split
	gain  float64
	score float64
}

// candidates is a heap, the one that gains most on top, of equals the one grown first.
type candidates []candidate

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(i, j int) bool {
	if c[i].gain != c[j].gain {
		return c[i].gain > c[j].gain
	}
	return c[i].at.node < c[j].at.node
}
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// bestFirst grows a tree of at most MaxLeaves leaves: of all nodes that can be split, the one
// is split next whose split gains most (Friedman, Hastie, Tibshirani 2000, 8).
func (g *grower) bestFirst() {
	var open candidates
	leaves := 1
	for g.ctx.Err() == nil {
		for len(g.todo) > 0 && g.ctx.Err() == nil {
			if at := g.pop(); g.search(at) {
				at.constant = g.constant
				s := g.best
				s.set = slices.Clone(s.set)
				heap.Push(&open, candidate{at, s, g.gainOf(), g.score})
			} else {
				g.leaf(at)
			}
		}
		if len(open) == 0 || leaves == g.cfg.MaxLeaves {
			break
		}
		next := heap.Pop(&open).(candidate)
		g.best, g.score = next.split, next.score
		g.hold(next.at)
		g.part(next.at)
		leaves++
	}
	for _, c := range open {
		g.hold(c.at)
		g.sum()
		g.leaf(c.at)
	}
}
