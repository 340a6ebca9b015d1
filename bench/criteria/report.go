package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/forest"
)

var names = [figures]string{"PRAGMA, plain", "PRAGMA, tuned", "log loss, calibrated"}

// save writes all there is so far.
func (s *study) save() error {
	if s.log == "" {
		return nil
	}
	lines := [][]string{{"set", "preference", "criterion", "figure", "loss", "difference", "se", "time", "nodes"}}
	for _, r := range s.records {
		for f, name := range names {
			lines = append(lines, []string{
				r.set, r.preference, string(r.criterion), name,
				fmt.Sprint(r.loss[f]), fmt.Sprint(r.more[f]), fmt.Sprint(r.se[f]), fmt.Sprint(r.time), fmt.Sprint(r.nodes),
			})
		}
	}
	return set.WriteCSV(s.log, lines)
}

// report prints, for each preference, what the criteria do in the mean over the sets and how often they are apart from Gini, and set by set.
func (s *study) report(out io.Writer) {
	for _, p := range preferences {
		fmt.Fprintf(out, "**%s**\n\n| criterion |", p.name)
		for _, name := range names {
			fmt.Fprintf(out, " %s | lower, higher by > 2 se |", name)
		}
		fmt.Fprintf(out, " time to grow | nodes of a tree |\n|---|%s---|---|\n", strings.Repeat("---|---|", figures))
		for _, c := range criteria {
			s.line(out, p.name, c)
		}
		fmt.Fprintln(out)
		for f, name := range names {
			s.sets(out, p.name, name, f)
		}
	}
}

// line prints the means of a criterion over the sets.
func (s *study) line(out io.Writer, preference string, c forest.Criterion) {
	var all []record
	for _, r := range s.records {
		if r.preference == preference && r.criterion == c {
			all = append(all, r)
		}
	}
	n := float64(len(all))
	fmt.Fprintf(out, "| %s |", c)
	for f := range figures {
		mean, lower, higher := 0.0, 0, 0
		for _, r := range all {
			mean += r.loss[f] / n
			switch {
			case r.more[f] < -2*r.se[f]:
				lower++
			case r.more[f] > 2*r.se[f]:
				higher++
			}
		}
		fmt.Fprintf(out, " %.4f | %d, %d of %d |", mean, lower, higher, len(all))
	}
	time, nodes := 0.0, 0.0
	for _, r := range all {
		time, nodes = time+r.time/n, nodes+r.nodes/n
	}
	fmt.Fprintf(out, " %.1f | %.0f |\n", time, nodes)
}

// sets prints a figure of all criteria, set by set: of Gini itself, of the others the difference.
func (s *study) sets(out io.Writer, preference, name string, f int) {
	fmt.Fprintf(out, "| %s |", name)
	for i, c := range criteria {
		if i > 0 {
			fmt.Fprintf(out, " %s −", c)
		}
		fmt.Fprintf(out, " %s |", criteria[0])
	}
	fmt.Fprintf(out, "\n|---|%s\n", strings.Repeat("---|", len(criteria)))
	for _, r := range s.records {
		switch {
		case r.preference != preference:
		case r.criterion == criteria[0]:
			fmt.Fprintf(out, "| %s, %d classes | %.4f |", r.set, r.classes, r.loss[f])
		default:
			fmt.Fprintf(out, " %+.4f ± %.4f |", r.more[f], r.se[f])
		}
		if r.preference == preference && r.criterion == criteria[len(criteria)-1] {
			fmt.Fprintln(out)
		}
	}
	fmt.Fprintln(out)
}
