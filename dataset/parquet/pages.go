package parquet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// The limits of a page, and of the pages that all columns have open; what is read at once, which
// is more than the head of a page has.
const (
	headBuffer = 1 << 16

	maxPage = 1 << 28
	maxOpen = 1 << 31

	maxDictionary = 1 << 22 // values
)

// The kinds of pages.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3
)

// The encodings.
const (
	plainEncoding           = 0
	plainDictionaryEncoding = 2
	rleEncoding             = 3
	deltaEncoding           = 5
	deltaLengthEncoding     = 6
	deltaTextEncoding       = 7
	rleDictionaryEncoding   = 8
	splitEncoding           = 9
)

// cells gives the cells of a column in a row group, one after the other.
type cells struct {
	turn    sync.Mutex // of the stretch that is decoded
	stretch *stretch   // that one
	column  *column
	in      *bufio.Reader
	codec   int64
	left    int64 // cells in pages to come
	held    int   // bytes of the page that is open, and of the dictionary
	copied  int   // bytes of the texts in the stretch

	dictionary []dataset.Cell
	known      int // bytes of the dictionary

	inPage  int64   // cells left in the page
	present *hybrid // whether a cell is there; nil where all are
	index   *hybrid // numbers of the dictionary; nil for values of their own
	numbers numbers
	texts   texts
}

// head is what stands before a page.
type head struct {
	kind, size, stored   int64
	sum                  int64
	summed               bool
	values, nulls, rows  int64
	encoding, levels     int64
	levelBytes, repBytes int64
	plain                bool // not compressed, though the column is
}

// next returns the next cell.
func (c *cells) next() (dataset.Cell, error) {
	for c.inPage == 0 {
		if err := c.page(); err != nil {
			return dataset.Cell{}, err
		}
	}
	c.inPage--
	if c.present != nil {
		there, err := c.present.next()
		if err != nil || there == 0 {
			return dataset.Cell{}, err
		}
	}
	if c.index == nil {
		return c.value()
	}
	i, err := c.index.next()
	if err == nil && i >= uint64(len(c.dictionary)) {
		err = fmt.Errorf("it names value %d of %d in the dictionary", i+1, len(c.dictionary))
	}
	if err != nil {
		return dataset.Cell{}, err
	}
	return c.dictionary[i], nil
}

// value decodes the next value that the page has of its own.
func (c *cells) value() (dataset.Cell, error) {
	if c.texts == nil {
		bits, err := c.numbers.next()
		return c.column.ofBits(bits), err
	}
	b, err := c.texts.next()
	if err != nil {
		return dataset.Cell{}, err
	}
	c.copied += len(b) // a few bytes of a page may stand for a long text, again and again
	if err := c.room(); err != nil {
		return dataset.Cell{}, err
	}
	return c.column.ofBytes(b)
}

// page opens the next page of cells.
func (c *cells) page() error {
	if c.left == 0 {
		return errors.New("the pages hold fewer cells than the row group has rows")
	}
	h, err := c.head()
	if err != nil {
		return err
	}
	b, err := c.body(&h)
	if err != nil {
		return err
	}
	switch h.kind {
	case dictionaryPage:
		return c.openDictionary(&h, b)
	case dataPage, dataPage2:
	default:
		return nil // an index: not needed
	}
	if h.values < 0 || h.values > c.left {
		return fmt.Errorf("a page is said to have %d cells where %d are left", h.values, c.left)
	}
	c.left -= h.values
	c.inPage = h.values
	c.present, c.index, c.numbers, c.texts = nil, nil, nil, nil
	if b, err = c.openLevels(&h, b); err != nil {
		return err
	}
	return c.openValues(h.encoding, b)
}

// head reads what stands before the next page.
func (c *cells) head() (head, error) {
	for size := 512; ; size *= 4 {
		b, err := c.in.Peek(min(size, headBuffer))
		if err != nil && !csvtext.Ended(err) {
			return head{}, failed(c.stretch.name, err)
		}
		in := &compact{b: b}
		h := in.head()
		switch {
		case in.err == nil:
			_, err = c.in.Discard(in.at)
			return h, err
		case len(b) == 0:
			return head{}, errors.New("the pages end too early")
		case !errors.Is(in.err, errShort) || err != nil || size >= headBuffer:
			return head{}, fmt.Errorf("the head of a page is damaged: %w", in.err)
		}
	}
}

