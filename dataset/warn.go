package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
)

// warnf returns a warning about a file.
func warnf(file, format string, args ...any) error {
	return fmt.Errorf("%s: "+option.Text(format), append([]any{file}, args...)...)
}

// warnings returns what is doubtful about a frame that was read without a fault.
func (tr *training) warnings(f *Frame) []error {
	found := tr.table.warnings()
	warn := func(format string, args ...any) { found = append(found, warnf(tr.file, format, args...)) }

	if n := len(tr.indexes); n > 0 {
		text := option.Text("%s %s the index of a data frame and no measurement; left out, and {id} carries it along")
		found = append(found, warning{warnf(tr.file, text, nearest.List(tr.indexes), english.Verb(n, "is", "are")),
			ErrUseless})
	}
	if tr.labels.skipped.Count > 0 {
		warn("%s", tr.labels.leftOutText())
	}
	if text := tr.blank.text(len(tr.columns)); text != "" {
		warn("%s", text)
	}
	tr.warnClasses(f, warn, func(text, _ string) { warn("%s", text) }, func(text, choice string) {
		warn("%s; %s", text,
			choice)
	})
	tr.warnMerged(warn)
	tr.warnDeclared(warn)
	if text := tr.unmetText(); text != "" {
		found = append(found, warning{warnf(tr.file, "%s", text), ErrUnmet})
	}
	tr.warnColumns(f, warn)
	if text, _ := tr.repeatsText(); text != "" {
		warn("%s", text)
	}
	if text := f.serialText(); text != "" {
		warn("%s", text)
	}
	if columns, text := f.Ordered(); text != "" {
		found = append(found, warning{warnf(tr.file, "%s", text), ErrOrdered})
	} else if columns == nil {
		if text := f.unorderedText(); text != "" {
			warn("%s", text)
		}
	}
	if text := f.sameText(); text != "" {
		warn("%s", text)
	}
	for i := range tr.columns {
		c := &tr.columns[i]
		if c.rounded > 0 {
			warn("%s", roundedText(c.name, c.rounded))
		}
		if c.tiny > 0 {
			warn("%s", tinyText(c.name, c.tiny))
		}
		if text := c.points.text(c.name); text != "" {
			warn("%s", text)
		}
		if text := f.Columns[i].caseText(); text != "" {
			warn("%s", text)
		}
		for _, level := range f.Columns[i].Levels {
			if missingWords[level] {
				warn("%s", missingWordText(c.name, level))
			}
		}
	}
	return found
}

// warnClasses warns of classes, of those that one flag mends with it, and of those that have too few rows with what
// can be chosen to do about them.
func (tr *training) warnClasses(f *Frame, warn func(string, ...any), mended, few func(text, choice string)) {
	if n := tr.labels.trimmed; n > 0 {
		warn("column %s: blanks around the label removed in %s", english.Quote(tr.o.Target), english.Plural(n, "row"))
	}
	tr.warnCase(mended)
	for _, class := range f.Classes {
		if class == tr.o.Target {
			warn("column %s: a class has the name of the column; if that is of lines that repeat the names of the columns, "+
				"remove them", english.Quote(class))
		}
		flag := missingFlag(tr.o.Target, class)
		if unknownLabels[strings.ToLower(class)] { // which may be a category of a feature as well
			flag = csvtext.Flag("missing", tr.o.Target+"="+class, "COLUMN=WORD")
		} else if !missingWords[class] {
			continue
		}
		warn(option.Text("column %s: %q is taken as a class; if it means that the label is not known, use %s "+
			"{drop-unlabelled}"), english.Quote(tr.o.Target), class, flag)
	}
	rows, _ := f.classRows()
	var single, weightless []string
	for c, weight := range f.ClassWeights() {
		if rows[c].Rows == 1 {
			single = append(single, f.Classes[c])
		}
		if weight == 0 {
			weightless = append(weightless, f.Classes[c])
		}
	}
	if single != nil {
		few(fmt.Sprintf("column %s: a single row %s %s: too few to learn from and to judge by", english.Quote(tr.o.Target),
			english.Verb(len(single), "for", "each for"), nearest.List(single)), fewCure(tr.o.Target, single, rows))
	}
	if weightless != nil {
		warn("column %s: all weights are zero for %s: as good as absent", english.Quote(tr.o.Target),
			nearest.List(weightless))
	}
}

