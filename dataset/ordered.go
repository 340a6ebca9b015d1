package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/sketch"
)

// Ordered returns the names of the columns by which the rows are sorted, and one line of text that says what
// follows if that is time; nil and "" if there are none. If f has a Time, it returns the name of that column
// and "".
//
// Such a column holds numbers or dates that never fall, or never rise, from row to row. It has more than two
// different values, or two if they are years or dates, none of them in nearly all rows. Whole numbers that
// differ in all rows, and columns named like an id, do not count, as they name the rows. If the rows of each
// class stand together, no column counts, as the order is that of the classes. In a CSV file the columns left
// out by Options.Ignore are looked at, too.
func (f *Frame) Ordered() (columns []string, text string) {
	if f.Time != nil {
		return []string{f.Time.Name}, ""
	}
	o := Order{strays: f.strays}
	o.Add(f)
	found := o.found()
	if found == nil {
		return nil, ""
	}
	var spans []string
	for _, w := range found {
		if columns = append(columns, w.of.Name); len(columns) <= mostShown {
			spans = append(spans, fmt.Sprintf("%s (%.32s to %.32s)", english.Quote(w.of.Name), w.from, w.to))
		}
	}
	if more := len(columns) - mostShown; more > 0 {
		spans = append(spans, fmt.Sprintf("and %d more", more))
	}
	return columns, fmt.Sprintf(option.Text(
		"the rows are in the order of %s; if that is time, out-of-bag votes and cross-validation mix past and future, and "+
			"flatter where things change: "+
			"{cv} %s judges later rows by earlier ones"), strings.Join(spans, ", "), csvtext.Flag("time", f.inOrderOf(columns),
		"COL"))
}

// datedBy is what --time takes for rows of several years of which two columns tell year and month; "" where none do.
// (A year of birth, and the like, is no time of a row.)
func (f *Frame) datedBy() string {
	schema := f.Schema()
	for i := range f.Columns {
		c := &f.Columns[i]
		if _, others := partNamed(c.Name); len(others) > 0 {
			continue
		}
		if finer := f.Reading.FinerTime(c.Name, schema); finer != "" && c.varies() {
			return finer
		}
	}
	return ""
}

// varies tells whether two rows differ.
func (c *Column) varies() bool {
	for i := range c.length() {
		if c.At(i) != c.At(0) {
			return true
		}
	}
	return false
}

// unorderedText says that rows are of several years, though they are not in their order; "" where no columns tell.
func (f *Frame) unorderedText() string {
	finer := f.datedBy()
	if finer == "" {
		return ""
	}
	return fmt.Sprintf(option.Text(
		"%s tells when each row was, though they stand in another order: out-of-bag votes and cross-validation mix past "+
			"and future, and flatter where things change; {cv} %s judges later rows by earlier ones"),
		english.Quote(finer), csvtext.Flag("time", finer, "COL"))
}

// leastSame is from which share of the rows on, one in so many, it is worth a warning that they are the same as
// others, and of how many at least.
const leastSame, fewestSame = 20, 50

// sameText says that many rows are the same as an earlier one, by a sample of them; "" where they are few, or groups
// keep them together.
func (f *Frame) sameText() string {
	if f.Group != nil {
		return ""
	}
	var s sketch.Sketcher
	s.Begin(len(f.Classes))
	for hash, class := range f.quickHashes {
		s.Note(hash, class)
	}
	sample := s.Sketch()
	if sample == nil {
		return ""
	}
	same := sample.Rows - len(sample.Hashes)
	coarse := 2*same > sample.Rows // so few values that rows are the same by nature
	if leastSame*same < sample.Rows || same*f.Rows() < fewestSame*sample.Rows || coarse {
		return ""
	}
	again := int(math.Round(float64(f.Rows()) * float64(same) / float64(sample.Rows)))
	return fmt.Sprintf("about %d of these %d rows have the same label and features as an earlier one; %s: else "+
		"cross-validation judges by rows that it has trained on", again, f.Rows(), csvtext.EnteredTwice(again))
}

// quickHashes yields a hash of each labelled row, with the class: equal where rows are, but only within f, as it is
// that of the codes of the cells where they have any. those of package digest take many times as long.
func (f *Frame) quickHashes(yield func(hash uint32, class int) bool) {
	var sums [blockRows]uint64
	for from := 0; from < len(f.Truth); from += blockRows {
		truth := f.Truth[from:min(from+blockRows, len(f.Truth))]
		for i, class := range truth {
			sums[i] = mix(uint64(int64(class)))
		}
		for j := range f.Columns {
			seed := mix(uint64(j) + 1)
			for i := range truth {
				sums[i] += mix(seed ^ f.Columns[j].same(from+i))
			}
		}
		for i, class := range truth {
			if class >= 0 && !yield(uint32(sums[i]>>32), class) {
				return
			}
		}
	}
}

// same returns a number that rows of equal cells share.
func (c *Column) same(i int) uint64 {
	if c.Codes != nil {
		return uint64(c.Codes.at(i))
	}
	return sketch.Bits(c.Values[i])
}

// inOrderOf is what --time takes for rows in the order of these columns.
func (f *Frame) inOrderOf(columns []string) string {
	return cmp.Or(f.Reading.FinerTime(columns[0], f.Schema()), columns[0])
}

// Order finds the columns by which rows are sorted, as [Frame.Ordered] does, from rows that come block by block
// in their order. The zero value has seen no rows.
type Order struct {
	walks         [][]walk // by column, along its numbers, or its dates in all forms that they may have
	strays        [][]walk // along columns that are not in the frames
	time          string   // column that says when each row was; "" for none
	rows, classes int
	last, changes int // of the class from row to row
}

