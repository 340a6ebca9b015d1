// Package inspected has the sorts of what an inspection of a table finds; to others they are text.
package inspected

// The sorts of findings.
const (
	Fault         = "fault"         // the column cannot be read as it is
	Labels        = "labels"        // something about the column of labels
	Answer        = "answer"        // the same as the label in every row
	Tells         = "tells"         // tells the class nearly alone, or one class from all others
	Gaps          = "gaps"          // missing cells tell a class
	Names         = "names"         // names the rows
	Dates         = "dates"         // dates that are read as categories
	Ordered       = "ordered"       // the rows are sorted by it, as by a time
	Calendar      = "calendar"      // parts of a date, such as a month
	Empty         = "empty"         // has no value
	Constant      = "constant"      // has a single value
	Missing       = "missing"       // words or numbers that may stand for a missing cell
	Codes         = "codes"         // numbers that may be names of categories, or categories that may be numbers
	Outlying      = "outlying"      // a number far beyond all others
	Digits        = "digits"        // numbers that lost digits, or whose points may mark thousands
	Repeated      = "repeated"      // rows that equal an earlier one
	Contradicting = "contradicting" // equal rows of different classes
	File          = "file"          // something about the file as a whole
	Unmet         = "unmet"         // words for a missing cell that no cell holds
)
