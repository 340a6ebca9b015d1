package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
)

// Open opens a file, or stdin for "-". Reading ends when ctx does; of a large file it is shown how far
// it is.
func (p *Program) Open(ctx context.Context, path string) (*table.Source, error) {
	if path == "-" {
		return &table.Source{Reader: &patient{ctx: ctx, r: p.Stdin}, Closer: io.NopCloser(nil), Name: Called(path)}, nil
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

// NoRows says that a table has none.
func NoRows(name string) error {
	return fmt.Errorf("%s: there are no rows, only the names of columns; look whether this is the right file", name)
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

// load reads a model file.
func load(ctx context.Context, path string) (m *rfpragma.Model, from view.ModelOrigin, err error) {
	if path == "-" {
		return nil, from, Usagef("a model is a file, and stdin is for rows; write the name of the file instead of -")
	}
	in, err := OpenFile(ctx, path)
	if err != nil {
		return nil, from, err
	}
	defer in.Close()
	sum := sha256.New()
	if m, err = rfpragma.ReadModel(io.TeeReader(in, sum)); err != nil {
		return nil, from, fmt.Errorf("%s: %w", path, err)
	}
	return m, view.ModelOrigin{File: filepath.Base(path), SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// LoadFirst reads the model that is the first of the arguments.
func LoadFirst(c *urfave.Context, args []string) (*rfpragma.Model, view.ModelOrigin, error) {
	m, from, err := load(c.Context, args[0])
	if err != nil {
		err = cmp.Or(Swapped(c, args, rfpragma.Magic, "the model"), err)
	}
	return m, from, err
}

// Swapped is the error for two arguments of which the second is what should be the first, by how the file begins. It
// is nil where it is not.
func Swapped(c *urfave.Context, args []string, start, what string) error {
	if info, err := os.Stat(args[len(args)-1]); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if is, err := StartsWith(c.Context, args[len(args)-1], start); err != nil || !is || len(args) != 2 {
		return nil
	}
	return Usagef("%.256s is %s, and stands second: the files are swapped; write rfpragma %s %s %s", args[1], what,
		c.Command.Name, csvtext.Quoted(args[1]), csvtext.Quoted(args[0]))
}

// Called is the name of an input in messages and results.
func Called(path string) string {
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

// ReadLabelled reads a labelled table for training. Its warnings are for the caller to tell once the flags that need
// the classes are read, as a mistake there comes first; the questions of --ask are answered knowing them.
func (p *Program) ReadLabelled(c *urfave.Context, path string) (*dataset.Frame, error) {
	o, err := p.Options(c)
	if err != nil {
		return nil, err
	}
	if o.Target == "" {
		return nil, Usagef("--target is empty; name the column of the labels")
	}
	frame, err := p.readTable(c, path, o)
	if err != nil {
		return nil, fmt.Errorf("%s%w", p.besides(c), err)
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
