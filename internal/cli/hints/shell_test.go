package hints

import (
	"os"
	"testing"

	"github.com/rfpragma/rfpragma/internal/option"
)

// Options are named as the command names them.
func TestMain(m *testing.M) {
	option.ForShell()
	os.Exit(m.Run())
}
