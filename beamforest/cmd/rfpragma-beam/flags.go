package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
)

// The flags of rfpragma grow, by the same names.

func dataFlags(f *flag.FlagSet, o *dataset.Options) {
	f.StringVar(&o.Target, "target", "class", "`COLUMN` of the labels")
	f.StringVar(&o.Positive, "positive", "", "keep this `LABEL`, merge all others into rest")
	f.Func("merge-labels", "`CLASS=LABELS` that become one class, such as ill=flu,cold (repeated)", merged(&o.Merge))
	f.Func("categorical", "`COLUMNS` to read as categories, even of numbers (a,b or repeated)", names(&o.Categorical))
	f.Func("missing", "`WORDS` for a missing cell, as NA; age=0,99 are of column age alone", missing(&o.Missing))
	f.Func("ignore", "`COLUMNS` to leave out", names(&o.Ignore))
	f.StringVar(&o.ID, "id", "", "`COLUMN` that names the rows; it is no feature")
	f.StringVar(&o.Weight, "weight", "", "`COLUMN` of case weights")
	f.StringVar(&o.Group, "group", "", "`COLUMN`; rows of one group stay in one fold")
	f.StringVar(&o.Time, "time", "", "`COLUMN` of a time, no feature")
	textFlags(f, &o.Comma, &o.Decimal)
	f.BoolVar(&o.DropUnlabelled, "drop-unlabelled", false, "leave rows without a label out")
}

// textFlags say how a file writes what it says.
func textFlags(f *flag.FlagSet, sep *rune, mark *byte) {
	f.Func("sep", "`CHARACTER` between cells, or tab; found out unless it is given", comma(sep))
	f.Func("decimal", "`MARK` before the decimals of a number: . or ,", decimal(mark))
}

func forestFlags(f *flag.FlagSet, c *forest.Config) {
	f.IntVar(&c.Trees, "trees", 500, "number of trees `T`")
	f.IntVar(&c.Mtry, "mtry", 0, "`FEATURES` tried at each node; the root of all of them unless it is given")
	f.IntVar(&c.MinLeaf, "min-leaf", 1, "least in-bag `WEIGHT` of a leaf: draws × case weight")
	f.IntVar(&c.MaxDepth, "max-depth", 0, "`SPLITS` above the deepest leaf; 0 is no limit")
	f.IntVar(&c.MaxLeaves, "max-leaves", 0, "`LEAVES` of a tree, best splits first; 0 is no limit")
	f.StringVar((*string)(&c.Criterion), "criterion", "gini", "`IMPURITY`: gini, entropy, hellinger or offcentred")
	f.BoolVar(&c.RandomCuts, "random-cuts", false, "draw one cut of each feature tried: extra-trees")
	f.IntVar(&c.SubsetLevels, "subset-levels", forest.Config{}.Resolved(1).SubsetLevels, "categories: subsets up to so many `LEVELS`, else rates")
	f.StringVar((*string)(&c.Bag), "bag", "bootstrap", "`KIND`: bootstrap, stratified, balanced, poisson, hash:ROWS")
	f.Float64Var(&c.Fraction, "fraction", 0, "`SHARE` of the rows in a bag; 0 is 1, or 0.632 with --no-replacement")
	f.BoolVar(&c.NoReplacement, "no-replacement", false, "draw each row into a bag at most once")
	f.BoolVar(&c.Soft, "soft-votes", false, "trees vote with the shares of the classes in a leaf")
	f.Uint64Var(&c.Seed, "seed", 1, "`NUMBER` that all chance comes from; same seed, same result")
}

// checkForest finds what can be found without data, before a job is sent anywhere.
func checkForest(c forest.Config) error {
	if c.Criterion == forest.Pragma {
		return fmt.Errorf("%w: --criterion pragma needs a preference, which goes with rfpragma grow alone; choose gini, entropy, hellinger or offcentred", errUsage)
	}
	if c.Trees < 1 || c.Trees > forest.MaxTrees {
		return fmt.Errorf("%w: --trees %d; give a number from 1 to %d", errUsage, c.Trees, forest.MaxTrees)
	}
	if err := c.CheckKinds(); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	return nil
}

// names reads a list of names.
func names(to *[]string) func(string) error {
	return func(text string) error {
		for name := range strings.SplitSeq(text, ",") {
			*to = append(*to, strings.TrimSpace(name))
		}
		return nil
	}
}

// missing reads a list of words for missing cells.
func missing(to *[]string) func(string) error {
	return func(text string) error {
		*to = append(*to, dataset.MissingWords(strings.Split(text, ","))...)
		return nil
	}
}

// merged reads a class and the labels that become it.
func merged(to *map[string][]string) func(string) error {
	return func(text string) error {
		class, list, _ := strings.Cut(text, "=")
		class = strings.TrimSpace(class)
		labels := (*to)[class]
		_ = names(&labels)(list)
		if class == "" || slices.Contains(labels, "") {
			return fmt.Errorf("%s is no CLASS=LABEL,LABEL, such as ill=flu,cold", english.Quote(text))
		}
		if *to == nil {
			*to = map[string][]string{}
		}
		(*to)[class] = labels
		return nil
	}
}

// decimal reads the decimal mark.
func decimal(to *byte) func(string) error {
	return func(text string) error {
		if text != "." && text != "," {
			return fmt.Errorf("%s is neither . nor ,", english.Quote(text))
		}
		*to = text[0]
		return nil
	}
}

// comma reads what separates cells.
func comma(to *rune) func(string) error {
	return func(text string) error {
		if text == "tab" || text == `\t` {
			text = "\t"
		}
		r, size := utf8.DecodeRuneInString(text)
		if size == 0 || size != len(text) || strings.ContainsRune("\"\r\n", r) || r == utf8.RuneError {
			return fmt.Errorf("%s is not one character; write ';', '|', or tab", english.Quote(text))
		}
		*to = r
		return nil
	}
}
