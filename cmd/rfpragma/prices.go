package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// pricing says what missing class c, of two, is priced like by forests of so many trees: decisions of least cost are as c from the probability
// t on where a miss costs (1−t)/t false alarms (Elkan, IJCAI 2001).
type pricing struct {
	of    *aim
	prob  func(dst []float64, votes []uint32) // probabilities of the classes, of trees times unit votes
	unit  float64
	by    string // what they are
	order []int  // of ties
	trees int
	c     int
}

// modelPricing is that of the probabilities of a model, as it writes them.
func modelPricing(m *rfpragma.Model, prefs []pragma.Preference) *pricing {
	return &pricing{
		of: aimOf(m, prefs), prob: m.Probabilities, unit: m.Forest.Unit(), by: mapWords(modelShares(m)),
		order: m.Forest.TieOrder(), trees: m.Forest.Trees(), c: pragma.MattersMore(m.Forest.TieOrder(), prefs),
	}
}

// mapWords says what probabilities are that are these shares of the votes, see [sharesWords].
func mapWords(shares string) string {
	if shares == "" {
		return "Calibrated"
	}
	return "No map is fitted; by " + shares
}

// at returns the probability of the class of a row with so many votes for it.
func (p *pricing) at(votes int) float64 {
	dst := make([]float64, 2)
	row := make([]uint32, 2)
	row[p.c], row[1-p.c] = uint32(float64(votes)*p.unit), uint32(float64(p.trees-votes)*p.unit)
	p.prob(dst, row)
	return dst[p.c]
}

// from returns the probability from which on a row is decided as the class, where so many votes are enough.
func (p *pricing) from(need int) float64 { return (p.at(need-1) + p.at(need)) / 2 }

// threshold is that probability, in as many digits as part the probabilities that predict writes as the decision does; where rows of too few votes have the same, it says so.
func (p *pricing) threshold(need int) string {
	read := func(text string) float64 {
		x, _ := strconv.ParseFloat(text, 64) // of a text just written
		return x
	}
	least := string(appendProbability(nil, p.at(need)))
	below := read(string(appendProbability(nil, p.at(need-1))))
	if below >= read(least) {
		return fmt.Sprintf("%s, which rows with %s have as well (the decision goes by votes)", least, english.Plural(need-1, "vote"))
	}
	for digits := 3; digits <= 17; digits++ {
		if text := strconv.FormatFloat(p.from(need), 'g', digits, 64); below < read(text) && read(text) <= read(least) {
			return text
		}
	}
	return least
}

// price returns what a miss is priced like where so many votes are enough.
func (p *pricing) price(need int) float64 {
	t := p.from(need)
	return (1 - t) / t
}

// words says what weights come to, of decisions of that outcome, and if that is far from what was asked for and nothing that is required is the reason, why says it.
func (p *pricing) words(w vote.Weights, m *vote.Confusion, why func(asked float64, need int) string) []string {
	need, plain := tables.Enough(vote.NewRule(w, p.order), p.trees, p.c), tables.Enough(vote.NewRule(nil, p.order), p.trees, p.c)
	t := p.from(need)
	if !(t > 0 && t < 1) {
		return nil
	}
	text := fmt.Sprintf("%s, that is a probability of %s: %s.", p.by, p.threshold(need), p.of.priced(p.c, p.price(need), m, need == plain))
	asked, ok := p.of.asked(p.c)
	if ok && len(p.of.floors) == 0 && need != plain && apart(p.price(need), asked) {
		text += why(asked, need)
	}
	return []string{text}
}

// modelPrice says why the price by a model is another than the one that was asked for, as far as it can be told without the votes; nothing where votes cannot tell it either.
func modelPrice(m *rfpragma.Model) func(asked float64, need int) string {
	return func(asked float64, _ int) string {
		r := &m.Provenance
		if r.Choice == rfpragma.Given || r.Reading.Group != "" || r.Soft {
			return ""
		}
		price := significant(asked, 3)
		text := fmt.Sprintf(" You asked for %s: a search goes by the cost counted on the votes, not by this estimate; rfpragma ", price)
		if againVoted(r) {
			return text + fmt.Sprintf("tune MODEL DATA tells whether %s costs as little there, but for chance.", price)
		}
		return text + fmt.Sprintf("cv, with the flags of this training, sets it beside weights by cost alone (--weights cost), which take the %s as it is.", price)
	}
}

// againVoted tells whether tune has the rows of the training voted on again, see [rfpragma.Model.OutOfBag], where they are in no groups.
func againVoted(r *rfpragma.Provenance) bool {
	return r.MapVotes == vote.OOB || r.Votes == vote.OOB && r.MapVotes != vote.CV && r.MapVotes != vote.Forward && r.MapVotes != vote.Train
}

// votesPrice says the same by the votes: which prices cost as little there, but for chance, or whether the one that was asked for does.
func (s *shownTuning) votesPrice(p *pricing) func(asked float64, need int) string {
	return func(asked float64, need int) string {
		t := s.table
		if s.trial == nil || t.Group != nil || t.Scores || t.Soft {
			return ""
		}
		alike := s.alike(p)
		low, high, nearest := p.price(need), p.price(need), need
		for n := need - 1; n > 1 && p.from(n) > 0 && alike(n); n-- {
			high = p.price(n)
		}
		for n := need + 1; n < t.Trees && alike(n); n++ {
			low = p.price(n)
		}
		for n := 2; n < t.Trees; n++ {
			if math.Abs(p.price(n)-asked) < math.Abs(p.price(nearest)-asked) {
				nearest = n
			}
		}
		switch is := p.price(nearest); {
		case apart(is, asked):
			return fmt.Sprintf(" You asked for %s: no number of votes comes near that price.", significant(asked, 3))
		case low <= is && is <= high:
			return fmt.Sprintf(" You asked for %s: on these votes that costs as little, but for chance, as do all prices from %s to %s.", significant(asked, 3), significant(min(low, asked), 3), significant(max(high, asked), 3))
		case !alike(nearest):
			return fmt.Sprintf(" You asked for %s: on these votes that costs more, and more than chance makes of it, so the probability is off.", significant(asked, 3))
		}
		return fmt.Sprintf(" You asked for %s: on these votes that costs as little, but for chance.", significant(asked, 3)) // and a price between costs more
	}
}

// alike returns what tells whether the votes cost no more, but for chance, where so many votes are enough for the class as under the weights that were found. Each row that
// is decided otherwise moves the cost; the variance is the sum of the squares, as when rows are drawn anew.
func (s *shownTuning) alike(p *pricing) func(need int) bool {
	h, each, costs := s.table.Compress(), s.table.RowWeights(), s.loss.costs.Matrix
	found := vote.NewRule(s.found.Weights, p.order)
	return func(need int) bool {
		rule, more, variance := vote.NewRule(needing(need, p.trees, p.c), p.order), 0.0, 0.0
		for i, votes := range h.Judged() {
			truth := h.Truth[i]
			d := costs[truth][rule.Decide(votes)] - costs[truth][found.Decide(votes)]
			more += float64(d * h.WeightOf(i))
			variance += float64(d * d * h.WeightOf(i) * each[i])
		}
		return more <= sureErrors*math.Sqrt(variance)
	}
}

// needing returns weights under which so many votes are enough for class c, of two, and not one less.
func needing(need, trees, c int) vote.Weights {
	w := vote.Weights{1, 1}
	w[c] = math.Sqrt(float64(trees-need) / float64(need) * float64(trees-need+1) / float64(need-1))
	return w
}