func (c *compact) head() head {
	h := head{kind: -1, size: -1, stored: -1, values: -1}
	c.fields(structType, func(id int64, kind byte) bool {
		switch id {
		case 1:
			h.kind = c.integer(kind)
		case 2:
			h.size = c.integer(kind)
		case 3:
			h.stored = c.integer(kind)
		case 4:
			h.sum, h.summed = c.integer(kind), true
		case 5:
			c.fields(kind, func(id int64, kind byte) bool { return c.number(id, kind, &h.values, &h.encoding, &h.levels) })
		case 7:
			c.fields(kind, func(id int64, kind byte) bool { return c.number(id, kind, &h.values, &h.encoding) })
		case 8:
			c.fields(kind, func(id int64, kind byte) bool {
				h.plain = h.plain || id == 7 && kind == falseType
				return c.number(id, kind, &h.values, &h.nulls, &h.rows, &h.encoding, &h.levelBytes, &h.repBytes)
			})
		default:
			return false
		}
		return true
	})
	return h
}

// number reads field id into to, which has one place for each field from 1 on.
func (c *compact) number(id int64, kind byte, to ...*int64) bool {
	if id < 1 || id > int64(len(to)) {
		return false
	}
	*to[id-1] = c.integer(kind)
	return true
}

// body reads a page and undoes its compression, but for the levels of the newer kind.
func (c *cells) body(h *head) ([]byte, error) {
	switch {
	case h.stored < 0 || h.size < 0:
		return nil, errors.New("a page has a negative size")
	case h.stored > maxPage || h.size > maxPage:
		return nil, csvtext.Limitf("%s: column %s: a page has more than %d MB; write smaller pages", c.stretch.name,
			english.Quote(c.column.name), maxPage>>20)
	}
	c.held = int(h.stored+h.size) + c.known
	if err := c.room(); err != nil {
		return nil, err
	}
	b, err := readFull(c.in, int(h.stored))
	if err != nil {
		return nil, failed(c.stretch.name, err)
	}
	if h.summed && crc32.ChecksumIEEE(b) != uint32(h.sum) {
		return nil, errors.New("the checksum of a page is wrong")
	}
	levels := 0
	if h.kind == dataPage2 {
		if h.levelBytes < 0 || h.repBytes < 0 || h.levelBytes > int64(len(b)) || h.repBytes > int64(len(b))-h.levelBytes {
			return nil, errFewBytes
		}
		levels = int(h.levelBytes + h.repBytes)
	}
	if c.codec == 0 || h.plain || h.size == int64(levels) && len(b) == levels {
		return b, nil
	}
	plain, err := c.stretch.unpacked(c.codec, b[levels:], int(h.size)-levels)
	if err != nil {
		return nil, err
	}
	if levels == 0 {
		return plain, nil
	}
	return append(b[:levels:levels], plain...), nil
}

// room is an error if the columns of the stretch have too much in memory.
func (c *cells) room() error {
	if int64(c.stretch.open+c.held+c.copied) > maxOpen {
		return csvtext.Limitf("%s: the pages of its columns have more than %d MB together; write smaller pages, or fewer "+
			"columns", c.stretch.name, maxOpen>>20)
	}
	return nil
}

// readFull reads n bytes. It takes no more memory than twice what there is to read.
func readFull(r io.Reader, n int) ([]byte, error) {
	var b bytes.Buffer
	if n < 1<<20 {
		b.Grow(n)
	}
	got, err := io.CopyN(&b, r, int64(n))
	if csvtext.Ended(err) && got < int64(n) {
		err = io.ErrUnexpectedEOF
	}
	return b.Bytes(), err
}

// The ways of compression, by their number.
var codecs = []string{"none", "snappy", "gzip", "LZO", "brotli", "LZ4 (Hadoop)", "zstd", "LZ4"}

// readable tells whether pages compressed in a way can be read.
func readable(codec int64) bool { return codec == 0 || codec == 1 || codec == 2 || codec == 6 }

// unpacked undoes the compression of b, which has size bytes without.
func (s *stretch) unpacked(codec int64, b []byte, size int) (plain []byte, err error) {
	if size < 0 {
		return nil, errors.New("a page has a negative size")
	}
	// Other people's code meets bytes from anywhere: its panic is a fault of the bytes.
	if fault := parallel.Safely(func() error { plain, err = s.decompress(codec, b, size); return nil }); fault != nil {
		return nil, errors.New("a page cannot be decompressed")
	}
	if err != nil {
		return nil, fmt.Errorf("a page cannot be decompressed: %w", err)
	}
	if len(plain) != size {
		return nil, fmt.Errorf("a page does not decompress to the %d bytes it is said to have", size)
	}
	return plain, nil
}

