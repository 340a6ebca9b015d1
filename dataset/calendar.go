package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
)

// datePart is a part of a date: the words for it, the least and the largest number that it may be, and how many a
// column must have that looks like it: the day of a week, and the week of a month, come back.
type datePart struct {
	word, german     string
	low, high, least float64
}

// dateParts go from coarse to fine.
var dateParts = []datePart{{"year", "jahr", 1900, 2100, 2}, {"quarter", "quartal", 1, 4, 2}, {"month", "monat", 1, 12,
	2}, {"week", "woche", 0, 53, 8}, {"day", "tag", 1, 366, 8}}

// Their places.
const (
	partYear = iota
	partQuarter
	partMonth
	partWeek
	partDay
)

// ofCalendar tells whether a column looks like a part of a date: it has the name of one, and as few values, of
// numbers those that it may have, or else its values are months.
func (p *Profile) ofCalendar() bool {
	for _, word := range wordsOf(p.Name) {
		if at := slices.IndexFunc(dateParts, func(part datePart) bool { return part.word == word }); at >= 0 {
			part, n := dateParts[at], float64(p.Distinct)
			if part.least <= n && n <= part.high-part.low+1 && (p.Kind == Categorical || part.low <= p.Min &&
				p.Max <= part.high) {
				return true
			}
			break // of week_of_month the first word says what it is
		}
	}
	return p.Kind == Categorical && len(p.Top) > 1 && !slices.ContainsFunc(p.Top,
		func(l Level) bool { return dateparts.MonthOf(l.Text) == 0 })
}

// wordsOf returns the words that a name is put together of, such as WeekOfMonth or week_of_month, in lower case.
func wordsOf(name string) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		if !unicode.IsLetter(r) {
			r = ' '
		} else if unicode.IsUpper(r) && unicode.IsLower(before) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		before = r
	}
	return strings.Fields(strings.ToLower(spaced.String()))
}

// calendar names the columns that look like parts of a date, but for those of which other findings tell more; in the
// order of what --time takes rows stand, "" for none, and finer finds that for a column of years.
func (v *Overview) calendar(told []Finding, order string, finer func(year string) string) *Finding {
	of := Finding{Sort: inspected.Calendar}
	elsewhere := func(name string) bool {
		return slices.ContainsFunc(told, func(f Finding) bool {
			return slices.Contains([]string{inspected.Ordered, inspected.Dates, inspected.Names, inspected.Constant}, f.Sort) &&
				slices.Contains(f.Columns, name)
		})
	}
	for i := range v.Columns {
		p := &v.Columns[i]
		if p.Fault == "" && p.ofCalendar() && !elsewhere(p.Name) {
			of.Columns = append(of.Columns, p.Name)
		}
	}
	n := len(of.Columns)
	if n == 0 {
		return nil
	}
	time := option.Text("{time} COLUMN")
	for _, name := range of.Columns {
		if _, others := partNamed(name); order == "" && len(others) == 0 { // as that of a birth is no time of the rows
			order = finer(name)
		}
	}
	if order != "" {
		time = csvtext.Flag("time", order, "COL")
	}
	of.Text = fmt.Sprintf(option.Text("%s %s like %s of a date; %s; {cv} %s says whether later rows are decided worse"),
		columnsNamed(of.Columns), english.Verb(n, "looks", "look"), english.Verb(n, "a part", "parts"),
		CalendarAdvice(of.Columns), time)
	return &of
}

// CalendarAdvice returns a text on what trees may make of features that look like parts of a date, and when to
// keep them.
func CalendarAdvice(columns []string) string {
	return fmt.Sprintf("trees may learn by heart what happened then, which may not come back: keep %s known to show the "+
		"same each year, as seasons do (rows of one or two years cannot tell), else use %s",
		english.Verb(len(columns), "it if it is", "them if they are"), ignoring(columns))
}

// ignoring are the flags that leave columns out.
func ignoring(columns []string) string {
	flags := make([]string, len(columns))
	for i, name := range columns {
		flags[i] = csvtext.Flag("ignore", name, "COL")
	}
	return strings.Join(flags, " ")
}

// Calendar returns the names of the columns of f that look like parts of a date, such as a month.
func (f *Frame) Calendar() []string {
	var names []string
	var coder Coder
	for j := range f.Columns {
		if p, _, _ := f.Columns[j].profile(&coder, nil); p.ofCalendar() {
			names = append(names, p.Name)
		}
	}
	return names
}

// columnsNamed names one or several columns.
func columnsNamed(columns []string) string {
	if len(columns) > 1 {
		return "the columns " + nearest.List(columns)
	}
	return "column " + nearest.List(columns)
}
