//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Lock locks the file name, until unlock is called or the process ends. There is false if it was removed meanwhile.
// Without locks in the file system it is as if it had one, which nobody else can have then, either.
func (OS) Lock(name string) (unlock func(), there bool) {
	f, err := os.Open(name)
	if err != nil {
		return func() {}, !errors.Is(err, fs.ErrNotExist)
	}
	unlock = func() { f.Close() }
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX) != nil {
		return unlock, true
	}
	own, errOwn := f.Stat()
	now, err := os.Lstat(name)
	return unlock, errOwn != nil || err == nil && os.SameFile(own, now)
}

// RemoveLeft removes the regular files in a folder whose names are such, and which nobody has locked.
func (OS) RemoveLeft(folder string, is func(name string) bool) {
	if folder == "" {
		folder = "."
	}
	d, err := os.Open(folder)
	if err != nil {
		return
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if is(name) {
			removeUnlocked(folder + string(os.PathSeparator) + name)
		}
	}
}

// removeUnlocked removes a file that can be locked.
func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		_ = os.Remove(name) // who may not, leaves it
	}
}
