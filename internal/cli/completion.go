package cli

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/catalogue"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// BashScript completes in bash.
//
//go:embed completion/rfpragma.bash
var BashScript string

//go:embed completion/rfpragma.zsh
var zshScript string

//go:embed completion/rfpragma.fish
var fishScript string

//go:embed completion/rfpragma.ps1
var powershellScript string

// CompletionCommand is the verb completion, and what completes a line that is typed.
func CompletionCommand(p *Program) *urfave.Command {
	return &urfave.Command{
		Name:      "completion",
		Usage:     "print a script that completes command lines in a shell",
		ArgsUsage: "bash|zsh|fish|powershell",
		Description: `  rfpragma completion bash > rfpragma.bash        and source it in ~/.bashrc
  rfpragma completion zsh > _rfpragma             into a folder of $fpath
  rfpragma completion fish > rfpragma.fish        into ~/.config/fish/completions
  rfpragma completion powershell > rfpragma.ps1   and run it in $PROFILE

With it the tab key completes verbs, flags, their values and names of files; after --target and the
like the columns of the file that is named on the line, after --positive and --prefer its classes.`,
		Action: func(c *urfave.Context) error {
			if c.Args().First() == "words" { // so the scripts ask
				return completeWords(p.Stdout, c)
			}
			args, err := Arguments(c, 1, 1)
			if err != nil {
				return err
			}
			script, known := map[string]string{"bash": BashScript, "zsh": zshScript, "fish": fishScript,
				"powershell": powershellScript}[args[0]]
			if !known {
				return Usagef("there is no completion for %s; choose bash, zsh, fish or powershell", english.Quote(args[0]))
			}
			_, err = io.WriteString(p.Stdout, script)
			return err
		},
	}
}

// completeWords answers a script: first of what kind the answer is, then a word in each line, with
// what it means after a tabulator. The last of the words is the one to complete.
func completeWords(out io.Writer, c *urfave.Context) error {
	words := c.Args().Slice()[1:]
	if len(words) == 0 {
		words = []string{""}
	}
	for i, w := range words {
		words[i] = unquoted(w)
	}
	kind, answers := complete(c.Context, c.App, words)
	fmt.Fprintln(out, kind)
	for _, a := range answers {
		if !strings.ContainsFunc(a.word, csvtext.Steers) && strings.HasPrefix(a.word, words[len(words)-1]) {
			fmt.Fprintln(out, strings.TrimSuffix(a.word+"\t"+a.about, "\t"))
		}
	}
	return nil
}

// unquoted drops the quotes of a shell around a word, of which the last may not be typed yet.
func unquoted(word string) string {
	for _, q := range []string{`'`, `"`} {
		if rest, ok := strings.CutPrefix(word, q); ok {
			return strings.TrimSuffix(rest, q)
		}
	}
	return word
}

// The kinds of answers.
const (
	files   = "files"   // the shell knows them
	folders = "folders" // likewise
	whole   = "words"
	stems   = "stems" // words that go on: no blank follows them
)

// answer is a word that may stand at the end of a line.
type answer struct{ word, about string }

func answersOf(words ...string) []answer {
	all := make([]answer, len(words))
	for i, w := range words {
		all[i].word = w
	}
	return all
}

// complete returns what the last of the words of a command line may become.
func complete(ctx context.Context, app *urfave.App, words []string) (kind string, all []answer) {
	before, last := words[:len(words)-1], words[len(words)-1]
	if len(before) == 0 || before[0] == "help" {
		if strings.HasPrefix(last, "-") {
			return whole, answersOf("--help", "--licenses", "--version")
		}
		for _, c := range app.Commands {
			if !c.Hidden {
				all = append(all, answer{c.Name, c.Usage})
			}
		}
		if len(before) > 0 {
			for _, t := range Topics() {
				all = append(all, answer{t.Name, t.About})
			}
		}
		return whole, all
	}
	command := app.Command(before[0])
	if command == nil {
		return whole, nil
	}
	line := readLine(command, before[1:])
	name, value, hasValue := strings.Cut(strings.TrimLeft(last, "-"), "=")
	switch {
	case line.open != nil:
		return line.valueAnswers(ctx, line.open, last)
	case line.ended:
	case strings.HasPrefix(last, "-") && hasValue:
		flag := FlagNamed(command.Flags, name)
		if flag == nil || !takesValue(flag) {
			return whole, nil
		}
		kind, all := line.valueAnswers(ctx, flag, value)
		stem := strings.TrimSuffix(last, value)
		for i := range all {
			all[i].word = stem + all[i].word
		}
		return kind, all
	case strings.HasPrefix(last, "-"):
		return whole, line.flags()
	}
	return line.argument(last)
}

// flags returns those that may still be given.
func (l *typedLine) flags() []answer {
	var all []answer
	for _, f := range l.command.Flags {
		name := f.Names()[0]
		_, given := l.given[name]
		if _, list := f.(ListFlag); !given || list {
			d, _ := f.(urfave.DocGenerationFlag)
			all = append(all, answer{Dashed(name), strings.ReplaceAll(d.GetUsage(), "`", "")})
		}
	}
	return append(all, answer{"--help", "show help"})
}

