package csvtext

import "testing"

// Words that a shell would take apart are quoted.
func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"/a/b_c-1.csv": "/a/b_c-1.csv", "my sets": "'my sets'", "it's": `'it'\''s'`, "a;b": "'a;b'", "$x": "'$x'",
		"C:\\x": `'C:\x'`,
	} {
		if got := Quoted(word); got != want {
			t.Errorf("%q becomes %s, want %s", word, got, want)
		}
	}
}
