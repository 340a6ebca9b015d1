package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// topFlag is that of the verbs that judge lists.
func topFlag() cli.Flag {
	return list(cli.StringSliceFlag{Name: "top", Category: "Output", Usage: "`CLASS=N` or CLASS=1%: judge the list of so many likeliest rows (repeated)"})
}

// perFlag is that of the verbs that can make a list for each value of a column.
func perFlag() cli.Flag {
	return &cli.StringFlag{Name: "per", Category: "Output", Usage: "`COLUMNS`: with --top a list for each value, such as Year,Month"}
}

// checkPer refuses --per without lists.
func checkPer(c *cli.Context) error {
	switch {
	case !c.IsSet("per"):
		return nil
	case strings.TrimSpace(c.String("per")) == "":
		return usagef("--per is empty; name the column for each value of which there is to be a list, or several such as Year,Month")
	case !c.IsSet("top"):
		return usagef("--per is for lists; say how long each of them is with --top, such as --top %s", quoted("CLASS=20"))
	}
	return nil
}

// listNumbers are the numbers of the lists that rows may be on, by their texts.
func listNumbers(per []string) []int {
	if per == nil {
		return nil
	}
	numbers, of := make([]int, len(per)), map[string]int{}
	for i, text := range per {
		n, known := of[text]
		if !known {
			n = len(of)
			of[text] = n
		}
		numbers[i] = n
	}
	return numbers
}

// readLists reads those of the verbs that judge.
func (p *program) readLists(c *cli.Context, of *aim) ([]eval.TopList, error) {
	if err := checkPer(c); err != nil {
		return nil, err
	}
	var lists []eval.TopList
	for _, text := range c.StringSlice("top") {
		l, err := p.readList(text, of)
		if err != nil && strings.Contains(text, ",") && strings.Count(text, "=") > 1 {
			err = fmt.Errorf("%w; of several lists each has a --top of its own", err)
		}
		if err != nil {
			return nil, err
		}
		lists = append(lists, l)
	}
	return lists, nil
}

// readList reads a list of the likeliest rows, such as ill=20 or ill=1%, and warns where it is of a class that matters less than others.
func (p *program) readList(text string, of *aim) (eval.TopList, error) {
	name, length, split := cutLast(text, "=")
	if !split || slices.Contains(of.classes, text) {
		name, length = text, ""
	}
	class := slices.Index(of.classes, name)
	l, ok := lengthOf(length)
	l.Class = class
	likely, why := of.likely()
	if class >= 0 {
		likely, why = name, ""
	}
	example := fmt.Sprintf("such as --top %s or --top %s", quoted(likely+"=20"), quoted(likely+"=1%"))
	_, bare := lengthOf(text)
	_, wrong := csvtext.Share(length)
	switch {
	case wrong != nil && csvtext.HasDecimalComma(strings.TrimSuffix(length, "%")):
		return l, usagef("--top %s: %v", english.Quote(text), wrong)
	case class < 0 && !split && bare:
		return l, usagef("--top %s names no class; write CLASS=N with one of the classes %s, such as --top %s%s", english.Quote(text), nearest.List(of.classes), quoted(likely+"="+text), why)
	case class < 0:
		return l, usagef("--top %s: %w; write CLASS=N, %s%s", english.Quote(text), nearest.Unknown("class", name, of.classes), example, why)
	case length == "":
		return l, usagef("--top %s has no number; write how many rows, or what part of them, %s", english.Quote(text), example)
	case l.Share > 0 && l.Share < 1 && !strings.HasSuffix(length, "%"):
		return l, usagef("--top %s: %s may be %s %% of the rows or %[2]s %%; write --top %[4]s or --top %[5]s", english.Quote(text), strings.TrimSpace(length), typedPercent(l.Share), quoted(name+"="+typedPercent(l.Share)+"%"), quoted(name+"="+strings.TrimSpace(length)+"%"))
	case !ok:
		return l, usagef("--top %s: %s is neither a number of rows, 1 or more, nor a part of them up to 100%%; write one or the other, %s", english.Quote(text), english.Quote(length), example)
	}
	if matter := of.matter(); len(matter) > 0 && !slices.Contains(matter, class) {
		p.warn([]error{fmt.Errorf("--top %s lists the rows likeliest to be %s; what matters most is %s, for which write --top %s", text, english.Quote(name), english.Quote(of.classes[matter[0]]), quoted(of.classes[matter[0]]+"="+length))})
	}
	return l, nil
}

