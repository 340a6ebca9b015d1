package parquet

import (
	"errors"
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
