package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// What cannot be exported is said, with a way out; what can is written in the form that the name of the file says, and
// the same to stdout.
func TestExport(t *testing.T) {
	inFolder(t, map[string]string{"rows.txt": "not a statement\n"})
	must(t, "generate fraud --rows 300 -o rows.csv")
	must(t, "train rows.csv --trees 20 --tune-forest off --quiet -o card.rfp")
	must(t, "generate wave --rows 300 -o wave.csv")
	must(t, "train wave.csv --trees 20 --tune-forest off --calibrate platt:coupled --quiet -o coupled.rfp")
	for _, tc := range []struct {
		line string
		code int
		says string
	}{
		{"export", cli.ExitUsage, "MODEL.rfp"},
		{"export card.rfp", cli.ExitUsage, "end it in .onnx, .json or .sql, or give --format"},
		{"export card.rfp -o card.pmml", cli.ExitUsage, "end it in .onnx"},
		{"export card.rfp --format pmml", cli.ExitUsage, "choose onnx, json or sql"},
		{"export card.rfp -o card.onnx --table t", cli.ExitUsage, "--table is of SQL"},
		{"export card.rfp --format sql --table a..b", cli.ExitUsage, "no name of a table"},
		{"export card.rfp --format sql -o card.json", cli.ExitUsage, "card.json"},
		{"export card.rfp --format sql -o rows.csv", cli.ExitUsage, "rows.csv"},
		{"export rows.csv -o card.onnx", cli.ExitModel, "rows.csv"},
		{"export coupled.rfp -o card.onnx", cli.ExitLimit, "calibrate with a map of all classes"},
	} {
		got := invoke(t, strings.NewReader(""), split(tc.line)...)
		if got.code != tc.code || !strings.Contains(got.stderr, tc.says) {
			t.Errorf("%s: exit %d, want %d: %s", tc.line, got.code, tc.code, got.stderr)
		}
	}
	for _, form := range []string{"onnx", "json", "sql"} {
		out := must(t, "export card.rfp --format "+form).stdout
		must(t, "export card.rfp -o card."+form)
		said := must(t, "export card.rfp -o card."+form).stderr
		if got := read(t, "card."+form); got != out || len(out) < 1000 || !strings.Contains(said, "(replaced)") {
			t.Errorf("%s: %d bytes in the file, %d on stdout; %s", form, len(got), len(out), said)
		}
	}
	if out := must(t, "export card.rfp --format sql --table shop.payments").stdout; !strings.Contains(out,
		`FROM "shop"."payments"`) {
		t.Errorf("the statement is of another table: %.300s", out)
	}
}
