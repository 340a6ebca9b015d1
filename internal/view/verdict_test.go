package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
)

// Many classes are listed in one way. What matters most comes first.
func TestManyClasses(t *testing.T) {
	letters := strings.Split("abcdefgh", "")
	if got := english.First(letters); got != "a, b, c, d, e, f and 2 more" {
		t.Errorf("few of eight: %s", got)
	}
	if got := english.First(letters[:7]); got != "a, b, c, d, e, f, g" {
		t.Errorf("few of seven: %s", got)
	}
	for _, tc := range []struct {
		letters, spec string
		want          []string
	}{
		{"abcdefgh", "b", []string{"b", "a, c, d, e, f, g, h"}},
		{"abcdefgh", "a;b;c;d", []string{"a, b, c, d", "e, f, g, h"}},
		{"abcdefgh", "b:theta=2,x=0.1,y=0.9;c", []string{"c", "b", "a, d, e, f, g, h"}},
	} {
		letters := strings.Split(tc.letters, "")
		parsed, err := pragma.ParseSpec(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		prefs, err := parsed.Resolve(letters)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range distinct(letters, prefs) {
			got = append(got, english.First(w.classes))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.spec, got, tc.want)
		}
	}
}
