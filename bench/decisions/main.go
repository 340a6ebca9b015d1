// Command decisions says how well models decide rows that took no part in making them, and compares two such
// runs: of two versions of the program, or of two settings.
//
//	go run ./decisions -data ../../sets -sets pima,churn -o before.json   # in an older checkout
//	go run ./decisions -data ../../sets -sets pima,churn -o after.json
//	go run ./decisions -compare before.json after.json
//
// It uses only what every version has: rfpragma.Fit, and the votes, weights and maps of a model.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

func main() { command.Run("decisions", run) }

func run(ctx context.Context) error {
	r := runner{}
	flag.StringVar(&r.data, "data", "", "`FOLDER` of sets, each in NAME/NAME.csv or NAME/NAME.csv.gz")
	sets := flag.String("sets", strings.Join(set.PublicNames(), ","), "sets to run")
	flag.IntVar(&r.seeds, "seeds", 3, "repeats of the cross-validation")
	flag.IntVar(&r.folds, "folds", 5, "outer folds")
	flag.IntVar(&r.rows, "rows", 5000, "rows of larger sets that are drawn")
	trees := flag.Int("trees", 500, "trees of a forest")
	leaf := flag.Int("min-leaf", 0, "rows in the smallest leaf")
	soft := flag.Bool("soft-votes", false, "trees vote with the shares of their leaves")
	votes := flag.String("votes", "", "oob or cv; none means the default")
	tune := flag.String("tune-forest", "", "off, quick or full")
	calibration := flag.String("calibrate", "", "method of the maps; none means the default")
	weighted := flag.Bool("weighted", false, "fit the maps on the weighted shares of the votes")
	out := flag.String("o", "", "`FILE` of the decisions")
	compare := flag.Bool("compare", false, "compare two files of decisions instead")
	flag.Parse()
	if *compare {
		if flag.NArg() != 2 {
			return fmt.Errorf("-compare takes two files, the older one first")
		}
		return compareFiles(os.Stdout, flag.Arg(0), flag.Arg(1))
	}
	if r.data == "" || *out == "" {
		return fmt.Errorf("name the folder of the sets with -data, and the file of the decisions with -o")
	}
	r.config = rfpragma.Config{
		Forest: forest.Config{Trees: *trees, MinLeaf: *leaf, Soft: *soft}, Votes: vote.Source(*votes), Calibration: calib.Method(*calibration),
	}
	r.config.CalibrateWeighted = *weighted // leave this and the next line out of versions that lack them
	r.config.TuneForest = rfpragma.TuneForest(*tune)
	return r.run(ctx, strings.Split(*sets, ","), *out)
}