// Add adds the next rows. All calls must have the same columns and classes.
func (o *Order) Add(f *Frame) {
	if o.walks == nil {
		o.walks, o.classes = make([][]walk, len(f.Columns)), len(f.Classes)
		for j := range f.Columns {
			o.walks[j] = walksOf(f.Columns[j].Field)
		}
	}
	for _, class := range f.Truth {
		if o.last != class+2 { // of the first row it has changed as well
			o.last = class + 2
			o.changes++
		}
	}
	o.rows += f.Rows()
	for j, walks := range o.walks {
		for k := range walks {
			walks[k].along(&f.Columns[j])
		}
	}
}

// Columns returns the names of the columns, nil if there are none.
func (o *Order) Columns() []string {
	if o.time != "" {
		return []string{o.time}
	}
	var names []string
	for _, w := range o.found() {
		names = append(names, w.of.Name)
	}
	return names
}

// found returns the walk along each of the columns. Where the rows of each class, or of rows without one, are next
// to each other, there are none.
func (o *Order) found() []walk {
	if o.rows < fewestToName || o.changes-1 <= o.classes {
		return nil
	}
	var out []walk
	for _, walks := range slices.Concat(o.walks, o.strays) {
		at := slices.IndexFunc(walks, func(w walk) bool { return w.grows(o.rows) })
		if at >= 0 && !calledID(walks[at].of.Name) {
			out = append(out, walks[at])
		}
	}
	return out
}

// walk is what the cells of a column are from row to row.
type walk struct {
	of          Field
	form        string    // of dates; "" for numbers
	days        []float64 // of the levels, of a column of dates
	from, to    string    // the first and the last cell
	first       float64   // value
	known       int       // rows with a value
	distinct    int       // values
	most, run   int       // rows of a value, of the last one
	before, way float64   // value of the last row, and where it goes
	back, parts bool      // a cell has gone back, a value is no whole number
}

// walksOf returns the ways to walk along a column.
func walksOf(f Field) []walk {
	if f.Kind == Numeric {
		return []walk{{of: f}}
	}
	var out []walk
	for _, form := range dateForms {
		if days := f.dates(form); days != nil {
			out = append(out, walk{of: f, form: form, days: days})
		}
	}
	return out
}

// along walks on along the next cells until one goes back.
func (w *walk) along(c *Column) {
	last := math.NaN()
	for i := 0; i < c.length() && !w.back; i++ {
		cell := c.At(i)
		if cell != cell {
			continue
		}
		v := cell
		if w.days != nil {
			v = w.days[int(cell)]
		}
		if w.known == 0 {
			w.from = w.of.Text(cell)
		}
		w.step(v, 1)
		last = cell
	}
	if last == last {
		w.to = w.of.Text(last)
	}
}

// step walks on to a value that so many rows have.
func (w *walk) step(v float64, rows int) {
	if w.known == 0 || v != w.before {
		if step := v - w.before; w.known == 0 {
			w.first = v
		} else if step*w.way < 0 {
			w.back = true
		} else {
			w.way = math.Copysign(1, step)
		}
		w.distinct, w.run = w.distinct+1, 0
	}
	w.before, w.parts = v, w.parts || v != math.Trunc(v)
	w.known += rows
	w.run += rows
	w.most = max(w.most, w.run)
}

// grows tells whether the cells of so many rows grow or fall as time does.
func (w *walk) grows(rows int) bool {
	if w.back || 10*w.known < 9*rows || w.distinct < 2 || w.known-w.most < fewestToTell {
		return false
	}
	several := w.distinct > 2 || year(w.first) && year(w.before)
	return w.form != "" || several && (w.distinct < w.known || w.parts) // else they number the rows
}

// year tells whether a number may be a year.
func year(v float64) bool { return v == math.Trunc(v) && v >= 1900 && v <= 2100 }

// dateForms are the forms of dates that are known, with and without a time of day.
var dateForms = func() []string {
	var forms []string
	for _, day := range []string{"2006", "2006-1", "2006/1", "2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "2/1/2006",
		"1/2/2006", "2-1-2006", "2-Jan-2006", "2 Jan 2006", "Jan 2006"} {
		forms = append(forms, day)
		if len(day) >= len("2006-1-2") && day != "Jan 2006" {
			forms = append(forms, day+" 15:04", day+" 15:04:05", day+"T15:04:05", day+"T15:04:05Z07:00", day+" 15:04:05Z07:00")
		}
	}
	return forms
}()

// fewestDates is how many dates a column has at least that is said to hold dates.
const fewestDates = 3

// areDates tells whether the column holds dates, and reads them as categories. Years alone are numbers, unless they
// are asked for as categories.
func (c *Column) areDates() bool {
	return len(c.Levels) >= fewestDates && slices.ContainsFunc(dateForms, func(form string) bool {
		return form != "2006" &&
			c.dates(form) != nil
	})
}

// dates returns the levels as times in seconds; nil where not all are dates of that form.
func (f *Field) dates(form string) []float64 {
	var out []float64 // made once a date is found: there are many forms, and hardly a column of dates
	for i, level := range f.Levels {
		t, ok := dated(form, level)
		if !ok {
			return nil
		}
		if out == nil {
			out = make([]float64, len(f.Levels))
		}
		out[i] = t
	}
	return out
}

// dated reads a date of that form, in seconds.
func dated(form, text string) (float64, bool) {
	t, err := time.Parse(form, text)
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9, err == nil
}
