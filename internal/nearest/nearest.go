// Package nearest finds the names that a misspelt one probably meant, and says so.
package nearest

import (
	"fmt"
	"github.com/rfpragma/rfpragma/internal/english"
	"slices"
	"strings"
)

// Of returns the name closest to word, the first of equals, or "" when none is close: letter
// case aside, about a third of the letters may be wrong, but no more than three, or the one begins with the other.
func Of(word string, names []string) string {
	if found := near(word, names); len(found) > 0 {
		return found[0]
	}
	return ""
}

// Hint returns ` (did you mean "x"?)` for the nearest name, or "" when none is close.
func Hint(word string, names []string) string {
	if n := Of(word, names); n != "" {
		return fmt.Sprintf(" (did you mean %s?)", english.Quote(n))
	}
	return ""
}

// Suggest returns `did you mean "x", "y"?` with the three nearest names, or `there is` with
// the [List] of all when none is close.
func Suggest(word string, names []string) string {
	found := near(word, names)
	if len(found) == 0 {
		return "there is " + List(names)
	}
	return "did you mean " + List(found[:min(3, len(found))]) + "?"
}

// UnknownError is the error for a name that is none of the known ones.
type UnknownError struct {
	What  string // is named: "class", "key"
	Name  string
	Known []string
}

// Unknown returns an [UnknownError].
func Unknown(what, name string, known []string) error { return &UnknownError{what, name, known} }

// Error lists the known names and the nearest one.
func (e *UnknownError) Error() string {
	cure := "use one of them"
	if n := Of(e.Name, e.Known); n != "" {
		cure = fmt.Sprintf("did you mean %s?", english.Quote(n))
	}
	return fmt.Sprintf("unknown %s %s; known are %s; %s", e.What, english.Quote(e.Name), List(e.Known), cure)
}

// List quotes the first ten of names and counts the rest.
func List(names []string) string {
	const most = 10
	parts := make([]string, 0, most+1)
	for i, name := range names {
		if i == most && len(names) > most+1 {
			// The last of many is often the one looked for: the label of a table, say.
			parts = append(parts, fmt.Sprintf("and %d more up to %s", len(names)-most, english.Quote(names[len(names)-1])))
			break
		}
		parts = append(parts, english.Quote(name))
	}
	return strings.Join(parts, ", ")
}

// A word of more letters is no misspelt name, and would take long to compare.
const longest = 256

// near returns the names that are close to word, the closest first.
func near(word string, names []string) []string {
	letters := []rune(strings.ToLower(word))
	if len(letters) > longest {
		return nil
	}
	limit := min((len(letters)+1)/3, 3)
	byDistance := make([][]string, limit+2) // the last are those with the same beginning
	for _, n := range names {
		name := []rune(strings.ToLower(n))
		if d := distance(letters, name, limit); d <= limit {
			byDistance[d] = append(byDistance[d], n)
		} else if begins(letters, name) {
			byDistance[limit+1] = append(byDistance[limit+1], n)
		}
	}
	return slices.Concat(byDistance...)
}

// begins tells whether the name begins with the word, or the word with the name: with a few letters at least.
func begins(word, name []rune) bool {
	if len(word) <= len(name) {
		return len(word) > 1 && slices.Equal(word, name[:len(word)])
	}
	return len(name) > 2 && slices.Equal(name, word[:len(name)])
}

// distance is the number of letters to insert, delete, replace or swap (with the next one) to
// get from a to b. Words whose lengths differ by more than limit are not looked into.
func distance(a, b []rune, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
