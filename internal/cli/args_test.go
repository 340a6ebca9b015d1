package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSeparator(t *testing.T) {
	for text, want := range map[string]rune{",": ',', ";": ';', "tab": '\t', `\t`: '\t', "\t": '\t', "|": '|', "§": '§'} {
		if got, err := separator(text); err != nil || got != want {
			t.Errorf("separator(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", ";;", `"`, "\n", "\r", "\xff", "tabs"} {
		if got, err := separator(text); err == nil || !strings.Contains(err.Error(),
			"is not one character; write ',', ';', '|', or tab") {
			t.Errorf("separator(%q) = %q, %v", text, got, err)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tc := range []struct{ values, want []string }{
		{nil, nil},
		{[]string{"a"}, []string{"a"}},
		{[]string{"a,b", "c"}, []string{"a", "b", "c"}},
		{[]string{"a, b "}, []string{"a", "b"}},
		{[]string{`"a,b",c`}, []string{"a,b", "c"}},
		{[]string{`"say ""yes"""`}, []string{`say "yes"`}},
		{[]string{"\"two\nlines\""}, []string{"two\nlines"}},
	} {
		got, err := Names("ignore", tc.values)
		if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("names(%q): %v (-want +got)\n%s", tc.values, err, diff)
		}
	}
	for _, value := range []string{`a"b`, `"a`, "a\nb", `"a" b`} {
		if got, err := Names("ignore", []string{value}); err == nil || !strings.Contains(err.Error(),
			"is no list of names; separate names by commas") {
			t.Errorf("names(%q) = %q, %v", value, got, err)
		}
	}
}
