package dataset

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// Reader reads rows for a model whose schema is known, block by block, in memory that does not grow with the
// file (except for a Group column, whose names it must remember).
//
// Columns are matched by name, in any order. A column whose name differs only in letter case, blanks, hyphens
// and underscores is used with a warning, unless several could be meant. Extra columns are ignored with a
// warning. A cell of a categorical column is compared as text with the levels of the schema; if it is not among
// them it is taken as missing and counted in [Frame].Unseen. A cell of a numeric column that is not a number is
// an error, which reports all such cells, and so is a row that cannot be read. Every row of the file becomes a
// row of a frame.
//
// With Options.Target the rows carry labels: Truth is an index into Options.Classes, or -1 if the cell is empty
// or holds a label that is not among them or was left out by Options.Missing, which is then in [Frame].Strange;
// all are counted in warnings. With
// Options.Positive every other label means the class into which the rest was merged, see [RestOf]; with
// Options.Merge a merged label means the class that it was merged into.
type Reader struct {
	t       *table
	l       layout
	o       Options
	missing missing
	levels  []map[string]int // by field of the schema; nil for a numeric one
	spelt   []spellings      // the same, however they are written
	labels  spellings        // of the classes
	classes map[string]int
	merged  map[string]string // the labels that are of a class of another name, by themselves
	alike   map[string]int    // class of a label in whatever letter case and with whatever blanks, see plainly
	rest    int               // class of every label that is not in classes; -1 for none
	groups  index
	tally   tally  // of the rows so far
	sample  sample // of them
	faulty  atomic.Bool
	err     error
}

// tally counts what is doubtful about rows.
type tally struct {
	unseen                []sightings // by field of the schema, as the next five
	mixtures              []mixture
	beyond                []beyond
	met                   []int       // cells of categories that the model knows
	words                 []sightings // of a column without a value in training, which decides nothing
	tiny, rounded         []int
	rows                  int
	blank, totals         blanks
	unlabelled, strangers int // rows without a label, and with one the model does not know
	left                  int // and with one that was left out
	strange, leftOut      []string
	classes               []likeness // by class of the model
}

// likeness counts the rows of a class, and those whose label is that of the class but for letter case and
// blanks, of which one is kept.
type likeness struct {
	rows, alike int
	label       string
}

func newTally(o *Options) tally {
	p := len(o.Schema)
	n := tally{unseen: make([]sightings, p), met: make([]int, p), words: make([]sightings, p),
		mixtures: make([]mixture, p), beyond: make([]beyond, p),
		tiny: make([]int, p), rounded: make([]int, p), classes: make([]likeness, len(o.Classes))}
	for j, field := range o.Schema {
		n.mixtures[j].name = field.Name
	}
	return n
}

// merge adds what was counted in the rows of a block, and sets that back to nothing.
func (n *tally) merge(block *tally) {
	for j := range n.unseen {
		n.unseen[j].merge(&block.unseen[j])
		block.unseen[j].clear()
		n.mixtures[j].merge(&block.mixtures[j])
		block.mixtures[j].clear()
		n.beyond[j].merge(block.beyond[j])
		n.met[j] += block.met[j]
		n.words[j].merge(&block.words[j])
		block.words[j].clear()
		n.tiny[j] += block.tiny[j]
		n.rounded[j] += block.rounded[j]
	}
	n.rows += block.rows
	n.blank.merge(block.blank)
	n.totals.merge(block.totals)
	n.unlabelled += block.unlabelled
	n.strangers += block.strangers
	n.left += block.left
	for _, label := range block.strange {
		noteFirst(&n.strange, label)
	}
	for _, label := range block.leftOut {
		noteFirst(&n.leftOut, label)
	}
	for c, b := range block.classes {
		l := &n.classes[c]
		l.rows, l.alike, l.label = l.rows+b.rows, l.alike+b.alike, cmp.Or(l.label, b.label)
	}
	clear(block.classes)
	clear(block.beyond)
	clear(block.met)
	clear(block.tiny)
	clear(block.rounded)
	block.blank, block.totals = blanks{}, blanks{}
	block.rows, block.unlabelled, block.strangers, block.left, block.strange, block.leftOut = 0, 0, 0, 0, nil, nil
}

// noteFirst keeps the first five labels of a kind.
func noteFirst(labels *[]string, label string) {
	if len(*labels) < 5 && !slices.Contains(*labels, label) {
		*labels = append(*labels, label)
	}
}

