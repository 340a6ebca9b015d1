package shorten_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/shorten"
)

// columns counts letters of East Asia and pictures twice.
var columns shorten.Width = func(text string) (n int) {
	for _, r := range text {
		if n++; r >= 0x2e80 {
			n++
		}
	}
	return n
}

// Names that are cut stay different, and wide characters count twice.
func TestNames(t *testing.T) {
	for _, tc := range []struct {
		names []string
		width int
		want  []string
	}{
		{[]string{"short", "exactly8"}, 8, []string{"short", "exactly8"}},
		{[]string{"compensated_hypothyroid", "secondary_hypothyroid", "negative"}, 20, []string{"compensated…", "secondary…",
			"negative"}},
		{[]string{"compensated_hypothyroid", "compensated", "negative"}, 16, []string{"…hypothyroid", "compensated",
			"negative"}},
		{[]string{"transaction_amount", "transaction_count"}, 11, []string{"…amount", "…count"}},
		{[]string{"a b c d e f g h", "a b c d e f h"}, 12, []string{"…c d e f g h", "…b c d e f h"}},
		{[]string{"Donaudampfschiff", "Donaudampfer"}, 11, []string{"…ampfschiff", "…naudampfer"}},
		{[]string{"the_old_way_of_it", "the_new_way_of_it"}, 11, []string{"the_old…", "the_new…"}},
		{[]string{"aaaa_bbb_cccc", "aaaa_ddd_cccc"}, 9, []string{"aaaa_bbb…", "aaaa_ddd…"}},
		{[]string{"aaaaaaaa1aaaaaaaa", "aaaaaaaa2aaaaaaaa", "aaaaaaaa1aaaaaaaa"}, 9, []string{"aaaa…aaaa", "aaaaaaa…2",
			"aaaa…aaaa"}},
		{[]string{"aaaa…aaaa", "aaaaaaabaaaaaaa"}, 9, []string{"aaaa…aaaa", "aaaaaaab…"}},
		{[]string{"分类名称很长很长"}, 9, []string{"分类名称…"}},
		{[]string{"分类名称很长很长"}, 8, []string{"分类名…"}},
		{[]string{""}, 8, []string{""}},
	} {
		got := columns.Names(tc.names, tc.width)
		if !slices.Equal(got, tc.want) {
			t.Errorf("Names(%q, %d) = %q, want %q", tc.names, tc.width, got, tc.want)
		}
		for i, a := range tc.names {
			for j, b := range tc.names {
				if (a == b) != (got[i] == got[j]) {
					t.Errorf("%q and %q are shown as %q and %q", a, b, got[i], got[j])
				}
			}
			if w := columns(got[i]); w > tc.width {
				t.Errorf("%q is %d columns wide, want at most %d", got[i], w, tc.width)
			}
		}
	}
}

// Whatever the names, those that are cut fit, and are as different as they were.
func TestNamesLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aab_-…12é分🙂")
	for range 2000 {
		names := make([]string, 1+rng.IntN(12))
		for i := range names {
			name := make([]rune, rng.IntN(30))
			for j := range name {
				name[j] = letters[rng.IntN(len(letters))]
			}
			names[i] = string(name)
		}
		width := 8 + rng.IntN(8)
		got := columns.Names(names, width)
		for i := range names {
			if w := columns(got[i]); w > width {
				t.Fatalf("Names(%q, %d)[%d] = %q is %d columns wide", names, width, i, got[i], w)
			}
			for j := range i {
				if (names[i] == names[j]) != (got[i] == got[j]) {
					t.Fatalf("Names(%q, %d) = %q", names, width, got)
				}
			}
		}
	}
}
