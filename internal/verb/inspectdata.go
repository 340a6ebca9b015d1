package verb

import (
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/shorten"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
)

// overviewInfo is what inspect says of data in JSON.
type overviewInfo struct {
	SchemaVersion int           `json:"schema_version"` // 1
	Command       string        `json:"command"`        // inspect
	Data          overviewData  `json:"data"`           // what is in the file
	Columns       []columnInfo  `json:"columns"`        // the features, in the order of the file
	Findings      []findingInfo `json:"findings"`       // what to look at, the gravest first
	// where no column is known to hold the labels: those that may, the likeliest first
	Candidates []string `json:"candidates"`
	// the command to type next; empty where no column looks like the labels
	Next string `json:"next"`
}

type overviewData struct {
	Name       string          `json:"name"`       // of the file
	Rows       int             `json:"rows"`       // number of rows
	Target     *string         `json:"target"`     // the column of the labels; null if none is known
	Unlabelled int             `json:"unlabelled"` // rows without a label
	Classes    []overviewClass `json:"classes"`    // empty where the labels are no classes
	Repeated   int             `json:"repeated"`   // rows whose features are those of an earlier one
	// rows whose features are those of as many or more of another class
	Contradicting int `json:"contradicting"`
}

type overviewClass struct {
	Label string  `json:"class"` // its name
	Rows  int     `json:"rows"`  // number of its rows
	Share float64 `json:"share"` // of the rows with a label
}

type columnInfo struct {
	Name     string      `json:"name"`              // of the column
	Kind     string      `json:"kind"`              // numeric, categorical, or mixed: it cannot be read as it is
	Missing  int         `json:"missing"`           // missing cells
	Numbers  *int        `json:"numbers,omitempty"` // of a mixed column: cells that are numbers
	Texts    *int        `json:"texts,omitempty"`   // of a mixed column: cells that are not
	Distinct *int        `json:"distinct"`          // different values; null for a mixed column
	Min      *float64    `json:"min"`               // lowest value of a numeric column
	Median   *float64    `json:"median"`            // middle value, the lower of two
	Max      *float64    `json:"max"`               // highest value
	Top      []levelInfo `json:"top"`               // the most frequent levels, or values if there are few: at most five
}

type levelInfo struct {
	Value string `json:"value"` // as text
	Rows  int    `json:"rows"`  // number of rows that have it
}

type findingInfo struct {
	// file, unmet, fault, labels, answer, tells, gaps, names, dates, ordered, calendar, contradicting, repeated,
	// missing, codes, outlying, digits, constant or empty
	Sort    string   `json:"sort"`
	Columns []string `json:"columns"` // the columns it is about
	Text    string   `json:"text"`    // what it is, and how to mend it
	Flags   []string `json:"flags"`   // flags that mend it, and do little harm if nothing is amiss
}

// inspectData shows what is in a table, and what to type next.
func inspectData(p *cli.Program, c *urfave.Context, in *table.Source, form string) error {
	if c.String("time") != "" && c.String("group") != "" {
		return cli.EitherTimeOrGroup()
	}
	o, err := p.Options(c)
	if err != nil {
		return err
	}
	t, err := cli.TableIn(c, in, &o)
	if err != nil {
		return err
	}
	p.Found(t, in.Name)
	if !c.IsSet("target") && (!slices.Contains(t.Columns(), o.Target) || slices.Contains(o.Ignore, o.Target)) {
		o.Target = ""
	}
	v, err := dataset.Inspect(t, o)
	if err != nil {
		return err
	}
	if !p.IsTyped("missing") {
		v.Findings = slices.DeleteFunc(v.Findings, func(f dataset.Finding) bool { return f.Sort == inspected.Unmet })
	}
	next, preferred, timed := cli.NextCommand(c, in.Name, v)
	switch form {
	case "json":
		err = p.WriteJSON(describeOverview(in.Name, v, next))
	case "csv":
		err = columnsCSV(p, v)
	}
	to := p.Page(form)
	if err != nil || to.Silent() {
		return err
	}
	showOverview(to, in.Name, v, preferred.Rows > 0)
	unlabelled := v.Target == "" && !cli.HoldsDecisions(v)
	if unlabelled {
		to.Command("rfpragma predict MODEL.rfp " + cli.FileText(in.Name) + "   # if a model is to decide these rows")
	}
	if next != "" {
		to.Command(next)
		to.Say(append(timed, cli.NextWords(v, preferred)...)...)
	}
	return nil
}

