package cli

import (
	"errors"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Recall has o take the columns that a model knows from its training file, beside labels and features, where a table
// has them and no flag says otherwise: those of the wanted flags are read as in training, the others left out
// without a word. It returns the latter. Labels are left out if none are read.
func Recall(c *urfave.Context, o *dataset.Options, was dataset.Reading, columns []string, wanted ...string) (
	left []string) {
	type role struct {
		flag, column string
		to           *string
	}
	roles := []role{{"id", was.ID, &o.ID}, {"weight", was.Weight, &o.Weight}, {"group", was.Group, &o.Group}}
	unwanted := func(r role) bool { return !slices.Contains(wanted, r.flag) }
	// first what is wanted: the column may be left out otherwise, as that of --id is of --group
	roles = append(slices.DeleteFunc(slices.Clone(roles), unwanted), roles...)
	if o.Target == "" {
		roles = append(roles, role{"target", was.Target, &o.Target})
	}
	for _, column := range slices.Concat(was.TimeColumns(), was.Ignore) {
		roles = append(roles, role{"ignore", column, nil})
	}
	for _, known := range roles {
		named := append([]string{"", o.Target, o.ID, o.Weight, o.Group}, o.Ignore...)
		switch {
		case slices.Contains(named, known.column) || !slices.Contains(columns, known.column):
		case slices.Contains(wanted, known.flag) && !c.IsSet(known.flag):
			*known.to = known.column
		default:
			left = append(left, known.column)
			o.Ignore = append(o.Ignore, known.column)
		}
	}
	return left
}

// DataFault returns err as a fault of the data where it is one of a column that no flag names, but what the model
// knows.
func DataFault(c *urfave.Context, err error) error {
	var named *dataset.UsageError
	if !errors.As(err, &named) || c.IsSet("per") || slices.ContainsFunc(DataFlags(),
		func(f urfave.Flag) bool { return c.IsSet(f.Names()[0]) }) {
		return err
	}
	return errors.New(named.Text)
}

// Ungrouped says that rows are taken as single ones where those of the training were not, if that was not asked for.
func Ungrouped(c *urfave.Context, m *rfpragma.Model, rows *dataset.Frame, name string) []error {
	column := m.Provenance.Reading.Group
	if column == "" || rows.Group != nil || c.IsSet("group") {
		return nil
	}
	return []error{fmt.Errorf("%s: there is no column %s, which told in training what rows belong together; the ranges "+
		"take each row as one of its own, "+
		"and are too narrow where several are of one; name the column with --group", name, english.Quote(column))}
}
