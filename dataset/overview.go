package dataset

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// Overview describes a table before anything is trained on it. [inspectCSV] makes one of a file,
// [Frame.Overview] of rows in memory.
type Overview struct {
	Rows       int    // number of rows, without those that [Options].DropUnlabelled leaves out
	Target     string // column of labels; "" for none
	Unlabelled int    // how many of Rows have no label
	Classes    []ClassRows
	First      []int     // by class: its first row, see [Frame.FirstRows]
	Columns    []Profile // the features, in the order of the file
	Candidates []string  // without Target: columns that may hold the labels, the likeliest first

	// Repeated counts the rows whose features equal those of an earlier row, names of rows aside. Contradicting
	// counts the rows for which at least as many rows with the same features are of another class. Cells of
	// columns at fault are compared as text.
	Repeated, Contradicting int

	Findings []Finding // what to look at, the gravest first
	// Time is the value for [Options].Time under which the rows are in order, if that column is a time, or
	// which columns of year and month suggest; "" if there is none.
	Time string
}

// ClassRows is a label and its number of rows.
type ClassRows struct {
	Label string
	Rows  int
}

// Profile describes a column.
type Profile struct {
	Name    string
	Kind    Kind
	Fault   string // why the column cannot be read as it is, and how to mend it; "" if it can
	Missing int    // number of missing cells

	// Numbers and Texts count the other cells of a column at fault, of which Distinct and the following fields
	// are 0.
	Numbers, Texts int

	Distinct         int     // number of different values, or levels
	Min, Median, Max float64 // of a numeric column with values; the median is the lower one of two
	// at most five most frequent levels, or values of a numeric column with at most 20 different ones
	Top []Level
}

// Level is a level of a column, or a value as text, and its number of rows.
type Level struct {
	Text string
	Rows int
}

// Finding is something to look at before training.
type Finding struct {
	// fault, labels, answer, tells, gaps, names, dates, ordered, calendar, empty, constant, missing, codes, outlying,
	// digits, repeated, contradicting, file or unmet
	Sort    string
	Columns []string // the columns it is about
	Text    string   // one line: what, and how to mend it
	Flags   []string // options that mend it and do little harm if nothing is amiss, such as option Ignore "id"
	Choice  string   // what a person may choose to do about it, which is not part of Text; "" for nothing
}

// mostShown is how many levels a [Profile] lists, fewValues how many values a numeric column
// has at most for them to be listed, too.
const (
	mostShown = 5
	fewValues = 20
)

// Overview looks at every column of f. It takes O(rows × columns) time, and memory for one column at a time and
// 16 bytes a row. The frame must pass [Frame.Check].
func (f *Frame) Overview() *Overview { return f.overview(nil, true) }

// overview is Overview; the rows are also compared by columns that cannot be read as they are, and not told by
// their numbers unless these are those of the file.
func (f *Frame) overview(unread []Column, numbered bool) *Overview {
	v := &Overview{Rows: f.Rows(), Target: f.Reading.Target, First: f.FirstRows()}
	v.Classes, v.Unlabelled = f.classRows()
	look := newLook(f, v.Classes)
	look.hashes = make([]uint64, f.Rows())
	for j := range f.Columns {
		v.Columns = append(v.Columns, look.column(&f.Columns[j]))
	}
	for j := range unread {
		look.unread(&unread[j])
	}
	v.Repeated, v.Contradicting = look.repeated()
	if !numbered {
		look.twins = nil
	}
	v.Findings = look.findings(v)
	if f.Truth == nil {
		v.Target, v.Candidates = "", candidates(v)
	}
	return v
}

// look is what is found out while the columns of a frame are looked at, one by one.
type look struct {
	frame  *Frame
	coder  Coder
	classW []float64 // of a row of each class: the classes that can be judged by weigh the same in all, and 1 together
	hashes []uint64  // of the rows
	found  map[string][]string
	own    []Finding // findings with a text of their own
	gaps   []gap     // the columns whose missing cells tell a class
	counts []int     // room for those of the cells of a column by code,
	next   []int     // for where each code goes on in the order of the codes,
	order  []int32   // and for that order
	twins  []twin    // the first rows that repeat an earlier one
	again  []int     // by class: the rows that do
}

// classRows returns the rows of each class, and how many rows have no label.
func (f *Frame) classRows() (classes []ClassRows, unlabelled int) {
	for _, label := range f.Classes {
		classes = append(classes, ClassRows{Label: label})
	}
	for _, c := range f.Truth {
		if c < 0 {
			unlabelled++
		} else {
			classes[c].Rows++
		}
	}
	return classes, unlabelled
}

func newLook(f *Frame, classes []ClassRows) *look {
	k := &look{frame: f, classW: make([]float64, len(classes)), again: make([]int, len(classes)),
		found: map[string][]string{}}
	judged := 0.0
	for _, c := range classes {
		if c.Rows >= fewestToTell {
			judged++
		}
	}
	for c, of := range classes {
		if of.Rows >= fewestToTell && judged > 1 {
			k.classW[c] = 1 / (judged * float64(of.Rows))
		}
	}
	return k
}

// column looks at one column.
func (k *look) column(c *Column) Profile {
	p, codes, counts := c.profile(&k.coder, k.counts)
	k.counts = counts
	k.judge(&p, c, codes, counts)
	return p
}

