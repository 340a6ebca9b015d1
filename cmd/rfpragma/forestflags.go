package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
)

func forestFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "trees", Value: 500, Category: "Forest", Usage: "number of trees `T`"},
		&cli.IntFlag{Name: "mtry", Category: "Forest", DefaultText: "⌊√p⌋", Usage: "`FEATURES` tried at each node, without constant ones"},
		&cli.IntFlag{Name: "min-leaf", Value: 1, Category: "Forest", Usage: "fewest `ROWS` in a leaf, as often as drawn, by case weight"},
		&cli.IntFlag{Name: "max-depth", Category: "Forest", DefaultText: "no limit", Usage: "`SPLITS` above the deepest leaf"},
		&cli.IntFlag{Name: "max-leaves", Category: "Forest", DefaultText: "no limit", Usage: "`LEAVES` of a tree, best splits first"},
		&cli.StringFlag{Name: "criterion", Value: "gini", Category: "Forest", Usage: "`KIND`: gini, entropy, hellinger, offcentred, pragma"},
		&cli.BoolFlag{Name: "random-cuts", DisableDefaultText: true, Category: "Forest", Usage: "draw one cut of each feature tried: extra-trees"},
		&cli.IntFlag{Name: "subset-levels", Value: forest.Config{}.Resolved(1).SubsetLevels, Category: "Forest", Usage: "columns of more `LEVELS` are split by rates, not subsets"},
		&cli.StringFlag{Name: "bag", Category: "Forest", Usage: "`KIND`: bootstrap (usual), stratified[:A=N], balanced, poisson, hash:N"},
		&cli.GenericFlag{Name: "fraction", Value: new(shareValue), Category: "Forest", DefaultText: "1; 0.632 with --no-replacement", Usage: "`SHARE` of the rows in a bag"},
		&cli.BoolFlag{Name: "no-replacement", DisableDefaultText: true, Category: "Forest", Usage: "draw each row into a bag at most once"},
		&cli.BoolFlag{Name: "soft-votes", DisableDefaultText: true, Category: "Forest", Usage: "trees vote with the shares of the classes in a leaf"},
		list(cli.StringSliceFlag{Name: "class-weight", Category: "Forest", Usage: "`CLASS=WEIGHT` in the choice of splits, not of the votes (repeated)"}),
	}
}

// forestConfig reads how the trees are grown.
func forestConfig(c *cli.Context, frame *dataset.Frame, workers int) (forest.Config, error) {
	cfg := forest.Config{
		Trees: c.Int("trees"), Mtry: c.Int("mtry"), MinLeaf: c.Int("min-leaf"), MaxDepth: c.Int("max-depth"), MaxLeaves: c.Int("max-leaves"),
		Criterion: forest.Criterion(c.String("criterion")), RandomCuts: c.Bool("random-cuts"), SubsetLevels: c.Int("subset-levels"),
		Fraction: c.Float64("fraction"), NoReplacement: c.Bool("no-replacement"),
		Soft: c.Bool("soft-votes"), Seed: c.Uint64("seed"), Workers: workers,
		MaxMemory: spareMemory(os.DirFS("/")),
	}
	for _, flag := range []string{"trees", "mtry", "min-leaf", "max-depth", "subset-levels"} {
		if c.IsSet(flag) && c.Int(flag) < 1 {
			return cfg, usagef("--%s %d; give a number from 1", flag, c.Int(flag))
		}
	}
	switch p := len(frame.Columns); {
	case cfg.Trees > forest.MaxTrees:
		return cfg, &dataset.LimitError{Text: fmt.Sprintf("--trees %d; the limit is %d trees, and some hundreds are enough for most data", cfg.Trees, forest.MaxTrees)}
	case cfg.Mtry > p && p > 0:
		return cfg, usagef("--mtry %d; the data has %s, give a number from 1 to %d", cfg.Mtry, english.Plural(p, "feature"), p)
	case c.IsSet("max-leaves") && cfg.MaxLeaves < 2:
		return cfg, usagef("--max-leaves %d; give a number from 2", cfg.MaxLeaves)
	case (forest.Config{Criterion: cfg.Criterion}).CheckKinds() != nil || cfg.Criterion == "":
		return cfg, usagef("--criterion %s; choose gini, entropy, hellinger, offcentred or pragma", english.Quote(string(cfg.Criterion)))
	case cfg.Criterion == forest.Pragma && !preferred(c) && slices.ContainsFunc([]string{"cost", "costs", "measure"}, c.IsSet):
		return cfg, usagef("--criterion pragma splits by a preference, and the weights are to follow another measure; name the preference with --prefer, or choose another criterion")
	}
	var err error
	if cfg.Bag, cfg.ClassRows, err = bag(c.String("bag"), frame.Classes); err != nil {
		return cfg, err
	}
	if err := bagFlags(c, cfg); err != nil {
		return cfg, err
	}
	cfg.ClassWeight, err = classWeights(c.StringSlice("class-weight"), frame.Classes)
	return cfg, err
}

// bag reads a kind of bag. One such as stratified:ill=50,well=10% says how many rows of each class are drawn, or which share of them.
func bag(text string, classes []string) (forest.Bag, []float64, error) {
	list, listed := strings.CutPrefix(text, string(forest.Stratified)+":")
	if !listed {
		return forest.Bag(text), nil, nil
	}
	rows, err := byClass("bag", []string{list}, classes, 0)
	if err == nil && (forest.Config{Bag: forest.Stratified, ClassRows: rows}).CheckKinds() != nil {
		err = usagef("--bag %s; write a whole number of rows, or a share such as 10%%", english.Quote(text))
	}
	return forest.Stratified, rows, err
}

// bagText is what bag reads.
func bagText(c forest.Config, classes []string) string {
	var parts []string
	for class, rows := range c.ClassRows {
		if rows > 0 {
			parts = append(parts, fmt.Sprintf("%s=%v", classes[class], rows))
		}
	}
	if parts == nil {
		return string(c.Bag)
	}
	return string(c.Bag) + ":" + strings.Join(parts, ",")
}

// bagFlags checks what says how bags are drawn.
func bagFlags(c *cli.Context, cfg forest.Config) error {
	if (forest.Config{Bag: cfg.Bag}).CheckKinds() != nil || c.IsSet("bag") && cfg.Bag == "" {
		return usagef("--bag %s; choose bootstrap, stratified, stratified:CLASS=ROWS, balanced, poisson or, for about so many rows a tree, hash:ROWS", english.Quote(string(cfg.Bag)))
	}
	if c.IsSet("fraction") && !(cfg.Fraction > 0 && cfg.Fraction <= 1) {
		return usagef("--fraction %v; give a share above 0 and up to 1, such as 0.63 or 63%%", cfg.Fraction)
	}
	for _, flag := range []string{"no-replacement", "fraction"} {
		alone := forest.Config{Bag: cfg.Bag}
		if flag == "fraction" {
			alone.Fraction = cfg.Fraction
		} else {
			alone.NoReplacement = cfg.NoReplacement
		}
		if alone.CheckKinds() != nil {
			return usagef("--%s does not go with --bag %s, which decides on each row alone; leave one out", flag, cfg.Bag)
		}
	}
	return nil
}
