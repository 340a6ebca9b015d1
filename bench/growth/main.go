// Command growth measures how the time to fit grows with the rows n, the trees T, the features
// p and the classes k. It prints a Markdown table for each, with the exponent between
// neighbours (1 is linear), and can draw them and put them into a page. Run it in the folder
// bench:
//
//	go run ./growth
//	go run ./growth -readme README.md   # writes growth/growth.svg too
//
// All points are measured in turn, and then again. What is timed is forest.Grow: the coding of
// the columns, the trees, the out-of-bag votes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/page"
)

func main() {
	command.Run("growth", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("growth", flag.ContinueOnError)
	flags.SetOutput(stderr)
	trees := flags.Int("trees", 20, "trees, where they do not vary")
	threads := flags.Int("threads", 2, "threads")
	runs := flags.Int("runs", 5, "turns; the median counts")
	most := flags.Int("most", 2_000_000, "rows of the largest set; less for a quick look")
	readme := flags.String("readme", "", "also put the tables into this page, between its lines <!-- growth --> and <!-- /growth -->, and draw them")
	svg := flags.String("svg", "growth/growth.svg", "file to draw to, with -readme; the page names it so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected %q; growth takes flags only", flags.Arg(0))
	}
	if min(*trees, *threads, *runs, *most) < 1 {
		return errors.New("-trees, -threads, -runs and -most are at least 1")
	}
	curves := plan(*trees, *most)
	if err := measureAll(ctx, curves, *runs, *threads, stderr); err != nil {
		return err
	}
	text := fmt.Sprintf("\nMeasured %s on %d cores with %d threads, medians of %d turns.\n%s",
		time.Now().Format(time.DateOnly), runtime.NumCPU(), *threads, *runs, report(curves))
	if *readme != "" {
		if err := drawCurves(*svg, curves); err != nil {
			return err
		}
		if err := page.Put(*readme, "growth", fmt.Sprintf("\n![Time to fit against rows, trees, features and classes](%s)\n%s\n", *svg, text)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(stdout, text)
	return err
}
