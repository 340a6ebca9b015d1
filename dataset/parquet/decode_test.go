package parquet

import (
	"errors"
	"slices"
	"testing"
)

// By hand: runs of a value and groups of eight packed ones, and what is cut short.
func TestHybrid(t *testing.T) {
	for _, tc := range []struct {
		width int
		b     []byte
		want  []uint64
		err   error // after these values
	}{
		{16, []byte{2 << 1, 0x01, 0x02, 1 << 1, 7, 0}, []uint64{0x0201, 0x0201, 7}, errTooFew},
		{16, []byte{2 << 1, 0x01}, nil, errFewBytes},
		{1, []byte{1<<1 | 1, 0b10110010, 1 << 1, 1}, []uint64{0, 1, 0, 0, 1, 1, 0, 1, 1}, errTooFew},
		{0, []byte{3 << 1}, []uint64{0, 0, 0}, errTooFew},
		{8, []byte{0x80}, nil, errTooFew},
	} {
		h, err := newHybrid(tc.b, tc.width)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range tc.want {
			if got, err := h.next(); err != nil || got != want {
				t.Errorf("%v: value %d is %d (%v), want %d", tc.b, i, got, err, want)
			}
		}
		if got, err := h.next(); !errors.Is(err, tc.err) {
			t.Errorf("%v: at the end %d, error %v, want %v", tc.b, got, err, tc.err)
		}
	}
}

// By hand: 5, 7, 8 and 12 are 5 and the differences 2, 1 and 4: the least, 1, and 1, 0 and 3 in 8 bits each. However
// the bytes are cut short, that is an error and no panic.
func TestDeltas(t *testing.T) {
	// blocks of 128 in 4 parts, 4 values, 5, the least; widths; 32 differences
	b := append([]byte{128, 1, 4, 4, 10, 2, 8, 0, 0, 0, 1, 0, 3}, make([]byte, 29)...)
	read := func(b []byte) (got []uint64, err error) {
		d, err := newDeltas(b)
		for err == nil && len(got) < 4 {
			var v uint64
			if v, err = d.next(); err == nil {
				got = append(got, v)
			}
		}
		return got, err
	}
	if got, err := read(b); err != nil || !slices.Equal(got, []uint64{5, 7, 8, 12}) {
		t.Errorf("%v, %v; want 5, 7, 8, 12", got, err)
	}
	for n := range b {
		if got, err := read(b[:n:n]); !errors.Is(err, errFewBytes) {
			t.Errorf("%d of %d bytes: %v, %v", n, len(b), got, err)
		}
	}
}
