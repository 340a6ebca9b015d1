package rfpragma

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Magic is what every model file begins with.
const Magic = "RFPRAGMA"

// The model file is closed: these parts in this order and nothing else, numbers little-endian.
//
//	8 bytes    "RFPRAGMA"
//	uint32     version of the format, 1
//	uint64     length of the header
//	header     JSON and a newline: classes, share, schema, weights, maps, spec, provenance (type header)
//	uint64     length of the forest
//	forest     see forest.AppendBinary
//	32 bytes   SHA-256 of all bytes before
//
// The checksum guards against accidents; against ill will everything is checked before use.
// There is one way to write a model: what is read would be written with the same bytes.
const (
	version  = 1
	minModel = len(Magic) + 4 + 8 + 8 + sha256.Size
	maxModel = 1 << 34 // bytes; what is longer is read as cut short
)

// FileVersion is the version of the format in which models are written. Models of this and of all
// earlier versions can be read.
const FileVersion = version

// header is the readable part of a model file.
type header struct {
	Classes    []string     `json:"classes"`
	Share      []float64    `json:"share"`
	Schema     []field      `json:"schema"`
	Weights    vote.Weights `json:"weights"`
	Maps       calib.Set    `json:"maps"`
	Spec       pragma.Spec  `json:"spec"`
	Provenance Provenance   `json:"provenance"`
}

type field struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels,omitempty"` // of a categorical feature
	Kind   string   `json:"kind"`
}

// WriteTo writes the model in the form of a model file.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	b, err := m.appendFile(nil)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(b)
	return int64(n), err
}

