package dataset

import (
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// measured is a file that is made while it is read, and sees now and then what is in use.
type measured struct {
	header    string
	rows      int
	row       func(dst []byte) []byte
	buf       []byte
	made      int
	base      uint64 // bytes in use before
	most      uint64 // bytes in use beyond that, at the most
	allocated uint64 // at the end of the file, all that were ever in use
}

func inUse() (now, ever uint64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, m.TotalAlloc
}

func (f *measured) Read(p []byte) (int, error) {
	if f.made == 0 && len(f.buf) == 0 {
		f.buf = append(f.buf, f.header...)
	}
	for len(f.buf) < len(p) && f.made < f.rows {
		f.buf = f.row(f.buf)
		f.made++
		if f.made%(f.rows/20) == 0 {
			now, ever := inUse()
			f.most, f.allocated = max(f.most, now-f.base), ever
		}
	}
	if len(f.buf) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.buf)
	f.buf = f.buf[:copy(f.buf, f.buf[n:])]
	return n, nil
}

// Reading takes little more memory than the codes: two bytes a cell where there are few
// values. As float64 the cells would take eight, and coding them afterwards the codes and the
// scratch beside them. One worker reads: of several it depends on who comes first what is in use
// when, and each has but a part at hand, which does not grow with the file.
func TestMemoryOfReading(t *testing.T) {
	const n, p = 200_000, 10
	r := rand.New(rand.NewPCG(1, 1))
	for _, tc := range []struct {
		name             string
		cell             func() float64
		most, ends, kept float64 // bytes a cell: at most while reading, allocated from the last row on, and of the frame
	}{
		// The codes, 2, and room for up to a quarter more; the block at hand of each column, 0.3; labels
		// 0.1; and of the part at hand the texts, 0.1, and the cells, 0.6, which do not grow with the file.
		{"few values", func() float64 { return float64(r.IntN(200)) }, 3.8, 3.9, 2.1},
		// The cells, 8; the dictionaries, up to 2.5 each eighth of them; after that codes and values
		// of 4 and 8, and 44 a row to rank a column, and 12 to
		// look whether it tells the class, which the next one uses again.
		{"all different", r.Float64, 11.8, 19.5, 12.1},
	} {
		header := ""
		for j := range p {
			header += "x" + strconv.Itoa(j) + ","
		}
		f := &measured{header: header + "y\n", rows: n}
		f.row = func(dst []byte) []byte {
			for range p {
				dst = append(csvtext.AppendNumber(dst, tc.cell()), ',')
			}
			return append(dst, "ab"[f.made%2], '\n')
		}
		f.base, _ = inUse()
		frame, err := ReadCSV(f, "in.csv", Options{Target: "y", Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, ever := inUse()
		ends := float64(ever-f.allocated) / (n * p)
		frame.Truth, f.buf = nil, nil
		now, _ := inUse()
		most, kept := float64(f.most)/(n*p), float64(now-f.base)/(n*p)
		t.Logf("%s: %.2f bytes a cell at most while reading, %.2f allocated after it, %.2f kept", tc.name, most, ends, kept)
		if most > tc.most || ends > tc.ends || kept > tc.kept {
			t.Errorf("%s: bytes a cell: %.2f at most while reading, want %.1f; %.2f allocated after it, want %.1f; %.2f kept, "+
				"want %.1f", tc.name, most, tc.most, ends, tc.ends, kept, tc.kept)
		}
		if frame.Rows() != n {
			t.Errorf("%s: %d rows", tc.name, frame.Rows())
		}
		runtime.KeepAlive(frame)
	}
}
