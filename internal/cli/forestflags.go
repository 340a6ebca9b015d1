package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/memory"
)

// ForestFlags are the settings of the forest.
func ForestFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.IntFlag{Name: "trees", Value: 500, Category: "Forest", Usage: "number of trees `T`"},
		&urfave.IntFlag{Name: "mtry", Category: "Forest", DefaultText: "⌊√p⌋",
			Usage: "`FEATURES` tried at each node, without constant ones"},
		&urfave.IntFlag{Name: "min-leaf", Value: 1, Category: "Forest",
			Usage: "fewest `ROWS` in a leaf, as often as drawn, by case weight"},
		&urfave.IntFlag{Name: "max-depth", Category: "Forest", DefaultText: "no limit",
			Usage: "`SPLITS` above the deepest leaf"},
		&urfave.IntFlag{Name: "max-leaves", Category: "Forest", DefaultText: "no limit",
			Usage: "`LEAVES` of a tree, best splits first"},
		&urfave.StringFlag{Name: "criterion", Value: "gini", Category: "Forest",
			Usage: "`KIND`: gini, entropy, hellinger, offcentred, pragma"},
		&urfave.BoolFlag{Name: "random-cuts", DisableDefaultText: true, Category: "Forest",
			Usage: "draw one cut of each feature tried: extra-trees"},
		&urfave.IntFlag{Name: "subset-levels", Value: forest.Config{}.Resolved(1).SubsetLevels, Category: "Forest",
			Usage: "columns of more `LEVELS` are split by rates, not subsets"},
		&urfave.StringFlag{Name: "bag", Category: "Forest",
			Usage: "`KIND`: bootstrap (usual), stratified[:A=N], balanced, poisson, hash:N"},
		&urfave.GenericFlag{Name: "fraction", Value: new(ShareValue), Category: "Forest",
			DefaultText: "1; 0.632 with --no-replacement", Usage: "`SHARE` of the rows in a bag"},
		&urfave.BoolFlag{Name: "no-replacement", DisableDefaultText: true, Category: "Forest",
			Usage: "draw each row into a bag at most once"},
		&urfave.BoolFlag{Name: "soft-votes", DisableDefaultText: true, Category: "Forest",
			Usage: "trees vote with the shares of the classes in a leaf"},
		List(urfave.StringSliceFlag{Name: "class-weight", Category: "Forest",
			Usage: "`CLASS=WEIGHT` in the choice of splits, not of the votes (repeated)"}),
	}
}

// ForestConfig reads how the trees are grown.
func ForestConfig(c *urfave.Context, frame *dataset.Frame, workers int) (forest.Config, error) {
	cfg := forest.Config{
		Trees: c.Int("trees"), Mtry: c.Int("mtry"), MinLeaf: c.Int("min-leaf"), MaxDepth: c.Int("max-depth"),
		MaxLeaves: c.Int("max-leaves"),
		Criterion: forest.Criterion(c.String("criterion")), RandomCuts: c.Bool("random-cuts"),
		SubsetLevels: c.Int("subset-levels"),
		Fraction:     c.Float64("fraction"), NoReplacement: c.Bool("no-replacement"),
		Soft: c.Bool("soft-votes"), Seed: c.Uint64("seed"), Workers: workers,
		MaxMemory: memory.Spare(os.DirFS("/")),
	}
	for _, flag := range []string{"trees", "mtry", "min-leaf", "max-depth", "subset-levels"} {
		if c.IsSet(flag) && c.Int(flag) < 1 {
			return cfg, Usagef("--%s %d; give a number from 1", flag, c.Int(flag))
		}
	}
	switch p := len(frame.Columns); {
	case cfg.Trees > forest.MaxTrees:
		return cfg, &dataset.LimitError{Text: fmt.Sprintf(
			"--trees %d; the limit is %d trees, and some hundreds are enough for most data", cfg.Trees, forest.MaxTrees)}
	case cfg.Mtry > p && p > 0:
		return cfg, Usagef("--mtry %d; the data has %s, give a number from 1 to %d", cfg.Mtry, english.Plural(p, "feature"),
			p)
	case c.IsSet("max-leaves") && cfg.MaxLeaves < 2:
		return cfg, Usagef("--max-leaves %d; give a number from 2", cfg.MaxLeaves)
	case (forest.Config{Criterion: cfg.Criterion}).CheckKinds() != nil || cfg.Criterion == "":
		return cfg, Usagef("--criterion %s; choose gini, entropy, hellinger, offcentred or pragma",
			english.Quote(string(cfg.Criterion)))
	case cfg.Criterion == forest.Pragma && !Preferred(c) && slices.ContainsFunc([]string{"cost", "costs", "measure"},
		c.IsSet):
		return cfg, Usagef("--criterion pragma splits by a preference, and the weights are to follow another measure; name " +
			"the preference with --prefer, or choose another criterion")
	}
	var err error
	if cfg.Bag, cfg.ClassRows, err = bag(c.String("bag"), frame.Classes); err != nil {
		return cfg, err
	}
	if err := bagFlags(c, cfg); err != nil {
		return cfg, err
	}
	if values := c.StringSlice("class-weight"); len(values) > 0 {
		cfg.ClassWeight, err = ByClass("class-weight", values, frame.Classes, 1)
	}
	return cfg, err
}

