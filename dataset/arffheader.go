package dataset

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// readHeader reads the lines up to @data.
func (a *arff) readHeader() error {
	first := map[string]int{} // line of each attribute
	for {
		text, err := a.lines.Next()
		if csvtext.Ended(err) {
			return csvtext.Faultf(a.lines.File, Pos{}, "",
				"there is no line @data, so the file is no ARFF or cut short; put it between the attributes and the rows")
		}
		if err != nil {
			return err
		}
		s := &arffScan{lines: a.lines, text: text}
		if s.done() {
			continue
		}
		begin := s.at
		keyword := s.word()
		switch strings.ToLower(keyword) {
		case "@relation":
			a.related = true
		case "@attribute":
			if err := a.declare(s, first); err != nil {
				return err
			}
		case "@input", "@inputs", "@output", "@outputs": // of KEEL, which names the label so
			a.keel = true
		case "@data":
			if len(a.attributes) == 0 {
				return s.faultAt(begin, "no attribute is declared above @data; write a line such as @attribute age numeric for "+
					"each column")
			}
			return s.end("keyword")
		default:
			return s.faultAt(begin, "%s is not a line of an ARFF header; write @relation, @attribute or @data, or %% before a "+
				"comment%s", csvtext.Show(keyword), a.otherForm())
		}
	}
}

// otherForm tells how to read a file that does not begin as ARFF does, "" of one that does.
func (a *arff) otherForm() string {
	if a.related || len(a.attributes) > 0 {
		return ""
	}
	return option.Text("; if this is CSV in spite of its name, use {input-format csv}")
}

// declare reads an attribute.
func (a *arff) declare(s *arffScan, first map[string]int) error {
	if s.done() {
		return s.fault("the attribute has no name; write @attribute NAME TYPE")
	}
	begin := s.at
	name, err := s.name()
	if err != nil {
		return err
	}
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return s.faultAt(begin, "the attribute has no name; write @attribute NAME TYPE")
	case len(name) > maxName:
		return csvtext.Limitf("%s: the name of an attribute has more than %d bytes; shorten it", s.place(begin), maxName)
	case first[name] > 0:
		return s.faultAt(begin, "attribute %s is declared on line %d already; rename one", english.Quote(name), first[name])
	case len(a.attributes) == maxColumns:
		return csvtext.Limitf("%s: more than %d attributes; leave some out", s.place(begin), maxColumns)
	}
	first[name] = a.lines.Line()
	t := attribute{name: strings.Clone(name)}
	if err := t.readType(s); err != nil {
		return err
	}
	a.attributes = append(a.attributes, t)
	return nil
}

const attributeTypes = "numeric, real, integer, string, or the categories in braces, such as {yes,no}"

// readType reads what stands behind the name of an attribute.
func (t *attribute) readType(s *arffScan) error {
	if s.done() {
		return s.fault("attribute %s has no type; write %s", english.Quote(t.name), attributeTypes)
	}
	begin := s.at
	if s.text[s.at] == '{' {
		t.kind = nominalAttribute
		return t.readLevels(s)
	}
	word, bounds, bounded := strings.Cut(s.word(), "[")
	if bounded { // real[0,1], as KEEL has it
		s.at -= len("[" + bounds)
	}
	switch strings.ToLower(word) {
	case "numeric", "real", "integer":
		t.kind = numericAttribute
		if err := s.bounds(); err != nil {
			return err
		}
	case "string":
		t.kind = stringAttribute
	case "date":
		t.kind = dateAttribute
		return nil // a pattern may follow
	case "relational":
		return s.faultAt(begin, "attribute %s is relational, a table in each cell; write its columns as attributes of "+
			"their own", english.Quote(t.name))
	default:
		cure := ""
		if strings.Contains(word, ",") {
			cure = ", and put braces around categories"
		}
		return s.faultAt(begin, "attribute %s has the unknown type %s; write %s%s", english.Quote(t.name), csvtext.Show(word),
			attributeTypes, cure)
	}
	return s.end("type")
}

// bounds reads what KEEL writes behind the type of a number, the least and the largest value, as in [18, 94]. They say
// nothing that the cells do not.
func (s *arffScan) bounds() error {
	if s.done() || s.text[s.at] != '[' {
		return nil
	}
	end := strings.IndexByte(s.text[s.at:], ']')
	if end < 0 {
		return s.fault("the bracket of the least and the largest value is never closed; close it on this line")
	}
	s.at += end + 1
	return nil
}

