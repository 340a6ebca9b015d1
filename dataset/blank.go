package dataset

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// blanks are rows of which no feature has a value, as a spreadsheet leaves them below a table.
type blanks struct {
	count int
	first Pos // of the first of them
}

func (b *blanks) note(at Pos) { b.merge(blanks{1, at}) }

func (b *blanks) merge(part blanks) {
	if b.count == 0 {
		b.first = part.first
	}
	b.count += part.count
}

// text says of rows to train on that there are such, "" where there are none. Where there is one feature, it may
// well be missing.
func (b *blanks) text(features int) string {
	if b.count == 0 || features < 2 {
		return ""
	}
	return b.have(fmt.Sprintf("no value in any of the %d features", features)) +
		fmt.Sprintf(": nothing can be learnt from %s; fill the cells, or remove %[1]s", english.Verb(b.count, "it", "them"))
}

// have says what the rows have, and where the first of them is.
func (b *blanks) have(what string) string {
	at := "line " + strconv.Itoa(b.first.Line)
	if b.first.Row > 0 { // a format without lines
		at = "row " + strconv.Itoa(b.first.Row)
	}
	if b.count > 1 {
		at = "the first in " + at
	} else {
		at = "in " + at
	}
	return fmt.Sprintf("%s %s %s, %s", english.Plural(b.count, "row"), english.Verb(b.count, "has", "have"), what, at)
}

// blank says of rows for a model that nothing is known of some, "" where something is known of all.
func (rd *Reader) blank() string {
	n, features := &rd.tally, len(rd.o.Schema)
	switch {
	case rd.blankRows() == 0:
		return ""
	case 2*n.blank.count > n.rows:
		return fmt.Sprintf("%d of %s without a value that the model knows in any of its %d columns: cells are empty, or "+
			"categories unseen in training; look whether this is the right file",
			n.blank.count, are(n.rows, "row"), features)
	}
	return n.blank.have(fmt.Sprintf("no value that the model knows in any of its %d columns", features)) +
		fmt.Sprintf(": what is decided of %s rests on nothing; remove rows that are empty", english.Verb(n.blank.count, "it",
			"them"))
}

// blankRows counts the rows of which nothing is known, but where a single feature is missing.
func (rd *Reader) blankRows() int {
	if len(rd.o.Schema) < 2 {
		return 0
	}
	return rd.tally.blank.count
}

// allBlank reports whether nothing is known of any row, and there are too many to be so by chance. No model was
// trained on such rows; on some in which most are blank it may have been.
func (n *tally) allBlank() bool { return n.rows >= leastBlank && n.blank.count == n.rows }

// leastBlank is of how many rows, or cells of a column, nothing is known by chance no more.
const leastBlank = 10

// foreign reports whether hardly a cell of a column of categories is of one of the training: at most one in twenty.
func (n *tally) foreign(j int) bool {
	return n.unseen[j].count >= leastBlank && 20*n.met[j] <= n.unseen[j].count+n.met[j]
}

// foreign names the columns of categories that have hardly any of those of the training, "" where there are none, and
// tells whether the rows are not for the model therefore: not where all of these columns say something that is new for
// new rows by nature.
func (rd *Reader) foreign() (text string, misfit bool) {
	const shown = 3
	var found []string
	fields, columns := 0, []string(nil)
	for j, field := range rd.o.Schema {
		if field.Kind == Categorical {
			fields++
		}
		if rd.tally.foreign(j) {
			found = append(found, fmt.Sprintf("%s has %s here and had %s there", english.Quote(field.Name),
				rd.tally.unseen[j].cells(shown), firstOf(field.Levels, shown)))
			columns = append(columns, field.Name)
			misfit = misfit || !field.renewed()
		}
	}
	n := len(found)
	if n == 0 {
		return "", false
	}
	if n > shown {
		found = append(found[:shown], fmt.Sprintf("and %d more", n-shown))
	}
	text = fmt.Sprintf("in %d of %s hardly a cell is of a category of the training: %s; write them as there, ", n,
		english.Plural(fields, "column")+" of categories", strings.Join(found, ", "))
	if !misfit {
		return text + "else all their cells count as missing", false
	}
	return text + "or train without what is new in new rows: " + csvtext.Flag("ignore", columns[0], "COL"), true
}

// renewed tells whether new rows have other levels by nature, as dates are, and names.
func (f *Field) renewed() bool {
	c := Column{Field: *f}
	return c.areDates() || f.Baseline != nil && f.ofCalendar() ||
		f.Baseline != nil && 2*len(f.Levels) > f.Baseline.Rows-f.Baseline.Missing
}

// cells lists the first different cells.
func (s *sightings) cells(most int) string {
	var x index
	for _, p := range s.first {
		x.add(p.cell)
	}
	return firstOf(x.names, most)
}

// firstOf lists the first of some names, and says whether there are more.
func firstOf(names []string, most int) string {
	if len(names) > most {
		return nearest.List(names[:most]) + ", ..."
	}
	return nearest.List(names)
}
