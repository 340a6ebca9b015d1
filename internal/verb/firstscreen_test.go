package verb

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
)

// namedLong makes rows of classes with names of twelve characters, of which x and y tell the class more or less.
func namedLong(classes int) (text string, names []string) {
	rng := rand.New(rand.NewPCG(7, 1))
	var b strings.Builder
	b.WriteString("x,y,class\n")
	for c := range classes {
		names = append(names, fmt.Sprintf("category-%c%02d", 'a'+c, c))
	}
	for i := range max(120, 15*classes) {
		c := i % classes
		fmt.Fprintf(&b, "%.2f,%.2f,%s\n", float64(c%5)+rng.NormFloat64(), float64(c/5)+rng.NormFloat64(), names[c])
	}
	return b.String(), names
}

// The first screen of cv fits a terminal (that of 26 classes has a line for each), shows names whole, and begins
// each finding below the verdict with its grade. With --details all findings of the JSON are said.
func TestFirstScreen(t *testing.T) {
	three, thirds := namedLong(3)
	many, names := namedLong(26)
	for i := range names {
		short := string(rune('A' + i))
		many, names[i] = strings.ReplaceAll(many, names[i], short), short
	}
	inFolder(t, map[string]string{"three.csv": three, "many.csv": many})
	must(t, "generate fraud --rows 1500 -o fraud.csv")
	must(t, "generate wave --classes 2 --rows 300 -o wave.csv")
	for _, tc := range []struct {
		flags   string
		lines   int
		classes []string
		spec    pragma.Spec
	}{
		{"fraud.csv --prefer fraud", 30, []string{"fraud", "ok"}, pragma.Spec{"fraud": pragma.Find()}},
		{"wave.csv --prefer 2", 30, []string{"1", "2"}, pragma.Spec{"2": pragma.Find()}},
		{"three.csv --prefer " + thirds[1], 30, thirds, pragma.Spec{thirds[1]: pragma.Find()}},
		{"many.csv --prefer " + names[3] + ";" + names[20], 45, names, pragma.Spec{names[3]: pragma.Find(),
			names[20]: pragma.Find()}},
	} {
		line := "cv " + tc.flags + " --trees 20 --folds 3"
		screen := must(t, line).stdout
		if n := strings.Count(strings.TrimSpace(screen), "\n") + 1; n > tc.lines {
			t.Errorf("%s: %d lines, more than %d:\n%s", line, n, tc.lines, screen)
		}
		for shown := range strings.Lines(screen) {
			if n := utf8.RuneCountInString(strings.TrimRight(shown, "\n")); n > 100 {
				t.Errorf("%s: a line of %d columns: %s", line, n, shown)
			}
		}
		if strings.Contains(screen, "…") {
			t.Errorf("%s: a name is clipped:\n%s", line, screen)
		}
		for _, name := range tc.classes {
			if !strings.Contains(screen, name) {
				t.Errorf("%s: no class %s:\n%s", line, name, screen)
			}
		}
		rows := make([]float64, len(tc.classes))
		name, _, _ := strings.Cut(tc.flags, " ")
		for i, class := range tc.classes {
			rows[i] = float64(strings.Count(read(t, name), ","+class+"\n"))
		}
		goal, err := tc.spec.For(tc.classes, rows).Goal(tc.classes, nil)
		if err != nil {
			t.Fatal(err)
		}
		allSaid(t, line, screen, say.About(goal))
	}
}

// The first screens of the other verbs fit a terminal, too; calibrate says whether the probabilities may be used, or why
// not.
func TestFirstScreens(t *testing.T) {
	many, names := namedLong(26)
	for i := range names { // which are short, as each has a line
		short := string(rune('A' + i))
		many, names[i] = strings.ReplaceAll(many, names[i], short), short
	}
	lines := strings.SplitAfter(many, "\n")
	half := len(lines) / 2
	inFolder(t, map[string]string{"many.csv": strings.Join(lines[:half], ""),
		"new.csv": lines[0] + strings.Join(lines[half:], "")})
	prefer := " --prefer " + names[3] + "," + names[20]
	for _, line := range []string{"inspect many.csv",
		"train many.csv --trees 20 -o m.rfp" + prefer, "tune m.rfp new.csv -o t.rfp" + prefer,
		"calibrate m.rfp new.csv -o c.rfp", "evaluate m.rfp new.csv"} {
		screen := must(t, line).stdout
		if n := strings.Count(strings.TrimSpace(screen), "\n") + 1; n > 45 {
			t.Errorf("%s: %d lines:\n%s", line, n, screen)
		}
		for _, name := range []string{names[3], names[20]} {
			if !strings.Contains(screen, name) {
				t.Errorf("%s: no class %s:\n%s", line, name, screen)
			}
		}
	}
	must(t, "generate fraud --rows 4000 --seed 1 -o old.csv")
	must(t, "generate fraud --rows 4000 --seed 2 -o fraud.csv")
	must(t, "train old.csv --trees 20 -o m.rfp")
	shuffled := strings.Split(strings.TrimSpace(read(t, "fraud.csv")), "\n") // labels that nothing tells
	for i, line := range shuffled[1:] {
		shuffled[1+i] = line[:strings.LastIndex(line, ",")] + "," + []string{"ok", "fraud"}[i/7%2]
	}
	write(t, "shuffled.csv", strings.Join(shuffled, "\n")+"\n")
	for data, want := range map[string]string{"fraud.csv": "The new probabilities are no better than", "shuffled.csv": "Serious: "} {
		line := "calibrate m.rfp " + data + " -o c.rfp"
		if screen := must(t, line).stdout; !strings.Contains(screen, want) {
			t.Errorf("%s: not %q:\n%s", line, want, screen)
		}
		var got view.Assessed
		if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &got); err != nil {
			t.Fatal(err)
		}
		if none := len(got.Findings) == 0; none != (data == "fraud.csv") {
			t.Errorf("%s: findings %v", line, got.Findings)
		}
	}
}

var graded = regexp.MustCompile(`(^| )(Serious|Caution|Note): $`)

// allSaid checks where the findings of a command are said, on the first screen and with --details.
func allSaid(t *testing.T, line, screen string, voice say.Voice) {
	t.Helper()
	var got view.Assessed
	if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Findings) == 0 {
		t.Errorf("%s: no findings", line)
	}
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	first, details := words(screen), words(must(t, line+" --details").stdout)
	for i := range got.Findings {
		f := &got.Findings[i]
		sentence := voice.Sentence(f)
		switch at := strings.Index(first, sentence); {
		case f.Code == codes.ConstantWorse || f.Code == codes.ConstraintKept: // the figures say it
		// another says it
		case slices.ContainsFunc(got.Findings, func(g finding.Finding) bool { return slices.Contains(g.Replaces, f.Code) }):
		case !strings.Contains(details, sentence):
			t.Errorf("%s --details: %s is not said: %q in\n%s", line, f.Code, sentence, details)
		case at >= 0 && !view.Told(f) && !graded.MatchString(first[:at]):
			t.Errorf("%s: %s has no grade: %s", line, f.Code, first[max(0, at-40):at])
		}
	}
}
