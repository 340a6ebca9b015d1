package main

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

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// source is an opened input and the name it has in messages.
type source struct {
	io.Reader
	io.Closer
	name string
}

// open opens a file, or stdin for "-". Reading ends when ctx does; of a large file it is shown how far
// it is.
func (p *program) open(ctx context.Context, path string) (*source, error) {
	if path == "-" {
		return &source{&patient{ctx: ctx, r: p.stdin}, io.NopCloser(nil), called(path)}, nil
	}
	in, err := openFile(ctx, path)
	if size := sizeOf(path); err == nil && size > 0 {
		in.Reader = p.watched(in.Reader, path, size)
	}
	return in, err
}

// openFile opens a file. Opening, which for a pipe without a writer may take for ever, and
// reading end when ctx does.
func openFile(ctx context.Context, path string) (*source, error) {
	if path == "" {
		return nil, usagef("the name of a file is empty; write it")
	}
	f, err := await(ctx, func() (*os.File, error) { return os.Open(path) })
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
	return &source{&patient{ctx: ctx, r: r}, f, path}, nil
}

// noRows says that a table has none.
func noRows(name string) error {
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

// modelOrigin says which file a model is from.
type modelOrigin struct {
	File   string `json:"file"`   // its name, without the folder
	SHA256 string `json:"sha256"` // of its bytes, as sha256sum prints it
}

// load reads a model file.
func load(ctx context.Context, path string) (m *rfpragma.Model, from modelOrigin, err error) {
	if path == "-" {
		return nil, from, usagef("a model is a file, and stdin is for rows; write the name of the file instead of -")
	}
	in, err := openFile(ctx, path)
	if err != nil {
		return nil, from, err
	}
	defer in.Close()
	sum := sha256.New()
	if m, err = rfpragma.ReadModel(io.TeeReader(in, sum)); err != nil {
		return nil, from, fmt.Errorf("%s: %w", path, err)
	}
	return m, modelOrigin{filepath.Base(path), hex.EncodeToString(sum.Sum(nil))}, nil
}

// loadFirst reads the model that is the first of the arguments.
func loadFirst(c *cli.Context, args []string) (*rfpragma.Model, modelOrigin, error) {
	m, from, err := load(c.Context, args[0])
	if err != nil {
		err = cmp.Or(swapped(c, args, rfpragma.Magic, "the model"), err)
	}
	return m, from, err
}

// swapped is the error for two arguments of which the second is what should be the first, by how the file begins. It is nil where it is not.
func swapped(c *cli.Context, args []string, start, what string) error {
	if info, err := os.Stat(args[len(args)-1]); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if is, err := startsWith(c.Context, args[len(args)-1], start); err != nil || !is || len(args) != 2 {
		return nil
	}
	return usagef("%.256s is %s, and stands second: the files are swapped; write rfpragma %s %s %s", args[1], what, c.Command.Name, quoted(args[1]), quoted(args[0]))
}

// await returns what work does, or the cause of the end of ctx if that comes first. The work
// then goes on, and nobody looks at it any more: it is for what cannot be stopped, in a
// process that is about to end.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx) // and nothing is begun that nobody waits for
	}
	done := make(chan outcome, 1)
	go func() {
		var got outcome
		got.err = parallel.Safely(func() (err error) {
			got.value, err = work()
			return err
		})
		done <- got
	}()
	select {
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case got := <-done:
		return got.value, got.err
	}
}

// called is the name of an input in messages and results.
func called(path string) string {
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
	n, err := await(p.ctx, func() (int, error) { return p.r.Read(own) })
	return copy(b, own[:n]), err
}

// readLabelled reads a labelled table for training. Its warnings are for the caller to tell once the flags that need the classes are read, as a mistake there
// comes first; the questions of --ask are answered knowing them.
func (p *program) readLabelled(c *cli.Context, path string) (*dataset.Frame, error) {
	o, err := p.options(c)
	if err != nil {
		return nil, err
	}
	if o.Target == "" {
		return nil, usagef("--target is empty; name the column of the labels")
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
		p.warn(frame.Warnings)
		frame.Warnings = nil
	}
	if text := timedText(frame); text != "" {
		p.say("%s", text)
	}
	return frame, nil
}

// dataInfo describes a frame in JSON.
type dataInfo struct {
	Name       string        `json:"name"`       // of the file
	Rows       int           `json:"rows"`       // those of the classes, those without a label, and those of unknown classes
	Features   int           `json:"features"`   // columns to learn from, of votes 0
	Classes    []classInfo   `json:"classes"`    // in the order of every confusion matrix
	Unlabelled int           `json:"unlabelled"` // rows without a label, which are not judged
	Unknown    []unknownInfo `json:"unknown"`    // classes that the model does not know, whose rows are not judged
}

type classInfo struct {
	Label  string  `json:"class"`  // name of the class
	Rows   int     `json:"rows"`   // number of its rows
	Weight float64 `json:"weight"` // summed case weights

	Labels []labelInfo `json:"labels,omitempty"` // those of the file that were merged into the class
}

func describe(name string, f *dataset.Frame) dataInfo {
	d := dataInfo{Name: name, Rows: f.Rows(), Features: len(f.Columns), Classes: make([]classInfo, len(f.Classes)), Unknown: unknownClasses(f)}
	for c, w := range f.ClassWeights() {
		d.Classes[c] = classInfo{Label: f.Classes[c], Weight: w, Labels: mergedLabels(f, f.Classes[c])}
	}
	for i, c := range f.Truth {
		switch {
		case c >= 0:
			d.Classes[c].Rows++
		case f.UnknownLabels == nil || f.UnknownLabels[i] == "":
			d.Unlabelled++
		}
	}
	return d
}
