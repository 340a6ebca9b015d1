//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What a killed process leaves of a save goes with the next save to the same file, and nothing else does: neither
// what is being written, nor what only looks like it.
func TestLeftBehind(t *testing.T) {
	if path := os.Getenv("ATOMICFILE_TEST_KILL"); path != "" { // the process that is killed
		err := Write(path, func(w io.Writer) error {
			io.WriteString(w, strings.Repeat("x", 1<<18))
			os.Stdout.WriteString("writing\n")
			select {}
		})
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "m")
	for range 2 {
		c := exec.Command(os.Args[0], "-test.run=^TestLeftBehind$")
		c.Env = append(os.Environ(), "ATOMICFILE_TEST_KILL="+path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(line, err)
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // killed
		if n := len(temps(t, folder)); n != 1 {
			t.Fatalf("%d files are left behind, want the one of the last", n)
		}
	}
	others := []string{".m.tmp-SHORT", ".m.tmp-" + strings.Repeat("a", 26), ".n.tmp-" + strings.Repeat("A", 26)}
	for _, name := range others {
		put(t, filepath.Join(folder, name), "mine", 0o600)
	}
	err := Write(path, func(w io.Writer) error { // another save meanwhile
		if err := Write(path, text("inner")); err != nil {
			return err
		}
		_, err := io.WriteString(w, "outer")
		return err
	})
	if got := content(t, path); err != nil || got != "outer" {
		t.Errorf("%q, %v", got, err)
	}
	if got := temps(t, folder); len(got) != len(others) {
		t.Errorf("left are %v, want %v", got, others)
	}
}

// temps are the hidden files of a folder.
func temps(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A link that leads to no folder says which that is.
func TestDanglingFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("absent/new", "link"); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"Check": Check("link"), "Write": Write("link", text("x"))} {
		if want := "save link: no such file or directory; folder absent/ does not exist: create it first"; err == nil ||
			err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
