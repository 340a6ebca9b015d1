package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// Parquet files. Numbers C72 to C93 are those of the catalogue of bad inputs. C93, the same table
// in every format, is a test of the command.

// field is a part of a structure in the compact protocol of Thrift.
type field struct {
	id   int
	kind byte
	b    []byte
}

func number(id int, v int64) field {
	return field{id, i64Type, binary.AppendUvarint(nil, uint64(v<<1)^uint64(v>>63))}
}

func text(id int, s string) field {
	return field{id, binaryType, append(binary.AppendUvarint(nil, uint64(len(s))), s...)}
}

func part(id int, fields ...field) field { return field{id, structType, structure(fields...)} }

func list(id int, parts ...[]byte) field {
	b := binary.AppendUvarint([]byte{15<<4 | structType}, uint64(len(parts)))
	return field{id, listType, append(b, bytes.Join(parts, nil)...)}
}

func structure(fields ...field) []byte {
	var b []byte
	at := 0
	for _, f := range fields {
		b = append(append(b, byte(f.id-at)<<4|f.kind), f.b...)
		at = f.id
	}
	return append(b, stopType)
}

// forged is a file of one column x of doubles and one class of texts, with what is to be wrong.
type forged struct {
	rows, groupRows, values int64
	begin, size             int64 // added to where the column is
	codec                   int64
	pages                   []byte  // of column x
	physical                int64   // its type
	elements                []byte  // of it in the schema; nil is a required column of that type
	nested                  bool    // these are a record and the one column in it
	path, chunk             []field // added to the chunk of x, before and behind
	names                   [2]string
	groups                  int
	labels                  int // of column class, a and b in turn
}

func newForged(pages []byte) forged {
	return forged{rows: 4, groupRows: 4, values: 4, pages: pages, physical: float64Type, names: [2]string{"x", "class"},
		groups: 1, labels: 4}
}

// page is a data page of the older kind.
func page(values, encoding, size int64, stored []byte, more ...field) []byte {
	head := []field{number(1, dataPage), number(2, size), number(3, int64(len(stored)))}
	head = append(head, more...)
	head = append(head, part(5, number(1, values), number(2, encoding), number(3, rleEncoding), number(4, rleEncoding)))
	return append(structure(head...), stored...)
}

func doubles(values ...float64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func dictionary(values int64, b []byte) []byte {
	return append(structure(number(1, dictionaryPage), number(2, int64(len(b))), number(3, int64(len(b))),
		part(7, number(1, values), number(2, plainEncoding))), b...)
}

func (f forged) bytes() []byte {
	var labels []byte
	for i := range f.labels {
		labels = append(binary.LittleEndian.AppendUint32(labels, 1), "ab"[i%2])
	}
	class := page(f.groupRows, plainEncoding, int64(len(labels)), labels)
	b := append([]byte("PAR1"), f.pages...)
	b = append(b, class...)
	x := f.elements
	if x == nil {
		x = structure(number(1, f.physical), number(3, required), text(4, f.names[0]))
	}
	elements := [][]byte{structure(text(4, "schema"), number(5, 2)), x, structure(number(1, bytesType),
		number(3, required), text(4, f.names[1]), number(6, 0 /* text */))}
	chunkOf := func(physical, codec, values, size, at int64, path, more []field) []byte {
		return structure(append(path, append([]field{part(3, number(1, physical), number(4, codec), number(5, values),
			number(6, size), number(7, size), number(9, at))}, more...)...)...)
	}
	group := structure(list(1,
		chunkOf(f.physical, f.codec, f.values, int64(len(f.pages))+f.size, 4+f.begin, f.path, f.chunk),
		chunkOf(bytesType, 0, f.groupRows, int64(len(class)), int64(4+len(f.pages)), nil, nil)), number(2, 0),
		number(3, f.groupRows))
	var groups [][]byte
	for range f.groups {
		groups = append(groups, group)
	}
	schema := list(2, elements...)
	if f.nested { // the element of x are two
		schema.b[1]++
	}
	meta := structure(number(1, 1), schema, number(3, f.rows), list(4, groups...))
	b = append(b, meta...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(meta)))
	return append(b, "PAR1"...)
}

