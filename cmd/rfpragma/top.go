package main

import (
	"fmt"
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

// listsWords says in that form how many lists there are, if several were asked for.
func listsWords(l eval.TopListFigures, form string) string {
	if l.Lists == 0 {
		return ""
	}
	return fmt.Sprintf(form, english.Plural(l.Lists, "list"))
}

// weighedText shows a number of rows, or what they weigh.
func weighedText(rows float64, weighed bool) string {
	if weighed {
		return "rows of weight " + rowsText(rows)
	}
	return english.Plural(rowsText(rows), "row")
}
