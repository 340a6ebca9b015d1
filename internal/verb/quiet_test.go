package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// What is quiet says nothing of its progress, whatever the verb.
func TestQuiet(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate fraud --rows 200 -o data.csv -q")
	must(t, "generate fraud --rows 200 --seed 2 -o new.csv --quiet")
	must(t, "train data.csv --trees 50 --prefer fraud -o m.rfp -q")
	for _, line := range []string{
		"inspect data.csv -q", "importance m.rfp data.csv --repeats 1 -q", "report m.rfp new.csv -o r.html -q",
		"evaluate m.rfp new.csv -q",
	} {
		for _, text := range strings.Split(must(t, line).stderr, "\n") {
			if text != "" && !strings.HasPrefix(text, "warning: ") && !strings.HasPrefix(text, "  ") {
				t.Errorf("%s: says %q", line, text)
			}
		}
	}
	write(t, "same.csv", strings.ReplaceAll(must(t, "generate fraud --rows 200 -q").stdout, "\n", ",1\n"))
	if got := must(t, "train same.csv --target class --trees 5 --prefer fraud -o m.rfp").stderr; !strings.Contains("\n"+
		got, "\nsame.csv: column \"1\" is the same in every row and cannot help\n") {
		t.Errorf("a column that harms nothing is no reason for a warning, but is told: %q", got)
	}
	for _, c := range app((&cli.Program{})).Commands {
		if len(c.Flags) > 0 && cli.FlagNamed(c.Flags, "quiet") == nil {
			t.Errorf("%s has no --quiet", c.Name)
		}
	}
}
