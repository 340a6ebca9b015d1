package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// rowForm is how decided rows are written: as CSV, or as an object of JSON on a line each.
type rowForm struct {
	json    bool
	classes []string
	id      string // the column that names the rows; "" counts them
	mapped  bool   // the rows have probabilities alone, no decision and no votes
	// What is known of rows that are judged, and written as well.
	fold, weight, actual, label bool
	lacks                       bool // rows may lack most of what the model decides by, and are marked
	withhold                    bool // no decision is written of these
	shares                      bool // the weighted share of the votes of each class is written
	reasons                     reasoned
	open                        bool     // lines of a list: they have a place on it, which is not known yet, and somebody ends them later, see ending
	per                         []string // columns that part the rows into lists
}

// rowForm reads how a verb that writes rows is to write them, by --format or else by the name of the file, and whether --output can take it.
func (p *program) rowForm(c *cli.Context) (rowForm, error) {
	json, out := namesLines(c.String("output")), tableProduct
	if c.IsSet("format") {
		as, err := format(c, "csv", "json", "jsonl")
		if err != nil {
			return rowForm{}, err
		}
		json = as != "csv"
	}
	if json {
		out = linesProduct
	}
	return rowForm{json: json}, p.mayWrite(c, "output", out)
}

// namesLines tells whether the name of a file says that rows are written as JSON, an object on each line.
func namesLines(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext != ".txt" && slices.Contains(linesProduct.endings, ext)
}

// decided is the prediction of a row, and what is known of it.
type decided struct {
	id     string // "" for none
	fold   int    // from 1
	weight float64
	actual string // "" where it is not known
	label  string // of the file, that of which actual is the class
	class  int    // -1 where no tree has voted
	per    string // what the row has in the columns that part rows into lists, as a line of CSV
	prob   []float64
	votes  []float64 // in whole votes
	shares []float64 // of these, weighted

	lacks   []rfpragma.MissingCell // the cells that it lacks, where most of what the model decides by is in them
	reasons []rfpragma.Reason
}

// decideRows has each row of a table decided. The slices are written to again for the next row.
func decideRows(table *vote.Table, decide func(i int) int, probabilities func(dst []float64, votes []uint32), write func(i int, d decided)) {
	prob, whole := make([]float64, len(table.Classes)), make([]float64, len(table.Classes))
	for i := range table.Rows() {
		votes := table.Votes(i)
		probabilities(prob, votes)
		for c, v := range votes {
			whole[c] = float64(v) / table.Unit()
		}
		d := decided{class: decide(i), prob: prob, votes: whole}
		if vote.Total(votes) == 0 {
			d.class = -1
		}
		write(i, d)
	}
}

// decidedLines are the lines of a block, each in two pieces, between which the number of the row
// belongs if it has no id.
type decidedLines struct {
	text     []byte
	numbers  []int                    // where the number of the row belongs; nil with ids
	ends     []int                    // where the lines end
	places   []int                    // with --top, where the place on the list belongs, if the line had no number
	ranks    []rank                   // with --top, of each line
	as       []int                    // of predict, by class, how many rows are decided as it
	held     []int                    // by class, how many would be, but for --withhold
	wasAs    []int                    // of those decided, the same without --prevalence
	unlikely []int                    // see predictJob
	cells    func(i int) []float64    // with --top and --reasons, those of row i, until the block is done
	lacking  [][]rfpragma.MissingCell // of predict, by row, what it lacks where that is most of what the model decides by
}

// clear takes out all lines and keeps their memory.
func (l *decidedLines) clear() {
	*l = decidedLines{text: l.text[:0], numbers: l.numbers[:0], ends: l.ends[:0], places: l.places[:0], ranks: l.ranks[:0]}
}

// line appends line i, that of the row with a number.
func (l *decidedLines) line(to []byte, i, number int) []byte {
	begin := 0
	if i > 0 {
		begin = l.ends[i-1]
	}
	if l.numbers != nil {
		to = strconv.AppendInt(append(to, l.text[begin:l.numbers[i]]...), int64(number), 10)
		begin = l.numbers[i]
	}
	return append(to, l.text[begin:l.ends[i]]...)
}

// keys are the columns before those of the classes, the name of the row first.
func (f *rowForm) keys() []string {
	keys := []string{"row"}
	if f.id != "" {
		keys[0] = f.id
	}
	keys = append(keys, f.per...)
	for _, more := range []struct {
		key  string
		asks bool
	}{{"rank", f.open}, {"fold", f.fold}, {"weight", f.weight}, {"actual", f.actual}, {"label", f.label}, {"decision", !f.mapped}} {
		if more.asks {
			keys = append(keys, more.key)
		}
	}
	return keys
}

