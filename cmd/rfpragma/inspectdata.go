package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/shorten"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// overviewInfo is what inspect says of data in JSON.
type overviewInfo struct {
	SchemaVersion int           `json:"schema_version"` // 1
	Command       string        `json:"command"`        // inspect
	Data          overviewData  `json:"data"`           // what is in the file
	Columns       []columnInfo  `json:"columns"`        // the features, in the order of the file
	Findings      []findingInfo `json:"findings"`       // what to look at, the gravest first
	Candidates    []string      `json:"candidates"`     // where no column is known to hold the labels: those that may, the likeliest first
	Next          string        `json:"next"`           // the command to type next; empty where no column looks like the labels
}

type overviewData struct {
	Name          string          `json:"name"`          // of the file
	Rows          int             `json:"rows"`          // number of rows
	Target        *string         `json:"target"`        // the column of the labels; null if none is known
	Unlabelled    int             `json:"unlabelled"`    // rows without a label
	Classes       []overviewClass `json:"classes"`       // empty where the labels are no classes
	Repeated      int             `json:"repeated"`      // rows whose features are those of an earlier one
	Contradicting int             `json:"contradicting"` // rows whose features are those of as many or more of another class
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
	Sort    string   `json:"sort"`    // file, unmet, fault, labels, answer, tells, gaps, names, dates, ordered, calendar, contradicting, repeated, missing, codes, outlying, digits, constant or empty
	Columns []string `json:"columns"` // the columns it is about
	Text    string   `json:"text"`    // what it is, and how to mend it
	Flags   []string `json:"flags"`   // flags that mend it, and do little harm if nothing is amiss
}

// inspectData shows what is in a table, and what to type next.
func (p *program) inspectData(c *cli.Context, in *source, form string) error {
	if c.String("time") != "" && c.String("group") != "" {
		return eitherTimeOrGroup()
	}
	o, err := p.options(c)
	if err != nil {
		return err
	}
	t, err := tableIn(c, in, &o)
	if err != nil {
		return err
	}
	p.found(t, in.name)
	if !c.IsSet("target") && (!slices.Contains(t.Columns(), o.Target) || slices.Contains(o.Ignore, o.Target)) {
		o.Target = ""
	}
	v, err := dataset.Inspect(t, o)
	if err != nil {
		return err
	}
	if !p.isTyped("missing") {
		v.Findings = slices.DeleteFunc(v.Findings, func(f dataset.Finding) bool { return f.Sort == inspected.Unmet })
	}
	next, preferred, timed := nextCommand(c, in.name, v)
	switch form {
	case "json":
		err = p.writeJSON(describeOverview(in.name, v, next))
	case "csv":
		err = p.columnsCSV(v)
	}
	to := p.page(form)
	if err != nil || to.silent() {
		return err
	}
	showOverview(to, in.name, v, preferred.Rows > 0)
	unlabelled := v.Target == "" && !holdsDecisions(v)
	if unlabelled {
		to.command("rfpragma predict MODEL.rfp " + fileText(in.name) + "   # if a model is to decide these rows")
	}
	if next != "" {
		to.command(next)
		to.say(append(timed, nextWords(v, preferred)...)...)
	}
	return nil
}

// mostLines is how many classes and columns are shown to a person.
const mostLines = 200

// andMore says how many lines are not shown.
func andMore(to *page, n int, what string) {
	if n > mostLines {
		to.say(fmt.Sprintf("... and %d more of %d; --format json has every %s.", n-mostLines, n, what))
	}
}

// showOverview shows what is in a table; choices apart from what is found, where they stand with the next command.
func showOverview(to *page, name string, v *dataset.Overview, apart bool) {
	to.say(fmt.Sprintf("%s: %s, %s", name, english.Plural(v.Rows, "row"), english.Plural(len(v.Columns), "feature")))
	showClasses(to, v)
	to.table(columnsTable(v))
	andMore(to, len(v.Columns), "column")
	var found []string
	for _, f := range v.Findings {
		if apart {
			found = append(found, f.Text)
		} else {
			found = append(found, foundText(&f))
		}
	}
	to.say(found...)
	if v.Target == "" {
		to.say(candidatesWords(v))
	}
}

// foundText is all that is said of a finding.
func foundText(f *dataset.Finding) string {
	if f.Choice == "" {
		return f.Text
	}
	return f.Text + "; " + f.Choice
}

