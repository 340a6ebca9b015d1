package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// disk is a file system that can lose its power. What was written to a file is safe once the file
// is synced, what was done to names once their folder is; of the rest any beginning may survive,
// and what was not synced of a file may also come back as zeros.
type disk struct {
	names   map[string]*blob   // as the program sees them
	safe    map[string]*blob   // as they surely are after a crash
	unsafe  []map[string]*blob // the names after each operation since then
	dies    int                // the operation before or in which the power fails, from 1
	midway  bool               // in it: a write gets half of its bytes down
	count   int
	outcome string // of the operation that was cut off
}

// blob is what a file holds.
type blob struct {
	data   []byte
	synced int // bytes that are safe
}

var errPower = errors.New("the power is gone")

// alive counts an operation, and does not return from that in which the power fails.
func (d *disk) alive(operation string) error {
	d.count++
	switch {
	case d.dies == 0 || d.count < d.dies:
		return nil
	case d.count == d.dies:
		d.outcome = operation
	}
	return errPower
}

func (d *disk) changed() { d.unsafe = append(d.unsafe, maps.Clone(d.names)) }

func (d *disk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.alive("lstat"); err != nil {
		return nil, err
	}
	if b := d.names[name]; b != nil {
		return fileInfo{name, int64(len(b.data))}, nil
	}
	return nil, fs.ErrNotExist
}

func (d *disk) Readlink(string) (string, error)      { return "", fs.ErrInvalid }
func (d *disk) OpenAppend(name string) (File, error) { return nil, fs.ErrInvalid }

func (d *disk) Create(name string) (File, error) {
	if err := d.alive("create"); err != nil {
		return nil, err
	}
	b := &blob{}
	d.names[name] = b
	d.changed()
	return &handle{d, b}, nil
}

func (d *disk) Open(name string) (io.ReadCloser, error) {
	if err := d.alive("open"); err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(d.names[name].data)), nil
}

func (d *disk) Rename(from, to string) error {
	err := d.alive("rename")
	if err != nil && (!d.midway || d.count > d.dies) {
		return err
	}
	d.names[to] = d.names[from] // done, also if the power fails in it
	delete(d.names, from)
	d.changed()
	return err
}

func (d *disk) Remove(name string) error {
	if err := d.alive("remove"); err != nil {
		return err
	}
	delete(d.names, name)
	d.changed()
	return nil
}

func (d *disk) SyncDir(string) error {
	if err := d.alive("syncdir"); err != nil {
		return err
	}
	d.safe, d.unsafe = maps.Clone(d.names), nil
	return nil
}

type handle struct {
	d *disk
	b *blob
}

func (h *handle) Write(p []byte) (int, error) {
	if err := h.d.alive("write"); err != nil {
		if h.d.midway && h.d.count == h.d.dies {
			h.b.data = append(h.b.data, p[:len(p)/2]...)
		}
		return 0, err
	}
	h.b.data = append(h.b.data, p...)
	return len(p), nil
}

func (h *handle) Sync() error {
	if err := h.d.alive("sync"); err != nil {
		return err
	}
	h.b.synced = len(h.b.data)
	return nil
}

func (h *handle) Close() error            { return h.d.alive("close") }
func (h *handle) Chmod(fs.FileMode) error { return h.d.alive("chmod") }

type fileInfo struct {
	name string
	size int64
}

func (f fileInfo) Name() string     { return f.name }
func (f fileInfo) Size() int64      { return f.size }
func (fileInfo) Mode() fs.FileMode  { return 0o644 }
func (fileInfo) ModTime() time.Time { return time.Time{} }
func (fileInfo) IsDir() bool        { return false }
func (fileInfo) Sys() any           { return nil }

// survivors returns what the file name may hold after a crash, "absent" included.
func (d *disk) survivors(name string) []string {
	var all []string
	for _, names := range append([]map[string]*blob{d.safe}, d.unsafe...) {
		b := names[name]
		if b == nil {
			all = append(all, "absent")
			continue
		}
		for _, kept := range []int{b.synced, (b.synced + len(b.data)) / 2, len(b.data)} {
			all = append(all, string(b.data[:kept]), string(b.data[:kept])+strings.Repeat("\x00", len(b.data)-kept))
		}
	}
	return all
}

// L301, L302: the power fails before and in each operation of a save, the rename among them, and of
// what was not synced any beginning survives: there is the old file or the new one, whole, and the
// new one once the save has said so. A process that is killed loses less than that.
func TestPowerFails(t *testing.T) {
	old, renewed := strings.Repeat("old ", 10), strings.Repeat("the new model ", 20_000)
	for _, before := range []string{old, "absent"} {
		seen := map[string]bool{}
		for dies := 0; ; dies++ {
			finished := false
			for _, midway := range []bool{false, true} {
				d := &disk{names: map[string]*blob{}, dies: dies, midway: midway}
				if before == old {
					d.names["m.rfp"] = &blob{[]byte(old), len(old)}
				}
				d.safe = maps.Clone(d.names)
				err := WriteTo(d, "m.rfp", func(w io.Writer) error {
					_, err := io.WriteString(w, renewed)
					return err
				})
				finished = err == nil && dies > 0
				want := []string{before, renewed}
				if err == nil {
					want = want[1:]
				}
				for _, held := range d.survivors("m.rfp") {
					if !slices.Contains(want, held) {
						t.Errorf("the power fails in operation %d (%s, midway %t): m.rfp has %d bytes, %.20q", dies, d.outcome, midway,
							len(held), held)
					}
				}
				seen[d.outcome] = true
			}
			if finished {
				break
			}
		}
		if want := "close create lstat open rename sync syncdir write"; !containsAll(seen, want) {
			t.Errorf("cut off were %v, want all of %s", slices.Sorted(maps.Keys(seen)), want)
		}
	}
}

func containsAll(seen map[string]bool, words string) bool {
	for _, w := range strings.Fields(words) {
		if !seen[w] {
			return false
		}
	}
	return true
}

// The simulation bites: a save that does not sync loses the file.
func TestDiskLosesWhatIsNotSynced(t *testing.T) {
	d := &disk{names: map[string]*blob{}, safe: map[string]*blob{}}
	f, err := d.Create("a")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "text")
	if err := errors.Join(f.Close(), d.Rename("a", "b"), d.SyncDir("")); err != nil {
		t.Fatal(err)
	}
	if held := d.survivors("b"); !slices.Contains(held, "") || !slices.Contains(held, "te\x00\x00") {
		t.Errorf("%q survive, want nothing and half among them", held)
	}
}
