package pragma

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
)

// form is shown wherever the text form is misunderstood.
const form = "write class:theta=10,x=0.2,y=0.6"

// delimiters cannot stand in a class name unless it is quoted.
const delimiters = `:;,="`

var keys = []string{"theta", "x", "y"}

// ParseSpec reads the text form of a Spec: classes separated by semicolons, each with its three numbers, in any
// order (a comma will do between classes without numbers):
//
//	ill:theta=10,x=0.2,y=0.6;well:theta=1,x=0.8,y=0.8
//
// A class without numbers has the preference [Find], and ill:priority is that of [Priority]; * stands for all
// classes that are not named. X and y may be percentages: x=20% is x=0.2. Blanks around names and numbers do not
// count. A name that contains one of : ; , = " or has blanks at its ends is written in double quotes with the
// escapes of Go.
//
// Errors: *[SpecError] with the place, counted in characters.
func ParseSpec(text string) (Spec, error) {
	p := &parser{text: text}
	s := Spec{}
	var list []string // classes without numbers, each before a comma
	for {
		p.blanks()
		start := p.at
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		if _, dup := s[name]; dup {
			return nil, p.fault(start, fmt.Errorf("class %s is named twice; keep one", english.Quote(name)))
		}
		pref, plain := Find(), true
		if p.take(':') {
			plain = false
			if pref, err = p.preference(start, name); err != nil {
				return nil, err
			}
			if list != nil {
				return nil, p.fault(start, unclear(list, name, pref))
			}
		}
		if err := p.keyAfterSemicolon(); err != nil {
			return nil, err
		}
		s[name] = pref
		if p.at == len(p.text) {
			return s, nil
		}
		if slices.Contains(keys, name) && p.next() == "=" {
			return nil, p.fault(start, fmt.Errorf("the class is missing before %s; %s", name, form))
		}
		switch {
		case plain && p.next() == "=" && p.text[start] != '"':
			return nil, p.fault(p.at, fmt.Errorf("unexpected %q after class %s; %s; %s", "=", english.Quote(name), form,
				p.inQuotes(start)))
		case p.take(';'):
			list = nil
		case plain && p.take(','):
			list = append(list, name)
		default:
			return nil, p.fault(p.at, fmt.Errorf(
				"unexpected %q after class %s; %s, put a semicolon between classes, as in 'a;b', and quote a name that contains "+
					"one of %s", p.next(), english.Quote(name), form, delimiters))
		}
	}
}

// unclear is the error for numbers that end a list of names with commas: they may be meant for all, or for the last.
func unclear(list []string, last string, pref Preference) error {
	own := Spec{last: pref}
	all := Spec{last: pref}
	for i, name := range list {
		all[name], list[i] = pref, quoted(name)
	}
	return fmt.Errorf("theta, x and y after %s may be meant for the classes before it, too; write '%s' if they are, "+
		"else '%s;%s'", english.Quote(last), all, strings.Join(list, ";"), own)
}

// String returns the text form, sorted by class: ParseSpec(s.String()) equals s, unless s is
// empty, comes from [Spec.For], or has values that [Spec.Resolve] refuses.
func (s Spec) String() string {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(s)) {
		if i > 0 {
			b.WriteByte(';')
		}
		p := s[name]
		if p == Find() {
			b.WriteString(quoted(name))
			continue
		}
		fmt.Fprintf(&b, "%s:theta=%v,x=%v,y=%v", quoted(name), p.Theta, p.X, p.Y)
	}
	return b.String()
}

// quoted returns name in quotes if it needs them.
func quoted(name string) string {
	q := strconv.Quote(name)
	plain := q == `"`+name+`"` && name != "" && strings.TrimSpace(name) == name && !strings.ContainsAny(name, delimiters)
	if plain {
		return name
	}
	return q
}

// parser walks through a text form.
type parser struct {
	text string
	at   int // byte
}

