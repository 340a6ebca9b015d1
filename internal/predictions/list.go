package predictions

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
)

// Top keeps the rows that are likeliest to be of a class, of any number of rows.
type Top struct {
	List  eval.TopList
	Name  string           // of the class
	Per   string           // the columns that part the rows into lists, as they were asked for; "" for one list
	Lists map[string]*Best // by what their rows have in these
}

// Best are the rows of a list.
type Best struct {
	rows  []ranked // of a list of n rows at least the n best so far, and less than 2n; of a share of all rows all so far
	least *ranked  // what is not better is not among them; nil at the beginning
	seen  int      // rows that may be on it
	sum   float64  // of their probabilities
}

// ranked is a row that may be among the best.
type ranked struct {
	Rank
	number int       // of the row
	Line   []byte    // what predict writes of it, without its place on the list and its end
	Place  int       // where in the line its place on the list belongs
	Cells  []float64 // of the row, where there are to be reasons
}

// Rank is what rows are ranked by, and whether the row is decided as the class of the list.
type Rank struct {
	Prob, Votes float64 // of the class
	Decided     bool
}

// order is below 0 where a comes before b: by the probability, of equal ones by the votes, of equal ones by the rows.
func (a *ranked) order(b *ranked) int {
	return cmp.Or(cmp.Compare(b.Prob, a.Prob), cmp.Compare(b.Votes, a.Votes), a.number-b.number)
}

// Offer takes line i of a block, that of the row with a number, if it may be among the best of the list that is of
// the text per.
func (t *Top) Offer(block *DecidedLines, i, number int, per string) {
	b, r := t.Lists[per], ranked{Rank: block.Ranks[i], number: number}
	if b == nil {
		b = &Best{}
		t.Lists[per] = b
	}
	b.seen++
	b.sum += r.Prob
	if b.least != nil && r.order(b.least) > 0 {
		return
	}
	r.Line = block.Line(nil, i, number)
	r.Place = len(r.Line) - (block.Ends[i] - block.places[i])
	if block.Cells != nil {
		r.Cells = block.Cells(i)
	}
	if b.rows = append(b.rows, r); t.List.Rows > 0 && float64(len(b.rows)/2) >= t.List.Rows {
		b.rows = b.Likeliest(t.List)
		b.least = &b.rows[len(b.rows)-1]
	}
}

// Likeliest are the best of a list, in their order.
func (b *Best) Likeliest(l eval.TopList) []ranked {
	slices.SortFunc(b.rows, func(a, b ranked) int { return a.order(&b) })
	return b.rows[:int(l.Length(float64(b.seen)))]
}

// InOrder yields the lists, in the order of what their rows have in the columns of --per; none of nil.
func (t *Top) InOrder(yield func(*Best) bool) {
	if t == nil {
		return
	}
	for _, per := range slices.SortedFunc(maps.Keys(t.Lists), dateparts.ComparePer) {
		if !yield(t.Lists[per]) {
			return
		}
	}
}

// Words says which rows are written; to goes on with where to.
func (t *Top) Words(to string) string {
	if t == nil {
		return ""
	}
	to = strings.TrimPrefix(to, " and written")
	length, decided, seen := 0, 0, 0
	for b := range t.InOrder {
		rows := b.Likeliest(t.List)
		length, seen = length+len(rows), seen+b.seen
		for _, r := range rows {
			if r.Decided {
				decided++
			}
		}
	}
	if t.Per == "" && float64(seen) < t.List.Rows {
		return fmt.Sprintf(", fewer than the list is long: all are written%s, the likeliest to be %q first", to, t.Name)
	}
	text := fmt.Sprintf(", and the %d likeliest to be %q%s written%s", length, t.Name, t.eachWords(length), to)
	if decided < length {
		text += fmt.Sprintf(": %d of them %s also decided as %q; the list is what to look into", decided,
			english.Verb(decided, "is", "are"), t.Name)
	}
	return text
}

// eachWords says which part of all rows is on a list, or how many there are.
func (t *Top) eachWords(length int) string {
	n := len(t.Lists)
	switch {
	case t.Per == "" && t.List.Share > 0:
		return fmt.Sprintf(" (%s %%)", layout.TypedPercent(t.List.Share))
	case t.Per == "":
		return ""
	}
	each := fmt.Sprintf("%.0f", t.List.Rows)
	switch {
	case t.List.Share > 0:
		each = layout.TypedPercent(t.List.Share) + " %"
	case float64(length) < t.List.Rows*float64(n):
		each = "up to " + each
	}
	return fmt.Sprintf(" (%s for each of %s of %s)", each, english.Plural(n, "value"), english.Quote(t.Per))
}

// Expects says how many rows of the list are of the class, by its probabilities, with the range of chance at 95 %:
// that of independent rows that are each of the class with its own probability. Of later rows these tell little;
// timed is the flag that has cv judge such.
func (t *Top) Expects(timed string) string {
	sum, variance, n, random, all := 0.0, 0.0, 0.0, 0.0, true
	for b := range t.InOrder {
		rows := b.Likeliest(t.List)
		for _, r := range rows {
			sum += r.Prob
			variance += float64(r.Prob * (1 - r.Prob))
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
		right, n, english.Verb(right, "is", "are"), t.Name, max(0, math.Floor(sum-half)), min(n, math.Ceil(sum+half)))
	if !all {
		text += fmt.Sprintf("; of as many drawn at random about %s would be", english.About(random))
	}
	return text + fmt.Sprintf(". This holds if these rows are like those of the training; rfpragma cv %s tells how far "+
		"off it is on later rows.", timed)
}

// ListNumbers are the numbers of the lists that rows may be on, by their texts.
func ListNumbers(per []string) []int {
	if per == nil {
		return nil
	}
	numbers, of := make([]int, len(per)), map[string]int{}
	for i, text := range per {
		n, known := of[text]
		if !known {
			n = len(of)
			of[text] = n
		}
		numbers[i] = n
	}
	return numbers
}
