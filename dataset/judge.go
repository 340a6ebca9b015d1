package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/option"
)

// grouped says one thing of one or several columns.
func grouped(sort string, columns []string) error {
	n := len(columns)
	names := columnsNamed(columns)
	use := func(flags ...string) string {
		for i, flag := range flags {
			if flags[i] = named(flag); n == 1 {
				flags[i] = csvtext.Flag(flag, columns[0], "COL")
			}
		}
		return "use " + strings.Join(flags, " or ")
	}
	switch sort {
	case inspected.Answer:
		return fmt.Errorf("%s %s the same as the label in every row, and so %s the answer away; %s", names,
			english.Verb(n, "says", "say"), english.Verb(n, "gives", "give"), use("ignore"))
	case inspected.Names:
		return fmt.Errorf("%s %s a different category in every row, as names do; %s", names, english.Verb(n, "has", "have"),
			use("id", "ignore"))
	case inspected.Dates:
		return fmt.Errorf("%s %s like dates, and each date is a category of its own, so that later ones are unknown; write "+
			"the days since some day, or the year, as a number, or %s",
			names, english.Verb(n, "looks", "look"), use("ignore")+
				option.Text("; the one that says when a row was can be named with {time}"))
	case inspected.Constant:
		return fmt.Errorf("%s %s the same in every row and %w", names, english.Verb(n, "is", "are"), ErrUseless)
	case inspected.Empty:
		return fmt.Errorf("%s %s no value in any row and %w", names, english.Verb(n, "has", "have"), ErrUseless)
	default: // FoundCodes
		return fmt.Errorf("%s %s only a few whole numbers; if they name things instead of counting or measuring them, %s",
			names, english.Verb(n, "has", "have"), use("categorical"))
	}
}

// sortOf tells what a column is in itself, "" for nothing in particular: it has a number of
// missing cells, and of distinct values in the others.
func sortOf(kind Kind, missing, distinct, rows int) string {
	switch {
	case missing == rows:
		return inspected.Empty
	case rows > 1 && missing == 0 && distinct == 1:
		return inspected.Constant
	case kind == Categorical && distinct > 1 && distinct == rows:
		return inspected.Names
	}
	return ""
}

func missingWordText(column, word string) string {
	return fmt.Sprintf("column %s: %q is taken as a category; if it means that the value is not known, use %s",
		english.Quote(column), word, missingFlag(column, word))
}

// fewestToTell is how many rows a class must have for a column to be said to tell it, and
// fewestToName how many rows a table must have for its numbers to be said to name them.
const (
	fewestToTell = 5
	fewestToName = 20
)

// tellsAlone is the mean recall from which a single column is said to tell the classes.
const tellsAlone = 0.99

// judge notes what is to be said of a column, and adds it to the hashes of the rows unless it
// names them.
func (k *look) judge(p *Profile, c *Column, codes *Codes, counts []int) {
	sort, dates := sortOf(p.Kind, p.Missing, p.Distinct, k.frame.Rows()), c.areDates()
	d, wears := c.dressOf()
	switch {
	case dates:
		k.found[inspected.Dates] = append(k.found[inspected.Dates], p.Name)
	case wears:
		k.note(inspected.Codes, p.Name, "", dressText(p.Name, d))
	}
	switch {
	case (dates || wears) && sort == inspected.Names: // and that is told
	case sort != "":
		k.found[sort] = append(k.found[sort], p.Name)
		return
	case !dates && !wears:
		if text, cure := k.namesRows(p, codes); text != "" {
			k.note(inspected.Names, p.Name, cure, columnText(p.Name, "%s", text))
			return
		}
	}
	if k.answers(codes, p.Distinct) {
		k.found[inspected.Answer] = append(k.found[inspected.Answer], p.Name)
		return
	}
	if text := k.tellsText(c, codes, counts); text != "" {
		k.note(inspected.Tells, p.Name, "", text)
	} else if g, tells := k.frame.gap(c, codes); tells {
		k.gaps = append(k.gaps, g)
	}
	if text := c.caseText(); text != "" {
		k.note(inspected.Codes, p.Name, "", text)
	}
	for _, level := range c.Levels {
		if missingWords[level] {
			k.note(inspected.Missing, p.Name, missingFlag(p.Name, level), missingWordText(p.Name, level))
		}
	}
	if !dates && !wears && k.called(p, codes) {
		k.note(inspected.Names, p.Name, "", calledText(p))
	}
	if p.Kind == Numeric {
		k.numbers(p, codes, counts)
	}
	k.compare(p.Name, codes)
}