// argument completes what is no flag. Where a model comes first, models are offered first, if there are any.
func (l *typedLine) argument(last string) (string, []answer) {
	first, _, _ := strings.Cut(l.command.ArgsUsage, " ")
	switch {
	case first == "MODEL.rfp" && len(l.args) == 0:
		if all := modelsNamed(last); len(all) > 0 {
			return whole, all
		}
		return files, nil
	case l.command.ArgsUsage == "":
		return whole, nil
	case strings.ToLower(first) != first || !strings.Contains(first, "|"):
		return files, nil
	case len(l.args) == 0:
		return whole, answersOf(strings.Split(first, "|")...)
	case l.command.Name == "data" && l.args[0] == "get":
		all := answersOf("all")
		for _, s := range catalogue.All() {
			all = append(all, answer{s.Name, s.About})
		}
		return whole, all
	}
	return whole, nil
}

// modelsNamed returns the model files whose path begins as given.
func modelsNamed(begin string) (all []answer) {
	folder, name := filepath.Split(begin)
	entries, _ := os.ReadDir(cmp.Or(folder, ".")) // the line is not complete yet
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), name) && filepath.Ext(e.Name()) == ".rfp" {
			all = append(all, answer{word: folder + e.Name()})
		}
	}
	return all
}

// Placeholder is the word for the value in the help of a flag.
var Placeholder = regexp.MustCompile("`([^`]+)`(?:.*: (.+))?")

// parted parts the forms in the help of a flag.
var parted = regexp.MustCompile(`, | or `)

// Choices are the values of flags that have a few. Those that end in : go on.
func Choices(flag string) []string {
	switch flag {
	case "criterion":
		return []string{"gini", "entropy", "hellinger", "offcentred", "pragma"}
	case "bag":
		return []string{"bootstrap", "stratified", "stratified:", "balanced", "poisson", "hash:"}
	case "votes":
		return []string{"oob", "cv", "train"}
	case "search":
		return []string{"auto", "exact", "coordinates", "annealing"}
	case "choice":
		return []string{"careful", "lowest"}
	case "tune-forest":
		return []string{"off", "quick", "full"}
	case "decide":
		return DecideHows
	case "measure":
		return []string{"pragma", "accuracy", "balanced", "f1", "f:", "gmean", "mcc", "kappa"}
	case "threads":
		return []string{"auto"}
	case "sep":
		return []string{"tab"}
	case "decimal":
		return []string{".", ","}
	case "score":
		return []string{"fpr"}
	case "review":
		return []string{"1%", "2%", "5%"}
	case "calibrate-on":
		return []string{"votes", "weighted"}
	case "calibrate":
		var names []string
		for _, m := range calib.Methods() {
			names = append(names, string(m))
		}
		return names
	}
	return nil
}

// valueAnswers completes the value of a flag, by what its help calls it.
func (l *typedLine) valueAnswers(ctx context.Context, f urfave.Flag, value string) (string, []answer) {
	name := f.Names()[0]
	d, _ := f.(urfave.DocGenerationFlag)
	found := Placeholder.FindStringSubmatch(d.GetUsage())
	if found == nil {
		return whole, nil
	}
	what, _, _ := strings.Cut(found[1], "=")
	switch what {
	case "FILE":
		return files, nil
	case "FOLDER":
		return folders, nil
	case "FORM":
		return whole, answersOf(parted.Split(found[2], -1)...)
	case "COLUMN":
		return whole, answersOf(l.TableColumns(ctx)...)
	case "COLUMNS":
		return whole, after(value, ",", l.TableColumns(ctx), "")
	case "LABEL":
		return whole, answersOf(l.TableClasses(ctx)...)
	case "CLASS":
		return stems, after(value, ",", l.TableClasses(ctx), "=")
	case "SPEC":
		var names []string
		for _, class := range l.TableClasses(ctx) { // in quotes where a preference needs them
			names = append(names, specName(class))
		}
		return stems, after(value, ";", names, "")
	case "FLOOR":
		var all []answer
		for _, what := range []string{":recall>=", ":precision>=", ":fpr<=", ":alerts<="} {
			all = append(all, after(value, ",", l.TableClasses(ctx), what)...)
		}
		return stems, all
	}
	if name == "missing" {
		return stems, after(value, ",", l.TableColumns(ctx), "=")
	}
	words := Choices(name)
	if name == "measure" {
		for _, class := range l.TableClasses(ctx) {
			words = append(words, "f:"+class)
		}
	}
	return whole, answersOf(words...)
}

// after returns what may follow the part of a list that is complete.
func after(list, sep string, words []string, end string) []answer {
	done := list[:strings.LastIndex(list, sep)+1]
	all := make([]answer, len(words))
	for i, w := range words {
		all[i].word = done + w + end
	}
	return all
}