// likely returns the class that a list is most likely wanted of: the one that matters most, else the rarest; and why.
func (a *aim) likely() (class, why string) {
	if matter := a.matter(); len(matter) > 0 {
		class = a.classes[matter[0]]
		return class, fmt.Sprintf(" (%s matters most)", english.Quote(class))
	}
	order := a.order()
	return a.classes[order[len(order)-1]], ""
}

// cutLast cuts a text around the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}

// lengthOf reads how many rows a list has, or what part of all of them: 20, or 1%. Of another number it is not ok.
func lengthOf(text string) (l eval.TopList, ok bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); err == nil {
		l.Rows = float64(n)
		return l, n > 0
	}
	share, err := csvtext.Share(text)
	l.Share = share
	return l, err == nil && share > 0 && share <= 1 && strings.HasSuffix(text, "%")
}

// listText shows a list of a class as it was asked for.
func listText(class string, l eval.TopList) string {
	if l.Share > 0 {
		return class + "=" + typedPercent(l.Share) + "%"
	}
	return class + "=" + count(l.Rows)
}

// typedPercent shows a share as the percentage that was typed, without the sign.
func typedPercent(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) }

// partWords says of lists of so many rows which part of all they are asked for by, where files are of another size.
func partWords(lists []eval.TopList, top []eval.TopListFigures) []string {
	var lines []string
	for i, l := range lists {
		if share := top[i].Share; l.Rows > 0 && share < 1 {
			lines = append(lines, fmt.Sprintf("In files of another size the same part of the rows is --top %s.", quoted(fmt.Sprintf("%s=%.2g%%", top[i].Class, 100*share))))
		}
	}
	return lines
}

// longLists warns of lists that are longer than there are rows.
func longLists(lists []eval.TopList, top []eval.TopListFigures) []error {
	var warnings []error
	for i, l := range lists {
		if all := top[i].Rows; top[i].Share == 1 && top[i].Lists == 0 && l.Rows > all {
			warnings = append(warnings, fmt.Errorf("--top %s: there are only %s rows, so that all are on the list", quoted(top[i].Class+"="+count(l.Rows)), rowsText(all)))
		}
	}
	return warnings
}

// topTable shows what lists are worth, beside what the weights decide as the class.
func topTable(report *eval.Report) *grid {
	g := &grid{head: []string{"list", tables.Unit(report.Weighed), "of all", "precision", "recall", "lift"}}
	for i, l := range report.Top {
		g.add(fmt.Sprintf("likeliest to be %q%s", l.Class, listsWords(l, ", %s")), rowsText(l.Rows), percent(l.Share), within(l.Precision, l.PrecisionInterval, 0), within(l.Recall, l.RecallInterval, 0), liftText(l.Lift))
		if slices.ContainsFunc(report.Top[i+1:], func(o eval.TopListFigures) bool { return o.Class == l.Class }) {
			continue
		}
		all := l.Rows / l.Share
		tuned := report.Rules.Tuned.Classes[l.Class]
		var lift *float64
		if tuned.Precision != nil && tuned.Support > 0 {
			times := *tuned.Precision / (tuned.Support / all)
			lift = &times
		}
		g.add(fmt.Sprintf("decided as %q", l.Class), rowsText(tuned.Predicted), percent(tuned.Predicted/all), within(tuned.Precision, tuned.PrecisionInterval, 0), within(tuned.Recall, tuned.RecallInterval, 0), liftText(lift))
	}
	return g
}

// liftText shows how many times as many rows of a class there are on a list as on one drawn at random.
func liftText(lift *float64) string {
	if lift == nil {
		return "n/a"
	}
	return fixed(*lift, 1)
}

