package sumfile

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// Counter counts the bytes that are written.
type Counter struct {
	To io.Writer
	N  int64
}

func (c *Counter) Write(b []byte) (int, error) {
	n, err := c.To.Write(b)
	c.N += int64(n)
	return n, err
}

// Sized returns a reader of what is left of r, up to most bytes, and how many bytes that are. What is no regular file
// has to be read for that.
func Sized(r io.Reader, most int64) (io.Reader, int64, error) {
	if f, ok := r.(*os.File); ok {
		info, err := f.Stat()
		at, seek := f.Seek(0, io.SeekCurrent)
		if err == nil && seek == nil && info.Mode().IsRegular() {
			return f, min(info.Size()-at, most), nil
		}
	}
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(r, most))
	return &b, int64(b.Len()), err
}

// Part is the next bytes of a reader, as many as Left. It keeps an error of that.
type Part struct {
	From io.Reader
	Left int64
	Err  error
}

func (s *Part) Read(b []byte) (int, error) {
	if s.Left == 0 {
		return 0, io.EOF
	}
	n, err := s.From.Read(b[:min(int64(len(b)), s.Left)])
	if s.Left -= int64(n); err != nil && !errors.Is(err, io.EOF) {
		s.Err = err
	}
	return n, err
}
