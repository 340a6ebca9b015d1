package main

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

	"github.com/urfave/cli/v2"

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

func dataFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "target", Value: "class", Category: "Data", Usage: "`COLUMN` of the labels"},
		positiveFlag(),
		mergeFlag(),
		list(cli.StringSliceFlag{Name: "categorical", Category: "Data", Usage: "`COLUMNS` to read as categories, even of numbers (a,b or repeated)"}),
		list(cli.StringSliceFlag{Name: "missing", Category: "Data", Usage: "`WORDS` for a missing cell, as NA; age=0,99 are of column age alone"}),
		list(cli.StringSliceFlag{Name: "ignore", Category: "Data", Usage: "`COLUMNS` to leave out"}),
		idFlag("it is no feature"),
		&cli.StringFlag{Name: "weight", Category: "Data", Usage: "`COLUMN` of how many rows each counts for (case weights)"},
		&cli.StringFlag{Name: "group", Category: "Data", Usage: "`COLUMN`; rows of one group stay in one fold"},
		&cli.StringFlag{Name: "time", Category: "Data", Usage: "`COLUMNS` of a time (day or Year,Month), left out; cv judges later rows"},
		&cli.StringFlag{Name: "input-format", Category: "Data", DefaultText: "by name or content", Usage: "`FORM`: csv, tsv, arff, libsvm or parquet"},
		&cli.StringFlag{Name: "sep", Value: "auto", Category: "Data", Usage: "`MARK` between cells, or tab; auto finds , ; tab |"},
		&cli.StringFlag{Name: "decimal", Value: ".", Category: "Data", Usage: "`MARK` before the decimals of a number in CSV: . or ,"},
		&cli.BoolFlag{Name: "drop-unlabelled", DisableDefaultText: true, Category: "Data", Usage: "leave out rows without a label; --missing class=open: open ones, too"},
	}
}

// listFlag is a flag that may be repeated; its help says so in words, not by showing it twice.
type listFlag struct{ *cli.StringSliceFlag }

func list(f cli.StringSliceFlag) listFlag { return listFlag{&f} }

// IsSliceFlag is false for the help, which else would be wide.
func (listFlag) IsSliceFlag() bool { return false }

// String is the line of the help.
func (f listFlag) String() string { return cli.FlagStringer(f) }

// shareValue is that of a flag of a share, 0.63 or 63%, which [cli.Context.Float64] returns.
type shareValue float64

func (s *shareValue) Set(text string) error {
	v, err := csvtext.Share(text)
	*s = shareValue(v)
	return err
}

func (s *shareValue) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

func newDataFlags() []cli.Flag {
	flags := slices.DeleteFunc(dataFlags(), func(f cli.Flag) bool {
		return slices.Contains([]string{"positive", "merge-labels", "categorical", "group", "time", "target", "id"}, f.Names()[0])
	})
	return append(flags, idFlag("else they are numbered")) // a feature of a model may name them, too
}

func idFlag(more string) cli.Flag {
	return &cli.StringFlag{Name: "id", Category: "Data", Usage: "`COLUMN` that names the rows; " + more}
}

func positiveFlag() cli.Flag {
	return &cli.StringFlag{Name: "positive", Category: "Data", Usage: "keep this `LABEL`, merge all others into rest"}
}

func mergeFlag() cli.Flag {
	return list(cli.StringSliceFlag{Name: "merge-labels", Category: "Data", Usage: "`CLASS=LABELS` that become one class: ill=flu,cold, fraud=1 (repeated)"})
}

// groupFlag is that of the verbs that judge new rows with a model.
func groupFlag() cli.Flag {
	return &cli.StringFlag{Name: "group", DefaultText: "as in training", Category: "Data", Usage: "`COLUMN`; rows of one group belong together"}
}

func fitFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "tune-forest", DefaultText: "quick from 200 trees", Category: "Forest", Usage: "`HOW` to choose: off, quick, full"},
		&cli.StringFlag{Name: "votes", Category: "Fitting", DefaultText: "oob, cv if few, forward with --time", Usage: "`VOTES`: oob, cv, train"},
		&cli.IntFlag{Name: "inner-folds", Value: 5, Category: "Fitting", Usage: "`FOLDS` within the training rows, for cv and forward votes"},
		&cli.StringFlag{Name: "calibrate", Value: "auto", Category: "Fitting", Usage: "`MAP`: platt, isotonic, beta, auto, ...; see help maps"},
		&cli.StringFlag{Name: "calibrate-on", Value: "votes", Category: "Fitting", Usage: "`VOTES` that maps are fitted on: votes, weighted"},
	}, searchFlags()...)
}

func searchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "search", Value: "auto", Category: "Fitting", Usage: "`METHOD` for weights: auto, exact, coordinates, annealing"},
		&cli.StringFlag{Name: "choice", Value: "careful", Category: "Fitting", Usage: "`KIND`: careful (heeds chance) or lowest (least loss)"},
	}
}