// decompress returns size bytes and one more at most.
func (s *stretch) decompress(codec int64, b []byte, size int) (plain []byte, err error) {
	switch codec {
	case 1:
		var n int
		if n, err = snappy.DecodedLen(b); err == nil && n == size && size <= 64*len(b)+64 {
			plain, err = snappy.Decode(nil, b)
		}
	case 2:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			plain, err = atMost(z, size)
		}
	case 6:
		if s.zstd == nil {
			if s.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderMaxMemory(2*maxPage)); err != nil {
				return nil, err
			}
		}
		if err = s.zstd.Reset(bytes.NewReader(b)); err == nil {
			plain, err = atMost(s.zstd, size)
		}
	}
	return plain, err
}

// atMost reads all of r, and no more than a byte above size.
func atMost(r io.Reader, size int) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.Copy(&b, io.LimitReader(r, int64(size)+1))
	return b.Bytes(), err
}

// openLevels reads where cells are missing, and returns what follows.
func (c *cells) openLevels(h *head, b []byte) ([]byte, error) {
	width := 0
	if c.column.repetition == optional {
		width = 1
	}
	var levels []byte
	switch {
	case h.kind == dataPage2:
		levels, b = b[h.repBytes:h.repBytes+h.levelBytes], b[h.repBytes+h.levelBytes:]
	case width == 0:
		return b, nil
	case h.levels != rleEncoding:
		return nil, fmt.Errorf("missing cells are marked by the unknown encoding %d", h.levels)
	default:
		size, err := (&plain{b, 4}).next()
		if err != nil || size > uint64(len(b)-4) {
			return nil, errFewBytes
		}
		levels, b = b[4:4+size], b[4+size:]
	}
	if width == 0 {
		return b, nil
	}
	var err error
	c.present, err = newHybrid(levels, width)
	return b, err
}

// openValues reads the values of a page as they are encoded.
func (c *cells) openValues(encoding int64, b []byte) (err error) {
	bytes := c.column.isBytes()
	switch {
	case encoding == plainDictionaryEncoding || encoding == rleDictionaryEncoding:
		if len(b) == 0 {
			c.index, err = newHybrid(nil, 0)
			return err // of missing cells alone
		}
		if c.dictionary == nil {
			return errors.New("a page names values of a dictionary, and there is none")
		}
		c.index, err = newHybrid(b[1:], int(b[0]))
	case encoding == plainEncoding && c.column.physical == booleanType:
		c.numbers = &flags{b: b}
	case encoding == rleEncoding && c.column.physical == booleanType:
		if len(b) < 4 {
			return errFewBytes
		}
		c.numbers, err = newHybrid(b[4:], 1)
	case encoding == plainEncoding && bytes:
		c.texts = &plainTexts{b: b, fixed: c.fixed()}
	case encoding == plainEncoding:
		c.numbers = &plain{b, c.column.width()}
	case encoding == splitEncoding && !bytes && c.column.physical != booleanType:
		c.numbers = newSplit(b, c.column.width())
	case encoding == deltaEncoding && (c.column.physical == int32Type || c.column.physical == int64Type):
		c.numbers, err = newDeltas(b)
	case encoding == deltaLengthEncoding && c.column.physical == bytesType:
		c.texts, err = newLengthTexts(b)
	case encoding == deltaTextEncoding && bytes:
		c.texts, err = newPrefixTexts(b)
	default:
		return unfitf("the values have an encoding that is not read for them, number %d; write the file with plain or "+
			"dictionary encoding", encoding)
	}
	return err
}

func (c *cells) fixed() int {
	if c.column.physical == fixedType {
		return int(c.column.length)
	}
	return 0
}

// openDictionary reads the values that later pages name.
func (c *cells) openDictionary(h *head, b []byte) error {
	if c.dictionary != nil {
		return errors.New("there are two dictionaries")
	}
	if h.encoding != plainEncoding && h.encoding != plainDictionaryEncoding {
		return fmt.Errorf("the dictionary has the unknown encoding %d", h.encoding)
	}
	if h.values > maxDictionary {
		return csvtext.Limitf("%s: column %s: a dictionary has more than %d values; write the column without one",
			c.stretch.name, english.Quote(c.column.name), maxDictionary)
	}
	if h.values < 0 || h.values > c.column.most(b) {
		return errFewBytes
	}
	if err := c.openValues(plainEncoding, b); err != nil {
		return err
	}
	list := make([]dataset.Cell, 0, h.values)
	for range h.values {
		cell, err := c.value()
		if err != nil {
			return fmt.Errorf("in the dictionary: %w", err)
		}
		list = append(list, cell)
	}
	c.dictionary = list
	c.known = len(b) + 40*len(list)
	c.numbers, c.texts = nil, nil
	return nil
}
