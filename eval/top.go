package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/vote"
)

// TopList asks for a list of the rows that are likeliest to be of a class, as many as somebody can look into. Rows
// are ranked by the calibrated probability of the class, and equal ones by its votes. Either Rows or Share is
// set.
type TopList struct {
	Class int     // index into the classes
	Rows  float64 // how many rows, by weight; 0 if Share says it
	Share float64 // which share of all rows, by weight, up to 1; 0 if Rows says it

	// Per parts the rows into several lists of that length, such as one of each month: for each row of the table
	// that is judged, the number of its list, from 0. They are judged together. Nil means one list; in a
	// cross-validation it must be nil.
	Per []int
}

// TopListFigures says what a list is worth.
//
// If more rows tie for the last places of the list than fit, each counts by the same part, so that together
// they fill these places. The figures are then the mean over all orders of the tied rows and do not depend on
// how a file is sorted. A row of weight 2 is two rows that tie.
//
// The intervals are those of [Class], Wilson's, but wider, since the end of the list depends on the rows
// themselves: with other rows it ends elsewhere, where a part m of the rows are of the class. In the linear
// approximation, a row of weight w moves the precision P by w·(h·(y − P) + (P − m)·(h − q)) over the weight of
// the list, and the recall R by w·(y·(h − R) − m·(h − q)) over the weight of the class: y is 1 for a row of the
// class, h is 1 for a row on the list, and q is the part of all rows that is on the list. What the last terms
// add to the variance widens the interval as in Zou and Donner, Statistics in Medicine 27 (2008) 1693-1702. Of
// several lists h, q and m are those of the list of the row. M
// is the value of isotonic regression at the end of the list, see calib.Sample.Curve. Source: Osier, Survey
// Research Methods 3 (2009) 167-195, for shares below a quantile.
type TopListFigures struct {
	Class string `json:"class"` // the class whose likeliest rows these are
	// number of lists of that length, if there are several, such as one of each month; the figures are of all together
	Lists int     `json:"lists,omitempty"`
	Rows  float64 `json:"predicted"` // weight of the rows on the list
	Share float64 `json:"share"`     // part of all judged rows that is on the list
	Hits  float64 `json:"hits"`      // weight of the rows on the list that are of the class
	// probability of the last row on the list, the least of several lists
	Least float64 `json:"least"`
	// the hits to expect, which is the sum of the probabilities of its rows; absent for shares of votes
	Expected          *float64    `json:"expected,omitempty"`
	Precision         *float64    `json:"precision"`          // share of the rows on the list that are of the class
	PrecisionInterval *[2]float64 `json:"precision_interval"` // at 95 %
	// share of the rows of the class that are on the list; null if it has none
	Recall         *float64    `json:"recall"`
	RecallInterval *[2]float64 `json:"recall_interval"` // at 95 %
	// precision over that of a list drawn at random; null if the class has no rows
	Lift *float64 `json:"lift"`
	// weight of the rows that tie for its last places, if not all of them fit
	Tied   float64 `json:"tied,omitempty"`
	Places float64 `json:"places,omitempty"` // weight of these last places
}

// Length returns how many of rows rows are on the list: for a Share, the nearest whole number, but at least
// one.
func (l TopList) Length(rows float64) float64 {
	if l.Rows > 0 {
		return min(l.Rows, rows)
	}
	return min(max(1, math.Round(l.Share*rows)), rows)
}

// check refuses a list that cannot be made of rows of k classes.
func (l TopList) check(k int) error {
	switch {
	case l.Class < 0 || l.Class >= k:
		return fmt.Errorf("%w: a list is of class %d; the %d classes are counted from 0", ErrConfig, l.Class, k)
	case !(l.Rows > 0 && l.Share == 0) && !(l.Share > 0 && l.Share <= 1 && l.Rows == 0):
		return fmt.Errorf("%w: a list of %v rows or a share of %v; give one of the two, rows above 0 or a share up to 1",
			ErrConfig, l.Rows, l.Share)
	}
	return nil
}

// checkPer refuses numbers of lists that are not of so many rows.
func checkPer(lists []TopList, rows int) error {
	for _, l := range lists {
		if l.Per != nil && len(l.Per) != rows {
			return fmt.Errorf("%w: Per of a list is of %d rows; give the number of the list of each of the %d", ErrConfig,
				len(l.Per), rows)
		}
	}
	return nil
}

// ofJudged returns lists of the rows of a table that can be judged, of those of all its rows.
func ofJudged(lists []TopList, t *vote.Table) []TopList {
	lists = slices.Clone(lists)
	for i := range lists {
		if l := &lists[i]; l.Per != nil {
			all := l.Per
			l.Per = []int{}
			for row := range t.Judged() {
				l.Per = append(l.Per, all[row])
			}
		}
	}
	return lists
}

// candidate is a row, or several that are alike, that may be on a list.
type candidate struct {
	prob   float64
	votes  uint32
	weight float64
	times  int     // rows that it stands for
	part   float64 // of it that is on the list
	hit    bool
	group  int
	list   int // that it may be on
}

