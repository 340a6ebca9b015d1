package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// faulty fails operation number at, counted from 1, with err, and all later ones too if
// persistent. A failing write takes half the data first; with err nil, a write is short and
// nothing else fails.
type faulty struct {
	OS
	at, count  int
	err        error
	persistent bool
	log        []string // the operations
	failed     []string // those which failed
}

func (f *faulty) next(operation string) error {
	f.count++
	f.log = append(f.log, operation)
	if due := f.count == f.at || f.persistent && f.count > f.at; f.err == nil || !due {
		return nil
	}
	f.failed = append(f.failed, operation)
	return &fs.PathError{Op: operation, Path: "disk", Err: f.err}
}

func (f *faulty) Lstat(name string) (fs.FileInfo, error) {
	if err := f.next("lstat"); err != nil {
		return nil, err
	}
	return f.OS.Lstat(name)
}

func (f *faulty) Create(name string) (File, error) {
	if err := f.next("create"); err != nil {
		return nil, err
	}
	file, err := f.OS.Create(name)
	return &faultyFile{file, f}, err
}

func (f *faulty) Open(name string) (io.ReadCloser, error) {
	if err := f.next("open"); err != nil {
		return nil, err
	}
	file, err := f.OS.Open(name)
	return &faultyReader{file, f}, err
}

func (f *faulty) Rename(from, to string) error {
	if err := f.next("rename"); err != nil {
		return err
	}
	return f.OS.Rename(from, to)
}

func (f *faulty) Remove(name string) error {
	if err := f.next("remove"); err != nil {
		return err
	}
	return f.OS.Remove(name)
}

func (f *faulty) SyncDir(name string) error {
	if err := f.next("syncdir"); err != nil {
		return err
	}
	return f.OS.SyncDir(name)
}

type faultyFile struct {
	File
	fs *faulty
}

func (f *faultyFile) Write(p []byte) (int, error) {
	if err := f.fs.next("write"); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	if f.fs.err == nil && f.fs.count == f.fs.at {
		f.fs.failed = append(f.fs.failed, "write")
		return f.File.Write(p[:len(p)/2])
	}
	return f.File.Write(p)
}

func (f *faultyFile) Sync() error {
	if err := f.fs.next("sync"); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *faultyFile) Chmod(mode fs.FileMode) error {
	if err := f.fs.next("chmod"); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f *faultyFile) Close() error {
	return errors.Join(f.fs.next("close"), f.File.Close())
}

type faultyReader struct {
	io.ReadCloser
	fs *faulty
}

func (f *faultyReader) Read(p []byte) (int, error) {
	if err := f.fs.next("read"); err != nil {
		return 0, err
	}
	return f.ReadCloser.Read(p)
}

// Every operation fails in turn, until the save gets through: the old file is there, or
// after the rename the new one, whole; nothing else is left, unless removal failed.
func TestEveryOperationFails(t *testing.T) {
	old, renewed := "the old model", strings.Repeat("the new model ", 20_000)
	for _, tc := range []struct {
		name string
		err  error
		cure string
	}{
		{"L285 L286 disk full", syscall.ENOSPC, "the disk or your quota is full: free some space or save elsewhere"},
		{"L286 short write", nil, "try again, check the disk, or save elsewhere"},
		{"L287 L288 L289 input/output error", syscall.EIO, "try again, check the disk, or save elsewhere"},
		{"L290 other device", syscall.EXDEV, "try again, check the disk, or save elsewhere"},
		{"L291 no rights", syscall.EACCES, "you may not write in folder "},
		{"L292 read-only file system", syscall.EROFS, "you may not write in folder "},
		{"L293 quota", syscall.EDQUOT, "the disk or your quota is full: free some space or save elsewhere"},
		{"L294 file too large", syscall.EFBIG,
			"files may not grow that large here: raise the limit (ulimit -f) or save elsewhere"},
		{"L298 no descriptors", syscall.EMFILE, "too many files are open: close some or raise the limit (ulimit -n)"},
	} {
		for _, persistent := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				folder := t.TempDir()
				path := filepath.Join(folder, "m")
				seen := map[string]bool{}
				for k, done := 1, false; !done; k++ {
					put(t, path, old, 0o640)
					disk := &faulty{at: k, err: tc.err, persistent: persistent}
					err := WriteTo(disk, path, text(renewed))
					done = k > len(disk.log) // there was no operation k to fail
					for _, f := range disk.failed {
						seen[f] = true
					}
					checkState(t, disk, err, path, old, renewed)
					if err == nil {
						continue
					}
					if tc.err != nil && !errors.Is(err, tc.err) {
						t.Errorf("%s: %v hides %v", disk.failed, err, tc.err)
					}
					if tc.err == nil && !errors.Is(err, io.ErrShortWrite) {
						t.Errorf("%s: %v is no short write", disk.failed, err)
					}
					if disk.failed[0] != "syncdir" && !strings.Contains(err.Error(), tc.cure) {
						t.Errorf("%s: %v does not say: %s", disk.failed, err, tc.cure)
					}
				}
				for _, want := range strings.Fields("lstat create write chmod sync close open read rename syncdir") {
					if tc.err != nil && !seen[want] {
						t.Errorf("%s never failed", want)
					}
				}
				if !seen["write"] {
					t.Error("write never failed")
				}
			})
		}
	}
}

