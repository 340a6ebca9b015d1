package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// reasonsFlag has the cells named that a row owes its decision to, or its votes for a class.
func reasonsFlag() cli.Flag {
	return &cli.StringFlag{Name: "reasons", Category: "Output", DefaultText: "none", Usage: "N or `CLASS=N`: cells a decision, or CLASS, owes most to"}
}

// reasoned is how many reasons there are to be of a row, at most, and of which class; the zero value is none.
type reasoned struct {
	most  int
	class string // "" is that of the decision
}

// readReasons reads --reasons; where it names no class a list has those of its own.
func readReasons(c *cli.Context, of *aim, list *top) (r reasoned, err error) {
	text := c.String("reasons")
	if !c.IsSet("reasons") {
		return r, nil
	}
	name, number, named := cutLast(text, "=")
	if !named {
		name, number = "", text
	}
	likely, _ := of.likely()
	r.most, err = strconv.Atoi(number)
	switch {
	case named && !slices.Contains(of.classes, name):
		return r, usagef("--reasons %s: %w", english.Quote(text), nearest.Unknown("class", name, of.classes))
	case err != nil:
		return r, usagef("--reasons %s: %s is no number of cells; write such as --reasons 3, or --reasons %s for what speaks for that class", english.Quote(text), english.Quote(number), quoted(likely+"=3"))
	case r.most < 1:
		return r, usagef("--reasons %s; choose 1 or more", text)
	}
	if r.class = name; list != nil && !named {
		r.class = list.name
	}
	return r, nil
}

// of returns the reasons for which a row of these cells is of the class, or is decided as another one, if any are asked for.
func (r reasoned) of(ctx context.Context, m *rfpragma.Model, cells []float64, decided string) ([]rfpragma.Reason, error) {
	if err := ctx.Err(); err != nil || r.most == 0 {
		return nil, err
	}
	if r.class != "" {
		decided = r.class
	}
	return m.Reasons(cells, decided, r.most)
}

// words says what the numbers in the column of reasons are, and of reasons for decisions that those for a class that matters tell more.
func (r reasoned) words(rare string) string {
	votes, ask := "the decision", ""
	if r.class != "" {
		votes = english.Quote(r.class)
	} else if rare != "" {
		ask = fmt.Sprintf(" For rows that are not decided as %s, --reasons %s tells more.", english.Quote(rare), quoted(fmt.Sprintf("%s=%d", rare, r.most)))
	}
	return fmt.Sprintf("In column \"reasons\" the number behind a cell says how many votes for %s fall if that cell alone is missing. That does not mean that most rows with such a cell are decided so: it counts in combination with the row's other cells.%s", votes, ask)
}
