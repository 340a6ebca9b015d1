package plotfile

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/internal/report"
)

// byPlace are the colours of dots by how high their cell is, from the lowest.
var byPlace = []color.Color{Blue, color.RGBA{R: 106, G: 98, B: 173, A: 255}, color.RGBA{R: 164, G: 80, B: 143, A: 255},
	color.RGBA{R: 192, G: 86, B: 92, A: 255}, Vermilion}

// summary draws what the cells of many rows add to the votes, a line for each column. Dots that would cover each other
// lie side by side.
func summary(r *report.Report, _ *report.Class) []*panel {
	if r.Parts == nil {
		return nil
	}
	drawn := r.Parts.Drawn()
	low, high := 0.0, 0.0
	names := make([]string, len(drawn))
	for i := range drawn {
		names[i] = drawn[i].Name
		for _, part := range drawn[i].Parts {
			low, high = min(low, float64(100*part)), max(high, float64(100*part))
		}
	}
	air := max(0.03*(high-low), 1e-9)
	p := named("What moves the votes, column by column",
		fmt.Sprintf("what a cell adds to the votes for %q, percentage points\n"+
			"A dot for each row. Blue: a low number, orange: a high one, grey: none.", oneShort(r.Parts.Class)), names)
	p.x.low, p.x.high = low-air, high+air
	line(p, []xy{{X: 0, Y: 0}, {X: 0, Y: float64(len(drawn))}}, Grey, 1, broken...)
	for i := range drawn {
		offsets := spread(drawn[i].Parts, (high-low)/90)
		groups := make([][]xy, len(byPlace)+1)
		for k, part := range drawn[i].Parts {
			group := len(byPlace)
			if place := drawn[i].Places[k]; place >= 0 {
				group = min(place*len(byPlace)/100, len(byPlace)-1)
			}
			groups[group] = append(groups[group], xy{X: float64(100 * part), Y: float64(len(drawn)-i) - 0.5 + offsets[k]})
		}
		for group, at := range groups {
			p.add(swarm{at, append(byPlace, Grey)[group]})
		}
	}
	return []*panel{p}
}

// spread moves values that lie in the same step of a line off it, to both sides in turn.
func spread(parts []report.Number, step float64) []float64 {
	taken, most := map[int]int{}, 1
	steps := make([]int, len(parts))
	for i, part := range parts {
		steps[i] = int(math.Round(float64(100*part) / max(step, 1e-12)))
		taken[steps[i]]++
		most = max(most, taken[steps[i]])
	}
	gap := min(0.16, 0.72/float64(most))
	clear(taken)
	out := make([]float64, len(parts))
	for i, at := range steps {
		n := taken[at]
		taken[at]++
		out[i] = float64((n+1)/2) * gap
		if n%2 == 1 {
			out[i] = -out[i]
		}
	}
	return out
}

// oneShort shortens a name.
func oneShort(name string) string { return short([]string{name})[0] }

// waterfall draws how the cells of the first row lead to its votes.
func waterfall(r *report.Report, _ *report.Class) []*panel {
	if r.Parts == nil || len(r.Parts.Examples) == 0 {
		return nil
	}
	e := &r.Parts.Examples[0]
	steps := e.Steps()
	n := len(steps)
	names, bars := []string{fmt.Sprintf("mean: %.1f", 100*e.Base)}, boxes{}
	at := 100 * e.Base
	low, high := at, at
	for i, s := range steps {
		names = append(names, oneShort(s.Text)+": "+report.Points(s.Part))
		to, y, paint := at+float64(100*s.Part), float64(n+2-i)-1.5, Vermilion
		if s.Part < 0 {
			paint = Blue
		}
		bars = append(bars, box{min(at, to), y - 0.3, max(at, to), y + 0.3, paint, nil})
		at = to
		low, high = min(low, at), max(high, at)
	}
	air := max(0.04*(high-low), 1e-9)
	p := newPanel(strings.ToUpper(e.Label()[:1])+e.Label()[1:],
		fmt.Sprintf("share of the votes for %q, %%\nOrange adds to them, blue takes away.", oneShort(r.Parts.Class)), "")
	names = append(names, fmt.Sprintf("this row: %.1f", 100*e.Share))
	lines := make([]tick, len(names))
	for i, name := range names {
		lines[i] = tick{float64(len(names)-i) - 0.5, name}
	}
	p.y.ticks, p.y.mark = func(_, _ float64) []tick { return lines }, 0
	p.x.low, p.x.high, p.y.low, p.y.high = low-air, high+air, 0, float64(len(names))
	line(p, []xy{{X: 100 * e.Base, Y: 0}, {X: 100 * e.Base, Y: p.y.high}}, Grey, 1, broken...)
	line(p, []xy{{X: 100 * e.Share, Y: 0}, {X: 100 * e.Share, Y: p.y.high}}, color.Black, 1)
	p.add(bars)
	return []*panel{p}
}
