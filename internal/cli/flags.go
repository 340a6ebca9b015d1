package cli

import (
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/forest"
)

// The groups of flags that several verbs share.

// DataFlags are those of the verbs that read a table to learn from.
func DataFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "target", Value: "class", Category: "Data", Usage: "`COLUMN` of the labels"},
		PositiveFlag(),
		MergeFlag(),
		List(urfave.StringSliceFlag{Name: "categorical", Category: "Data",
			Usage: "`COLUMNS` to read as categories, even of numbers (a,b or repeated)"}),
		List(urfave.StringSliceFlag{Name: "number", Category: "Data",
			Usage: "`COLUMNS` of numbers with a unit or a sign: weight=kg, visit=min, sales"}),
		List(urfave.StringSliceFlag{Name: "missing", Category: "Data",
			Usage: "`WORDS` for a missing cell, as NA; age=0,99 are of column age alone"}),
		List(urfave.StringSliceFlag{Name: "ignore", Category: "Data", Usage: "`COLUMNS` to leave out"}),
		idFlag("it is no feature"),
		&urfave.StringFlag{Name: "weight", Category: "Data",
			Usage: "`COLUMN` of how many rows each counts for (case weights)"},
		&urfave.StringFlag{Name: "group", Category: "Data", Usage: "`COLUMN`; rows of one group stay in one fold"},
		&urfave.StringFlag{Name: "time", Category: "Data",
			Usage: "`COLUMNS` of a time (day or Year,Month), left out; cv judges later rows"},
		&urfave.StringFlag{Name: "input-format", Category: "Data", DefaultText: "by name or content",
			Usage: "`FORM`: csv, tsv, arff, libsvm or parquet"},
		&urfave.StringFlag{Name: "sep", Value: "auto", Category: "Data",
			Usage: "`MARK` between cells, or tab; auto finds , ; tab |"},
		&urfave.StringFlag{Name: "decimal", Value: ".", Category: "Data",
			Usage: "`MARK` before the decimals of a number in CSV: . or ,"},
		&urfave.BoolFlag{Name: "drop-unlabelled", DisableDefaultText: true, Category: "Data",
			Usage: "leave out rows without a label; --missing class=open: open ones, too"},
	}
}

// NewDataFlags are those of the verbs that read rows for a model.
func NewDataFlags() []urfave.Flag {
	flags := slices.DeleteFunc(DataFlags(), func(f urfave.Flag) bool {
		return slices.Contains([]string{"positive", "merge-labels", "categorical", "number", "group", "time", "target",
			"id"}, f.Names()[0])
	})
	return append(flags, idFlag("else they are numbered")) // a feature of a model may name them, too
}

func idFlag(more string) urfave.Flag {
	return &urfave.StringFlag{Name: "id", Category: "Data", Usage: "`COLUMN` that names the rows; " + more}
}

// PositiveFlag keeps one label and merges the others.
func PositiveFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "positive", Category: "Data", Usage: "keep this `LABEL`, merge all others into rest"}
}

// MergeFlag makes one class of several labels.
func MergeFlag() urfave.Flag {
	return List(urfave.StringSliceFlag{Name: "merge-labels", Category: "Data",
		Usage: "`CLASS=LABELS` that become one class: ill=flu,cold, fraud=1 (repeated)"})
}

// GroupFlag is that of the verbs that judge new rows with a model.
func GroupFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "group", DefaultText: "as in training", Category: "Data",
		Usage: "`COLUMN`; rows of one group belong together"}
}

// FitFlags are those of the verbs that fit a model.
func FitFlags() []urfave.Flag {
	return append([]urfave.Flag{
		&urfave.StringFlag{Name: "tune-forest", DefaultText: "quick from 200 trees", Category: "Forest",
			Usage: "`HOW` to choose: off, quick, full"},
		&urfave.StringFlag{Name: "votes", Category: "Fitting", DefaultText: "oob, cv if few, forward with --time",
			Usage: "`VOTES`: oob, cv, train"},
		&urfave.IntFlag{Name: "inner-folds", Value: 5, Category: "Fitting",
			Usage: "`FOLDS` within the training rows, for cv and forward votes"},
		&urfave.StringFlag{Name: "calibrate", Value: "auto", Category: "Fitting",
			Usage: "`MAP`: platt, isotonic, beta, auto, ...; see help maps"},
		&urfave.StringFlag{Name: "calibrate-on", Value: "votes", Category: "Fitting",
			Usage: "`VOTES` that maps are fitted on: votes, weighted"},
	}, slices.Concat(SearchFlags(), SureFlags(), ReviewFlags())...)
}

