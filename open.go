package rfpragma

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/sumfile"
)

// Mapped is a model whose trees stay in its file, as made by [Open]; the zero value is none. Any number of goroutines
// may share it. A row takes some times longer than by a [Model], and all else that a model can do takes one.
type Mapped struct {
	model *Model // without trees
	trees *forest.Mapped
	file  *sumfile.File
	path  string
}

// Open opens the named model file without reading its trees: for a program that answers few rows, the first at once.
// The file is mapped into memory where the system has that (Linux, macOS, BSD), and read elsewhere.
//
// The header is checked at once, and each node when a row comes to it. The checksum is compared meanwhile, which takes
// about a second for a gigabyte: once it does not fit, no row is decided any more. Until [Mapped.Verify] or
// [Mapped.Close] has returned no error, a damaged file may have decided wrongly. Nobody may write into the file as long
// as it is open; [Model.Save] does not, as it replaces files.
//
// Errors: those of [Load]; that the checksum does not fit may be told later.
func Open(path string) (*Mapped, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Mapped{path: path}
	size, err := modelSize(f)
	if err == nil {
		m.file, err = sumfile.Open(f, size)
	}
	if err != nil {
		return nil, errors.Join(m.told(err), f.Close())
	}
	if err := m.told(m.file.Read(m.find)); err != nil {
		return nil, errors.Join(err, m.told(m.file.Close()))
	}
	return m, nil
}

// modelSize returns the size of a file that begins as a model.
func modelSize(f *os.File) (int, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%w: this is no regular file; read it by ReadModel", ErrFormat)
	}
	start := make([]byte, min(info.Size(), int64(len(Magic))))
	if _, err := f.ReadAt(start, 0); err != nil {
		return 0, err
	}
	switch size := info.Size(); {
	case string(start) != Magic:
		return 0, fmt.Errorf("%w: %s; %s", ErrFormat, lookslike(start), modelFile.wanted())
	case size < int64(minModel) || size > maxModel || int64(int(size)) != size:
		return 0, fmt.Errorf("%w: it has %d bytes; %s", ErrFormat, size, modelFile.remedy())
	default:
		return int(size), nil
	}
}

// find reads all but the trees, and finds these.
func (m *Mapped) find(data []byte) error {
	var h header
	end := len(data) - sha256.Size
	in := &sumfile.Part{From: bytes.NewReader(data[len(Magic):]), Left: int64(end - len(Magic))}
	return modelFile.parts(in, &h, func(head []byte, _ io.Reader, size int64) error {
		schema, err := h.check()
		if err != nil {
			return fmt.Errorf("%w: header: %w", ErrFormat, err)
		}
		var about *forest.Forest
		if m.trees, about, err = forest.Map(data[end-int(size):end], schema, h.Classes, h.Share, h.Ties); err != nil {
			return err
		}
		if m.model, err = h.with(about, head); err == nil {
			m.model.index()
		}
		return err
	})
}

// told is an error of the file as users know it.
func (m *Mapped) told(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sumfile.ErrClosed):
		return fmt.Errorf("%w: %s is closed; open it again", ErrConfig, m.path)
	case errors.Is(err, forest.ErrFormat), errors.Is(err, sumfile.ErrGone), errors.Is(err, sumfile.ErrSum):
		err = fmt.Errorf("%w: %w; %s", ErrFormat, err, modelFile.remedy())
	}
	return fmt.Errorf("%s: %w", m.path, err)
}

// about is the model without trees, which the zero value has not.
func (m *Mapped) about() *Model { return cmp.Or(m.model, new(Model)) }

// Classes returns the k class names, as [Model.Classes] does.
func (m *Mapped) Classes() []string { return m.about().Classes() }

// Row returns the row for [Mapped.Predict] of named cells, as [Model.Row] does.
func (m *Mapped) Row(cells map[string]any) (row []float64, warnings []error, err error) {
	return m.about().Row(cells)
}

// Predict decides the row x as [Model.Predict] does. Errors: those of it; [ErrFormat] where the file is damaged, as
// far as that is known by now; [ErrConfig] once it is closed.
func (m *Mapped) Predict(x []float64) (Prediction, error) {
	amount, err := m.about().stake(x)
	if err != nil {
		return Prediction{}, err
	}
	votes := make([]uint32, len(m.model.ties))
	if err := m.file.Read(func([]byte) error { return m.trees.Vote(votes, x) }); err != nil {
		return Prediction{}, m.told(err)
	}
	return m.model.prediction(votes, amount), nil
}

// Verify waits until the checksum of the file was compared, or ctx ends. Errors: [ErrFormat] where it does not fit:
// what was decided is worth nothing then; those of reading the file; that of ctx.
func (m *Mapped) Verify(ctx context.Context) error {
	if m.file == nil {
		return m.about().check()
	}
	return m.told(m.file.Check(ctx))
}

// Close waits as [Mapped.Verify] does, and gives the file back. Errors: those of Verify; of the system.
func (m *Mapped) Close() error {
	if m.file == nil {
		return m.about().check()
	}
	return m.told(m.file.Close())
}
