// Package race tells tests whether they run under the race detector, which makes them about ten times as slow.
package race

import "testing"

// SkipFigures skips a test that is about figures alone.
func SkipFigures(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("about figures, not about races")
	}
}