// with returns f changed.
func (f forged) with(change func(*forged)) []byte {
	change(&f)
	return f.bytes()
}

func codeOf(err error) int {
	var limit *dataset.LimitError
	var fault *dataset.ParseError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &limit):
		return 6
	case errors.As(err, &fault):
		return 3
	}
	return 1
}

func packed(t *testing.T, codec int64, b []byte) []byte {
	var out bytes.Buffer
	switch codec {
	case 1:
		return snappy.Encode(nil, b)
	case 2:
		z := gzip.NewWriter(&out)
		if _, err := z.Write(b); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
	case 6:
		z, err := zstd.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(b); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestCatalogueParquet(t *testing.T) {
	whole := doubles(1, 2, 3, 4)
	good := newForged(page(4, plainEncoding, 32, whole))
	if _, err := frame(good.bytes(), dataset.Options{}); err != nil {
		t.Fatalf("the forged file is no good to begin with: %v", err)
	}
	set := func(b []byte, at int, text string) []byte {
		b = bytes.Clone(b)
		copy(b[(at+len(b))%len(b):], text)
		return b
	}
	pages := func(b ...[]byte) []byte { return newForged(bytes.Join(b, nil)).bytes() }
	compressed := func(codec int64, stored []byte, size int64) []byte {
		f := newForged(page(4, plainEncoding, size, stored))
		f.codec = codec
		return f.bytes()
	}
	b := good.bytes()
	bomb := packed(t, 6, make([]byte, 64<<20))
	// Bit width 2, four values in a packed group: 0 1 2 3.
	index := []byte{2, 1<<1 | 1, 0b11100100, 0}
	const again = "; the file is damaged: make it again"
	for _, tc := range []struct {
		name string
		b    []byte
		code int
		want string
	}{
		{"C72 wrong magic at the start", set(b, 0, "PAR2"), 3,
			"in.parquet: the file is not Parquet: it does not begin with PAR1; say what it is, such as --input-format csv"},
		{"C72 compressed as a whole", set(b, 0, "\x1f\x8b"), 3,
			"in.parquet: the file is compressed as a whole, which Parquet is not; decompress it"},
		{"C72 wrong magic at the end", set(b, -4, "PAR2"), 3,
			"in.parquet: the file does not end as Parquet does, with PAR1: it is cut short; make it again"},
		{"C72 magic alone", []byte("PAR1PAR1"), 3,
			"in.parquet: the file is too short for Parquet, or cut short; make it again"},
		{"C73 footer longer than the file", set(b, -8, "\xff\xff\xff\x00"), 3,
			"in.parquet: the metadata are said to have 16777215 bytes, more than the file; make it again"},
		{"C73 footer of a negative length", set(b, -8, "\xff\xff\xff\xff"), 3,
			"in.parquet: the metadata are said to have 4294967295 bytes, more than the file; make it again"},
		{"C73 footer of no length", set(b, -8, "\x00\x00\x00\x00"), 3,
			"in.parquet: the metadata are damaged: they end too early; make the file again"},
		{"C73 2^30 columns in a few bytes", []byte("PAR1\x15\x02\x19\xfc\x80\x80\x80\x80\x04\x09\x00\x00\x00PAR1"), 3,
			"in.parquet: the metadata are damaged: they end too early; make the file again"},
		{"C74 cut before the footer", b[:40], 3,
			"in.parquet: the file does not end as Parquet does, with PAR1: it is cut short; make it again"},
		{"C75 negative rows", good.with(func(f *forged) { f.rows = -4 }), 3,
			"in.parquet: row group 1 is said to have 4 rows, and all have -4; make the file again"},
		{"C75 negative rows in a group", good.with(func(f *forged) { f.groupRows = -4 }), 3,
			"in.parquet: row group 1 is said to have -4 rows, and all have 4; make the file again"},
		{"C75 other rows than the groups", good.with(func(f *forged) { f.rows = 5 }), 3,
			"in.parquet: the file is said to have 5 rows, and its row groups 4; make the file again"},
		{"C75 other cells than rows", good.with(func(f *forged) { f.values = 3 }), 3,
			`in.parquet: column "x": row group 1 is said to have 4 rows, and here 3 cells; make the file again`},
		{"C76 column outside the file", good.with(func(f *forged) { f.begin = 1 << 40 }), 3,
			"in.parquet: row group 1 has a column at byte 1099511627780 of 49 bytes, outside the file; make the file again"},
		{"C76 column into the footer", good.with(func(f *forged) { f.size = 60 }), 3,
			"in.parquet: row group 1 has a column at byte 4 of 109 bytes, outside the file; make the file again"},
		{"C76 negative size", good.with(func(f *forged) { f.size = -1000 }), 3,
			"in.parquet: row group 1 has a column at byte 4 of -951 bytes, outside the file; make the file again"},
		{"C77 2^31 values in a small page", pages(page(1<<31, plainEncoding, 32, whole)), 3,
			`in.parquet, row 1: column "x": a page is said to have 2147483648 cells where 4 are left` + again},
		{"C77 values that a page lacks", pages(page(4, plainEncoding, 16, whole[:16])), 3,
			`in.parquet, row 3: column "x": its values take more bytes than it has` + again},
		{"C77 page larger than the column", pages(structure(number(1, dataPage), number(2, 1<<27), number(3, 1<<27),
			part(5, number(1, 4), number(2, 0), number(3, 3), number(4, 3)))), 3,
			`in.parquet, row 1: column "x": the pages end too early` + again},
		{"C77 negative page", pages(structure(number(1, dataPage), number(2, -1), number(3, -1), part(5, number(1, 4)))), 3,
			`in.parquet, row 1: column "x": a page has a negative size` + again},
		{"C77 page of 1 GB", pages(structure(number(1, dataPage), number(2, 1<<30), number(3, 1<<30), part(5, number(1, 4)))),
			6, `in.parquet: column "x": a page has more than 256 MB; write smaller pages`},
		{"C78 more values than before", pages(page(63, plainEncoding, 32, whole)), 3,
			`in.parquet, row 1: column "x": a page is said to have 63 cells where 4 are left` + again},
		{"C78 levels whose sizes add up to less than none", pages(structure(number(1, dataPage2), number(2, 32),
			number(3, 32),
			part(8, number(1, 4), number(2, 0), number(3, 4), number(4, plainEncoding), number(5, math.MaxInt64),
				number(6, math.MaxInt64))), whole), 3,
			`in.parquet, row 1: column "x": its values take more bytes than it has` + again},
		{"C78 fewer values than before", pages(page(3, plainEncoding, 32, whole)), 3,
			`in.parquet, row 4: column "x": the pages end too early` + again},
		{"C79 index beyond the dictionary", pages(dictionary(3, whole[:24]), page(4, rleDictionaryEncoding, 4, index)), 3,
			`in.parquet, row 4: column "x": it names value 4 of 3 in the dictionary` + again},
		{"C79 no dictionary", pages(page(4, rleDictionaryEncoding, 4, index)), 3,
			`in.parquet, row 1: column "x": a page names values of a dictionary, and there is none` + again},
		{"C79 two dictionaries", pages(dictionary(4, whole), dictionary(4, whole), page(4, rleDictionaryEncoding, 4, index)),
			3, `in.parquet, row 1: column "x": there are two dictionaries` + again},
		{"C79 dictionary with too many values", pages(dictionary(5, whole), page(4, rleDictionaryEncoding, 4, index)), 3,
			`in.parquet, row 1: column "x": its values take more bytes than it has` + again},
		{"C79 dictionary of a great many values", pages(dictionary(maxDictionary+1, whole)), 6,
			`in.parquet: column "x": a dictionary has more than 4194304 values; write the column without one`},
		{"C79 indices of 33 bits", pages(dictionary(4, whole), page(4, rleDictionaryEncoding, 4, []byte{33, 3, 0, 0})), 3,
			`in.parquet, row 1: column "x": its values have an impossible width` + again},
		{"C79 too few indices", pages(dictionary(4, whole), page(4, rleDictionaryEncoding, 3, []byte{2, 3 << 1, 1})), 3,
			`in.parquet, row 4: column "x": it has fewer values than it says` + again},
		// C80: TestC80DecoderPanics.
		{"C81 page that unfolds to 10 GB", compressed(6, bomb, 10<<30), 6,
			`in.parquet: column "x": a page has more than 256 MB; write smaller pages`},
		{"C81 page that unfolds further than said", compressed(6, bomb, 32), 3,
			`in.parquet, row 1: column "x": a page does not decompress to the 32 bytes it is said to have` + again},
		{"C81 page that unfolds less than said", compressed(2, packed(t, 2, whole), 33), 3,
			`in.parquet, row 1: column "x": a page does not decompress to the 33 bytes it is said to have` + again},
		{"C81 small snappy page of 256 MB", compressed(1, binary.AppendUvarint(nil, 1<<28), 1<<28), 3,
			`in.parquet, row 1: column "x": a page does not decompress to the 268435456 bytes it is said to have` + again},
		{"C81 damaged snappy page", compressed(1, append(packed(t, 1, whole)[:9], 0xff), 32), 3,
			`in.parquet, row 1: column "x": a page cannot be decompressed: s2: corrupt input` + again},
		{"C81 damaged gzip page", compressed(2, whole, 32), 3,
			`in.parquet, row 1: column "x": a page cannot be decompressed: gzip: invalid header` + again},
		{"C81 damaged zstd page", compressed(6, whole, 32), 3,
			`in.parquet, row 1: column "x": a page cannot be decompressed: invalid input: magic number mismatch` + again},
		{"C82 brotli", read(t, "brotli.parquet"), 3,
			`in.parquet: column "whole": the pages are compressed by brotli, which is not read; write the file with snappy, gzip, zstd or no compression`},
		{"C82 LZ4", read(t, "lz4.parquet"), 3,
			`in.parquet: column "whole": the pages are compressed by LZ4, which is not read; write the file with snappy, gzip, zstd or no compression`},
		{"C82 unknown codec", compressed(77, whole, 32), 3,
			`in.parquet: column "x": the pages are compressed by number 77, which is not read; write the file with snappy, gzip, zstd or no compression`},
		{"C82 unknown encoding", pages(page(4, 55, 32, whole)), 3,
			`in.parquet, row 1: column "x": the values have an encoding that is not read for them, number 55; write the file with plain or dictionary encoding`},
		// C83 to C85, C87 and more of C84: TestValues.
		{"C84 INT96", read(t, "int96.parquet"), 3,
			`in.parquet: column "stamp": the column holds timestamps, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore stamp`},
		{"C88 two columns of one name", read(t, "twice.parquet"), 3,
			`in.parquet: columns 1 and 2 are both named "x"; rename one`},
		{"C88 two names but for blanks", good.with(func(f *forged) { f.names[0] = " class " }), 3,
			`in.parquet: columns 1 and 2 are both named "class"; rename one`},
		{"C88 no name", good.with(func(f *forged) { f.names[0] = " " }), 3, `in.parquet: column 1 has no name; give it one`},
		{"2^31 rows in some 500 bytes", good.with(func(f *forged) {
			f.rows, f.groupRows, f.values = 1<<31-1, 1<<31-1, 1<<31-1
		}), 6, "in.parquet: the file is said to have 2147483647 rows in 200 bytes; beyond 16777216 rows there may be 4096 " +
			"for each byte, as a few bytes may stand for any number of equal cells"},
		{"C88 long name", good.with(func(f *forged) { f.names[0] = strings.Repeat("x", 1<<16+1) }), 6,
			`in.parquet: the name of column 1 has more than 65536 bytes; shorten it`},
		{"C89 encrypted footer", set(set(b, 0, "PARE"), -4, "PARE"), 3,
			"in.parquet: the file is encrypted; write it without encryption"},
		{"C89 encrypted column", good.with(func(f *forged) { f.chunk = []field{part(8)} }), 3,
			`in.parquet: column "x": the column is encrypted; write the file without encryption`},
		{"C89 cells in another file", good.with(func(f *forged) { f.path = []field{text(1, "part-1")} }), 3,
			`in.parquet: column "x": the cells are in another file; write the table as one file`},
		{"C90 no row groups", good.with(func(f *forged) { f.groups, f.rows = 0, 0 }), 3,
			"in.parquet: no rows; add at least one"},
		{"C90 row groups without rows", read(t, "empty.parquet"), 3, "in.parquet: no rows; add at least one"},
		{"C91 wrong checksum", pages(page(4, plainEncoding, 32, whole, number(4, 12345))), 3,
			`in.parquet, row 1: column "x": the checksum of a page is wrong` + again},
		{"C91 right checksum", pages(page(4, plainEncoding, 32, whole, number(4, int64(int32(crc32.ChecksumIEEE(whole)))))),
			0, ""},
		{"no pages", pages(), 3, `in.parquet, row 1: column "x": the pages end too early` + again},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := frame(tc.b, dataset.Options{})
			runtime.ReadMemStats(&after)
			if got := codeOf(err); got != tc.code {
				t.Errorf("exit code %d, want %d: %v", got, tc.code, err)
			}
			if err != nil && err.Error() != tc.want {
				t.Errorf("error\n got %v\nwant %s", err, tc.want)
			}
			if took := int64(after.TotalAlloc - before.TotalAlloc); took > 16<<20+8*int64(len(tc.b)) {
				t.Errorf("%d bytes allocated for a file of %d", took, len(tc.b))
			}
		})
	}
}

