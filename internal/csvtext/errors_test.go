package csvtext

import (
	"errors"
	"strings"
	"testing"
)

func TestErrorTexts(t *testing.T) {
	cause := errors.New("broken; mend it")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&ParseError{File: "in.csv", Err: cause}, "in.csv: broken; mend it"},
		{&ParseError{File: "in.csv", Line: 3, Err: cause}, "in.csv:3: broken; mend it"},
		{&ParseError{File: "in.csv", Line: 3, Column: 7, Err: cause}, "in.csv:3:7: broken; mend it"},
		{&ParseError{File: "in.csv", Line: 3, Column: 7, Field: "a\"b", Err: cause},
			`in.csv:3:7: column "a\"b": broken; mend it`},
		{&ParseError{File: "in.csv", Field: "age", Err: cause}, `in.csv: column "age": broken; mend it`},
		{&UsageError{Text: "no such column"}, "no such column"},
		{&LimitError{Text: "too many"}, "too many"},
		{Usagef("no column %q", "x"), `no column "x"`},
		{Limitf("more than %d", 7), "more than 7"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("error %s, want %s", got, c.want)
		}
	}
	if !errors.Is(&ParseError{File: "in.csv", Err: cause}, cause) {
		t.Error("a *ParseError does not unwrap to its cause")
	}
}

func TestShow(t *testing.T) {
	long := ""
	for range 100 {
		long += "é"
	}
	for _, c := range []struct{ cell, want string }{
		{"", `""`},
		{"4o", `"4o"`},
		{"a\nb\x1b[31m", `"a\nb\x1b[31m"`},
		{`say "x"`, `"say \"x\""`},
		{long, `"` + long[:128] + `…"`}, // 64 letters of two bytes
		{"x٣٤", `"x٣٤" (U+0663)`},
	} {
		if got := Show(c.cell); got != c.want {
			t.Errorf("Show(%q) = %s, want %s", c.cell, got, c.want)
		}
	}
}

// Labels with a comma or a quote are quoted, as in CSV; a class with an equals sign cannot be named.
func TestMergeFlag(t *testing.T) {
	for _, c := range []struct {
		class  string
		labels []string
		want   string
	}{
		{"ill", []string{"flu"}, "--merge-labels ill=flu"},
		{"ill", []string{"flu", "a cold"}, "--merge-labels 'ill=flu,a cold'"},
		{"ill", []string{"flu, bad", `"x"`}, `--merge-labels 'ill="flu, bad","""x"""'`},
		{"a=b", []string{"flu"}, "--merge-labels CLASS=LABELS"},
		{"ill", []string{strings.Repeat("a", 65)}, "--merge-labels CLASS=LABELS"},
	} {
		if got := MergeFlag(c.class, c.labels); got != c.want {
			t.Errorf("%s of %q: %s, want %s", c.class, c.labels, got, c.want)
		}
	}
}

func TestFlag(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"age", "--x age"}, {"home town", "--x 'home town'"}, {"it's", `--x 'it'\''s'`}, {"", "--x ''"},
		{"$HOME", "--x '$HOME'"}, {"a\nb", "--x COL"}, {strings.Repeat("a", 65), "--x COL"}, {"größe", "--x 'größe'"},
	} {
		if got := Flag("x", c.value, "COL"); got != c.want {
			t.Errorf("Flag(%q) = %s, want %s", c.value, got, c.want)
		}
	}
}
