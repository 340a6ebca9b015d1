package parquet

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// C92: what is wrong with the files in folder bad_data of apache/parquet-testing, as its README tells, is wrong with
// files made here. Each is refused, or read as it says of itself where it is in order for a table; none makes a
// reader panic.
func TestBadData(t *testing.T) {
	whole := doubles(1, 2, 3, 4)
	const again = "; the file is damaged: make it again"
	x := func(fields ...field) []byte { return structure(append(fields, text(4, "x"))...) }
	of := func(change func(*forged), pages ...[]byte) []byte {
		return newForged(slices.Concat(pages...)).with(change)
	}
	same := func(*forged) {}
	may := func(f *forged) { f.elements = x(number(1, float64Type), number(3, optional)) }
	leveled := func(rows, level byte, values []byte) []byte { // a page of an optional column, or a repeated one
		return page(4, plainEncoding, int64(6+len(values)), append(append(binary.LittleEndian.AppendUint32(nil, 2), rows<<1,
			level), values...))
	}
	logical := func(id int) field { // a logical type; its number is written out, as it may be above 15
		return part(10, field{0, structType, append(binary.AppendUvarint(nil, uint64(id)<<1), stopType)})
	}
	variant := func(f *forged) { // a record of one column of bytes
		group := structure(number(3, optional), text(4, "x"), number(5, 1), logical(16))
		f.elements, f.nested = append(group, structure(number(1, bytesType), number(3, required), text(4, "value"))...), true
		f.physical = bytesType
	}
	for _, tc := range []struct {
		name string
		b    []byte
		code int
		want string
	}{
		{"C92 PARQUET-1481 a damaged type in the schema", of(func(f *forged) { f.physical = -8 }, page(4, plainEncoding, 32,
			whole)), 3,
			`in.parquet: column "x": the column holds values of the unknown type -8, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore x`},
		{"C92 ARROW-RS-GH-6229-DICTHEADER a dictionary of less than no values", of(same, dictionary(-4, whole),
			page(4, rleDictionaryEncoding, 4, []byte{2, 3, 0xe4, 0})), 3,
			`in.parquet, row 1: column "x": its values take more bytes than it has` + again},
		{"C92 ARROW-RS-GH-6229-LEVELS too few levels", of(may, leveled(2, 1, whole)), 3,
			`in.parquet, row 3: column "x": it has fewer values than it says` + again},
		{"C92 ARROW-RS-GH-11261-FLBA-DICT a dictionary with lengths where there are none", of(same,
			dictionary(4, slices.Concat([]byte{8, 0, 0, 0}, whole[:8], []byte{8, 0, 0, 0}, whole[8:16])),
			page(4, rleDictionaryEncoding, 4, []byte{2, 3, 0xe4, 0})), 3,
			`in.parquet, row 1: column "x": its values take more bytes than it has` + again},
		{"C92 ARROW-GH-41321 levels of fewer rows than the page", of(may, leveled(3, 1, whole[:24])), 3,
			`in.parquet, row 4: column "x": it has fewer values than it says` + again},
		{"C92 ARROW-GH-41317 columns of different lengths", of(func(f *forged) { f.labels = 3 }, page(4, plainEncoding, 32,
			whole)), 3, `in.parquet, row 4: column "class": its values take more bytes than it has` + again},
		// all name the first value
		{"C92 ARROW-GH-43605 indices of no bit", of(same, dictionary(4, whole), page(4, rleDictionaryEncoding, 2,
			[]byte{0, 4 << 1})), 0, ""},
		{"C92 ARROW-GH-45185 repetition that begins within a row", of(func(f *forged) {
			f.elements = x(number(1, float64Type),
				number(3, repeated))
		}, leveled(4, 1, whole)), 3,
			`in.parquet: column "x": the column holds lists, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore x`},
		{"C92 ARROW-GH-47662 missing values in a required column", of(same, page(4, plainEncoding, 24, whole[:24])), 3,
			`in.parquet, row 4: column "x": its values take more bytes than it has` + again},
		{"C92 ARROW-GH-41764 an unknown logical type", of(func(f *forged) {
			f.elements = structure(number(1, float64Type), number(3, required), text(4, "x"), logical(99))
		}, page(4, plainEncoding, 32, whole)), 0, ""}, // numbers all the same
		{"C92 variants, whatever is in them", of(variant, page(4, plainEncoding, 32, whole)), 3,
			`in.parquet: column "x": the column holds variants, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore x`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := frame(tc.b, dataset.Options{})
			if got := codeOf(err); got != tc.code || err != nil && err.Error() != tc.want {
				t.Errorf("exit code %d, want %d:\n got %v\nwant %s", got, tc.code, err, tc.want)
			}
		})
	}
}
