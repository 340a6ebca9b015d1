package overview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/shorten"
)

// Show shows what is in a table; choices apart from what is found, where they stand with the next command.
func Show(to *layout.Page, name string, v *dataset.Overview, apart bool) {
	to.Say(fmt.Sprintf("%s: %s, %s", name, english.Plural(v.Rows, "row"), english.Plural(len(v.Columns), "feature")))
	showClasses(to, v)
	to.Table(columnsTable(v, to.Width()))
	andMore(to, len(v.Columns), "column")
	var found []string
	for _, f := range v.Findings {
		if apart {
			found = append(found, english.Capital(f.Text)+".")
		} else {
			found = append(found, english.Capital(foundText(&f))+".")
		}
	}
	to.Say(found...)
	if v.Target == "" {
		to.Say(cli.CandidatesWords(v))
	}
}

// mostLines is how many classes and columns are shown to a person.
const mostLines = 200

// andMore says how many lines are not shown.
func andMore(to *layout.Page, n int, what string) {
	if n > mostLines {
		to.Say(fmt.Sprintf("... and %d more of %d; the JSON has every %s.", n-mostLines, n, what))
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

// columnsTable has a line for each column.
func columnsTable(v *dataset.Overview, width int) *layout.Grid {
	g := &layout.Grid{Head: []string{"column", "kind", "values", "missing", "distinct"}, Left: 2}
	shown := v.Columns[:min(len(v.Columns), mostLines)]
	for i := range shown {
		col := &shown[i]
		distinct := fmt.Sprint(col.Distinct)
		if col.Fault != "" {
			distinct = ""
		}
		g.Add(col.Name, kindOf(col), "", missingText(col.Missing, v.Rows), distinct)
	}
	room := width
	for _, cells := range g.Columns() {
		room -= 2 + layout.DisplayWidth(slices.MaxFunc(cells,
			func(a, b string) int { return layout.DisplayWidth(a) - layout.DisplayWidth(b) }))
	}
	room = min(max(room+layout.DisplayWidth("values"), 26), 38)
	for i := range shown {
		g.Rows[i][2] = valuesText(&shown[i], room)
	}
	return g
}

// valuesText says in a few words what a column holds, in at most so many columns of a page where that can be.
func valuesText(c *dataset.Profile, room int) string {
	switch {
	case c.Fault != "":
		return fmt.Sprintf("%s, %s", english.Plural(c.Numbers, "number"), english.Plural(c.Texts, "text"))
	case c.Distinct == 0:
		return ""
	case c.Kind == dataset.Numeric && c.Distinct > len(c.Top):
		return layout.SpreadText(c.Min, c.Median, c.Max)
	}
	return levelsText(c, room)
}

// levelsText lists the most frequent levels, as many as there is room for. A name gives way to its count.
func levelsText(c *dataset.Profile, room int) string {
	const more = " ..."
	text := ""
	for i, level := range c.Top {
		rows := fmt.Sprintf(": %d", level.Rows)
		part := layout.Printable(level.Text)
		if width := min(20, room-len(rows)-len(more)); layout.DisplayWidth(part) > width {
			part = shorten.Width(layout.DisplayWidth).Ends(part, width)
		}
		part += rows
		rest := 0
		if i+1 < c.Distinct {
			rest = len(more)
		}
		if i > 0 {
			part = ", " + part
		}
		if i > 0 && layout.DisplayWidth(text+part)+rest > room {
			return text + more
		}
		text += part
	}
	if c.Distinct > len(c.Top) {
		text += more
	}
	return text
}

func missingText(missing, rows int) string {
	if missing == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", missing, english.Percent(float64(missing)/float64(rows), 1))
}
