package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
)

// One row of the training is told as one.
func TestOneKnown(t *testing.T) {
	const want = "in.csv: about 1 of these 60 rows was in the training, alike in label and features; trees know such " +
		"rows by heart, so that what follows flatters; give rows that came later"
	if got := overlapWarnings(rfpragma.Overlap{Same: 1, Rows: 60}, nil, "in.csv"); len(got) != 1 ||
		got[0].Error() != want {
		t.Errorf("%v, want %s", got, want)
	}
	const twice = "in.csv: about 20 of these 60 rows have the same label and features as an earlier one, "
	if got := overlapWarnings(rfpragma.Overlap{Again: 20, Rows: 60}, nil, "in.csv"); len(got) != 1 ||
		!strings.HasPrefix(got[0].Error(), twice) {
		t.Errorf("%v, want %s", got, twice)
	}
}

// A class is named of which more rows are known than of all rows, with what chance makes of it.
func TestKnownOfAClass(t *testing.T) {
	const after = " in the training, alike in label and features; trees know such rows by heart, so that what follows " +
		"flatters; give rows that came later"
	ill := rfpragma.ClassOverlap{Class: 1, Rows: 96, Same: 82}
	for _, tc := range []struct {
		known rfpragma.Overlap
		want  string
	}{
		{rfpragma.Overlap{Rows: 1245, Classes: []rfpragma.ClassOverlap{ill}},
			`in.csv: about 82 of the 96 rows of "ill" were`},
		{rfpragma.Overlap{Rows: 1245, Classes: []rfpragma.ClassOverlap{{Class: 0, Rows: 9, Same: 8, Chance: 1}, ill}},
			`in.csv: about 8 of the 9 rows of "well" (by chance it would be about 1), 82 of the 96 rows of "ill" were`},
		{rfpragma.Overlap{Rows: 345, Same: 182, Chance: 3, Classes: []rfpragma.ClassOverlap{{Class: 0, Rows: 249, Same: 100},
			ill}}, `in.csv: about 182 of these 345 rows (by chance it would be about 3), 82 of the 96 rows of "ill" were`},
		{rfpragma.Overlap{Rows: 105, Same: 90, Classes: []rfpragma.ClassOverlap{ill}},
			`in.csv: about 90 of these 105 rows were`},
	} {
		if got := overlapWarnings(tc.known, []string{"well", "ill"}, "in.csv"); len(got) != 1 || got[0].Error() != tc.want+
			after {
			t.Errorf("%v\nwant %s", got, tc.want+after)
		}
	}
}
