package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// text returns a write function of s.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// names returns what is in folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func put(t *testing.T, path, data string, perm fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func unixOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("permission bits, links and messages are those of Unix")
	}
}

func TestWriteNewAndAgain(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "model.rfp")
	for _, data := range []string{"first", "", strings.Repeat("long ", 1<<18), "short"} {
		if err := Write(path, text(data)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != data {
			t.Errorf("%d bytes saved, want %d", len(got), len(data))
		}
		if got := names(t, folder); got != "model.rfp" {
			t.Errorf("folder holds %s", got)
		}
	}
}

func TestWriteInCurrentFolder(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := Write("m", text("x")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(folder, "m")); got != "x" || names(t, folder) != "m" {
		t.Errorf("got %q, folder holds %s", got, names(t, folder))
	}
}

func TestLongName(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{strings.Repeat("n", 255), strings.Repeat("é", 127)} {
		if err := Write(filepath.Join(folder, name), text("x")); err != nil {
			t.Errorf("name of %d bytes: %v", len(name), err)
		}
	}
}

func TestPermissions(t *testing.T) {
	unixOnly(t)
	folder := t.TempDir()
	path, plain := filepath.Join(folder, "m"), filepath.Join(folder, "plain")
	f, err := os.OpenFile(plain, os.O_CREATE|os.O_WRONLY, 0o644) // tells the umask
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := Write(path, text("x")); err != nil {
		t.Fatal(err)
	}
	if got, want := mode(t, path), mode(t, plain); got != want {
		t.Errorf("mode of a new file is %v, want %v", got, want)
	}
	for _, perm := range []fs.FileMode{0o600, 0o664, 0o755} {
		if err := os.Chmod(path, perm); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, text("y")); err != nil {
			t.Fatal(err)
		}
		if got := mode(t, path); got != perm {
			t.Errorf("mode %v, want %v", got, perm)
		}
	}
}

// An error of write comes back as it is; old content and folder are as they were.
func TestWriteFails(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	folder := t.TempDir()
	path := filepath.Join(folder, "m")
	for _, want := range []string{"", "m"} {
		if want != "" {
			put(t, path, "old", 0o600)
		}
		err := Write(path, func(w io.Writer) error {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
			return ctx.Err()
		})
		if err != context.Canceled {
			t.Errorf("got %v, want %v itself", err, context.Canceled)
		}
		if got := names(t, folder); got != want {
			t.Errorf("folder holds %q, want %q", got, want)
		}
	}
	if got := content(t, path); got != "old" {
		t.Errorf("old file is now %q", got)
	}
}

func TestWritePanics(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m")
	put(t, path, "old", 0o600)
	func() {
		defer func() {
			if got := recover(); got != "bug" {
				t.Errorf("recovered %v", got)
			}
		}()
		err := Write(path, func(io.Writer) error { panic("bug") })
		t.Errorf("returned %v", err)
	}()
	if got := names(t, folder); got != "m" || content(t, path) != "old" {
		t.Errorf("folder holds %s", got)
	}
}

// The refusals of the real file system, with their texts.
func TestRefusals(t *testing.T) {
	unixOnly(t)
	folder := t.TempDir()
	file, loop := filepath.Join(folder, "file"), filepath.Join(folder, "loop")
	put(t, file, "old", 0o600)
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	away := filepath.Join(folder, "away") + "/"
	for _, tc := range []struct {
		name, path, want string
		cause            error
	}{
		{"empty name", "", "save : the file name is empty; give the name of a file", errEmpty},
		{"L295 folder absent", away + "m", "no such file or directory; folder " + away + " does not exist: create it first",
			syscall.ENOENT},
		{"L296 a folder", folder, "save " + folder + ": it is a folder; give the name of a file", errFolder},
		{"L296 a folder by its slash", away, "save " + away + ": it is a folder; give the name of a file", errFolder},
		{"folder is a file", file + "/m", "not a directory; " + file + "/ is not a folder: save elsewhere", syscall.ENOTDIR},
		{"L297 link to itself", loop, "save " + loop + ": too many symbolic links; give the name of the file itself",
			errLinks},
		{"NUL in the name", folder + "/a\x00b", "invalid argument; try again, check the disk, or save elsewhere",
			syscall.EINVAL},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := Write(tc.path, func(io.Writer) error { t.Error("write was called"); return nil })
			if err == nil || !strings.HasSuffix(err.Error(), tc.want) || !errors.Is(err, tc.cause) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if p, ok := errors.AsType[*fs.PathError](err); !ok || p.Path != tc.path {
				t.Errorf("%v is no PathError of the path", err)
			}
			if err := Check(tc.path); err == nil || !strings.HasSuffix(err.Error(), tc.want) || !errors.Is(err, tc.cause) {
				t.Errorf("Check: got %v, want %s", err, tc.want)
			}
		})
	}
	for _, path := range []string{file, filepath.Join(folder, "new"), os.DevNull} {
		if err := Check(path); err != nil {
			t.Errorf("Check(%s): %v", path, err)
		}
	}
	if got := names(t, folder); got != "file loop" || content(t, file) != "old" {
		t.Errorf("folder holds %s", got)
	}
}

