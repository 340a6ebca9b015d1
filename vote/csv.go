package vote

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/rowkind"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// CSVOptions says what the columns of a file of votes are for. The zero value reads a file in which every
// column but "class", "weight" and "count" holds the votes for one class.
type CSVOptions struct {
	Target string   // column of the true labels; "" means "class", which may then be absent
	Weight string   // column of the case weights; "" means "weight", which may then be absent
	Count  string   // column of how many rows a line stands for; "" means "count", which may then be absent
	Group  string   // column that says which rows belong together, see [Table].Group; "" means none
	Amount string   // column of the amount at stake in a row, see [Table].Amount; "" means none
	ID     string   // column of the names of the rows, which is ignored; "" means none
	Ignore []string // further columns to ignore
	Slices []Slice  // rows to tell apart, see [Table].Slices; their columns hold no votes, nor anything else named here
	Comma  rune     // separator of the cells; 0 means to find out whether it is , ; tab or |
	Soft   bool     // the counts are thousandths of a vote, as [WriteCSV] writes soft votes

	Decimal byte            // decimal mark of scores, weights and amounts, '.' or ','; 0 means '.'
	Found   func(mark rune) // called with the separator if it was found out; may be nil
}

// The columns that have a role without being named.
const (
	targetColumn = "class"
	weightColumn = "weight"
	countColumn  = "count"
)

// ReadCSV reads the votes of any model, from text that may be compressed by gzip or zstd. The name is for
// messages. The file has a header. The column o.Target holds the true label (empty where unknown), and every
// column without another role is a class, named by its header, with the number of votes for it: whole numbers
// whose sum within a row is below 2^32. If any is not whole, all are scores, real numbers >= 0 such as
// probabilities, which are kept to nine digits of the largest sum of a row, see Table.Scores. Blanks around
// names, labels and numbers do not count.
//
// The classes are sorted, by value if all are whole numbers, so the order of the columns does not matter; there
// are at most 1000. Without a target column all labels are unknown, and without a weight column all
// rows count 1.
//
// Rows of equal votes and label may be merged into one line, with their number in the column "count" and the
// sum of their weights, if they have any: the result of SELECT class, ill, well, count(*) ... GROUP BY.
//
// The result has Source [External]. Trees is the largest sum of a row, in whole votes, and Share the share of
// each class in the case weights of the labelled rows, nil if there are none. Which of equally common classes
// wins ties follows from all rows, whatever their order, and not from names.
//
// Errors, of the types of package dataset: *UsageError if a column is absent or has two roles, or if o.Comma cannot
// separate cells; *ParseError with file, line and column for the first fault in the text, and with the lines of all
// other rows at fault; *LimitError; an error of r, wrapped.
func ReadCSV(r io.Reader, name string, o CSVOptions) (*Table, error) {
	if err := csvtext.CheckDecimal(name, o.Decimal); err != nil {
		return nil, err
	}
	in, err := csvtext.NewReader(r, name, o.Comma)
	if err != nil {
		return nil, err
	}
	if err := in.CheckSingle(""); err != nil {
		return nil, err
	}
	if o.Found != nil && in.Sniffed {
		o.Found(in.Comma)
	}
	f := &voteFile{in: in, mark: cmp.Or(o.Decimal, '.'), table: &Table{Source: External, Soft: o.Soft, Truth: []int{},
		Counts: []uint32{}}}
	if err := f.plan(o); err != nil {
		return nil, err
	}
	if err := in.Each(f.row); err != nil {
		return nil, err
	}
	return f.finish()
}

// Roles of the columns that are no class; a class column has the index of its class.
const (
	roleTarget = -1 - iota
	roleWeight
	roleAmount
	roleCount
	roleGroup
	roleSlice
	rolePassed
)

// voteFile is a file of votes while it is read.
type voteFile struct {
	in     *csvtext.Reader
	mark   byte  // the decimal mark
	role   []int // by column
	class  map[string]int
	table  *Table
	alike  map[string]int // class of each name as [spelling.Key] has it, -1 of several
	labels []string       // by class, a label that is written otherwise than its column, "" where
	exact  []bool         // one is not
	groups map[string]int
	scores []float64         // what the rows have for the classes, once one is no whole number
	values []map[string]bool // by column, what it holds where slices are of it
}

