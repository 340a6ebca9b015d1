package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/note"
)

// allForms are the forms of a result: for people on a terminal, for programs, for a document.
const allForms = "table, json, csv, markdown"

// resultForm reads --format of a verb that has all forms.
func resultForm(c *cli.Context) (string, error) { return format(c, strings.Split(allForms, ", ")...) }

// schemaVersion is the version of all JSON output. It changes when a field changes its
// meaning or goes; new fields may come at any time.
const schemaVersion = 1

// heading begins each result.
type heading struct {
	SchemaVersion int    `json:"schema_version"` // of this page; see above
	Command       string `json:"command"`        // the verb
}

// remarks end the results that have something to say.
type remarks struct {
	Warnings []string `json:"warnings"` // what one should know although the work went on
	Words    []string `json:"words"`    // the result in plain words, sentence by sentence
}

// remarks are the words, and what was warned of so far, of which the details are among the words.
func (p *program) remarks(words []string) remarks {
	out := remarks{[]string{}, append([]string{}, words...)}
	for _, w := range p.warned {
		out.Warnings = append(out.Warnings, w.Error())
		if detail := note.Detail(w); detail != "" {
			out.Words = append(out.Words, detail)
		}
	}
	return out
}

// writeJSON writes v, indented, numbers unrounded.
func (p *program) writeJSON(v any) error {
	enc := json.NewEncoder(p.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// writeCSV writes records with their header.
func (p *program) writeCSV(head []string, records [][]string) error {
	out := csv.NewWriter(p.stdout)
	if err := out.Write(head); err != nil {
		return err
	}
	return out.WriteAll(records)
}

// number writes x so that it reads back as the same number.
func number(x float64) string { return string(csvtext.AppendNumber(nil, x)) }

// maybe writes x, or nothing where it cannot be computed.
func maybe(x *float64) string {
	if x == nil {
		return ""
	}
	return number(*x)
}

// fixed shows a number with so many digits after the point. What rounds to zero has no sign.
func fixed(x float64, digits int) string { return english.Fixed(x, digits) }

// underOne is fixed for what is not shown as 1 where it is less.
func underOne(x float64, digits int) string {
	if one := fixed(1, digits); x < 1 && fixed(x, digits) == one {
		return "> " + fixed(1-math.Pow10(-digits), digits)
	}
	return fixed(x, digits)
}

// percent shows a share to a tenth of a percent, and more exactly where that looks like none or all.
func percent(x float64) string { return english.Percent(x, 1) }

// rounded leaves out decimals that say nothing, in a sentence.
func rounded(percent string) string { return english.Rounded(percent) }

// percentOr shows a share, or n/a.
func percentOr(x *float64) string {
	if x == nil {
		return "n/a"
	}
	return percent(*x)
}

// within shows a share with its interval, if it has one, with so many decimals at least.
func within(x *float64, interval *[2]float64, decimals int) string {
	switch {
	case x == nil:
		return "n/a"
	case interval == nil:
		return english.Percent(*x, decimals)
	}
	value, ends := english.Within(*x, interval[0], interval[1], decimals)
	return value + " % (" + ends + ")"
}

// weightText shows a vote weight with three digits.
func weightText(w float64) string {
	switch {
	case math.IsInf(w, 1):
		return "∞"
	case w >= 1000:
		return fmt.Sprintf("%.0f", w)
	}
	return strconv.FormatFloat(w, 'g', 3, 64)
}

// plateauText shows the weights that do just as well.
func plateauText(p rfpragma.Interval) string {
	low, high := weightText(p.Low), weightText(p.High)
	switch {
	case low == high:
		return "no other"
	case p.Low == 0 && math.IsInf(p.High, 1):
		return "any"
	case p.Low == 0:
		return "up to " + high
	case math.IsInf(p.High, 1):
		return "from " + low
	}
	return low + " to " + high
}

// rowsText shows a number of rows, which is a mean over repeats.
func rowsText(x float64) string {
	if x == math.Trunc(x) {
		return count(x)
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// count shows a number of rows, or a sum of weights.
func count(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