// panicking panics once it is asked for more than the metadata.
type panicking struct {
	*bytes.Reader
	on bool
}

func (p *panicking) ReadAt(b []byte, at int64) (int, error) {
	if p.on {
		panic("decoder")
	}
	return p.Reader.ReadAt(b, at)
}

// C80: no goroutine of its own decodes. A panic of other people's decoder is a fault of the file, exit code 3; one
// of ours is an error, too, which the command reports as a fault of the program: either way the process lives, and
// no frame comes of it.
func TestC80DecoderPanics(t *testing.T) {
	broken := &stretch{zstd: new(zstd.Decoder)} // without what a decoder needs
	if err := parallel.Safely(func() error { _, err := broken.decompress(6, []byte("page"), 32); return err }); !errors.As(
		err, new(*parallel.Fault)) {
		t.Fatalf("the decoder does not panic: %v", err)
	}
	if _, err := broken.unpacked(6, []byte("page"), 32); err == nil || err.Error() != "a page cannot be decompressed" {
		t.Errorf("a decoder that panics: %v", err)
	}
	b := read(t, "dictionary.parquet")
	r := &panicking{Reader: bytes.NewReader(b)}
	source, err := Open(r, int64(len(b)), "in.parquet")
	if err != nil {
		t.Fatal(err)
	}
	r.on = true
	var fault *parallel.Fault
	if f, err := dataset.Read(source, dataset.Options{Target: "class"}); f != nil || !errors.As(err, &fault) {
		t.Errorf("a panic while cells are read: frame %v, error %v", f, err)
	}
}

