package main

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// In bash itself, which parts words at = and at colons. The command is this test, see TestMain.
func TestBashCompletes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	inFolder(t, map[string]string{
		"odd.csv": "my amount,kind,class\n1,x,ill man\n2,z,well\n", "rfpragma.bash": cli.BashScript, "my model.rfp": "",
	})
	for _, tc := range []struct {
		line  string
		words []string // as bash parts it
		want  string
	}{
		{"rfpragma cv odd.csv --tar", []string{"rfpragma", "cv", "odd.csv", "--tar"}, "--target"},
		{"rfpragma cv odd.csv  --target ", []string{"rfpragma", "cv", "odd.csv", "--target", ""}, `my\ amount|kind|class`},
		{"rfpragma cv odd.csv --target=k", []string{"rfpragma", "cv", "odd.csv", "--target", "=", "k"}, "kind"},
		{"rfpragma cv odd.csv --target=", []string{"rfpragma", "cv", "odd.csv", "--target", "="}, `my\ amount|kind|class`},
		{"rfpragma cv odd.csv --measure f:w", []string{"rfpragma", "cv", "odd.csv", "--measure", "f", ":", "w"}, "well"},
		{"rfpragma cv odd.csv --positive i", []string{"rfpragma", "cv", "odd.csv", "--positive", "i"}, `ill\ man`},
		{"rfpragma predict ", []string{"rfpragma", "predict", ""}, `my\ model.rfp`},
		{"rfpragma cv odd", []string{"rfpragma", "cv", "odd"}, "odd.csv"},
		{"rfpragma cv --costs=odd", []string{"rfpragma", "cv", "--costs", "=", "odd"}, "odd.csv"},
	} {
		script := `source ./rfpragma.bash; COMP_LINE=$1; COMP_POINT=${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rfpragma; IFS='|'; echo "${COMPREPLY[*]}"`
		out, err := exec.Command("bash", append([]string{"--norc", "-c", script, "bash", tc.line},
			tc.words...)...).CombinedOutput()
		if diff := cmp.Diff(tc.want+"\n", string(out)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", tc.line, err, diff)
		}
	}
}
