package predictions

import (
	"fmt"
	"hash/fnv"
	"io"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// MostIDs is how many different ids are kept to know them again: of a file with more the first ones, so that memory
// does not grow with it.
const MostIDs = 1 << 18

// Repeats finds ids that were there before.
type Repeats struct {
	seen  map[uint64]bool // by hash, and nothing forgotten
	most  int
	rows  int // how many have the id of an earlier one
	first int // the number of the first of them
}

// NewRepeats begins to look for ids that come again.
func NewRepeats(most int) *Repeats {
	return &Repeats{seen: map[uint64]bool{}, most: most}
}

// Add looks at the ids of a block, before which there are so many rows.
func (r *Repeats) Add(ids []string, before int) {
	hash := fnv.New64a()
	for i, id := range ids {
		hash.Reset()
		_, _ = io.WriteString(hash, id) // which cannot fail
		switch key := hash.Sum64(); {
		case r.seen[key]:
			if r.rows++; r.rows == 1 {
				r.first = before + i + 1
			}
		case len(r.seen) < r.most:
			r.seen[key] = true
		}
	}
}

// Warnings says that the column of ids does not tell the rows of a file apart.
func (r *Repeats) Warnings(file, column string, rows int) []error {
	if r.rows == 0 {
		return nil
	}
	least := ""
	if len(r.seen) == r.most {
		least = "at least "
	}
	return []error{fmt.Errorf(option.Text(
		"%s: %s%d of %s %s the id of an earlier one, the first of them row %d: column %s does not "+
			"tell which row is meant; name another column with {id}, or {id} '' counts the rows"),
		file, least, r.rows, english.Plural(rows, "row"), english.Verb(r.rows, "has", "have"), r.first,
		english.Quote(column))}
}