// nextWords says what to think of before the next command: which flags it needs if things are as they seem, and whether what it prefers lets nearly all
// rows be alarms.
func nextWords(v *dataset.Overview, preferred dataset.ClassRows) []string {
	if preferred.Rows == 0 {
		return nil
	}
	var words []string
	var apart, unknown, leaks, without []string
	for _, f := range v.Findings {
		if f.Sort == inspected.Tells {
			leaks, without = append(leaks, f.Columns...), append(without, csvtext.Flag("ignore", f.Columns[0], "COL"))
		}
		if conditional(v, &f) {
			apart, unknown = append(apart, f.Columns...), append(unknown, f.Flags...)
		}
	}
	if leaks != nil {
		words = append(words, fmt.Sprintf("If %s %s not yet known when a row is to be decided, add %s.", nearest.List(leaks), english.Verb(len(leaks), "is", "are"), strings.Join(without, " ")))
	}
	if unknown != nil {
		words = append(words, fmt.Sprintf("Where the number far from all others of %s means that the value is not known, add %s.", nearest.List(apart), strings.Join(unknown, " ")))
	}
	for _, f := range v.Findings {
		if f.Choice != "" {
			words = append(words, english.Capital(f.Choice)+".")
		}
	}
	words = slices.Concat(words, namelessWords(v, preferred.Label), rarerWords(v, preferred))
	return append(words, manyWords(v, preferred)...)
}

// manyWords ask for a limit of alarms, where what is preferred lets nearly all rows be alarms.
func manyWords(v *dataset.Overview, preferred dataset.ClassRows) []string {
	const well = 2 // times the share of the class
	p, share := pragma.Priority(), float64(preferred.Rows)/float64(v.Rows-v.Unlabelled)
	if p.X >= well*share {
		return nil
	}
	rows := 5 // of 100: a round number below the share, if there is one
	for _, round := range []int{10, 20, 50} {
		if float64(round) <= 100*share {
			rows = round
		}
	}
	limit := pragma.Floor{What: pragma.Alerts, Typed: fmt.Sprintf("%d/100", rows)}
	return []string{fmt.Sprintf("How many of 100 rows can you look into? If %d, add --require %s: %s of all rows are %q, and as --prefer accepts alarms of which %s are right, most rows may become alarms.",
		rows, shellQuoted(limit.Text([]string{preferred.Label})), rounded(percent(share)), preferred.Label, rounded(percent(p.X)))}
}

// rarerWords says why a class is preferred that is not the rarest, and how to prefer several.
func rarerWords(v *dataset.Overview, preferred dataset.ClassRows) []string {
	var rarer []string
	rows := make([]float64, len(v.Classes))
	for c, class := range v.Classes {
		cased := slices.ContainsFunc(v.Classes, func(o dataset.ClassRows) bool { // which is proposed to be merged
			return o.Label != class.Label && strings.EqualFold(o.Label, class.Label)
		})
		if rows[c] = float64(class.Rows); !cased && 0 < class.Rows && class.Rows < preferred.Rows {
			rarer = append(rarer, fmt.Sprintf("%.64q has %d", class.Label, class.Rows))
		}
	}
	rarest, least := rarestClass(rows, vote.TieOrder(rows, v.First))
	if v.Classes[rarest].Label != preferred.Label { // some are to be merged
		return nil
	}
	var words []string
	if rarer != nil {
		words = append(words, fmt.Sprintf("Preferred is the rarest class of at least %g rows: %s.", least, few(rarer)))
	}
	matter := []string{preferred.Label}
	for c, class := range v.Classes {
		if rows[c] >= least && class.Label != preferred.Label && rare*class.Rows*len(rows) <= v.Rows-v.Unlabelled {
			matter = append(matter, class.Label)
		}
	}
	list := strings.Join(matter, ",")
	if spec, err := pragma.ParseSpec(list); err == nil && 1 < len(matter) && len(matter) <= mostNamed && len(spec) == len(matter) {
		words = append(words, fmt.Sprintf("If several classes matter, name them all: %s.", csvtext.Flag("prefer", list, "CLASSES")))
	}
	return words
}

// rare is how many times fewer rows than in the mean of all classes one must have that may well matter beside the rarest.
const rare = 2

// columnsTable has a line for each column.
func columnsTable(v *dataset.Overview) *grid {
	g := &grid{head: []string{"column", "kind", "values", "missing", "distinct"}, left: 2}
	shown := v.Columns[:min(len(v.Columns), mostLines)]
	for i := range shown {
		col := &shown[i]
		distinct := fmt.Sprint(col.Distinct)
		if col.Fault != "" {
			distinct = ""
		}
		g.add(col.Name, kindOf(col), "", missingText(col.Missing, v.Rows), distinct)
	}
	room := pageWidth
	for _, cells := range g.columns() {
		room -= 2 + displayWidth(slices.MaxFunc(cells, func(a, b string) int { return displayWidth(a) - displayWidth(b) }))
	}
	room = min(max(room+displayWidth("values"), 26), 38)
	for i := range shown {
		g.rows[i][2] = valuesText(&shown[i], room)
	}
	return g
}

