package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/download"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/table"
)

// OpenInput opens a file, or stdin for "-". Reading ends when ctx does; of a large file it is shown how far
// it is.
func (p *Program) OpenInput(ctx context.Context, path string) (*table.Source, error) {
	if path == "-" {
		return &table.Source{Reader: &patient{ctx: ctx, r: p.Stdin}, Closer: io.NopCloser(nil), Name: InputName(path)}, nil
	}
	in, err := OpenFile(ctx, path)
	if size := sizeOf(path); err == nil && size > 0 {
		in.Reader = p.watched(in.Reader, path, size)
	}
	return in, err
}

// OpenFile opens a file. Opening, which for a pipe without a writer may take for ever, and
// reading end when ctx does.
func OpenFile(ctx context.Context, path string) (*table.Source, error) {
	if path == "" {
		return nil, Usagef("the name of a file is empty; write it")
	}
	f, err := table.Await(ctx, func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, fileHint(err, path))
	}
	r := &unchanged{f: f}
	if r.was, err = f.Stat(); err == nil && r.was.IsDir() {
		err = isFolder(path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &table.Source{Reader: &patient{ctx: ctx, r: r}, Closer: f, Name: path}, nil
}

// isFolder returns the error for a folder in the place of a file.
func isFolder(path string) error {
	return &fs.PathError{Op: "read", Path: path, Err: errors.New("this is a folder; name a file in it")}
}

// unchanged reads a file that must stay as it is meanwhile: what is read of one that is still
// being written may end in the middle of a number.
type unchanged struct {
	f   *os.File
	was fs.FileInfo
}

var errChanged = errors.New("it changed while it was read; read it again when it is complete")

// Read implements [io.Reader].
func (u *unchanged) Read(b []byte) (int, error) {
	n, err := u.f.Read(b)
	if err == io.EOF && u.was.Mode().IsRegular() {
		if now, failed := u.f.Stat(); failed == nil && (now.Size() != u.was.Size() || !now.ModTime().Equal(u.was.ModTime())) {
			return n, errChanged
		}
	}
	return n, err
}

// InputName is the name of an input in messages and results.
func InputName(path string) string {
	if path == "-" {
		return "stdin"
	}
	return path
}

// patient waits for r, but no longer than ctx lasts: a terminal or a pipe may never say
// another word.
type patient struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader].
func (p *patient) Read(b []byte) (int, error) {
	own := make([]byte, min(len(b), 1<<16)) // b belongs to the caller again once we return
	n, err := table.Await(p.ctx, func() (int, error) { return p.r.Read(own) })
	return copy(b, own[:n]), err
}

// fileHint says what an address is to be made of, which file of the folder was probably meant where there is none of
// that name, else in which folder it was looked for.
func fileHint(err error, path string) string {
	if !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if strings.Contains(path, "://") {
		return " (an address is not read: download it first, or pipe it in, with - in its place)"
	}
	folder, name := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf(" (there is no folder %.256q)", folder)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	if near := nearest.Of(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %.256q?)", folder+near)
	}
	whole, err := filepath.Abs(folder)
	if err != nil || filepath.IsAbs(path) {
		return ""
	}
	return fmt.Sprintf(" (looked in %.256s)", whole)
}

// isThere tells whether there is a file of that name.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Findable refuses a file that is not there, without opening it: it may be a pipe, which is read once.
func Findable(flag, path string) error {
	if path == "" {
		return Usagef("--%s is empty; name the file", flag)
	}
	info, err := os.Stat(path)
	var fault *fs.PathError
	switch {
	case errors.As(err, &fault):
		fault.Op = "open"
	case info.IsDir():
		err = isFolder(path)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w%s", flag, err, fileHint(err, path))
	}
	return nil
}

// StartsWith reports whether a file begins with a text.
func StartsWith(ctx context.Context, path, text string) (bool, error) {
	f, err := OpenFile(ctx, path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	b := make([]byte, len(text))
	if _, err := io.ReadFull(f, b); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return string(b) == text, nil
}

// largeFile is how many bytes a file has of which it is shown how far it is read.
const largeFile = 100_000_000

// sizeOf returns the bytes of a large file, and 0 for all else.
func sizeOf(path string) int64 {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() >= largeFile {
		return info.Size()
	}
	return 0
}

// watched returns r, which reads a file of so many bytes, and shows how far it is.
func (p *Program) watched(r io.Reader, name string, size int64) io.Reader {
	g, done := p.Progress("MB of "+layout.Printable(name)), int64(0)
	return download.Counting(r, func(n int) {
		if done += int64(n); done >= size {
			g.End()
			return
		}
		g.Show(int(done/1_000_000), int(size/1_000_000))
	})
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
