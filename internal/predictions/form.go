// Package predictions writes decided rows as CSV or as lines of JSON, and keeps lists of the likeliest.
package predictions

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dateparts"
)

// RowForm is how decided rows are written: as CSV, or as an object of JSON on a line each.
type RowForm struct {
	JSON    bool
	Escape  bool // text of CSV that a spreadsheet takes for a formula has an apostrophe in front
	Classes []string
	ID      string // the column that names the rows; "" counts them
	Mapped  bool   // the rows have probabilities alone, no decision and no votes
	// What is known of rows that are judged, and written as well.
	Fold, Weight, Actual, Label bool
	Lacks                       bool // rows may lack most of what the model decides by, and are marked
	Withhold                    bool // no decision is written of these
	Because                     bool // rows may be left to a person, and it is written why no decision is
	Shares                      bool // the weighted share of the votes of each class is written
	Scores                      bool // the score of each class is written, see rfpragma.Model.Score
	Why                         Asked
	// lines of a list: they have a place on it, which is not known yet, and somebody ends them later, see Ending
	Open bool
	Per  []string // columns that part the rows into lists
}

// Keys are the columns before those of the classes, the name of the row first.
func (f *RowForm) Keys() []string {
	keys := []string{"row"}
	if f.ID != "" {
		keys[0] = f.ID
	}
	keys = append(keys, f.Per...)
	for _, more := range []struct {
		key  string
		asks bool
	}{{"rank", f.Open}, {"fold", f.Fold}, {"weight", f.Weight}, {"actual", f.Actual}, {"label", f.Label},
		{"decision", !f.Mapped}} {
		if more.asks {
			keys = append(keys, more.key)
		}
	}
	return keys
}

// Head is the first line of the CSV.
func (f *RowForm) Head() []string {
	head := f.Keys()
	for _, c := range f.Classes {
		head = append(head, "probability_"+c)
	}
	for _, c := range f.Classes {
		if !f.Mapped {
			head = append(head, "votes_"+c)
		}
	}
	for _, c := range f.Classes {
		if f.Shares {
			head = append(head, "share_"+c)
		}
	}
	for _, c := range f.Classes {
		if f.Scores {
			head = append(head, "score_"+c)
		}
	}
	if f.Because {
		head = append(head, "because")
	}
	if f.Lacks {
		head = append(head, "lacks")
	}
	return append(head, f.Why.head()...)
}

// Begin writes what comes before the first row. An error of w comes again when that is written.
func (f *RowForm) Begin(w *bufio.Writer) {
	if !f.JSON {
		head := csv.NewWriter(&struct{ io.Writer }{w}) // which it would flush, and the first row may be at fault
		_ = head.Write(f.Head())
		head.Flush()
	}
}

// Lines returns what appends a line.
func (f *RowForm) Lines() func(*DecidedLines, Decided) {
	add, end := f.csvLines(), f.Ending()
	if f.JSON {
		add = f.jsonLines()
	}
	return func(to *DecidedLines, d Decided) {
		add(to, d)
		if !f.Open {
			to.text = end(to.text, d.Why, d.Class)
		}
		to.Ends = append(to.Ends, len(to.text))
	}
}

// Ending returns what appends the end of a line, with why the row is decided as that class.
func (f *RowForm) Ending() func(to []byte, why Why, class int) []byte {
	text, cells := jsonText(), f.Why.csv(f.csvCell())
	return func(to []byte, why Why, class int) []byte {
		switch {
		case f.JSON:
			to = append(f.Why.json(to, &why, text), '}')
		case f.Why.Any():
			to = cells(to, &why, f.Classes[class])
		}
		return append(to, '\n')
	}
}

// lacksText names what a row lacks, a few columns at most, in one cell, such as TSH; FTI=-9 (training 2 to 395).
func lacksText(lacks []rfpragma.MissingCell) string {
	parts := make([]string, min(len(lacks), MostMissing))
	for i := range parts {
		parts[i] = lacks[i].String()
	}
	return strings.Join(parts, "; ")
}

// csvCell returns what writes a cell of CSV, quoted if need be.
func (f *RowForm) csvCell() func(cell string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	return func(cell string) string {
		b.Reset()
		if f.Escape && strings.IndexAny(cell, "=+-@\t\r") == 0 && !csvtext.LooksNumeric(cell) {
			cell = "'" + cell
		}
		_ = w.Write([]string{cell}) // into memory, which cannot fail
		w.Flush()
		return strings.TrimSuffix(b.String(), "\n")
	}
}

// jsonText returns what writes a text, finite numbers or what is made of these as JSON.
func jsonText() func(any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	return func(v any) string {
		b.Reset()
		_ = enc.Encode(v) // into memory, which cannot fail
		return strings.TrimSuffix(b.String(), "\n")
	}
}