// Nobody may announce more than there is: the metadata are cut, changed and filled with bytes.
func TestDamagedMetadata(t *testing.T) {
	for _, name := range []string{"dictionary", "strange"} {
		b := read(t, name+".parquet")
		from := len(b) - 8 - int(binary.LittleEndian.Uint32(b[len(b)-8:]))
		for at := from; at < len(b)-8; at++ {
			changed := bytes.Clone(b)
			changed[at] = []byte{0, 0x7f, 0xff, b[at] ^ 1, b[at] ^ 0x10}[at%5]
			f, err := frame(changed, dataset.Options{})
			if err == nil {
				err = f.Check()
			}
			var usage *dataset.UsageError
			if codeOf(err) == 1 && !errors.As(err, &usage) {
				t.Fatalf("%s with %#x at %d: %v", name, changed[at], at, err)
			}
		}
	}
}

// FuzzParquet: no file may do more than fail.
func FuzzParquet(f *testing.F) {
	for _, name := range []string{"dictionary", "plain", "groups", "delta", "version2", "checksums", "integers", "strange",
		"empty"} {
		f.Add(read(f, name+".parquet"))
	}
	f.Add(newForged(page(4, plainEncoding, 32, doubles(1, 2, 3, 4))).bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Open(bytes.NewReader(b), int64(len(b)), "in.parquet")
		if err != nil {
			var panicked *parallel.Fault
			if errors.As(err, &panicked) {
				t.Error(err)
			}
			return
		}
		all := make([]bool, len(s.Columns()))
		for j := range all {
			all[j] = s.(*file).columns[j].strange == ""
		}
		if s.Use(all) != nil {
			return
		}
		for range 10000 {
			if _, err := s.Next(); err != nil {
				var panicked *parallel.Fault
				if errors.As(err, &panicked) || strings.Contains(err.Error(), "\n") {
					t.Errorf("a panic, or an error of several lines: %q", err)
				}
				return
			}
		}
	})
}

