package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// Preferred tells whether the flags have a preference.
func Preferred(c *urfave.Context) bool {
	return c.Bool("ask") || c.IsSet("prefer") || c.IsSet("prefer-file")
}

// Measured tells whether the flags name what to search for instead of a preference: costs, or another measure.
func Measured(c *urfave.Context) bool {
	return c.IsSet("cost") || c.IsSet("costs") || c.IsSet("measure") && !strings.HasPrefix(c.String("measure"), "pragma")
}

// unpreferred tells whether nothing is preferred where no preference is given: beside costs or another measure,
// unless trees are split by a preference.
func unpreferred(c *urfave.Context) bool {
	return Measured(c) && c.String("criterion") != string(forest.Pragma)
}

// CheckWish checks, before long reading, what says what is wanted, as far as that needs no data.
func (p *Program) CheckWish(c *urfave.Context) error {
	if _, _, err := p.Spec(c); err != nil {
		return err
	}
	if err := checkGiven(c); err != nil {
		return err
	}
	if _, err := ByCost(c); err != nil {
		return err
	}
	_, err := p.Loss(c, nil, nil, nil)
	return err
}

// Spec reads the preference that is given, and the flag it is given by.
func (p *Program) Spec(c *urfave.Context) (spec pragma.Spec, flag string, err error) {
	switch {
	case c.IsSet("prefer") && c.IsSet("prefer-file"):
		return nil, "", Usagef("--prefer and --prefer-file are both given; give one")
	case c.Bool("ask") && (c.IsSet("prefer") || c.IsSet("prefer-file")):
		return nil, "", Usagef("--ask asks for what --prefer and --prefer-file say; give one")
	case c.IsSet("prefer"):
		flag = "prefer"
		spec, err = specs(c.StringSlice(flag))
	case c.IsSet("prefer-file"):
		flag = "prefer-file"
		if p.wanted == nil { // else it was read before, and may be a pipe
			p.wanted, err = readSpec(c.Context, c.String(flag))
		}
		spec = p.wanted
	}
	if err != nil {
		err = fmt.Errorf("--%s: %w%s", flag, err, classHint(c, err))
	}
	return spec, flag, err
}

// classHint says of an incomplete preference that the first rows of the table have no such class, either, "" where
// they do. It is told at once, as a table may take long to read.
func classHint(c *urfave.Context, err error) string {
	var lacks *pragma.IncompleteError
	if !errors.As(err, &lacks) {
		return ""
	}
	if text := absent(lacks.Class, firstClasses(c)); text != "" {
		return "; and " + text
	}
	return ""
}

// besides says of a table that cannot be read that its first rows have not the classes of the preference, either, ""
// where they have.
func (p *Program) besides(c *urfave.Context) string {
	spec, flag, err := p.Spec(c)
	classes := firstClasses(c)
	for _, class := range slices.Sorted(maps.Keys(spec)) {
		if text := absent(class, classes); text != "" && err == nil {
			return fmt.Sprintf("--%s: %s%s; besides, ", flag, text, nameHint(c, class, classes))
		}
	}
	return ""
}

// firstClasses are those of the first rows of the only table of the command; nil where it has none, or they are merged.
func firstClasses(c *urfave.Context) []string {
	if c.Args().Len() != 1 || c.IsSet("positive") || c.IsSet("merge-labels") {
		return nil
	}
	return LineOf(c).Classes(c.Context)
}

// absent says that a class is none of those of the first rows, "" where it is or these are not known.
func absent(class string, classes []string) string {
	if classes == nil || class == pragma.Others || slices.Contains(classes, class) {
		return ""
	}
	return fmt.Sprintf("the first rows have no class %s: %s", english.Quote(class), nearest.Suggest(class, classes))
}

// specs reads preferences in text form, each for other classes.
func specs(texts []string) (pragma.Spec, error) {
	all := pragma.Spec{}
	for _, text := range texts {
		spec, err := pragma.ParseSpec(text)
		if err != nil {
			return nil, err
		}
		for class, f := range spec {
			if was, twice := all[class]; twice && was != f {
				return nil, Usagef("class %s is named twice; keep one", english.Quote(class))
			}
			all[class] = f
		}
	}
	return all, nil
}