// csvLines returns what appends a line of CSV but for its end.
func (f *RowForm) csvLines() func(*DecidedLines, Decided) {
	quoted := f.csvCell()
	classes := make([]string, len(f.Classes))
	for c, class := range f.Classes {
		classes[c] = quoted(class)
	}
	class := func(to []byte, d *Decided) []byte {
		switch {
		case d.Class < 0:
			return to
		case f.Leaves(d):
			return append(to, Undecided...)
		}
		return append(to, classes[d.Class]...)
	}
	keys := f.Keys()[1+len(f.Per):]
	return func(out *DecidedLines, d Decided) {
		if f.ID == "" {
			out.numbers = append(out.numbers, len(out.text))
		} else {
			out.text = append(out.text, quoted(d.ID)...)
		}
		if f.Per != nil && !f.Escape {
			out.text = append(append(out.text, ','), d.Per...)
		} else if f.Per != nil {
			for _, cell := range dateparts.PerCells(d.Per) {
				out.text = append(append(out.text, ','), quoted(cell)...)
			}
		}
		for _, key := range keys {
			switch out.text = append(out.text, ','); key {
			case "rank":
				out.places = append(out.places, len(out.text))
			case "fold":
				out.text = strconv.AppendInt(out.text, int64(d.Fold), 10)
			case "weight":
				out.text = csvtext.AppendNumber(out.text, d.Weight)
			case "actual":
				out.text = append(out.text, quoted(d.Actual)...)
			case "label":
				out.text = append(out.text, quoted(d.Label)...)
			default:
				out.text = class(out.text, &d)
			}
		}
		for _, x := range d.Prob {
			if out.text = append(out.text, ','); d.Class >= 0 {
				out.text = AppendProbability(out.text, x)
			}
		}
		for _, v := range d.Votes {
			out.text = strconv.AppendFloat(append(out.text, ','), v, 'f', -1, 64)
		}
		for _, s := range d.Shares {
			if out.text = append(out.text, ','); d.Class >= 0 {
				out.text = AppendProbability(out.text, s)
			}
		}
		for _, s := range d.Scores {
			if out.text = append(out.text, ','); d.Class >= 0 {
				out.text = strconv.AppendFloat(out.text, math.Round(s), 'f', -1, 64)
			}
		}
		if f.Because {
			out.text = append(append(out.text, ','), f.because(&d)...)
		}
		if f.Lacks {
			out.text = append(out.text, ',')
			out.text = append(out.text, quoted(lacksText(d.Lacks))...)
		}
	}
}

// jsonLines returns what appends an object but for its end. The name of the row comes first.
func (f *RowForm) jsonLines() func(*DecidedLines, Decided) {
	text := jsonText()
	byClass := func(values []float64) string {
		m := make(map[string]float64, len(values))
		for c, name := range f.Classes {
			m[name] = values[c]
		}
		return text(m)
	}
	class := func(d *Decided) string {
		switch {
		case d.Class < 0:
			return "null"
		case f.Leaves(d):
			return text(Undecided)
		}
		return text(f.Classes[d.Class])
	}
	actual := func(label string) string {
		if label == "" {
			return "null"
		}
		return text(label)
	}
	keys := append(f.Keys(), "probabilities")
	if !f.Mapped {
		keys = append(keys, "votes")
	}
	if f.Shares {
		keys = append(keys, "shares")
	}
	if f.Scores {
		keys = append(keys, "scores")
	}
	return func(out *DecidedLines, d Decided) {
		var per []string
		if f.Per != nil {
			per = dateparts.PerCells(d.Per)
		}
		for i, key := range keys {
			out.text = append(append(append(out.text, "{,"[min(i, 1)]), text(key)...), ':')
			switch {
			case i > 0 && i <= len(per):
				out.text = append(out.text, text(per[i-1])...)
			case key == "rank":
				out.places = append(out.places, len(out.text))
			case i == 0 && f.ID == "":
				out.numbers = append(out.numbers, len(out.text))
			case i == 0:
				out.text = append(out.text, text(d.ID)...)
			case key == "fold":
				out.text = strconv.AppendInt(out.text, int64(d.Fold), 10)
			case key == "weight":
				out.text = append(out.text, text(d.Weight)...)
			case key == "actual":
				out.text = append(out.text, actual(d.Actual)...)
			case key == "label":
				out.text = append(out.text, actual(d.Label)...)
			case key == "decision":
				out.text = append(out.text, class(&d)...)
			case key == "votes":
				out.text = append(out.text, byClass(d.Votes)...)
			case d.Class < 0:
				out.text = append(out.text, "null"...)
			case key == "shares":
				out.text = append(out.text, byClass(d.Shares)...)
			case key == "scores":
				out.text = append(out.text, byClass(d.Scores)...)
			default:
				out.text = append(out.text, byClass(d.Prob)...)
			}
		}
		if why := f.because(&d); f.Because && why != "" {
			out.text = append(append(out.text, `,"because":`...), text(why)...)
		}
		if d.Lacks != nil {
			out.text = append(append(out.text, `,"lacks":`...), text(d.Lacks[:min(len(d.Lacks), MostMissing)])...)
		}
	}
}

// Leaves tells whether no decision is written of a row.
func (f *RowForm) Leaves(d *Decided) bool { return f.because(d) != "" }

// because says why no decision is written of a row.
func (f *RowForm) because(d *Decided) Because {
	switch {
	case f.Withholds(d.Lacks):
		return BecauseLacking
	case f.Because && d.Close:
		return BecauseClose
	}
	return ""
}

// Withholds tells whether no decision is written of a row that lacks such cells.
func (f *RowForm) Withholds(lacks []rfpragma.MissingCell) bool { return f.Withhold && lacks != nil }
