package cli

import (
	"cmp"
	"context"
	_ "embed"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/table"
)

// typedLine is what of a command line stands before the word to complete.
type typedLine struct {
	command *urfave.Command
	given   map[string]string // flags, by name
	args    []string
	open    urfave.Flag // the flag whose value comes next
	ended   bool        // by --
}

func readLine(command *urfave.Command, words []string) *typedLine {
	l := &typedLine{command: command, given: map[string]string{}}
	for _, w := range words {
		name, value, hasValue := strings.Cut(strings.TrimLeft(w, "-"), "=")
		flag := FlagNamed(command.Flags, name)
		switch {
		case l.open != nil:
			l.given[l.open.Names()[0]], l.open = w, nil
		case w == "--" && !l.ended:
			l.ended = true
		case l.ended || len(w) < 2 || w[0] != '-':
			l.args = append(l.args, w)
		case flag == nil:
		case takesValue(flag) && !hasValue:
			l.open = flag
		default:
			l.given[flag.Names()[0]] = value
		}
	}
	return l
}

// mostPeeked is the number of rows that are looked into for classes: a key was pressed, and waits.
const mostPeeked = 20_000

// LineOf is a line that was typed to its end, for errors that look into its table.
func LineOf(c *urfave.Context) *typedLine {
	l := &typedLine{given: map[string]string{}, args: c.Args().Slice()}
	for _, name := range []string{"sep", "input-format", "target"} {
		if c.IsSet(name) {
			l.given[name] = c.String(name)
		}
	}
	return l
}

// peek looks into the last of the files on the line that is a table. What is none, or no regular
// file, is no fault: the line is not complete yet.
func (l *typedLine) peek(ctx context.Context, look func(t dataset.Source)) {
	o := dataset.Options{Schema: dataset.Schema{}} // a libsvm file is not read for its columns
	if s := l.given["sep"]; s != "" {
		o.Comma, _ = separator(s)
	}
	for _, path := range slices.Backward(l.args) {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		in, err := OpenFile(ctx, path)
		if err != nil {
			continue
		}
		defer in.Close()
		form, err := FormOf(l.given["input-format"], path)
		if err != nil {
			continue
		}
		if t, err := table.SourceIn(ctx, in, form, &o); err == nil {
			look(t)
			return
		}
	}
}

// TableColumns returns those of the table on the line.
func (l *typedLine) TableColumns(ctx context.Context) (names []string) {
	l.peek(ctx, func(t dataset.Source) { names = t.Columns() })
	return names
}

// TableClasses returns the labels in the first rows of the table, in order.
func (l *typedLine) TableClasses(ctx context.Context) (labels []string) {
	l.peek(ctx, func(t dataset.Source) {
		j := slices.Index(t.Columns(), cmp.Or(l.given["target"], table.LikeClass(t.Columns())))
		if used := make([]bool, len(t.Columns())); j >= 0 {
			used[j] = true
			if t.Use(used) != nil {
				return
			}
		}
		for row := 0; j >= 0 && row < mostPeeked && len(labels) < csvtext.MaxClasses; row++ {
			cells, err := t.Next()
			if err != nil {
				break
			}
			if label := cells[j].String(); label != "" && !slices.Contains(labels, label) {
				labels = append(labels, strings.Clone(label))
			}
		}
	})
	slices.Sort(labels)
	return labels
}
