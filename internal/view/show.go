package view

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// AllForms are the forms of a result: for people on a terminal, for programs, for a document.
const AllForms = "table, json, csv, markdown"

// SchemaVersion is the version of all JSON output. It changes when a field changes its
// meaning or goes; new fields may come at any time.
const SchemaVersion = 1

// Heading begins each result.
type Heading struct {
	SchemaVersion int    `json:"schema_version"` // of this page; see Above
	Command       string `json:"command"`        // the verb
}

// Remarks end the results that have something to say.
type Remarks struct {
	Warnings []string `json:"warnings"` // what one should know although the work went on
	Words    []string `json:"words"`    // the result in plain words, sentence by sentence
}

// Number writes x so that it reads back as the same number.
func Number(x float64) string { return string(csvtext.AppendNumber(nil, x)) }

// Maybe writes x, or nothing where it cannot be computed.
func Maybe(x *float64) string {
	if x == nil {
		return ""
	}
	return Number(*x)
}

// underOne is fixed for what is not shown as 1 where it is less.
func underOne(x float64, digits int) string {
	if one := english.Fixed(1, digits); x < 1 && english.Fixed(x, digits) == one {
		return "> " + english.Fixed(1-math.Pow10(-digits), digits)
	}
	return english.Fixed(x, digits)
}

// percentOr shows a share, or n/a.
func percentOr(x *float64) string {
	if x == nil {
		return "n/a"
	}
	return english.Percent(*x, 1)
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
