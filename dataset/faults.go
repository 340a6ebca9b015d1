package dataset

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// columnFault is what is wrong with a column, and the cells that are.
type columnFault struct {
	name, text string
	cells      *sightings
}

// columnsFault says of the first column at fault what is wrong, and names the others; it is nil where there are none.
func (t *table) columnsFault(found []columnFault, others func([]columnFault) string) error {
	if len(found) == 0 {
		return nil
	}
	c := &found[0]
	at := c.cells.first[0].at
	first := &ParseError{File: t.file, Line: at.Line, Column: at.Column, Row: at.Row, Field: c.name,
		Err: errors.New(c.text)}
	if len(found) == 1 {
		return first
	}
	return csvtext.WithMore(first, "%s at fault, too, %s", are(len(found)-1, "more column"), others(found[1:]))
}

// mostListed is how many more columns at fault are told with their cells.
const mostListed = 3

// listed names columns with the cells at fault.
func listed(found []columnFault) string {
	var parts []string
	for _, c := range found[:min(len(found), mostListed)] {
		parts = append(parts, fmt.Sprintf("%s: %s", english.Quote(c.name), c.cells))
	}
	if more := len(found) - mostListed; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}
