package licences_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/licences"
)

// Each module that is linked into the command has its licence in the text, in its version.
func TestLicences(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}",
		"../../cmd/rfpragma")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(strings.ReplaceAll(string(out), " ", "@"))
	if len(modules) == 0 {
		t.Error("no module is linked")
	}
	for _, m := range modules {
		if !strings.Contains(licences.Text, "\n"+strings.Replace(m, "@", " ", 1)+"\n====") {
			t.Errorf("the licence of %s is not there; cd release && go run . -licences", m)
		}
	}
}
