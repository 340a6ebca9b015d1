package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// openOutput returns standard output or, where a shell has started the command without one, as by >&-, a writer that
// fails: what goes there would be lost.
func openOutput(stdout *os.File) io.Writer {
	if closedAtStart(stdout, fmt.Sprintf("/proc/%d", os.Getppid())) {
		return closed{}
	}
	return stdout
}

// closed is standard output that is none.
type closed struct{}

func (closed) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EBADF}
}

// shells are what opens the null device for writing alone where it is told to write there, and starts commands with
// closed files where it is told so.
var shells = []string{"ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "sh", "zsh"}

// closedAtStart tells whether stdout was closed as the shell of that folder of /proc started the command. Go opens the
// null device in place of a file that is closed, for reading and writing. So do other programs for a command whose
// output nobody wants, and the shell may have such an output, too.
func closedAtStart(stdout *os.File, parent string) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil || !isFile(stdout.Stat, null) {
		return false
	}
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, stdout.Fd(), syscall.F_GETFL, 0)
	if errno != 0 || flags&syscall.O_ACCMODE != syscall.O_RDWR {
		return false
	}
	program, err := os.Readlink(filepath.Join(parent, "exe"))
	if err != nil || !slices.Contains(shells, strings.TrimRight(filepath.Base(program), "0123456789.-")) {
		return false
	}
	return !isFile(func() (os.FileInfo, error) { return os.Stat(filepath.Join(parent, "fd", "1")) }, null)
}

func isFile(stat func() (os.FileInfo, error), file os.FileInfo) bool {
	is, err := stat()
	return err == nil && os.SameFile(is, file)
}
