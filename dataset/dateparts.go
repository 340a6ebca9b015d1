package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// TimeColumns returns the columns that r.Time names, from coarse to fine.
func (r *Reading) TimeColumns() []string { return dateparts.TimeColumnsIn(r.Time, nil) }

// timeName names the columns of the time as Reading.Time does; "" where there are none.
func (tr *training) timeName() string {
	return timeName(tr.names(tr.times))
}

func timeName(columns []string) string {
	names := make([]string, len(columns))
	for i, name := range columns {
		names[i] = csvtext.Listed(name)
	}
	return strings.Join(names, ",")
}

// partNamed returns the place among the parts of a date of that which the name of a column says, and the other words
// of the name; -1 where it says none.
func partNamed(name string) (at int, others []string) {
	words := wordsOf(name)
	for i, word := range words {
		for at, part := range dateParts {
			if rest, ok := strings.CutSuffix(word, part.german); ok || word == part.word {
				return at, slices.DeleteFunc(slices.Replace(words, i, i+1, strings.TrimSuffix(rest, part.word)),
					func(w string) bool { return w == "" })
			}
		}
	}
	return -1, nil
}

// partsOf returns which parts of a date several columns hold: as their names say, else year, month and day in turn;
// -1 for none.
func partsOf(columns []string) []int {
	parts := make([]int, len(columns))
	for i, name := range columns {
		if parts[i], _ = partNamed(name); parts[i] < 0 && i < 3 {
			parts[i] = []int{partYear, partMonth, partDay}[i]
		}
	}
	return parts
}

// checkTimes refuses columns that make no date together.
func checkTimes(t *table, columns []string) error {
	if len(columns) < 2 {
		return nil
	}
	for i, name := range columns {
		if slices.Contains(columns[:i], name) {
			return csvtext.Usagef("%s: {time} names column %s twice; name it once", t.file, english.Quote(name))
		}
	}
	parts := partsOf(columns)
	for i, part := range parts {
		name := english.Quote(columns[i])
		switch {
		case part < 0:
			return csvtext.Usagef("%s: {time} takes the columns of a year, a month and a day, and column %s is one more; "+
				"leave it out", t.file, name)
		case i > 0 && part == parts[i-1]:
			return csvtext.Usagef("%s: the columns %s and %s of {time} both say the %s; name one of them", t.file,
				english.Quote(columns[i-1]), name, dateParts[part].word)
		case i > 0 && part < parts[i-1]:
			return csvtext.Usagef("%s: of {time}, column %s, the %s, comes after %s, the %s; name them coarse to fine: %s",
				t.file, name, dateParts[part].word,
				english.Quote(columns[i-1]), dateParts[parts[i-1]].word, csvtext.Flag("time",
					timeName(coarseToFine(columns, parts)), "COLUMNS"))
		}
	}
	if parts[0] != partYear {
		return csvtext.Usagef("%s: of {time} %s, each %s comes back; name the column of the year before it", t.file,
			nearest.List(columns), dateParts[parts[0]].word)
	}
	return nil
}

// coarseToFine puts columns in the order of the parts that they hold.
func coarseToFine(columns []string, parts []int) []string {
	at := map[string]int{}
	for i, name := range columns {
		at[name] = parts[i]
	}
	return slices.SortedStableFunc(slices.Values(columns), func(a, b string) int { return cmp.Compare(at[a], at[b]) })
}

// dateOf returns the date that the cells of several columns make, such as 1994-12, 1994-12-03, 1994-Q4 or 1994-W49.
func (tr *training) dateOf(cells []Cell) (string, error) {
	date := make([]byte, 0, 16)
	for i, part := range tr.dates {
		n, ok := part.number(&cells[i])
		if !ok {
			return "", tr.faultf(tr.times[i], "%s is no %s; %s", csvtext.Show(cells[i].String()), part.word, tr.cureOf(cells, i))
		}
		date = fmt.Appendf(date, part.form, n)
	}
	return string(date), nil
}