// head is the first line of the CSV.
func (f *rowForm) head() []string {
	head := f.keys()
	for _, c := range f.classes {
		head = append(head, "probability_"+c)
	}
	for _, c := range f.classes {
		if !f.mapped {
			head = append(head, "votes_"+c)
		}
	}
	for _, c := range f.classes {
		if f.shares {
			head = append(head, "share_"+c)
		}
	}
	if f.lacks {
		head = append(head, "lacks")
	}
	if f.reasons.most > 0 {
		head = append(head, "reasons")
	}
	return head
}

// check refuses an id that is also the name of another column, in that file.
func (f *rowForm) check(file string) error {
	others := append(f.head()[1+len(f.per):], "probabilities", "votes", "shares")
	if slices.Contains(append(others, f.per...), f.id) {
		return usagef("--id %s is also the name of a column of the output; rename it in %s", english.Quote(f.id), file)
	}
	others = append(others, f.keys()[0])
	for i, column := range f.per {
		if slices.Contains(append(others, f.per[:i]...), column) {
			return usagef("--per %s is also the name of a column of the output; rename it in %s", english.Quote(column), file)
		}
	}
	return nil
}

// begin writes what comes before the first row. An error of w comes again when that is written.
func (f *rowForm) begin(w *bufio.Writer) {
	if !f.json {
		head := csv.NewWriter(&struct{ io.Writer }{w}) // which it would flush, and the first row may be at fault
		_ = head.Write(f.head())
		head.Flush()
	}
}

// lines returns what appends a line.
func (f *rowForm) lines() func(*decidedLines, decided) {
	add, end := f.csvLines(), f.ending()
	if f.json {
		add = f.jsonLines()
	}
	return func(to *decidedLines, d decided) {
		add(to, d)
		if !f.open {
			to.text = end(to.text, d.reasons)
		}
		to.ends = append(to.ends, len(to.text))
	}
}

// ending returns what appends the end of a line, with the reasons for the row.
func (f *rowForm) ending() func(to []byte, reasons []rfpragma.Reason) []byte {
	quoted, text := csvCell(), jsonText()
	return func(to []byte, reasons []rfpragma.Reason) []byte {
		switch {
		case f.json && f.reasons.most > 0:
			to = append(append(to, `,"reasons":`...), text(reasons)...)
		case f.reasons.most > 0:
			to = append(append(to, ','), quoted(reasonsText(reasons))...)
		}
		if f.json {
			to = append(to, '}')
		}
		return append(to, '\n')
	}
}

// reasonsText is reasons in one cell, such as TSH=9.2 (-212); FTI=60 (-35).
func reasonsText(reasons []rfpragma.Reason) string {
	parts := make([]string, len(reasons))
	for i, r := range reasons {
		parts[i] = fmt.Sprintf("%s=%s (-%s)", r.Column, r.Value, strconv.FormatFloat(r.Votes, 'f', -1, 64))
	}
	return strings.Join(parts, "; ")
}

// lacksText names what a row lacks, a few columns at most, in one cell, such as TSH; FTI=-9 (training 2 to 395).
func lacksText(lacks []rfpragma.MissingCell) string {
	parts := make([]string, min(len(lacks), mostLacks))
	for i := range parts {
		parts[i] = lacks[i].String()
	}
	return strings.Join(parts, "; ")
}

