package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Permute puts the flags of a command line in front of its other arguments, wherever they
// stood: the flag parser stops at the first argument that is not a flag and would silently
// ignore the rest. It also refuses a flag without its value and one given twice with different
// values. What follows "--" stays as it is. With --help anywhere, nothing else counts.
func Permute(app *urfave.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	command := app.Command(args[1])
	if command == nil {
		return args, nil
	}
	flags := append(slices.Clone(command.Flags), urfave.HelpFlag)
	var front, rest []string
	given := map[string]string{}
	for i := 2; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		front = append(front, arg)
		flag := FlagNamed(flags, name)
		switch {
		case flag == nil:
			continue // the parser will say so
		case flag == urfave.HelpFlag:
			return []string{args[0], args[1], arg}, nil
		case takesValue(flag) && !hasValue:
			if i++; i == len(args) || isFlag(flags, args[i]) {
				return nil, Usagef("%s needs a value; rfpragma help %s tells which (a value that looks like a flag is written "+
					"%s=VALUE)", Dashed(name), command.Name, Dashed(name))
			}
			value = args[i]
			front = append(front, value)
		}
		if err := once(given, flag, value); err != nil {
			return nil, err
		}
	}
	return slices.Concat(args[:2], front, []string{"--"}, rest), nil
}

// FlagNamed is the flag of that name, or nil.
func FlagNamed(flags []urfave.Flag, name string) urfave.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// isFlag tells whether arg is one of the flags, or the end of all flags, and so no value.
func isFlag(flags []urfave.Flag, arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return arg == "--" || FlagNamed(flags, name) != nil
}

// Dashed returns the name of a flag as it is written.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func takesValue(f urfave.Flag) bool {
	d, ok := f.(urfave.DocGenerationFlag)
	return ok && d.TakesValue()
}

// once notes the value of a flag and refuses a second, different one.
func once(given map[string]string, f urfave.Flag, value string) error {
	if _, list := f.(ListFlag); list {
		return nil
	}
	name := f.Names()[0]
	if first, again := given[name]; again && first != value {
		return Usagef("--%s is given twice, as %s and as %s; give it once", name, english.Quote(first), english.Quote(value))
	}
	given[name] = value
	return nil
}

// Arguments checks the number of arguments beside the flags.
func Arguments(c *urfave.Context, least, most int) ([]string, error) {
	args := c.Args().Slice()
	if most == 0 && len(args) > 0 {
		return nil, Usagef("%s takes no argument, %d given; leave them out", c.Command.Name, len(args))
	}
	if len(args) > most {
		return nil, surplus(c, args, least, most)
	}
	if len(args) < least {
		return nil, Usagef("%s takes %s, %d given; rfpragma help %s shows examples", c.Command.Name, c.Command.ArgsUsage,
			len(args), c.Command.Name)
	}
	if c.Bool("ask") && slices.Contains(args, "-") {
		return nil, Usagef("--ask reads the answers from stdin, and - the data; name a file, or write what you want with " +
			"--prefer")
	}
	return args, nil
}

// joinWords says how tables become one, given in the place of one; "" of others than tables with a line of names.
func joinWords(files []string) string {
	names := make([]string, len(files))
	for i, file := range files {
		if table := slices.Contains([]string{".csv", ".tsv", ".txt"}, strings.ToLower(filepath.Ext(file))); !table ||
			!isThere(file) {
			return ""
		}
		names[i] = csvtext.Quoted(file)
	}
	if slices.Contains(files[1:], files[0]) {
		return ""
	}
	return "run it for each, or where the columns stand in the same order, awk 'NR == 1 || FNR > 1' " + strings.Join(names,
		" ") + " > ALL.csv makes one table of them"
}

