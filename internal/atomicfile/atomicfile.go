// Package atomicfile saves files whole or not at all: a reader, or the next run after a
// crash, finds the old file or the new one, never a part of either.
//
// A save writes a temporary file .NAME.tmp-RANDOM beside the target, syncs it to disk, reads
// it back and compares SHA-256 sums, renames it over the target and syncs the folder. The
// temporary file is removed whenever a step fails; one left behind by a killed process is
// never read, and the next save to the same target removes it: as long as a process writes, it
// holds a lock on the file, where the system has such (see Lock). Of two saves to one target at the same time, the last
// rename wins as a whole. Network drives whose rename or sync is not dependable weaken these
// promises to what the drive keeps.
package atomicfile

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Write saves what write writes to the file path.
//
// An existing file is replaced and its permission bits are kept; a new one gets 0644 less the
// umask. A symbolic link stays, and the file it leads to is replaced or created. What is no
// regular file, such as a pipe, a terminal, /dev/stdout or /dev/null, is written directly, as
// there is nothing to replace.
//
// An error of write itself is returned as it is, and nothing has been touched. Any other
// error is an [*fs.PathError] of path which wraps the cause, such as a [syscall.Errno], and
// says how to mend it. The old file is then unchanged, except that after a failed sync of the
// folder the new file is in place; the error says so.
func Write(path string, write func(io.Writer) error) error {
	return WriteTo(OS{}, path, write)
}

// WriteTo is [Write] on another file system, for tests of what happens when one fails.
func WriteTo(fsys FS, path string, write func(io.Writer) error) error {
	target, mode, err := resolve(fsys, path)
	if err != nil {
		return failed(path, err, cure(err, path))
	}
	if mode.direct {
		return stream(fsys, path, write)
	}
	return replace(fsys, path, target, mode, write)
}

// Check returns the error that a [Write] to path would end with where that can be known before:
// the folder does not exist or may not be written, or path is a folder. It is for work that
// takes long before there is anything to write.
func Check(path string) error {
	fsys := OS{}
	target, mode, err := resolve(fsys, path)
	if err != nil {
		return failed(path, err, cure(err, path))
	}
	if mode.direct {
		return nil
	}
	folder, name := filepath.Split(target)
	temp := folder + tempName(name)
	f, err := fsys.Create(temp)
	if err != nil {
		return failed(path, err, cure(err, target))
	}
	return errors.Join(f.Close(), fsys.Remove(temp))
}

// targetMode is how a target is to be written.
type targetMode struct {
	exists, direct bool
	perm           fs.FileMode // of an existing regular file
}

var (
	errEmpty    = errors.New("the file name is empty")
	errFolder   = errors.New("it is a folder")
	errLinks    = errors.New("too many symbolic links")
	errDiffers  = errors.New("what was read back differs from what was written")
	errNotSaved = errors.New("the folder could not be synced")
)

// resolve follows the symbolic links of path to the file to be replaced. It does not clean
// paths, because a/link/.. need not be a.
func resolve(fsys FS, path string) (string, targetMode, error) {
	if path == "" {
		return "", targetMode{}, errEmpty
	}
	target := path
	for range 40 {
		// Links of /proc lead to open files of a process, not to names.
		if strings.HasPrefix(target, "/proc/") {
			return target, targetMode{direct: true}, nil
		}
		info, err := fsys.Lstat(target)
		_, name := filepath.Split(target)
		switch {
		case err == nil && info.IsDir(), name == "":
			return "", targetMode{}, errFolder
		case errors.Is(err, fs.ErrNotExist):
			return target, targetMode{}, nil
		case err != nil:
			return "", targetMode{}, err
		case info.Mode().IsRegular():
			return target, targetMode{exists: true, perm: info.Mode().Perm()}, nil
		case info.Mode()&fs.ModeSymlink == 0:
			return target, targetMode{direct: true}, nil
		}
		link, err := fsys.Readlink(target)
		if err != nil {
			return "", targetMode{}, err
		}
		if !filepath.IsAbs(link) {
			folder, _ := filepath.Split(target)
			link = folder + link
		}
		target = link
	}
	return "", targetMode{}, errLinks
}

// stream writes to what cannot be replaced.
func stream(fsys FS, path string, write func(io.Writer) error) error {
	f, err := fsys.OpenAppend(path)
	if err != nil {
		return failed(path, err, cure(err, path))
	}
	s := &sink{file: f}
	err = s.fill(write)
	closing := f.Close()
	switch {
	case s.err != nil:
		return failed(path, s.err, "a part may have been written; "+cure(s.err, path))
	case err != nil:
		return err
	case closing != nil:
		return failed(path, closing, "a part may have been written; "+cure(closing, path))
	}
	return nil
}