// bag reads a kind of bag. One such as stratified:ill=50,well=10% says how many rows of each class are drawn, or
// which share of them.
func bag(text string, classes []string) (forest.Bag, []float64, error) {
	list, listed := strings.CutPrefix(text, string(forest.Stratified)+":")
	if !listed {
		return forest.Bag(text), nil, nil
	}
	rows, err := ByClass("bag", []string{list}, classes, 0)
	if err == nil && (forest.Config{Bag: forest.Stratified, ClassRows: rows}).CheckKinds() != nil {
		err = Usagef("--bag %s; write a whole number of rows, or a share such as 10%%", english.Quote(text))
	}
	return forest.Stratified, rows, err
}

// bagFlags checks what says how bags are drawn.
func bagFlags(c *urfave.Context, cfg forest.Config) error {
	if (forest.Config{Bag: cfg.Bag}).CheckKinds() != nil || c.IsSet("bag") && cfg.Bag == "" {
		return Usagef("--bag %s; choose bootstrap, stratified, stratified:CLASS=ROWS, balanced, poisson or, for about so "+
			"many rows a tree, hash:ROWS", english.Quote(string(cfg.Bag)))
	}
	if c.IsSet("fraction") && !(cfg.Fraction > 0 && cfg.Fraction <= 1) {
		return Usagef("--fraction %v; give a share above 0 and up to 1, such as 0.63 or 63%%", cfg.Fraction)
	}
	for _, flag := range []string{"no-replacement", "fraction"} {
		alone := forest.Config{Bag: cfg.Bag}
		if flag == "fraction" {
			alone.Fraction = cfg.Fraction
		} else {
			alone.NoReplacement = cfg.NoReplacement
		}
		if alone.CheckKinds() != nil {
			return Usagef("--%s does not go with --bag %s, which decides on each row alone; leave one out", flag, cfg.Bag)
		}
	}
	return nil
}

// MostFoldsOf is into how many folds a frame can be dealt, and of what each has one at least.
func MostFoldsOf(frame *dataset.Frame) (most int, of string) {
	if frame.Group != nil {
		return frame.MostFolds(), "group"
	}
	return frame.MostFolds(), "row"
}

// FewerFolds is the error for more folds than there are rows, or groups.
func FewerFolds(flag string, folds int, of string, most int) error {
	return Usagef("--%s %d is more than there are %ss, %d; choose --%[1]s %[4]d or fewer", flag, folds, of, most)
}

// tuneForest reads whether the settings of the forest are chosen. Those that were typed stay.
func tuneForest(c *urfave.Context, cfg *rfpragma.Config) error {
	how := rfpragma.TuneForest(c.String("tune-forest"))
	switch how {
	case rfpragma.TuneOff:
		cfg.TuneForest = how
		return nil
	case "", rfpragma.TuneQuick, rfpragma.TuneFull:
	default:
		return Usagef("--tune-forest %s; choose off, quick or full", english.Quote(string(how)))
	}
	cfg.TuneForest = how
	if !c.IsSet("min-leaf") {
		cfg.Forest.MinLeaf = 0
	}
	if !c.IsSet("criterion") {
		cfg.Forest.Criterion = ""
	}
	return nil
}
