package rfpragma

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/schemas"
	"github.com/rfpragma/rfpragma/internal/sketch"
	"github.com/rfpragma/rfpragma/internal/sumfile"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Magic is how every model file begins.
const Magic = "RFPRAGMA"

// The files are closed: these parts in this order and nothing else, numbers little-endian.
//
//	8 bytes    "RFPRAGMA", a model; "RFPTREES", a part of a forest; "RFPVOTES", a tally
//	uint32     version of the format, 1
//	uint64     length of the header
//	header     JSON and a newline: of a model type header, of a part partHeader, of a tally tallyHeader
//	uint64     length of the body
//	body       of a model and a part see forest.Forest.WriteTo, of a tally vote.Histogram.AppendBinary
//	32 bytes   SHA-256 of all bytes before
//
// The checksum guards against accidents; against ill will everything is checked before use.
// There is one way to write a file: what is read would be written with the same bytes.
const (
	minModel = len(Magic) + 4 + 8 + 8 + sha256.Size
	maxModel = 1 << 34 // bytes; what is longer is read as cut short
)

// FileVersion is the version of the format in which models are written. Models of this and all earlier versions
// can be read.
const FileVersion = 1

// fileKind is a kind of file, by its first bytes.
type fileKind string

const (
	modelFile fileKind = Magic
	partFile  fileKind = "RFPTREES"
	tallyFile fileKind = "RFPVOTES"
)

// remedy says what to do about a damaged file.
func (k fileKind) remedy() string {
	if k == modelFile {
		return "copy or train it again"
	}
	return "copy it again, or run its task again"
}

// wanted says which file is to be given.
func (k fileKind) wanted() string {
	return map[fileKind]string{
		modelFile: "give a file written by rfpragma train", partFile: "give the trees written by rfpragma grow",
		tallyFile: "give the votes written by rfpragma tally",
	}[k]
}

// header is the readable part of a model file.
type header struct {
	Classes []string  `json:"classes"`
	Share   []float64 `json:"share"`
	// the classes in the order in which they win ties, if that does not follow from the shares
	Ties       []int           `json:"ties,omitempty"`
	Schema     []schemas.Field `json:"schema"`
	Weights    vote.Weights    `json:"weights"`
	Maps       calib.Set       `json:"maps"`
	Spec       pragma.Spec     `json:"spec"`
	Provenance Provenance      `json:"provenance"`

	Ranks []calib.Ranks `json:"ranks,omitempty"` // by class, see Model.Score

	Sketch *sketch.Sketch `json:"sketch,omitempty"` // of the training rows; older files have none
}

// write writes a file of that header and body, which writes the same each time, and returns how many bytes that are,
// and their checksum. The body is never held: it is written twice, at first for its length.
func (k fileKind) write(w io.Writer, header func() ([]byte, error), body io.WriterTo) (n int64, sum []byte, err error) {
	head, err := header()
	if err != nil {
		return 0, nil, err
	}
	size, err := body.WriteTo(io.Discard)
	if err != nil {
		return 0, nil, err
	}
	hash := sha256.New()
	to := &sumfile.Counter{To: io.MultiWriter(w, hash)}
	le := binary.LittleEndian
	start := le.AppendUint64(le.AppendUint32([]byte(k), FileVersion), uint64(len(head)))
	start = le.AppendUint64(append(start, head...), uint64(size))
	if _, err := to.Write(start); err != nil {
		return to.N, nil, err
	}
	if _, err := body.WriteTo(to); err != nil {
		return to.N, nil, err
	}
	sum = hash.Sum(nil)
	_, err = to.Write(sum)
	return to.N, sum, err
}

func (m *Model) header() ([]byte, error) {
	h := header{
		Classes: m.Forest.Classes, Share: m.Forest.Share, Ties: m.Forest.Ties, Weights: m.Weights,
		Maps: m.Maps, Spec: m.Spec, Provenance: m.Provenance, Sketch: m.sketch, Ranks: m.ranks,
	}
	h.Schema = schemas.Fields(m.Forest.Schema)
	if h.Spec == nil {
		h.Spec = pragma.Spec{} // nil is no object in JSON
	}
	return headerJSON(h)
}

func headerJSON(h any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, fmt.Errorf("%w: the header cannot be written: %w", ErrFormat, err)
	}
	return out.Bytes(), nil
}

