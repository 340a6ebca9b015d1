package verb

import (
	"os"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// What is at fault says how a verb ends, and not the verb: 2 is mended by another command line, 3 by other data.
// What a verb ends with that makes sense of such a file all the same is by its name in but.
func TestExitByFault(t *testing.T) {
	trained(t)
	must(t, "grow data.csv --trees 4 -o trees.part -q")
	const votes = "class,ill,well\nill,4,1\nwell,2,3\nwell,1,4\nill,3,2\n"
	verbs := []struct{ name, line, good, odd string }{
		{"inspect", "inspect in.csv", small(20), "much,p,ill\n"},
		{"cv", "cv in.csv --trees 3 --folds 2", small(20), "much,p,ill\n"},
		{"train", "train in.csv --trees 3 -o new.rfp", small(20), "much,p,ill\n"},
		{"grow", "grow in.csv --trees 3 -o new.part", small(20), "much,p,ill\n"},
		{"tally", "tally trees.part in.csv -o votes.part", small(20), "much,p,ill\n"},
		{"predict", "predict model.rfp in.csv", small(20), "much,p,ill\n"},
		{"evaluate", "evaluate model.rfp in.csv", small(20), "much,p,ill\n"},
		{"report", "report model.rfp in.csv -o page.html", small(20), "much,p,ill\n"},
		{"importance", "importance model.rfp in.csv", small(20), "much,p,ill\n"},
		{"tune a model", "tune model.rfp in.csv", small(20), "much,p,ill\n"},
		{"calibrate a model", "calibrate model.rfp in.csv -o new.rfp", small(20), "much,p,ill\n"},
		{"tune", "tune in.csv", votes, "ill,much,1\n"},
		{"calibrate", "calibrate in.csv", votes, "ill,much,1\n"},
	}
	named := map[string]int{"inspect": cli.ExitDone, "predict": cli.ExitDone, "cv": cli.ExitUsage, "train": cli.ExitUsage,
		"grow": cli.ExitUsage, "calibrate": cli.ExitUsage}
	for _, fault := range []struct {
		name string
		text func(good, odd string) string // of in.csv
		more string                        // on the command line
		want int
		but  map[string]int
	}{
		{"a word among numbers", func(good, odd string) string { return good + odd }, "", cli.ExitData,
			map[string]int{"inspect": cli.ExitDone}},
		{"a row too short", func(good, _ string) string { return good + "1\n" }, "", cli.ExitData, nil},
		{"no byte", func(string, string) string { return "" }, "", cli.ExitData, nil},
		{"no row", func(good, _ string) string { return good[:strings.Index(good, "\n")+1] }, "", cli.ExitData,
			map[string]int{"predict": cli.ExitDone, "tally": cli.ExitDone}},
		{"a zip archive", func(string, string) string { return "PK\x03\x04 and more" }, "", cli.ExitData, nil},
		{"UTF-16", func(good, _ string) string {
			return "\xff\xfe" + strings.Join(strings.Split(good, ""), "\x00") + "\x00"
		}, "", cli.ExitData, nil},
		{"no column of labels", func(good, _ string) string { return strings.Replace(good, "class", "sort", 1) }, "",
			cli.ExitData, named},
		{"no column of that name", func(good, _ string) string { return good }, "--id nobody", cli.ExitUsage, nil},
		{"a model", nil, "", cli.ExitUsage, map[string]int{"inspect": cli.ExitDone}},
		{"no such flag", func(good, _ string) string { return good }, "--nonsense", cli.ExitUsage, nil},
		{"one file too many", func(good, _ string) string { return good }, "in.csv in.csv", cli.ExitUsage,
			map[string]int{"tally": cli.ExitModel}},
		{"a folder", nil, "", cli.ExitIO, nil},
		{"no file", nil, "", cli.ExitIO, nil},
	} {
		for _, v := range verbs {
			t.Run(fault.name+", "+v.name, func(t *testing.T) {
				line, want := v.line+" "+fault.more, fault.want
				switch {
				case fault.text != nil:
					write(t, "in.csv", fault.text(v.good, v.odd))
				case fault.name == "a model":
					line = strings.Replace(line, "in.csv", "model.rfp", 1)
				case fault.name == "a folder":
					line = strings.Replace(line, "in.csv", ".", 1)
				default:
					line = strings.Replace(line, "in.csv", "absent.csv", 1)
				}
				if other, known := fault.but[v.name]; known {
					want = other
				}
				before := listing(t)
				if got := invoke(t, nil, split(line)...); got.code != want || want != cli.ExitDone && (got.stdout != "" ||
					listing(t) != before) {
					t.Errorf("%s: exit %d, want %d\n%s%s", line, got.code, want, got.stdout, got.stderr)
				}
			})
			_ = os.Remove("new.rfp")
		}
	}
}
