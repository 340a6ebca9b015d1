package rfpragma

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/rfpragma/rfpragma/internal/atomicfile"
)

// Save writes the model to the named file, whole or not at all: an older file of that name
// stays as it is until the new one is safely on the disk. It takes next to no memory beside the model. Errors: those of
// [Model.WriteTo], and of the file system.
func (m *Model) Save(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	})
}

// Load reads the named model file. Errors: those of [ReadModel], with the path, and of the file system.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadModel(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// WriteTo writes the model in the format of a model file. Errors: those of w; [ErrFormat] for what [ReadModel]
// would refuse, in fields that were set by hand.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	n, _, err := modelFile.write(w, m.soundHeader, m.Forest)
	return n, err
}

// ReadModel reads what WriteTo wrote. Any other bytes are an error that wraps [ErrFormat];
// an error of r itself is returned as it is. Of an [os.File] it takes next to no memory beside the model; what any
// other reader gives is held as long as it is read.
func ReadModel(r io.Reader) (*Model, error) {
	var h header
	var m *Model
	sum, err := modelFile.read(r, &h, func(head []byte, trees io.Reader, size int64) (err error) {
		m, err = h.model(head, trees, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	m.id = hex.EncodeToString(sum)
	return m, nil
}

// ID returns the name of the model by its content: the SHA-256 of its file, of which it is the end, in hex. It is
// the same before the model is saved and after it is loaded, and it takes as long as saving, but for a model that
// was loaded. Errors: those of [Model.WriteTo].
func (m *Model) ID() (string, error) {
	if m.id != "" {
		return m.id, nil
	}
	_, sum, err := modelFile.write(io.Discard, m.soundHeader, m.Forest)
	return hex.EncodeToString(sum), err
}

// soundHeader is the header of m, which can be read again.
func (m *Model) soundHeader() ([]byte, error) {
	if m.Forest == nil {
		return nil, fmt.Errorf("%w: the model has no trees; make it by Fit or ReadModel", ErrFormat)
	}
	head, err := m.header()
	if err != nil {
		return nil, err
	}
	var h header
	if err := decodeHeader(head, &h); err != nil {
		return nil, err
	}
	if _, err := h.check(); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	_, err = h.with(m.Forest, head)
	return head, err
}