// showOverview shows what is in a table; choices apart from what is found, where they stand with the next command.
func showOverview(to *layout.Page, name string, v *dataset.Overview, apart bool) {
	to.Say(fmt.Sprintf("%s: %s, %s", name, english.Plural(v.Rows, "row"), english.Plural(len(v.Columns), "feature")))
	showClasses(to, v)
	to.Table(columnsTable(v))
	andMore(to, len(v.Columns), "column")
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
		to.Say(cli.CandidatesWords(v))
	}
}

// foundText is all that is said of a finding.
func foundText(f *dataset.Finding) string {
	if f.Choice == "" {
		return f.Text
	}
	return f.Text + "; " + f.Choice
}

// columnsTable has a line for each column.
func columnsTable(v *dataset.Overview) *layout.Grid {
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
	room := layout.PageWidth
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

// columnsCSV writes a line for each column.
func columnsCSV(p *cli.Program, v *dataset.Overview) error {
	var records [][]string
	for i := range v.Columns {
		c := describeColumn(&v.Columns[i])
		record := []string{c.Name, c.Kind, fmt.Sprint(c.Missing), "", layout.Maybe(c.Min), layout.Maybe(c.Median),
			layout.Maybe(c.Max), "", ""}
		if c.Distinct != nil {
			record[3] = fmt.Sprint(*c.Distinct)
		}
		if len(c.Top) > 0 {
			record[7], record[8] = c.Top[0].Value, fmt.Sprint(c.Top[0].Rows)
		}
		records = append(records, record)
	}
	return p.WriteCSV([]string{"column", "kind", "missing", "distinct", "min", "median", "max", "top", "top_rows"},
		records)
}

func kindOf(c *dataset.Profile) string {
	if c.Fault != "" {
		return "mixed"
	}
	return c.Kind.String()
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

func describeOverview(name string, v *dataset.Overview, next string) overviewInfo {
	info := overviewInfo{
		SchemaVersion: view.SchemaVersion, Command: "inspect", Next: next,
		Data: overviewData{Name: name, Rows: v.Rows, Unlabelled: v.Unlabelled, Classes: []overviewClass{},
			Repeated: v.Repeated, Contradicting: v.Contradicting},
		Columns: []columnInfo{}, Findings: []findingInfo{}, Candidates: append([]string{}, v.Candidates...),
	}
	if v.Target != "" {
		info.Data.Target = &v.Target
	}
	for _, c := range v.Classes {
		info.Data.Classes = append(info.Data.Classes, overviewClass{c.Label, c.Rows,
			float64(c.Rows) / float64(v.Rows-v.Unlabelled)})
	}
	for i := range v.Columns {
		info.Columns = append(info.Columns, describeColumn(&v.Columns[i]))
	}
	for _, f := range v.Findings {
		info.Findings = append(info.Findings, findingInfo{f.Sort, append([]string{}, f.Columns...), foundText(&f),
			append([]string{}, f.Flags...)})
	}
	return info
}

func describeColumn(c *dataset.Profile) columnInfo {
	info := columnInfo{Name: c.Name, Kind: kindOf(c), Missing: c.Missing, Top: []levelInfo{}}
	if c.Fault != "" {
		info.Numbers, info.Texts = &c.Numbers, &c.Texts
		return info
	}
	info.Distinct = &c.Distinct
	if c.Kind == dataset.Numeric && c.Distinct > 0 {
		info.Min, info.Median, info.Max = &c.Min, &c.Median, &c.Max
	}
	for _, level := range c.Top {
		info.Top = append(info.Top, levelInfo{level.Text, level.Rows})
	}
	return info
}
