// Command scores draws what a statement costs on average under several losses, and which statement costs least: the
// figure and the table of docs/scores.md. Run it in the folder bench:
//
//	go run ./scores
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/page"
	"github.com/rfpragma/rfpragma/calib"
)

func main() {
	command.Run("scores", func(context.Context) error { return run(os.Args[1:]) })
}

func run(args []string) error {
	flags := flag.NewFlagSet("scores", flag.ContinueOnError)
	readme := flags.String("readme", "../docs/scores.md", "Markdown `FILE` to put the table into, between <!-- scores --> and <!-- /scores -->")
	svg := flags.String("svg", "../docs/figures/scores.svg", "`FILE` to draw to, SVG or PNG")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("there is no argument %q; scores takes flags only", flags.Arg(0))
	}
	if err := drawAll(*svg); err != nil {
		return err
	}
	return page.Put(*readme, "scores", table())
}

// what is known: the share of the rows that are of the class, the order of the quantile, and the mean of the
// amounts, which are exponential.
const (
	share = 0.3
	order = 0.9
)

// loss is what a statement costs on average.
type loss struct {
	name string
	best string // what the statement of the lowest loss is
	of   func(statement float64) float64
}

// ofShares returns losses of a probability that is stated of every row, of which a share of 0.3 is of the class.
func ofShares() []loss {
	truth, weight := []int{0, 1}, []float64{1 - share, share}
	both := func(p float64) []float64 { return []float64{1 - p, p, 1 - p, p} }
	return []loss{
		{"log loss", "the truth", func(p float64) float64 { return calib.LogLoss(both(p), truth, weight, 2) }},
		{"squared error (Brier)", "the truth", func(p float64) float64 { return calib.Brier(both(p), truth, weight, 2) }},
		{"absolute error", "the likelier class, as if sure", func(p float64) float64 { return share*(1-p) + (1-share)*p }},
		{"wrong decisions, from ½ on", "anything below ½", func(p float64) float64 {
			if p >= 0.5 {
				return 1 - share
			}
			return share
		}},
	}
}

// ofAmounts returns losses of an amount that is stated of every row. The amounts are exponential with a mean of 1,
// by their quantiles.
func ofAmounts() []loss {
	const points = 4000
	target, forecast := make([]float64, points), make([]float64, points)
	for i := range target {
		target[i] = -math.Log(1 - (float64(i)+0.5)/points)
	}
	pinball := func(tau float64) func(float64) float64 {
		return func(q float64) float64 {
			for i := range forecast {
				forecast[i] = q
			}
			return calib.Pinball(target, forecast, nil, tau)
		}
	}
	return []loss{
		{"pinball loss of 0.9", "the quantile of 0.9, ln 10", pinball(order)},
		{"absolute error", "the median, ln 2", func(q float64) float64 { return 2 * pinball(0.5)(q) }},
		{"squared error", "the mean, 1", func(q float64) float64 {
			sum := 0.0
			for _, y := range target {
				sum += (y - q) * (y - q)
			}
			return sum / points
		}},
	}
}

// lowest returns the statement from 0 to most, in steps of 0.001, of the lowest loss; of equal ones the first.
func (l loss) lowest(most float64) float64 {
	best, least := 0.0, math.Inf(1)
	for i := range int(1000*most) + 1 {
		at := float64(i) / 1000
		if v := l.of(at); v < least-1e-12 {
			best, least = at, v
		}
	}
	return best
}

// table has what statements cost under each loss, and which one costs least.
func table() string {
	return rows(fmt.Sprintf("loss, where %g of the rows are of the class", share), " %g |", []float64{0.01, 0.1, share, 0.49, 0.6}, ofShares(), 1) +
		rows("loss, amounts with a mean of 1", " %.2f |", []float64{math.Ln2, 1, math.Ln10, 4}, ofAmounts(), 5) + "\n"
}

// rows is a table of what is stated, in a form, up to a largest.
func rows(head, form string, stated []float64, losses []loss, most float64) string {
	var b strings.Builder
	b.WriteString("\n| " + head + " |")
	for _, p := range stated {
		fmt.Fprintf(&b, form, p)
	}
	b.WriteString(" lowest at |\n|---|" + strings.Repeat("---|", len(stated)+1) + "\n")
	for _, l := range losses {
		fmt.Fprintf(&b, "| %s |", l.name)
		for _, p := range stated {
			fmt.Fprintf(&b, " %.3f |", l.of(p))
		}
		fmt.Fprintf(&b, " %.2f: %s |\n", l.lowest(most), l.best)
	}
	return b.String()
}
