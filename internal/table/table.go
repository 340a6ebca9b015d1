package table

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/dataset/parquet"
	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// The forms of a table, as --input-format names them.
const (
	CSVTable     = "csv"
	TsvTable     = "tsv"
	ArffTable    = "arff"
	LibsvmTable  = "libsvm"
	ParquetTable = "parquet"
)

// TableForms are all of them.
var TableForms = []string{CSVTable, TsvTable, ArffTable, LibsvmTable, ParquetTable}

// Opened is an opened table.
type Opened struct {
	io.Closer
	Source dataset.Source
}

// HeadBytes is how much of a file is looked at to tell what it is.
const HeadBytes = 1 << 16

// SourceIn opens the table in a file, in a form, or in that of its first bytes for "".
func SourceIn(ctx context.Context, in *Source, form string, o *dataset.Options) (dataset.Source, error) {
	if form == "" {
		b := bufio.NewReaderSize(in.Reader, HeadBytes)
		in.Reader, form = b, formByContent(b)
	}
	switch form {
	case ArffTable:
		return dataset.ARFF(in, in.Name)
	case LibsvmTable:
		return dataset.LibSVM(in, in.Name, o.Schema, o.Memory)
	case ParquetTable:
		r, size, err := in.whole(ctx)
		if err != nil {
			return nil, err
		}
		return parquet.Open(r, size, in.Name)
	case TsvTable:
		if o.Comma == 0 {
			o.Comma = '\t'
		}
	}
	return dataset.CSV(in, in.Name, *o)
}

// formByContent returns the form of a table by its first bytes, which stay in b. What is none of
// the others is CSV.
func formByContent(b *bufio.Reader) string {
	_, _ = b.Peek(16) // what is wrong with the file is said by those who read it
	head, _ := b.Peek(b.Buffered())
	head = bytes.TrimPrefix(unpackedHead(head), []byte("\ufeff"))
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")), bytes.HasPrefix(head, []byte("PARE")):
		return ParquetTable
	case arffHead.Match(head):
		return ArffTable
	case libsvmHead.Match(head):
		return LibsvmTable
	}
	return CSVTable
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

// LikeClass returns the one column called class but for the case, else class itself.
func LikeClass(columns []string) string {
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
func (s *Source) whole(ctx context.Context) (io.ReaderAt, int64, error) {
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
		return nil, 0, csvtext.Unread(s.Name, err)
	}
	if len(b) > mostSpooled {
		return nil, 0, &dataset.LimitError{Text: fmt.Sprintf(
			"%s: Parquet is read from its end, and more than %d MB of a stream are not kept; write it to a file and name that",
			s.Name, mostSpooled>>20)}
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
	n, err := Await(p.ctx, func() (int, error) { return p.r.ReadAt(own, at) })
	return copy(b, own[:n]), err
}
