package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// metadata is the end of a file: the schema, and where the rows are.
type metadata struct {
	rows   int64
	schema []element
	groups []group
}

// element is a node of the tree of columns, which is written depth first.
type element struct {
	name       string
	leaf       bool
	physical   int64
	length     int64 // bytes of a value of fixed length
	repetition int64
	children   int64
	converted  int64 // the older annotation; -1 for none
	logical    int64 // the newer one, by the number of its field; 0 for none
	scale      int64 // of a decimal
	unit       int64 // of a timestamp
	unsigned   bool
}

// group is a part of the rows, whose columns lie one after the other.
type group struct {
	rows   int64
	chunks []chunk // one for each leaf of the schema
}

// chunk says where the cells of a column in a group are.
type chunk struct {
	physical, codec    int64
	values             int64
	begin, size        int64
	dictionary, pages  int64 // offsets; 0 for no dictionary
	encrypted, outside bool
}

// How many rows a file may have: so many, or so many for each of its bytes.
const (
	fewRows     = 1 << 24
	rowsOfAByte = 1 << 12
)

// maxFooter is how many bytes the metadata may have.
const maxFooter = 1 << 26

// readMetadata reads the end of a file of that size.
func readMetadata(r io.ReaderAt, size int64, name string) (*metadata, error) {
	fault := func(format string, args ...any) error {
		return csvtext.Faultf(name, dataset.Pos{}, "", format, args...)
	}
	var head, tail [8]byte
	if size < 12 {
		return nil, fault("the file is too short for Parquet, or cut short; make it again")
	}
	if err := readAt(r, head[:4], 0, name); err != nil {
		return nil, err
	}
	if err := readAt(r, tail[:], size-8, name); err != nil {
		return nil, err
	}
	switch begin, end := string(head[:4]), string(tail[4:]); {
	case begin == "PARE" || end == "PARE":
		return nil, fault("the file is encrypted; write it without encryption")
	case strings.HasPrefix(begin, "\x1f\x8b") || begin == "\x28\xb5\x2f\xfd":
		return nil, fault("the file is compressed as a whole, which Parquet is not; decompress it")
	case begin != "PAR1":
		return nil, fault("the file is not Parquet: it does not begin with PAR1; say what it is, such as {input-format csv}")
	case end != "PAR1":
		return nil, fault("the file does not end as Parquet does, with PAR1: it is cut short; make it again")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	switch {
	case length > size-12:
		return nil, fault("the metadata are said to have %d bytes, more than the file; make it again", length)
	case length > maxFooter:
		return nil, csvtext.Limitf("%s: the metadata have more than %d bytes; write fewer and larger row groups", name,
			maxFooter)
	}
	b := make([]byte, length)
	if err := readAt(r, b, size-8-length, name); err != nil {
		return nil, err
	}
	m := &metadata{}
	if err := m.parse(&compact{b: b}); err != nil {
		return nil, fault("the metadata are damaged: %w; make the file again", err)
	}
	if err := m.check(size - 8 - length); err != nil {
		return nil, fault("%w; make the file again", err)
	}
	if m.rows > fewRows && m.rows/rowsOfAByte > size {
		return nil, csvtext.Limitf("%s: the file is said to have %d rows in %d bytes; beyond %d rows there may be %d for "+
			"each byte, as a few bytes may stand for any number of equal cells", name, m.rows, size, int64(fewRows),
			int64(rowsOfAByte))
	}
	return m, nil
}

// readAt fills b. The end of the file counts as a failed read: it was longer before.
func readAt(r io.ReaderAt, b []byte, at int64, name string) error {
	if n, err := r.ReadAt(b, at); n < len(b) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return csvtext.Unread(name, err)
	}
	return nil
}

func (m *metadata) parse(c *compact) error {
	leaves := 0
	c.fields(structType, func(id int64, kind byte) bool {
		switch id {
		case 2:
			if m.schema != nil {
				c.fail(errMetadata) // the row groups are of the schema before them
			}
			c.list(kind, func() { m.schema = append(m.schema, c.element()) })
			for _, e := range m.schema {
				if e.leaf {
					leaves++
				}
			}
		case 3:
			m.rows = c.integer(kind)
		case 4:
			c.list(kind, func() { m.groups = append(m.groups, c.group(leaves)) })
		default:
			return false
		}
		return true
	})
	return c.err
}

