package verb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
)

// baselineText says what the cells of a column were in training, "" where that is not known.
func baselineText(f *dataset.Field) string {
	was, text := f.Baseline, ""
	switch {
	case was == nil:
		return ""
	case f.Kind == dataset.Categorical && len(was.Counts) > 0 && was.Missing < was.Rows:
		most := slices.Index(was.Counts, slices.Max(was.Counts))
		text = fmt.Sprintf("%s in %s", english.Quote(f.Levels[most]),
			english.Percent(float64(was.Counts[most])/float64(was.Rows-was.Missing), 1))
	case was.Range != nil:
		ends := english.Values(was.Range[:]...)
		if text = ends[0] + " to " + ends[1]; was.Counts != nil {
			text = layout.SpreadText(was.Range[0], was.Median(), was.Range[1])
		}
	}
	if was.Missing > 0 {
		missing := english.Percent(float64(was.Missing)/float64(was.Rows), 1) + " missing"
		if text != "" {
			missing = "; " + missing
		}
		text += missing
	}
	return text
}

// mostLines is how many classes and columns are shown to a person.
const mostLines = 200

// andMore says how many lines are not shown.
func andMore(to *layout.Page, n int, what string) {
	if n > mostLines {
		to.Say(fmt.Sprintf("... and %d more of %d; --format json has every %s.", n-mostLines, n, what))
	}
}

// showClasses shows the classes, and how rare the rarest is. Where there are none a finding says why.
func showClasses(to *layout.Page, v *dataset.Overview) {
	if len(v.Classes) == 0 {
		return
	}
	labelled := v.Rows - v.Unlabelled
	g := &layout.Grid{Head: []string{"class", "rows", "share"}}
	rarest, common := v.Classes[0], v.Classes[0]
	for i, c := range v.Classes {
		if i < mostLines {
			g.Add(c.Label, fmt.Sprint(c.Rows), english.Percent(float64(c.Rows)/float64(labelled), 1))
		}
		if c.Rows < rarest.Rows {
			rarest = c
		}
		if c.Rows > common.Rows {
			common = c
		}
	}
	to.Table(g)
	andMore(to, len(v.Classes), "class")
	if rarest.Rows > 0 && rarest.Rows < common.Rows {
		times := float64(common.Rows) / float64(rarest.Rows)
		ratio := strings.TrimSuffix(fmt.Sprintf("%.1f", times), ".0")
		if times >= 100 {
			ratio = fmt.Sprintf("%.0f", times)
		}
		to.Say(fmt.Sprintf("For one row of %s there are %s of %s.", english.Quote(rarest.Label), ratio,
			english.Quote(common.Label)))
	}
}

// populationWords names a population by the shares of its classes.
func populationWords(classes []string, shares []float64) string {
	parts := make([]string, len(classes))
	for c, share := range shares {
		parts[c] = fmt.Sprintf("%s of %q", layout.Percentage(share), classes[c])
	}
	return "a population with " + english.First(parts)
}
