package verb

import (
	"testing"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Alarms are whole ones, however few.
func TestInTenThousand(t *testing.T) {
	for share, want := range map[float64]string{0: "0", 0.00004: "<1", 0.00041: "4", 0.00096: "10", 0.1931: "1931"} {
		if got := english.InTenThousand(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}
