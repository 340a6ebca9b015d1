// Package catalogue describes public benchmark sets: what they are, where they live, and how
// the files that are there become CSV text with a header, the label last in a column named
// class, an empty cell where a value is missing.
//
// It holds only sets whose home states a licence or lists them as public, whose form there can
// be described by a layout, and whose rows there are known. What comes out is
// held against a SHA-256: it is the very table that figures in this repository were measured on, or an error.
package catalogue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// Set is a public benchmark set.
type Set struct {
	Name     string
	About    string // what the class tells, in at most 40 letters
	Rows     int    // with all parts the home has
	Features int    // columns beside the label
	Classes  int    // that occur
	// columns of categories that look like numbers, wholly or in part, and so have to be named to a reader
	Categorical []string
	First       string // flags of cv for a first look, as one would type them
	Licence     string // as its home states it
	Cite        string // who made it
	URL         string // where it is downloaded from: a zip archive, or an ARFF file
	SHA256      string // of the CSV text, in hexadecimal
	Layout      Layout // of what is there
}

// All returns the sets by name.
func All() []Set {
	return slices.SortedFunc(slices.Values(slices.Concat(uci, openML)), func(a, b Set) int {
		return strings.Compare(a.Name,
			b.Name)
	})
}

// Find returns the set of that name. The error says which names are near.
func Find(name string) (Set, error) {
	var names []string
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Set{}, fmt.Errorf("there is no set %s: %s", english.Quote(name), nearest.Suggest(name, names))
}

// Check returns an error unless text is the set, to the last byte.
func (s *Set) Check(text []byte) error {
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); got != s.SHA256 {
		return fmt.Errorf("SHA-256 %s, not %s", got, s.SHA256)
	}
	return nil
}

// Convert returns the CSV text of the set. Raw is what its home has: a zip archive, or the file
// itself. A set of one file may be given as that file, out of its archive.
//
// The error says what is wrong with raw, or that the table is not the one that was expected.
func (s *Set) Convert(raw []byte) ([]byte, error) {
	files, err := s.Layout.open(raw)
	var text []byte
	if err == nil {
		text, err = s.Layout.table(files)
	}
	if err == nil {
		err = s.Check(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not the set that is expected: %w; it was damaged on its way, or changed where it comes "+
			"from: get it again, or another copy by --from", s.Name, err)
	}
	return text, nil
}
