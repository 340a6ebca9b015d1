// Package sumfile has what files are read and written with that end with the SHA-256 of all bytes before: as streams,
// and where they are, mapped into memory.
package sumfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"unsafe"
)

// What can be wrong with a file that is open.
var (
	ErrSum    = errors.New("the checksum does not fit")
	ErrGone   = errors.New("the file can no longer be read: it was changed, or its disk fails")
	ErrClosed = errors.New("the file is closed")
)

// File is a file that is open. Any number of goroutines may use it.
type File struct {
	data    []byte
	use     sync.RWMutex // held for reading while data are read
	free    func() error // gives data back; nil once that was done
	checked chan struct{}
	fault   error // what comparing the checksum found, once that is done
}

// Open maps a regular file of at least 32 bytes into memory where the system has that, and reads it elsewhere. F is
// kept until the checksum was compared, which goes on meanwhile.
func Open(f *os.File, size int) (*File, error) {
	data, free, err := mapped(f, size)
	if err != nil {
		return nil, err
	}
	m := &File{data: data, free: free, checked: make(chan struct{})}
	go func() {
		defer close(m.checked)
		m.fault = errors.Join(compare(f, int64(size)), f.Close())
	}()
	return m, nil
}

// compare compares the checksum of a file with its end.
func compare(f io.ReaderAt, size int64) error {
	hash, sum := sha256.New(), make([]byte, sha256.Size)
	body := io.NewSectionReader(f, 0, size-sha256.Size)
	if _, err := io.CopyBuffer(hash, struct{ io.Reader }{body}, make([]byte, 1<<18)); err != nil {
		return err
	}
	if _, err := f.ReadAt(sum, body.Size()); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(sum, hash.Sum(nil)) {
		return ErrSum
	}
	return nil
}

// Read calls read with all bytes of the file, which may not be kept. Errors: that of read; [ErrGone] where bytes cannot
// be read; [ErrSum], and those of reading the file, as far as they are known by now; [ErrClosed].
func (m *File) Read(read func(data []byte) error) (err error) {
	m.use.RLock()
	defer m.use.RUnlock()
	if m.free == nil {
		return ErrClosed
	}
	select {
	case <-m.checked:
		if m.fault != nil {
			return m.fault
		}
	default:
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault := recover()
		if at, is := fault.(interface{ Addr() uintptr }); is && m.holds(at.Addr()) {
			err = ErrGone
		} else if fault != nil {
			panic(fault)
		}
	}()
	return read(m.data)
}

// holds tells whether an address is one of data.
func (m *File) holds(at uintptr) bool {
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
	return at >= begin && at-begin < uintptr(len(m.data))
}

// Check waits until the checksum was compared, or ctx ends. Errors: [ErrSum]; those of reading the file; that of ctx.
func (m *File) Check(ctx context.Context) error {
	select {
	case <-m.checked:
		return m.fault
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close waits as Check does, and gives the file back. Errors: those of Check; of the system.
func (m *File) Close() error {
	<-m.checked
	m.use.Lock()
	defer m.use.Unlock()
	free := m.free
	m.free = nil
	if free == nil {
		return m.fault
	}
	return errors.Join(m.fault, free())
}
