package main

import (
	"fmt"
	"math"
	"strings"
)

// allowed is the share of draws that may break a constraint: 5 % and two standard errors of so many draws.
func allowed(draws int) float64 {
	const share = 1 - confidence
	return share + 2*math.Sqrt(share*(1-share)/float64(draws))
}

// cells shows a way: the share of the draws that are broken, that give weights, and what the other figure comes to.
func (t tally) cells() string {
	if t.draws == 0 {
		return "– | – | –"
	}
	broken := fmt.Sprintf("%.1f %%", 100*float64(t.broken)/float64(t.draws))
	if float64(t.broken)/float64(t.draws) > allowed(t.draws) {
		broken = "**" + broken + "**"
	}
	other := "–"
	if t.sure > 0 {
		other = fmt.Sprintf("%.1f %%", 100*t.other/float64(t.sure))
	}
	return fmt.Sprintf("%s | %.0f %% | %s", broken, 100*float64(t.sure)/float64(t.draws), other)
}

// report shows all lines, and what they come to.
func report(lines []line, s *study) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| set, rows judged on | constraint | searched: kept? | other figure | apart: broken | sure | other | oob: broken | sure | other | MAPIE: broken | sure | other |\n")
	fmt.Fprintf(&b, "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	var most [3]int // lines above what is allowed, by way
	missed, twoClasses := 0, 0
	for _, l := range lines {
		kept := "yes"
		if l.searched.broken > 0 {
			kept, missed = "no", missed+1
		}
		fmt.Fprintf(&b, "| %s, %d | `%s` | %s | %.1f %% | %s | %s | %s |\n", l.set, l.pool, l.constraint, kept, 100*l.searched.other,
			l.apart.cells(), l.oob.cells(), l.them.cells())
		for i, t := range []tally{l.apart, l.oob, l.them} {
			if t.draws > 0 && float64(t.broken)/float64(t.draws) > allowed(t.draws) {
				most[i]++
			}
		}
		if l.them.draws > 0 {
			twoClasses++
		}
	}
	fmt.Fprintf(&b, "\n- Searched without a promise: %d of %d constraints are broken.\n", missed, len(lines))
	fmt.Fprintf(&b, "- Rows kept apart, %d draws: in %d of %d lines more than %.1f %% are broken.\n", s.draws, most[0], len(lines), 100*allowed(s.draws))
	fmt.Fprintf(&b, "- Out-of-bag votes, %d forests: in %d of %d lines more than %.1f %% are broken.\n", s.forests, most[1], len(lines), 100*allowed(s.forests))
	if twoClasses > 0 {
		fmt.Fprintf(&b, "- MAPIE, %d draws: in %d of %d lines more than %.1f %% are broken.\n", s.draws, most[2], twoClasses, 100*allowed(s.draws))
		ours, theirs, n := 0.0, 0.0, 0
		for _, l := range lines {
			if l.them.sure > 0 && l.apart.sure > 0 {
				ours, theirs, n = ours+l.apart.other/float64(l.apart.sure), theirs+l.them.other/float64(l.them.sure), n+1
			}
		}
		fmt.Fprintf(&b, "- What is left of the other figure where both give weights, in the mean of %d lines: %.1f %% by us, %.1f %% by MAPIE.\n", n, 100*ours/float64(n), 100*theirs/float64(n))
	}
	return b.String()
}
