package verb

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The command, built as anybody builds it, with its symbols, is no more than 30 MB, of which what serves HTTP is 2.
func TestSize(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to build with")
	}
	path := filepath.Join(t.TempDir(), "rfpragma")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/rfpragma").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if file.Size() > 30e6 {
		t.Errorf("%d bytes; go tool nm -size -sort size tells of what", file.Size())
	}
}