// surplus is the error for more arguments than a verb takes. It says what one of them was probably meant for.
func surplus(c *urfave.Context, args []string, least, most int) error {
	words := slices.DeleteFunc(slices.Clone(args), isThere)
	if len(words) != len(args)-most { // which of them are too many?
		words = args[most:]
	}
	usage := "rfpragma help " + c.Command.Name + " shows examples"
	refuse := func(word, cure string) error {
		return Usagef("%s takes %s, and %.256q is more than that; %s", c.Command.Name, c.Command.ArgsUsage, word, cure)
	}
	has := func(flag string) bool { return FlagNamed(c.Command.Flags, flag) != nil }
	word, line := words[0], LineOf(c)
	columns, classes := line.Columns(c.Context), line.Classes(c.Context)
	if flag := goesOn(c, args, least, most, slices.Concat(columns, classes)); flag != "" {
		return refuse(word, "did you mean "+flag+"?")
	}
	if at := slices.IndexFunc(words, has); at >= 0 {
		return refuse(words[at], "did you mean "+Dashed(words[at])+"?")
	}
	like := func(name string) bool { return strings.EqualFold(name, word) }
	class, column := slices.IndexFunc(classes, like), slices.IndexFunc(columns, like)
	switch {
	case class >= 0 && has("prefer"):
		return refuse(word, "did you mean "+csvtext.Flag("prefer", specName(classes[class]), "CLASS")+"?")
	case column >= 0 && has("target"):
		return refuse(word, "did you mean "+csvtext.Flag("target", columns[column], "COLUMN")+"?")
	case isThere(word):
		if strings.Contains(c.Command.ArgsUsage, "DATA") {
			usage = cmp.Or(joinWords(args[most-1:]), "make one table of several, or run it for each; "+usage)
		}
		return Usagef("%s takes %s, %d given; %s", c.Command.Name, c.Command.ArgsUsage, len(args), usage)
	case slices.Contains(familiar, strings.ToLower(filepath.Ext(word))) && has("output") && !c.IsSet("output"):
		return refuse(word, "to write the result to it, add --output "+csvtext.Quoted(word))
	}
	if columns != nil {
		usage = "quote a name with blanks in it; " + usage
	}
	return refuse(word, usage)
}

// goesOn returns the flag whose value goes on in arguments that name no file, as it should have been written: a name
// with blanks in quotes, and the names of a list with commas. It is "" if there is none.
func goesOn(c *urfave.Context, args []string, least, most int, names []string) string {
	var runs [][]string
	for from := range args {
		for to := len(args); to > from; to-- {
			run, rest := args[from:to], len(args)-(to-from)
			if least <= rest && rest <= most && !slices.ContainsFunc(run, isThere) {
				runs = append(runs, run)
			}
		}
	}
	isName := func(item string) bool {
		item = strings.TrimSpace(item)
		end := strings.IndexAny(item, "=:")
		return slices.Contains(names, item) || end >= 0 && slices.Contains(names, item[:end])
	}
	others := func(list string) bool {
		return slices.ContainsFunc(strings.Split(list, ","), func(item string) bool { return !isName(item) })
	}
	for _, f := range c.Command.Flags {
		flag := f.Names()[0]
		values := c.StringSlice(flag)
		if _, isText := f.(*urfave.StringFlag); isText && c.IsSet(flag) {
			values = []string{c.String(flag)}
		}
		for _, value := range values {
			for _, run := range runs {
				words := append([]string{value}, run...)
				whole, list, pair := strings.Join(words, " "), strings.Join(words, ","), strings.Join(words, "=")
				switch _, err := csvtext.Share(run[0]); {
				case takesPairs(f) && len(run) == 1 && !strings.Contains(value, "=") && err == nil:
					return Dashed(flag) + " " + csvtext.Quote(pair, "NAME")
				case (flag == "ignore" || flag == "categorical" || takesPairs(f) && strings.Contains(value, "=")) && !others(list):
					return Dashed(flag) + " " + csvtext.Quoted(list)
				case strings.HasSuffix(value, ",") || isName(strings.Split(whole, ",")[strings.Count(value, ",")]):
					return Dashed(flag) + " " + csvtext.Quote(whole, "NAME")
				}
			}
		}
	}
	return ""
}

// takesPairs tells whether the values of a flag are such as CLASS=NUMBER.
func takesPairs(f urfave.Flag) bool {
	d, ok := f.(urfave.DocGenerationFlag)
	return ok && strings.Contains(d.GetUsage(), "=") && f.Names()[0] != "prefer" && f.Names()[0] != "require"
}

// isThere tells whether there is a file of that name.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
