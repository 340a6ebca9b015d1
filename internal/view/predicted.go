package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

// DecidedWords says how many rows are decided as which class, the most first.
func DecidedWords(classes []string, as []int) string {
	order := make([]int, len(as))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return as[b] - as[a] })
	parts := make([]string, len(order))
	for i, c := range order {
		parts[i] = fmt.Sprintf("%d as %s", as[c], english.Quote(classes[c]))
	}
	return english.First(parts)
}

// TimeFlagOf is the flag that has cv judge later rows by earlier ones, with the column of the training if it had one.
func TimeFlagOf(m *rfpragma.Model) string {
	if column := m.Provenance.Reading.Time; column != "" {
		return csvtext.Flag("time", column, "COLUMN")
	}
	return "--time COLUMN"
}

// FewerWords says that the probabilities of a model may be too high for the rows of a list, see [InTimeWords].
func FewerWords(m *rfpragma.Model) string {
	return InTimeWords(m, cmp.Or(m.Provenance.MapVotes, m.Provenance.Votes), "Those", "fewer of later rows")
}

// InTimeWords says what to expect of new rows where what is known of a model comes from votes on rows in the order
// of what may be time.
func InTimeWords(m *rfpragma.Model, votes vote.Source, rows, expect string) string {
	if m.Provenance.Ordered == nil || later(votes) {
		return ""
	}
	if m.Provenance.Reading.Time != "" {
		return fmt.Sprintf(" %s were judged by trees that knew others of their time: expect %s.", rows, expect)
	}
	return fmt.Sprintf(" %s were in the order of %s. If that is time, they were judged by trees that knew others of "+
		"their time: expect %s.", rows, nearest.List(m.Provenance.Ordered), expect)
}
