package verb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// docs/reference.md is what the program says of itself; -update writes it anew.
func TestReference(t *testing.T) {
	const path = docsFolder + "/reference.md"
	want := reference(app((&cli.Program{})))
	if *update {
		write(t, path, want)
	}
	if read(t, path) != want {
		t.Error("docs/reference.md is not what the program says of itself; write it anew with -update")
	}
}

// reference describes every verb with its flags.
func reference(app *urfave.App) string {
	var b strings.Builder
	b.WriteString("# Every verb and every flag\n\nThis page is made from the definitions of the program. `rfpragma help " +
		"VERB` says the same.\n\n| verb | what it does |\n|---|---|\n")
	visible := slices.DeleteFunc(slices.Clone(app.Commands), func(c *urfave.Command) bool {
		return c.Name == "help" ||
			c.Hidden
	})
	for _, c := range visible {
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", c.Name, c.Name, cellText(c.Usage))
	}
	b.WriteString("\nFlags may stand anywhere after the verb; `-` is stdin or stdout; 0.63 and 63% are the same share. " +
		"After the verbs:")
	for i, t := range cli.Topics() {
		if i > 0 {
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, " [%s](#%s)", t.About, t.Name)
	}
	b.WriteString(".\n")
	for _, c := range visible {
		usage := strings.TrimSpace("rfpragma " + c.Name + " [flags] " + c.ArgsUsage)
		fmt.Fprintf(&b, "\n## %s\n\n`%s`: %s.\n\n```\n%s\n```\n", c.Name, usage, c.Usage, strings.Trim(c.Description, "\n"))
		referFlags(&b, c.Flags)
	}
	for _, t := range cli.Topics() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n```\n%s\n```\n", t.Name, strings.ToUpper(t.About[:1])+t.About[1:],
			strings.Trim(t.Text, "\n"))
	}
	return b.String()
}

// referFlags lists flags in a table, by their groups.
func referFlags(b *strings.Builder, flags []urfave.Flag) {
	type line struct{ group, flag, what, usual string }
	var lines []line
	for _, f := range flags {
		d, ok := f.(urfave.DocGenerationFlag)
		if v, visible := f.(urfave.VisibleFlag); !ok || visible && !v.IsVisible() {
			continue
		}
		placeholder, what := flagWords(d.GetUsage())
		group := ""
		if g, ok := f.(urfave.CategorizableFlag); ok {
			group = g.GetCategory()
		}
		var names []string
		for _, name := range f.Names() {
			names = append(names, cli.Dashed(name))
		}
		name := strings.Join(names, ", ")
		if d.TakesValue() {
			name += " " + placeholder
		}
		lines = append(lines, line{group, name, what, usualValue(d)})
	}
	if len(lines) == 0 {
		return
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(strings.Compare(a.group, b.group),
			strings.Compare(a.flag, b.flag))
	})
	b.WriteString("\n| flag | what | default |\n|---|---|---|\n")
	group := ""
	for _, l := range lines {
		if l.group != group {
			fmt.Fprintf(b, "| **%s** | | |\n", l.group)
			group = l.group
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", l.flag, cellText(l.what), cellText(l.usual))
	}
}

// flagWords returns the placeholder of a flag's usage, and the usage without its quotes.
func flagWords(usage string) (placeholder, text string) {
	before, rest, quoted := strings.Cut(usage, "`")
	if !quoted {
		return "VALUE", usage
	}
	placeholder, after, _ := strings.Cut(rest, "`")
	return placeholder, before + placeholder + after
}

// usualValue is what a flag has if it is not given.
func usualValue(f urfave.DocGenerationFlag) string {
	usual := f.GetDefaultText()
	if !f.TakesValue() || usual == `""` {
		return ""
	}
	return strings.Trim(usual, `"`)
}

// cellText is a text in a cell of a table.
func cellText(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
