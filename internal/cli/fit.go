package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/memory"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
	"github.com/rfpragma/rfpragma/vote"
)

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

// OfferBest names that flag where what is required cannot be reached.
func OfferBest(err error) error {
	if errors.Is(err, anneal.ErrFloors) || errors.Is(err, risk.ErrUnsure) {
		return fmt.Errorf("%w, or add --accept-best to go on with these", err)
	}
	return err
}

// FitConfig reads everything that a fit needs, but for the measure, which needs the classes. Of an empty frame it
// checks what needs no data.
func (p *Program) FitConfig(c *urfave.Context, frame *dataset.Frame) (rfpragma.Config, error) {
	workers, err := p.Threads(c)
	if err != nil {
		return rfpragma.Config{}, err
	}
	cfg := rfpragma.Config{Votes: vote.Source(c.String("votes")), Folds: c.Int("inner-folds")}
	if cfg.Folds < 2 {
		return cfg, Usagef("--inner-folds %d; give a number from 2", cfg.Folds)
	}
	if most, of := MostFoldsOf(frame); c.IsSet("inner-folds") && most >= 2 && cfg.Folds > most {
		return cfg, FewerFolds("inner-folds", cfg.Folds, of, most)
	}
	if !slices.Contains([]vote.Source{"", vote.OOB, vote.CV, vote.Train}, cfg.Votes) {
		hint := ""
		if cfg.Votes == vote.Forward {
			hint = "; forward is what --time fits on"
		}
		return cfg, Usagef("--votes %s; choose oob, cv or train%s", english.Quote(string(cfg.Votes)), hint)
	}
	if cfg.Search, err = Search(c, workers, frame.Classes); err != nil {
		return cfg, err
	}
	if cfg.Sure, err = ReadSure(c); err != nil {
		return cfg, err
	}
	if cfg.Review, err = ReadReview(c, frame.Classes); err != nil {
		return cfg, err
	}
	if cfg.Calibration, err = ParseMap(c); err != nil {
		return cfg, err
	}
	switch on := c.String("calibrate-on"); on {
	case "votes":
	case "weighted":
		cfg.CalibrateWeighted = true
	default:
		return cfg, Usagef("--calibrate-on %s; choose votes or weighted", english.Quote(on))
	}
	if cfg.Forest, err = ForestConfig(c, frame, workers); err != nil {
		return cfg, err
	}
	if err := tuneForest(c, &cfg); err != nil {
		return cfg, err
	}
	grown, err := cfg.Forest.Proportional(frame)
	if err != nil && frame.Rows() > 0 { // of which grow that reads the rows later knows nothing
		return cfg, Usagef("--bag %s: %s", english.Quote(c.String("bag")), strings.TrimPrefix(err.Error(),
			forest.ErrConfig.Error()+": "))
	}
	if cfg.Votes == vote.OOB && frame.Rows() > 0 && grown.LeftOut(frame.Rows()) == 0 {
		return cfg, Usagef("--votes oob: every bag holds all rows, so no tree can vote on a row it has not seen; choose " +
			"--votes cv, or smaller bags by --fraction or --bag")
	}
	return cfg, nil
}

// Search reads how the weights of the classes are searched for.
func Search(c *urfave.Context, workers int, classes []string) (anneal.Search, error) {
	method, err := anneal.ParseMethod(c.String("search"))
	if err != nil {
		return anneal.Search{}, Usagef("--search %s; choose auto, exact, coordinates or annealing",
			english.Quote(c.String("search")))
	}
	if k := len(classes); method == anneal.Exact && k > 3 {
		return anneal.Search{}, Usagef(
			"--search exact is for two or three classes, and there are %d; choose auto, coordinates or annealing", k)
	}
	s := anneal.Search{Method: method, Seed: c.Uint64("seed"), Workers: workers}
	if s.Choice, err = anneal.ParseChoice(c.String("choice")); err != nil {
		return s, Usagef("--choice %s; choose careful or lowest", english.Quote(c.String("choice")))
	}
	for _, text := range required(c) {
		floor, err := pragma.ParseFloor(text, classes)
		if err != nil {
			return s, fmt.Errorf("--require: %w", err)
		}
		s.Floors = append(s.Floors, floor)
	}
	return s, nil
}

// mapsElsewhere are maps to probabilities by other names, and ours.
var mapsElsewhere = map[string]calib.Method{
	"sigmoid": calib.PlattLogit, "logistic": calib.PlattLogit, "temperature-scaling": calib.Temperature,
	"no": calib.None, "off": calib.None,
}

// ParseMap reads --calibrate.
func ParseMap(c *urfave.Context) (calib.Method, error) {
	name := c.String("calibrate")
	method, err := calib.Parse(name)
	if meant := mapsElsewhere[strings.ToLower(name)]; err != nil && meant != "" {
		return "", Usagef("--calibrate %s; did you mean %s? rfpragma help maps tells of each", english.Quote(name), meant)
	}
	if err != nil {
		return "", Usagef("--calibrate: %w", err)
	}
	return method, nil
}
