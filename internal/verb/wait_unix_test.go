//go:build unix

package verb

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// A pipe by name into which nobody writes, or from which nobody reads, does not hold the command
// up beyond a signal, whatever it is given as.
func TestSignalBeforeAPipe(t *testing.T) {
	trained(t)
	for _, name := range []string{"pipe", "out"} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { // let go who waits
			if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
				f.Close()
			}
		})
	}
	for _, line := range []string{
		"cv pipe", "train pipe -o new.rfp", "tune pipe", "inspect pipe", "predict pipe data.csv", "predict model.rfp pipe",
		"evaluate pipe data.csv", "evaluate model.rfp pipe", "cv data.csv --folds-from pipe",
		"cv data.csv --prefer-file pipe", "cv data.csv --costs pipe",
		"train data.csv --trees 5 -o out", "predict model.rfp data.csv -o out", "generate fraud --rows 9 -o out",
		"cv data.csv --folds 2 --trees 5 --folds-to out", "cv data.csv --folds 2 --trees 5 --decisions out",
	} {
		interrupted(t, line, nil, func() { time.Sleep(30 * time.Millisecond) }) // up to the pipe
	}
}
