package sumfile_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rfpragma/rfpragma/internal/sumfile"
)

// opened opens a file of these bytes, which its checksum follows.
func opened(t *testing.T, data, sum []byte) (file *sumfile.File, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, append(bytes.Clone(data), sum...), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err = sumfile.Open(f, len(data)+len(sum))
	if err != nil {
		t.Fatal(err)
	}
	return file, path
}

// A file has its bytes until it is closed.
func TestRead(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 5000)
	sum := sha256.Sum256(data)
	file, _ := opened(t, data, sum[:])
	var got []byte
	read := func(b []byte) error { got = bytes.Clone(b); return nil }
	if err := errors.Join(file.Read(read), file.Check(t.Context()), file.Read(read), file.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, append(data, sum[:]...)) {
		t.Errorf("%d bytes are others than the %d of the file", len(got), len(data))
	}
	if err := file.Read(read); !errors.Is(err, sumfile.ErrClosed) {
		t.Errorf("after it was closed: %v", err)
	}
}

// A checksum that does not fit ends reading.
func TestSum(t *testing.T) {
	file, _ := opened(t, []byte("some bytes"), make([]byte, sha256.Size))
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := file.Check(over); !errors.Is(err, context.Canceled) && !errors.Is(err, sumfile.ErrSum) {
		t.Error(err)
	}
	for _, err := range []error{file.Check(t.Context()), file.Read(func([]byte) error { return nil }), file.Close()} {
		if !errors.Is(err, sumfile.ErrSum) {
			t.Error(err)
		}
	}
}

// A file that is cut while it is open is an error, not the end of the program; any other panic stays one.
func TestGone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux it is known what a file that is cut does")
	}
	data := make([]byte, 1<<20)
	sum := sha256.Sum256(data)
	file, path := opened(t, data, sum[:])
	if err := errors.Join(file.Check(t.Context()), os.Truncate(path, 100)); err != nil {
		t.Fatal(err)
	}
	total := byte(0)
	err := file.Read(func(b []byte) error {
		for _, v := range b {
			total += v
		}
		return nil
	})
	if !errors.Is(err, sumfile.ErrGone) {
		t.Errorf("the sum is %d, error %v", total, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("another panic is lost")
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	_ = file.Read(func([]byte) error { panic("another") })
}
