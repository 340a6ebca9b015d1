//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sumfile

import (
	"io"
	"os"
)

// mapped returns the bytes of a file, which it reads.
func mapped(f *os.File, size int) (data []byte, free func() error, err error) {
	data = make([]byte, size)
	_, err = io.ReadFull(io.NewSectionReader(f, 0, int64(size)), data)
	return data, func() error { return nil }, err
}
