package roff

import "testing"

// What roff would take for something else is written so that it is shown.
func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", ".B bold": `\&.B bold`, "'s": `\&\(aqs`, `a\b`: `a\eb`,
		"--x ⌊√p⌋": `\-\-x \[u230A]\[u221A]p\[u230B]`, "`^~": `\(ga\(ha\(ti`,
	} {
		if got := guarded(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
