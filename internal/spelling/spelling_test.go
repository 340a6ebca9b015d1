package spelling

import (
	"slices"
	"testing"
)

// The composed forms are those of UnicodeData.txt, e.g. 0065 0301 for 00E9.
func TestClean(t *testing.T) {
	for _, c := range [][2]string{
		{"plain", "plain"}, {"  both  ", "both"}, {"", ""}, {"\u200b", ""}, {"\ufeffage", "age"},
		{"de\u0301ce\u0301de\u0301", "d\u00e9c\u00e9d\u00e9"}, {"A\u030angstro\u0308m", "\u00c5ngstr\u00f6m"},
		{"\u1112\u1161\u11ab", "\ud55c"}, {"\u304b\u3099", "\u304c"}, {"u\u0308\u0304", "\u01d6"},
		{"New\u00a0York", "New York"}, {"zero\u200bwidth\u00a0", "zerowidth"}, {"soft\u00adhyphen", "softhyphen"},
		{"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"},
		{"ill\u200d", "ill"}, {"bad\xffbyte", "bad\ufffdbyte"},
	} {
		if got := Clean(c[0]); got != c[1] {
			t.Errorf("%+q becomes %+q, want %+q", c[0], got, c[1])
		}
	}
}

func TestKey(t *testing.T) {
	for _, c := range [][2]string{{"1.0", "1"}, {"1", "1"}, {"-3.00", "-3"}, {"1.5", "1.5"}, {"01", "01"}, {"1.", "1."},
		{"1.0.0", "1.0.0"}, {"v1.0", "v1.0"}, {".0", ".0"}} {
		if got := Key(c[0]); got != c[1] {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		texts []string
		rows  []int
		want  []string
	}{
		{[]string{"a", "A"}, []int{1, 1}, []string{"a", "A"}},
		{[]string{"1.0", "1", "0"}, []int{9, 1, 1}, []string{"1", "1", "0"}},
		{[]string{"1.0", "0.0"}, []int{9, 1}, []string{"1.0", "0.0"}},
		{[]string{"True", "TRUE", "f"}, []int{1, 2, 3}, []string{"TRUE", "TRUE", "f"}},
		{[]string{"F", "M"}, []int{1, 1}, []string{"F", "M"}},
		{[]string{"e\u0301", "\u00e9"}, []int{1, 1}, []string{"\u00e9", "\u00e9"}},
	} {
		if got := Merge(c.texts, c.rows); !slices.Equal(got, c.want) {
			t.Errorf("%+q become %+q, want %+q", c.texts, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  bool
	}{
		{[]string{"True", "FALSE"}, true}, {[]string{"t", "f"}, true}, {[]string{"true"}, true}, {[]string{"F"}, false},
		{[]string{"f", "m"}, false}, {[]string{"yes", "no"}, false}, {[]string{"0", "1"}, false},
	} {
		if got := Words(c.texts); got != c.want {
			t.Errorf("%q are truth values: %v, want %v", c.texts, got, c.want)
		}
	}
	for _, c := range []struct {
		texts []string
		want  bool
	}{{[]string{"no", "yes"}, true}, {[]string{"f", "t"}, true}, {[]string{"f", "m"}, false}, {[]string{"no", "yes", "?"},
		false}, {[]string{"t", "y"}, false}} {
		if got := Pair(c.texts); got != c.want {
			t.Errorf("%q are a pair: %v, want %v", c.texts, got, c.want)
		}
	}
}
