// Package spelling tells texts that mean the same although their bytes differ.
package spelling

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean returns a text in the one form in which it is kept: in the composed form of Unicode (NFC, annex 15), as macOS
// takes é apart; without what has no width, which programs leave behind; with a plain blank for every other blank;
// without blanks around it.
func Clean(text string) string {
	if ascii(text) {
		return strings.TrimSpace(text)
	}
	text = strings.TrimFunc(text, blank)
	text = strings.Map(func(r rune) rune {
		switch {
		case widthless(r):
			return -1
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		return r
	}, text)
	return strings.TrimSpace(norm.NFC.String(text))
}

// Trim returns a text without blanks and what has no width around it.
func Trim(text string) string { return strings.TrimFunc(text, blank) }

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// widthless are the runes that nobody sees. The joiners of scripts and of emoji, U+200C and U+200D, change how the
// letters around them look, so that they are such at the ends of a text alone.
func widthless(r rune) bool { return r == '\u200b' || r == '\u2060' || r == '\ufeff' || r == '\u00ad' }

func blank(r rune) bool {
	return unicode.IsSpace(r) || widthless(r) || r == '\u200c' || r == '\u200d' || r == '\u200e' || r == '\u200f'
}

// Key returns what texts share that mean the same: a text as [Clean] has it, and a whole number without the zeros
// behind its point, as programs write 1.0 in a column in which a cell is missing.
func Key(text string) string {
	text = Clean(text)
	whole, zeros, pointed := strings.Cut(text, ".")
	if pointed && zeros != "" && strings.Trim(zeros, "0") == "" && digits(whole) {
		return whole
	}
	return text
}

func digits(text string) bool {
	text = strings.TrimLeft(text, "+-")
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Truth returns the truth value that a text names, as pandas, R, databases and people write it; ok is false for others.
func Truth(text string) (value, ok bool) {
	switch strings.ToLower(Key(text)) {
	case "true", "t", "yes", "y", "1":
		return true, true
	case "false", "f", "no", "n", "0":
		return false, true
	}
	return false, false
}

// Words reports whether texts are truth values in words, true and false or both: T and F alone are such only where
// both stand, as F may as well be a woman.
func Words(texts []string) bool {
	letters, words := 0, 0
	for _, text := range texts {
		switch strings.ToLower(Clean(text)) {
		case "true", "false":
			words++
		case "t", "f":
			letters++
		default:
			return false
		}
	}
	return words > 0 || letters > 0 && len(truths(texts)) == 2
}

// Pair reports whether texts are two that name the two truth values.
func Pair(texts []string) bool { return len(texts) == 2 && len(truths(texts)) == 2 }

func truths(texts []string) map[bool]bool {
	found := map[bool]bool{}
	for _, text := range texts {
		if value, ok := Truth(text); ok {
			found[value] = true
		}
	}
	return found
}

// Merge returns what each of some texts is kept as, such that texts that mean the same are kept as one: as [Clean] has
// it; of 1 and 1.0, the shorter; of True and TRUE, where all are truth values, the one of most rows.
func Merge(texts []string, rows []int) []string {
	kept, same := make([]string, len(texts)), map[string][]int{}
	words := Words(texts)
	for i, text := range texts {
		kept[i] = Clean(text)
		key := Key(text)
		if value, _ := Truth(text); words {
			key = map[bool]string{true: "true", false: "false"}[value]
		}
		same[key] = append(same[key], i)
	}
	for _, key := range slices.Sorted(maps.Keys(same)) {
		of := same[key]
		best := slices.MinFunc(of, func(a, b int) int {
			if words && rows[a] != rows[b] {
				return rows[b] - rows[a]
			}
			if n := len(kept[a]) - len(kept[b]); n != 0 {
				return n
			}
			return strings.Compare(kept[a], kept[b])
		})
		for _, i := range of {
			kept[i] = kept[best]
		}
	}
	return kept
}
