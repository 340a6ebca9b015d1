package main

import (
	"fmt"
	"io"
	"strings"
)

// report prints the cost of a row under the first way, and how much more the others cost.
func (s *study) report(out io.Writer) {
	if len(s.records) == 0 {
		return
	}
	names := s.records[0].ways
	fmt.Fprintf(out, "| set | %s |", names[0])
	for _, name := range names[1:] {
		fmt.Fprintf(out, " %s − |", name)
	}
	fmt.Fprintf(out, "\n|---%s|\n", strings.Repeat("|---", len(names)))
	for _, r := range s.records {
		fmt.Fprintf(out, "| %s (%d rows, %d classes) | %.4g |", r.problem, r.rows, r.k, r.cost[0])
		for w := range names[1:] {
			fmt.Fprintf(out, " %+.3g ± %.2g (%.1f %%) |", r.more[w+1], r.se[w+1], 100*(1-r.same[w+1]))
		}
		fmt.Fprintln(out)
	}
}