func (m *Model) appendFile(b []byte) ([]byte, error) {
	head, err := m.header()
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	b = le.AppendUint32(append(b, Magic...), version)
	b = append(le.AppendUint64(b, uint64(len(head))), head...)
	trees, err := m.Forest.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	b = append(le.AppendUint64(b, uint64(len(trees))), trees...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

func (m *Model) header() ([]byte, error) {
	h := header{
		Classes: m.Forest.Classes, Share: m.Forest.Share, Weights: m.Weights,
		Maps: m.Maps, Spec: m.Spec, Provenance: m.Provenance,
	}
	for _, f := range m.Forest.Schema {
		h.Schema = append(h.Schema, field{f.Name, f.Levels, f.Kind.String()})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, fmt.Errorf("%w: the model cannot be written: %w", ErrFormat, err)
	}
	return out.Bytes(), nil
}

// ReadModel reads what WriteTo wrote. Any other bytes are an error that wraps [ErrFormat];
// an error of r itself is returned as it is.
func ReadModel(r io.Reader) (*Model, error) {
	start := make([]byte, len(Magic))
	n, err := io.ReadFull(r, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if string(start[:n]) != Magic { // before reading on: this may be an endless device
		return nil, fmt.Errorf("%w: %s; give a file written by rfpragma train", ErrFormat, lookslike(start[:n]))
	}
	b, err := io.ReadAll(io.LimitReader(r, maxModel))
	if err != nil {
		return nil, err
	}
	return decode(append(start, b...))
}

func decode(b []byte) (*Model, error) {
	le := binary.LittleEndian
	if len(b) < minModel {
		return nil, fmt.Errorf("%w: cut short after %d bytes; copy or train it again", ErrFormat, len(b))
	}
	if v := le.Uint32(b[len(Magic):]); v != version {
		return nil, fmt.Errorf("%w: format version %d, this program reads version %d; use a newer rfpragma", ErrFormat, v, version)
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if s := sha256.Sum256(body); !bytes.Equal(s[:], sum) {
		return nil, fmt.Errorf("%w: the checksum does not fit, the file is damaged or cut short; copy or train it again", ErrFormat)
	}
	head, rest, ok := section(body[len(Magic)+4:])
	if !ok {
		return nil, fmt.Errorf("%w: the header is longer than the file", ErrFormat)
	}
	trees, rest, ok := section(rest)
	if !ok || len(rest) != 0 {
		return nil, fmt.Errorf("%w: the forest does not end where the file ends", ErrFormat)
	}
	return assemble(head, trees)
}

// section takes a length and as many bytes off the front of b.
func section(b []byte) (part, rest []byte, ok bool) {
	if len(b) < 8 {
		return nil, nil, false
	}
	n := binary.LittleEndian.Uint64(b)
	if b = b[8:]; n > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

func assemble(head, trees []byte) (*Model, error) {
	var h header
	dec := json.NewDecoder(bytes.NewReader(head))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&h); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	schema, err := h.check()
	if err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	f, err := forest.Decode(trees, schema, h.Classes, h.Share)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m := &Model{Forest: f, Weights: h.Weights, Maps: h.Maps, Spec: h.Spec, Provenance: h.Provenance}
	m.index()
	if f.Soft() != m.Provenance.Soft {
		return nil, fmt.Errorf("%w: header: soft votes %v, and of the forest %v", ErrFormat, m.Provenance.Soft, f.Soft())
	}
	if _, err := m.Measure(); err != nil && m.Provenance.Measure != customMeasure {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	if again, err := m.header(); err != nil || !bytes.Equal(again, head) {
		return nil, fmt.Errorf("%w: header: not in the one form this program writes", ErrFormat)
	}
	return m, nil
}

// check makes sure that the header speaks of one set of classes and features throughout.
func (h *header) check() (dataset.Schema, error) {
	k := len(h.Classes)
	if k < 2 || len(h.Share) != k || len(h.Weights) != k || h.Maps.Classes() != k {
		return nil, fmt.Errorf("%d classes, %d shares, %d weights, maps for %d", k, len(h.Share), len(h.Weights), h.Maps.Classes())
	}
	if err := distinct("class", h.Classes); err != nil {
		return nil, err
	}
	for c := range k {
		if s := h.Share[c]; !(s >= 0 && s <= 1) {
			return nil, fmt.Errorf("share %v", s)
		}
		if w := h.Weights[c]; !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("vote weight %v", w)
		}
	}
	if err := h.Provenance.check(len(h.Schema), h.Share); err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	if _, err := h.Spec.Measure(h.Classes); err != nil {
		return nil, err
	}
	return h.schema()
}

func (h *header) schema() (dataset.Schema, error) {
	if len(h.Schema) == 0 {
		return nil, errors.New("no features")
	}
	var s dataset.Schema
	var names []string
	for _, f := range h.Schema {
		kind := dataset.Numeric
		switch {
		case f.Kind == dataset.Categorical.String():
			kind = dataset.Categorical
		case f.Kind != dataset.Numeric.String() || len(f.Levels) > 0:
			return nil, fmt.Errorf("feature %.64q is of kind %.64q with %d levels", f.Name, f.Kind, len(f.Levels))
		}
		if err := distinct("level", f.Levels); err != nil {
			return nil, err
		}
		if !slices.IsSorted(f.Levels) {
			return nil, fmt.Errorf("the levels of %.64q are not sorted", f.Name)
		}
		s = append(s, dataset.Field{Name: f.Name, Kind: kind, Levels: f.Levels})
		names = append(names, f.Name)
	}
	return s, distinct("feature", names)
}

// distinct checks that names are UTF-8 and all different.
func distinct(what string, names []string) error {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] || !utf8.ValidString(n) {
			return fmt.Errorf("%s %.64q occurs twice or is not UTF-8", what, n)
		}
		seen[n] = true
	}
	return nil
}

// lookslike names what a file is that is not a model.
func lookslike(b []byte) string {
	for _, known := range []struct{ start, name string }{
		{"\x89PNG", "a PNG picture"},
		{"\x1f\x8b", "gzip data"},
		{"\x80\x02", "a Python pickle"}, {"\x80\x03", "a Python pickle"}, {"\x80\x04", "a Python pickle"}, {"\x80\x05", "a Python pickle"},
		{"PK\x03\x04", "a zip archive"},
		{"{", "JSON"},
		{"PAR1", "Parquet"},
		{"\x08", "ONNX or another protocol buffer"},
	} {
		if bytes.HasPrefix(b, []byte(known.start)) {
			return "this looks like " + known.name
		}
	}
	if len(b) == 0 {
		return "the file is empty"
	}
	return "this is not a model of rfpragma"
}

// Save writes the model to the named file, whole or not at all: an older file of that name
// stays as it is until the new one is safely on the disk.
func (m *Model) Save(path string) error {
	b, err := m.appendFile(nil)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Load reads the named model file.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadModel(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