// cureOf says what to do about cell i, which is not the part of a date that its column is named for.
func (tr *training) cureOf(cells []Cell, i int) string {
	part, names := tr.dates[i], tr.names(tr.times)
	if i == 0 {
		for k := range cells[1:] {
			if _, ok := part.number(&cells[1+k]); ok {
				names[0], names[1+k] = names[1+k], names[0]
				return "name the columns coarse to fine: " + csvtext.Flag("time", timeName(names), "COLUMNS")
			}
		}
		if slices.ContainsFunc(dateForms, func(form string) bool { _, ok := dated(form, cells[0].String()); return ok }) {
			return "a date stands alone: " + csvtext.Flag("time", timeName(names[:1]), "COL")
		}
	}
	cure := fmt.Sprintf("write a number from %v to %v", part.low, part.high)
	if part.word == dateParts[partMonth].word {
		cure += ", or a name such as Jan or March"
	}
	return cure + ", or leave the row out of the file"
}

// number reads a cell of that part.
func (p *partForm) number(cell *Cell) (int, bool) {
	if p.word == dateParts[partMonth].word {
		if n := dateparts.MonthOf(cell.String()); n > 0 {
			return n, true
		}
	}
	v, form := cell.value()
	return int(v), form != csvtext.Word && form != csvtext.Huge && v >= p.low && v <= p.high && v == float64(int(v))
}

// partForm is a part of a date, the numbers that it may be after those before it, and how it is written.
type partForm struct {
	datePart
	form string
}

// formsOf returns those of several columns.
func formsOf(columns []string) []partForm {
	if len(columns) < 2 {
		return nil
	}
	var forms []partForm
	parts := partsOf(columns)
	for _, at := range parts {
		part := partForm{dateParts[at], map[int]string{partYear: "%04d", partQuarter: "-Q%d", partMonth: "-%02d",
			partWeek: "-W%02d", partDay: "-%02d"}[at]}
		switch within := slices.Contains(parts, partMonth); {
		case at == partDay && within:
			part.high = 31
		case at == partDay:
			part.form = "-%03d"
		}
		forms = append(forms, part)
	}
	return forms
}

// ofParts returns when each row was, of a column of dates in one form of numbers, coarse to fine, with letters
// before some, such as 1994-Q1, 1994-W05 or 1994-02-W1; nil for others.
func (c *Column) ofParts() []float64 {
	levels, shape := make([]float64, len(c.Levels)), ""
	for i, level := range c.Levels {
		digits := func(r rune) bool { return '0' <= r && r <= '9' }
		letters := strings.Map(func(r rune) rune {
			if digits(r) {
				return -1
			}
			return r
		}, level)
		if i == 0 {
			shape = letters
		}
		if letters != shape || shape == "" || strings.Trim(shape, "-QW") != "" {
			return nil
		}
		for k, part := range strings.Split(level, "-") {
			n, err := strconv.ParseUint(strings.TrimLeft(part, "QW"), 10, 16)
			if err != nil || k == 0 && !year(float64(n)) || n > 999 && k > 0 || k > 3 {
				return nil
			}
			levels[i] = float64(1000*levels[i]) + float64(n)
		}
	}
	times := make([]float64, c.length())
	for i := range times {
		cell := c.At(i)
		if cell != cell {
			return nil
		}
		times[i] = levels[int(cell)]
	}
	return times
}

// FinerTime returns a value for Options.Time that is finer than a column of years: that column and the one of
// its months, if there is one among the fields of s or the columns that r ignored; else "".
func (r *Reading) FinerTime(year string, s Schema) string {
	part, of := partNamed(year)
	if part != partYear {
		return ""
	}
	fields := slices.Clone(s)
	for _, name := range r.Ignore {
		fields = append(fields, Field{Name: name})
	}
	for _, f := range fields {
		part, others := partNamed(f.Name)
		months := !slices.ContainsFunc(f.Levels, func(text string) bool { return dateparts.MonthOf(text) == 0 })
		if part == partMonth && slices.Equal(of, others) && months {
			return timeName([]string{year, f.Name})
		}
	}
	return ""
}
