package verb

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// rowsOf writes a table of that header.
func rowsOf(header string, n int, row func(i int) string) string {
	text := header + "\n"
	for i := range n {
		text += row(i) + "\n"
	}
	return text
}

// Every verb that learns from a table says the same of it, once, on its page or beside it.
func TestKindsAreToldInEveryVerb(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	class, walk := 0, 0.0
	honest := func(i int, z string) string {
		return fmt.Sprintf("%d.%d,%s,%s", i*331%199, i%10, z, []string{"well", "ill"}[i*7%11%2])
	}
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"unit":   {rowsOf("x,z,class", 200, func(i int) string { return honest(i, fmt.Sprintf("%d.%dkg", i%37, i%10)) }), "--number z=kg"},
		"clock":  {rowsOf("x,z,class", 200, func(i int) string { return honest(i, fmt.Sprintf("%02d:%02d", i%24, i*7%60)) }), "--number z=min"},
		"pairs":  {rowsOf("x,z,class", 200, func(i int) string { return honest(i, fmt.Sprintf("%d/%d", 100+i*7%60, 60+i%31)) }), "two numbers in each cell"},
		"number": {rowsOf("x,z,class", 200, func(i int) string { return honest(i, fmt.Sprint(1+i*37%200)) }), "every whole number from 1 to 200"},
		"filled": {rowsOf("x,z,class", 200, func(i int) string {
			return honest(i, map[bool]string{true: "-999.25", false: fmt.Sprint(i * 37 % 23)}[i%9 == 0])
		}), "--missing z=-999.25"},
		"case": {rowsOf("x,z,class", 200, func(i int) string { return honest(i, []string{"Bern", "bern", "Genf"}[i*i%3]) }), "are kept apart"},
		"recoded": {rowsOf("x,z,class", 60, func(i int) string {
			return fmt.Sprintf("%d.5,%d,%s", i*31%59, map[bool]int{true: 1}[i%8 == 0], []string{"ill", "well"}[min(i%8, 1)])
		}), `"z"`},
		"serial": {rowsOf("a,b,class", 900, func(int) string {
			if rng.Float64() < 0.05 {
				class = 1 - class
			}
			walk += rng.NormFloat64()
			return fmt.Sprintf("%.3f,%.3f,%s", walk, walk+rng.NormFloat64(), []string{"well", "ill"}[class])
		}), "eighbouring rows are alike"},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, map[string]string{"in.csv": c.text})
			for _, verb := range []string{"inspect in.csv", "cv in.csv --prefer ill --trees 5 --folds 2",
				"train in.csv --prefer ill --trees 5 -o m.rfp"} {
				got := invoke(t, nil, strings.Fields(verb)...)
				all := strings.Join(strings.Fields(got.stdout+got.stderr), " ")
				if got.code != 0 || !strings.Contains(all, c.want) {
					t.Errorf("%s: exit %d, %s; want %q", verb, got.code, all, c.want)
				}
			}
		})
	}
}

