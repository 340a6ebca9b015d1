package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/table"
)

// A41: a file that grows while it is read, as one does that is still being written.
func TestFileThatGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.csv")
	write(t, path, small(30)+"1,p,il") // a row cut within its label
	in, err := OpenFile(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	once := false
	grows := readerFunc(func(b []byte) (int, error) {
		n, err := in.Read(b)
		if n > 0 && !once {
			once = true
			if _, err := f.WriteString("l\n"); err != nil {
				t.Error(err)
			}
		}
		return n, err
	})
	_, err = dataset.ReadCSV(grows, "in.csv", dataset.Options{Target: "class"})
	if !errors.Is(err, errChanged) ||
		err.Error() != "reading in.csv: it changed while it was read; read it again when it is complete" {
		t.Errorf("error %v", err)
	}
	if got := ExitCode(context.Background(), err); got != ExitData {
		t.Errorf("exit code %d, want %d", got, ExitData)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// Once a context has ended nothing is begun: what read and was told of the end may ask once more.
func TestAwaitAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(Stopped{syscall.SIGTERM})
	for range 20 {
		began := make(chan struct{}, 1)
		_, err := table.Await(ctx, func() (int, error) {
			began <- struct{}{}
			return 0, nil
		})
		var stop Stopped
		if !errors.As(err, &stop) || len(began) > 0 {
			t.Fatalf("%v, begun %d", err, len(began))
		}
	}
}
