package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
)

// Product is a kind of file that a verb writes.
type Product struct {
	What    string                 // such as "a model"
	Endings []string               // of the names of such files, the usual one first
	May     func(head []byte) bool // whether a file that begins so may be one, and be replaced by one
	Other   map[string]string      // by ending: what to add to a command with --output for a file of that kind
}

// LinesProduct is a file with one object of JSON a line.
var LinesProduct = Product{What: "lines of JSON", Endings: []string{".json", ".jsonl", ".ndjson", ".txt"}, May: IsText}

// StartingWith tells files of ours that begin so.
func StartingWith(text string) func(head []byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(text)) }
}

// IsText reports whether a file that begins so may be text, and not a file of ours.
func IsText(head []byte) bool {
	return bytes.IndexByte(head, 0) < 0 && !slices.ContainsFunc([]string{rfpragma.Magic, KindTrees, KindVotes},
		func(kind string) bool { return StartingWith(kind)(head) })
}

// How the trees of a part begin, and a file of votes.
const (
	KindTrees = "RFPTREES"
	KindVotes = "RFPVOTES"
)

// NamesLines tells whether the name of a file says that rows are written as JSON, an object on each line.
func NamesLines(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext != ".txt" && slices.Contains(LinesProduct.Endings, ext)
}