// topWords says what lists are worth.
func (v *verdict) topWords() []string {
	var lines []string
	report := v.report
	where := ""
	if latest(report) != nil {
		where = " in the latest block"
	}
	for i, l := range report.Top {
		if l.Recall == nil { // of which a warning tells
			continue
		}
		class := report.Rules.Tuned.Classes[l.Class]
		right, rightEnds := within100(*l.Precision, l.PrecisionInterval)
		rightOf := " of 100"
		if handful(l.Rows, class) {
			right, rightOf, rightEnds = about(l.Hits), "", rightEnds+" of 100 on other rows"
		}
		found, foundEnds := within100(*l.Recall, l.RecallInterval)
		foundOf := "100 rows"
		if handful(class.Support, class) {
			found, foundOf, foundEnds = about(l.Hits), english.Plural(about(class.Support), "row"), foundEnds+" of 100 on other rows"
		}
		list := "that list"
		if l.Lists > 0 {
			list = "these lists"
		}
		lines = append(lines, fmt.Sprintf("Of the %s likeliest to be %q%s, %s %% of all, %s%s %s of that class (%s), %s as of rows drawn at random. On "+list+" %s %s of %s of %q (%s).",
			weighedText(l.Rows, report.Weighed), l.Class, where+listsWords(l, " on %s"), ofHundred(l.Share), right, rightOf, english.Verb(right, "is", "are"), rightEnds, timesText(*l.Lift), english.Verb(found, "is", "are"), found, foundOf, l.Class, foundEnds))
		lines[len(lines)-1] += v.listCost(&report.Top[i])
		lines = slices.Concat(lines, blocksOfList(judgedIn(report), i), tiedWords(l, report.Weighed), expectedWords(l))
	}
	return lines
}

// listsWords says in that form how many lists there are, if several were asked for.
func listsWords(l eval.TopListFigures, form string) string {
	if l.Lists == 0 {
		return ""
	}
	return fmt.Sprintf(form, english.Plural(l.Lists, "list"))
}

// tiedWords says that rows tie for the last places of a list, and what is counted of them; nothing where they do not.
func tiedWords(l eval.TopListFigures, weighed bool) []string {
	if l.Tied == 0 {
		return nil
	}
	at := "At the end of the list %s are equally likely"
	if l.Lists > 0 {
		at = "At the ends of the lists %s tie"
	}
	return []string{fmt.Sprintf(at+", and there is room for %s: the figures are those of drawing lots. predict --top takes the first of them in the file.", weighedText(l.Tied, weighed), rowsText(l.Places))}
}

// blocksOfList says what to expect of a list of later rows, by its number in blocks; nothing where these do not tell.
func blocksOfList(judged []eval.Block, at int) []string {
	var text []string
	ofRecall, ofPrecision := eval.ListIn(at)
	recall, precision := eval.ForecastShare(judged, ofRecall), eval.ForecastShare(judged, ofPrecision)
	if precision != nil {
		value, ends := within100(precision.Value, &precision.Interval)
		text = append(text, fmt.Sprintf("%s of 100 rows on the list to be of that class (%s)", value, ends))
	}
	if recall != nil {
		value, ends := within100(recall.Value, &recall.Interval)
		text = append(text, fmt.Sprintf("%s of 100 rows of %q to be on the list (%s)", value, judged[0].Top[at].Class, ends))
	}
	if text == nil {
		return nil
	}
	return []string{fmt.Sprintf("On later rows expect %s.", strings.Join(text, ", and ")) + wideWords(recall, precision, judged, judged[0].Top[at].Class)}
}

// expectedWords says whether as many rows of a list are of its class as their probabilities make expected, but for chance.
func expectedWords(l eval.TopListFigures) []string {
	if l.Expected == nil {
		return nil
	}
	expected, hits := about(*l.Expected), about(l.Hits)
	chance := "as many"
	switch share := *l.Expected / l.Rows; {
	case l.PrecisionInterval[1] < share:
		chance = "fewer by more than chance"
	case share < l.PrecisionInterval[0]:
		chance = "more by more than chance"
	case expected != hits && l.Hits < *l.Expected:
		chance = "fewer, which may be chance"
	case expected != hits:
		chance = "more, which may be chance"
	}
	if l.Hits != math.Trunc(l.Hits) { // of rows as likely as the last of the list a part counts
		hits = "about " + hits
	}
	return []string{fmt.Sprintf("By their probabilities %s of the list %s expected to be %q, %s %s: %s.", expected, english.Verb(expected, "was", "were"), l.Class, hits, english.Verb(hits, "is", "are"), chance)}
}

// timesText says how many times as many there are.
func timesText(x float64) string {
	if times := about(x); times != "1" {
		return times + " times as many"
	}
	return "as many"
}

// weighedText shows a number of rows, or what they weigh.
func weighedText(rows float64, weighed bool) string {
	if weighed {
		return "rows of weight " + rowsText(rows)
	}
	return english.Plural(rowsText(rows), "row")
}