// warnCase names the classes that differ in case only, and the flag that makes one of them: by the name that has
// most rows.
func (tr *training) warnCase(mended func(text, flag string)) {
	joined, of, err := tr.labels.join(tr.table, tr.o)
	if err != nil {
		return // the labels are at fault, and that is told
	}
	rows, labels := make([]int, len(joined.names)), make([]int, len(joined.names))
	for label, number := range of {
		rows[number] += tr.labels.rows[label]
		labels[number]++
	}
	alike := map[string][]string{}
	var order []string
	names, _ := joined.sorted(strings.Compare)
	for _, name := range names {
		lower := strings.ToLower(name)
		if alike[lower] == nil {
			order = append(order, lower)
		}
		alike[lower] = append(alike[lower], name)
	}
	for _, lower := range order {
		same := alike[lower]
		if len(same) == 1 {
			continue
		}
		merged := func(name string) bool { return labels[joined.of[name]] > 1 }
		cure, flag := "", ""
		if !slices.ContainsFunc(same, merged) { // else more than these names would have to be merged
			to := slices.MaxFunc(same, func(a, b string) int { return rows[joined.of[a]] - rows[joined.of[b]] })
			flag = csvtext.MergeFlag(to, same)
			cure = "; if they mean the same, use " + flag
		}
		mended(fmt.Sprintf("column %s: the classes %s differ in case only and are kept apart%s", english.Quote(tr.o.Target),
			nearest.List(same), cure), flag)
	}
}

// caseText names levels of a column that differ in letter case, blanks, hyphens and underscores alone, "" where there
// are none.
func (c *Column) caseText() string {
	by := make(map[string][]string, len(c.Levels))
	for _, level := range c.Levels {
		plain := squeezed(level)
		by[plain] = append(by[plain], level)
	}
	for _, level := range c.Levels {
		if same := by[squeezed(level)]; len(same) > 1 && !slices.ContainsFunc(same, csvtext.LooksNumeric) {
			return columnText(c.Name, "the categories %s are kept apart; if they mean the same, write them alike",
				nearest.List(same))
		}
	}
	return ""
}

// unmetText names the words for a missing cell that no cell holds, "" where there are none.
func (tr *training) unmetText() string {
	unmet := tr.missing.unmet(tr.o.Ignore)
	if unmet == nil {
		return ""
	}
	return fmt.Sprintf(option.Text("no cell that is read holds %s, which {missing} names; correct it, or leave it out"),
		strings.Join(unmet, ", "))
}

// repeatsText says that the column of --id repeats where rows are not in groups, and which flag mends that if there
// are several rows for most names; "" where it does not.
func (tr *training) repeatsText() (text, cure string) {
	n := 0
	if tr.o.Group == "" {
		n = tr.side.repeats()
	}
	if n == 0 {
		return "", ""
	}
	group := csvtext.Flag("group", tr.o.ID, "COL")
	if 2*n >= tr.side.rows {
		cure = group
	}
	return columnText(tr.o.ID, "it names the rows ({id}), and yet repeats in %d of %d; if rows of one name belong "+
		"together, use %s as well",
		n, tr.side.rows, group), cure
}

// fewCure says what can be done about classes that have so few rows.
func fewCure(target string, few []string, classes []ClassRows) string {
	if len(classes)-len(few) < 2 {
		return "add rows"
	}
	out := csvtext.Flag("missing", target+"=LABEL", "COLUMN=LABEL")
	if len(few) <= mostShown {
		out = ""
		for _, label := range few {
			out += csvtext.Flag("missing", target+"="+label, "COLUMN=LABEL") + " "
		}
	}
	others := slices.DeleteFunc(slices.Clone(classes), func(c ClassRows) bool { return slices.Contains(few, c.Label) })
	enough := slices.DeleteFunc(slices.Clone(others), func(c ClassRows) bool { return c.Rows < FewToJudge })
	if len(enough) == 0 {
		enough = others
	}
	// a rare one is the likeliest to be like them
	into, n := slices.MinFunc(enough, func(a, b ClassRows) int { return a.Rows - b.Rows }).Label, len(few)
	return fmt.Sprintf(option.Text(
		"to leave %s out add %s {drop-unlabelled}; new rows of %s are then decided as another class; or, only if the same "+
			"is done about %s, merge %s with another class, such as %s: %s"),
		nearest.List(few), strings.TrimSpace(out), english.Verb(n, "it", "them"), english.Verb(n, "both", "all"),
		english.Verb(n, "it", "them"), english.Quote(into), csvtext.MergeFlag(into, append([]string{into}, few...)))
}

