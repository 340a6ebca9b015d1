package verb

import (
	"fmt"
	"slices"

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

// populationWords names a population by the shares of its classes.
func populationWords(classes []string, shares []float64) string {
	parts := make([]string, len(classes))
	for c, share := range shares {
		parts[c] = fmt.Sprintf("%s of %q", layout.Percentage(share), classes[c])
	}
	return "a population with " + english.First(parts)
}