// of returns the weight of the row if it is of the class.
func (c candidate) of() float64 {
	if c.hit {
		return c.weight
	}
	return 0
}

// ranking has the rows that were judged, list by list, the likeliest of a class first.
type ranking struct {
	rows    []candidate
	unit    float64 // of their weights
	repeats float64 // how often each was judged
	weighed bool    // they have case weights
	grouped bool    // they have groups
}

// lists judges the lists that were asked for, of rows that were kept, with their votes.
func (r *run) lists(of *kept, votes *vote.Table) (out []TopListFigures, err error) {
	for _, l := range r.Top {
		ranked := r.ranking(of, votes, l)
		listed, err := ranked.judge(l, r.frame.Classes[l.Class])
		if err != nil {
			return nil, err
		}
		listed.Expected = ranked.expected()
		out = append(out, listed)
	}
	return out, nil
}

// ranking ranks rows that were kept for a list.
func (r *run) ranking(kept *kept, held *vote.Table, l TopList) *ranking {
	k, class := len(r.frame.Classes), l.Class
	out := &ranking{make([]candidate, len(kept.truth)), slices.Max(kept.weight), float64(len(r.tuned.losses)),
		r.report.Weighed, kept.group != nil}
	for i, truth := range kept.truth {
		c := candidate{prob: kept.prob[i*k+class], votes: held.Votes(i)[class], weight: kept.weight[i] / out.unit, times: 1,
			hit: truth == class}
		if out.grouped {
			c.group = kept.group[i]
		}
		if l.Per != nil {
			c.list = l.Per[i]
		}
		out.rows[i] = c
	}
	out.sort()
	return out
}

// Top judges lists of the rows of a table. It ranks rows by the share of their votes that is for the class, and
// equal ones by the number of votes, which is also how a calibrated probability ranks them for two classes. A
// row that stands for several is taken as rows of equal weight. Errors: [ErrConfig], [ErrNoLabels], and those
// of [calib.NewSample].
func Top(t *vote.Table, lists []TopList) ([]TopListFigures, error) {
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if err := checkPer(lists, t.Rows()); err != nil {
		return nil, err
	}
	var out []TopListFigures
	for _, l := range lists {
		if err := l.check(len(t.Classes)); err != nil {
			return nil, err
		}
		r := &ranking{repeats: 1, grouped: t.Group != nil}
		for i, votes := range t.Judged() {
			c := candidate{prob: float64(votes[l.Class]) / float64(vote.Total(votes)), votes: votes[l.Class],
				weight: t.WeightOf(i), times: t.TimesOf(i), hit: t.Truth[i] == l.Class}
			if r.grouped {
				c.group = t.Group[i]
			}
			if l.Per != nil {
				c.list = l.Per[i]
			}
			r.rows, r.unit = append(r.rows, c), max(r.unit, c.weight)
			r.weighed = r.weighed || c.weight != float64(c.times)
		}
		if r.unit == 0 {
			return nil, ErrNoLabels
		}
		for i := range r.rows {
			r.rows[i].weight /= r.unit
		}
		r.sort()
		listed, err := r.judge(l, t.Classes[l.Class])
		if err != nil {
			return nil, err
		}
		out = append(out, listed)
	}
	return out, nil
}

func (r *ranking) sort() {
	slices.SortStableFunc(r.rows, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.list, b.list), cmp.Compare(b.prob, a.prob), cmp.Compare(b.votes, a.votes))
	})
}

// lists are the rows of each list.
func (r *ranking) lists() (lists [][]candidate) {
	for from, to := 0, 0; from < len(r.rows); from = to {
		for to = from; to < len(r.rows) && r.rows[to].list == r.rows[from].list; to++ {
		}
		lists = append(lists, r.rows[from:to])
	}
	return lists
}

// length returns the weight of the rows on a list where so many are judged, of all repeats and in the unit.
func (r *ranking) length(l TopList, all float64) float64 {
	if r.weighed && l.Share > 0 {
		return l.Share * all
	}
	whole := r.unit / r.repeats
	return min(l.Length(all*whole)/whole, all)
}

// place puts the first of the rows that may be on a list there, until they weigh so much, and returns the least
// probability there, and what the rows weigh that tie for so many last places, where not all of them fit.
func place(rows []candidate, weight float64) (least, tied, places float64) {
	none := 1e-9 * weight // what rounding leaves
	for from, to := 0, 0; from < len(rows) && weight > none; from = to {
		tied = 0
		for to = from; to < len(rows) && rows[to].prob == rows[from].prob && rows[to].votes == rows[from].votes; to++ {
			tied += rows[to].weight
		}
		if tied == 0 {
			continue
		}
		part := min(1, weight/tied)
		for i := range rows[from:to] {
			rows[from+i].part = part
		}
		least = rows[from].prob
		if places, weight = weight, weight-tied; weight < -none {
			return least, tied, places
		}
	}
	return least, 0, 0
}

// ending is where a list ends.
type ending struct {
	rows  []candidate // that may be on it
	share float64     // the part of them that is, by weight
	at    float64     // the part of the rows there that are of the class
}

