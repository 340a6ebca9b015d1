package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
)

// readTable reads a whole table.
func (p *Program) readTable(c *urfave.Context, path string, o dataset.Options) (*dataset.Frame, error) {
	t, err := p.OpenTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return dataset.Read(t.Source, o)
}

// OpenTable opens a table in any form. Where no flag names the column of labels it is the one
// called class, in any case.
func (p *Program) OpenTable(c *urfave.Context, path string, o *dataset.Options) (*table.Opened, error) {
	in, err := p.OpenInput(c.Context, path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	o.Endless = err != nil || !info.Mode().IsRegular() // and a fault is told all the same
	return p.OpenIn(c, in, o)
}

// OpenIn opens the table in a file, see OpenTable.
func (p *Program) OpenIn(c *urfave.Context, in *table.Source, o *dataset.Options) (*table.Opened, error) {
	var err error
	if o.Workers, err = p.Threads(c); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	s, err := TableIn(c, in, o)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	p.SayLayout(s, in.Name)
	if o.Schema != nil {
		if err := checkMissing(c, s); err != nil {
			return nil, errors.Join(err, in.Close())
		}
	}
	return &table.Opened{Closer: in, Source: s}, nil
}

// Rows are those of a table whose columns are known, block by block.
type Rows struct {
	*dataset.Reader
	*table.Opened
	O        dataset.Options // how they are read
	Left     []string        // columns that are left out as a model knows what they were in training
	Progress *Progress       // nil where it is shown how far the file is read
	Done     int
}

// OpenRows opens a table with o, which has a schema, and what a model knows of other columns, of which some are
// wanted, see [RecallColumns].
func (p *Program) OpenRows(c *urfave.Context, path string, o dataset.Options, was dataset.Reading, wanted ...string) (
	*Rows, error) {
	in, err := p.OpenTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	r := &Rows{Opened: in}
	columns := in.Source.Columns()
	if o.Amount != "" && !c.IsSet("amount") && !slices.Contains(columns, o.Amount) { // a flag that nobody has typed
		err := Usagef("%s: there is no column %s, and the model decides by the amount there (%s)",
			in.Source.Name(), english.Quote(o.Amount), nearest.Suggest(o.Amount, columns))
		return nil, errors.Join(err, in.Close())
	}
	r.Left = RecallColumns(c, &o, was, columns, wanted...)
	r.O = o
	if r.Reader, err = dataset.NewSourceReader(in.Source, o); err != nil {
		return nil, errors.Join(DataFault(c, err), in.Close())
	}
	if sizeOf(path) == 0 {
		r.Progress = p.Progress("rows")
	}
	return r, nil
}

// EachBlock hands on all blocks, and shows how many rows there have been.
func (r *Rows) EachBlock(do func(*dataset.Frame) error) error {
	defer r.Progress.End()
	return r.Each(func(f *dataset.Frame) error {
		err := do(f)
		if err == nil {
			r.Add(f.Rows())
		}
		return err
	})
}

// Add counts rows that are done, and shows how many.
func (r *Rows) Add(n int) {
	if r.Done += n; r.Progress != nil {
		r.Progress.Show(r.Done, 0)
	}
}

// checkMissing checks the words that the flag --missing names, beside which a model may know others.
func checkMissing(c *urfave.Context, s dataset.Source) error {
	words, err := missingWords(c.StringSlice("missing"))
	if err != nil {
		return err
	}
	return dataset.CheckMissing(s.Name(), words, s.Columns())
}

// SayLayout says what was found out about how a file is written.
func (p *Program) SayLayout(s dataset.Source, name string) {
	var layout csvtext.Layout
	if csv, is := s.(interface{ Layout() csvtext.Layout }); is {
		layout = csv.Layout()
	}
	p.SaySeparator(name)(layout.Comma)
	if layout.RowNames {
		p.Say("%s: the first column, which has no name, is left out: R and pandas write the names of rows there.", name)
	}
	if n := layout.Unnamed; n > 0 {
		p.Say("%s: %s without a name at the right end %s left out as empty.", name, english.Plural(n, "column"),
			english.Verb(n, "is", "are"))
	}
}

// SaySeparator returns what says which mark was found to separate the cells of a file, unless it is the usual one.
func (p *Program) SaySeparator(name string) func(mark rune) {
	return func(mark rune) {
		if mark != 0 && mark != ',' {
			p.Say("%s: the cells are separated by %s, as found in the first lines; if they are not, use --sep.", name,
				csvtext.Mark(mark))
		}
	}
}

// TableIn opens the table in a file.
func TableIn(c *urfave.Context, in *table.Source, o *dataset.Options) (dataset.Source, error) {
	b := bufio.NewReaderSize(in.Reader, table.HeadBytes)
	in.Reader = b
	if err := NoTable(c, b, in.Name); err != nil {
		return nil, err
	}
	form, err := FormOf(c.String("input-format"), in.Name)
	if err != nil {
		return nil, err
	}
	s, err := table.SourceIn(c.Context, in, form, o)
	if err == nil && o.Target == "class" && o.Schema == nil && !c.IsSet("target") {
		o.Target = table.LikeClass(s.Columns())
	}
	return s, err
}

// NoTable refuses what stands in the place of a table and is a file that we wrote ourselves.
func NoTable(c *urfave.Context, b *bufio.Reader, name string) error {
	start, _ := b.Peek(len(KindVotes)) // what is wrong with the file is said by those who read it
	what := map[string]string{rfpragma.Magic: "a model", KindTrees: "the trees of a part",
		KindVotes: "a file of votes"}[string(start)]
	if what == "" {
		return nil
	}
	return Usagef("%s: this is %s and no table of rows; %s takes %s", name, what, c.Command.Name, c.Command.ArgsUsage)
}

// NoRows says that a table has none.
func NoRows(name string) error {
	return fmt.Errorf("%s: there are no rows, only the names of columns; look whether this is the right file", name)
}

// ReadLabelled reads a labelled table for training. Its warnings are for the caller to tell once the flags that need
// the classes are read, as a mistake there comes first; the questions of --ask are answered knowing them.
func (p *Program) ReadLabelled(c *urfave.Context, path string) (*dataset.Frame, error) {
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
	}
	if o.Target == "" {
		return nil, Usagef("--target is empty; name the column of the labels")
	}
	frame, err := p.readTable(c, path, o)
	if err != nil {
		return nil, NamingBy(c, err)
	}
	if c.Bool("withhold") {
		for i, w := range frame.Warnings {
			frame.Warnings[i] = unadvised(w)
		}
	}
	if c.Bool("ask") {
		p.Warn(frame.Warnings)
		frame.Warnings = nil
	}
	if text := timedText(frame); text != "" {
		p.Say("%s", text)
	}
	return frame, nil
}

