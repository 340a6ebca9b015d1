package scoring

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// scanner reads a text of JSON token by token, in the order in which they come, and makes no values of them.
type scanner struct {
	data []byte
	at   int
}

// SyntaxError is a place where a text is no JSON, or no rows.
type SyntaxError struct {
	At   int // bytes before it
	What string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %s", e.At+1, e.What) }

func (s *scanner) fail(what string) error {
	if s.at >= len(s.data) {
		what = "the text ends too early; send all of it"
	}
	return &SyntaxError{s.at, what}
}

// next returns the byte that the next token begins with, 0 at the end.
func (s *scanner) next() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\n', '\r', '\t':
		default:
			return c
		}
	}
	return 0
}

// take reads the next token if it is that one.
func (s *scanner) take(c byte) bool {
	if s.next() != c || c == 0 {
		return false
	}
	s.at++
	return true
}

// text reads a string. What it returns is part of the data, unless something in it is escaped.
func (s *scanner) text() ([]byte, error) {
	if !s.take('"') {
		return nil, s.fail(`a text in " is expected`)
	}
	begin, plain := s.at, true
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; {
		case c == '"':
			s.at++
			if plain {
				return s.data[begin : s.at-1], nil
			}
			return unescaped(s.data[begin-1:s.at], begin)
		case c == '\\':
			plain = false
			s.at++
		case c < ' ':
			return nil, s.fail("a text has a control character; escape it")
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(s.data[s.at:])
			if r == utf8.RuneError && size == 1 {
				return nil, s.fail("a text is not UTF-8; convert it")
			}
			s.at += size - 1
		}
	}
	return nil, s.fail("")
}

func unescaped(token []byte, at int) ([]byte, error) {
	var out string
	if err := json.Unmarshal(token, &out); err != nil {
		return nil, &SyntaxError{at, "a text has an escape that JSON does not know"}
	}
	return []byte(out), nil
}

// number reads a number, and returns it as it is written.
func (s *scanner) number() ([]byte, error) {
	s.next()
	d, begin, i := s.data, s.at, s.at
	count := func() (n int) {
		for ; i < len(d) && d[i]-'0' <= 9; i++ {
			n++
		}
		return n
	}
	if i < len(d) && d[i] == '-' {
		i++
	}
	zero := i < len(d) && d[i] == '0'
	if n := count(); n == 0 || zero && n > 1 {
		return nil, s.fail("a number, a text, true, false or null is expected")
	}
	ok := true
	if i < len(d) && d[i] == '.' {
		i++
		ok = count() > 0
	}
	if i < len(d) && (d[i] == 'e' || d[i] == 'E') {
		if i++; i < len(d) && (d[i] == '+' || d[i] == '-') {
			i++
		}
		ok = count() > 0 && ok
	}
	if !ok {
		return nil, s.fail("a number has no digit where one is expected")
	}
	s.at = i
	return d[begin:i], nil
}

// word reads true, false or null.
func (s *scanner) word(word string) error {
	if end := s.at + len(word); end <= len(s.data) && string(s.data[s.at:end]) == word {
		s.at = end
		return nil
	}
	return s.fail("a number, a text, true, false or null is expected")
}

// deepest is how many lists and objects within each other are read over.
const deepest = 64

// value reads over a value of any kind, and returns it as it is written.
func (s *scanner) value() ([]byte, error) {
	s.next()
	begin := s.at
	err := s.over(deepest)
	return s.data[begin:s.at], err
}

func (s *scanner) over(depth int) (err error) {
	if depth == 0 {
		return s.fail("too many lists and objects are within each other")
	}
	switch c := s.next(); c {
	case '"':
		_, err = s.text()
	case 't':
		err = s.word("true")
	case 'f':
		err = s.word("false")
	case 'n':
		err = s.word("null")
	case '[':
		err = s.list(func() error { return s.over(depth - 1) })
	case '{':
		err = s.object(func([]byte) error { return s.over(depth - 1) })
	default:
		_, err = s.number()
	}
	return err
}

// list reads a list, and has each element read by item.
func (s *scanner) list(item func() error) error {
	if !s.take('[') {
		return s.fail("a list in [ ] is expected")
	}
	if s.take(']') {
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if s.take(']') {
			return nil
		}
		if !s.take(',') {
			return s.fail("a comma or ] is expected")
		}
	}
}

// object reads an object, and has the value of each member read by member.
func (s *scanner) object(member func(name []byte) error) error {
	if !s.take('{') {
		return s.fail("an object in { } is expected")
	}
	if s.take('}') {
		return nil
	}
	for {
		name, err := s.text()
		if err != nil {
			return err
		}
		if !s.take(':') {
			return s.fail("a colon is expected")
		}
		if err := member(name); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.fail("a comma or } is expected")
		}
	}
}

// end fails if something follows.
func (s *scanner) end() error {
	if s.next() != 0 || s.at < len(s.data) {
		return s.fail("more follows; send several rows as a list in [ ], or as application/x-ndjson")
	}
	return nil
}