// read reads a file, fills in its header, and returns its checksum. Use gets the bytes of the header, a reader of the
// body, and how long that is. What use makes of the body is worth nothing where there is an error. A regular file is
// never held as a whole.
func (k fileKind) read(r io.Reader, header any, use func(head []byte, body io.Reader, size int64) error) (sum []byte,
	err error) {
	start := make([]byte, len(k))
	n, err := io.ReadFull(r, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if string(start[:n]) != string(k) { // before reading on: this may be an endless device
		return nil, fmt.Errorf("%w: %s; %s", ErrFormat, lookslike(start[:n]), k.wanted())
	}
	r, size, err := sumfile.Sized(r, maxModel)
	if err != nil {
		return nil, err
	}
	if size += int64(len(k)); size < int64(minModel) {
		return nil, fmt.Errorf("%w: cut short after %d bytes; %s", ErrFormat, size, k.remedy())
	}
	hash := sha256.New()
	hash.Write(start)
	in := &sumfile.Part{From: io.TeeReader(r, hash), Left: size - int64(len(k)) - sha256.Size}
	fault := k.parts(in, header, use)
	if errors.Is(fault, errVersion) {
		return nil, fault
	}
	_, err = io.Copy(io.Discard, in)
	if in.Err != nil {
		return nil, in.Err
	}
	sum = make([]byte, sha256.Size)
	if _, short := io.ReadFull(r, sum); err != nil || short != nil || in.Left > 0 || !bytes.Equal(sum, hash.Sum(nil)) {
		return nil, fmt.Errorf("%w: the checksum does not fit, the file is damaged or cut short; %s", ErrFormat, k.remedy())
	}
	return sum, fault
}

var errVersion = errors.New("format version")

// parts reads what is between the first bytes and the checksum.
func (k fileKind) parts(in *sumfile.Part, header any, use func(head []byte, body io.Reader, size int64) error) error {
	le := binary.LittleEndian
	var number [8]byte
	if _, err := io.ReadFull(in, number[:4]); err != nil {
		return err
	}
	if v := le.Uint32(number[:]); v != FileVersion {
		return fmt.Errorf("%w: %w %d, this program reads version %d; use a newer rfpragma", ErrFormat, errVersion, v,
			FileVersion)
	}
	if _, err := io.ReadFull(in, number[:]); err != nil {
		return err
	}
	n := le.Uint64(number[:])
	if in.Left < 8 || n > uint64(in.Left-8) {
		return fmt.Errorf("%w: the header is longer than the file", ErrFormat)
	}
	head := make([]byte, n)
	if _, err := io.ReadFull(in, head); err != nil {
		return err
	}
	if _, err := io.ReadFull(in, number[:]); err != nil {
		return err
	}
	size := le.Uint64(number[:])
	if size != uint64(in.Left) {
		return fmt.Errorf("%w: the forest does not end where the file ends", ErrFormat)
	}
	if err := decodeHeader(head, header); err != nil {
		return err
	}
	return use(head, in, int64(size))
}

func decodeHeader(head []byte, header any) error {
	dec := json.NewDecoder(bytes.NewReader(head))
	dec.DisallowUnknownFields()
	if err := dec.Decode(header); err != nil {
		return fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	return nil
}

// model puts a model together of its header, which was read from head, and its trees.
func (h *header) model(head []byte, trees io.Reader, size int64) (*Model, error) {
	schema, err := h.check()
	if err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	f, err := forest.Decode(trees, size, schema, h.Classes, h.Share, h.Ties)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; %s", ErrFormat, err, modelFile.remedy())
	}
	m, err := h.with(f, head)
	if err == nil {
		m.index()
	}
	return m, err
}

// with puts a model together of its header, which was read from head, and a forest of its classes and features.
func (h *header) with(f *forest.Forest, head []byte) (*Model, error) {
	m := &Model{Forest: f, Weights: h.Weights, Maps: h.Maps, Spec: h.Spec, Provenance: h.Provenance,
		sketch: h.Sketch, ranks: h.Ranks}
	if f.Foreign() != (m.Provenance.Origin != "") {
		return nil, fmt.Errorf("%w: header: trees of %.80q, which the trees themselves deny", ErrFormat, m.Provenance.Origin)
	}
	if f.Soft() != m.Provenance.Soft {
		return nil, fmt.Errorf("%w: header: soft votes %v, and of the forest %v", ErrFormat, m.Provenance.Soft, f.Soft())
	}
	if err := fits(m.sketch, m.Provenance.Rows, len(h.Classes)); err != nil {
		return nil, err
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
	if err := checkClasses(h.Classes, h.Share, h.Ties); err != nil {
		return nil, err
	}
	if k := len(h.Classes); len(h.Weights) != k || h.Maps.Classes() != k {
		return nil, fmt.Errorf("%d classes, %d weights, maps for %d", k, len(h.Weights), h.Maps.Classes())
	}
	if err := h.Weights.Check(len(h.Classes)); err != nil {
		return nil, err
	}
	if err := h.Provenance.check(len(h.Schema), h.Share); err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	if err := h.Provenance.Review.check(h.Classes); err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	if h.Ranks != nil && len(h.Ranks) != len(h.Classes) {
		return nil, fmt.Errorf("ranks of %d classes, where there are %d", len(h.Ranks), len(h.Classes))
	}
	for _, r := range h.Ranks {
		if err := r.Check(); err != nil {
			return nil, err
		}
	}
	if _, err := h.Spec.Measure(h.Classes); err != nil {
		return nil, err
	}
	return schemas.Schema(h.Schema)
}

// lookslike names what a file is that is not a model.
func lookslike(b []byte) string {
	return sumfile.LooksLike(b, sumfile.Kind{Start: Magic, Name: "a model of rfpragma train"},
		sumfile.Kind{Start: string(partFile), Name: "trees of rfpragma grow, to be put together by rfpragma merge"},
		sumfile.Kind{Start: string(tallyFile), Name: "votes of rfpragma tally"})
}
