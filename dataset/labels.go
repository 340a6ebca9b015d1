package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// A numeric target with more distinct values than this is a quantity, not a class; so is one with decimals and more
// than [fewValues] values, more than one for two rows.
const maxNumericClasses = 100

// labels collects the label column of training rows.
type labels struct {
	index
	brief   bool     // an outline: no row is kept
	codes   []uint16 // of each row, by first appearance
	rows    []int    // by label
	numbers []int    // the same, of the rows of a part
	firsts  []first  // of a part: where each label stands first
	words   bool     // some label is not a number
	trimmed int
	skipped csvtext.Places // rows without a label, or with one that is left out
	left    map[string]int // these, by label
}

// skip leaves out a row without a label, or with one that is left out.
func (l *labels) skip(at Pos, m *missing, label string) {
	l.skipped.Note(at)
	if m.leavesOut(label) {
		if l.left == nil {
			l.left = map[string]int{}
		}
		l.left[strings.Clone(label)]++
	}
}

// leftOutText says how many rows are left out, and as what.
func (l *labels) leftOutText() string {
	var parts []string
	blank := l.skipped.Count
	for _, label := range slices.Sorted(maps.Keys(l.left)) {
		parts = append(parts, fmt.Sprintf("%s of %s", english.Plural(l.left[label], "row"), english.Quote(label)))
		blank -= l.left[label]
	}
	switch {
	case parts == nil:
		return english.Plural(blank, "row") + " without a label left out"
	case blank > 0:
		parts = append(parts, english.Plural(blank, "row")+" without a label")
	}
	return strings.Join(parts, ", ") + " left out, as you asked"
}

func (l *labels) unlabelled() error {
	if left := slices.Sorted(maps.Keys(l.left)); left != nil &&
		sum(slices.Collect(maps.Values(l.left))) == l.skipped.Count {
		return fmt.Errorf(option.Text("%s of %s (%v), which {missing} is to leave out; add {drop-unlabelled}"),
			english.Plural(l.skipped.Count, "row"), nearest.List(left), &l.skipped)
	}
	cure := english.Verb(l.skipped.Count,
		option.Text("give it one, or leave it out with {drop-unlabelled} if it is empty or a total"),
		option.Text("fill them, or leave such rows out with {drop-unlabelled}"))
	return fmt.Errorf("%s without a label (%v); %s", english.Plural(l.skipped.Count, "row"), &l.skipped, cure)
}

// clear empties l, which keeps its memory.
func (l *labels) clear() {
	l.index.clear()
	l.skipped.Clear()
	*l = labels{index: l.index, numbers: l.numbers[:0], firsts: l.firsts[:0], skipped: l.skipped}
}

// add adds the label of a row to those of a part.
func (l *labels) add(t *table, at int, label string, trimmed bool, row int) error {
	if len(label) > maxName {
		return csvtext.Limitf("%s: a label has more than %d bytes; shorten it", t.place(at), maxName)
	}
	if trimmed {
		l.trimmed++
	}
	n, isNew := l.index.add(label)
	if isNew {
		l.firsts = append(l.firsts, first{row, t.Pos(at)})
	}
	l.numbers = append(l.numbers, n)
	return nil
}

// take adds a single label, a part of its own.
func (l *labels) take(t *table, at int, label string, trimmed bool) error {
	var one labels
	if err := one.add(t, at, label, trimmed, 0); err != nil {
		return err
	}
	return l.merge(&one, t, t.header[at]).err
}

// merge adds the labels of a part.
func (l *labels) merge(p *labels, t *table, column string) clash {
	code := make([]uint16, len(p.names))
	for i, label := range p.names {
		if l.full(label) {
			at := p.firsts[i]
			if !l.words {
				return clash{at.row, l.quantity(t, column, "more than "+strconv.Itoa(maxLevels))}
			}
			return clash{at.row, tooMany(at.pos.In(t.file), column, fmt.Sprintf("more than %d classes", maxLevels))}
		}
		code[i] = uint16(l.keep(label))
		if len(l.names) > len(l.rows) {
			l.rows = append(l.rows, 0)
			if !l.words {
				l.words = !csvtext.LooksNumeric(label) || strings.ContainsAny(label, "xX") // a code
			}
		}
	}
	for _, n := range p.numbers {
		l.rows[code[n]]++
		if !l.brief {
			l.codes = append(l.codes, code[n])
		}
	}
	l.trimmed += p.trimmed
	l.skipped.Merge(&p.skipped)
	for label, n := range p.left {
		if l.left == nil {
			l.left = map[string]int{}
		}
		l.left[label] += n
	}
	return clash{}
}

func tooMany(place, column, classes string) error {
	return csvtext.Limitf("%s: column %s has %s, where %d are the most; it looks like a column that names the rows: "+
		"choose another with {target}, or keep one class with {positive} and merge the others",
		place, english.Quote(column), classes, maxClasses)
}

func (l *labels) quantity(t *table, column, distinct string) error {
	return t.fileFaultf(column, "%s different numbers look like a number to predict, not like classes; make a few "+
		"classes of them, or choose another column with {target}", distinct)
}

// labelled returns the number of rows that have a label.
func (l *labels) labelled() int {
	n := 0
	for _, rows := range l.rows {
		n += rows
	}
	return n
}

