package cli

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/table"
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
	in, err := p.Open(c.Context, path)
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
	p.Found(s, in.Name)
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
// wanted, see [Recall].
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
	r.Left = Recall(c, &o, was, columns, wanted...)
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

// Found says what was found out about how a file is written.
func (p *Program) Found(s dataset.Source, name string) {
	var layout csvtext.Layout
	if csv, is := s.(interface{ Layout() csvtext.Layout }); is {
		layout = csv.Layout()
	}
	p.Separated(name)(layout.Comma)
	if layout.RowNames {
		p.Say("%s: the first column, which has no name, is left out: R and pandas write the names of rows there.", name)
	}
	if n := layout.Unnamed; n > 0 {
		p.Say("%s: %s without a name at the right end %s left out as empty.", name, english.Plural(n, "column"),
			english.Verb(n, "is", "are"))
	}
}

// Separated returns what says which mark was found to separate the cells of a file, unless it is the usual one.
func (p *Program) Separated(name string) func(mark rune) {
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

// FormOf returns the form of a table as it is asked for or as the name of the file tells it, and
// "" where neither does.
func FormOf(asked, path string) (string, error) {
	if asked != "" && asked != "auto" {
		if !slices.Contains(table.TableForms, asked) {
			return "", Usagef("--input-format %s; choose %s", english.Quote(asked), strings.Join(table.TableForms, ", "))
		}
		return asked, nil
	}
	name := strings.ToLower(path)
	for _, packed := range []string{".gz", ".gzip", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".csv":
		return table.CSVTable, nil
	case ".tsv", ".tab":
		return table.TsvTable, nil
	case ".arff":
		return table.ArffTable, nil
	case ".svm", ".libsvm", ".svmlight":
		return table.LibsvmTable, nil
	case ".parquet", ".pq":
		return table.ParquetTable, nil
	}
	return "", nil
}
