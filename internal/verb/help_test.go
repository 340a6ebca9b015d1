package verb

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// examples returns the example lines of the help of each verb, and of rfpragma itself: those
// that begin with rfpragma, or with cat FILE | rfpragma. A comment follows after two blanks.
func examples(t *testing.T) []string {
	t.Helper()
	p := &cli.Program{}
	texts := []string{app(p).Description}
	for _, c := range app(p).Commands {
		if c.Name == "help" {
			continue
		}
		shown := must(t, "help "+c.Name).stdout
		if !strings.Contains(shown, c.Description) || !strings.Contains(shown, "Usage: rfpragma "+c.Name) ||
			!strings.Contains(shown, c.ArgsUsage+"\n") {
			t.Errorf("help %s lacks its examples or its usage:\n%s", c.Name, shown)
		}
		texts = append(texts, c.Description)
	}
	for _, topic := range cli.Topics() {
		texts = append(texts, topic.Text)
	}
	var lines []string
	for _, line := range strings.Split(strings.Join(texts, "\n"), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "rfpragma ") || strings.Contains(line, "| rfpragma ") {
			line, _, _ = strings.Cut(line, "   ")
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// foreignModels is the folder of models of other programs that package foreign is tested on.
func foreignModels(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("..", "..", "foreign", "testdata", "models"))
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// Every example in the help texts runs, in a folder that holds the files they speak of.
func TestExamples(t *testing.T) {
	lines := examples(t)
	if len(lines) < 15 {
		t.Fatalf("only %d examples found: %q", len(lines), lines)
	}
	folder, models := t.TempDir(), os.DirFS(foreignModels(t))
	t.Chdir(folder)
	exampleFiles(t)
	for name, model := range map[string]string{"forest.json": "sklearn-forest.json", "boosted.txt": "lightgbm-binary.txt",
		"boosted.ubj": "xgboost-binary.ubj", "forest.onnx": "onnx-forest.onnx"} {
		text, err := fs.ReadFile(models, model)
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, string(text))
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			// Data and model of their own, as one example writes what another reads.
			run := t.TempDir()
			if err := os.CopyFS(run, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			t.Chdir(run)
			runExample(t, line)
		})
	}
}

// runExample runs a line with its redirections, of which there is one each way at most.
func runExample(t *testing.T, line string) {
	t.Helper()
	var stdin io.Reader = strings.NewReader("")
	if cat, rest, piped := strings.Cut(line, " | "); piped {
		stdin, line = strings.NewReader(read(t, strings.TrimPrefix(cat, "cat "))), rest
	}
	if strings.Contains(line, "--ask") {
		stdin = strings.NewReader("\n\n\n\n") // the usual answers
	}
	line, target, redirected := strings.Cut(line, " > ")
	args := split(line)[1:]
	for flag, verbs := range map[string][]string{"--trees": {"cv", "train", "grow"}, "--folds": {"cv"}} {
		if slices.Contains(verbs, args[0]) && !strings.Contains(line, flag) {
			if slices.Contains(args, "3/100") {
				args[slices.Index(args, "3/100")] = "1/3"
			}
			args = append(args, flag, "3") // the examples leave the usual 500 trees and 10 folds
		}
	}
	if args[0] == "data" && args[1] == "get" {
		notTheSet(t, line, args)
		return
	}
	if args[0] == "explore" { // which ends when it is interrupted
		exploring(t, strings.Join(args[1:], " "))
		return
	}
	if args[0] == "serve" { // as well
		served(t, args[1:])
		return
	}
	got := invoke(t, stdin, args...)
	if got.code != cli.ExitDone {
		t.Fatalf("%s: exit %d\n%s", line, got.code, got.stderr)
	}
	at := slices.IndexFunc(args, func(a string) bool { return a == "-o" })
	switch {
	case redirected:
		write(t, filepath.Base(target), got.stdout)
		fallthrough
	case at < 0:
		if got.stdout == "" && args[0] != "pipe" { // without a request there is no answer
			t.Errorf("%s: nothing on stdout", line)
		}
	default:
		for name := range strings.SplitSeq(args[at+1], ",") {
			if info, err := os.Stat(name); err != nil || info.Size() == 0 {
				t.Errorf("%s: nothing in %s: %v", line, name, err)
			}
		}
	}
}

