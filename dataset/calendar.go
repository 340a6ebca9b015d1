package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// dateParts are the words for parts of a date, the least and the largest number that each may be, and how many it must have: the day of a week, and the week of a month, come back.
var dateParts = map[string]struct{ low, high, least float64 }{"year": {1900, 2100, 2}, "quarter": {1, 4, 2}, "month": {1, 12, 2}, "week": {0, 53, 8}, "day": {1, 366, 8}}

// months are their names, of which the first three letters stand for them, too.
var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// ofCalendar tells whether a column looks like a part of a date: it has the name of one, and as few values, of numbers those that it may have, or else its values are months.
func (p *Profile) ofCalendar() bool {
	for _, word := range wordsOf(p.Name) {
		if part, ok := dateParts[word]; ok {
			n := float64(p.Distinct)
			if part.least <= n && n <= part.high-part.low+1 && (p.Kind == Categorical || part.low <= p.Min && p.Max <= part.high) {
				return true
			}
			break // of week_of_month the first word says what it is
		}
	}
	return p.Kind == Categorical && len(p.Top) > 1 && !slices.ContainsFunc(p.Top, func(l Level) bool { return !isMonth(l.Text) })
}

// isMonth tells whether a text is the name of a month, or its first three letters.
func isMonth(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(months, func(name string) bool { return text == name || text == name[:3] })
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

// calendar names the columns that look like parts of a date, but for those of which other findings tell more; in the order of the column of that name, "" for none, rows stand.
func (v *Overview) calendar(told []Finding, order string) *Finding {
	of := Finding{Sort: FoundCalendar}
	for i := range v.Columns {
		p := &v.Columns[i]
		elsewhere := slices.ContainsFunc(told, func(f Finding) bool {
			return slices.Contains([]string{FoundOrdered, FoundDates, FoundNames, FoundConstant}, f.Sort) && slices.Contains(f.Columns, p.Name)
		})
		if p.Fault == "" && !elsewhere && p.ofCalendar() {
			of.Columns = append(of.Columns, p.Name)
		}
	}
	n := len(of.Columns)
	if n == 0 {
		return nil
	}
	time := "--time COLUMN"
	if order != "" {
		time = csvtext.Flag("time", order, "COL")
	}
	of.Text = fmt.Sprintf("%s %s like %s of a date; trees may learn by heart what happened then, which may not come back: cv %s names those that they do",
		columnsNamed(of.Columns), english.Verb(n, "looks", "look"), english.Verb(n, "a part", "parts"), time)
	return &of
}

// columnsNamed names one or several columns.
func columnsNamed(columns []string) string {
	if len(columns) > 1 {
		return "the columns " + nearest.List(columns)
	}
	return "column " + nearest.List(columns)
}