// profile tells of a column what is not at fault, its codes, and how many cells have each.
// The counts are in room, if they fit.
func (c *Column) profile(coder *Coder, room []int) (p Profile, codes *Codes, counts []int) {
	codes = coder.Code(c)
	p = Profile{Name: c.Name, Kind: c.Kind}
	counts = zeroed(room, codes.Distinct.Len()+len(c.Levels)+1)
	for i := range codes.length() {
		counts[codes.at(i)]++
	}
	p.Missing = counts[0]
	for _, n := range counts[1:] {
		if n > 0 { // a level of a part of the rows may not occur
			p.Distinct++
		}
	}
	text := func(i int) string { return c.Levels[i] }
	if c.Kind == Numeric {
		text = func(i int) string { return string(csvtext.AppendNumber(nil, codes.Distinct.At(i))) }
		p.spread(codes, counts)
	}
	if c.Kind == Categorical || p.Distinct <= fewValues {
		p.Top = top(counts[1:], text)
	}
	return p, codes, counts
}

// zeroed returns n zeros, in room if they fit.
func zeroed(room []int, n int) []int {
	if cap(room) < n {
		return make([]int, n)
	}
	room = room[:n]
	clear(room)
	return room
}

// spread sets the lowest, the middle and the highest value.
func (p *Profile) spread(codes *Codes, counts []int) {
	if p.Distinct == 0 {
		return
	}
	p.Min, p.Max = codes.Distinct.At(0), codes.Distinct.At(p.Distinct-1)
	p.Median = quantile(codes, counts, 0.5)
}

// quantile returns the least value with at least the given share of the cells up to it.
func quantile(codes *Codes, counts []int, share float64) float64 {
	known := codes.length() - counts[0]
	need, sum := int(math.Ceil(share*float64(known))), 0
	for i, n := range counts[1:] {
		if sum += n; sum >= max(need, 1) {
			return codes.Distinct.At(i)
		}
	}
	return math.NaN()
}

// top returns the most frequent of what is counted, of equals those that come first.
func top(counts []int, text func(int) string) []Level {
	order := make([]int, 0, mostShown+1)
	for i, n := range counts {
		if n == 0 || len(order) == mostShown && counts[order[mostShown-1]] >= n {
			continue
		}
		at := sort.Search(len(order), func(o int) bool { return counts[order[o]] < n })
		order = slices.Insert(order, at, i)[:min(len(order)+1, mostShown)]
	}
	levels := make([]Level, len(order))
	for o, i := range order {
		levels[o] = Level{text(i), counts[i]}
	}
	return levels
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// repeated counts the rows that have the features of an earlier one, and those that are equal to
// as many of another class, or more. Rows are told by a hash of 64 bits.
func (k *look) repeated() (repeated, contradicting int) {
	type row struct {
		hash      uint64
		class, at int32
	}
	rows := make([]row, len(k.hashes))
	for i, h := range k.hashes {
		rows[i] = row{hash: h, at: int32(i)}
		if k.frame.Truth != nil {
			rows[i].class = int32(k.frame.Truth[i])
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.class, b.class), cmp.Compare(a.at, b.at))
	})
	for from := 0; from < len(rows); {
		to, first, most := from, from, 0
		for to < len(rows) && rows[to].hash == rows[from].hash {
			if rows[to].class != rows[first].class {
				first = to
			}
			to++
			most = max(most, to-first)
		}
		earliest := slices.MinFunc(rows[from:to], func(a, b row) int { return cmp.Compare(a.at, b.at) }).at
		for _, r := range rows[from:to] {
			if r.at != earliest {
				k.repeats(twin{int(r.at), int(earliest)})
				if k.frame.Truth != nil && r.class >= 0 {
					k.again[r.class]++
				}
			}
		}
		repeated += to - from - 1
		contradicting += to - from - most
		from = to
	}
	return repeated, contradicting
}

// twin is a row and the earlier one that it repeats, counted from 0.
type twin struct{ row, of int }

// mostTwins is how many rows are named that repeat others.
const mostTwins = 3

// repeats keeps the first rows that repeat earlier ones.
func (k *look) repeats(t twin) {
	at, _ := slices.BinarySearchFunc(k.twins, t, func(a, b twin) int { return cmp.Compare(a.row, b.row) })
	if at < mostTwins {
		k.twins = slices.Insert(k.twins, at, t)[:min(len(k.twins)+1, mostTwins)]
	}
}

// usualTargets are names that columns of labels often have.
var usualTargets = []string{"class", "label", "target", "y", "outcome", "diagnosis", "fraud", "is_fraud", "isfraud",
	"churn", "default", "status", "result", "response", "failure"}

// candidates returns up to three columns that may hold the labels: of few values and few missing
// cells, by their name, or by two values at the end.
func candidates(v *Overview) []string {
	var named, last []string
	for j, p := range v.Columns {
		if p.Fault != "" || p.Distinct < 2 || p.Distinct > fewValues || 10*p.Missing > v.Rows || 2*p.Distinct > v.Rows {
			continue
		}
		switch end := j == len(v.Columns)-1; {
		case slices.Contains(usualTargets, strings.ToLower(p.Name)) && end:
			named = slices.Insert(named, 0, p.Name)
		case slices.Contains(usualTargets, strings.ToLower(p.Name)):
			named = append(named, p.Name)
		case end && p.Distinct == 2:
			last = []string{p.Name}
		}
	}
	list := slices.Concat(named, last)
	return list[:min(len(list), 3)]
}
