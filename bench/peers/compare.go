package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/bench/measure"
)

// tally is what the runs of a side on a set come to.
type tally struct {
	runs   []result // those that have numbers
	status string   // ok when all have
}

// value is what is read off a run.
type value func(result) number

func fitS(r result) number      { return r.FitS }
func predictS(r result) number  { return r.PredictS }
func peakMB(r result) number    { return r.PeakMB }
func fitMB(r result) number     { return r.FitMB }
func accuracy(r result) number  { return r.Accuracy }
func recall(r result) number    { return r.Recall }
func logLoss(r result) number   { return r.LogLoss }
func precision(r result) number { return r.Precision }
func pragmaOf(r result) number  { return r.Pragma }
func fileMB(r result) number    { return r.FileBytes / (1 << 20) }

// values returns v of all runs that have numbers.
func (t *tally) values(v value) []float64 {
	var x []float64
	for _, r := range t.runs {
		x = append(x, float64(v(r)))
	}
	return x
}

func (t *tally) median(v value) float64 { return measure.Median(t.values(v)) }

// moments are those of a measure over the seeds.
type moments struct {
	mean, sd float64 // of a single run; NaN of fewer than two
	n        int
}

func (t *tally) moments(v value) moments {
	mean, sd := measure.MeanSD(t.values(v))
	return moments{mean, sd, len(t.runs)}
}

// se returns the standard error of the mean; NaN of fewer than two runs.
func (m moments) se() float64 { return m.sd / math.Sqrt(float64(m.n)) }

// seDifference returns the standard error of the difference of two means. The spread of a
// side that ran once is taken to be that of the other; it is 0 where both did.
func seDifference(a, b moments) float64 {
	if math.IsNaN(a.sd) {
		a.sd = b.sd
	}
	if math.IsNaN(b.sd) {
		b.sd = a.sd
	}
	if math.IsNaN(a.sd) {
		return 0
	}
	return math.Hypot(a.se(), b.se())
}

// contest is a set with the tallies of its sides.
type contest struct {
	first   result // for what holds for all runs of the set
	peers   []string
	tallies map[string]*tally
}

// gather sorts runs by sets and sides, in the order of t, and leaves out sets without numbers
// of its first side.
func gather(t table, runs []result) []contest {
	var all []contest
	for _, name := range names(t.sets) {
		c := contest{peers: names(t.peers()), tallies: map[string]*tally{}}
		for _, r := range runs {
			if r.Set != name {
				continue
			}
			if len(c.tallies) == 0 {
				c.first = r
			}
			of := c.tallies[r.Side]
			if of == nil {
				of = &tally{status: ok}
				c.tallies[r.Side] = of
			}
			if r.Status == ok {
				of.runs = append(of.runs, r)
			} else {
				of.status = r.Status
			}
		}
		if c.has(t.sides[0].name) {
			all = append(all, c)
		}
	}
	return all
}

// has returns whether the side has numbers on this set.
func (c contest) has(side string) bool {
	t := c.tallies[side]
	return t != nil && len(t.runs) > 0
}

// below returns whether a side is no match for another: its mean accuracy, or its mean recall of the rarest class, is lower by more
// than three standard errors of the difference, as of so many comparisons some are beyond two by chance, and by more than half a
// point in a hundred, as over many seeds the least difference is beyond the errors.
func (c contest) below(side, other string) bool {
	const margin = 0.005
	for _, v := range []value{accuracy, recall} {
		a, b := c.tallies[side].moments(v), c.tallies[other].moments(v)
		if a.mean < b.mean-max(margin, 3*seDifference(a, b)) {
			return true
		}
	}
	return false
}

// beside returns which of ours a peer is held against: that by Gini's index, unless it is no match for the peer and that by
// entropy is.
func (c contest) beside(peer string) string {
	if c.has(byEntropy) && c.below(us, peer) && !c.below(byEntropy, peer) {
		return byEntropy
	}
	return us
}

// equal returns whether a peer counts.
func (c contest) equal(peer string) bool { return !c.below(peer, c.beside(peer)) }

// least returns the peer that has the least of, of those among the given that may count; "" when there is none.
func (c contest) least(peers []string, of func(string) float64, counts func(string) bool) string {
	best := ""
	for _, p := range peers {
		if c.has(p) && counts(p) && (best == "" || of(p) < of(best)) {
			best = p
		}
	}
	return best
}

// fastest returns the peer of equal accuracy with the least median of v beside ours.
func (c contest) fastest(v value) string { return c.least(c.peers, c.byOurs(v), c.equal) }

// fastestOfAll does not ask for accuracy.
func (c contest) fastestOfAll(v value) string {
	return c.least(c.peers, c.byOurs(v), func(string) bool { return true })
}

func (c contest) byOurs(v value) func(string) float64 {
	return func(peer string) float64 { return c.tallies[peer].median(v) / c.tallies[c.beside(peer)].median(v) }
}

// ratio returns the median of v of a peer by ours, and the least and largest ratio of a turn.
func (c contest) ratio(peer string, v value) (of, low, high float64) {
	mine, theirs := c.tallies[c.beside(peer)], c.tallies[peer]
	var turns []float64
	for _, r := range theirs.runs {
		i := slices.IndexFunc(mine.runs, func(m result) bool { return m.Seed == r.Seed })
		if i >= 0 {
			turns = append(turns, float64(v(r)/v(mine.runs[i])))
		}
	}
	of = c.byOurs(v)(peer)
	if len(turns) == 0 {
		return of, of, of
	}
	return of, slices.Min(turns), slices.Max(turns)
}

// within says whether the mean of ours, of the side that stands beside a peer, is no worse than that of each given peer by more than
// one standard error of the difference. Sign is 1 where more is better, -1 where less is.
func (c contest) within(peers []string, v value, sign float64) string {
	var worse []string
	peers = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(peers))), func(p string) bool { return !c.has(p) })
	for _, p := range peers {
		mine, theirs := c.tallies[c.beside(p)].moments(v), c.tallies[p].moments(v)
		short, se := sign*(theirs.mean-mine.mean), seDifference(mine, theirs)
		switch {
		case short <= se:
		case se == 0:
			worse = append(worse, "worse than "+p)
		default:
			worse = append(worse, fmt.Sprintf("%.1f se worse than %s", short/se, p))
		}
	}
	switch {
	case len(peers) == 0:
		return "–"
	case len(worse) > 0:
		return "no: " + strings.Join(worse, ", ")
	default:
		return "yes"
	}
}
