package beamforest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths without a scheme

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
)

// open opens a file of any file system that is linked in: a path, or SCHEME://...
func open(ctx context.Context, path string) (io.ReadCloser, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	in, err := fs.OpenRead(ctx, path)
	if err != nil {
		return nil, errors.Join(err, fs.Close())
	}
	return file{in, fs}, nil
}

// file closes its file system, too.
type file struct {
	io.ReadCloser
	fs io.Closer
}

// Close implements [io.Closer].
func (f file) Close() error { return errors.Join(f.ReadCloser.Close(), f.fs.Close()) }

// write writes a file, whole or not at all: a path by a temporary name; elsewhere it comes into being when it is closed.
func write(ctx context.Context, path string, w io.WriterTo) error {
	if !strings.Contains(path, "://") {
		return atomicfile.Write(path, func(to io.Writer) error { _, err := w.WriteTo(to); return err })
	}
	b, err := bytesOf(w)
	if err != nil {
		return err
	}
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	to, err := fs.OpenWrite(ctx, path)
	if err != nil {
		return err
	}
	_, err = to.Write(b)
	return errors.Join(err, to.Close())
}

func frame(ctx context.Context, path string, o dataset.Options) (*dataset.Frame, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return dataset.ReadCSV(in, path, o)
}

func outline(ctx context.Context, path string, o dataset.Options) (*dataset.Outline, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return dataset.OutlineCSV(in, path, o)
}

func readTrees(ctx context.Context, path string) (*rfpragma.Part, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p, err := rfpragma.ReadPart(in, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// rows are those of a file, block by block.
type rows struct {
	*dataset.Reader
	io.Closer
}

func openRows(ctx context.Context, path string, o dataset.Options, workers int) (*rows, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	o.Workers = workers
	rd, err := dataset.NewReader(in, path, o)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &rows{rd, in}, nil
}

// readBlocks returns all rows, in blocks as they come: put together they would be copied once more.
func readBlocks(ctx context.Context, path string, o dataset.Options) ([]*dataset.Frame, error) {
	rows, err := openRows(ctx, path, o, 0)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var blocks []*dataset.Frame
	err = rows.Each(func(block *dataset.Frame) error {
		all := make([]int, block.Rows())
		for i := range all {
			all[i] = i
		}
		blocks = append(blocks, block.Take(all)) // the block itself is used again
		return nil
	})
	return blocks, err
}
