package nearest

import "testing"

func TestOf(t *testing.T) {
	names := []string{"theta", "x", "y", "trees", "threads", "ill"}
	for _, tc := range []struct{ word, want string }{
		{"tetha", "theta"}, // two letters swapped
		{"tres", "trees"},  // one left out
		{"il", "ill"},
		{"treess", "trees"}, // one too many
		{"theta", "theta"},
		{"banana", ""}, // nothing like it
		{"", ""},
		{"ä", ""},
	} {
		if got := Of(tc.word, names); got != tc.want {
			t.Errorf("Of(%q) = %q, want %q", tc.word, got, tc.want)
		}
	}
}

func TestHint(t *testing.T) {
	if got, want := Hint("tetha", []string{"theta"}), `, did you mean "theta"?`; got != want {
		t.Errorf("Hint = %q, want %q", got, want)
	}
	if got := Hint("banana", []string{"theta"}); got != "" {
		t.Errorf("Hint of nothing near = %q, want none", got)
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct { // worked by hand
		a, b string
		want int
	}{
		{"", "", 0}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abc", "abc", 0}, {"abcd", "a", 3},
	} {
		if got := distance([]rune(tc.a), []rune(tc.b), 10); got != tc.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}