func (p *parser) fault(at int, err error) error {
	return &SpecError{Column: utf8.RuneCountInString(p.text[:at]) + 1, Err: err}
}

func (p *parser) blanks() {
	p.at = len(p.text) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
}

// next returns the character to come, "" at the end.
func (p *parser) next() string {
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	return p.text[p.at : p.at+size]
}

// take skips blanks, then b if it comes next.
func (p *parser) take(b byte) bool {
	p.blanks()
	if p.at < len(p.text) && p.text[p.at] == b {
		p.at++
		return true
	}
	return false
}

// word returns the text before the next of stops, without blanks at its ends.
func (p *parser) word(stops string) string {
	end := strings.IndexAny(p.text[p.at:], stops)
	if end < 0 {
		end = len(p.text) - p.at
	}
	word := p.text[p.at : p.at+end]
	p.at += end
	return strings.TrimSpace(word)
}

// name reads the name of a class, quoted or not.
func (p *parser) name() (string, error) {
	p.blanks()
	start := p.at
	if !strings.HasPrefix(p.text[p.at:], `"`) {
		if name := p.word(delimiters); name != "" {
			return name, nil
		}
		return "", p.fault(start, errors.New("the name of a class is missing; "+form))
	}
	quoted, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil {
		return "", p.fault(start, errors.New(
			"the quoted name does not end, or has an escape that Go does not know; "+
				`add the missing ", and write \" and \\ for a quote and a backslash`))
	}
	p.at += len(quoted)
	p.blanks()
	return strconv.Unquote(quoted)
}

// preference reads the three numbers after the colon of the class that begins at start.
func (p *parser) preference(start int, class string) (Preference, error) {
	if ahead := (&parser{text: p.text, at: p.at}); ahead.word(delimiters) == "priority" && !ahead.take('=') {
		p.at = ahead.at
		return Priority(), nil
	}
	if err := p.colonInName(start); err != nil {
		return Preference{}, err
	}
	values := map[string]float64{}
	for {
		key, v, err := p.pair(values)
		if err != nil {
			return Preference{}, err
		}
		values[key] = v
		if !p.take(',') {
			break
		}
	}
	if err := p.keyAfterSemicolon(); err != nil {
		return Preference{}, err
	}
	pref, err := fromValues(class, values)
	if err != nil {
		return Preference{}, p.fault(start, err)
	}
	return pref, nil
}

// colonInName is the error for a word behind the colon of the class that begins at start that is no key, and has no
// number: it may belong to the name.
func (p *parser) colonInName(start int) error {
	ahead := &parser{text: p.text, at: p.at}
	ahead.blanks()
	at := ahead.at
	key := ahead.word(delimiters)
	_, form := csvtext.ParseNumber(key)
	if key == "" || slices.Contains(keys, key) || form != csvtext.Word || ahead.take('=') || p.text[start] == '"' {
		return nil
	}
	return p.fault(at, fmt.Errorf("unknown key %s; known are theta, x and y; %s", english.Quote(key), p.inQuotes(start)))
}

// A colon that ends the name of a class.
var lastColon = regexp.MustCompile(`:\s*(theta|x|y)\s*=`)

// inQuotes is how the whole text is written if the class that begins at start has a delimiter in its name.
func (p *parser) inQuotes(start int) string {
	rest := p.text[start:]
	name, _, _ := strings.Cut(rest, ";")
	name, _, _ = strings.Cut(name, ",")
	if at := lastColon.FindStringIndex(name); at != nil {
		name = name[:at[0]]
	}
	class := strings.TrimSpace(name)
	return fmt.Sprintf("if the class is called %s, write %s", english.Quote(class), csvtext.Quote(p.text[:start]+
		quoted(class)+rest[len(name):], `"CLASS"`))
}