// unread compares the rows by a column that cannot be read as it is, unless it names them.
func (k *look) unread(c *Column) {
	missing := 0
	for i := range c.Codes.length() {
		if c.Codes.at(i) == 0 {
			missing++
		}
	}
	if text, _ := namesText(c.Name, c.Kind, c.Codes.Distinct.Len(), k.frame.Rows()-missing); text == "" {
		k.compare(c.Name, c.Codes)
	}
}

// compare adds the cells of a column to the hashes of the rows.
func (k *look) compare(name string, codes *Codes) {
	seed := mix(uint64(len(k.frame.Columns))) ^ mixName(name)
	for i := range k.hashes {
		k.hashes[i] += mix(seed ^ uint64(codes.at(i)))
	}
}

// mixName hashes a name (FNV-1a).
func mixName(name string) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range []byte(name) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// note adds a finding about one column, and the flag that mends it for sure, if any.
func (k *look) note(sort, column, flag, text string) {
	found := Finding{Sort: sort, Columns: []string{column}, Text: text}
	if flag != "" {
		found.Flags = []string{flag}
	}
	k.own = append(k.own, found)
}

// notef is note without a flag, for a text that begins with the column.
func (k *look) notef(sort, column, format string, args ...any) {
	k.note(sort, column, "", columnText(column, format, args...))
}

// tellsText says that a column alone tells the classes, or one of them from all others, "" where it does not.
func (k *look) tellsText(c *Column, codes *Codes, counts []int) string {
	if share := k.tells(codes, counts, c.Kind); share >= tellsAlone {
		return columnText(c.Name,
			"%.1f %% of the rows (in the mean over the classes) can be decided by this column alone; if it is not yet known "+
				"when a row is to be decided, use %s", 100*share, csvtext.Flag("ignore", c.Name, "COL"))
	}
	return k.frame.tellsOneText(c, codes, len(counts)-1)
}

// namesRows says by what a column seems to name the rows, or groups of them, and which flag mends that; "" where it
// does not.
func (k *look) namesRows(p *Profile, codes *Codes) (text, cure string) {
	rows := k.frame.Rows()
	known := rows - p.Missing
	if known < fewestToName {
		return "", ""
	}
	cure = csvtext.Flag("ignore", p.Name, "COL")
	flags := csvtext.Flag("id", p.Name, "COL") + " or " + cure
	numbers := p.Kind == Numeric && p.Distinct == rows && whole(codes.Distinct)
	switch {
	case numbers && p.Max-p.Min == float64(rows-1):
		text = fmt.Sprintf("every whole number from %v to %v stands in it once, as numbers of rows do; use %s", p.Min, p.Max,
			flags)
	case numbers && ascending(codes):
		text = fmt.Sprintf("its whole numbers rise from row to row, as numbers of rows or times do; use %s", flags)
	default:
		text, cure = namesText(p.Name, p.Kind, p.Distinct, known)
	}
	return text, cure
}

// namesText says by what a column with so many distinct values in known cells seems to name the rows, or groups of
// them, and which flag mends that; "" where it does not.
func namesText(name string, kind Kind, distinct, known int) (text, cure string) {
	ignore, group := csvtext.Flag("ignore", name, "COL"), csvtext.Flag("group", name, "COL")
	flags := csvtext.Flag("id", name, "COL") + " or " + ignore
	called, mostly := calledID(name), 10*distinct >= 9*known
	switch {
	case known < fewestToName:
		return "", ""
	case kind == Categorical && mostly:
		return fmt.Sprintf("%d different categories in %d cells, like names; use %s", distinct, known, flags), ignore
	case called && mostly:
		return fmt.Sprintf("%d different values in %d cells, and its name, say that it names the rows; use %s", distinct,
			known, flags), ignore
	case called && distinct > 1 && 20*distinct >= known:
		return fmt.Sprintf("%d different values in %d cells, and its name, say that it names whom several rows belong to; "+
			"if they do, use %s, else %s",
			distinct, known, group, ignore), group
	}
	return "", ""
}

