package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// Ordered names the columns in whose order the rows stand, and says in one line what follows if that is time; "" where there are none.
//
// Such a column holds numbers or dates that never fall, or never rise, from row to row: more than two, or two years or dates, of
// which none is in nearly all rows. Whole numbers that differ in all rows, and what is called an id, name the rows. Where each
// class is in one place of the table, the order of the rows tells of the classes.
func (f *Frame) Ordered() (columns []string, text string) {
	if f.Rows() < fewestToName || f.classesApart() {
		return nil, ""
	}
	var spans []string
	group := ""
	for j := range f.Columns {
		c := &f.Columns[j]
		walk, found := c.ordered()
		if !found || calledID(c.Name) {
			continue
		}
		if columns = append(columns, c.Name); len(columns) > mostShown {
			continue
		}
		spans = append(spans, fmt.Sprintf("%.64q (%.32s to %.32s)", c.Name, c.text(walk.first), c.text(walk.last)))
		if group == "" && walk.distinct <= fewValues {
			group = ", or use " + csvtext.Flag("group", c.Name, "COL")
		}
	}
	if columns == nil {
		return nil, ""
	}
	if more := len(columns) - mostShown; more > 0 {
		spans = append(spans, fmt.Sprintf("and %d more", more))
	}
	return columns, fmt.Sprintf("the rows are in the order of %s; if that is time, out-of-bag votes and cross-validation mix past and future, and flatter where things change: "+
		"train on the earlier rows and evaluate on the later%s", strings.Join(spans, ", "), group)
}

// classesApart tells whether the rows of each class, or of rows without one, are next to each other.
func (f *Frame) classesApart() bool {
	changes := 0
	for i := 1; i < len(f.Truth); i++ {
		if f.Truth[i] != f.Truth[i-1] {
			changes++
		}
	}
	return changes <= len(f.Classes)
}

// walk is what the cells of a column are from row to row.
type walk struct {
	first, last float64 // cells
	known       int     // rows with a value
	distinct    int     // values
	most        int     // rows of a value
}

// ordered walks along a column, and tells whether its cells grow or fall as time does.
func (c *Column) ordered() (walk, bool) {
	if c.Kind == Numeric {
		w, found := c.along(func(cell float64) float64 { return cell })
		several := w.distinct > 2 || year(w.first) && year(w.last)
		return w, found && several && (w.distinct < w.known || !c.wholeCells()) // else they number the rows
	}
	for _, form := range dateForms {
		if days := c.dates(form); days != nil {
			if w, found := c.along(func(cell float64) float64 { return days[int(cell)] }); found {
				return w, true
			}
		}
	}
	return walk{}, false
}

// along walks along a column until a cell goes back.
func (c *Column) along(value func(cell float64) float64) (walk, bool) {
	var w walk
	way, before, run := 0.0, 0.0, 0
	for i := range c.Len() {
		cell := c.At(i)
		if cell != cell {
			continue
		}
		v := value(cell)
		if w.known == 0 || v != before {
			if step := v - before; w.known == 0 {
				w.first = cell
			} else if step*way < 0 {
				return w, false
			} else {
				way = math.Copysign(1, step)
			}
			w.distinct, run = w.distinct+1, 0
		}
		before, w.last = v, cell
		w.known++
		run++
		w.most = max(w.most, run)
	}
	return w, 10*w.known >= 9*c.Len() && w.distinct > 1 && w.known-w.most >= fewestToTell
}

// year tells whether a number may be a year.
func year(v float64) bool { return v == math.Trunc(v) && v >= 1900 && v <= 2100 }

// wholeCells tells whether all cells that are known are whole numbers.
func (c *Column) wholeCells() bool {
	for i := range c.Len() {
		if v := c.At(i); v == v && v != math.Trunc(v) {
			return false
		}
	}
	return true
}

// text is a cell that is known, as text.
func (c *Column) text(cell float64) string {
	if c.Kind == Categorical {
		return c.Levels[int(cell)]
	}
	return string(csvtext.AppendNumber(nil, cell))
}

// dateForms are the forms of dates that are known, with and without a time of day.
var dateForms = func() []string {
	var forms []string
	for _, day := range []string{"2006", "2006-1", "2006/1", "2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "2-Jan-2006", "2 Jan 2006", "Jan 2006"} {
		forms = append(forms, day)
		if len(day) >= len("2006-1-2") && day != "Jan 2006" {
			forms = append(forms, day+" 15:04", day+" 15:04:05", day+"T15:04:05", day+"T15:04:05Z07:00", day+" 15:04:05Z07:00")
		}
	}
	return forms
}()

// fewestDates is how many dates a column has at least that is said to hold dates.
const fewestDates = 3

// areDates tells whether the column holds dates, and reads them as categories. Years alone are numbers, unless they are asked for as categories.
func (c *Column) areDates() bool {
	return len(c.Levels) >= fewestDates && slices.ContainsFunc(dateForms, func(form string) bool { return form != "2006" && c.dates(form) != nil })
}

// dates returns the levels as times in seconds; nil where not all are dates of that form.
func (c *Column) dates(form string) []float64 {
	var out []float64 // made once a date is found: there are many forms, and hardly a column of dates
	for i, level := range c.Levels {
		t, err := time.Parse(form, level)
		if err != nil {
			return nil
		}
		if out == nil {
			out = make([]float64, len(c.Levels))
		}
		out[i] = float64(t.Unix()) + float64(t.Nanosecond())/1e9
	}
	return out
}
