package nearest

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	names := []string{"theta", "x", "y", "trees", "threads", "ill", "Primary_tumor", "primary_hypothyroid"}
	for _, tc := range []struct{ word, want string }{
		{"tetha", "theta"}, // two letters swapped
		{"tres", "trees"},  // one left out
		{"il", "ill"},
		{"treess", "trees"}, // one too many
		{"theta", "theta"},
		{"THETA", "theta"}, // letter case
		{"Y", "y"},
		{"primary", "Primary_tumor"}, // its beginning
		{"pr", "Primary_tumor"},
		{"illness", "ill"},
		{"xyz", ""}, {"p", ""}, // too little of it
		{"z", ""},      // every single letter is one change away
		{"banana", ""}, // nothing like it
		{"primry_hipotyroid", "primary_hypothyroid"},
		{"secondary_hypothyroid", ""}, // six letters of many, and another word
		{"", ""},
		{"ä", ""},
	} {
		if got := Of(tc.word, names); got != tc.want {
			t.Errorf("Of(%q) = %q, want %q", tc.word, got, tc.want)
		}
	}
}

func TestHint(t *testing.T) {
	if got, want := Hint("tetha", []string{"theta"}), ` (did you mean "theta"?)`; got != want {
		t.Errorf("Hint = %q, want %q", got, want)
	}
	if got := Hint("banana", []string{"theta"}); got != "" {
		t.Errorf("Hint of nothing near = %q, want none", got)
	}
}

func TestSuggest(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"clas", []string{"x", "class", "klass"}, `did you mean "class"?`},
		{"CLASS", []string{"x", "class"}, `did you mean "class"?`},
		{"amount_eur", []string{"amount_usd", "amount", "amount_gbp", "amount_eu", "hour"},
			`did you mean "amount_eu", "amount_usd", "amount_gbp"?`},
		{"aaaa", []string{"aaab", "aaac", "aaad", "aaae"}, `did you mean "aaab", "aaac", "aaad"?`},
		{"q", []string{"x", "y"}, `there is "x", "y"`},
		{"zz", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"},
			`there is "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", and 2 more up to "l"`},
		{long, []string{"x"}, `there is "x"`},
		{long, []string{long[1:]}, `there is "` + long[:64] + `…"`},
	} {
		if got := Suggest(c.name, c.known); got != c.want {
			t.Errorf("Suggest(%.20q) = %s, want %s", c.name, got, c.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	many := []string{"c00", "c01", "c02", "c03", "c04", "c05", "c06", "c07", "c08", "c09", "c10", "c11"}
	for _, tc := range []struct {
		name, given string
		known       []string
		want        string
	}{
		{"near", "il", []string{"ill", "well"}, `unknown class "il"; known are "ill", "well"; did you mean "ill"?`},
		{"letters swapped", "tetha", []string{"theta", "x", "y"},
			`unknown class "tetha"; known are "theta", "x", "y"; did you mean "theta"?`},
		{"letter case", "ILL", []string{"ill", "well"}, `unknown class "ILL"; known are "ill", "well"; did you mean "ill"?`},
		{"far", "measles", []string{"ill", "well"}, `unknown class "measles"; known are "ill", "well"; use one of them`},
		{"many", "measles", many, `unknown class "measles"; known are "c00", "c01", "c02", "c03", "c04", "c05", "c06", "c07", "c08", "c09", and 2 more up to "c11"; use one of them`},
		{"control characters are escaped", "\x1b[2J", []string{"a", "b"},
			`unknown class "\x1b[2J"; known are "a", "b"; use one of them`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Unknown("class", tc.given, tc.known).Error(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
	for _, c := range []struct {
		n    int
		want string
	}{
		{0, ""},
		{1, `"a"`},
		{10, `"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"`},
		{12, `"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", and 2 more up to "l"`},
	} {
		if got := List(names[:c.n]); got != c.want {
			t.Errorf("List of %d: %s, want %s", c.n, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct { // worked by hand
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abc", "abc", 0}, {"abcd", "a", 3},
		{"flaw", "lawn", 2}, {"größe", "grosse", 3},
	} {
		if got := distance([]rune(tc.a), []rune(tc.b), 10); got != tc.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}