// NewReader reads the first line of a file and matches it with o.Schema, which must not be empty. The name is
// for messages. Errors: as for [ReadCSV].
func NewReader(r io.Reader, name string, o Options) (*Reader, error) {
	rd, err := newReader(name, o)
	if err != nil {
		return nil, err
	}
	s, err := openCSV(r, name, &o)
	if err != nil {
		return nil, err
	}
	return rd.start(s)
}

// NewSourceReader matches the columns of a table with o.Schema, as [NewReader] matches those of a file.
func NewSourceReader(s Source, o Options) (*Reader, error) {
	rd, err := newReader(s.Name(), o)
	if err != nil {
		return nil, err
	}
	return rd.start(s)
}

// newReader checks what can be without a look at the table of that name.
func newReader(name string, o Options) (*Reader, error) {
	if len(o.Schema) == 0 {
		return nil, csvtext.Usagef("%s: the schema has no columns; take it from a model, or train one", name)
	}
	rd := &Reader{o: o.cleaned(), rest: -1}
	if err := rd.knowClasses(name); err != nil {
		return nil, err
	}
	return rd, nil
}

// start finds the columns of the schema and returns rd, ready to read.
func (rd *Reader) start(s Source) (*Reader, error) {
	o := &rd.o
	rd.t = newTable(s)
	var err error
	if rd.l, err = arrange(rd.t, o); err != nil {
		return nil, err
	}
	if err := rd.t.use(&rd.l); err != nil {
		return nil, err
	}
	names := make([]string, len(o.Schema))
	for j, field := range o.Schema {
		names[j] = field.Name
	}
	rd.missing = newMissing(rd.l.missingWords(o.Missing), names, o.Target)
	rd.levels = o.Schema.numbered()
	rd.spelt = make([]spellings, len(o.Schema))
	for j, field := range o.Schema {
		rd.spelt[j] = newSpellings(field.Levels)
	}
	rd.tally = newTally(o)
	return rd, nil
}

func (rd *Reader) knowClasses(name string) error {
	o := &rd.o
	if o.Target == "" {
		return nil
	}
	if len(o.Classes) == 0 {
		return csvtext.Usagef("%s: labels are read as the classes of a model, and there are none; set Classes beside Schema",
			name)
	}
	class := make(map[string]int, len(o.Classes))
	for c, name := range o.Classes {
		class[name] = c
	}
	if o.Positive != "" {
		positive, found := class[o.Positive]
		if !found || len(o.Classes) != 2 {
			return csvtext.Usagef("%s: the model has the classes %s and not %s against the rest; correct {positive}", name,
				nearest.List(o.Classes), english.Quote(o.Positive))
		}
		class = map[string]int{o.Positive: positive}
		rd.rest = 1 - positive
	}
	into, err := o.merged(name)
	rd.classes, rd.merged = maps.Clone(class), map[string]string{}
	for label, name := range into {
		if c, found := class[name]; found {
			rd.classes[label] = c
			if label != name {
				rd.merged[label] = label
			}
		}
	}
	rd.labels = newSpellings(slices.Sorted(maps.Keys(rd.classes)))
	rd.alike = make(map[string]int, len(rd.classes))
	for label, c := range rd.classes {
		rd.alike[plainly(label)] = c
	}
	return err
}

// plainly returns a label without what is easily written otherwise: letter case, blanks, and the form of a number.
func plainly(label string) string {
	if v, form := csvtext.ParseNumber(label); form != csvtext.Word {
		label = string(csvtext.AppendNumber(nil, v))
	}
	return squeezed(label)
}

// Next returns the next rows, at most max (which is at least 1) of them, and [io.EOF] after the last one.
// Frames share nothing with each other and hold no warnings: [Reader.Warnings] returns those of the whole file.
// After an error Next returns that error again.
func (rd *Reader) Next(max int) (*Frame, error) {
	if max < 1 {
		return nil, csvtext.Usagef("%s: a block of %d rows; ask for at least 1", rd.t.file, max)
	}
	f, err := rd.read(max)
	if err == nil && f.Rows() == 0 {
		return nil, io.EOF
	}
	return f, err
}

// read returns the next rows, none at the end of the file.
func (rd *Reader) read(max int) (*Frame, error) {
	if rd.err != nil {
		return nil, rd.err
	}
	b := rd.newRows(rd.t)
	for n := 0; n < max && rd.err == nil; n++ {
		cells, err := rd.t.Next()
		if csvtext.Ended(err) {
			break
		}
		if err == nil {
			err = b.row(cells)
		}
		rd.err = err
	}
	b.finish()
	rd.groups = b.side.groups
	rd.merge(b)
	if rd.faulty.Load() {
		rd.err = rd.fault(true)
	}
	if rd.err != nil {
		return nil, rd.err
	}
	rd.look(&b.frame)
	return &b.frame, nil
}