// notTheSet runs an example that gets a set. Tests use no network, and no cache of the user's: some
// other file stands for the home of the set, and is told from it.
func notTheSet(t *testing.T, line string, args []string) {
	t.Helper()
	if !slices.Contains(args, "--from") {
		args = append(args, "--from", "data.csv")
	}
	got := invoke(t, nil, append(args, "--cache", ".")...)
	if got.code != cli.ExitData || !strings.Contains(got.stderr, "not the set that is expected") {
		t.Fatalf("%s: exit %d\n%s", line, got.code, got.stderr)
	}
}

// exampleFiles writes the files that the examples read: classes ill and well, by the name of
// class, outcome, and with a column customer.
func exampleFiles(t *testing.T) {
	t.Helper()
	rows := func(n int, target string) string {
		lines := strings.Split(strings.TrimSuffix(small(n), "\n"), "\n")
		lines[0] = "x,kind," + target
		return strings.Join(lines, "\n") + "\n"
	}
	both := func(n int) string { // class and outcome
		lines := strings.Split(strings.TrimSuffix(rows(n, "class"), "\n"), "\n")
		for i, line := range lines {
			label := line[strings.LastIndex(line, ",")+1:]
			if i == 0 {
				label = "outcome"
			}
			lines[i] = line + "," + label
		}
		return strings.Join(lines, "\n") + "\n"
	}
	write(t, "train.csv", rows(60, "class"))
	must(t, "train train.csv --trees 20 --votes oob --prefer ill -o model.rfp")
	must(t, "cv train.csv --trees 20 --folds 2 --prefer ill -o cv.json")
	write(t, "data.csv", both(60))
	write(t, "later.csv", strings.ReplaceAll(both(45), ".5,", ".25,")) // other rows than those of the training
	visits := "date,Year,Month,x,class\n"
	for i := range 60 {
		visits += fmt.Sprintf("2024-%02d-01,2024,%d,%d,%s\n", 1+i/5, 1+i/5, i*7%10, []string{"well", "ill", "well"}[i%3])
	}
	write(t, "visits.csv", visits)
	var fresh strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(rows(60, "class")), "\n") {
		name := "c" + strings.Repeat("1", i)
		if i == 0 {
			name = "customer"
		}
		fresh.WriteString(name + "," + line[:strings.LastIndex(line, ",")] + "\n")
	}
	write(t, "new.csv", fresh.String())
	write(t, "prefs.json", `{"ill": {"theta": 10, "x": 0.2, "y": 0.6}}`)
	scores := "class,score\n"
	for i := range 40 {
		scores += fmt.Sprintf("%s,%d.5\n", []string{"well", "ill", "ill", "well"}[(i+i/20)%4], i%7-3)
	}
	write(t, "scores.csv", scores)
	write(t, "more.csv", scores)
	write(t, "statlog.zip", "no archive")
	must(t, "calibrate scores.csv --positive ill -o map.json")
	for _, part := range []string{"0", "1"} {
		must(t, "grow data.csv --trees 3 --part "+part+"/2 -o trees-"+part+".part")
	}
	for _, part := range []string{"0", "1"} {
		must(t, "tally trees-0.part trees-1.part data.csv --part "+part+"/2 -o votes-"+part+".part")
	}
	write(t, "votes.csv", "class,ill,well\nill,12,8\nwell,1,19\nill,7,13\nwell,0,20\nwell,6,14\n")
}

// The help of each verb names every group of flags, and no flag stands in none.
func TestHelpGroups(t *testing.T) {
	for _, c := range app((&cli.Program{})).Commands {
		if shown := must(t, "help "+c.Name).stdout; strings.Contains(shown, "\nOther:\n") {
			t.Errorf("help %s has flags without a group:\n%s", c.Name, shown)
		}
	}
}

// The help tells every exit code.
func TestHelpExitCodes(t *testing.T) {
	codes := must(t, "help exit-codes").stdout
	for code := cli.ExitDone; code <= cli.ExitDrift; code++ {
		if !regexp.MustCompile(fmt.Sprintf(`(?m)^\s*%d\s+[a-z]`, code)).MatchString(codes) {
			t.Errorf("exit code %d is not explained in %q", code, codes)
		}
	}
}

// All help fits into a window of 100 columns.
func TestHelpWidth(t *testing.T) {
	lines := []string{"--help"}
	for _, c := range app((&cli.Program{})).Commands {
		lines = append(lines, "help "+c.Name)
	}
	for _, topic := range cli.TopicNames() {
		lines = append(lines, "help "+topic)
	}
	for _, line := range lines {
		for shown := range strings.Lines(must(t, line).stdout) {
			if n := utf8.RuneCountInString(strings.TrimRight(shown, "\n")); n > 100 {
				t.Errorf("rfpragma %s has a line of %d columns: %s", line, n, shown)
			}
		}
	}
}