// warnMerged tells which labels are now one class because it bears the name of one that nobody has merged.
func (tr *training) warnMerged(warn func(string, ...any)) {
	into, err := tr.o.merged(tr.file)
	if err != nil {
		return // the labels are at fault, and that is told
	}
	for _, to := range slices.Sorted(maps.Keys(tr.o.Merge)) {
		_, found := tr.labels.of[to]
		_, named := into[to]
		other := func(label string) bool { return plainly(label) != plainly(to) } // and no other way to write it
		if found && !named && slices.ContainsFunc(tr.o.Merge[to], other) {
			warn("column %s: the labels %s are now one class, %s, as one of them has that name", english.Quote(tr.o.Target),
				nearest.List(append([]string{to}, tr.o.Merge[to]...)), english.Quote(to))
		}
	}
}

// warnDeclared names the labels that the format declares and no row has.
func (tr *training) warnDeclared(warn func(string, ...any)) {
	format, ok := tr.Source.(declarer)
	if !ok {
		return
	}
	var absent []string
	for _, label := range format.Declared(tr.target) {
		if _, found := tr.labels.of[strings.TrimSpace(label)]; !found && !tr.missing.noLabel(strings.TrimSpace(label)) {
			absent = append(absent, label)
		}
	}
	if absent != nil {
		warn("column %s: no row has the class %s, which is declared; the model will not know it", english.Quote(tr.o.Target),
			nearest.List(absent))
	}
}

func (tr *training) warnColumns(f *Frame, warn func(string, ...any)) {
	found, gaps := map[string][]string{}, []gap(nil)
	rows, _ := f.classRows()
	look := newLook(f, rows)
	for i := range tr.columns {
		c, column := &tr.columns[i], &f.Columns[i]
		d, wears := column.dressOf()
		dates := column.areDates()
		if wears = wears && !c.forced && !dates; wears {
			warn("%s", dressText(c.name, d))
		}
		sort := sortOf(column.Kind, c.missing, column.most(), f.Rows())
		switch {
		case dates:
			sort = inspected.Dates
		case wears && sort == inspected.Names:
			continue
		case sort == "" && c.answer:
			sort = inspected.Answer
		}
		found[sort] = append(found[sort], c.name)
		if sort == "" && !wears {
			p, codes, counts := column.profile(&look.coder, look.counts)
			look.counts = counts
			for _, h := range f.placeholders(&p, codes, counts) {
				if h.sure {
					warn("%s", h.text)
				}
			}
			if text, _ := look.namesRows(&p, codes); text != "" {
				warn("%s", columnText(c.name, "%s", text))
			} else if look.answers(codes, p.Distinct) {
				found[inspected.Answer] = append(found[inspected.Answer], c.name)
			} else if text := look.tellsText(column, codes, counts); text != "" {
				warn("%w", &TellsWarning{[]string{c.name}, text})
			} else if g, tells := f.gap(column, column.Codes); tells {
				gaps = append(gaps, g)
			}
		}
	}
	if w := gapsTold(gaps); w != nil {
		warn("%w", w)
	}
	if columns := f.following(found[""]); columns != nil {
		warn("%s", followingText(columns, f.Time.Name))
	}
	for _, sort := range []string{inspected.Answer, inspected.Names, inspected.Dates, inspected.Constant,
		inspected.Empty} {
		switch text := grouped(sort, found[sort]); {
		case found[sort] == nil:
		case sort == inspected.Answer:
			warn("%w", &TellsWarning{found[sort], text.Error()})
		default:
			warn("%w", text)
		}
	}
}
