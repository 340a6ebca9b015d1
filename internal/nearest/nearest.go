// Package nearest finds the name that a misspelt one probably meant.
package nearest

import "fmt"

// Of returns the name closest to word by edit distance, the first of equals, or "" when none
// is close: about a third of the letters may be wrong.
func Of(word string, names []string) string {
	letters := []rune(word)
	limit := (len(letters) + 1) / 3
	best, least := "", limit+1
	for _, n := range names {
		if d := distance(letters, []rune(n), limit); d < least {
			best, least = n, d
		}
	}
	return best
}

// Hint returns `, did you mean "x"?` for the nearest name, or "" when none is close.
func Hint(word string, names []string) string {
	if n := Of(word, names); n != "" {
		return fmt.Sprintf(", did you mean %q?", n)
	}
	return ""
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
