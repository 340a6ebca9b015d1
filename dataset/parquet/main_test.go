package parquet_test

import (
	"os"
	"testing"

	"github.com/rfpragma/rfpragma/internal/option"
)

// The messages that tests expect are those of the command.
func TestMain(m *testing.M) {
	option.ForShell()
	os.Exit(m.Run())
}
