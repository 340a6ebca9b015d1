package csvtext

import "testing"

func TestCheckHeader(t *testing.T) {
	const same = " would not be read back the same; take blanks off its ends and control characters out of it"
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"sound", []string{"a", "b c", "say \"x\"", "two\nlines", "größe", "#"}, ""},
		{"none", nil, ""},
		{"no name", []string{"a", ""}, "a column has no name; give it one"},
		{"twice", []string{"a", "b", "a"}, `the file would have two columns named "a"; rename one`},
		{"blank", []string{"a "}, `the text "a "` + same},
		{"byte-order mark", []string{"\ufeffa"}, `the text "\ufeffa"` + same},
		{"carriage return", []string{"a\r\nb"}, `the text "a\r\nb"` + same},
		{"NUL", []string{"a\x00b"}, `the text "a\x00b"` + same},
		{"not UTF-8", []string{"\xff"}, `the text "\xff"` + same},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if err := CheckHeader(c.names); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("error %s\nwant  %s", got, c.want)
			}
		})
	}
}

func TestCheckCell(t *testing.T) {
	for cell, fit := range map[string]bool{
		"": true, "a": true, "\ufeffa": true, "two\nlines": true, "a\x1b": true,
		" a": false, "a\u00a0": false, "\n": false, "a\rb": false, "\x00": false, "\xe9": false,
	} {
		if err := CheckCell(cell); (err == nil) != fit {
			t.Errorf("CheckCell(%q) = %v", cell, err)
		}
	}
}