func checkState(t *testing.T, disk *faulty, err error, path, old, renewed string) {
	t.Helper()
	if (err != nil) != (len(disk.failed) > 0) {
		t.Errorf("failed: %v, returned %v", disk.failed, err)
	}
	want := old
	if err == nil || disk.failed[0] == "syncdir" {
		want = renewed
	}
	if got := content(t, path); got != want {
		t.Errorf("%v failed: file holds %d bytes, want %d", disk.failed, len(got), len(want))
	}
	if got := mode(t, path); got != 0o640 {
		t.Errorf("%v failed: mode is %v", disk.failed, got)
	}
	left := names(t, filepath.Dir(path)) != "m"
	removal := len(disk.failed) > 0 && disk.failed[len(disk.failed)-1] == "remove"
	if left != removal {
		t.Errorf("%v failed: folder holds %s", disk.failed, names(t, filepath.Dir(path)))
	}
	if err == nil {
		return
	}
	if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "save "+path+": ") {
		t.Errorf("error reads %q", err)
	}
	if _, ok := errors.AsType[*fs.PathError](err); !ok {
		t.Errorf("%v is no PathError", err)
	}
	if left {
		entries, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".m.tmp-*"))
		if len(entries) != 1 || !strings.Contains(err.Error(), "; delete the temporary file "+entries[0]+
			", which could not be removed: remove disk: ") {
			t.Errorf("%v does not name %v", err, entries)
		}
		for _, e := range entries {
			if err := os.Remove(e); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// unrenamed cannot rename.
type unrenamed struct{ OS }

func (unrenamed) Rename(from, to string) error {
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EPERM}
}

// An error names the file that was asked for, not the temporary one.
func TestNoTemporaryName(t *testing.T) {
	unixOnly(t)
	t.Chdir(t.TempDir())
	for _, tc := range []struct {
		fsys       FS
		path, want string
	}{
		{unrenamed{}, "m", "save m: operation not permitted; you may not write in folder .: change its rights or save " +
			"elsewhere"},
		{OS{}, "absent/m", "save absent/m: no such file or directory; folder absent/ does not exist: create it first"},
	} {
		if err := WriteTo(tc.fsys, tc.path, text("x")); err == nil || err.Error() != tc.want {
			t.Errorf("got %v, want %s", err, tc.want)
		}
	}
	if err := Check("absent/m"); err == nil || strings.Contains(err.Error(), "tmp-") {
		t.Errorf("Check: %v", err)
	}
}

// L288: after the rename the new file is in place, and the error says so.
func TestFolderNotSynced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	put(t, path, "old", 0o600)
	probe := &faulty{}
	if err := WriteTo(probe, path, text("x")); err != nil {
		t.Fatal(err)
	}
	err := WriteTo(&faulty{at: len(probe.log), err: syscall.EIO}, path, text("new"))
	want := "save " + path + ": the folder could not be synced: syncdir disk: input/output error; the new file is in " +
		"place and whole, but may be lost if the power fails now; save again"
	if err == nil || err.Error() != want || !errors.Is(err, errNotSaved) {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := content(t, path); got != "new" {
		t.Errorf("file holds %q", got)
	}
}

// The steps, in their order. A new file has no mode to keep.
func TestOrderOfSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	for _, want := range []string{
		"lstat create write sync close open read read rename syncdir",
		"lstat create write chmod sync close open read read rename syncdir",
	} {
		disk := &faulty{}
		if err := WriteTo(disk, path, text("x")); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(disk.log, " "); got != want {
			t.Errorf("steps %s, want %s", got, want)
		}
	}
}

// rotten stores other bytes than it was given.
type rotten struct{ OS }

type rottenFile struct{ File }

func (rotten) Create(name string) (File, error) {
	f, err := OS{}.Create(name)
	return rottenFile{f}, err
}

func (f rottenFile) Write(p []byte) (int, error) {
	bad := append([]byte{p[0] ^ 1}, p[1:]...)
	return f.File.Write(bad)
}

func TestReadBackDiffers(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m")
	put(t, path, "old", 0o600)
	err := WriteTo(rotten{}, path, text("new"))
	want := "save " + path + ": what was read back differs from what was written; try again, check the disk, or save " +
		"elsewhere"
	if err == nil || err.Error() != want || !errors.Is(err, errDiffers) {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := content(t, path); got != "old" || names(t, folder) != "m" {
		t.Errorf("file holds %q, folder %s", got, names(t, folder))
	}
}

// A write function may hide or rewrap the error of the disk; the save still tells it.
func TestDiskErrorIsNotHidden(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"hidden": func(w io.Writer) error { _, _ = w.Write(make([]byte, 1<<20)); return nil },
		"rewrapt": func(w io.Writer) error {
			_, _ = w.Write(make([]byte, 1<<20))
			return errors.New("something went wrong")
		},
	} {
		path := filepath.Join(t.TempDir(), "m")
		err := WriteTo(&faulty{at: 3, err: syscall.ENOSPC}, path, write)
		if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "save "+path) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := names(t, filepath.Dir(path)); got != "" {
			t.Errorf("%s: folder holds %s", name, got)
		}
	}
}

// An error of write and a failed removal are both told.
func TestWriteAndRemovalFail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	err := WriteTo(&faulty{at: 4, err: syscall.EIO}, path, func(io.Writer) error { return io.ErrNoProgress })
	if !errors.Is(err, io.ErrNoProgress) || !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(),
		"; delete the temporary file ") {
		t.Errorf("got %v", err)
	}
}

func TestTempNames(t *testing.T) {
	a, b := tempName("m"), tempName("m")
	if a == b || !strings.HasPrefix(a, ".m.tmp-") {
		t.Errorf("got %s and %s", a, b)
	}
	if long := tempName(strings.Repeat("é", 127)); len(long) > 255 || strings.ToValidUTF8(long, "") != long {
		t.Errorf("got %q", long)
	}
}
