// Package english has numbers agree with the words around them, and quotes what people wrote.
package english

import (
	"fmt"
	"strconv"
	"strings"
)

// longestQuote is how many letters of a text are quoted.
const longestQuote = 64

// Quote quotes a text in a message, escaped. A long one is cut and ends in "…".
func Quote(text string) string {
	letters := 0
	for i := range text {
		if letters == longestQuote {
			return strconv.Quote(text[:i] + "…")
		}
		letters++
	}
	return strconv.Quote(text)
}

// Number is one that is written as it is, or is written already, such as 6,000 or 0.5.
type Number interface{ int | string }

// Plural returns "1 row", "2 rows", "0.5 rows", "2 classes".
func Plural[N Number](n N, noun string) string {
	return fmt.Sprint(n) + " " + Verb(n, noun, plural(noun))
}

// plural returns the plural of a noun that forms it by the rule.
func plural(noun string) string {
	stem, endsInY := strings.CutSuffix(noun, "y")
	switch {
	case endsInY && !strings.ContainsAny(noun[max(0, len(stem)-1):len(stem)], "aeiou"):
		return stem + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun,
		"sh"):
		return noun + "es"
	}
	return noun + "s"
}

// Verb returns what is said of n things: one of a single thing, else many.
func Verb[N Number](n N, one, many string) string {
	if fmt.Sprint(n) == "1" {
		return one
	}
	return many
}

// Capital begins a text, if there is one, with a capital letter; the text begins with a letter of ASCII.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
