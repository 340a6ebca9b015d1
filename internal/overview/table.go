package overview

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/shorten"
	"github.com/rfpragma/rfpragma/internal/view"
)

// Show shows what is in a table; choices apart from what is found, where they stand with the next command.
func Show(to *view.Page, name string, v *dataset.Overview, apart bool) {
	to.Say(fmt.Sprintf("%s: %s, %s", name, english.Plural(v.Rows, "row"), english.Plural(len(v.Columns), "feature")))
	view.ShowClasses(to, v)
	to.Table(columnsTable(v))
	view.AndMore(to, len(v.Columns), "column")
	var found []string
	for _, f := range v.Findings {
		if apart {
			found = append(found, f.Text)
		} else {
			found = append(found, foundText(&f))
		}
	}
	to.Say(found...)
	if v.Target == "" {
		to.Say(view.CandidatesWords(v))
	}
}

// columnsTable has a line for each column.
func columnsTable(v *dataset.Overview) *view.Grid {
	g := &view.Grid{Head: []string{"column", "kind", "values", "missing", "distinct"}, Left: 2}
	shown := v.Columns[:min(len(v.Columns), view.MostLines)]
	for i := range shown {
		col := &shown[i]
		distinct := fmt.Sprint(col.Distinct)
		if col.Fault != "" {
			distinct = ""
		}
		g.Add(col.Name, kindOf(col), "", missingText(col.Missing, v.Rows), distinct)
	}
	room := view.PageWidth
	for _, cells := range g.Columns() {
		room -= 2 + view.DisplayWidth(slices.MaxFunc(cells,
			func(a, b string) int { return view.DisplayWidth(a) - view.DisplayWidth(b) }))
	}
	room = min(max(room+view.DisplayWidth("values"), 26), 38)
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
		return view.SpreadText(c.Min, c.Median, c.Max)
	}
	return levelsText(c, room)
}

// levelsText lists the most frequent levels, as many as there is room for. A name gives way to its count.
func levelsText(c *dataset.Profile, room int) string {
	const more = " ..."
	text := ""
	for i, level := range c.Top {
		rows := fmt.Sprintf(": %d", level.Rows)
		part := view.Printable(level.Text)
		if width := min(20, room-len(rows)-len(more)); view.DisplayWidth(part) > width {
			part = shorten.Width(view.DisplayWidth).Ends(part, width)
		}
		part += rows
		rest := 0
		if i+1 < c.Distinct {
			rest = len(more)
		}
		if i > 0 {
			part = ", " + part
		}
		if i > 0 && view.DisplayWidth(text+part)+rest > room {
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
	return fmt.Sprintf("%d (%s)", missing, view.Percent(float64(missing)/float64(rows)))
}