// L297: a link stays a link, and its destination is replaced or created.
func TestSymbolicLinks(t *testing.T) {
	unixOnly(t)
	for _, tc := range []struct {
		name, link, target string
		exists             bool
	}{
		{"relative", "store/real", "store/real", true},
		{"dangling", "store/new", "store/new", false},
		{"up and down", "store/../store/real", "store/real", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.Mkdir(filepath.Join(folder, "store"), 0o700); err != nil {
				t.Fatal(err)
			}
			target, link, outer := filepath.Join(folder, tc.target), filepath.Join(folder, "m"), filepath.Join(folder, "outer")
			if tc.exists {
				put(t, target, "old", 0o640)
			}
			if err := errors.Join(os.Symlink(tc.link, link), os.Symlink(link, outer)); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{link, outer} {
				if err := Write(path, text("new "+path)); err != nil {
					t.Fatal(err)
				}
				if got := content(t, target); got != "new "+path {
					t.Errorf("destination holds %q", got)
				}
			}
			if mode(t, link)&fs.ModeSymlink == 0 || mode(t, outer)&fs.ModeSymlink == 0 {
				t.Error("the link was replaced")
			}
			if got := mode(t, target); tc.exists && got != 0o640 {
				t.Errorf("mode of the destination is now %v", got)
			}
			if got := names(t, filepath.Join(folder, "store")); got != filepath.Base(target) {
				t.Errorf("store holds %s", got)
			}
		})
	}
}

// In a linked folder, ".." leads to the parent of the folder's destination.
func TestLinkInLinkedFolder(t *testing.T) {
	unixOnly(t)
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "far", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(os.Symlink("far/deep", filepath.Join(folder, "near")), os.Symlink("../real", filepath.Join(folder,
		"far", "deep", "m")))
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(folder+"/near/m", text("x")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(folder, "far", "real")); got != "x" || names(t, folder) != "far near" {
		t.Errorf("got %q; folder holds %s", got, names(t, folder))
	}
}

// L285: the device that is always full, and one that takes everything.
func TestDevices(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the devices are those of Linux")
	}
	if err := Write("/dev/null", text("x")); err != nil {
		t.Error(err)
	}
	err := Write("/dev/full", text("x"))
	const want = "save /dev/full: no space left on device; a part may have been written; the disk or your quota is " +
		"full: free some space or save elsewhere"
	if err == nil || err.Error() != want || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := Write("/dev/null", func(io.Writer) error { return io.ErrNoProgress }); err != io.ErrNoProgress {
		t.Errorf("got %v, want the error of write", err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Errorf("/dev/null was replaced: %v, %v", info, err)
	}
}

// Standard output is an open file: it is written to, not replaced.
func TestOpenFileOfProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is that of Linux")
	}
	path := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("said before; "); err != nil {
		t.Fatal(err)
	}
	if err := Write(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), text("saved")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "said before; saved" {
		t.Errorf("got %q", got)
	}
	mine, _ := f.Stat()
	if now, err := os.Stat(path); err != nil || !os.SameFile(mine, now) {
		t.Errorf("the file was replaced (%v)", err)
	}
	if err := Write("/proc/self/fd/99999", text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("closed descriptor: got %v", err)
	}
}
