package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/rarest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
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

// ReadSpec reads the preference that is given, and the flag it is given by.
func (p *Program) ReadSpec(c *urfave.Context) (spec pragma.Spec, flag string, err error) {
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
		if p.fileSpec == nil { // else it was read before, and may be a pipe
			p.fileSpec, err = readSpec(c.Context, c.String(flag))
		}
		spec = p.fileSpec
	}
	if err != nil {
		err = fmt.Errorf("--%s: %w", flag, err)
	}
	return spec, flag, err
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

// ReadPreference reads what the user wants. Without a word of it the rarest class is to be found; beside costs,
// another measure or floors of recall alone, and where trees are not split by a preference, there is none.
func (p *Program) ReadPreference(c *urfave.Context, classes []string, rows []float64, order []int) (pragma.Spec,
	error) {
	spec, flag, err := p.ReadSpec(c)
	switch {
	case err != nil:
		return nil, err
	case c.Bool("ask"):
		return p.ask(c, classes, rows, order)
	case flag != "":
		if _, err := spec.Resolve(classes); err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		return spec.For(classes, rows), nil
	case unpreferred(c) || onlyRecall(c) && c.String("criterion") != string(forest.Pragma):
		return pragma.Spec{}, nil
	}
	rarest, _ := rarest.Class(rows, order)
	p.Say("No --prefer is given: the rarest class, %q, is to be found; --ask asks what you want.", classes[rarest])
	return pragma.Spec{classes[rarest]: pragma.Find()}.For(classes, rows), nil
}

// onlyRecall tells whether a recall is required and nothing else.
func onlyRecall(c *urfave.Context) bool {
	texts := required(c)
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool {
		f, err := pragma.ParseFloor(text, nil)
		return err != nil || f.What != pragma.RecallFloor
	})
}

// WithNameHint adds to the error of a verb that learns from a table how the second of two classes that are numbers is
// given the name that it is called by.
func WithNameHint(c *urfave.Context, err error) error {
	var unknown *nearest.UnknownError
	if !errors.As(err, &unknown) || unknown.What != "class" || len(unknown.Known) != 2 ||
		!slices.Contains([]string{"cv", "train", "grow"}, c.Command.Name) {
		return err
	}
	for i, class := range []string{unknown.Known[0], unknown.Known[1], unknown.Name} {
		if _, fault := strconv.ParseFloat(class, 64); (fault == nil) != (i < 2) {
			return err
		}
	}
	return fmt.Errorf("%w; to give a number that name add %s", err, csvtext.Flag("merge-labels",
		unknown.Name+"="+unknown.Known[1], "CLASS=NUMBER"))
}

// required returns the values of --require after the last that is none, which drops what settings or a model bring
// along.
func required(c *urfave.Context) []string {
	texts := c.StringSlice("require")
	for i, text := range slices.Backward(texts) {
		if text == "none" {
			return texts[i+1:]
		}
	}
	return texts
}

// RequiredSlices are the groups of rows that --require names. Texts that are wrong are told of where they are read.
func RequiredSlices(c *urfave.Context) []vote.Slice {
	var floors []pragma.Floor
	for _, text := range required(c) {
		if f, err := pragma.ParseFloor(text, nil); err == nil {
			floors = append(floors, f)
		}
	}
	return pragma.Slices(floors)
}

// requiredColumns are the columns that tell these groups apart.
func requiredColumns(c *urfave.Context) []string {
	var out []string
	for _, s := range RequiredSlices(c) {
		if !slices.Contains(out, s.Column) {
			out = append(out, s.Column)
		}
	}
	return out
}
