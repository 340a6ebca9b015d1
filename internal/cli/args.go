package cli

import (
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

// isFlag tells whether arg is one of the flags, or the end of all flags, and so no value.
func isFlag(flags []urfave.Flag, arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return arg == "--" || FlagNamed(flags, name) != nil
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
		return nil, surplus(c, args, most)
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

// surplus is the error for more arguments than a verb takes. It says what one of them was probably meant for.
func surplus(c *urfave.Context, args []string, most int) error {
	words := slices.DeleteFunc(slices.Clone(args), isThere)
	if len(words) == 0 {
		return Usagef("%s takes %s, %d given; make one table of several, or run it for each", c.Command.Name,
			c.Command.ArgsUsage, len(args))
	}
	if len(words) > len(args)-most { // then one of them is a file that is not there
		words = args[most:]
	}
	word, line := words[0], LineOf(c)
	cure := "quote a name with blanks, and write lists as a,b and pairs as a=1, without blanks; rfpragma help " +
		c.Command.Name + " shows examples"
	has := func(flag string) bool { return FlagNamed(c.Command.Flags, flag) != nil }
	like := func(name string) bool { return strings.EqualFold(name, word) }
	classes, columns := line.TableClasses(c.Context), line.TableColumns(c.Context)
	class, column := slices.IndexFunc(classes, like), slices.IndexFunc(columns, like)
	switch {
	case has(word):
		cure = "did you mean " + Dashed(word) + "?"
	case class >= 0 && has("prefer"):
		cure = "did you mean " + csvtext.Flag("prefer", specName(classes[class]), "CLASS") + "?"
	case column >= 0 && has("target"):
		cure = "did you mean " + csvtext.Flag("target", columns[column], "COLUMN") + "?"
	case slices.Contains(familiar, strings.ToLower(filepath.Ext(word))) && has("output") && !c.IsSet("output"):
		cure = "to write the result to it, add --output " + csvtext.Quoted(word)
	}
	return Usagef("%s takes %s, and %.256q is more than that; %s", c.Command.Name, c.Command.ArgsUsage, word, cure)
}
