//go:build unix

package serving

import (
	"syscall"
	"testing"
)

// hangUp sends this process SIGHUP.
func hangUp(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}
