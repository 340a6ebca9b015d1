package vote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// rename gives classes the names that their labels have, where a program writes 1.0 in the header and 1 below.
func (f *voteFile) rename() {
	names := slices.Clone(f.table.Classes)
	for c, label := range f.labels {
		names[c] = cmp.Or(label, names[c])
	}
	if slices.IsSortedFunc(names, csvtext.Order(names)) {
		f.table.Classes = names
	}
}

// alikeSums is by how much the sums of scores of rows may differ that are one, as those of shares are rounded.
const alikeSums = 1e-3

// Of how many labelled rows on it is no chance that sums are one, and that a class without a row wins most of them.
const fewestAlike, fewestWon = 5, 20

// noClass refuses columns that hold something else than the votes for a class: no row is of it, and only without them
// do the votes of every row add up to the same; or they would decide most rows, though none rightly.
func (f *voteFile) noClass() error {
	t, k := f.table, len(f.table.Classes)
	rows := make([]int, k)
	labelled := 0
	for _, c := range t.Truth {
		if c >= 0 {
			rows[c]++
			labelled++
		}
	}
	var strange []string
	for c, n := range rows {
		if n == 0 {
			strange = append(strange, t.Classes[c])
		}
	}
	if labelled == 0 || strange == nil || k-len(strange) < 2 {
		return nil
	}
	all, known := spread{}, spread{}
	won := 0
	for i := range t.Rows() {
		of, most := 0.0, 0
		votes := t.Votes(i)
		for c, n := range votes {
			if rows[c] > 0 {
				of += float64(n)
			}
			if n > votes[most] {
				most = c
			}
		}
		all.add(float64(Total(votes)))
		known.add(of)
		if rows[most] == 0 {
			won++
		}
	}
	why := ""
	switch {
	case all.same() || labelled < fewestAlike:
		return nil
	case known.same():
		why = "without which the votes of every row add up to the same"
	case 2*won > t.Rows() && labelled >= fewestWon:
		why = "which have the most votes in most rows"
		if len(strange) == 1 {
			why = "which has the most votes in most rows"
		}
	default:
		return nil
	}
	ignore := make([]string, len(strange))
	for i, name := range strange {
		ignore[i] = csvtext.Flag("ignore", name, "COLUMN")
	}
	return f.in.FileFaultf("", "no row is of class %s, %s; leave %s out with %s, or give rows of %[3]s",
		nearest.List(strange), why, english.Verb(len(strange), "it", "them"), strings.Join(ignore, " "))
}

// spread are the least and the largest of some numbers.
type spread struct {
	low, high float64
	any       bool
}

func (s *spread) add(v float64) {
	if !s.any {
		s.low, s.high, s.any = v, v, true
	}
	s.low, s.high = min(s.low, v), max(s.high, v)
}

func (s *spread) same() bool { return s.high-s.low <= alikeSums*s.high }

// unknown is the error for a label that no column is named as. Programs put a word in front, as in prob_ill.
func (f *voteFile) unknown(label string) error {
	for _, name := range f.table.Classes {
		if strings.HasSuffix(name, "_"+label) || strings.HasSuffix(name, "."+label) {
			return fmt.Errorf("unknown class %s; call each column as its class: %[1]s and not %s", english.Quote(label),
				english.Quote(name))
		}
	}
	return nearest.Unknown("class", label, f.table.Classes)
}