// Metadata that give the schema twice, before and behind the row groups, have columns of which no
// row group knows.
func TestSchemaTwice(t *testing.T) {
	leaf := func(name string) []byte { return structure(number(1, float64Type), number(3, required), text(4, name)) }
	chunk := structure(part(3, number(1, float64Type), number(5, 4), number(6, 32), number(7, 32), number(9, 4)))
	twice := func(id int, f field) []byte { // a field whose number is written out, as it does not rise
		return append(binary.AppendUvarint([]byte{f.kind}, uint64(id)<<1), f.b...)
	}
	meta := structure(number(1, 1), list(2, structure(text(4, "schema"), number(5, 2)), leaf("x")), number(3, 4),
		list(4, structure(list(1, chunk), number(2, 0), number(3, 4))))
	meta = append(meta[:len(meta)-1], append(twice(2, list(2, leaf("class"))), stopType)...)
	b := append([]byte("PAR1"), make([]byte, 40)...)
	b = binary.LittleEndian.AppendUint32(append(b, meta...), uint32(len(meta)))
	_, err := frame(append(b, "PAR1"...), dataset.Options{})
	if want := "in.parquet: the metadata are damaged: they are not what they should be; make the file again"; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A page may hold texts of other lengths than the column has.
func TestFixedLength(t *testing.T) {
	for _, tc := range []struct {
		c    column
		b    string
		want string
	}{
		{column{element: element{physical: fixedType, length: 16, logical: uuidLogical}, scale: -1, text: true},
			"0123456789abcdef", "30313233-3435-3637-3839-616263646566"},
		{column{element: element{physical: fixedType, length: 16, logical: uuidLogical}, scale: -1, text: true}, "0123",
			"its values have another length than the column"},
		{column{element: element{physical: fixedType, length: 2}, scale: 1}, "\x00\x15", "2.1"},
		{column{element: element{physical: fixedType, length: 2}, scale: 1}, "\x15",
			"its values have another length than the column"},
	} {
		cell, err := tc.c.ofBytes([]byte(tc.b))
		got := cell.String()
		if err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%q: %s, want %s", tc.b, got, tc.want)
		}
	}
}