// readSpec reads a file of preferences.
func readSpec(ctx context.Context, path string) (pragma.Spec, error) {
	f, err := OpenFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return pragma.ReadSpec(f, path)
}

// Preference reads what the user wants. Without a word of it the rarest class has priority; beside costs or another
// measure, and where trees are not split by a preference, there is none.
func (p *Program) Preference(c *urfave.Context, classes []string, rows []float64, order []int) (pragma.Spec, error) {
	spec, flag, err := p.Spec(c)
	switch {
	case err != nil:
		return nil, err
	case c.Bool("ask"):
		p.aside(c, "ask")
		return p.ask(c, classes, rows, order)
	case flag != "":
		if _, err := spec.Resolve(classes); err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		p.aside(c, flag)
		return spec, nil
	case unpreferred(c):
		return pragma.Spec{}, nil
	}
	rarest, _ := RarestClass(rows, order)
	p.Say("No --prefer is given: %s takes the priority setting; --ask asks for yours.", rarestWords(classes, rows, order))
	return pragma.Spec{classes[rarest]: pragma.Priority()}, nil
}

// WithNameHint adds to the error of a verb that learns from a table how what is no class of it becomes one, see
// nameHint.
func WithNameHint(c *urfave.Context, err error) error {
	var unknown *nearest.UnknownError
	if !errors.As(err, &unknown) || unknown.What != "class" || !slices.Contains([]string{"cv", "train", "grow"},
		c.Command.Name) {
		return err
	}
	return fmt.Errorf("%w%s", err, nameHint(c, unknown.Name, unknown.Known))
}

// nameHint says what a label that is no class is called since it was merged, how the second of two classes that are
// numbers is given the name that it has there, or how several classes, but not all, with that word in their names
// become one; "" where it is none of these.
func nameHint(c *urfave.Context, name string, classes []string) string {
	into, _ := merges(c.StringSlice("merge-labels")) // which were read before
	for _, class := range slices.Sorted(maps.Keys(into)) {
		if slices.Contains(into[class], name) {
			return fmt.Sprintf("; %s is now called %s", english.Quote(name), english.Quote(class))
		}
	}
	const fewestLetters = 3
	number := func(class string) bool { _, err := strconv.ParseFloat(class, 64); return err == nil }
	switch k := len(classes); {
	case k == 2 && number(classes[0]) && number(classes[1]) && !number(name):
		return fmt.Sprintf("; to give a number that name add %s", csvtext.Flag("merge-labels", name+"="+classes[1],
			"CLASS=NUMBER"))
	case k > 2 && len(name) >= fewestLetters:
		apart := func(class string) bool { return !strings.Contains(strings.ToLower(class), strings.ToLower(name)) }
		kind := slices.DeleteFunc(slices.Clone(classes), apart)
		if several := 1 < len(kind) && len(kind) <= min(view.MostNamed, k-1); several {
			return "; to make one class of those with that word add --merge-labels " + csvtext.Quote(csvtext.Merging(name, kind),
				"CLASS=LABELS")
		}
	}
	return ""
}

// aside says what a preference is for beside costs or another measure that weights are searched for.
func (p *Program) aside(c *urfave.Context, flag string) {
	if !Measured(c) || c.IsSet("weights") || c.IsSet("cutoff") {
		return
	}
	sought, use := "the measure "+c.String("measure"),
		"it says which class matters most, and cv and evaluate tell PRAGMA by it beside"
	if c.IsSet("cost") || c.IsSet("costs") {
		sought = "the lowest cost"
	}
	if c.String("criterion") == string(forest.Pragma) {
		use = "it splits the trees (--criterion pragma)"
	}
	p.Say("The weights are searched for %s. --%s does not move them: %s.", sought, flag, use)
}

// rarestWords names what RarestClass returns.
func rarestWords(classes []string, rows []float64, order []int) string {
	rarest, least := RarestClass(rows, order)
	rarer, alike := 0, -1 // beside the class itself
	for _, n := range rows {
		if n > 0 && n < rows[rarest] {
			rarer++
		} else if n == rows[rarest] {
			alike++
		}
	}
	which, of := "the rarest class", ""
	if alike > 0 {
		which = "one of the rarest classes"
	}
	if rarer > 0 {
		of = fmt.Sprintf(" of at least %g rows", least)
	}
	return fmt.Sprintf("%s%s, %q,", which, of, classes[rarest])
}