// What is said of a table that other verbs take, or how it is read.
func TestKindsOfTables(t *testing.T) {
	table := func(z func(i int) string) string {
		return rowsOf("x,z,class", 120, func(i int) string {
			return fmt.Sprintf("%d.5,%s,%s", i*31%119, z(i), []string{"ill", "well"}[i*7%11%2])
		})
	}
	words := func(yes, no string) string {
		return table(func(i int) string { return map[bool]string{true: yes, false: no}[i*5%7 < 3] })
	}
	scores := func(score func(v float64) float64, label bool) string {
		return rowsOf(map[bool]string{true: "class,s", false: "s"}[label], 100, func(i int) string {
			v := float64(i*37%97+1) / 100
			text := fmt.Sprint(score(v))
			if label {
				text = []string{"well", "ill"}[map[bool]int{true: 1}[v > 0.5 != (i%7 == 0)]] + "," + text
			}
			return text
		})
	}
	votes := func(ill func(i int) int) string {
		return rowsOf("class,ill,well", 200, func(i int) string {
			return fmt.Sprintf("%s,%d,%d", []string{"ill", "well"}[map[bool]int{true: 1}[i%4 > 0]], ill(i), 10-ill(i))
		})
	}
	empty := table(func(int) string { return "" })
	inFolder(t, map[string]string{
		"kg.csv":      table(func(i int) string { return fmt.Sprintf("%d.5kg", i%37) }),
		"bare.csv":    table(func(i int) string { return fmt.Sprintf("%d.5", i%37) }),
		"lb.csv":      table(func(i int) string { return fmt.Sprintf("%d.5 lb", i%37) }),
		"python.csv":  words("True", "False"),
		"r.csv":       words("TRUE", "FALSE"),
		"psql.csv":    words("t", "f"),
		"numbers.csv": words("1", "0"),
		"on.csv":      words("on", "off"),
		"empty.csv":   empty, "later.csv": strings.ReplaceAll(empty, ",,", ",urgent,"),
		"share.csv": scores(func(v float64) float64 { return v }, true), "more.csv": scores(func(v float64) float64 { return v }, false),
		"percent.csv": scores(func(v float64) float64 { return 100 * v }, false),
		"byte.csv":    scores(func(v float64) float64 { return 255 * v }, false),
		"odds.csv":    scores(func(v float64) float64 { return 10*v - 5 }, false),
		"points.csv":  scores(func(v float64) float64 { return 100 * v }, true),
		"falls.csv":   scores(func(v float64) float64 { return -v }, true),
		"same.csv":    scores(func(float64) float64 { return 0.4 }, true),
		"swapped.csv": votes(func(i int) int { return map[bool]int{true: 2 + i%2, false: 6 + i%3}[i%4 == 0] }),
		"flat.csv":    votes(func(int) int { return 4 }),
		"tie.csv":     votes(func(i int) int { return map[bool]int{true: 3, false: i % 3}[i%4 == 0] }),
		"nr.csv": rowsOf("class,ill,well,patient", 50, func(i int) string {
			return fmt.Sprintf("%s,%d,%d,%d", []string{"ill", "well"}[i%2], i%11, 10-i%11, 1000+i)
		}),
		"blank.txt": rowsOf(`"x" "z" "class"`, 40, func(i int) string {
			return fmt.Sprintf(`"%d" %d "k%d" "%s"`, i+1, i*7%39, i%3, []string{"ill", "well"}[i*3%5%2])
		}),
	})
	must(t, "train kg.csv --number z=kg --prefer ill --trees 5 -o kg.rfp -q")
	must(t, "train python.csv --prefer ill --trees 5 -o python.rfp -q")
	must(t, "train r.csv --prefer ill --trees 5 -o r.rfp -q")
	must(t, "train empty.csv --prefer ill --trees 5 -o empty.rfp -q")
	must(t, "calibrate share.csv --positive ill --calibrate platt -o share.json -q")
	must(t, "calibrate share.csv --positive ill --calibrate isotonic -o stairs.json -q")
	must(t, "calibrate points.csv --positive ill --calibrate platt-raw -o points.json -q")
	if read(t, "python.rfp") != read(t, "r.rfp") {
		t.Error("True and TRUE make two models")
	}
	for _, c := range []struct {
		line string
		code int
		want string // of stderr, "" for nothing
	}{
		{"predict kg.rfp kg.csv", 0, ""}, {"predict kg.rfp bare.csv", 0, ""},
		{"predict kg.rfp lb.csv", cli.ExitData, `are not numbers in "kg", as the model needs`},
		{"predict python.rfp r.csv", 0, ""}, {"predict python.rfp psql.csv", 0, ""}, {"predict python.rfp numbers.csv", 0, ""},
		{"predict python.rfp on.csv", cli.ExitData, "hardly a cell is of a category of the training"},
		{"predict empty.rfp later.csv", 0, "had no value in training and decides nothing"},
		{"calibrate share.json more.csv", 0, ""},
		{"calibrate share.json percent.csv", cli.ExitData, "if they are percentages, divide by 100"},
		{"calibrate share.json byte.csv", cli.ExitData, "if they go from 0 to 255"},
		{"calibrate share.json odds.csv", cli.ExitData, "if they are log odds x, give 1/(1+exp(-x))"},
		{"calibrate stairs.json odds.csv", cli.ExitData, "if they are log odds"},
		{"calibrate stairs.json percent.csv", cli.ExitData, "percentages"},
		{"calibrate points.json more.csv", 0, "have these been divided by 100"},
		{"calibrate points.json percent.csv", 0, ""},
		{"calibrate falls.csv --positive ill", 0, "the scores run the other way"},
		{"calibrate same.csv --positive ill --calibrate isotonic", 0, "are the same in every row"},
		{"calibrate swapped.csv", 0, "the scores run the other way"},
		{"tune swapped.csv --prefer ill", 0, "the scores run the other way"},
		{"tune flat.csv --prefer ill", 0, "are the same in every row"},
		{"tune nr.csv --prefer ill", cli.ExitData, "leave it out with --ignore patient, or give rows of it"},
		{"tune share.csv --prefer ill", 0, "has few rows"},
		{"tune share.csv --cost ill=5 --positive ill", 0, "has few rows"},
		{"tune share.csv --cost ill=5", cli.ExitUsage, "--positive is missing"},
		{"tune same.csv --prefer ill", 0, "are the same in every row"},
		{"tune points.csv --prefer ill", cli.ExitData, "if they are percentages, divide by 100"},
		{"inspect blank.txt", 0, ""},
	} {
		got := invoke(t, nil, strings.Fields(c.line+" -q")...)
		quiet := c.want == "" && got.stderr != ""
		if got.code != c.code || !strings.Contains(got.stderr, c.want) || quiet {
			t.Errorf("%s: exit %d, %s; want %d, %q", c.line, got.code, got.stderr, c.code, c.want)
		}
	}
	for _, c := range []struct { // 3 of 10 votes have all 50 rows of ill, and no other row
		flag  string
		found string
	}{{"ill=0.3", "50 0"}, {"ill=0.3,well=0.7", "50 0"}, {"ill=0.31", "0 50"}, {"ill=30%", "50 0"}} {
		got := must(t, "tune tie.csv --prefer ill --format json -q --cutoff "+c.flag)
		_, after, _ := strings.Cut(got.stdout, `"confusion": [`)
		numbers := strings.Fields(strings.NewReplacer("[", " ", "]", " ", ",", " ").Replace(after))
		if len(numbers) < 2 || numbers[0]+" "+numbers[1] != c.found {
			t.Errorf("--cutoff %s: %.60s, want %s", c.flag, after, c.found)
		}
	}
}
