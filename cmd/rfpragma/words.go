package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// classShares lists the classes with their rows.
func classShares(classes []string, weights []float64) string {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	parts := make([]string, 0, len(classes))
	for c, name := range classes {
		if c == 6 {
			parts = append(parts, fmt.Sprintf("and %d more", len(classes)-c))
			break
		}
		parts = append(parts, fmt.Sprintf("%q %s (%.3g %%)", name, count(weights[c]), 100*weights[c]/sum))
	}
	return printable(fmt.Sprintf("%d classes: %s", len(classes), strings.Join(parts, ", ")))
}

// showPreferences says what is asked for, one line for each different preference.
func showPreferences(w io.Writer, classes []string, prefs []pragma.Preference) {
	shown := make([]bool, len(prefs))
	for c := range prefs {
		if shown[c] {
			continue
		}
		var names []string
		for d := c; d < len(prefs); d++ {
			if prefs[d] == prefs[c] {
				shown[d] = true
				names = append(names, classes[d])
			}
		}
		f := prefs[c]
		alpha, beta := f.AlphaBeta()
		fmt.Fprintf(w, "%s: importance %g; precision %g at recall 1 is as good as recall %g at precision 1 (α %.2f, β %.2f)\n",
			printable(nearest.List(names)), f.Theta, f.X, f.Y, alpha, beta)
	}
}

// growthWords says in what trees are not grown as usual.
func growthWords(c forest.Config) string {
	text := ""
	for _, w := range []struct {
		unusual bool
		words   string
	}{
		{c.NoReplacement, fmt.Sprintf("without replacement, fraction %g", c.Resolved(1).Fraction)},
		{!c.NoReplacement && c.Resolved(1).Fraction != 1, fmt.Sprintf("fraction %g", c.Fraction)},
		{c.Resolved(1).Criterion != forest.Gini, string(c.Criterion)},
		{c.RandomCuts, "random cuts"},
		{c.MaxLeaves > 0, fmt.Sprintf("at most %d leaves", c.MaxLeaves)},
		{c.Soft, "soft votes"},
	} {
		if w.unusual {
			text += ", " + w.words
		}
	}
	return text
}

// showWords writes the result in plain words, line by line.
func showWords(w io.Writer, words []string) {
	for _, line := range words {
		fmt.Fprintln(w, printable(line))
	}
}

// rowCount says "1 row", "2 rows".
func rowCount(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// lossText shows a loss, which may be a sum of money.
func lossText(loss float64) string {
	if loss >= 100 {
		return fmt.Sprintf("%.2f", loss)
	}
	return fmt.Sprintf("%.4f", loss)
}

// lossWords says how a loss went.
func lossWords(measure string, plain, tuned float64) string {
	if tuned == plain {
		return fmt.Sprintf("the loss (%s) stays at %s", measure, lossText(plain))
	}
	return fmt.Sprintf("the loss (%s) falls from %s to %s", measure, lossText(plain), lossText(tuned))
}

// alwaysWords says what it costs to do the same with all rows.
func alwaysWords(classes []string, always map[string]float64) string {
	parts := make([]string, len(classes))
	for c, name := range classes {
		parts[c] = fmt.Sprintf("%s as %q", lossText(always[name]), name)
	}
	return "To decide all rows alike would cost " + strings.Join(parts, ", ") + "."
}

// sameWords says of two classes what else the weights are called.
func sameWords(classes []string, w vote.Weights, c int) string {
	own, other := w[c], w[1-c]
	threshold := other / (own + other)
	return fmt.Sprintf("That is the same as a threshold of %.3g on the share of %q. If shares were probabilities, a missed %q would be taken to cost as much as %.3g false alarms.",
		threshold, classes[c], classes[c], own/other)
}

// priceWords says at which probability of class c, of two, it is decided as from now on, and which price of a miss that implies:
// decisions of least cost are as c from the probability t on where a miss costs (1−t)/t false alarms (Elkan, IJCAI 2001).
func priceWords(classes []string, maps calib.Set, method calib.Method, w vote.Weights, share []float64, trees, c int) []string {
	need := votesNeeded(w, share, trees, c)
	at := func(votes int) float64 {
		dst := make([]float64, 2)
		row := make([]uint32, 2)
		row[c], row[1-c] = uint32(votes), uint32(trees-votes)
		rfpragma.Probabilities(maps, dst, row, 1)
		return dst[c]
	}
	t := (at(need-1) + at(need)) / 2
	if !(t > 0 && t < 1) {
		return nil
	}
	by := "Calibrated"
	if shares := sharesWords(method, maps); shares != "" {
		by = "No map is fitted; by " + shares
	}
	return []string{fmt.Sprintf("%s, that is a probability of %.3g: a missed %q is priced like %.3g false alarms.", by, t, classes[c], (1-t)/t)}
}

// sharesWords says what the probabilities are where no map is fitted; "" where one is.
func sharesWords(method calib.Method, maps calib.Set) string {
	switch {
	case method != calib.None:
		return ""
	case slices.ContainsFunc(maps.Maps, func(m calib.Map) bool { return m != calib.Identity{} }): // of balanced bags
		return "the shares of the votes, with the classes as common as they are"
	}
	return "the shares of the votes as they are"
}

// trialWords says what to expect on new rows.
func trialWords(measure string, t anneal.Trial) string {
	text := fmt.Sprintf("Expect on new rows a loss (%s) of %s; the plain vote has %s there (standard error of the difference %.2g, by cross-validation of the search).", measure, lossText(t.Loss), lossText(t.Plain), t.Error)
	if t.Error == 0 && t.Loss == t.Plain {
		return fmt.Sprintf("Expect on new rows a loss (%s) of %s, as under the plain vote.", measure, lossText(t.Loss))
	}
	if t.Plain-t.Loss <= t.Error {
		text += " That is no gain beyond noise."
	}
	return text
}

// lowestWords says how sure it is that there is no lower loss.
func lowestWords(r anneal.Result) string {
	switch {
	case r.Of == 0:
		return ""
	case r.Method == anneal.Exact:
		return fmt.Sprintf("; none is lower than %s", lossText(r.Lowest))
	}
	return fmt.Sprintf("; the lowest found is %s, by %d of %d searches", lossText(r.Lowest), r.Agreed, r.Of)
}
