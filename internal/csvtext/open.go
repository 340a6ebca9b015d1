package csvtext

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// text is the plain text of a file: gzip is undone and a byte-order mark dropped.
type text struct {
	io.Reader
	file string
	gzip bool
}

// What a file that is no text begins with.
var magics = []struct{ magic, text string }{
	{"\xff\xfe", "the file is UTF-16; save it as UTF-8"},
	{"\xfe\xff", "the file is UTF-16; save it as UTF-8"},
	{"PK\x03\x04", "the file is a zip archive or a spreadsheet; save the sheet as CSV"},
	{"\x28\xb5\x2f\xfd", "the file is compressed by zstd; decompress it first"},
	{"PAR1\x15", "the file is Parquet; convert it to CSV"},
}

// openText looks at the first bytes of r: gzip is undone, and what is no text at all is refused
// by name.
func openText(r io.Reader, file string) (*text, error) {
	t := &text{file: file}
	b, head, err := peek(r)
	if err == nil && bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		t.gzip = true
		var z *gzip.Reader
		if z, err = gzip.NewReader(b); err == nil {
			b, head, err = peek(z)
		}
	}
	if err != nil {
		return nil, t.failed(err, 1)
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return nil, &ParseError{File: file, Line: 1, Column: 1, Err: errors.New(m.text)}
		}
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		if _, err := b.Discard(len("\ufeff")); err != nil {
			return nil, t.failed(err, 1)
		}
	}
	t.Reader = b
	return t, nil
}

// peek returns r with a buffer, and its first bytes, which are few in a short file.
func peek(r io.Reader) (*bufio.Reader, []byte, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	head, err := b.Peek(5)
	if err == io.EOF {
		err = nil
	}
	return b, head, err
}

// failed tells damaged gzip data, a fault of the file in that line, from a failed read.
func (t *text) failed(err error, line int) error {
	var corrupt flate.CorruptInputError
	if !t.gzip {
		return fmt.Errorf("reading %s: %w", t.file, err)
	}
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt) {
		return &ParseError{File: t.file, Line: line, Err: fmt.Errorf("the gzip data are damaged or cut short (%w); make the file again", err)}
	}
	return fmt.Errorf("reading %s: %w", t.file, err)
}
