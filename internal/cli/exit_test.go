package cli

import (
	"context"
	"fmt"
	"testing"

	"github.com/rfpragma/rfpragma/forest"
)

// M315: too little memory is a limit for scripts.
func TestMemoryExitCode(t *testing.T) {
	if code := ExitCode(context.Background(), fmt.Errorf("train: %w", forest.ErrMemory)); code != ExitLimit {
		t.Errorf("exit code %d, want %d", code, ExitLimit)
	}
}
