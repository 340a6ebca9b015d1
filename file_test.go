package rfpragma

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/internal/schemas"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// small returns a model whose file is a few kilobytes, with categories, missing cells, and
// an isotonic map.
func small(t testing.TB) *Model {
	t.Helper()
	frame := dataset.Fraud(300, 1)
	m, err := Fit(context.Background(), frame, fraudSpec(), Config{
		Calibration: calib.IsotonicLinear, Forest: forest.Config{Trees: 4, Seed: 1, MaxDepth: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func fileOf(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSameFileOnAnyNumberOfWorkers(t *testing.T) {
	for name, frame := range map[string]*dataset.Frame{"two classes": dataset.Fraud(500, 1), "three": dataset.Wave(300, 3,
		1)} {
		var want []byte
		for _, workers := range []int{1, 2, 3, 8} {
			cfg := Config{Forest: forest.Config{Trees: 20, Seed: 1, Workers: workers}}
			cfg.Search.Workers = workers
			m := mustFit(t, frame, pragma.Spec{frame.Classes[0]: pragma.Priority()}, cfg)
			if b := fileOf(t, m); want == nil {
				want = b
			} else if !bytes.Equal(b, want) {
				t.Errorf("%s: %d workers wrote another file than one", name, workers)
			}
		}
	}
}

// J264: save, load, save gives equal bytes, and the loaded model answers alike.
func TestFileRoundTrip(t *testing.T) {
	for _, method := range append(calib.Methods(), "beta:pairs", "isotonic:coupled") {
		frame, spec := dataset.Fraud(500, 1), fraudSpec()
		if strings.Contains(string(method), ":") {
			frame = dataset.Wave(200, 3, 1)
			spec = pragma.Spec{frame.Classes[0]: pragma.Priority()}
		}
		m := mustFit(t, frame, spec, Config{Calibration: method, Forest: forest.Config{Trees: 20, Seed: 1}})
		b := fileOf(t, m)
		back, err := ReadModel(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if !bytes.Equal(fileOf(t, back), b) {
			t.Errorf("%s: loaded and saved again it has other bytes", method)
		}
		x := make([]float64, len(frame.Columns))
		for i := range 40 {
			frame.Row(x, i)
			p, _ := m.Predict(x)
			q, err := back.Predict(x)
			if err != nil || p.Class != q.Class || !slices.Equal(p.Probabilities, q.Probabilities) || !slices.Equal(p.Votes,
				q.Votes) {
				t.Fatalf("%s: row %d: %+v before, %+v after (%v)", method, i, p, q, err)
			}
		}
	}
}

func TestReadModelRefusesEveryTruncation(t *testing.T) { // J222, J223
	b := fileOf(t, small(t))
	for n := range b {
		if _, err := ReadModel(bytes.NewReader(b[:n])); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut at %d of %d bytes: error %v", n, len(b), err)
		}
	}
}

func TestReadModelRefusesEveryFlippedBit(t *testing.T) { // J224
	race.SkipFigures(t)
	b := fileOf(t, small(t))
	for i := range b {
		for bit := range 8 {
			b[i] ^= 1 << bit
			if _, err := ReadModel(bytes.NewReader(b)); !errors.Is(err, ErrFormat) {
				t.Fatalf("bit %d of byte %d flipped: error %v", bit, i, err)
			}
			b[i] ^= 1 << bit
		}
	}
}

// file builds a file of any header and forest, with lengths and checksum that fit.
func file(head, trees []byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte(Magic), FileVersion)
	b = append(le.AppendUint64(b, uint64(len(head))), head...)
	b = append(le.AppendUint64(b, uint64(len(trees))), trees...)
	return sealed(b)
}

func sealed(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

func TestReadModelRefusesOtherFiles(t *testing.T) {
	good := fileOf(t, small(t))
	body := slices.Clone(good[:len(good)-sha256.Size])
	newer := slices.Clone(body)
	newer[len(Magic)] = 2
	longHeader := slices.Clone(body)
	binary.LittleEndian.PutUint64(longHeader[len(Magic)+4:], math.MaxUint64)
	zeroSum := append(slices.Clone(body), make([]byte, sha256.Size)...)
	for _, tc := range []struct {
		name string
		b    []byte
		text string
	}{
		{"J222 empty", nil, "the file is empty"},
		{"J225 wrong magic", []byte("RFPRAGMB" + strings.Repeat("x", 100)), "not a model of rfpragma"},
		{"J226 pickle", []byte("\x80\x04\x95" + strings.Repeat("x", 100)), "looks like a Python pickle"},
		{"J226 PNG", []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("x", 100)), "looks like a PNG picture"},
		{"J226 JSON", []byte(`{"learner": {}}`), "looks like JSON"},
		{"J226 ONNX", []byte("\x08\x07\x12\x08" + strings.Repeat("x", 100)), "looks like ONNX"},
		{"J254 gzip", []byte("\x1f\x8b\x08" + strings.Repeat("x", 100)), "looks like gzip data"},
		{"J227 later version", sealed(newer), "format version 2, this program reads version 1; use a newer rfpragma"},
		{"J230 bytes after the end", append(slices.Clone(good), 0), "checksum does not fit"},
		{"J230 bytes after the end, checksum right", sealed(append(slices.Clone(body), 0)),
			"does not end where the file ends"},
		{"J233 header of 2^64 bytes", sealed(longHeader), "header is longer than the file"},
		{"J259 checksum zeroed", zeroSum, "checksum does not fit"},
		{"J260 file twice", append(slices.Clone(good), good...), "checksum does not fit"},
		{"J261 noise", bytes.Repeat([]byte{0x5a, 0xc3, 0x17}, 20000), "not a model of rfpragma"},
		{"J251 header unreadable", file([]byte("{nonsense"), nil), "header: "},
		{"J262 no trees", file(headerOf(t, small(t), nil), []byte{0, 0, 0, 0}), "0 trees"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ReadModel(bytes.NewReader(tc.b))
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("error %v, want one of the format with %q", err, tc.text)
			}
		})
	}
}

// headerOf returns the header of m after a change.
func headerOf(t *testing.T, m *Model, change func(*header)) []byte {
	t.Helper()
	b, err := m.header()
	if err != nil {
		t.Fatal(err)
	}
	if change == nil {
		return b
	}
	var h header
	if err := json.Unmarshal(b, &h); err != nil {
		t.Fatal(err)
	}
	change(&h)
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unsoundHeader breaks one field.
type unsoundHeader struct {
	name   string
	change func(*header)
}

func unsoundHeaders() []unsoundHeader {
	kind := func(h *header, kind string) *schemas.Field {
		return &h.Schema[slices.IndexFunc(h.Schema, func(f schemas.Field) bool { return f.Kind == kind })]
	}
	return []unsoundHeader{
		{"J244 one class", func(h *header) { h.Classes = h.Classes[:1] }},
		{"J244 no class", func(h *header) { h.Classes = nil }},
		{"J245 another class", func(h *header) { h.Classes = append(h.Classes, "third") }},
		{"a class twice", func(h *header) { h.Classes[1] = h.Classes[0] }},
		{"share above 1", func(h *header) { h.Share[0] = 1.5 }},
		{"J246 negative share", func(h *header) { h.Share[0] = -0.5 }},
		{"J247 too few weights", func(h *header) { h.Weights = h.Weights[:1] }},
		{"J247 weight 0", func(h *header) { h.Weights[1] = 0 }},
		{"J247 negative weight", func(h *header) { h.Weights[1] = -1 }},
		{"no features", func(h *header) { h.Schema = nil }},
		{"a feature twice", func(h *header) { h.Schema[1].Name = h.Schema[0].Name }},
		{"unknown kind", func(h *header) { h.Schema[0].Kind = "date" }},
		{"numeric with levels", func(h *header) { kind(h, "numeric").Levels = []string{"a"} }},
		{"a range upside down", func(h *header) { kind(h, "numeric").Baseline.Range = &[2]float64{2, 1} }},
		{"a range of categories", func(h *header) { kind(h, "categorical").Baseline.Range = &[2]float64{1, 2} }},
		{"levels unsorted", func(h *header) { slices.Reverse(kind(h, "categorical").Levels) }},
		{"a level twice", func(h *header) { l := kind(h, "categorical").Levels; l[1] = l[0] }},
		{"spec of an unknown class", func(h *header) { h.Spec = pragma.Spec{"nobody": pragma.Neutral()} }},
		{"x of 1", func(h *header) { h.Spec = pragma.Spec{"fraud": {Theta: 1, X: 1, Y: 0.5}} }},
		{"negative rows", func(h *header) { h.Provenance.Rows = -5 }},
		{"mtry of no forest", func(h *header) { h.Provenance.Mtry = -3 }},
		{"a zone of margin 0", func(h *header) { h.Provenance.Review = &Reviewing{Loss: new(float64)} }},
		{"a zone of a class of two", func(h *header) {
			h.Provenance.Review = &Reviewing{Margin: 2, Class: h.Classes[0], Loss: new(float64)}
		}},
		{"ranks of one class", func(h *header) { h.Ranks = make([]calib.Ranks, 1) }},
		{"empty ranks", func(h *header) { h.Ranks = make([]calib.Ranks, 2) }},
		{"a guarantee of nothing", func(h *header) { h.Provenance.Guarantee = &Guarantee{Confidence: 0.9, Units: 9} }},
		{"a guarantee that is sure by chance", func(h *header) {
			h.Provenance.Guarantee = &Guarantee{Confidence: 0.9, Sure: true, Units: 9, Tests: []GuaranteeTest{{P: 0.5}}}
		}},
		{"unknown votes", func(h *header) { h.Provenance.Votes = "foo" }},
		{"unknown calibration", func(h *header) { h.Provenance.Calibration = "foo" }},
		{"unknown search", func(h *header) { h.Provenance.Search = "foo" }},
		{"unknown bag", func(h *header) { h.Provenance.Bag = "foo" }},
		{"no bag", func(h *header) { h.Provenance.Bag = "" }},
		{"unknown criterion", func(h *header) { h.Provenance.Criterion = "foo" }},
		{"criterion pragma of no preference", func(h *header) { h.Provenance.Criterion = "pragma" }},
		{"slopes of another criterion", func(h *header) { h.Provenance.Slopes = make([]forest.Slope, 2) }},
		{"usual criterion named", func(h *header) { h.Provenance.Criterion = "gini" }},
		{"one leaf", func(h *header) { h.Provenance.Leaves = 1 }},
		{"negative leaves", func(h *header) { h.Provenance.Leaves = -2 }},
		{"fraction above 1", func(h *header) { h.Provenance.Fraction = 1.5 }},
		{"negative fraction", func(h *header) { h.Provenance.Fraction = -0.5 }},
		{"whole fraction named", func(h *header) { h.Provenance.Fraction = 1 }},
		{"hash bag of a fraction", func(h *header) { h.Provenance.Bag, h.Provenance.Fraction = "hash:5", 0.5 }},
		{"poisson bag without replacement", func(h *header) {
			h.Provenance.Bag, h.Provenance.NoReplacement = "poisson",
				true
		}},
		{"soft votes of a forest that has none", func(h *header) { h.Provenance.Soft = true }},
		{"unknown measure", func(h *header) { h.Provenance.Measure = "foo" }},
		{"a data sum that is none", func(h *header) { h.Provenance.Data = "foo" }},
		{"a prevalence too few", func(h *header) { h.Provenance.Prevalence = []float64{1} }},
		{"a prevalence above 1", func(h *header) { h.Provenance.Prevalence = []float64{0.5, 1.5} }},
		{"a prevalence of 0", func(h *header) { h.Provenance.Prevalence = []float64{0, 1} }},
		{"a prevalence where training has no rows", func(h *header) {
			h.Share, h.Provenance.Prevalence = []float64{0, 1},
				[]float64{0.5, 0.5}
		}},
		{"a prevalence where the maps have no rows", func(h *header) {
			h.Provenance.MapShare,
				h.Provenance.Prevalence = []float64{1, 0}, []float64{0.5, 0.5}
		}},
		{"a prevalence out of reach", func(h *header) {
			h.Provenance.MapShare, h.Provenance.Prevalence = []float64{5e-324, 1}, []float64{0.5, 0.5}
		}},
		{"figures too few", func(h *header) { h.Provenance.Figures = h.Provenance.Figures[:1] }},
		{"figures without a share", func(h *header) { h.Provenance.Figures[0].Share = nil }},
		{"a recall above 1", func(h *header) { h.Provenance.Figures[0].Recall.Value = 1.5 }},
		{"a precision of no rows", func(h *header) {
			h.Provenance.Figures[0].Precision = &Observed{Value: 0.5,
				Rows: 5e-324}
		}},
		{"by cost without costs", func(h *header) { h.Provenance.ByCost = true }},
		{"by cost beside another measure", func(h *header) {
			h.Provenance.ByCost, h.Provenance.Costs = true, [][]float64{{0, 1}, {5, 0}}
		}},
		{"by cost with costs of three classes", func(h *header) {
			byCostHeader(h, [][]float64{{0, 1, 1}, {1, 0, 1},
				{1, 1, 0}})
		}},
		{"by cost with a negative cost", func(h *header) { byCostHeader(h, [][]float64{{0, 1}, {-5, 0}}) }},
		{"by cost with costs of 0", func(h *header) { byCostHeader(h, [][]float64{{0, 0}, {0, 0}}) }},
		{"by cost with a line too short", func(h *header) { byCostHeader(h, [][]float64{{0, 1}, {5}}) }},
		{"by cost with floors", func(h *header) {
			byCostHeader(h, [][]float64{{0, 1}, {5, 0}})
			h.Provenance.Floors = []string{"fraud:recall>=0.5"}
		}},
		{"by cost with given weights", func(h *header) {
			byCostHeader(h, [][]float64{{0, 1}, {5, 0}})
			h.Provenance.Choice = Given
		}},
		{"a plateau too few", func(h *header) { h.Provenance.Plateau = h.Provenance.Plateau[:1] }},
	}
}

// byCostHeader has rows decided by the expected cost.
func byCostHeader(h *header, costs [][]float64) {
	h.Provenance.ByCost, h.Provenance.Measure, h.Provenance.Costs = true, costMeasure, costs
}

// What would not be read is not written: nothing is known to be lost only when it is loaded.
func TestSaveRefusesWhatLoadRefuses(t *testing.T) {
	m := small(t)
	three, err := calib.None.FitClasses(t.Context(), calib.Rows{K: 3, Share: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
		Truth: []int{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(m *Model){
		"maps of three classes":    func(m *Model) { m.Maps = three },
		"a weight too few":         func(m *Model) { m.Weights = m.Weights[:1] },
		"a weight of 0":            func(m *Model) { m.Weights = vote.Weights{1, 0} },
		"spec of another class":    func(m *Model) { m.Spec = pragma.Spec{"nobody": pragma.Neutral()} },
		"votes of no kind":         func(m *Model) { m.Provenance.Votes = "foo" },
		"a measure of no name":     func(m *Model) { m.Provenance.Measure = "foo" },
		"figures of three classes": func(m *Model) { m.Provenance.Figures = make([]ClassFigures, 3) },
		"soft votes":               func(m *Model) { m.Provenance.Soft = true },
		"no trees":                 func(m *Model) { m.Forest = nil },
	} {
		bad := *m
		change(&bad)
		path := filepath.Join(t.TempDir(), "m.rfp")
		if err := bad.Save(path); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a file is there", name)
		}
		if n, err := bad.WriteTo(new(bytes.Buffer)); n != 0 || !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %d bytes written, %v", name, n, err)
		}
	}
}

// treesOf is the body of the file of a model.
func treesOf(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.Forest.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// One broken field each, with a checksum that fits: what an attacker would send.
func TestReadModelRefusesUnsoundHeaders(t *testing.T) {
	m := small(t)
	trees := treesOf(t, m)
	if _, err := ReadModel(bytes.NewReader(file(headerOf(t, m, func(*header) {}), trees))); err != nil {
		t.Fatalf("the unchanged header is refused: %v", err)
	}
	sound := headerOf(t, m, func(h *header) { byCostHeader(h, [][]float64{{0, 1}, {5, 0}}) })
	if _, err := ReadModel(bytes.NewReader(file(sound, trees))); err != nil {
		t.Fatalf("decisions by cost are refused: %v", err)
	}
	for _, tc := range unsoundHeaders() {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ReadModel(bytes.NewReader(file(headerOf(t, m, tc.change), trees)))
			if !errors.Is(err, ErrFormat) {
				t.Errorf("error %v, want one of the format", err)
			}
		})
	}
	for _, tc := range []struct{ name, old, new string }{
		{"unknown field", `{"classes"`, `{"surprise":1,"classes"`},
		{"J252 names that are not UTF-8", "fraud", "fr\xffud"},
		{"a field twice", `{"classes"`, `{"classes":["a","b"],"classes"`},
		{"share that is no number", `"share":[`, `"share":[null,`},
		{"number written in another way", `"max_depth":4`, `"max_depth":4.0`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			head := bytes.Replace(headerOf(t, m, nil), []byte(tc.old), []byte(tc.new), 1)
			if _, err := ReadModel(bytes.NewReader(file(head, trees))); !errors.Is(err, ErrFormat) {
				t.Errorf("error %v, want one of the format", err)
			}
		})
	}
	t.Run("the same header in another form", func(t *testing.T) {
		head := append([]byte(" "), headerOf(t, m, nil)...)
		if _, err := ReadModel(bytes.NewReader(file(head, trees))); !errors.Is(err, ErrFormat) {
			t.Errorf("error %v, want one of the format", err)
		}
	})
	t.Run("J248 map that falls", func(t *testing.T) {
		bad := *m
		iso := calib.Isotonic{Score: []float64{0.1, 0.2}, Value: []float64{0.5, 0.4}}
		bad.Maps = calib.Set{Maps: []calib.Map{iso}}
		if b, err := bad.header(); err == nil {
			if _, err := ReadModel(bytes.NewReader(file(b, trees))); !errors.Is(err, ErrFormat) {
				t.Errorf("error %v, want one of the format", err)
			}
		}
	})
}

// zeros is an endless device.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestReadModelOfAnEndlessDevice(t *testing.T) { // J257
	if _, err := ReadModel(zeros{}); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v", err)
	}
}

