package csvtext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// text is the plain text of a file: compression is undone and a byte-order mark dropped.
type text struct {
	io.Reader
	file   string
	packed string // how the file is compressed: "gzip", "zstd", or "" for not at all
	raw    *witness
}

// mostWindow is how far back the zstd data may reach, and so about what undoing them may take:
// as much as the program zstd takes without being told otherwise.
const mostWindow = 1 << 27

// openText looks at the first bytes of r: gzip and zstd are undone, and what is no text at all
// is refused by name.
func openText(r io.Reader, file string) (*text, error) {
	t := &text{file: file, raw: &witness{r: r}}
	b, head, err := peek(t.raw)
	switch {
	case err != nil:
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		t.packed = "gzip"
		var z *gzip.Reader
		if z, err = gzip.NewReader(b); err == nil {
			b, head, err = peek(z)
		}
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")), skippable(head):
		t.packed = "zstd"
		var z *zstd.Decoder
		if z, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow)); err == nil {
			b, head, err = peek(z)
		}
	}
	if err != nil {
		return nil, t.failed(err, 1)
	}
	if what := notTable(head); what != "" {
		return nil, &ParseError{File: file, Line: 1, Column: 1, Err: errors.New(what)}
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		if _, err := b.Discard(len("\ufeff")); err != nil {
			return nil, t.failed(err, 1)
		}
	}
	t.Reader = b
	return t, nil
}

// skippable tells whether zstd data begin with a frame that is to be skipped, as pzstd and seekable archives have them
// (RFC 8878, section 3.1.2).
func skippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte("\x2a\x4d\x18"))
}

// peek returns r with a buffer, and its first bytes, which are few in a short file.
func peek(r io.Reader) (*bufio.Reader, []byte, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	if _, err := b.Peek(5); err != nil && err != io.EOF {
		return b, nil, err
	}
	_, _ = b.Peek(fewestBytes) // an error so late is told where the text ends
	head, err := b.Peek(min(b.Buffered(), headBytes))
	return b, head, err
}

// failed explains why the text ends in that line: a failed read, or damaged data, which are a
// fault of the file.
func (t *text) failed(err error, line int) error {
	switch {
	case t.raw.err != nil:
		return Unread(t.file, t.raw.err)
	case t.packed == "":
		return Unread(t.file, err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return Limitf("%s: the zstd data need more than %d MB to decompress; compress the file anew without --long", t.file,
			mostWindow>>20)
	}
	return &ParseError{File: t.file, Line: line,
		Err: fmt.Errorf("the %s data are damaged or cut short (%w); make the file again", t.packed, err)}
}

// Unread returns the error that a file could not be read to its end, which wraps err.
func Unread(file string, err error) error { return &unread{file, err} }

type unread struct {
	file string
	err  error
}

// Error names the file once: an error of the operating system does, too.
func (u *unread) Error() string {
	err := u.err
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Sprintf("reading %s: %v", u.file, err)
}

// Unwrap returns the error of the reader.
func (u *unread) Unwrap() error { return u.err }

// witness remembers why a reader failed.
type witness struct {
	r   io.Reader
	err error
}

func (w *witness) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}