// SureFlags say how surely what is required is to hold on new rows.
func SureFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.GenericFlag{Name: "sure", Value: new(ShareValue), Category: "Preference", DefaultText: "not at all",
			Usage: "`CONFIDENCE` that what is required holds on new rows (95%)"},
		&urfave.GenericFlag{Name: "sure-share", Value: new(ShareValue), Category: "Preference",
			DefaultText: "20% to 50%", Usage: "`SHARE` of the rows kept apart to test; 0 for none"},
		&urfave.Float64Flag{Name: "max-cost", Category: "Preference", DefaultText: "no limit",
			Usage: "`COST` that new rows keep to in the mean, with --sure"},
	}
}

// ReviewFlags say which rows a person is to look at.
func ReviewFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "review", Category: "Preference", DefaultText: "none",
			Usage: "`SHARE` of the rows left to people: 2%, 'ill<=10/1000'"},
		&urfave.Float64Flag{Name: "review-cost", Category: "Preference", DefaultText: "no limit but --review",
			Usage: "`COST` of having a row looked at, as in --cost"},
	}
}

// ByFlag is that of the verbs that judge rows.
func ByFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "by", Category: "Output", DefaultText: "none",
		Usage: "`COLUMN`, also one left out, whose values are judged apart"}
}

// ScoreFlag is that of the verbs that keep or write scores.
func ScoreFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "score", Category: "Output", DefaultText: "none",
		Usage: "`KIND` of score beside the probability: fpr"}
}

// SearchFlags say how weights are sought.
func SearchFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "search", Value: "auto", Category: "Fitting",
			Usage: "`METHOD` for weights: auto, exact, coordinates, annealing"},
		&urfave.StringFlag{Name: "choice", Value: "careful", Category: "Fitting",
			Usage: "`KIND`: careful (heeds chance) or lowest (least loss)"},
	}
}

// PreferFlags say what is preferred.
func PreferFlags() []urfave.Flag {
	return append([]urfave.Flag{
		List(urfave.StringSliceFlag{Name: "prefer", Category: "Preference", DefaultText: "the rarest class",
			Usage: "`SPEC` of what matters, such as ill,sick (repeated)"}),
		&urfave.BoolFlag{Name: "ask", DisableDefaultText: true, Category: "Preference",
			Usage: "ask in plain words, and show the --prefer that says the same"},
		&urfave.StringFlag{Name: "prefer-file", Category: "Preference", Usage: "JSON `FILE` with the same"},
		&urfave.StringFlag{Name: "measure", Value: "pragma", Category: "Preference", DefaultText: "pragma",
			Usage: "`LOSS`: accuracy, balanced, f1, f:CLASS, gmean, mcc, kappa"},
		List(urfave.StringSliceFlag{Name: "require", Category: "Preference",
			Usage: "`FLOOR` that must hold before all, such as 'ill:recall>=0.9' (repeated)"}),
	}, costFlags("Preference", "as the loss")...)
}

// costFlags say what decisions cost; as says what that is for.
func costFlags(category, as string) []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "costs", Category: category, Usage: "CSV `FILE` with the cost of each decision, " + as},
		List(urfave.StringSliceFlag{Name: "cost", Category: category,
			Usage: "`CLASS=COST` of deciding one of its rows wrongly, " + as + " (repeated)"}),
		&urfave.StringFlag{Name: "amount", Category: category,
			Usage: "`COLUMN` of what is at stake in a row, for costs by amount"},
	}
}

// MoneyFlags are the costs that a model is judged by beside what it was tuned for.
func MoneyFlags() []urfave.Flag { return costFlags("Costs", "to judge in money") }

// AcceptBest is of the verbs that can write a model.
func AcceptBest() urfave.Flag {
	return &urfave.BoolFlag{Name: "accept-best", DisableDefaultText: true, Category: "Preference",
		Usage: "where --require cannot be reached, go on with what comes nearest"}
}