// showClasses shows the classes, and how rare the rarest is. Where there are none a finding says why.
func showClasses(to *page, v *dataset.Overview) {
	if len(v.Classes) == 0 {
		return
	}
	labelled := v.Rows - v.Unlabelled
	g := &grid{head: []string{"class", "rows", "share"}}
	rarest, common := v.Classes[0], v.Classes[0]
	for i, c := range v.Classes {
		if i < mostLines {
			g.add(c.Label, fmt.Sprint(c.Rows), percent(float64(c.Rows)/float64(labelled)))
		}
		if c.Rows < rarest.Rows {
			rarest = c
		}
		if c.Rows > common.Rows {
			common = c
		}
	}
	to.table(g)
	andMore(to, len(v.Classes), "class")
	if rarest.Rows > 0 && rarest.Rows < common.Rows {
		times := float64(common.Rows) / float64(rarest.Rows)
		ratio := strings.TrimSuffix(fmt.Sprintf("%.1f", times), ".0")
		if times >= 100 {
			ratio = fmt.Sprintf("%.0f", times)
		}
		to.say(fmt.Sprintf("For one row of %s there are %s of %s.", english.Quote(rarest.Label), ratio, english.Quote(common.Label)))
	}
}

// columnsCSV writes a line for each column.
func (p *program) columnsCSV(v *dataset.Overview) error {
	var records [][]string
	for i := range v.Columns {
		c := describeColumn(&v.Columns[i])
		record := []string{c.Name, c.Kind, fmt.Sprint(c.Missing), "", maybe(c.Min), maybe(c.Median), maybe(c.Max), "", ""}
		if c.Distinct != nil {
			record[3] = fmt.Sprint(*c.Distinct)
		}
		if len(c.Top) > 0 {
			record[7], record[8] = c.Top[0].Value, fmt.Sprint(c.Top[0].Rows)
		}
		records = append(records, record)
	}
	return p.writeCSV([]string{"column", "kind", "missing", "distinct", "min", "median", "max", "top", "top_rows"}, records)
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
		return spreadText(c.Min, c.Median, c.Max)
	}
	return levelsText(c, room)
}

// spreadText shows the lowest, the middle and the highest value of a column.
func spreadText(low, middle, high float64) string {
	texts := english.Values(low, middle, high)
	return fmt.Sprintf("%s to %s, median %s", texts[0], texts[2], texts[1])
}

// levelsText lists the most frequent levels, as many as there is room for. A name gives way to its count.
func levelsText(c *dataset.Profile, room int) string {
	const more = " ..."
	text := ""
	for i, level := range c.Top {
		rows := fmt.Sprintf(": %d", level.Rows)
		part := printable(level.Text)
		if width := min(20, room-len(rows)-len(more)); displayWidth(part) > width {
			part = shorten.Width(displayWidth).Ends(part, width)
		}
		part += rows
		rest := 0
		if i+1 < c.Distinct {
			rest = len(more)
		}
		if i > 0 {
			part = ", " + part
		}
		if i > 0 && displayWidth(text+part)+rest > room {
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
	return fmt.Sprintf("%d (%s)", missing, percent(float64(missing)/float64(rows)))
}

func describeOverview(name string, v *dataset.Overview, next string) overviewInfo {
	info := overviewInfo{
		SchemaVersion: schemaVersion, Command: "inspect", Next: next,
		Data:    overviewData{Name: name, Rows: v.Rows, Unlabelled: v.Unlabelled, Classes: []overviewClass{}, Repeated: v.Repeated, Contradicting: v.Contradicting},
		Columns: []columnInfo{}, Findings: []findingInfo{}, Candidates: append([]string{}, v.Candidates...),
	}
	if v.Target != "" {
		info.Data.Target = &v.Target
	}
	for _, c := range v.Classes {
		info.Data.Classes = append(info.Data.Classes, overviewClass{c.Label, c.Rows, float64(c.Rows) / float64(v.Rows-v.Unlabelled)})
	}
	for i := range v.Columns {
		info.Columns = append(info.Columns, describeColumn(&v.Columns[i]))
	}
	for _, f := range v.Findings {
		info.Findings = append(info.Findings, findingInfo{f.Sort, append([]string{}, f.Columns...), foundText(&f), append([]string{}, f.Flags...)})
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
