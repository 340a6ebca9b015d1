package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// FS is what a save asks of a file system. Names are as for package os.
type FS interface {
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	Create(name string) (File, error)     // a new file for writing, which must not exist
	OpenAppend(name string) (File, error) // an existing one, for writing at its end
	Open(name string) (io.ReadCloser, error)
	Rename(from, to string) error
	Remove(name string) error
	SyncDir(name string) error // "" is the current folder
}

// File is a file open for writing.
type File interface {
	io.WriteCloser
	Sync() error
	Chmod(mode fs.FileMode) error
}

// OS is the file system of the machine.
type OS struct{}

// Lstat describes name, without following a symbolic link.
func (OS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Readlink returns what the symbolic link name holds.
func (OS) Readlink(name string) (string, error) { return os.Readlink(name) }

// Create creates the file name, with mode 0644 less the umask.
func (OS) Create(name string) (File, error) {
	return orNil(os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644))
}

// OpenAppend opens name for writing at its end.
func (OS) OpenAppend(name string) (File, error) {
	return orNil(os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0))
}

// orNil keeps a nil *os.File from becoming a File that is not nil.
func orNil(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Open opens name for reading.
func (OS) Open(name string) (io.ReadCloser, error) { return os.Open(name) }

// Rename renames from to to, replacing it.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove removes the file name.
func (OS) Remove(name string) error { return os.Remove(name) }

// SyncDir makes the names in a folder last. Windows has no such call, and some file systems
// refuse it; there the rename is as safe as the system makes it.
func (OS) SyncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	if name == "" {
		name = "."
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
