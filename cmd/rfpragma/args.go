package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// permute puts the flags of a command line in front of its other arguments, wherever they
// stood: the flag parser stops at the first argument that is not a flag and would silently
// ignore the rest. It also refuses a flag without its value and one given twice with different
// values. What follows "--" stays as it is. With --help anywhere, nothing else counts.
func permute(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	command := app.Command(args[1])
	if command == nil {
		return args, nil
	}
	flags := append(slices.Clone(command.Flags), cli.HelpFlag)
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
		flag := flagNamed(flags, name)
		switch {
		case flag == nil:
			continue // the parser will say so
		case flag == cli.HelpFlag:
			return []string{args[0], args[1], arg}, nil
		case takesValue(flag) && !hasValue:
			if i++; i == len(args) || isFlag(flags, args[i]) {
				return nil, usagef("%s needs a value; rfpragma help %s tells which (a value that looks like a flag is written %s=VALUE)", dashed(name), command.Name, dashed(name))
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

func flagNamed(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// isFlag tells whether arg is one of the flags, or the end of all flags, and so no value.
func isFlag(flags []cli.Flag, arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return arg == "--" || flagNamed(flags, name) != nil
}

// dashed returns the name of a flag as it is written.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// once notes the value of a flag and refuses a second, different one.
func once(given map[string]string, f cli.Flag, value string) error {
	if _, list := f.(listFlag); list {
		return nil
	}
	name := f.Names()[0]
	if first, again := given[name]; again && first != value {
		return usagef("--%s is given twice, as %.64q and as %.64q; give it once", name, first, value)
	}
	given[name] = value
	return nil
}

// arguments checks the number of arguments beside the flags.
func arguments(c *cli.Context, least, most int) ([]string, error) {
	args := c.Args().Slice()
	if most == 0 && len(args) > 0 {
		return nil, usagef("%s takes no argument, %d given; leave them out", c.Command.Name, len(args))
	}
	for i, arg := range args {
		if i >= most && flagNamed(c.Command.Flags, arg) != nil {
			return nil, usagef("%s takes %s, and %.64q is more than that; did you mean %s?", c.Command.Name, c.Command.ArgsUsage, arg, dashed(arg))
		}
	}
	if len(args) == most+1 && filepath.Ext(args[most]) != "" && flagNamed(c.Command.Flags, "output") != nil {
		if _, err := os.Stat(args[most]); errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("%s takes %s, and %.256q is more than that; to write the result to it, add --output %s", c.Command.Name, c.Command.ArgsUsage, args[most], quoted(args[most]))
		}
	}
	if len(args) < least || len(args) > most {
		return nil, usagef("%s takes %s, %d given; rfpragma help %s shows examples", c.Command.Name, c.Command.ArgsUsage, len(args), c.Command.Name)
	}
	if c.Bool("ask") && slices.Contains(args, "-") {
		return nil, usagef("--ask reads the answers from stdin, and - the data; name a file, or write what you want with --prefer")
	}
	return args, nil
}
