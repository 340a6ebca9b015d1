package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
)

// top keeps the rows that are likeliest to be of a class, of any number of rows.
type top struct {
	list  eval.TopList
	name  string           // of the class
	per   string           // the columns that part the rows into lists, as they were asked for; "" for one list
	lists map[string]*best // by what their rows have in these
}

// best are the rows of a list.
type best struct {
	rows  []ranked // of a list of n rows at least the n best so far, and less than 2n; of a share of all rows all so far
	least *ranked  // what is not better is not among them; nil at the beginning
	seen  int      // rows that may be on it
	sum   float64  // of their probabilities
}

// ranked is a row that may be among the best.
type ranked struct {
	rank
	number int       // of the row
	line   []byte    // what predict writes of it, without its place on the list and its end
	place  int       // where in the line its place on the list belongs
	cells  []float64 // of the row, where there are to be reasons
}

// rank is what rows are ranked by, and whether the row is decided as the class of the list.
type rank struct {
	prob, votes float64 // of the class
	decided     bool
}

// order is below 0 where a comes before b: by the probability, of equal ones by the votes, of equal ones by the rows.
func (a *ranked) order(b *ranked) int {
	return cmp.Or(cmp.Compare(b.prob, a.prob), cmp.Compare(b.votes, a.votes), a.number-b.number)
}

// readTop reads the --top of predict; it is nil without.
func (p *program) readTop(c *cli.Context, of *aim) (*top, error) {
	if err := checkPer(c); err != nil {
		return nil, err
	}
	if !c.IsSet("top") {
		return nil, nil
	}
	l, err := p.readList(c.String("top"), of)
	if err != nil {
		return nil, err
	}
	return &top{list: l, name: of.classes[l.Class], per: c.String("per"), lists: map[string]*best{}}, nil
}

// offer takes line i of a block, that of the row with a number, if it may be among the best of the list that is of the text per.
func (t *top) offer(block *decidedLines, i, number int, per string) {
	b, r := t.lists[per], ranked{rank: block.ranks[i], number: number}
	if b == nil {
		b = &best{}
		t.lists[per] = b
	}
	b.seen++
	b.sum += r.prob
	if b.least != nil && r.order(b.least) > 0 {
		return
	}
	r.line = block.line(nil, i, number)
	r.place = len(r.line) - (block.ends[i] - block.places[i])
	if block.cells != nil {
		r.cells = block.cells(i)
	}
	if b.rows = append(b.rows, r); t.list.Rows > 0 && float64(len(b.rows)/2) >= t.list.Rows {
		b.rows = b.likeliest(t.list)
		b.least = &b.rows[len(b.rows)-1]
	}
}

// likeliest are the best of a list, in their order.
func (b *best) likeliest(l eval.TopList) []ranked {
	slices.SortFunc(b.rows, func(a, b ranked) int { return a.order(&b) })
	return b.rows[:int(l.Length(float64(b.seen)))]
}

// inOrder yields the lists, in the order of what their rows have in the columns of --per; none of nil.
func (t *top) inOrder(yield func(*best) bool) {
	if t == nil {
		return
	}
	for _, per := range slices.SortedFunc(maps.Keys(t.lists), dateparts.ComparePer) {
		if !yield(t.lists[per]) {
			return
		}
	}
}

// words says which rows are written; to goes on with where to.
func (t *top) words(to string) string {
	if t == nil {
		return ""
	}
	to = strings.TrimPrefix(to, " and written")
	length, decided, seen := 0, 0, 0
	for b := range t.inOrder {
		rows := b.likeliest(t.list)
		length, seen = length+len(rows), seen+b.seen
		for _, r := range rows {
			if r.decided {
				decided++
			}
		}
	}
	if t.per == "" && float64(seen) < t.list.Rows {
		return fmt.Sprintf(", fewer than the list is long: all are written%s, the likeliest to be %q first", to, t.name)
	}
	text := fmt.Sprintf(", and the %d likeliest to be %q%s written%s", length, t.name, t.eachWords(length), to)
	if decided < length {
		text += fmt.Sprintf(": %d of them %s also decided as %q; the list is what to look into", decided, english.Verb(decided, "is", "are"), t.name)
	}
	return text
}

// eachWords says which part of all rows is on a list, or how many there are.
func (t *top) eachWords(length int) string {
	n := len(t.lists)
	switch {
	case t.per == "" && t.list.Share > 0:
		return fmt.Sprintf(" (%s %%)", typedPercent(t.list.Share))
	case t.per == "":
		return ""
	}
	each := fmt.Sprintf("%.0f", t.list.Rows)
	switch {
	case t.list.Share > 0:
		each = typedPercent(t.list.Share) + " %"
	case float64(length) < t.list.Rows*float64(n):
		each = "up to " + each
	}
	return fmt.Sprintf(" (%s for each of %s of %s)", each, english.Plural(n, "value"), english.Quote(t.per))
}

// expects says how many rows of the list are of the class, by its probabilities, with the range of chance at 95 %: that of independent rows that are each of the class with its own probability. Of later rows these tell little;
// timed is the flag that has cv judge such.
func (t *top) expects(timed string) string {
	sum, variance, n, random, all := 0.0, 0.0, 0.0, 0.0, true
	for b := range t.inOrder {
		rows := b.likeliest(t.list)
		for _, r := range rows {
			sum += r.prob
			variance += float64(r.prob * (1 - r.prob))
		}
		n += float64(len(rows))
		random += float64(float64(len(rows)) / float64(b.seen) * b.sum)
		all = all && len(rows) == b.seen
	}
	if n < 2 {
		return ""
	}
	half, right := calib.Z95*math.Sqrt(variance), english.About(sum)
	text := fmt.Sprintf("By their probabilities about %s of these %.0f %s of %q (chance makes that %.0f to %.0f)",
		right, n, english.Verb(right, "is", "are"), t.name, max(0, math.Floor(sum-half)), min(n, math.Ceil(sum+half)))
	if !all {
		text += fmt.Sprintf("; of as many drawn at random about %s would be", english.About(random))
	}
	return text + fmt.Sprintf(". This holds if these rows are like those of the training; rfpragma cv %s tells how far off it is on later rows.", timed)
}
