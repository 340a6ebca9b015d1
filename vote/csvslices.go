package vote

import (
	"maps"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// slices returns the slices that a row is in by what it has in column j, as bits.
func (f *voteFile) slices(j int, cell string) uint64 {
	in := uint64(0)
	cell = strings.TrimSpace(cell)
	if f.values[j] == nil {
		f.values[j] = map[string]bool{}
	}
	if !f.values[j][cell] {
		f.values[j][strings.Clone(cell)] = true
	}
	for s, slice := range f.table.Slices {
		if slice.Column == f.in.Header[j] && slice.Has(cell) {
			in |= 1 << s
		}
	}
	return in
}

// checkSlices refuses slices that no row is in.
func (f *voteFile) checkSlices() error {
	all := uint64(0)
	for _, in := range f.table.In {
		all |= in
	}
	for s, slice := range f.table.Slices {
		if all>>s&1 == 0 && s < mostSlices {
			seen := f.values[slices.Index(f.in.Header, slice.Column)]
			return csvtext.Usagef("%s: column %s: %v", f.in.File, english.Quote(slice.Column), nearest.Unknown("value",
				slice.Value, slices.Sorted(maps.Keys(seen))))
		}
	}
	return nil
}
