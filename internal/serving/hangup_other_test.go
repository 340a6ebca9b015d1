//go:build !unix

package serving

import "testing"

// hangUp skips a test where there is no SIGHUP.
func hangUp(t *testing.T) {
	t.Helper()
	t.Skip("there is no SIGHUP")
}