func TestReadModelPassesReadErrorsOn(t *testing.T) {
	broken := errors.New("broken cable")
	b := fileOf(t, small(t))
	for _, n := range []int{0, 4, 100} {
		r := io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(broken))
		if _, err := ReadModel(r); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: error %v", n, err)
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	m := small(t)
	path := filepath.Join(t.TempDir(), "a model.rfp")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fileOf(t, back), fileOf(t, m)) {
		t.Error("another model came back")
	}
	if _, err := Load(path + "x"); !errors.Is(err, os.ErrNotExist) { // J221
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(path, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one of the format that names the file", err)
	}
	if err := m.Save(filepath.Join(t.TempDir(), "absent", "m.rfp")); !errors.Is(err, os.ErrNotExist) { // L295
		t.Errorf("error %v", err)
	}
}

// FuzzReadModel: raw bytes are refused, or were written by this program.
func FuzzReadModel(f *testing.F) {
	f.Add(fileOf(f, small(f)))
	f.Add([]byte(Magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ReadModel(bytes.NewReader(b))
		if err == nil && !bytes.Equal(fileOf(t, m), b) {
			t.Fatal("accepted, but written again it has other bytes")
		}
	})
}

// FuzzModelParts: header and forest with a checksum that fits are refused, or make a model
// whose answers are probabilities.
func FuzzModelParts(f *testing.F) {
	m := small(f)
	head, err := m.header()
	if err != nil {
		f.Fatal(err)
	}
	trees := treesOf(f, m)
	f.Add(head, trees)
	f.Fuzz(func(t *testing.T, head, trees []byte) {
		m, err := ReadModel(bytes.NewReader(file(head, trees)))
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("error %v", err)
			}
			return
		}
		p, err := m.Predict(make([]float64, len(m.Forest.Schema)))
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, x := range p.Probabilities {
			sum += x
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("probabilities %v", p.Probabilities)
		}
	})
}