// plan finds the role of every column and the classes.
func (f *voteFile) plan(o CSVOptions) error {
	header := f.in.Header
	if o.Target == "" && slices.Contains(header, targetColumn) {
		o.Target = targetColumn
	}
	unnamed := func(column string, named ...string) bool {
		return slices.Contains(header, column) && !slices.Contains(o.Ignore, column) && !slices.Contains(named, column)
	}
	if o.Weight == "" && unnamed(weightColumn, o.ID, o.Target, o.Count, o.Amount, o.Group) {
		o.Weight = weightColumn
	}
	if o.Count == "" && unnamed(countColumn, o.ID, o.Target, o.Weight, o.Amount, o.Group) {
		o.Count = countColumn
	}
	var sliced []string
	for _, s := range o.Slices {
		sliced = append(sliced, s.Column)
	}
	ignored := slices.DeleteFunc(append([]string{o.ID}, o.Ignore...), func(column string) bool {
		return slices.Contains(sliced, column) && column != o.ID
	})
	f.table.Slices = o.Slices
	named := map[string]int{}
	for role, names := range [][]string{{o.Target}, {o.Weight}, {o.Amount}, {o.Count}, {o.Group}, sliced, ignored} {
		for _, name := range names {
			if err := f.assign(named, name, roleTarget-role); err != nil {
				return err
			}
		}
	}
	return f.classes(named)
}

// assign gives the column of that name a role; an empty name is no column.
func (f *voteFile) assign(named map[string]int, name string, role int) error {
	if name == "" {
		return nil
	}
	if !slices.Contains(f.in.Header, name) {
		return csvtext.Usagef("%s: %v%s", f.in.File, nearest.Unknown("column", name, f.in.Header), f.in.Hint())
	}
	if was, ok := named[name]; ok && was != role {
		return csvtext.Usagef("%s: column %s is given two roles; name it once, as target, weight, amount, count, group, id "+
			"or ignored", f.in.File, english.Quote(name))
	}
	named[name] = role
	return nil
}

// classes makes a class of every column that has no other role.
func (f *voteFile) classes(named map[string]int) error {
	for _, name := range f.in.Header {
		if _, ok := named[name]; !ok {
			f.table.Classes = append(f.table.Classes, name)
		}
	}
	switch k := len(f.table.Classes); {
	case k > csvtext.MaxClasses:
		return csvtext.Limitf("%s: %d columns of votes, where %d classes are the most; it looks like a table of something "+
			"else: give one column of votes for each class, or have the others ignored", f.in.Place(0), k, csvtext.MaxClasses)
	case k < 2:
		return f.in.RowFaultf("%s of votes; give at least two, one for each class, with the name of the class as header%s",
			english.Plural(k, "column"), f.in.Hint())
	}
	slices.SortFunc(f.table.Classes, csvtext.Order(f.table.Classes))
	f.class = make(map[string]int, len(f.table.Classes))
	for c, name := range f.table.Classes {
		f.class[name] = c
	}
	f.alike, f.labels = make(map[string]int, len(f.class)), make([]string, len(f.class))
	f.exact = make([]bool, len(f.class))
	for c, name := range f.table.Classes {
		key := spelling.Key(name)
		if _, twice := f.alike[key]; twice {
			c = -1
		}
		f.alike[key] = c
	}
	f.role = make([]int, len(f.in.Header))
	for j, name := range f.in.Header {
		role, ok := named[name]
		if !ok {
			role = f.class[name]
		}
		f.role[j] = role
		switch role {
		case roleWeight:
			f.table.Weight = []float64{}
		case roleAmount:
			f.table.Amount = []float64{}
		case roleCount:
			f.table.Times = []int{}
		case roleGroup:
			f.table.Group, f.groups = []int{}, map[string]int{}
		case roleSlice:
			f.table.In, f.values = []uint64{}, make([]map[string]bool, len(f.in.Header))
		}
	}
	return nil
}