// merge takes what was found out about the rows of a block.
func (rd *Reader) merge(b *known) {
	if b.faulty() {
		rd.faulty.Store(true)
	}
	rd.tally.merge(&b.tally)
}

// fault is the error for the rows and cells so far that are at fault. Cut says that there may be more rows, which
// were not read.
func (rd *Reader) fault(cut bool) error {
	if err := rd.t.faults.Err(); err != nil {
		return err
	}
	var found []columnFault
	for j := range rd.tally.mixtures {
		m := &rd.tally.mixtures[j]
		if m.texts.count == 0 {
			continue
		}
		n := m.numbers.count + m.texts.count
		total := english.Plural(n, "cell")
		if cut {
			total = "the first " + total
		}
		cure := m.cure(rd.o.Decimal)
		unit := rd.o.Schema[j].Unit
		if unit != "" {
			cure = m.unitCure(rd.o.Decimal)
		}
		found = append(found, columnFault{m.name, m.notNumbers(total, unitWords(unit)+", as the model needs") + "; " + cure,
			&m.texts})
	}
	return rd.t.columnsFault(found, listed)
}

// Warnings returns what is doubtful about the rows read so far, the gravest first: that most do not fit the
// model ([ErrMisfit]), columns that are not as in training ([ErrDrift]), extra columns ([ErrIgnored]), rows
// that cannot be judged, cells that were taken as missing, numbers that lost digits.
func (rd *Reader) Warnings() []error {
	found, drifted := rd.t.warnings(), []error(nil)
	warn := func(format string, args ...any) { found = append(found, warnf(rd.t.file, format, args...)) }
	if len(rd.l.extra) > 0 {
		warn("%s %w: %s", english.Plural(len(rd.l.extra), "column"), ErrIgnored, nearest.List(rd.l.extra))
	}
	if rd.l.taken != nil {
		warn("%s", rd.l.takenText())
	}
	n := &rd.tally
	if blank := rd.blank(); blank != "" && !n.allBlank() {
		warn("%s", blank)
	}
	if n.unlabelled > 0 && !n.mostUnlabelled(&rd.o) {
		warn("column %s: %s without a label cannot be judged", english.Quote(rd.o.Target), english.Plural(n.unlabelled,
			"row"))
	}
	if n.left > 0 {
		found = append(found, warning{warnf(rd.t.file, "column %s: %s", english.Quote(rd.o.Target), rd.leftText()),
			ErrClassLeftOut})
	}
	if n.strangers > 0 && !n.mostStrangers() {
		found = append(found, warning{warnf(rd.t.file, "column %s: %s", english.Quote(rd.o.Target), rd.strangeText()),
			ErrUnknownClass})
	}
	if text, misfit := rd.foreign(); text != "" && !misfit {
		drifted = append(drifted, warning{warnf(rd.t.file, "%s", text), ErrDrift})
	}
	if n.totals.count > 0 {
		warn("%s: a line that adds up others is no row; remove it", n.totals.have("an id such as lines of totals have"))
	}
	for j, field := range rd.o.Schema {
		if s := &rd.tally.unseen[j]; s.count > 0 && !n.foreign(j) {
			warn("column %s: %s: %s%s", english.Quote(field.Name), unseenText(s.count), s, field.meant(s))
		}
		if s := &rd.tally.words[j]; s.count > 0 {
			warn("column %s: %s taken as missing, as the column had no value in training and decides nothing: %s",
				english.Quote(field.Name), are(s.count, "word"), s)
		}
		if d := rd.drift(j); d != nil {
			drifted = append(drifted, warning{warnf(rd.t.file, "%w", d), ErrDrift})
		}
		if n := rd.tally.rounded[j]; n > 0 {
			warn("column %s: %s above 2^53 lost digits", english.Quote(field.Name), english.Plural(n, "whole number"))
		}
		if n := rd.tally.tiny[j]; n > 0 {
			warn("column %s: %s too close to 0 became 0", english.Quote(field.Name), english.Plural(n, "number"))
		}
	}
	return slices.Concat(rd.misfits(), drifted, found)
}

// look draws rows of a block to compare with those of training.
func (rd *Reader) look(block *Frame) {
	if block.hasBaselines() {
		rd.sample.add(block)
	}
}

