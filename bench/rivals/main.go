// Command rivals asks how our decisions and probabilities compare with those of other forests and of boosted trees,
// each made as strong as an exact threshold, our search of weights and our choice of calibration make it. All are
// judged by the same code on rows kept apart. It prints Markdown tables of what lies in the file of results, and
// can put them into a page. It installs nothing: of a rival that is absent it says how to get it. Run it in the
// folder bench:
//
//	go run ./rivals -data FOLDER -python VENV/bin/python
//	go run ./rivals -data FOLDER -python VENV/bin/python -sets pima,glass -rivals lightgbm,catboost
//	go run ./rivals -print -readme README.md
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/page"
	"github.com/rfpragma/rfpragma/bench/set"
)

func main() {
	command.Run("rivals", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// usual are the sets of the study: of two classes and of more, with and without categories and missing cells.
var usual = []string{
	"german_credit", "attrition", "churn", "oil_spill", "phoneme", "pima", "breast_cancer_wisconsin", "sick", "mammography",
	"glass", "vehicle", "car", "hpc_jobs", "wine_quality_white",
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s := &study{log: stderr, script: rivalsPython, cores: runtime.NumCPU(), date: time.Now().Format(time.DateOnly)}
	flags := flag.NewFlagSet("rivals", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.data, "data", "", "`FOLDER` of sets, each in NAME/NAME.csv or NAME/NAME.csv.gz")
	flags.StringVar(&s.python, "python", "python3", "interpreter that has the rivals")
	sets := flags.String("sets", strings.Join(usual, ","), "sets, by commas")
	rivals := flags.String("rivals", strings.Join(names(sides[1:]), ","), "what to measure beside our default, by commas")
	flags.IntVar(&s.seed, "seed", 1, "seed of the folds and of all sides")
	flags.IntVar(&s.rows, "rows", 2000, "rows of larger sets that are drawn")
	results := flags.String("results", "rivals/results.csv", "file of the results; the lines of the sets that are measured are replaced")
	readme := flags.String("readme", "", "also put the tables into this page, between its lines <!-- rivals --> and <!-- /rivals -->")
	printOnly := flags.Bool("print", false, "measure nothing, print the tables of the file of results")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected %q; name sets with -sets and rivals with -rivals, by commas", flags.Arg(0))
	}
	if !*printOnly {
		chosen, err := choose(*rivals)
		if err != nil {
			return err
		}
		if err := s.measureAll(ctx, strings.Split(*sets, ","), chosen, *results); err != nil {
			return err
		}
	}
	return show(*results, *readme, stdout)
}

// side is what takes part.
type side struct {
	name    string
	install string // what installs it; "" for ours
}

// The names of ours.
const (
	us      = "rfpragma"
	usTuned = "rfpragma:full" // with --tune-forest full
)

// sides are all there are. The first is what the others are compared with.
var sides = []side{
	{us, ""},
	{usTuned, ""},
	{"random-forest", "python3 -m pip install scikit-learn"},
	{"hist-gradient-boosting", "python3 -m pip install scikit-learn"},
	{"lightgbm", "python3 -m pip install lightgbm scikit-learn"},
	{"xgboost", "python3 -m pip install xgboost scikit-learn"},
	{"catboost", "python3 -m pip install catboost"},
	{"tabpfn", "python3 -m pip install tabpfn; then let it fetch its weights once, by fitting any TabPFNClassifier"},
}

func names(of []side) []string {
	var list []string
	for _, s := range of {
		list = append(list, s.name)
	}
	return list
}

// choose returns our default and the sides that the list names.
func choose(list string) ([]side, error) {
	wanted := strings.Split(list, ",")
	for _, w := range wanted {
		if !slices.Contains(names(sides), w) {
			return nil, fmt.Errorf("-rivals: there is no %q; choose of %s", w, strings.Join(names(sides), ","))
		}
	}
	return slices.DeleteFunc(slices.Clone(sides), func(s side) bool { return s.name != us && !slices.Contains(wanted, s.name) }), nil
}

// check refuses what would only be noticed after hours.
func (s *study) check(setNames []string) error {
	if s.data == "" {
		return errors.New("name the folder of the sets with -data")
	}
	if s.rows < 100 {
		return errors.New("-rows is at least 100, so that every fold has rows of the rare class")
	}
	for _, name := range setNames {
		if !slices.Contains(set.PublicNames(), name) {
			return fmt.Errorf("-sets: there is no %q; choose of %s", name, strings.Join(set.PublicNames(), ","))
		}
	}
	return nil
}

// show prints the tables of the file of results, and puts them into readme unless that is "".
func show(results, readme string, stdout io.Writer) error {
	lines, err := readResults(results)
	if err != nil {
		return err
	}
	text, err := report(lines)
	if err != nil {
		return fmt.Errorf("%s: %w", results, err)
	}
	if readme != "" {
		if err := page.Put(readme, "rivals", text); err != nil {
			return err
		}
	}
	_, err = io.WriteString(stdout, text)
	return err
}
