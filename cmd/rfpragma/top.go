package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/nearest"
)

// top keeps the rows that are likeliest to be of a class, of any number of rows.
type top struct {
	name     string
	class, n int
	best     []ranked // at least the n best so far; less than 2n
	least    *ranked  // what is not better is not among them; nil at the beginning
}

// ranked is a row that may be among the best.
type ranked struct {
	prob, votes float64 // of the class
	number      int     // of the row
	line        []byte  // what predict writes of it
}

// order is below 0 where a comes before b: by the probability, of equal ones by the votes, of equal ones by the rows.
func (a *ranked) order(b *ranked) int {
	return cmp.Or(cmp.Compare(b.prob, a.prob), cmp.Compare(b.votes, a.votes), a.number-b.number)
}

// readTop reads --top; it is nil without.
func readTop(c *cli.Context, classes []string) (*top, error) {
	if !c.IsSet("top") {
		return nil, nil
	}
	text := c.String("top")
	at := max(0, strings.LastIndex(text, "="))
	n, err := strconv.Atoi(strings.TrimPrefix(text[at:], "="))
	if class := slices.Index(classes, text[:at]); class >= 0 && err == nil && n > 0 {
		return &top{name: text[:at], class: class, n: n}, nil
	}
	return nil, usagef("--top %.64q; write CLASS=N with one of the classes %s and a number of rows, such as --top %s", text, nearest.List(classes), quoted(classes[0]+"=20"))
}

// offer takes line i of a block, that of the row with a number, if it may be among the best.
func (t *top) offer(block *decidedLines, i, number int) {
	r := ranked{prob: block.ranks[2*i], votes: block.ranks[2*i+1], number: number}
	if t.least != nil && r.order(t.least) > 0 {
		return
	}
	r.line = block.line(nil, i, number)
	if t.best = append(t.best, r); len(t.best)/2 >= t.n {
		t.best = t.likeliest()
		t.least = &t.best[t.n-1]
	}
}

// likeliest returns the best, in their order; none of nil.
func (t *top) likeliest() []ranked {
	if t == nil {
		return nil
	}
	slices.SortFunc(t.best, func(a, b ranked) int { return a.order(&b) })
	return t.best[:min(t.n, len(t.best))]
}

// words says which rows are written, if not all.
func (t *top) words() string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf(", and the %d likeliest to be %q written", min(t.n, len(t.best)), t.name)
}
