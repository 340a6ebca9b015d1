package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	const old = "# A\n<!-- one -->\nold\n<!-- /one -->\nb\n<!-- two -->\nkept\n<!-- /two -->\n"
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Put(path, "one", "new\nlines\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(old, "old\n", "new\nlines\n", 1)
	if string(got) != want {
		t.Errorf("Put made %q, want %q", got, want)
	}
	err = Put(path, "three", "")
	if err == nil || !strings.Contains(err.Error(), "no lines <!-- three --> and <!-- /three -->") {
		t.Errorf("Put without its lines: %v", err)
	}
}
