package verb

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// With --per there is a list for each value of the columns, as if each had a file of its own.
func TestPer(t *testing.T) {
	trained(t)
	months := []string{"Feb", "Jan", "Dec"}
	head, of := "x,kind,year,month,class\n", map[string]*strings.Builder{}
	var whole strings.Builder
	whole.WriteString(head)
	for i := range 900 { // many rows tie
		month := months[i%17%3]
		year := 1996 - i%2
		line := fmt.Sprintf("%d.5,%s,%d,%s,%s\n", i*7919%61, []string{"p", "q"}[i%5%2], year, month,
			[]string{"ill", "well"}[i*31%7%2])
		key := fmt.Sprintf("%d,%s", year, month)
		if of[key] == nil {
			of[key] = &strings.Builder{}
			of[key].WriteString(head)
		}
		of[key].WriteString(line)
		whole.WriteString(line)
	}
	write(t, "new.csv", whole.String())
	order := []string{"1995,Jan", "1995,Feb", "1995,Dec", "1996,Jan", "1996,Feb", "1996,Dec"}
	for _, length := range []string{"7", "10%", "10000"} {
		var want, got []string
		for _, key := range order {
			write(t, "part.csv", of[key].String())
			lines := strings.Split(strings.TrimSpace(must(t, "predict model.rfp part.csv --top ill="+length).stdout), "\n")
			for _, line := range lines[1:] {
				_, rest, _ := strings.Cut(line, ",")
				want = append(want, key+","+rest)
			}
		}
		out := must(t, "predict model.rfp new.csv --per year,month --top ill="+length)
		lines := strings.Split(strings.TrimSpace(out.stdout), "\n")
		for _, line := range lines[1:] {
			_, rest, _ := strings.Cut(line, ",")
			got = append(got, rest)
		}
		if !strings.HasPrefix(lines[0], "row,year,month,rank,decision,") || !slices.Equal(got, want) {
			t.Errorf("lists of %s are others than those of each month alone:\n%s", length, out.stdout)
		}
		each := map[string]string{"7": "42 likeliest to be \"ill\" (7 for", "10%": "(10 % for",
			"10000": "900 likeliest to be \"ill\" (up to 10000 for"}[length] + " each of 6 values of \"year,month\") written"
		if !strings.Contains(out.stderr, each) {
			t.Errorf("no %q in %s", each, out.stderr)
		}
	}
	var first map[string]any
	line, _, _ := strings.Cut(must(t, "predict model.rfp new.csv --top ill=1 --per month,year --format json").stdout, "\n")
	if err := json.Unmarshal([]byte(line), &first); err != nil || first["month"] != "Jan" || first["year"] != "1995" ||
		first["rank"] != 1.0 {
		t.Errorf("%s: %v", line, err)
	}

	// evaluate judges them together: 42 rows, those that predict lists, if none tie.
	var judged struct {
		Top []struct {
			Lists     int
			Predicted float64
			Share     float64
		}
	}
	if err := json.Unmarshal([]byte(must(t,
		"evaluate model.rfp new.csv --top ill=7 --per year,month --format json").stdout), &judged); err != nil ||
		judged.Top[0].Lists != 6 || judged.Top[0].Predicted != 42 || judged.Top[0].Share != 42./900 {
		t.Errorf("%+v, %v", judged, err)
	}
	said := must(t, "evaluate model.rfp new.csv --top ill=7 --per year,month").stdout
	for _, words := range []string{"list ill=7: right", "42 rows, 4.7 % of all"} {
		if !strings.Contains(strings.ReplaceAll(said, "\n  ", " "), words) {
			t.Errorf("no %q in %s", words, said)
		}
	}

	for _, tc := range []struct{ line, want string }{
		{"predict model.rfp new.csv --top ill=7 --per yeer",
			`new.csv: no column "yeer" for --per (did you mean "year"?); correct the name`},
		{"evaluate model.rfp new.csv --top ill=7 --per year,moon", `no column "moon" for --per`},
		{"predict model.rfp new.csv --per month",
			"--per is for lists; say how long each of them is with --top, such as --top CLASS=20"},
		{"evaluate model.rfp new.csv --per month", "--per is for lists; say how long"},
		{"predict model.rfp new.csv --top ill=7 --per=", "--per is empty; name the column"},
		{"predict model.rfp new.csv --top ill=7 --per month,month",
			`--per "month" is also the name of a column of the output`},
		{"predict model.rfp new.csv --top ill=7 --per month --id month",
			`--id "month" is also the name of a column of the output`},
		{"cv new.csv --top ill=7 --per month", "there is no flag --per here, but of predict, evaluate, report"},
	} {
		if got := invoke(t, nil, strings.Fields(tc.line)...); got.code != cli.ExitUsage || !strings.Contains(got.stderr,
			tc.want) {
			t.Errorf("%s: %d, %s", tc.line, got.code, got.stderr)
		}
	}
}

// Lists that are asked for are judged, and no others; one that cv judged is set beside what it promised.
func TestListsAsked(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 3000 -o train.csv")
	must(t, "generate fraud --rows 3000 --seed 2 -o later.csv")
	const wish = " --cost fraud=20 --cost ok=1 --require fraud:alerts<=10/100 --trees 30"
	must(t, "cv train.csv --folds 3 --top fraud=2% -o cv.json"+wish)
	must(t, "train train.csv -o model.rfp"+wish)
	plain := must(t, "evaluate model.rfp later.csv --expected cv.json").stdout
	asked := must(t, "evaluate model.rfp later.csv --expected cv.json --top fraud=100").stdout
	inWords(t, asked, "list fraud=100: right")
	if strings.Contains(plain, "list fraud") {
		t.Errorf("no list was asked for:\n%s", plain)
	}
	same := must(t, "evaluate model.rfp later.csv --expected cv.json --top fraud=2%").stdout
	if !strings.Contains(same, "recall of list fraud=2%") {
		t.Errorf("the list of cv is not compared:\n%s", same)
	}
}
