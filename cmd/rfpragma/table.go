package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/dataset/parquet"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// The forms of a table, as --input-format names them.
const (
	csvTable     = "csv"
	tsvTable     = "tsv"
	arffTable    = "arff"
	libsvmTable  = "libsvm"
	parquetTable = "parquet"
)

var tableForms = []string{csvTable, tsvTable, arffTable, libsvmTable, parquetTable}

// opened is an opened table.
type opened struct {
	io.Closer
	source dataset.Source
}

// readTable reads a whole table.
func (p *program) readTable(c *cli.Context, path string, o dataset.Options) (*dataset.Frame, error) {
	t, err := p.openTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return dataset.Read(t.source, o)
}

// openTable opens a table in any form. Where no flag names the column of labels it is the one
// called class, in any case.
func (p *program) openTable(c *cli.Context, path string, o *dataset.Options) (*opened, error) {
	in, err := p.open(c.Context, path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	o.Endless = err != nil || !info.Mode().IsRegular() // and a fault is told all the same
	return p.openIn(c, in, o)
}

// openIn opens the table in a file, see openTable.
func (p *program) openIn(c *cli.Context, in *source, o *dataset.Options) (*opened, error) {
	var err error
	if o.Workers, err = p.threads(c); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	s, err := tableIn(c, in, o)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	p.found(s, in.name)
	if o.Schema != nil {
		if err := checkMissing(c, s); err != nil {
			return nil, errors.Join(err, in.Close())
		}
	}
	return &opened{in, s}, nil
}

// rows are those of a table whose columns are known, block by block.
type rows struct {
	*dataset.Reader
	*opened
	o        dataset.Options // how they are read
	left     []string        // columns that are left out as a model knows what they were in training
	progress *progress       // nil where it is shown how far the file is read
	done     int
}

// openRows opens a table with o, which has a schema, and what a model knows of other columns, of which some are wanted, see [recall].
func (p *program) openRows(c *cli.Context, path string, o dataset.Options, was dataset.Reading, wanted ...string) (*rows, error) {
	in, err := p.openTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	r := &rows{opened: in}
	columns := in.source.Columns()
	if o.Amount != "" && !c.IsSet("amount") && !slices.Contains(columns, o.Amount) { // a flag that nobody has typed
		err := usagef("%s: there is no column %s, and the model decides by the amount there (%s)",
			in.source.Name(), english.Quote(o.Amount), nearest.Suggest(o.Amount, columns))
		return nil, errors.Join(err, in.Close())
	}
	r.left = recall(c, &o, was, columns, wanted...)
	r.o = o
	if r.Reader, err = dataset.NewSourceReader(in.source, o); err != nil {
		return nil, errors.Join(dataFault(c, err), in.Close())
	}
	if sizeOf(path) == 0 {
		r.progress = p.progress("rows")
	}
	return r, nil
}

// each hands on all blocks, and shows how many rows there have been.
func (r *rows) each(do func(*dataset.Frame) error) error {
	defer r.progress.end()
	return r.Each(func(f *dataset.Frame) error {
		err := do(f)
		if err == nil {
			r.add(f.Rows())
		}
		return err
	})
}

// add counts rows that are done, and shows how many.
func (r *rows) add(n int) {
	if r.done += n; r.progress != nil {
		r.progress.show(r.done, 0)
	}
}

// checkMissing checks the words that the flag --missing names, beside which a model may know others.
func checkMissing(c *cli.Context, s dataset.Source) error {
	words, err := missingWords(c.StringSlice("missing"))
	if err != nil {
		return err
	}
	return dataset.CheckMissing(s.Name(), words, s.Columns())
}

// found says what was found out about how a file is written.
func (p *program) found(s dataset.Source, name string) {
	var layout csvtext.Layout
	if csv, is := s.(interface{ Layout() csvtext.Layout }); is {
		layout = csv.Layout()
	}
	p.separated(name)(layout.Comma)
	if layout.RowNames {
		p.say("%s: the first column, which has no name, is left out: R and pandas write the names of rows there.", name)
	}
	if n := layout.Unnamed; n > 0 {
		p.say("%s: %s without a name at the right end %s left out as empty.", name, english.Plural(n, "column"), english.Verb(n, "is", "are"))
	}
}

// separated returns what says which mark was found to separate the cells of a file, unless it is the usual one.
func (p *program) separated(name string) func(mark rune) {
	return func(mark rune) {
		if mark != 0 && mark != ',' {
			p.say("%s: the cells are separated by %s, as found in the first lines; if they are not, use --sep.", name, csvtext.Mark(mark))
		}
	}
}

// tableIn opens the table in a file.
func tableIn(c *cli.Context, in *source, o *dataset.Options) (dataset.Source, error) {
	b := bufio.NewReaderSize(in.Reader, headBytes)
	in.Reader = b
	if err := noTable(c, b, in.name); err != nil {
		return nil, err
	}
	s, err := sourceIn(c.Context, in, c.String("input-format"), o)
	if err == nil && o.Target == "class" && o.Schema == nil && !c.IsSet("target") {
		o.Target = likeClass(s.Columns())
	}
	return s, err
}

// headBytes is how much of a file is looked at to tell what it is.
const headBytes = 1 << 16

// noTable refuses what stands in the place of a table and is a file that we wrote ourselves.
func noTable(c *cli.Context, b *bufio.Reader, name string) error {
	start, _ := b.Peek(len(kindVotes)) // what is wrong with the file is said by those who read it
	what := map[string]string{rfpragma.Magic: "a model", kindTrees: "the trees of a part", kindVotes: "a file of votes"}[string(start)]
	if what == "" {
		return nil
	}
	return usagef("%s: this is %s and no table of rows; %s takes %s", name, what, c.Command.Name, c.Command.ArgsUsage)
}

// sourceIn opens the table in a file, in the form that is asked for, if any.
func sourceIn(ctx context.Context, in *source, asked string, o *dataset.Options) (dataset.Source, error) {
	form, err := formOf(asked, in.name)
	if err != nil {
		return nil, err
	}
	if form == "" {
		b := bufio.NewReaderSize(in.Reader, headBytes)
		in.Reader, form = b, formByContent(b)
	}
	switch form {
	case arffTable:
		return dataset.ARFF(in, in.name)
	case libsvmTable:
		return dataset.LibSVM(in, in.name, o.Schema, o.Memory)
	case parquetTable:
		r, size, err := in.whole(ctx)
		if err != nil {
			return nil, err
		}
		return parquet.Open(r, size, in.name)
	case tsvTable:
		if o.Comma == 0 {
			o.Comma = '\t'
		}
	}
	return dataset.CSV(in, in.name, *o)
}

// formOf returns the form of a table as it is asked for or as the name of the file tells it, and
// "" where neither does.
func formOf(asked, path string) (string, error) {
	if asked != "" && asked != "auto" {
		if !slices.Contains(tableForms, asked) {
			return "", usagef("--input-format %s; choose %s", english.Quote(asked), strings.Join(tableForms, ", "))
		}
		return asked, nil
	}
	name := strings.ToLower(path)
	for _, packed := range []string{".gz", ".gzip", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".csv":
		return csvTable, nil
	case ".tsv", ".tab":
		return tsvTable, nil
	case ".arff":
		return arffTable, nil
	case ".svm", ".libsvm", ".svmlight":
		return libsvmTable, nil
	case ".parquet", ".pq":
		return parquetTable, nil
	}
	return "", nil
}

// formByContent returns the form of a table by its first bytes, which stay in b. What is none of
// the others is CSV.
func formByContent(b *bufio.Reader) string {
	_, _ = b.Peek(16) // what is wrong with the file is said by those who read it
	head, _ := b.Peek(b.Buffered())
	head = bytes.TrimPrefix(unpackedHead(head), []byte("\ufeff"))
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")), bytes.HasPrefix(head, []byte("PARE")):
		return parquetTable
	case arffHead.Match(head):
		return arffTable
	case libsvmHead.Match(head):
		return libsvmTable
	}
	return csvTable
}