// readLevels reads the categories in braces. There is at least one.
func (t *attribute) readLevels(s *arffScan) error {
	t.known = map[string]bool{}
	for {
		s.at++ // the brace or a comma
		if s.done() {
			return s.fault("the brace of the categories of attribute %s is never closed; close it on this line",
				english.Quote(t.name))
		}
		begin := s.at
		if s.text[s.at] == '}' && len(t.levels) == 0 {
			return s.fault("attribute %s has no categories; write some in the braces", english.Quote(t.name))
		}
		level, _, err := s.value(",}", "category")
		if err != nil {
			return err
		}
		switch {
		case t.known[level]:
			return s.faultAt(begin, "attribute %s has the category %s twice; remove one", english.Quote(t.name),
				english.Quote(level))
		case len(level) > maxName:
			return csvtext.Limitf("%s: attribute %s: a category has more than %d bytes; shorten it", s.place(begin),
				english.Quote(t.name), maxName)
		case len(t.levels) == maxLevels:
			return csvtext.Limitf("%s: attribute %s has more than %d categories; declare it as string, and if it names the "+
				"rows use %s",
				s.place(begin), english.Quote(t.name), maxLevels, csvtext.Flag("id", t.name, "COL"))
		}
		level = strings.Clone(level)
		t.known[level] = true
		t.levels = append(t.levels, level)
		if s.done() {
			return s.fault("the brace of the categories of attribute %s is never closed; close it on this line",
				english.Quote(t.name))
		}
		switch s.text[s.at] {
		case '}':
			s.at++
			return s.end("categories")
		case ',':
		default:
			return s.fault("a comma is missing here; separate the categories by commas, and quote one with blanks in it")
		}
	}
}

// arffScan reads the parts of a line.
type arffScan struct {
	lines *csvtext.Lines
	text  string
	at    int
}

// done skips blanks and reports whether nothing but a comment is left.
func (s *arffScan) done() bool {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
	return s.at == len(s.text) || s.text[s.at] == '%'
}

// word reads up to the next blank or brace.
func (s *arffScan) word() string {
	begin := s.at
	for s.at < len(s.text) && strings.IndexByte(" \t{", s.text[s.at]) < 0 {
		s.at++
	}
	return s.text[begin:s.at]
}

// name reads a word, or a text in quotes.
func (s *arffScan) name() (string, error) {
	if s.text[s.at] == '\'' || s.text[s.at] == '"' {
		return s.quoted()
	}
	return s.word(), nil
}

// value reads a text in quotes, or one without up to a blank or one of the stops.
func (s *arffScan) value(stops, what string) (value string, quoted bool, err error) {
	if s.done() || strings.IndexByte(stops, s.text[s.at]) >= 0 {
		return "", false, s.fault("a %s is missing here; write it, or ? for a missing one", what)
	}
	if s.text[s.at] == '\'' || s.text[s.at] == '"' {
		value, err = s.quoted()
		return value, true, err
	}
	begin := s.at
	for ; s.at < len(s.text) && s.text[s.at] != ' ' && s.text[s.at] != '\t' && strings.IndexByte(stops,
		s.text[s.at]) < 0; s.at++ {
		if c := s.text[s.at]; c == '\'' || c == '"' {
			return "", false, s.fault("a quote stands inside a %s that does not begin with one; quote the whole and write \\%c",
				what, c)
		}
	}
	return s.text[begin:s.at], false, nil
}

// quoted reads a text in single or double quotes, with escapes as in C.
func (s *arffScan) quoted() (string, error) {
	begin, mark := s.at, s.text[s.at]
	var changed []byte // the text so far, where it has escapes
	from := s.at + 1
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case mark:
			text := s.text[from:s.at]
			if changed != nil {
				text = string(append(changed, text...))
			}
			if s.at++; s.at < len(s.text) && strings.IndexByte(" \t,{}%", s.text[s.at]) < 0 {
				return "", s.fault("text follows a closing quote; write a quote within quotes as \\%c", mark)
			}
			return text, nil
		case '\\':
			changed = append(changed, s.text[from:s.at]...)
			if s.at++; s.at == len(s.text) {
				break
			}
			c := s.text[s.at]
			if i := strings.IndexByte("nrt", c); i >= 0 {
				c = "\n\r\t"[i]
			}
			changed = append(changed, c)
			from = s.at + 1
		}
	}
	return "", s.faultAt(begin, "the quote opened here is not closed on this line; close it")
}

// end reports what follows where a line should end.
func (s *arffScan) end(what string) error {
	if !s.done() {
		return s.fault("%s follows the %s; remove it", csvtext.Show(s.text[s.at:]), what)
	}
	return nil
}

func (s *arffScan) place(at int) string {
	return Pos{Line: s.lines.Line(), Column: at + 1}.In(s.lines.File)
}

func (s *arffScan) fault(format string, args ...any) error { return s.faultAt(s.at, format, args...) }

func (s *arffScan) faultAt(at int, format string, args ...any) error {
	return s.lines.Faultf(min(at, len(s.text)), "", "%s", fmt.Sprintf(format, args...))
}
