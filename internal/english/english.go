// Package english has numbers agree with the words around them.
package english

import (
	"strconv"
	"strings"
)

// Plural returns "1 row", "2 rows", "2 classes".
func Plural(n int, noun string) string { return Counted(strconv.Itoa(n), noun) }

// Counted is [Plural] of a number that is written already, such as 6,000 or 0.5.
func Counted(number, noun string) string {
	if number == "1" {
		return number + " " + noun
	}
	stem, endsInY := strings.CutSuffix(noun, "y")
	switch {
	case endsInY && !strings.ContainsAny(noun[max(0, len(stem)-1):len(stem)], "aeiou"):
		return number + " " + stem + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return number + " " + noun + "es"
	}
	return number + " " + noun + "s"
}

// Verb returns what is said of n things: one of a single thing, else many.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
