package dataset

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
)

// When missing cells are said to tell a class: where [tellsAlone] of their rows are of it, of the other rows so many
// standard errors less, and chance would make so many rows of other classes.
const (
	gapsErrors = 4.0
	gapsRows   = 10
)

// gap is what the missing cells of a column tell of a class.
type gap struct {
	column, text string
	errors       float64 // how many standard errors the class is off
}

// gap says what class the missing cells of a column nearly tell, beyond chance, as where only those are examined who
// seem ill.
func (f *Frame) gap(c *Column, codes *Codes) (g gap, tells bool) {
	if f.Truth == nil || codes.Missing() < gapsRows {
		return g, false
	}
	missing, known := make([]int, len(f.Classes)), make([]int, len(f.Classes))
	for i, class := range f.Truth {
		switch {
		case class < 0:
		case codes.at(i) == 0:
			missing[class]++
		default:
			known[class]++
		}
	}
	n, m := float64(sum(missing)), float64(sum(known))
	told := 0
	for class, rows := range missing {
		if rows > missing[told] {
			told = class
		}
	}
	here, there, both := float64(missing[told])/n, float64(known[told])/m, float64(missing[told]+known[told])/(n+m)
	g = gap{column: c.Name, errors: (here - there) / math.Sqrt(both*(1-both)*(1/n+1/m))}
	if !(here >= tellsAlone && g.errors > gapsErrors && (1-there)*n >= gapsRows) {
		return g, false
	}
	so := fmt.Sprintf("all %d rows are", missing[told])
	if here < 1 {
		so = fmt.Sprintf("%d of %.0f rows are", missing[told], n)
	}
	g.text = columnText(c.Name, "where it is missing, %s %s (elsewhere %s)", so, english.Quote(f.Classes[told]),
		english.Percent(there, 1))
	return g, true
}

// gapsTold says what missing cells tell: in words of the column that tells most, and names the others. It returns
// nil where none does.
func gapsTold(gaps []gap) *GapsWarning {
	if gaps == nil {
		return nil
	}
	most, others := 0, make([]string, 0, len(gaps))
	for i := range gaps {
		if gaps[i].errors > gaps[most].errors {
			most = i
		}
	}
	for i, g := range gaps {
		if i != most {
			others = append(others, g.column)
		}
	}
	w := &GapsWarning{Text: gaps[most].text + ", and a model learns to decide so",
		Advice: option.Text("; if it is missing because of what somebody expected of the row, decide only rows that have " +
			"it (see {withhold})")}
	if n := len(others); n > 0 {
		w.Text += fmt.Sprintf("; missing cells tell a class in %s as well: %s", english.Plural(n, "other column"),
			nearest.List(others))
	}
	return w
}

func sum(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