// csvCell returns what writes a cell of CSV, quoted if need be.
func csvCell() func(cell string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	return func(cell string) string {
		b.Reset()
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
func (f *rowForm) csvLines() func(*decidedLines, decided) {
	quoted := csvCell()
	classes := make([]string, len(f.classes))
	for c, class := range f.classes {
		classes[c] = quoted(class)
	}
	class := func(to []byte, d *decided) []byte {
		switch {
		case d.class < 0:
			return to
		case f.withholds(d.lacks):
			return append(to, undecided...)
		}
		return append(to, classes[d.class]...)
	}
	keys := f.keys()[1+len(f.per):]
	return func(out *decidedLines, d decided) {
		if f.id == "" {
			out.numbers = append(out.numbers, len(out.text))
		} else {
			out.text = append(out.text, quoted(d.id)...)
		}
		if f.per != nil {
			out.text = append(append(out.text, ','), d.per...)
		}
		for _, key := range keys {
			switch out.text = append(out.text, ','); key {
			case "rank":
				out.places = append(out.places, len(out.text))
			case "fold":
				out.text = strconv.AppendInt(out.text, int64(d.fold), 10)
			case "weight":
				out.text = csvtext.AppendNumber(out.text, d.weight)
			case "actual":
				out.text = append(out.text, quoted(d.actual)...)
			case "label":
				out.text = append(out.text, quoted(d.label)...)
			default:
				out.text = class(out.text, &d)
			}
		}
		for _, x := range d.prob {
			if out.text = append(out.text, ','); d.class >= 0 {
				out.text = appendProbability(out.text, x)
			}
		}
		for _, v := range d.votes {
			out.text = strconv.AppendFloat(append(out.text, ','), v, 'f', -1, 64)
		}
		for _, s := range d.shares {
			if out.text = append(out.text, ','); d.class >= 0 {
				out.text = appendProbability(out.text, s)
			}
		}
		if f.lacks {
			out.text = append(out.text, ',')
			out.text = append(out.text, quoted(lacksText(d.lacks))...)
		}
	}
}

// appendProbability writes a probability, see [digits], without an exponent, which is easily overlooked: 9.65e-07 is not nearly certain.
func appendProbability(to []byte, prob float64) []byte {
	begin := len(to)
	to = strconv.AppendFloat(to, prob, 'g', digits(prob), 64)
	if prob < 1e-4 { // below which 'g' has one
		rounded, _ := strconv.ParseFloat(string(to[begin:]), 64) // of a text just written
		to = strconv.AppendFloat(to[:begin], rounded, 'f', -1, 64)
	}
	return to
}

// digits is to how many significant digits a probability is written: six of it, and six of what it leaves to 1. So no digit is lost where it is nearly 1, and what
// is not 1 is not written as 1; and of two classes both have as many digits after the point, and add up to 1.
func digits(prob float64) int {
	n := 6
	for rest := 1 - prob; 0 < rest && rest < 0.1 && n < 16; rest *= 10 {
		n++
	}
	return n
}

// jsonLines returns what appends an object but for its end. The name of the row comes first.
func (f *rowForm) jsonLines() func(*decidedLines, decided) {
	text := jsonText()
	byClass := func(values []float64) string {
		m := make(map[string]float64, len(values))
		for c, name := range f.classes {
			m[name] = values[c]
		}
		return text(m)
	}
	class := func(d *decided) string {
		switch {
		case d.class < 0:
			return "null"
		case f.withholds(d.lacks):
			return text(undecided)
		}
		return text(f.classes[d.class])
	}
	actual := func(label string) string {
		if label == "" {
			return "null"
		}
		return text(label)
	}
	keys := append(f.keys(), "probabilities")
	if !f.mapped {
		keys = append(keys, "votes")
	}
	if f.shares {
		keys = append(keys, "shares")
	}
	return func(out *decidedLines, d decided) {
		var per []string
		if f.per != nil {
			per = dateparts.PerCells(d.per)
		}
		for i, key := range keys {
			out.text = append(append(append(out.text, "{,"[min(i, 1)]), text(key)...), ':')
			switch {
			case i > 0 && i <= len(per):
				out.text = append(out.text, text(per[i-1])...)
			case key == "rank":
				out.places = append(out.places, len(out.text))
			case i == 0 && f.id == "":
				out.numbers = append(out.numbers, len(out.text))
			case i == 0:
				out.text = append(out.text, text(d.id)...)
			case key == "fold":
				out.text = strconv.AppendInt(out.text, int64(d.fold), 10)
			case key == "weight":
				out.text = append(out.text, text(d.weight)...)
			case key == "actual":
				out.text = append(out.text, actual(d.actual)...)
			case key == "label":
				out.text = append(out.text, actual(d.label)...)
			case key == "decision":
				out.text = append(out.text, class(&d)...)
			case key == "votes":
				out.text = append(out.text, byClass(d.votes)...)
			case d.class < 0:
				out.text = append(out.text, "null"...)
			case key == "shares":
				out.text = append(out.text, byClass(d.shares)...)
			default:
				out.text = append(out.text, byClass(d.prob)...)
			}
		}
		if d.lacks != nil {
			out.text = append(append(out.text, `,"lacks":`...), text(d.lacks[:min(len(d.lacks), mostLacks)])...)
		}
	}
}

// countedWords says what rows without a name are called, and how they get one.
func countedWords(file string) string {
	return fmt.Sprintf("Column \"row\" counts the rows of %s from 1; a column that names them, such as the number of a customer, can be carried along with --id COLUMN.", file)
}
