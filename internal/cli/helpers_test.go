package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// inFolder changes to a new folder that holds the given files.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// small is a table of n rows with a number, a category and two classes, a third of them ill,
// that a few trees can learn.
func small(n int) string {
	var b strings.Builder
	b.WriteString("x,kind,class\n")
	for i := range n {
		class, kind := "well", "p"
		if i%3 == 0 {
			class = "ill"
		}
		if i%3 == 0 != (i%7 == 0) {
			kind = "q"
		}
		fmt.Fprintf(&b, "%d.5,%s,%s\n", i*13%n+(i%3)*n/3, kind, class)
	}
	return b.String()
}
