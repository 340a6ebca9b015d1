package cli

import (
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
)

// RowForm reads how a verb that writes rows is to write them, by --format or else by the name of the file, and
// whether --output can take it.
func (p *Program) RowForm(c *urfave.Context) (predictions.RowForm, error) {
	json, out := NamesLines(c.String("output")), TableProduct
	if c.IsSet("format") {
		as, err := Format(c, "csv", "json", "jsonl")
		if err != nil {
			return predictions.RowForm{}, err
		}
		json = as != "csv"
	}
	if json {
		out = LinesProduct
	}
	return predictions.RowForm{JSON: json}, p.MayWrite(c, "output", out)
}

// Check refuses an id that is also the name of another column, in that file.
func Check(f *predictions.RowForm, file string) error {
	others := append(f.Head()[1+len(f.Per):], "probabilities", "votes", "shares")
	if slices.Contains(append(others, f.Per...), f.ID) {
		return Usagef("--id %s is also the name of a column of the output; rename it in %s", english.Quote(f.ID), file)
	}
	others = append(others, f.Keys()[0])
	for i, column := range f.Per {
		if slices.Contains(append(others, f.Per[:i]...), column) {
			return Usagef("--per %s is also the name of a column of the output; rename it in %s", english.Quote(column), file)
		}
	}
	return nil
}