var (
	// Comments and blank lines, then a keyword.
	arffHead = regexp.MustCompile(`^(?i:[ \t]*(%[^\n]*)?\r?\n)*[ \t]*@(?i:relation|attribute)[ \t]`)
	// A label, then index:value.
	libsvmHead = regexp.MustCompile(`^([ \t]*(#[^\n]*)?\r?\n)*[ \t]*[-+.0-9eE]+[ \t]+[0-9]+:[-+.0-9eE]+\s`)
)

// unpackedHead undoes the compression of the first bytes of a file, as far as they go.
func unpackedHead(head []byte) []byte {
	var r io.Reader
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return nil
		}
		r = z
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(bytes.NewReader(head), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<27))
		if err != nil {
			return nil
		}
		defer z.Close()
		r = z
	default:
		return head
	}
	plain := make([]byte, 4096)
	n, _ := io.ReadFull(r, plain) // cut short by design
	return plain[:n]
}

// likeClass returns the one column called class but for the case, else class itself.
func likeClass(columns []string) string {
	if slices.Contains(columns, "class") {
		return "class"
	}
	like := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return !strings.EqualFold(name, "class") })
	if len(like) == 1 {
		return like[0]
	}
	return "class"
}

// mostSpooled is how many bytes of a Parquet file that is no file on disk are kept in memory.
const mostSpooled = 1 << 30

// whole returns the input for reading at any place. What is no file on disk goes into memory.
func (s *source) whole(ctx context.Context) (io.ReaderAt, int64, error) {
	if f, ok := s.Closer.(*os.File); ok {
		info, err := f.Stat()
		if err != nil {
			return nil, 0, err
		}
		if info.Mode().IsRegular() {
			return &patientAt{ctx, f}, info.Size(), nil
		}
	}
	b, err := io.ReadAll(io.LimitReader(s.Reader, mostSpooled+1))
	if err != nil {
		return nil, 0, csvtext.Unread(s.name, err)
	}
	if len(b) > mostSpooled {
		return nil, 0, &dataset.LimitError{Text: fmt.Sprintf("%s: Parquet is read from its end, and more than %d MB of a stream are not kept; write it to a file and name that", s.name, mostSpooled>>20)}
	}
	return bytes.NewReader(b), int64(len(b)), nil
}

// patientAt waits for r, but no longer than ctx lasts.
type patientAt struct {
	ctx context.Context
	r   io.ReaderAt
}

// ReadAt implements [io.ReaderAt].
func (p *patientAt) ReadAt(b []byte, at int64) (int, error) {
	own := make([]byte, len(b)) // b belongs to the caller again once we return
	n, err := await(p.ctx, func() (int, error) { return p.r.ReadAt(own, at) })
	return copy(b, own[:n]), err
}