// pair reads key=number, where key is not among the known values yet.
func (p *parser) pair(known map[string]float64) (string, float64, error) {
	p.blanks()
	start := p.at
	key := p.word(delimiters)
	if key == "" {
		return "", 0, p.fault(start, errors.New("theta, x or y is missing; "+form))
	}
	if err := p.commaFault(start, key); err != nil {
		return "", 0, err
	}
	if _, kind := csvtext.ParseNumber(strings.TrimSuffix(key, "%")); kind != csvtext.Word {
		return "", 0, p.fault(start, fmt.Errorf("it is not said what the number %s is, theta, x or y; %s", key, form))
	}
	if err := checkKey(key, known); err != nil {
		return "", 0, p.fault(start, err)
	}
	if !p.take('=') {
		return "", 0, p.fault(p.at, fmt.Errorf("%s has no value; %s", key, form))
	}
	p.blanks()
	start = p.at
	v, err := number(key, p.word(",;"))
	if err != nil {
		ahead := &parser{text: p.text, at: p.at}
		ahead.take(',') // it may be the number, not its part, that is to be told
		ahead.blanks()
		behind := ahead.at
		return "", 0, cmp.Or(p.commaFault(behind, ahead.word(delimiters)), p.fault(start, err))
	}
	return key, v, nil
}

// commaFault is the error for a key that is a part of a number, nil where it is none.
func (p *parser) commaFault(start int, key string) error {
	if key != "" && p.behindComma(start, key) {
		return p.fault(start, errors.New("a comma separates theta, x and y; "+csvtext.PointCure))
	}
	return nil
}

// number reads the value of a key.
func number(key, text string) (float64, error) {
	read := csvtext.Share
	if key == "theta" {
		read = csvtext.Typed
	}
	v, err := read(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", key, err)
	}
	return v, checkValue(key, v)
}

// Digits with points between thousands.
var pointed = regexp.MustCompile(`^\d{1,3}(\.\d{3})+$`)

// behindComma tells whether digits that stand in the place of a key, after a comma, are the end of a number: the 2
// of x=0,2, the 00 of theta=3.000,00.
func (p *parser) behindComma(start int, key string) bool {
	before := strings.TrimRight(p.text[:start], " \t\r\n,")
	before = strings.TrimSpace(before[strings.LastIndexAny(before, delimiters)+1:])
	if pointed.MatchString(before) {
		before = strings.ReplaceAll(before, ".", "")
	}
	_, form := csvtext.ParseNumber(before + "." + strings.TrimSuffix(key, "%"))
	return before != "" && form != csvtext.Word && strings.Trim(before, "+-0123456789") == ""
}

// keyAfterSemicolon refuses a semicolon where a comma is meant, as in ill:theta=10;x=0.2.
func (p *parser) keyAfterSemicolon() error {
	ahead := &parser{text: p.text, at: p.at}
	if !ahead.take(';') {
		return nil
	}
	ahead.blanks()
	start := ahead.at
	if key := ahead.word(delimiters); slices.Contains(keys, key) && ahead.take('=') {
		return p.fault(start, fmt.Errorf(
			"%s stands after a semicolon, which separates classes; put commas between theta, x and y: %s", key, form))
	}
	return nil
}

// checkKey refuses keys that are unknown or among the known values already.
func checkKey(key string, known map[string]float64) error {
	if is := figureOf(key); slices.Contains(figures, is) {
		return fmt.Errorf(option.Text("%s is none of theta, x and y; it can be required beside the preference: {require} "+
			"'CLASS:%s'"), english.Quote(key), is.example())
	}
	if !slices.Contains(keys, key) {
		return nearest.Unknown("key", key, keys)
	}
	if _, dup := known[key]; dup {
		return fmt.Errorf("%s is given twice; keep one", key)
	}
	return nil
}

// fromValues makes a preference of values, which must be complete.
func fromValues(class string, values map[string]float64) (Preference, error) {
	for _, key := range keys {
		if _, ok := values[key]; !ok {
			return Preference{}, fmt.Errorf("class %s has no %s; give theta, x and y", english.Quote(class), key)
		}
	}
	return Preference{Theta: values["theta"], X: values["x"], Y: values["y"]}, nil
}