// row takes over one line of the file.
func (f *voteFile) row(cells []string) error {
	t := f.table
	i := t.Rows()
	t.Truth = append(t.Truth, -1)
	t.Counts = append(t.Counts, make([]uint32, len(t.Classes))...)
	if t.Slices != nil {
		t.In = append(t.In, 0)
	}
	for j, cell := range cells {
		var err error
		switch role := f.role[j]; role {
		case rolePassed:
		case roleTarget:
			t.Truth[i], err = f.label(cell)
		case roleWeight:
			var w float64
			w, err = f.caseWeight(cell)
			t.Weight = append(t.Weight, w)
		case roleAmount:
			var v float64
			v, err = csvtext.Amount(cell, f.mark)
			t.Amount = append(t.Amount, v)
		case roleCount:
			var n int
			n, err = rowCount(cell)
			t.Times = append(t.Times, n)
		case roleSlice:
			t.In[i] |= f.slices(j, cell)
		case roleGroup:
			var g int
			g, err = f.group(cell)
			t.Group = append(t.Group, g)
		default:
			err = f.votes(i, role, cell)
		}
		if err != nil {
			return f.in.Faultf(j, "%w%s", err, csvtext.DecimalHint(cell, f.mark))
		}
	}
	if total := Total(t.Votes(i)); total > math.MaxUint32 {
		return f.in.RowFaultf("the row has %d votes in all; a row can have at most %d", total, uint32(math.MaxUint32))
	}
	return nil
}

func (f *voteFile) label(cell string) (int, error) {
	if cell = strings.TrimSpace(cell); cell == "" {
		return -1, nil
	}
	if c, ok := f.class[cell]; ok {
		f.labels[c], f.exact[c] = "", true
		return c, nil
	}
	c, ok := f.alike[spelling.Key(cell)]
	if !ok || c < 0 {
		return -1, f.unknown(cell)
	}
	if !f.exact[c] && f.labels[c] == "" {
		f.labels[c] = spelling.Clean(cell)
	}
	return c, nil
}

// group numbers the groups in the order of their coming.
func (f *voteFile) group(cell string) (int, error) {
	if cell = strings.TrimSpace(cell); cell == "" {
		return 0, errors.New("the row has no group; fill the cell, so that rows that belong together stay together")
	}
	g, known := f.groups[cell]
	if !known {
		g = len(f.groups)
		f.groups[strings.Clone(cell)] = g
	}
	return g, nil
}

func (f *voteFile) caseWeight(cell string) (float64, error) {
	w, err := csvtext.NumberMarked(cell, f.mark)
	if err == nil && w < 0 {
		err = fmt.Errorf("the case weight %v is negative; write 0 or more", w)
	}
	return w, err
}

// rowCount reads how many rows a line stands for.
func rowCount(cell string) (int, error) {
	cell = strings.TrimSpace(cell)
	n, err := strconv.ParseInt(cell, 10, 53)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is no number of rows; write how many rows the line stands for, 1 or more, or have the "+
			"column ignored if it is something else", csvtext.Show(cell))
	}
	return int(n), nil
}

// votes reads what row i has for a class: a number of votes or, from the first cell on that is no
// whole number, a score.
func (f *voteFile) votes(i, class int, cell string) error {
	cell = strings.TrimSpace(cell)
	at := i*len(f.table.Classes) + class
	if v, err := strconv.ParseUint(cell, 10, 32); err == nil && f.scores == nil {
		f.table.Counts[at] = uint32(v)
		return nil
	}
	v, form := csvtext.ParseMarked(cell, f.mark)
	switch {
	case cell == "":
		return errors.New("the number of votes is missing; write 0 where no tree voted for the class")
	case form == csvtext.Word:
		return fmt.Errorf("%s is not a number of votes or a score; correct it, or have the column ignored if it is not a "+
			"class", csvtext.Show(cell))
	case v < 0:
		return fmt.Errorf("%s is negative; a number of votes is 0 or more, and so is a score: give probabilities, or "+
			"exp(x) in the place of log odds x", english.Quote(cell))
	case math.IsInf(v, 1):
		return fmt.Errorf("%s is not finite", english.Quote(cell))
	}
	if f.scores == nil {
		for _, n := range f.table.Counts {
			f.scores = append(f.scores, float64(n))
		}
	}
	f.scores = append(f.scores, make([]float64, len(f.table.Counts)-len(f.scores))...)
	f.scores[at] = v
	return nil
}