func preferFlags() []cli.Flag {
	return append([]cli.Flag{
		list(cli.StringSliceFlag{Name: "prefer", Category: "Preference", DefaultText: "the rarest class", Usage: "`SPEC` of what matters, such as ill,sick (repeated)"}),
		&cli.BoolFlag{Name: "ask", DisableDefaultText: true, Category: "Preference", Usage: "ask in plain words, and show the --prefer that says the same"},
		&cli.StringFlag{Name: "prefer-file", Category: "Preference", Usage: "JSON `FILE` with the same"},
		&cli.StringFlag{Name: "measure", Value: "pragma", Category: "Preference", DefaultText: "pragma", Usage: "`LOSS`: accuracy, balanced, f1, f:CLASS, gmean, mcc, kappa"},
		list(cli.StringSliceFlag{Name: "require", Category: "Preference", Usage: "`FLOOR` that must hold before all, such as 'ill:recall>=0.9' (repeated)"}),
	}, costFlags("Preference", "as the loss")...)
}

// costFlags say what decisions cost; as says what that is for.
func costFlags(category, as string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "costs", Category: category, Usage: "CSV `FILE` with the cost of each decision, " + as},
		list(cli.StringSliceFlag{Name: "cost", Category: category, Usage: "`CLASS=COST` of deciding one of its rows wrongly, " + as + " (repeated)"}),
		&cli.StringFlag{Name: "amount", Category: category, Usage: "`COLUMN` of what is at stake in a row, for costs by amount"},
	}
}

// moneyFlags are the costs that a model is judged by beside what it was tuned for.
func moneyFlags() []cli.Flag { return costFlags("Costs", "to judge in money") }

// acceptBest is of the verbs that can write a model.
func acceptBest() cli.Flag {
	return &cli.BoolFlag{Name: "accept-best", DisableDefaultText: true, Category: "Preference", Usage: "where --require cannot be reached, go on with what comes nearest"}
}

// offerBest names that flag where what is required cannot be reached.
func offerBest(err error) error {
	if errors.Is(err, anneal.ErrFloors) {
		return fmt.Errorf("%w, or add --accept-best to go on with these", err)
	}
	return err
}

// preferHelp says how to say what one wants, and where more of it is said.
const preferHelp = `
Say what you want; rfpragma help preference tells more:
  --ask                                 be asked in plain words
  --prefer ill                          class ill matters most, false alarms are cheap
  --prefer ill,sick                     two classes matter most
  --prefer 'ill:theta=10,x=0.2,y=0.6'   how much, and which outcomes are as good as each other
  --cost ill=10 --cost well=1           or what a wrong decision costs, for a row of each
  --require 'ill:recall>=0.9'           before all that: find nine of ten`

func runFlags(formats string) []cli.Flag {
	return append(outputFlags(formats), seedFlag())
}

func seedFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "seed", Value: 1, Category: "Run", Usage: "`NUMBER` that all chance comes from; same seed, same result"}
}

// outputFlags are those of a verb in which nothing is drawn at random.
func outputFlags(formats string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Value: strings.Split(formats, ", ")[0], Category: "Output", Usage: "`FORM` of the result: " + formats},
		&cli.StringFlag{Name: "threads", Value: "auto", Category: "Run", Usage: "`NUMBER` of threads; it never changes the result"},
	}
}