// Renamable adds to the refusal of rows most of which are of classes that the model does not know how to judge them
// where these are its own by other names, if the verb can.
func Renamable(c *urfave.Context, f *dataset.Frame, refused error) error {
	_, unknown := view.LeftOut(view.UnknownClasses(f))
	if refused == nil || view.RowsOf(unknown) <= f.Labelled().Rows() || FlagNamed(c.Command.Flags, "merge-labels") == nil {
		return refused
	}
	return fmt.Errorf("%w; %s", refused, Renamed(unknown))
}

// RecallColumns has o take the columns that a model knows from its training file, beside labels and features, where
// a table has them and no flag says otherwise: those of the wanted flags are read as in training, the others left
// out without a word. It returns the latter. Labels are left out if none are read.
func RecallColumns(c *urfave.Context, o *dataset.Options, was dataset.Reading, columns []string, wanted ...string) (
	left []string) {
	type role struct {
		flag, column string
		to           *string
	}
	roles := []role{{"id", was.ID, &o.ID}, {"weight", was.Weight, &o.Weight}, {"group", was.Group, &o.Group}}
	unwanted := func(r role) bool { return !slices.Contains(wanted, r.flag) }
	// first what is wanted: the column may be left out otherwise, as that of --id is of --group
	roles = append(slices.DeleteFunc(slices.Clone(roles), unwanted), roles...)
	if o.Target == "" {
		roles = append(roles, role{"target", was.Target, &o.Target})
	}
	for _, column := range slices.Concat(was.TimeColumns(), was.Ignore) {
		roles = append(roles, role{"ignore", column, nil})
	}
	for _, known := range roles {
		named := append([]string{"", o.Target, o.ID, o.Weight, o.Group}, o.Ignore...)
		switch {
		case slices.Contains(named, known.column) || !slices.Contains(columns, known.column):
		case slices.Contains(wanted, known.flag) && !c.IsSet(known.flag):
			*known.to = known.column
		default:
			left = append(left, known.column)
			o.Ignore = append(o.Ignore, known.column)
		}
	}
	return left
}

// DataFault returns err as a fault of the data where it is one of a column that no flag names, but what the model
// knows.
func DataFault(c *urfave.Context, err error) error {
	var named *dataset.UsageError
	if !errors.As(err, &named) || c.IsSet("per") || c.IsSet("by") || slices.ContainsFunc(DataFlags(),
		func(f urfave.Flag) bool { return c.IsSet(f.Names()[0]) }) {
		return err
	}
	return errors.New(named.Text)
}

// NamingBy returns an error of a column of --by, which is read as that of --per is, under the name that was typed.
func NamingBy(c *urfave.Context, err error) error {
	var named *dataset.UsageError
	if !errors.As(err, &named) {
		return err
	}
	switch {
	case c.IsSet("by"):
		return Usagef("%s", strings.ReplaceAll(named.Text, "--per", "--by"))
	case c.Command.Name == "monitor":
		return Usagef("%s", strings.ReplaceAll(named.Text, "--per", "--time"))
	}
	return err
}

// Ungrouped says that rows are taken as single ones where those of the training were not, if that was not asked for.
func Ungrouped(c *urfave.Context, m *rfpragma.Model, rows *dataset.Frame, name string) []error {
	column := m.Provenance.Reading.Group
	if column == "" || rows.Group != nil || c.IsSet("group") {
		return nil
	}
	return []error{fmt.Errorf("%s: there is no column %s, which told in training what rows belong together; the ranges "+
		"take each row as one of its own, "+
		"and are too narrow where several are of one; name the column with --group", name, english.Quote(column))}
}

// Renamed says what to do where classes that the model does not know are its own by other names.
func Renamed(unknown []view.UnknownInfo) string {
	label := unknown[0].Label
	return fmt.Sprintf("where %s is a class of the model by another name, add %s", english.Quote(label),
		csvtext.MergeFlag("CLASS", []string{label}))
}

// unadvised leaves out of a warning of missing cells the advice to withhold the decision, for who does.
func unadvised(warning error) error {
	var gaps *dataset.GapsWarning
	if errors.As(warning, &gaps) {
		return errors.New(strings.TrimSuffix(warning.Error(), gaps.Advice))
	}
	return warning
}
