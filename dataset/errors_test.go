package dataset

import (
	"errors"
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
		{&ParseError{File: "in.csv", Line: 3, Column: 7, Field: "a\"b", Err: cause}, `in.csv:3:7: column "a\"b": broken; mend it`},
		{&ParseError{File: "in.csv", Field: "age", Err: cause}, `in.csv: column "age": broken; mend it`},
		{&UsageError{Text: "no such column"}, "no such column"},
		{&LimitError{Text: "too many"}, "too many"},
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
		{long, `"` + long[:128] + `"`}, // 64 letters of two bytes
		{"x٣٤", `"x٣٤" (U+0663)`},
	} {
		if got := show(c.cell); got != c.want {
			t.Errorf("show(%q) = %s, want %s", c.cell, got, c.want)
		}
	}
}

func TestListAndPlural(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
	for _, c := range []struct {
		n    int
		want string
	}{
		{0, ""},
		{1, `"a"`},
		{10, `"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"`},
		{12, `"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", and 2 more`},
	} {
		if got := list(names[:c.n]); got != c.want {
			t.Errorf("list of %d: %s, want %s", c.n, got, c.want)
		}
	}
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 2: "2 rows", -1: "-1 rows"} {
		if got := plural(n, "row"); got != want {
			t.Errorf("plural(%d) = %s, want %s", n, got, want)
		}
	}
}