// options turns the data flags into reading options.
func (p *program) options(c *cli.Context) (dataset.Options, error) {
	o := dataset.Options{
		Target: c.String("target"), Positive: c.String("positive"),
		ID: c.String("id"), Weight: c.String("weight"), Amount: c.String("amount"), Group: c.String("group"), Time: c.String("time"),
		DropUnlabelled: c.Bool("drop-unlabelled"),
		Memory:         spareMemory(os.DirFS("/")),
	}
	for _, list := range []struct {
		flag string
		to   *[]string
	}{{"categorical", &o.Categorical}, {"ignore", &o.Ignore}} {
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
			return nil, usagef("--merge-labels %s; write CLASS=LABEL,LABEL, such as ill=flu,cold, and quote a label with a comma in it", english.Quote(v))
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
	return 0, usagef("--decimal %s is no decimal mark; write . or ,", english.Quote(text))
}

// names splits the values of a list flag at commas. A name with a comma is quoted, as in CSV.
func names(flag string, values []string) ([]string, error) {
	var all []string
	for _, v := range values {
		if v == "" {
			return nil, usagef("--%s is empty; give it a value, or leave it out", flag)
		}
		lines, err := csv.NewReader(strings.NewReader(v)).ReadAll()
		if err != nil || len(lines) != 1 {
			return nil, usagef("--%s %s is no list of names; separate names by commas, and quote a name with a comma, a quote or a line end in it", flag, english.Quote(v))
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
			return nil, usagef("--missing is empty; an empty cell is missing in any case, so leave it out")
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
		return 0, usagef("--sep %s is not one character; write ',', ';', '|', or tab", english.Quote(text))
	}
	return r, nil
}

// threads reads --threads; a command without it uses all there are.
func (p *program) threads(c *cli.Context) (int, error) {
	if p.workers > 0 {
		return p.workers, nil // what is odd about it was said the first time
	}
	text := c.String("threads")
	if text == "auto" || text == "" && !c.IsSet("threads") {
		return runtime.GOMAXPROCS(0), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, usagef("--threads %s; give a number from 1, or auto", english.Quote(text))
	}
	if most := 8 * runtime.NumCPU(); n > most {
		p.caution([]error{fmt.Errorf("--threads %d is more than this machine can use; %d are used, and the result is the same", n, most)})
		n = most
	}
	p.workers = n
	return n, nil
}

// fitConfig reads everything that a fit needs, but for the measure, which needs the classes. Of an empty frame it checks what
// needs no data.
func (p *program) fitConfig(c *cli.Context, frame *dataset.Frame) (rfpragma.Config, error) {
	workers, err := p.threads(c)
	if err != nil {
		return rfpragma.Config{}, err
	}
	cfg := rfpragma.Config{Votes: vote.Source(c.String("votes")), Folds: c.Int("inner-folds")}
	if cfg.Folds < 2 {
		return cfg, usagef("--inner-folds %d; give a number from 2", cfg.Folds)
	}
	if most, of := mostFoldsOf(frame); c.IsSet("inner-folds") && most >= 2 && cfg.Folds > most {
		return cfg, fewerFolds("inner-folds", cfg.Folds, of, most)
	}
	if !slices.Contains([]vote.Source{"", vote.OOB, vote.CV, vote.Train}, cfg.Votes) {
		hint := ""
		if cfg.Votes == vote.Forward {
			hint = "; forward is what --time fits on"
		}
		return cfg, usagef("--votes %s; choose oob, cv or train%s", english.Quote(string(cfg.Votes)), hint)
	}
	if cfg.Search, err = search(c, workers, frame.Classes); err != nil {
		return cfg, err
	}
	if cfg.Calibration, err = parseMap(c); err != nil {
		return cfg, err
	}
	switch on := c.String("calibrate-on"); on {
	case "votes":
	case "weighted":
		cfg.CalibrateWeighted = true
	default:
		return cfg, usagef("--calibrate-on %s; choose votes or weighted", english.Quote(on))
	}
	if cfg.Forest, err = forestConfig(c, frame, workers); err != nil {
		return cfg, err
	}
	if err := tuneForest(c, &cfg); err != nil {
		return cfg, err
	}
	grown, err := cfg.Forest.Proportional(frame)
	if err != nil && frame.Rows() > 0 { // of which grow that reads the rows later knows nothing
		return cfg, usagef("--bag %s: %s", english.Quote(c.String("bag")), strings.TrimPrefix(err.Error(), forest.ErrConfig.Error()+": "))
	}
	if cfg.Votes == vote.OOB && frame.Rows() > 0 && grown.LeftOut(frame.Rows()) == 0 {
		return cfg, usagef("--votes oob: every bag holds all rows, so no tree can vote on a row it has not seen; choose --votes cv, or smaller bags by --fraction or --bag")
	}
	return cfg, nil
}

// search reads how the weights of the classes are searched for.
func search(c *cli.Context, workers int, classes []string) (anneal.Search, error) {
	method, err := anneal.ParseMethod(c.String("search"))
	if err != nil {
		return anneal.Search{}, usagef("--search %s; choose auto, exact, coordinates or annealing", english.Quote(c.String("search")))
	}
	if k := len(classes); method == anneal.Exact && k > 3 {
		return anneal.Search{}, usagef("--search exact is for two or three classes, and there are %d; choose auto, coordinates or annealing", k)
	}
	s := anneal.Search{Method: method, Seed: c.Uint64("seed"), Workers: workers}
	if s.Choice, err = anneal.ParseChoice(c.String("choice")); err != nil {
		return s, usagef("--choice %s; choose careful or lowest", english.Quote(c.String("choice")))
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
func floorFault(c *cli.Context, text string, err error) error {
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

// required returns the values of --require after the last that is none, which drops what settings or a model bring along.
func required(c *cli.Context) []string {
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
	return byClass("class-weight", values, classes, 1)
}

// format checks --format.
func format(c *cli.Context, known ...string) (string, error) {
	f := c.String("format")
	if !slices.Contains(known, f) {
		return "", usagef("--format %s; choose %s", english.Quote(f), strings.Join(known, ", "))
	}
	return f, nil
}
