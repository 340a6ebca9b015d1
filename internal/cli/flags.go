package cli

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
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
			Usage: "`COLUMNS` of numbers that wear something: weight=kg, price=€, visit=min, sales"}),
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

// ListFlag is a flag that may be repeated; its help says so in words, not by showing it twice.
type ListFlag struct{ *urfave.StringSliceFlag }

// List makes a flag that may be repeated.
func List(f urfave.StringSliceFlag) ListFlag { return ListFlag{&f} }

// IsSliceFlag is false for the help, which else would be wide.
func (ListFlag) IsSliceFlag() bool { return false }

// String is the line of the help.
func (f ListFlag) String() string { return urfave.FlagStringer(f) }

// ShareValue is that of a flag of a share, 0.63 or 63%, which [cli.Context.Float64] returns.
type ShareValue float64

// Set reads a share.
func (s *ShareValue) Set(text string) error {
	v, err := csvtext.Share(text)
	*s = ShareValue(v)
	return err
}

func (s *ShareValue) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

// NewDataFlags are those of the verbs that read rows for a model.
func NewDataFlags() []urfave.Flag {
	flags := slices.DeleteFunc(DataFlags(), func(f urfave.Flag) bool {
		return slices.Contains([]string{"positive", "merge-labels", "categorical", "number", "group", "time", "target", "id"},
			f.Names()[0])
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
	}, SearchFlags()...)
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

// OfferBest names that flag where what is required cannot be reached.
func OfferBest(err error) error {
	if errors.Is(err, anneal.ErrFloors) {
		return fmt.Errorf("%w, or add --accept-best to go on with these", err)
	}
	return err
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
	return append(OutputFlags(formats), seedFlag())
}

func seedFlag() urfave.Flag {
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

// Options turns the data flags into reading options.
func (p *Program) Options(c *urfave.Context) (dataset.Options, error) {
	o := dataset.Options{
		Target: c.String("target"), Positive: c.String("positive"),
		ID: c.String("id"), Weight: c.String("weight"), Amount: c.String("amount"), Group: c.String("group"),
		Time:           c.String("time"),
		DropUnlabelled: c.Bool("drop-unlabelled"),
		Memory:         spareMemory(os.DirFS("/")),
	}
	for _, list := range []struct {
		flag string
		to   *[]string
	}{{"categorical", &o.Categorical}, {"number", &o.Number}, {"ignore", &o.Ignore}} {
		var err error
		if *list.to, err = names(list.flag, c.StringSlice(list.flag)); err != nil {
			return o, err
		}
	}
	var err error
	if o.Missing, err = missingWords(c.StringSlice("missing")); err != nil {
		return o, err
	}
	if o.Merge, err = merges(c.StringSlice("merge-labels")); err != nil {
		return o, err
	}
	if o.Comma, err = separator(c.String("sep")); err != nil {
		return o, err
	}
	o.Decimal, err = decimal(c.String("decimal"))
	return o, err
}

// merges reads --merge-labels: by class the labels that become it.
func merges(values []string) (map[string][]string, error) {
	var merged map[string][]string
	for _, v := range values {
		class, list, _ := strings.Cut(v, "=")
		class = strings.TrimSpace(class)
		labels, err := names("merge-labels", []string{list})
		if err != nil || class == "" || slices.Contains(labels, "") {
			return nil, Usagef("--merge-labels %s; write CLASS=LABEL,LABEL, such as ill=flu,cold, and quote a label with a "+
				"comma in it", english.Quote(v))
		}
		if merged == nil {
			merged = map[string][]string{}
		}
		merged[class] = append(merged[class], labels...)
	}
	return merged, nil
}

// decimal reads --decimal.
func decimal(text string) (byte, error) {
	if text == "" || text == "." || text == "," {
		return cmp.Or(text, ".")[0], nil
	}
	return 0, Usagef("--decimal %s is no decimal mark; write . or ,", english.Quote(text))
}

// names splits the values of a list flag at commas. A name with a comma is quoted, as in CSV.
func names(flag string, values []string) ([]string, error) {
	var all []string
	for _, v := range values {
		if v == "" {
			return nil, Usagef("--%s is empty; give it a value, or leave it out", flag)
		}
		lines, err := csv.NewReader(strings.NewReader(v)).ReadAll()
		if err != nil || len(lines) != 1 {
			return nil, Usagef("--%s %s is no list of names; separate names by commas, and quote a name with a comma, a quote "+
				"or a line end in it", flag, english.Quote(v))
		}
		for _, name := range lines[0] {
			all = append(all, strings.TrimSpace(name))
		}
	}
	return all, nil
}

// missingWords reads --missing, each value by itself.
func missingWords(values []string) ([]string, error) {
	var all []string
	for _, v := range values {
		if v == "" {
			return nil, Usagef("--missing is empty; an empty cell is missing in any case, so leave it out")
		}
		list, err := names("missing", []string{v})
		if err != nil {
			return nil, err
		}
		all = append(all, dataset.MissingWords(list)...)
	}
	return all, nil
}

// separator reads --sep; 0 means that the mark is found in the file.
func separator(text string) (rune, error) {
	switch text {
	case "auto":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	}
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) || size == 0 || r == '"' || r == '\r' || r == '\n' || r == utf8.RuneError {
		return 0, Usagef("--sep %s is not one character; write ',', ';', '|', or tab", english.Quote(text))
	}
	return r, nil
}

// Threads reads --threads; a command without it uses all there are.
func (p *Program) Threads(c *urfave.Context) (int, error) {
	if p.workers > 0 {
		return p.workers, nil // what is odd about it was said the first time
	}
	text := c.String("threads")
	if text == "auto" || text == "" && !c.IsSet("threads") {
		return runtime.GOMAXPROCS(0), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, Usagef("--threads %s; give a number from 1, or auto", english.Quote(text))
	}
	if most := 8 * runtime.NumCPU(); n > most {
		p.caution([]error{fmt.Errorf("--threads %d is more than this machine can use; %d are used, and the result is the "+
			"same", n, most)})
		n = most
	}
	p.workers = n
	return n, nil
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
		if err != nil && classes == nil {
			err = floorFault(c, text, err)
		}
		if err != nil {
			return s, fmt.Errorf("--require: %w", err)
		}
		s.Floors = append(s.Floors, floor)
	}
	return s, nil
}

// floorFault is what is wrong with a floor, told with the classes of the first rows where that is wrong with them, too.
func floorFault(c *urfave.Context, text string, err error) error {
	var without, with *pragma.SpecError
	first := firstClasses(c)
	if first == nil || !errors.As(err, &without) {
		return err
	}
	if _, told := pragma.ParseFloor(text, first); errors.As(told, &with) && with.Column == without.Column {
		return told
	}
	return err
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

func classWeights(values, classes []string) ([]float64, error) {
	if len(values) == 0 {
		return nil, nil
	}
	return ByClass("class-weight", values, classes, 1)
}

// Format checks --format.
func Format(c *urfave.Context, known ...string) (string, error) {
	f := c.String("format")
	if !slices.Contains(known, f) {
		return "", Usagef("--format %s; choose %s", english.Quote(f), strings.Join(known, ", "))
	}
	return f, nil
}
