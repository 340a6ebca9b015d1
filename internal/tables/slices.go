package tables

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

// Slice returns votes for the rows of f, in their order, that tell which rows are in which slices; t itself without
// slices, or where it has these. Errors: those of [dataset.Frame.Cells].
func Slice(t *vote.Table, f *dataset.Frame, of []vote.Slice) (*vote.Table, error) {
	if len(of) == 0 || slices.Equal(t.Slices, of) {
		return t, nil
	}
	if t.Rows() != f.Rows() {
		return nil, fmt.Errorf("votes for %d rows, and %d rows to tell apart; give those that the votes are for", t.Rows(),
			f.Rows())
	}
	in := make([]uint64, t.Rows())
	for s, slice := range of {
		cells, err := f.Cells(slice.Column)
		if err != nil {
			return nil, err
		}
		is := valued(slice)
		for i := range in {
			if is(cells(i)) { // more than bits are refused later
				in[i] |= 1 << s
			}
		}
	}
	out := *t
	out.Slices, out.In = of, in
	return &out, nil
}

// SliceKnown is [Slice] for those slices whose columns f has.
func SliceKnown(t *vote.Table, f *dataset.Frame, of []vote.Slice) (*vote.Table, error) {
	return Slice(t, f, slices.DeleteFunc(slices.Clone(of), func(s vote.Slice) bool {
		_, err := f.Cells(s.Column)
		return err != nil
	}))
}

// CheckSlices makes sure that some row is in each slice. Errors: those of [dataset.Frame.Cells],
// *[nearest.UnknownError].
func CheckSlices(f *dataset.Frame, of []vote.Slice) error {
	for _, slice := range of {
		cells, err := f.Cells(slice.Column)
		if err != nil {
			return err
		}
		is, found, seen := valued(slice), false, map[string]bool{}
		for i := 0; i < f.Rows() && !found; i++ {
			cell := cells(i)
			seen[cell], found = true, is(cell)
		}
		if !found {
			known := make([]string, 0, len(seen))
			for cell := range seen {
				known = append(known, cell)
			}
			slices.Sort(known)
			return fmt.Errorf("column %s: %w", english.Quote(slice.Column), nearest.Unknown("value", slice.Value, known))
		}
	}
	return nil
}

// valued is [vote.Slice.Has], and looks at each text once.
func valued(of vote.Slice) func(cell string) bool {
	known := map[string]bool{}
	return func(cell string) bool {
		is, seen := known[cell]
		if !seen {
			is = of.Has(cell)
			known[cell] = is
		}
		return is
	}
}
