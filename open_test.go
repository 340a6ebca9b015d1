package rfpragma

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// modelPath writes bytes into a file and returns its path.
func modelPath(t *testing.T, b []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "model.rfp")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// An opened model says of each row what the loaded one says.
func TestOpen(t *testing.T) {
	frame := dataset.Fraud(600, 1)
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	for _, c := range []forest.Config{{Trees: 30, Seed: 1}, {Trees: 20, Seed: 2, Soft: true, MinLeaf: 5}} {
		m := mustFit(t, frame, spec, Config{Forest: c})
		opened, err := Open(modelPath(t, fileOf(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(opened.Classes(), m.Classes()) {
			t.Errorf("classes %q, want %q", opened.Classes(), m.Classes())
		}
		x := make([]float64, len(frame.Columns))
		for i := range frame.Rows() {
			for j := range x {
				x[j] = frame.Columns[j].At(i)
			}
			want, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := opened.Predict(x); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("row %d: %+v, %v; want %+v", i, got, err, want)
			}
		}
		if err := errors.Join(opened.Verify(t.Context()), opened.Close(), opened.Close()); err != nil {
			t.Error(err)
		}
		if _, err := opened.Predict(x); !errors.Is(err, ErrConfig) {
			t.Errorf("after it was closed: %v", err)
		}
	}
}

// Whatever byte of a file is wrong, Open, a row or the checksum tells it, and nothing panics.
func TestOpenDamaged(t *testing.T) {
	m := small(t)
	b := fileOf(t, m)
	x := make([]float64, len(m.Forest.Schema))
	for at := 0; at < len(b); at += 13 {
		broken := slices.Clone(b)
		broken[at] ^= 1 << (at % 8)
		opened, err := Open(modelPath(t, broken))
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, errVersion) {
				t.Fatalf("byte %d: %v", at, err)
			}
			continue
		}
		_, first := opened.Predict(x)
		if err := opened.Close(); !errors.Is(err, ErrFormat) || first != nil && !errors.Is(first, ErrFormat) {
			t.Fatalf("byte %d: the first row %v, and at the end %v", at, first, err)
		}
	}
}

// What was found by the checksum ends decisions; who does not wait for it hears that the time is over.
func TestOpenLater(t *testing.T) {
	m := small(t)
	b := fileOf(t, m)
	b[len(b)-40] ^= 1 // in the last tree
	b[len(b)-1] ^= 1
	opened, err := Open(modelPath(t, b))
	if err != nil { // a file this small may have been summed before its header was read
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "checksum") {
			t.Error(err)
		}
		return
	}
	if err := opened.Verify(t.Context()); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "checksum") {
		t.Error(err)
	}
	if _, err := opened.Predict(make([]float64, len(m.Forest.Schema))); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := opened.Verify(over); !errors.Is(err, context.Canceled) && !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	if err := opened.Close(); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// What was not opened says so.
func TestNotOpened(t *testing.T) {
	var none Mapped
	_, _, row := none.Row(nil)
	_, predict := none.Predict(nil)
	for _, err := range []error{row, predict, none.Verify(t.Context()), none.Close()} {
		if !errors.Is(err, ErrConfig) {
			t.Error(err)
		}
	}
	if none.Classes() != nil {
		t.Error("it has classes")
	}
}

// A file that is cut while it is open is an error, not the end of the program.
func TestOpenCut(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux it is known what a file that is cut does")
	}
	frame := dataset.Fraud(2000, 1)
	m := mustFit(t, frame, pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}, Config{Forest: forest.Config{Trees: 50}})
	path := modelPath(t, fileOf(t, m))
	opened, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(frame.Columns))
	if _, err := opened.Predict(x); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "no longer") {
		t.Errorf("%v", err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
}

// What is no model is refused as Load refuses it.
func TestOpenOthers(t *testing.T) {
	for name, b := range map[string][]byte{"nothing": nil, "short": []byte(Magic + "abc"), "PNG": []byte("\x89PNG....")} {
		path := modelPath(t, b)
		if _, err := Open(path); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder is opened")
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