// drift compares column j with what it was in training, unless it is said already that no category is one of those.
func (rd *Reader) drift(j int) *ColumnDrift {
	n, field := &rd.tally, &rd.o.Schema[j]
	if n.foreign(j) {
		return nil
	}
	return field.drift(&cells{rd.sample.values(j), n.beyond[j], n.beyond[j].values + n.met[j], n.unseen[j].count,
		n.rows - rd.blankRows()}, len(rd.o.Schema))
}

// misfits returns the warnings that most rows do not fit the model.
func (rd *Reader) misfits() (found []error) {
	warn := func(format string, args ...any) {
		found = append(found, warning{warnf(rd.t.file, format, args...), ErrMisfit})
	}
	n := &rd.tally
	for c, l := range n.classes {
		if l.rows == 0 && l.alike > 0 && !n.mostStrangers() {
			class := english.Quote(rd.o.Classes[c])
			warn("column %s: no row is of class %s, and %s labelled %s: write the class as the model does, %s",
				english.Quote(rd.o.Target), class, are(l.alike, "row"), english.Quote(l.label), class)
		}
	}
	if n.mostStrangers() {
		warn("column %s: %d of %s no class of the model, which has %s: such as %s%s; correct the labels, or name another "+
			"column with {target}",
			english.Quote(rd.o.Target), n.strangers, are(n.rows-n.unlabelled-n.left, "label"), nearest.List(rd.o.Classes),
			nearest.List(n.strange), rd.meant())
	}
	if n.mostUnlabelled(&rd.o) {
		warn("column %s: %d of %s without a label and cannot be judged; fill %s, or leave such rows out with "+
			"{drop-unlabelled}",
			english.Quote(rd.o.Target), n.unlabelled, are(n.rows, "row"), english.Verb(n.unlabelled, "it", "them"))
	}
	if blank := rd.blank(); blank != "" && n.allBlank() {
		warn("%s", blank)
	}
	if text, misfit := rd.foreign(); misfit && !n.allBlank() {
		warn("%s", text)
	}
	return found
}

// leftText says that there are rows of classes that were left out of the training.
func (rd *Reader) leftText() string {
	n := &rd.tally
	which := english.Verb(len(n.leftOut), "a class that was", "classes that were")
	return fmt.Sprintf("%s labelled %s, %s left out of training, and %s in no figure", are(n.left, "row"),
		nearest.List(n.leftOut), which, english.Verb(n.left, "is", "are"))
}

// strangeText says that there are rows of classes that the model does not know.
func (rd *Reader) strangeText() string {
	n := &rd.tally
	rows := english.Plural(n.strangers, "row")
	if len(n.strange) == 1 {
		return fmt.Sprintf("%s of class %s%s, which the model does not know, cannot be judged", rows,
			english.Quote(n.strange[0]), rd.meant())
	}
	return fmt.Sprintf("%s of classes that the model does not know, such as %s%s, cannot be judged", rows,
		nearest.List(n.strange), rd.meant())
}

// meant asks whether a label that the model does not know is one of its classes, written otherwise. A class of a
// like name is another one: primary and secondary, type1 and type2.
func (rd *Reader) meant() string {
	for _, label := range rd.tally.strange {
		c, alike := rd.alike[plainly(label)]
		switch {
		case alike && len(rd.tally.strange) == 1:
			return fmt.Sprintf(" (did you mean %s?)", english.Quote(rd.o.Classes[c]))
		case alike:
			return fmt.Sprintf(" (did you mean %s by %s?)", english.Quote(rd.o.Classes[c]), english.Quote(label))
		}
	}
	return ""
}

// meant asks whether a cell of a category unseen in training is one of the field, written otherwise.
func (f *Field) meant(unseen *sightings) string {
	levels := single(f.Levels)
	for _, p := range unseen.first {
		if level := levels[squeezed(p.cell)]; level != "" {
			return fmt.Sprintf(" (did you mean %s?)", english.Quote(level))
		}
	}
	return ""
}

// mostStrangers reports whether most labels are no class of the model.
func (n *tally) mostStrangers() bool { return 2*n.strangers > n.rows-n.unlabelled-n.left }

// mostUnlabelled reports whether most rows have no label, against expectation.
func (n *tally) mostUnlabelled(o *Options) bool {
	return 2*n.unlabelled > n.rows && !o.DropUnlabelled
}

// are returns "1 row is", "2 rows are".
func are(n int, noun string) string {
	return english.Plural(n, noun) + " " + english.Verb(n, "is", "are")
}

func unseenText(n int) string {
	return fmt.Sprintf("%s of %s unseen in training taken as missing", english.Plural(n, "cell"),
		english.Verb(n, "a category", "categories"))
}