// judge judges lists of the rows of a class.
func (r *ranking) judge(l TopList, name string) (TopListFigures, error) {
	out := TopListFigures{Class: name, Least: 1}
	all, class, length, hits := 0.0, 0.0, 0.0, 0.0
	var ends []ending
	for _, rows := range r.lists() {
		these := 0.0
		for _, c := range rows {
			these += c.weight
			class += c.of()
		}
		if these == 0 {
			continue
		}
		long := r.length(l, these)
		least, tied, places := place(rows, long)
		for _, c := range rows {
			hits += float64(c.part * c.of())
		}
		at, err := marginal(rows, least)
		if err != nil {
			return TopListFigures{}, err
		}
		ends = append(ends, ending{rows, long / these, at})
		all, length = all+these, length+long
		out.Least, out.Tied, out.Places = min(out.Least, least), out.Tied+tied, out.Places+places
	}
	hits = min(hits, class, length)
	right, found := listing{share: hits / length, all: length}, listing{share: hits / class, all: class}
	for _, end := range ends {
		right.slope, found.slope = right.share-end.at, -end.at
		for _, c := range end.rows {
			on, hit := float64(c.part*c.weight), float64(c.part*c.of())
			moved := on - float64(end.share*c.weight)
			right.add(c, r.grouped, on, hit, moved)
			found.add(c, r.grouped, c.of(), hit, moved)
		}
	}
	whole := r.unit / r.repeats
	out.Rows, out.Share, out.Hits, out.Tied, out.Places = length*whole, length/all, hits*whole, tidy(out.Tied*whole),
		tidy(out.Places*whole)
	if l.Per != nil {
		out.Lists = len(ends)
	}
	out.Precision, out.PrecisionInterval = right.interval(hits, r.repeats)
	out.Recall, out.RecallInterval = found.interval(hits, r.repeats)
	if class > 0 {
		lift := hits / length / (class / all)
		out.Lift = &lift
	}
	return out, nil
}

// tidy takes away what rounding leaves of sums of weights.
func tidy(x float64) float64 { return math.Round(1e6*x) / 1e6 }

// expected returns what weight of the rows that were placed on the list their probabilities say is of the class.
func (r *ranking) expected() *float64 {
	sum := 0.0
	for _, c := range r.rows {
		sum += float64(c.part * c.weight * c.prob)
	}
	sum *= r.unit / r.repeats
	return &sum
}

// listing is the rows that a share of a list is of, and what the moving of its end adds to the variance of the share.
type listing struct {
	share, all float64 // of what weight
	// by what the share, of the list whose rows are added, changes where rows of that part of the weight come or go
	slope  float64
	still  effective.Share // of a given end
	moving effective.Share // of one that moves; of rows that have groups
	added  float64         // to the variance by the moving, of rows whatever their groups
}

// add adds a row: what it weighs, how much of that are hits, and by what weight it moves the end.
func (s *listing) add(c candidate, grouped bool, weight, hits, moved float64) {
	times := float64(c.times)
	s.still.Add(weight, weight/times)
	moved = float64(moved * s.slope)
	if grouped {
		s.still.JoinPart(c.group, weight, hits)
		s.moving.JoinPart(c.group, weight, hits+moved)
	}
	away := (hits - float64(s.share*weight)) / s.all
	moved /= s.all
	s.added += float64(moved * (away + away + moved) / times)
}

// interval returns the share and its interval where each row was judged so many times, wider by what the moving
// adds: the distances of an end from the share for either cause are added as standard errors are.
func (s *listing) interval(hits, repeats float64) (*float64, *[2]float64) {
	part, ends := share(hits, s.all, &s.still, repeats)
	if part == nil {
		return nil, nil
	}
	if add := s.widened(*part, repeats); add > 0 {
		from, to := *part-ends[0], ends[1]-*part
		ends[0] = max(0, *part-math.Sqrt(float64(from*from)+add))
		ends[1] = min(1, *part+math.Sqrt(float64(to*to)+add))
	}
	return part, ends
}

// widened returns what the moving adds to the square of half the width of the interval of the share p, of groups or
// of rows.
func (s *listing) widened(p, repeats float64) float64 {
	if s.still.Groups() > 0 {
		return s.moving.Margin(p) - s.still.Margin(p)
	}
	return float64(calib.Z95 * calib.Z95 * float64(s.added*repeats))
}

// marginal returns what part of the rows of a probability are of the class.
func marginal(rows []candidate, at float64) (float64, error) {
	n := len(rows)
	prob, hit, weight := make([]float64, n), make([]bool, n), make([]float64, n)
	for i, c := range rows {
		prob[i], hit[i], weight[i] = c.prob, c.hit, c.weight
	}
	s, err := calib.NewSample(prob, hit, weight, nil)
	if err != nil {
		return 0, err
	}
	curve := s.Curve()
	b := slices.IndexFunc(curve, func(b calib.Bin) bool { return at <= b.High })
	return curve[max(b, 0)].Share, nil
}
