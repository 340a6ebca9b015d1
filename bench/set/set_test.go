package set

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// npy returns the path of a file of version 1.0, whose header is padded as NumPy pads it.
func npy(t *testing.T, descr, shape string, words ...uint32) string {
	t.Helper()
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape)
	head += strings.Repeat(" ", (64-(10+len(head)+1)%64)%64) + "\n"
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	b = append(b, head...)
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func floats(x ...float32) []uint32 {
	words := make([]uint32, len(x))
	for i, v := range x {
		words[i] = math.Float32bits(v)
	}
	return words
}

func TestRows(t *testing.T) {
	m, err := Rows(npy(t, "<f4", "2, 3", floats(1, 2, 3, 4, -5.5, 6)...))
	if err != nil {
		t.Fatal(err)
	}
	if m.Rows != 2 || m.Columns != 3 || !slices.Equal(m.Cells, []float32{1, 2, 3, 4, -5.5, 6}) {
		t.Errorf("Rows = %+v", m)
	}
}

// More values than a block holds, the last block not full.
func TestManyRows(t *testing.T) {
	const n = 3*1<<14 + 5
	words := make([]uint32, n)
	for i := range words {
		words[i] = uint32(i)
	}
	y, err := Labels(npy(t, "<i4", fmt.Sprintf("%d,", n), words...))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range y {
		if v != i {
			t.Fatalf("label %d is %d", i, v)
		}
	}
	if len(y) != n {
		t.Errorf("%d labels of %d", len(y), n)
	}
}

func TestRefused(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.npy")
	if err := os.WriteFile(other, []byte("PK\x03\x04 and so on"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, path, want string }{
		{"absent", filepath.Join(t.TempDir(), "no.npy"), "make the sets with sets.py"},
		{"another format", other, "not an .npy file of version 1.0"},
		{"doubles", npy(t, "<f8", "1, 1", 0, 0), "not one of <f4 in C order with 2 dimensions"},
		{"one dimension", npy(t, "<f4", "2,", 0, 0), "with 2 dimensions"},
		{"too short", npy(t, "<f4", "2, 2", 0, 0, 0), "the values are cut short"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Rows(tc.path); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Rows: %v, want %q", err, tc.want)
			}
		})
	}
	if _, err := Labels(npy(t, "<i4", "1, 2", 0, 0)); err == nil {
		t.Error("Labels took a matrix")
	}
}

// What is written is read back, and is what NumPy writes.
func TestWrite(t *testing.T) {
	stem := filepath.Join(t.TempDir(), "a.train")
	m, y := Matrix{2, 3, []float32{1, 2, 3, 4, -5.5, 6}}, []int{4, -1}
	if err := errors.Join(WriteRows(stem+".X.npy", m), WriteLabels(stem+".y.npy", y)); err != nil {
		t.Fatal(err)
	}
	x, labels, err := Part(strings.TrimSuffix(stem, ".train"), "train")
	if err != nil || !slices.Equal(x.Cells, m.Cells) || x.Rows != 2 || x.Columns != 3 || !slices.Equal(labels, y) {
		t.Errorf("Part = %+v, %v, %v", x, labels, err)
	}
	got, err := os.ReadFile(stem + ".X.npy")
	want, err2 := os.ReadFile(npy(t, "<f4", "2, 3", floats(m.Cells...)...))
	if err := errors.Join(err, err2); err != nil || !slices.Equal(got, want) {
		t.Errorf("WriteRows wrote %q, %v", got, err)
	}
}

func TestFrame(t *testing.T) {
	f := Frame(Matrix{2, 3, []float32{1, 2, 3, 4, 5, 6}}, []int{1, 0}, 2, nil)
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{1, 2, 3}, {4, 5, 6}} {
		row := make([]float64, 3)
		if f.Row(row, i); !slices.Equal(row, want) {
			t.Errorf("row %d is %v, want %v", i, row, want)
		}
	}
	if !slices.Equal(f.Classes, []string{"0", "1"}) || !slices.Equal(f.Truth, []int{1, 0}) {
		t.Errorf("classes %q, truth %v", f.Classes, f.Truth)
	}
}

func TestFrameWithLevels(t *testing.T) {
	m, y, levels := Matrix{3, 2, []float32{1, 10, 2, float32(math.NaN()), 3, 0}}, []int{1, 0, 1}, []int{0, 12}
	for name, f := range map[string]*dataset.Frame{"Frame": Frame(m, y, 2, levels), "Coded": Coded(m, y, 2, levels, 2)} {
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		c := f.Columns[1]
		if f.Columns[0].Kind != dataset.Numeric || c.Kind != dataset.Categorical || len(c.Levels) != 12 || c.At(0) != 10 || !math.IsNaN(c.At(1)) || c.At(2) != 0 {
			t.Errorf("%s: columns %+v", name, f.Schema())
		}
		if back := Cells(f); fmt.Sprint(back) != fmt.Sprint(m) { // NaN is not equal to itself
			t.Errorf("%s: Cells = %v, want %v", name, back, m)
		}
	}
}

func TestLevels(t *testing.T) {
	path := npy(t, "<i4", "2,", 0, 12)
	stem := filepath.Join(filepath.Dir(path), "a")
	if levels, err := Levels(stem); levels != nil || err != nil {
		t.Errorf("Levels of a set without = %v, %v", levels, err)
	}
	if err := os.Rename(path, stem+".levels.npy"); err != nil {
		t.Fatal(err)
	}
	if levels, err := Levels(stem); err != nil || !slices.Equal(levels, []int{0, 12}) {
		t.Errorf("Levels = %v, %v", levels, err)
	}
}

func TestWriteShares(t *testing.T) {
	path := filepath.Join(t.TempDir(), "votes")
	if err := WriteShares(path, []uint32{1, 3}, 4); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	want := []byte{0, 0, 0x80, 0x3e, 0, 0, 0x40, 0x3f} // 0.25 and 0.75 by IEEE 754
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("WriteShares wrote % x, %v", got, err)
	}
}