// classes returns the sorted class names and the class of each label.
func (l *labels) classes(t *table, o *Options) ([]string, []int, error) {
	joined, of, err := l.join(t, o)
	if err != nil {
		return nil, nil, err
	}
	names, class, err := l.decide(joined, t, o)
	if err != nil {
		return nil, nil, err
	}
	for label, number := range of {
		of[label] = class[number]
	}
	return names, of, nil
}

// join returns what the labels are called once some are merged, and for each label the number of
// its name.
func (l *labels) join(t *table, o *Options) (*index, []int, error) {
	into, err := o.merged(t.file)
	if err != nil {
		return nil, nil, err
	}
	names := spelling.Merge(l.names, l.rows)
	for _, label := range slices.Sorted(maps.Keys(into)) {
		if !slices.Contains(names, label) {
			return nil, nil, l.unknown(&l.index, t, o.Target, label, "merge-labels")
		}
	}
	joined, of := &index{}, make([]int, len(l.names))
	for i, label := range names {
		if name, merged := into[label]; merged {
			label = name
		}
		of[i], _ = joined.add(label)
	}
	return joined, of, nil
}

// unknown says that no row has a label that a flag names.
func (l *labels) unknown(x *index, t *table, column, label, flag string) error {
	known, _ := x.sorted(strings.Compare)
	if into, of, parts := strings.Cut(label, "="); parts && flag == "merge-labels" {
		return csvtext.Usagef("%s: column %s has no class %s; if that is another class, repeat the flag: %s", t.file,
			english.Quote(column), english.Quote(label), csvtext.Flag(flag, into+"="+of, "CLASS=LABELS"))
	}
	return csvtext.Usagef("%s: column %s has no class %s (%s); correct %s", t.file, english.Quote(column),
		english.Quote(label), nearest.Suggest(label, known), named(flag))
}

func decimals(number string) bool { return strings.ContainsAny(number, ".,") }

// decide returns the sorted class names, and the class of each name.
func (l *labels) decide(x *index, t *table, o *Options) ([]string, []int, error) {
	code, found := x.of[o.Positive]
	switch n := len(x.names); {
	case o.Positive != "" && !found:
		return nil, nil, l.unknown(x, t, o.Target, o.Positive, "positive")
	case o.Positive == "" && !l.words && (n > maxNumericClasses || n > fewValues && 2*n > l.labelled() &&
		slices.ContainsFunc(x.names, decimals)):
		return nil, nil, l.quantity(t, o.Target, strconv.Itoa(n))
	case n == 1:
		return nil, nil, t.fileFaultf(o.Target, "every row is of class %s (%s); a forest needs rows of at least two classes",
			english.Quote(x.names[0]), english.Plural(l.labelled(), "row"))
	case o.Positive == "" && n > maxClasses:
		return nil, nil, tooMany(t.file, o.Target, fmt.Sprintf("%d classes", n))
	case o.Positive == "":
		names, rank := x.sorted(csvtext.Order(x.names))
		return names, rank, nil
	}
	names, class := against(code, x.names)
	return names, class, nil
}

// against returns the classes that remain where one of the labels is kept and all others are merged, and the class
// of each label.
func against(label int, labels []string) (classes []string, class []int) {
	classes = []string{labels[label], csvtext.RestOf(labels[label])}
	slices.Sort(classes)
	positive := slices.Index(classes, labels[label])
	class = slices.Repeat([]int{1 - positive}, len(labels))
	class[label] = positive
	return classes, class
}

// OneVsRest returns f with that class kept and all others merged into one, as [Options].Positive does, see
// [RestOf]. All else is shared with f.
func (f *Frame) OneVsRest(class int) *Frame {
	merged := *f
	classes, of := against(class, f.Classes)
	merged.Classes, merged.Truth, merged.Reading.Positive = classes, slices.Clone(f.Truth), f.Classes[class]
	for i, c := range f.Truth {
		if c >= 0 {
			merged.Truth[i] = of[c]
		}
	}
	return &merged
}

// truth returns the class of each row, given that of each label.
func (l *labels) truth(class []int) []int {
	truth := make([]int, len(l.codes))
	for i, c := range l.codes {
		truth[i] = class[c]
	}
	return truth
}

// merged returns the label of each row that is now of a class of another name by [Options.Merge], nil where nothing
// is merged; given are the classes, and that of each label.
func (l *labels) merged(classes []string, class []int, t *table, o *Options) ([]string, error) {
	into, err := o.merged(t.file)
	if len(into) == 0 || err != nil {
		return nil, err
	}
	was := make([]string, len(l.names))
	for i, label := range spelling.Merge(l.names, l.rows) {
		if to := into[label]; to != label && to == classes[class[i]] {
			was[i] = label
		}
	}
	labels := make([]string, len(l.codes))
	for i, code := range l.codes {
		labels[i] = was[code]
	}
	return labels, nil
}

// sorted returns the names in order, and for each number of x its place in that order.
func (x *index) sorted(compare func(a, b string) int) (names []string, rank []int) {
	order := make([]int, len(x.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compare(x.names[a], x.names[b]) })
	names, rank = make([]string, len(order)), make([]int, len(order))
	for place, i := range order {
		names[place], rank[i] = x.names[i], place
	}
	return names, rank
}
