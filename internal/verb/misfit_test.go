package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// Tally refuses rows as evaluate does, and has the flag that it names.
func TestTallyOfUnlabelledRows(t *testing.T) {
	trained(t)
	write(t, "in.csv", "x,kind,class\n1,p,\n2,p,\n3,q,ill\n")
	for _, verb := range []string{"tally", "evaluate"} {
		got := invoke(t, nil, strings.Fields(verb+" model.rfp in.csv")...)
		if got.code != cli.ExitData || !strings.Contains(got.stderr, "2 of 3 rows are without a label") || got.stdout != "" {
			t.Errorf("%s: exit %d, %s, %s", verb, got.code, got.stderr, got.stdout)
		}
		must(t, verb+" model.rfp in.csv --drop-unlabelled -q")
	}
}
