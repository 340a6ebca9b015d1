package cli

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/nearest"
)

// Prefix begins the environment variables: RFPRAGMA_MIN_LEAF stands for --min-leaf.
const Prefix = "RFPRAGMA_"

// ForTests is a variable with that prefix which is none of a flag: where tests find real data.
const ForTests = Prefix + "DATA"

// Rivals are flags that mean the same thing: where one is given, the others count no more in what
// it comes before. The flags in along go with it, but do not stand against them.
var Rivals = []struct{ Against, Along []string }{
	{Against: []string{"prefer", "prefer-file", "ask"}},
	{Against: []string{"measure", "costs", "cost"}, Along: []string{"amount"}},
	{Against: []string{"weights", "cutoff"}},
	{Against: []string{"repeats", "folds-from"}},
}

// Settle puts the flags that the environment and the file --config set in front of those of a
// permuted command line, which come before both. It is the one place where that is decided: what
// follows sees a command line.
func (p *Program) Settle(app *urfave.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	command := app.Command(args[1])
	if command == nil || FlagNamed(command.Flags, "config") == nil || len(args) == 3 &&
		FlagNamed([]urfave.Flag{urfave.HelpFlag}, strings.TrimLeft(args[2], "-")) != nil {
		return args, nil
	}
	p.Typed, p.origin = typed(command, args[2:]), map[string]string{}
	environment := environment(command, os.Environ())
	p.caution(strange(app, os.Environ()))
	levels := [][]setting{environment}
	file, named := p.Typed["config"]
	for _, s := range environment {
		if !named && s.Flag == "config" {
			file, named, p.origin["config"] = s.values[0], true, s.From
		}
	}
	if named {
		own, common, err := p.ReadConfig(app, command, file)
		if err != nil {
			return nil, err
		}
		levels = append(levels, own, common)
	}
	settings := precedence(slices.Sorted(maps.Keys(p.Typed)), levels)
	var words []string
	for _, s := range settings {
		p.origin[s.Flag] = s.From
		for _, v := range s.values {
			words = append(words, "--"+s.Flag+"="+v)
		}
	}
	args = slices.Concat(args[:2], words, args[2:])
	return args, plainNumbers(command, typed(command, args[2:]))
}

// typed returns the flags on a permuted command line, by name, with their values.
func typed(command *urfave.Command, args []string) map[string]string {
	given := map[string]string{}
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, value, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		flag := FlagNamed(command.Flags, name)
		if flag == nil {
			continue // the parser will say so
		}
		if takesValue(flag) && !hasValue {
			i++
			value = args[i]
		}
		given[flag.Names()[0]] = value
	}
	return given
}

// precedence returns the settings that count: of each flag the first of the levels, and none that
// is named, or has a rival named, by what comes before.
func precedence(named []string, levels [][]setting) []setting {
	var all []setting
	for _, level := range levels {
		taken := slices.Clone(named)
		for _, r := range Rivals {
			if slices.ContainsFunc(r.Against, func(f string) bool { return slices.Contains(named, f) }) {
				taken = slices.Concat(taken, r.Against, r.Along)
			}
		}
		for _, s := range level {
			if !slices.Contains(taken, s.Flag) {
				all = append(all, s)
				named = append(named, s.Flag)
			}
		}
	}
	return all
}

// Variable is the environment variable of a flag.
func Variable(flag string) string {
	return Prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment returns what variables say for a verb. An empty one says nothing.
func environment(command *urfave.Command, environ []string) []setting {
	var all []setting
	for _, name := range Settable(command) {
		for _, v := range environ {
			if value, ok := strings.CutPrefix(v, Variable(name)+"="); ok && value != "" {
				all = append(all, setting{name, []string{value}, Variable(name)})
			}
		}
	}
	return all
}

// strange warns of variables that look as if they were ours.
func strange(app *urfave.App, environ []string) []error {
	var warnings []error
	var known []string
	for _, name := range Anywhere(app) {
		known = append(known, Variable(name))
	}
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, Prefix) && name != ForTests && !slices.Contains(known, name) {
			warnings = append(warnings, fmt.Errorf("%.64s sets no flag%s; rfpragma help environment tells which do", name,
				nearest.Hint(name, known)))
		}
	}
	return warnings
}

// mention finds the flags in a message.
var mention = regexp.MustCompile(`--([a-z][a-z-]*)`)

// Whence adds to an error where the flags that it speaks of are set, if not on the command line.
func (p *Program) Whence(err error) error {
	var notes []string
	for _, found := range mention.FindAllStringSubmatch(err.Error(), -1) {
		if from := p.origin[found[1]]; from != "" {
			notes = append(notes, fmt.Sprintf("--%s is set by %s", found[1], from))
		}
	}
	if len(notes) == 0 {
		return err
	}
	slices.Sort(notes)
	return fmt.Errorf("%w (%s)", err, strings.Join(slices.Compact(notes), ", "))
}