// fewestThings is how many different things a column has at least that is said to name them: of fewer, groups are no
// folds.
const fewestThings = 10

// called tells whether a column may say what rows belong to: it is called so, and its categories or whole numbers
// are few against the rows.
func (k *look) called(p *Profile, codes *Codes) bool {
	words := strings.FieldsFunc(p.Name, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 || p.Distinct < fewestThings || 2*p.Distinct > k.frame.Rows()-p.Missing || p.Kind == Numeric &&
		!whole(codes.Distinct) {
		return false
	}
	last := words[len(words)-1]
	return calledID(p.Name) || slices.ContainsFunc(things, func(thing string) bool {
		return strings.EqualFold(last, thing) || strings.HasSuffix(last, strings.ToUpper(thing[:1])+thing[1:])
	})
}

// calledText says what may be amiss with such a column, and what to do.
func calledText(p *Profile) string {
	group, ignore := csvtext.Flag("group", p.Name, "COL"), csvtext.Flag("ignore", p.Name, "COL")
	same := "it may stay, or use " + ignore
	if p.Kind == Numeric {
		same = "use " + csvtext.Flag("categorical", p.Name, "COL") + " or " + ignore + ", as its numbers measure nothing"
	}
	return columnText(p.Name, "by its name and its %d different values it may say whom or what rows belong to; if new "+
		"rows are of others, use %s; if they are of the same, %s", p.Distinct, group, same)
}

func whole(n Numbers) bool {
	for i := range n.Len() {
		if v := n.At(i); v != math.Trunc(v) {
			return false
		}
	}
	return true
}

// ascending tells whether each row has a higher code than the one before.
func ascending(codes *Codes) bool {
	for i := 1; i < codes.length(); i++ {
		if codes.at(i) <= codes.at(i-1) {
			return false
		}
	}
	return true
}

// answers tells whether a column and the label say the same of every row, one to one.
func (k *look) answers(codes *Codes, distinct int) bool {
	f := k.frame
	if f.Truth == nil || distinct < 2 || distinct > len(f.Classes) || distinct*fewestToTell > f.Rows() {
		return false
	}
	class := map[uint32]int{}
	for i, c := range f.Truth {
		code := codes.at(i)
		if c < 0 {
			continue
		}
		first, seen := class[code]
		if !seen {
			class[code] = c
		} else if first != c {
			return false
		}
	}
	codeOf := map[int]uint32{}
	for code, c := range class {
		if _, twice := codeOf[c]; twice {
			return false
		}
		codeOf[c] = code
	}
	return true
}

// findings puts all findings in order.
func (k *look) findings(v *Overview) []Finding {
	k.scarce(v)
	if v.Repeated > 0 && v.Target != "" { // rows without labels are not judged by
		k.own = append(k.own, Finding{Sort: inspected.Repeated, Text: k.repeatedText(v)})
	}
	if v.Contradicting > 0 {
		k.own = append(k.own, Finding{Sort: inspected.Contradicting,
			Text: fmt.Sprintf("%s %s the same features as rows of another class, which are as many or more; no model can tell "+
				"them apart",
				english.Plural(v.Contradicting, "row"), english.Verb(v.Contradicting, "has", "have"))})
	}
	if w := gapsTold(k.gaps); w != nil {
		found := Finding{Sort: inspected.Gaps, Text: w.Error()}
		for _, g := range k.gaps {
			found.Columns = append(found.Columns, g.column)
		}
		k.own = append(k.own, found)
	}
	finer := func(year string) string { return k.frame.Reading.FinerTime(year, k.frame.Schema()) }
	if columns, text := k.frame.Ordered(); columns != nil {
		if v.Time = k.frame.inOrderOf(columns); text != "" {
			k.own = append(k.own, Finding{Sort: inspected.Ordered, Columns: columns, Text: text})
		}
	} else {
		v.Time = k.frame.datedBy()
	}
	if text := k.frame.serialText(); text != "" {
		k.own = append(k.own, Finding{Sort: inspected.Ordered, Text: text})
	}
	for sort, columns := range k.found {
		found := Finding{Sort: sort, Columns: columns, Text: grouped(sort, columns).Error()}
		if sort == inspected.Answer || sort == inspected.Names {
			for _, name := range columns {
				found.Flags = append(found.Flags, csvtext.Flag("ignore", name, "COL"))
			}
		}
		k.own = append(k.own, found)
	}
	if found := v.calendar(k.own, v.Time, finer); found != nil {
		k.own = append(k.own, *found)
	}
	return inOrder(k.own)
}

// repeatedText says that rows repeat others, and how to mend it, with more weight where they are not all of a class
// that most rows are of.
func (k *look) repeatedText(v *Overview) string {
	text := fmt.Sprintf("%s %s the same features as an earlier one%s", english.Plural(v.Repeated, "row"),
		english.Verb(v.Repeated, "has", "have"), k.twinWords(v.Repeated))
	cure := csvtext.EnteredTwice(v.Repeated)
	var others []string
	for c, n := range k.again {
		switch common := 2*v.Classes[c].Rows > v.Rows; {
		case common && n == v.Repeated:
			return fmt.Sprintf("%s, %s of the most common class, %s, of which that changes little; %s", text,
				english.Verb(n, "which is", "all"), english.Quote(v.Classes[c].Label), cure)
		case !common && n > 0:
			others = append(others, fmt.Sprintf("%d of %s", n, english.Quote(v.Classes[c].Label)))
		}
	}
	if len(others) > 0 && len(others) < 4 {
		text += ", " + strings.Join(others, ", ")
	}
	return text + "; " + cure + ": else cross-validation judges by rows that it has trained on"
}

// twinWords names the first rows that repeat others, by the numbers of the rows below the header.
func (k *look) twinWords(repeated int) string {
	if k.twins == nil {
		return ""
	}
	parts := make([]string, len(k.twins))
	for i, t := range k.twins {
		parts[i] = fmt.Sprintf("row %d as row %d", t.row+1, t.of+1)
	}
	more := ""
	if repeated > len(parts) {
		more = ", ..."
	}
	return " (" + strings.Join(parts, ", ") + more + ")"
}

// FewToJudge is how many rows a class must have to be worth training on, in a table of at least ten times as
// many. With fewer, weights and figures are chance (anneal.FewRows, effective.FewRows); before training, such a
// class can still be merged with another.
const FewToJudge = 10

// Scarce reports whether a class with that many of the rows has too few to learn from: a single one, or, in a
// table of at least ten times as many, fewer than [FewToJudge].
func (v *Overview) Scarce(rows int) bool {
	return rows == 1 || rows < FewToJudge && v.Rows >= 10*FewToJudge
}

// scarce notes which classes have few rows, but for those of a single one, which are warned of.
func (k *look) scarce(v *Overview) {
	var few, told []string
	for _, c := range v.Classes {
		if c.Rows > 1 && v.Scarce(c.Rows) {
			few = append(few, c.Label)
			told = append(told, fmt.Sprintf("%s has %d", english.Quote(c.Label), c.Rows))
		}
	}
	if few == nil {
		return
	}
	n, more := len(few), ""
	if n > 10 {
		told, more = told[:10], ", ..."
	}
	k.own = append(k.own, Finding{
		Sort: inspected.Labels, Columns: []string{v.Target}, Choice: fewCure(v.Target, few, v.Classes),
		Text: columnText(v.Target, "%s few rows: %s%s; what is learnt and said of %s is mostly chance",
			english.Verb(n, "a class has", "some classes have"), strings.Join(told, ", "), more, english.Verb(n, "it", "them")),
	})
}

// inOrder sorts findings by how grave they are, and else leaves them as they come.
func inOrder(list []Finding) []Finding {
	order := []string{inspected.File, inspected.Unmet, inspected.Fault, inspected.Labels, inspected.Answer,
		inspected.Tells, inspected.Gaps, inspected.Names, inspected.Dates, inspected.Ordered, inspected.Calendar,
		inspected.Contradicting, inspected.Repeated,
		inspected.Missing, inspected.Codes, inspected.Outlying, inspected.Digits, inspected.Constant, inspected.Empty}
	slices.SortStableFunc(list, func(a, b Finding) int {
		if d := slices.Index(order, a.Sort) - slices.Index(order, b.Sort); d != 0 {
			return d
		}
		return strings.Compare(strings.Join(a.Columns, ","), strings.Join(b.Columns, ","))
	})
	return list
}
