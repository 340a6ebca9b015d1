package beamforest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// Runners run an element again when a worker fails, and Prism, on which the other tests run, never does. So this is tried here.

// wave returns a folder with data, and their path.
func wave(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, "data.csv")
	var b bytes.Buffer
	if err := dataset.WriteCSV(&b, dataset.Wave(200, 3, 1), "class"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

func growth(t *testing.T, path string, bag forest.Bag) *growFn {
	t.Helper()
	job, err := json.Marshal(Growth{Data: path, Options: dataset.Options{Target: "class"}, Forest: forest.Config{Trees: 8, Seed: 5, Bag: bag}, Parts: 3})
	if err != nil {
		t.Fatal(err)
	}
	return &growFn{job, newRun()}
}

var errRunner = errors.New("the runner is gone")

// emitted returns what process emits for the elements 0 to 2. The first time that it emits for element 1 the runner fails, and the
// element is run again, by a DoFn of the same bytes.
func emitted(t *testing.T, process func(number int, emit func([]byte)) error) [][]byte {
	t.Helper()
	var all [][]byte
	emit := func(b []byte) { all = append(all, b) }
	for number := range 3 {
		if number == 1 {
			func() {
				defer func() {
					if fault := recover(); fault != errRunner {
						t.Fatalf("recovered %v", fault)
					}
				}()
				t.Error(process(number, func([]byte) { panic(errRunner) })) // as emitters of Beam do
			}()
		}
		if err := process(number, emit); err != nil {
			t.Fatal(err)
		}
	}
	again := all[1]
	if err := process(1, emit); err != nil || !bytes.Equal(all[3], again) {
		t.Errorf("an element run twice: %v, other bytes", err)
	}
	return all[:3]
}

// iterate returns an iterator as Beam gives it to what follows upon a GroupByKey.
func iterate(list [][]byte) func(*[]byte) bool {
	return func(b *[]byte) bool {
		if len(list) == 0 {
			return false
		}
		*b, list = list[0], list[1:]
		return true
	}
}

func files(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestElementsRunAgain(t *testing.T) {
	ctx := context.Background()
	for _, bag := range []forest.Bag{forest.Bootstrap, "hash:50"} {
		dir, path := wave(t)
		grow := growth(t, path, bag)
		parts := emitted(t, func(number int, emit func([]byte)) error { return grow.ProcessElement(ctx, number, emit) })
		if got := files(t, dir); got != "data.csv" {
			t.Errorf("growing has left %q", got)
		}
		out := filepath.Join(dir, "trees.part")
		write := &writeTreesFn{out}
		if err := write.ProcessElement(ctx, 0, iterate(parts[:2])); err == nil || !strings.Contains(err.Error(), "trees 5 to 7 are missing") {
			t.Errorf("without a part: %v", err)
		}
		if err := write.ProcessElement(ctx, 0, iterate(append(parts[:3:3], parts[0]))); err == nil || !strings.Contains(err.Error(), "tree 0 is there twice") {
			t.Errorf("with a part twice: %v", err)
		}
		if got := files(t, dir); got != "data.csv" {
			t.Errorf("parts that do not fit have left %q", got)
		}
		want := plain(t, path, bag)
		for range 2 {
			slices.Reverse(parts)
			if err := write.ProcessElement(ctx, 0, iterate(parts)); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: the trees have other bytes, %v", bag, err)
			}
		}
		if got := files(t, dir); got != "data.csv trees.part" {
			t.Errorf("writing has left %q", got)
		}
		votesAgain(t, dir, path, out)
	}
}

// plain returns the bytes of the trees grown at once.
func plain(t *testing.T, path string, bag forest.Bag) []byte {
	t.Helper()
	all, err := frame(context.Background(), path, dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	part, err := rfpragma.GrowPart(context.Background(), all, forest.Config{Trees: 8, Seed: 5, Bag: bag}, 0, 8)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bytesOf(part)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// votesAgain does the same with votes, which are added up in any order and steps.
func votesAgain(t *testing.T, dir, path, trees string) {
	ctx := context.Background()
	out := filepath.Join(dir, "votes.part")
	count := &tallyFn{Count{Trees: trees, Data: path, Parts: 3}, newRun()}
	votes := emitted(t, func(number int, emit func([]byte)) error { return count.ProcessElement(ctx, number, emit) })
	var sums []string
	for _, order := range [][3]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
		two, err := mergeTallies(votes[order[0]], votes[order[1]])
		if err != nil {
			t.Fatal(err)
		}
		write := &writeVotesFn{out}
		if err := write.ProcessElement(ctx, two); err == nil || !strings.Contains(err.Error(), "1 of 3 parts of the rows has no votes") {
			t.Errorf("without a part: %v", err)
		}
		all, err := mergeTallies(votes[order[2]], two)
		if err != nil {
			t.Fatal(err)
		}
		if err := write.ProcessElement(ctx, all); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(b))
	}
	if sums[0] == "" || sums[0] != sums[1] || sums[0] != sums[2] {
		t.Error("sums of votes depend on their order")
	}
	if _, err := mergeTallies(votes[0], votes[0]); err == nil || !strings.Contains(err.Error(), "is there twice") {
		t.Errorf("votes twice: %v", err)
	}
	for _, pair := range [][2][]byte{{votes[0], nil}, {nil, votes[0]}} {
		if _, err := mergeTallies(pair[0], pair[1]); !errors.Is(err, rfpragma.ErrFormat) {
			t.Errorf("votes and none: %v", err)
		}
	}
	if got := files(t, dir); got != "data.csv trees.part" {
		t.Errorf("votes have left %q", got)
	}
}

// A file that cannot be read now may be there when the runner tries again; one that was read is held, and by one run alone.
func TestHeld(t *testing.T) {
	ctx := context.Background()
	dir, path := wave(t)
	grow := growth(t, path, forest.Bootstrap)
	away := filepath.Join(dir, "away.csv")
	if err := os.Rename(path, away); err != nil {
		t.Fatal(err)
	}
	if err := grow.ProcessElement(ctx, 0, func([]byte) {}); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("without data: %v", err)
	}
	if err := os.Rename(away, path); err != nil {
		t.Fatal(err)
	}
	if err := grow.ProcessElement(ctx, 0, func([]byte) {}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := grow.ProcessElement(ctx, 1, func([]byte) {}); err != nil {
		t.Errorf("data are read again: %v", err)
	}
	grow.Run = newRun()
	if err := grow.ProcessElement(ctx, 1, func([]byte) {}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("another run has the data of the first: %v", err)
	}
}

// No more elements work at once than there are processors, and one that waits goes when its job ends.
func TestWaitForThread(t *testing.T) {
	_, path := wave(t)
	ctx, stop := context.WithCancel(context.Background())
	grow := growth(t, path, forest.Bootstrap)
	if err := grow.ProcessElement(ctx, 0, func([]byte) {}); err != nil {
		t.Fatal(err)
	}
	for threads.TryAcquire(1) {
		defer threads.Release(1)
	}
	stop()
	if err := grow.ProcessElement(ctx, 0, func([]byte) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("without a thread: %v", err)
	}
}

// Files may lie elsewhere than on a disk.
func TestOtherFileSystems(t *testing.T) {
	ctx := context.Background()
	_, path := wave(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(ctx, "memfs://data.csv", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	grow := growth(t, "memfs://data.csv", "hash:50")
	parts := emitted(t, func(number int, emit func([]byte)) error { return grow.ProcessElement(ctx, number, emit) })
	if err := (&writeTreesFn{"memfs://trees.part"}).ProcessElement(ctx, 0, iterate(parts)); err != nil {
		t.Fatal(err)
	}
	fs, err := filesystem.New(ctx, "memfs://trees.part")
	if err != nil {
		t.Fatal(err)
	}
	in, err := fs.OpenRead(ctx, "memfs://trees.part")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, plain(t, path, "hash:50")) {
		t.Errorf("other bytes, %v", err)
	}
	if _, err := open(ctx, "ftp://x"); err == nil || !strings.Contains(err.Error(), `scheme "ftp" not registered`) {
		t.Errorf("unknown scheme: %v", err)
	}
}
