package pragma

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/vote"
)

// sliceDelimiters cannot stand in the name of a column or in a value unless it is quoted.
const sliceDelimiters = delimiters + "@"

// sliceText returns what follows the limit of a floor; "" of all rows.
func sliceText(s vote.Slice) string {
	if s == (vote.Slice{}) {
		return ""
	}
	return "@" + sliceWord(s.Column) + "=" + sliceWord(s.Value)
}

// sliceWord returns a name in quotes if it needs them.
func sliceWord(name string) string {
	if strings.Contains(name, "@") {
		return strconv.Quote(name)
	}
	return quoted(name)
}

// parseSlice reads COLUMN=VALUE, which a text ends with from a place on.
func parseSlice(text string, at int) (vote.Slice, error) {
	p := &parser{text: text, at: at}
	const form = `; write such as @region=north, and quote a name with one of ` + sliceDelimiters + ` in it`
	word := func(what string) (string, error) {
		p.blanks()
		start := p.at
		if strings.HasPrefix(p.text[p.at:], `"`) {
			return p.name()
		}
		if name := p.word(sliceDelimiters); name != "" {
			return name, nil
		}
		return "", p.fault(start, errors.New("the "+what+" of a group is missing behind @"+form))
	}
	column, err := word("column")
	if err != nil {
		return vote.Slice{}, err
	}
	if !p.take('=') {
		return vote.Slice{}, p.fault(p.at, errors.New("the value of a group is missing behind @"+form))
	}
	value, err := word("value")
	if err != nil {
		return vote.Slice{}, err
	}
	if p.blanks(); p.at < len(text) {
		return vote.Slice{}, p.fault(p.at, errors.New("this is too much behind the value of a group"+form))
	}
	if column == "" {
		return vote.Slice{}, p.fault(at, errors.New("the column of a group has no name"+form))
	}
	return vote.Slice{Column: column, Value: value}, nil
}