// PreferHelp says how to say what one wants, and where more of it is said.
const PreferHelp = `
Say what you want; rfpragma help preference tells more:
  --ask                                 be asked in plain words
  --prefer ill                          class ill matters most, false alarms are cheap
  --prefer ill,sick                     two classes matter most
  --prefer 'ill:theta=10,x=0.2,y=0.6'   how much, and which outcomes are as good as each other
  --cost ill=10 --cost well=1           or what a wrong decision costs, for a row of each
  --require 'ill:recall>=0.9'           before all that: find nine of ten`

// RunFlags are those of a verb that draws at random.
func RunFlags(formats string) []urfave.Flag {
	return append(OutputFlags(formats), SeedFlag())
}

// SeedFlag is that of the verbs in which chance takes part.
func SeedFlag() urfave.Flag {
	return &urfave.Uint64Flag{Name: "seed", Value: 1, Category: "Run",
		Usage: "`NUMBER` that all chance comes from; same seed, same result"}
}

// OutputFlags are those of a verb in which nothing is drawn at random.
func OutputFlags(formats string) []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "format", Value: strings.Split(formats, ", ")[0], Category: "Output",
			Usage: "`FORM` of the result: " + formats},
		&urfave.StringFlag{Name: "threads", Value: "auto", Category: "Run",
			Usage: "`NUMBER` of threads; it never changes the result"},
	}
}

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

// WeightFlags name weights that are to be taken, not searched for.
func WeightFlags() []urfave.Flag {
	return []urfave.Flag{
		List(urfave.StringSliceFlag{Name: "weights", Category: "Fitting",
			Usage: "`CLASS=WEIGHT` (a=4,b=1), or plain, prior or cost, instead of a search"}),
		List(urfave.StringSliceFlag{Name: "cutoff", Category: "Fitting",
			Usage: "`CLASS=CUTOFF` instead of a search, as R has it: votes / cutoff decide"}),
	}
}

// DecideFlag is that of the verbs that make a model which may decide by expected cost, see [rfpragma.Config.ByCost].
func DecideFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "decide", Value: "weights", Category: "Fitting",
		Usage: "`HOW`: by weights, or by the least expected cost: cost"}
}

// DriftFlag is that of the verbs that judge a model on later rows.
func DriftFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "fail-on-drift", DisableDefaultText: true, Category: "Output",
		Usage: "end with exit code 8 where drift shows"}
}

// ExpectedFlag is that of the verbs that hold a model to the promise of cv.
func ExpectedFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "expected", Category: "Output",
		Usage: "JSON `FILE` of cv, whose promise stands beside what is found"}
}

// WithholdFlag is that of the verbs that decide rows, or judge what is decided.
func WithholdFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "withhold", DisableDefaultText: true, Category: "Output",
		Usage: "leave rows undecided that lack most of what the model decides by"}
}

// TopFlag is that of the verbs that judge lists.
func TopFlag() urfave.Flag {
	return List(urfave.StringSliceFlag{Name: "top", Category: "Output",
		Usage: "`CLASS=N` or CLASS=1%: judge the list of so many likeliest rows (repeated)"})
}

// PerFlag is that of the verbs that can make a list for each value of a column.
func PerFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "per", Category: "Output",
		Usage: "`COLUMNS`: with --top a list for each value, such as Year,Month"}
}

// ResultFlag is that of the verbs that print their result, and write nothing else by --output. Their actions are
// made by [program.kept].
func ResultFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", DefaultText: "none", Category: "Output",
		Usage: "`FILE` to write as well: .json, .csv, .md or text"}
}

// DetailsFlag is that of the verbs that have a first screen.
func DetailsFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "details", DisableDefaultText: true, Category: "Output",
		Usage: "show all figures and findings"}
}

// Without returns flags but for those of some names.
func Without(flags []urfave.Flag, names ...string) []urfave.Flag {
	return slices.DeleteFunc(flags, func(f urfave.Flag) bool { return slices.Contains(names, f.Names()[0]) })
}

// Only returns the flags of some names.
func Only(flags []urfave.Flag, names ...string) []urfave.Flag {
	return slices.DeleteFunc(flags, func(f urfave.Flag) bool { return !slices.Contains(names, f.Names()[0]) })
}
