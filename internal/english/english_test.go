package english

import (
	"strings"
	"testing"
)

func TestPlural(t *testing.T) {
	for _, tc := range []struct {
		n          int
		noun, want string
	}{
		{0, "row", "0 rows"}, {1, "row", "1 row"}, {2, "row", "2 rows"}, {-1, "row", "-1 rows"}, {1, "class", "1 class"},
		{26, "class", "26 classes"},
		{2, "category", "2 categories"}, {3, "day", "3 days"}, {2, "search", "2 searches"}, {2, "leaf node", "2 leaf nodes"},
	} {
		if got := Plural(tc.n, tc.noun); got != tc.want {
			t.Errorf("Plural(%d, %s) = %s, want %s", tc.n, tc.noun, got, tc.want)
		}
	}
}

func TestPluralOfWritten(t *testing.T) {
	for number, want := range map[string]string{"1": "1 false alarm", "6,000": "6,000 false alarms",
		"0.5": "0.5 false alarms", "1.5": "1.5 false alarms"} {
		if got := Plural(number, "false alarm"); got != want {
			t.Errorf("Plural(%s) = %s, want %s", number, got, want)
		}
	}
}

func TestVerb(t *testing.T) {
	for n, want := range map[int]string{0: "are", 1: "is", 2: "are"} {
		if got := Verb(n, "is", "are"); got != want {
			t.Errorf("Verb(%d) = %s, want %s", n, got, want)
		}
	}
	if got := Verb("1", "is", "are"); got != "is" {
		t.Errorf("of 1 it is said %s", got)
	}
}

func TestCapital(t *testing.T) {
	for text, want := range map[string]string{"tuned": "Tuned", "": "", "A b": "A b"} {
		if got := Capital(text); got != want {
			t.Errorf("Capital(%q) = %q, want %q", text, got, want)
		}
	}
}

// A quoted text of 64 letters is whole, and a longer one shows that it is cut.
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "a \"b\"\n": `"a \"b\"\n"`,
		strings.Repeat("é", 64):          `"` + strings.Repeat("é", 64) + `"`,
		strings.Repeat("é", 65):          `"` + strings.Repeat("é", 64) + `…"`,
		strings.Repeat("\xff", 63) + "é": `"` + strings.Repeat(`\xff`, 63) + `é"`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
