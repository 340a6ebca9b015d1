package csvtext

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/internal/english"
)

// CheckHeader refuses column names that a [Reader] would not take or not read back the same.
// The error has no place.
func CheckHeader(names []string) error {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if err := checkSame(name, cleanName(name)); err != nil {
			return err
		}
		if name == "" {
			return errors.New("a column has no name; give it one")
		}
		if seen[name] {
			return fmt.Errorf("the file would have two columns named %s; rename one", english.Quote(name))
		}
		seen[name] = true
	}
	return nil
}

// CheckCell refuses a text that is not read back the same by those who trim their cells. The
// error has no place.
func CheckCell(text string) error { return checkSame(text, strings.TrimSpace(text)) }

func checkSame(s, trimmed string) error {
	if s != trimmed || strings.ContainsAny(s, "\r\x00") || !utf8.ValidString(s) {
		return fmt.Errorf("the text %s would not be read back the same; take blanks off its ends and control characters "+
			"out of it", english.Quote(s))
	}
	return nil
}
