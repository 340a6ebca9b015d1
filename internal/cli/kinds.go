package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
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

// DecideHows are the values of that flag.
var DecideHows = []string{"weights", "cost"}

// DriftError ends a verb where drift shows, if that was asked for.
type DriftError struct{ Err error }

func (e DriftError) Error() string { return e.Err.Error() }

// SameCosts tells whether decisions cost the same.
func SameCosts(a, b pragma.Costs) bool {
	if !slices.EqualFunc(a.Matrix, b.Matrix, slices.Equal[[]float64]) {
		return false
	}
	for truth := range a.Matrix {
		if (a.ByAmount != nil && a.ByAmount[truth]) != (b.ByAmount != nil && b.ByAmount[truth]) {
			return false
		}
	}
	return true
}

// GivenRules are the rules that --weights can name.
var GivenRules = []string{"plain", "prior", "cost"}

// cutLast cuts a text around the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}

// lengthOf reads how many rows a list has, or what part of all of them: 20, or 1%. Of another number it is not ok.
func lengthOf(text string) (l eval.TopList, ok bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); err == nil {
		l.Rows = float64(n)
		return l, n > 0
	}
	share, err := csvtext.Share(text)
	l.Share = share
	return l, err == nil && share > 0 && share <= 1 && strings.HasSuffix(text, "%")
}

// Renamed says what to do where classes that the model does not know are its own by other names.
func Renamed(unknown []view.UnknownInfo) string {
	label := unknown[0].Label
	return fmt.Sprintf("where %s is a class of the model by another name, add %s", english.Quote(label),
		csvtext.MergeFlag("CLASS", []string{label}))
}

// unadvised leaves out of a warning of missing cells the advice to withhold the decision, for who does.
func unadvised(warning error) error {
	var gaps *dataset.GapsWarning
	if errors.As(warning, &gaps) {
		return errors.New(strings.TrimSuffix(warning.Error(), gaps.Advice))
	}
	return warning
}
