//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sumfile

import (
	"os"
	"syscall"
)

// mapped returns the bytes of a file, which are read when they are used, and what gives them back.
func mapped(f *os.File, size int) (data []byte, free func() error, err error) {
	data, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: f.Name(), Err: err}
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}