// replace writes the temporary file and renames it over target.
func replace(fsys FS, path, target string, mode targetMode, write func(io.Writer) error) (err error) {
	folder, name := filepath.Split(target)
	temp, f, unlock, err := create(fsys, folder, name)
	if err != nil {
		return failed(path, err, cure(err, target))
	}
	defer unlock()
	renamed, open := false, true
	defer func() { // also when write panics
		if renamed {
			return
		}
		if open {
			f.Close()
		}
		if left := fsys.Remove(temp); left != nil && err != nil {
			err = fmt.Errorf("%w; delete the temporary file %s, which could not be removed: %w", err, temp, left)
		}
	}()

	s := &sink{file: f, sum: sha256.New()}
	err = s.fill(write)
	if err != nil && s.err == nil {
		return err
	}
	if err = s.err; err == nil && mode.exists {
		err = f.Chmod(mode.perm)
	}
	if err == nil {
		err = f.Sync() // a failed sync is final: a second one may succeed without the data
	}
	if err == nil {
		open = false
		err = f.Close()
	}
	if err == nil {
		err = verify(fsys, temp, s.sum.Sum(nil))
	}
	if err == nil {
		err = fsys.Rename(temp, target)
		renamed = err == nil
	}
	if err != nil {
		return failed(path, err, cure(err, target))
	}
	if err := fsys.SyncDir(folder); err != nil {
		return failed(path, fmt.Errorf("%w: %w", errNotSaved, err),
			"the new file is in place and whole, but may be lost if the power fails now; save again")
	}
	return nil
}

// locker is a file system that tells which temporary files still have a writer.
type locker interface {
	Lock(name string) (unlock func(), there bool)
	RemoveLeft(folder string, is func(name string) bool)
}

// create creates the temporary file for a save to name, after it has removed those of killed processes.
func create(fsys FS, folder, name string) (temp string, f File, unlock func(), err error) {
	locks, ok := fsys.(locker)
	if ok {
		locks.RemoveLeft(folder, func(other string) bool { return isTemp(other, name) })
	}
	for {
		temp = folder + tempName(name)
		if f, err = fsys.Create(temp); err != nil || !ok {
			return temp, f, func() {}, err
		}
		unlock, there := locks.Lock(temp)
		if there {
			return temp, f, unlock, nil
		}
		unlock() // somebody took it for one that was left, before the lock
		f.Close()
	}
}

// isTemp tells whether other is what [tempName] may make of name.
func isTemp(other, name string) bool {
	like := tempName(name)
	random := len(like) - len(rand.Text())
	return len(other) == len(like) && other[:random] == like[:random] &&
		strings.Trim(other[random:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// tempName returns the name of the temporary file beside name. It is cut so that no file
// system finds it too long.
func tempName(name string) string {
	if len(name) > 200 {
		name = strings.ToValidUTF8(name[:200], "")
	}
	return "." + name + ".tmp-" + rand.Text()
}

// sink is where write writes: a file, and the sum of what the file took. It keeps the first
// error of the file, so that it can be told from an error of write.
type sink struct {
	file io.Writer
	sum  hash.Hash // or nil
	err  error
}

// fill runs write through a buffer.
func (s *sink) fill(write func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(s, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

// Write implements [io.Writer].
func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.file.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	s.err = err
	if s.sum != nil {
		s.sum.Write(p[:n])
	}
	return n, err
}

// verify compares the file with the sum of what was written to it.
func verify(fsys FS, name string, want []byte) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	f.Close() // it was only read
	if err == nil && !bytes.Equal(sum.Sum(nil), want) {
		err = errDiffers
	}
	return err
}

// failed is the error of a save to path. What names the temporary file is taken off: nobody has asked for that file.
func failed(path string, err error, mend string) error {
	var (
		step *fs.PathError
		link *os.LinkError
	)
	switch {
	case errors.Is(err, errNotSaved):
	case errors.As(err, &step):
		err = step.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "save", Path: path, Err: fmt.Errorf("%w; %s", err, mend)}
}

// cure says what to do about err.
func cure(err error, path string) string {
	folder, _ := filepath.Split(path)
	if folder == "" {
		folder = "."
	}
	switch {
	case errors.Is(err, errEmpty), errors.Is(err, errFolder):
		return "give the name of a file"
	case errors.Is(err, errLinks), errors.Is(err, syscall.ELOOP):
		return "give the name of the file itself"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk or your quota is full: free some space or save elsewhere"
	case errors.Is(err, syscall.EFBIG):
		return "files may not grow that large here: raise the limit (ulimit -f) or save elsewhere"
	case errors.Is(err, fs.ErrNotExist):
		if _, there := os.Stat(folder); there == nil { // such as /proc
			return fmt.Sprintf("no file can be made in folder %s: save elsewhere", folder)
		}
		return fmt.Sprintf("folder %s does not exist: create it first", folder)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Sprintf("%s is not a folder: save elsewhere", folder)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("you may not write in folder %s: change its rights or save elsewhere", folder)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "choose a shorter name"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "too many files are open: close some or raise the limit (ulimit -n)"
	}
	return "try again, check the disk, or save elsewhere"
}
