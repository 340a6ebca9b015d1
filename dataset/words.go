package dataset

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// Texts that often stand for a missing cell, and yet may be real: NA is Namibia.
var missingWords = map[string]bool{"NA": true, "N/A": true, "n/a": true, "NaN": true, "nan": true, "NULL": true,
	"null": true, "?": true,
	"n.a.": true, "<NA>": true, "#N/A": true, "#DIV/0!": true, "#VALUE!": true, "#REF!": true, "#NAME?": true,
	"#NUM!": true,
	"#NV":   true, "#WERT!": true, "#BEZUG!": true, "k.A.": true, "k. A.": true, "(null)": true}

// Labels that often say that the label is not known yet, in lower case.
var unknownLabels = map[string]bool{"unknown": true, "pending": true, "undetermined": true, "undecided": true,
	"unclear": true, "inconclusive": true, "unlabelled": true, "unlabeled": true,
	"tbd": true, "unbekannt": true, "unklar": true}

func roundedText(column string, n int) string {
	return fmt.Sprintf("column %s: %s above 2^53 lost digits; if the column names things, use %s", english.Quote(column),
		english.Plural(n, "whole number"), csvtext.Flag("categorical", column, "COL"))
}

func tinyText(column string, n int) string {
	return fmt.Sprintf("column %s: %s too close to 0 became 0", english.Quote(column), english.Plural(n, "number"))
}

func columnText(column, format string, args ...any) string {
	return fmt.Sprintf("column %s: "+option.Text(format), append([]any{english.Quote(column)}, args...)...)
}

// calledID tells whether a column is called id, or ends so.
func calledID(name string) bool {
	lower := strings.ToLower(name)
	for _, end := range []string{"_id", "-id", " id", ".id"} {
		if strings.HasSuffix(lower, end) {
			return true
		}
	}
	return lower == "id" || strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "Id")
}

// things are the last words of names of columns that say what a row belongs to, where several rows have the same.
var things = []string{"account", "client", "customer", "device", "employee", "id", "machine", "member", "no", "nr",
	"number", "patient", "person", "subject", "unit", "user", "vehicle"}