func (c *compact) element() element {
	e := element{converted: -1}
	c.fields(structType, func(id int64, kind byte) bool {
		switch id {
		case 1:
			e.leaf, e.physical = true, c.integer(kind)
		case 2:
			e.length = c.integer(kind)
		case 3:
			e.repetition = c.integer(kind)
		case 4:
			e.name = c.text(kind)
		case 5:
			e.children = c.integer(kind)
		case 6:
			e.converted = c.integer(kind)
		case 7:
			e.scale = c.integer(kind)
		case 10:
			c.fields(kind, func(id int64, kind byte) bool {
				e.logical = id
				return c.annotation(&e, kind)
			})
		default:
			return false
		}
		return true
	})
	if e.name == "" && !e.leaf && e.children == 0 {
		c.fail(errMetadata)
	}
	return e
}

// annotation reads what a logical type says beside its name.
func (c *compact) annotation(e *element, kind byte) bool {
	if kind != structType || e.logical != decimalLogical && e.logical != integerLogical && e.logical != stampLogical {
		return false
	}
	c.fields(kind, func(id int64, kind byte) bool {
		switch {
		case id == 1 && e.logical == decimalLogical:
			e.scale = c.integer(kind)
			return true
		case id == 2 && e.logical == integerLogical:
			e.unsigned = kind == falseType // a truth value is in the type
		case id == 2 && e.logical == stampLogical && kind == structType:
			c.fields(kind, func(id int64, _ byte) bool {
				e.unit = id
				return false
			})
			return true
		}
		return false
	})
	return true
}

func (c *compact) group(leaves int) group {
	g := group{rows: -1}
	c.fields(structType, func(id int64, kind byte) bool {
		switch id {
		case 1:
			g.chunks = make([]chunk, 0, leaves)
			c.list(kind, func() {
				if len(g.chunks) == leaves {
					c.fail(errMetadata)
					return
				}
				g.chunks = append(g.chunks, c.chunk())
			})
		case 3:
			g.rows = c.integer(kind)
		default:
			return false
		}
		return true
	})
	if len(g.chunks) != leaves || leaves == 0 {
		c.fail(errMetadata)
	}
	return g
}

func (c *compact) chunk() chunk {
	k := chunk{values: -1}
	c.fields(structType, func(id int64, kind byte) bool {
		switch id {
		case 1:
			k.outside = c.text(kind) != ""
		case 3:
			c.fields(kind, func(id int64, kind byte) bool { return c.chunkField(&k, id, kind) })
		case 8, 9:
			k.encrypted = true
			return false
		default:
			return false
		}
		return true
	})
	if k.pages == 0 && k.values != 0 && !k.encrypted {
		c.fail(errMetadata)
	}
	k.begin = k.pages
	if k.dictionary > 0 && k.dictionary < k.pages {
		k.begin = k.dictionary
	}
	return k
}

func (c *compact) chunkField(k *chunk, id int64, kind byte) bool {
	switch id {
	case 1:
		k.physical = c.integer(kind)
	case 4:
		k.codec = c.integer(kind)
	case 5:
		k.values = c.integer(kind)
	case 7:
		k.size = c.integer(kind)
	case 9:
		k.pages = c.integer(kind)
	case 11:
		k.dictionary = c.integer(kind)
	default:
		return false
	}
	return true
}

// check holds the metadata against each other and against end, where the pages end.
func (m *metadata) check(end int64) error {
	total := int64(0)
	for g := range m.groups {
		rows := m.groups[g].rows
		if rows < 0 || rows > m.rows-total {
			return fmt.Errorf("row group %d is said to have %d rows, and all have %d", g+1, rows, m.rows)
		}
		total += rows
		for _, k := range m.groups[g].chunks {
			if k.encrypted || k.outside || rows == 0 {
				continue // an error where the column is used, or nothing there
			}
			if k.begin < 4 || k.size < 0 || k.begin > end || k.size > end-k.begin {
				return fmt.Errorf("row group %d has a column at byte %d of %d bytes, outside the file", g+1, k.begin, k.size)
			}
		}
	}
	if total != m.rows {
		return fmt.Errorf("the file is said to have %d rows, and its row groups %d", m.rows, total)
	}
	return nil
}
