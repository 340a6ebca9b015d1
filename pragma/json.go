package pragma

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// maxText is the largest file of preferences that is read, in bytes.
const maxText = 1 << 20

// ReadSpec reads the JSON form of a Spec, an object of classes, which is also how a Spec is encoded:
//
//	{"ill": {"theta": 10, "x": 0.2, "y": 0.6}}
//
// Each class has all three numbers. Unlike encoding/json it refuses keys that are unknown, repeated or in other
// letter case, and text after the object.
//
// Errors: *[SpecError] with the place in the file, which is called name; an error of r, wrapped with the name.
func ReadSpec(r io.Reader, name string) (Spec, error) {
	text, err := readText(r, name)
	if err != nil {
		return nil, err
	}
	d := &decoder{name: name, text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	d.dec.UseNumber()
	s, err := d.spec()
	if err != nil {
		return nil, err
	}
	end := d.start()
	if _, err := d.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, d.fault(end, errors.New("there is text after the preferences; remove it"))
	}
	return s, nil
}

// readText reads a small UTF-8 file whole, without its byte-order mark.
func readText(r io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxText {
		return nil, &SpecError{File: name, Err: fmt.Errorf("the file is larger than %d MiB; give the right one", maxText>>20)}
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		return nil, &SpecError{File: name, Err: errors.New("the file is not UTF-8; save it as UTF-8")}
	}
	return text, nil
}

// UnmarshalJSON reads the JSON form as [ReadSpec] does.
func (s *Spec) UnmarshalJSON(text []byte) error {
	read, err := ReadSpec(bytes.NewReader(text), "preferences")
	if err == nil {
		*s = read
	}
	return err
}

// decoder reads JSON token by token and knows where each stands.
type decoder struct {
	name string
	text []byte
	dec  *json.Decoder
}

// start returns where the next token begins.
func (d *decoder) start() int {
	at := int(d.dec.InputOffset())
	return len(d.text) - len(bytes.TrimLeft(d.text[at:], " \t\r\n,:"))
}

// fault places err at byte at.
func (d *decoder) fault(at int, err error) error {
	before := d.text[:min(at, len(d.text))]
	line := bytes.Count(before, []byte("\n")) + 1
	return &SpecError{File: d.name, Line: line, Column: utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1,
		Err: err}
}

// token returns the next token and where it begins.
func (d *decoder) token() (json.Token, int, error) {
	at := d.start()
	t, err := d.dec.Token()
	var bad *json.SyntaxError
	switch {
	case errors.As(err, &bad):
		return nil, 0, d.fault(at, fmt.Errorf("this is not JSON: %w; correct it", err))
	case err != nil: // the text is in memory, so there is nothing else that can end it
		return nil, 0, d.fault(at, errors.New("the preferences end too early; close all quotes and braces"))
	}
	return t, at, nil
}

// object calls each with every key of the object that comes next, and where the key begins.
func (d *decoder) object(each func(key string, at int) error) error {
	open, at, err := d.token()
	if err != nil {
		return err
	}
	if open != json.Delim('{') {
		return d.fault(at, errors.New(`an object is expected; write {"class": {"theta": 10, "x": 0.2, "y": 0.6}}`))
	}
	for d.dec.More() {
		key, at, err := d.token()
		if err != nil {
			return err
		}
		if err := each(key.(string), at); err != nil { // the decoder lets nothing else be a key
			return err
		}
	}
	_, _, err = d.token()
	return err
}

func (d *decoder) spec() (Spec, error) {
	s := Spec{}
	err := d.object(func(class string, at int) error {
		if _, dup := s[class]; dup {
			return d.fault(at, fmt.Errorf("class %s is named twice; keep one", english.Quote(class)))
		}
		values := map[string]float64{}
		err := d.object(func(key string, at int) error { return d.value(values, key, at) })
		if err != nil {
			return err
		}
		if s[class], err = fromValues(class, values); err != nil {
			return d.fault(at, err)
		}
		return nil
	})
	return s, err
}

// value reads the number of one key.
func (d *decoder) value(values map[string]float64, key string, at int) error {
	if err := checkKey(key, values); err != nil {
		return d.fault(at, err)
	}
	t, at, err := d.token()
	if err != nil {
		return err
	}
	number, ok := t.(json.Number)
	if !ok {
		return d.fault(at, fmt.Errorf("%s is not a number; write one, without quotes", key))
	}
	v, err := csvtext.Number(number.String())
	if err == nil {
		err = checkValue(key, v)
	}
	if err != nil {
		return d.fault(at, err)
	}
	values[key] = v
	return nil
}
