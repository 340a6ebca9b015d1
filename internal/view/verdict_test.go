package view

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/pragma"
)

// The outcomes that a preference declares equal, worked by hand.
func TestShowPreferences(t *testing.T) {
	classes := []string{"ill", "well"}
	for _, tc := range []struct {
		spec, measure, want string
	}{
		{"ill:theta=10,x=0.2,y=0.6", "pragma",
			"| ill | 10 | 100 % at 20 % | 80 % at 60 % | 60 % at 100 % | 2 of precision |"},
		{"*:theta=1,x=0.5,y=0.5", "pragma",
			"| ill, well | 1 | 100 % at 50 % | 75 % at 75 % | 50 % at 100 % | 1 of precision |"},
		{"ill:priority", "pragma:s=-1", "| ill | 10 | 100 % at 10 % | 90 % at 100 % |"},
		{"ill", "f1", "By this preference these outcomes"},
	} {
		spec, err := pragma.ParseSpec(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		prefs, err := spec.Resolve(classes)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		to := &layout.Page{W: &out, Markdown: true}
		showPreferences(to, classes, prefs, tc.measure)
		if got := out.String(); !strings.Contains(got, tc.want) {
			t.Errorf("%s for %s: no %q in\n%s", tc.spec, tc.measure, tc.want, got)
		}
	}
}

// Many classes are listed in one way. What matters most comes first, and those of which nothing special is wanted
// are the others.
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
		{"abcdefghijkl", "b", []string{"b", "the other 11 classes"}},
		{"abcdefghijkl", "b:theta=0,x=0,y=0", []string{"a|c|d|and 8 more", "b"}}, // the last are not the others
		{"abcdefghijkl", "*:theta=1,x=0.5,y=0.5", []string{"all 12 classes"}},
		{"abcdefghijkl", "a;b;c;d;e;f;g;h;i", []string{"a|b|c|and 6 more", "j, k, l"}}, // most matter most
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
			got = append(got, strings.Join(w.called(), "|"))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.spec, got, tc.want)
		}
	}
}