// fromScores makes counts of scores, see [rowkind.Counts]. Whole numbers, however they are written, are votes.
func (f *voteFile) fromScores() error {
	t := f.table
	f.scores = append(f.scores, make([]float64, len(t.Counts)-len(f.scores))...)
	var err error
	if t.Counts, t.Scores, err = rowkind.Counts(f.scores, len(t.Classes)); err != nil {
		return f.in.FileFaultf("", "%w", err)
	}
	return nil
}

// finish derives what the rows do not say one by one.
func (f *voteFile) finish() (*Table, error) {
	t := f.table
	if t.Rows() == 0 {
		return nil, f.in.FileFaultf("", "no rows; add at least one below the first line")
	}
	if f.scores != nil {
		if err := f.fromScores(); err != nil {
			return nil, err
		}
	}
	f.rename()
	if err := cmp.Or(f.checkSlices(), f.noClass()); err != nil {
		return nil, err
	}
	if t.Times != nil && t.Weight == nil {
		for _, n := range t.Times {
			t.Weight = append(t.Weight, float64(n))
		}
	}
	sums, all := make([]float64, len(t.Classes)), 0.0
	known := false
	for i, c := range t.Truth {
		if !t.Scores {
			t.Trees = max(t.Trees, int(math.Ceil(float64(Total(t.Votes(i)))/t.Unit())))
		}
		if c >= 0 {
			known = true
			sums[c] += t.WeightOf(i)
			all += t.WeightOf(i)
		}
	}
	if known && all == 0 {
		return nil, f.in.FileFaultf("", "the case weights of all labelled rows are 0; give at least one row a weight")
	}
	if err := t.Check(); err != nil {
		return nil, f.in.FileFaultf("", "%w", err)
	}
	if known {
		t.Share = sums
		for c := range sums {
			t.Share[c] /= all
		}
	}
	t.settleTies()
	return t, nil
}

// WriteCSV writes t in the form that [ReadCSV] reads: the true label in a column named target ("" means "class"),
// then the votes for each class, then, if t has case weights, a column "weight" and, if its rows stand for
// several, a column "count". Share, Source and Trees are not written, nor whether votes are scores or soft: such
// counts are written as the whole numbers that they are. Soft votes, thousandths of a vote, are to be read with
// CSVOptions.Soft. (Without it they are as good to tune on, but seem to be many more votes.)
//
// Errors: those of [Table.Check]; a class whose name cannot be a header, because it is empty, the name of another
// column, "weight" or "count", or would not be read back the same; an error of w.
func WriteCSV(w io.Writer, t *Table, target string) error {
	if err := t.Check(); err != nil {
		return err
	}
	if target == "" {
		target = targetColumn
	}
	header := slices.Concat([]string{target}, t.Classes, []string{weightColumn, countColumn})
	if err := csvtext.CheckHeader(header); err != nil {
		return fmt.Errorf("votes cannot be written: %w", err)
	}
	weights := t.Weight != nil && !t.onlyCounts()
	header = header[:len(header)-2]
	if weights {
		header = append(header, weightColumn)
	}
	if t.Times != nil {
		header = append(header, countColumn)
	}
	out := csv.NewWriter(w)
	out.Write(header) //nolint:errcheck // kept by out until Flush
	cells := make([]string, 0, len(header))
	for i, truth := range t.Truth {
		label := ""
		if truth >= 0 {
			label = t.Classes[truth]
		}
		cells = append(cells[:0], label)
		for _, v := range t.Votes(i) {
			cells = append(cells, strconv.FormatUint(uint64(v), 10))
		}
		if weights {
			cells = append(cells, string(csvtext.AppendNumber(nil, t.Weight[i])))
		}
		if t.Times != nil {
			cells = append(cells, strconv.Itoa(t.Times[i]))
		}
		out.Write(cells) //nolint:errcheck // kept by out until Flush
	}
	out.Flush()
	return out.Error()
}

// onlyCounts tells whether the weights are those of rows that weigh 1 each.
func (t *Table) onlyCounts() bool {
	for i, w := range t.Weight {
		if t.Times == nil || w != float64(t.Times[i]) {
			return false
		}
	}
	return true
}
