package scoring

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma"
)

// Answers puts the decisions for rows into JSON.
type Answers struct {
	Batch    *Batch
	Reasons  int    // how many there are to be of each row, at most
	Withhold bool   // no decision is given of rows that lack what decides
	Lines    *Lines // of a stream, in which rows have numbers; else nil
}

// UndecidedText stands in the place of a decision that is withheld.
const UndecidedText = `"undecided"`

// row appends the members of the object of row i, without the braces.
func (a *Answers) row(to []byte, i int) []byte {
	b, k := a.Batch, a.Batch.Of.K
	z := b.Zone[i]
	if a.Lines != nil {
		to = append(strconv.AppendInt(append(to, `"row":`...), int64(a.Lines.numbers[i]), 10), ',')
	}
	to = append(to, `"decision":`...)
	if b.Withheld(i, a.Withhold) {
		to = append(to, UndecidedText...)
	} else {
		to = append(to, b.Of.Names[b.Class[i]]...)
	}
	to = append(append(append(to, `,"zone":"`...), ZoneNames[z]...), `","probabilities":{`...)
	for c, p := range b.Prob[i*k : (i+1)*k] {
		if c > 0 {
			to = append(to, ',')
		}
		to = AppendNumber(append(to, b.Of.members[c]...), p)
	}
	to = append(to, `},"votes":{`...)
	unit := b.Of.Model.Forest.Whole()
	for c, v := range b.votes[i*k : (i+1)*k] {
		if c > 0 {
			to = append(to, ',')
		}
		to = AppendNumber(append(to, b.Of.members[c]...), float64(v)/unit)
	}
	to = append(to, '}')
	if z == Undecided {
		to = AppendValue(append(to, `,"lacks":`...), b.lacks[i])
	}
	if a.Reasons > 0 {
		to = AppendValue(append(to, `,"reasons":`...), a.reasonsOf(i))
	}
	return a.findings(to, i)
}

// reasonsOf says why a row is decided as it is.
func (a *Answers) reasonsOf(i int) []rfpragma.Reason {
	m := a.Batch.Of.Model
	// the row, the class and the number are sound by now
	reasons, _ := m.Reasons(a.Batch.Row(i), m.Classes()[a.Batch.Class[i]], a.Reasons)
	return reasons
}

// findings appends the findings about row i, if there are any.
func (a *Answers) findings(to []byte, i int) []byte {
	found := a.Batch.notesOf(i)
	if len(found) == 0 {
		return to
	}
	to = append(to, `,"findings":`...)
	for n, of := range found {
		to = append(append(append(append(to, "[,"[min(n, 1)]), `{"code":"`...), of.Code...), `","column":`...)
		if to = AppendText(to, of.Column); of.Code == UnseenCategory {
			to = AppendText(append(to, `,"value":`...), of.Value)
		}
		to = append(to, '}')
	}
	return append(to, ']')
}

// AppendText appends a text of JSON.
func AppendText(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return AppendValue(to, text)
		}
	}
	return append(append(append(to, '"'), text...), '"')
}

// AppendValue appends what encoding/json makes of a value that it knows.
func AppendValue(to []byte, v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return append(to, "null"...)
	}
	return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// AppendNumber appends a number with all its digits, which JSON has no NaN among.
func AppendNumber(to []byte, v float64) []byte {
	switch {
	case v == math.Trunc(v) && math.Abs(v) < 1<<53:
		return strconv.AppendInt(to, int64(v), 10)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(to, "null"...)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}
