package rfpragma

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// blocks returns the rows of a frame in blocks.
func blocks(frame *dataset.Frame, size int) Rows {
	return func(do func(*dataset.Frame) error) error {
		for at := 0; at < frame.Rows(); at += size {
			var rows []int
			for i := at; i < min(at+size, frame.Rows()); i++ {
				rows = append(rows, i)
			}
			if err := do(frame.Take(rows)); err != nil {
				return err
			}
		}
		return nil
	}
}

// grownApart grows a forest in ranges of trees, and puts it together in any order, having stored each part.
func grownApart(t *testing.T, rng *rand.Rand, frame *dataset.Frame, c forest.Config, scan bool) *Part {
	t.Helper()
	var parts []*Part
	for from := 0; from < c.Trees; {
		to := min(c.Trees, from+1+rng.IntN(c.Trees))
		var part *Part
		var err error
		if scan {
			outline := &dataset.Outline{Schema: frame.Schema(), Classes: frame.Classes, Rows: make([]int, len(frame.Classes)),
				Reading: frame.Reading}
			for _, class := range frame.Truth {
				outline.Rows[class]++
			}
			part, err = GrowScan(context.Background(), outline, blocks(frame, 100), c, from, to)
		} else {
			part, err = GrowPart(context.Background(), frame, c, from, to)
		}
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, storedPart(t, part))
		from = to
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	whole, err := MergeParts(parts...)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func storedPart(t *testing.T, p *Part) *Part {
	t.Helper()
	var file bytes.Buffer
	if _, err := p.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	back, err := ReadPart(bytes.NewReader(file.Bytes()), "")
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// inYears adds a column of three years, in the order of which the rows stand.
func inYears(f *dataset.Frame) *dataset.Frame {
	years := make([]float64, f.Rows())
	for i := range years {
		years[i] = float64(2021 + 3*i/len(years))
	}
	f.Columns = append(f.Columns, dataset.Column{Field: dataset.Field{Name: "year"}, Values: years})
	return f
}

// A model keeps in the order of which columns the rows stood, in its file too. Of other rows there is nothing in it,
// as in files of before.
func TestOrderedIsKept(t *testing.T) {
	c := Config{Forest: forest.Config{Trees: 3, Seed: 1}, Votes: vote.OOB}
	for want, frame := range map[string]*dataset.Frame{`["year"]`: inYears(dataset.Fraud(300, 1)), `[]`: dataset.Fraud(300,
		1)} {
		file := fileOf(t, mustFit(t, frame, fraudSpec(), c))
		m, err := ReadModel(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%q", m.Provenance.Ordered); got != want || bytes.Contains(file, []byte(`"ordered"`)) != (want != "[]") {
			t.Errorf("in the order of %s, want %s", got, want)
		}
	}
}

// A model keeps what the cells of its columns were like, in its file too, of more rows than are sampled alike
// whether trees are grown on all rows or on those that come by; what the frame has from another model is not its
// own.
func TestBaselinesAreKept(t *testing.T) {
	frame := dataset.Fraud(9000, 1)
	amounts := frame.Columns[0].Values
	want := [2]float64{slices.Min(amounts), slices.Max(amounts)}
	frame.Columns[0].Baseline = &dataset.Baseline{Rows: 7, Range: &[2]float64{-5, 1e9}}
	m, err := ReadModel(bytes.NewReader(fileOf(t, mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 3,
		Seed: 1}, Votes: vote.OOB}))))
	if err != nil {
		t.Fatal(err)
	}
	outline := &dataset.Outline{Schema: frame.Schema(), Classes: frame.Classes, Rows: make([]int, 2)}
	for _, c := range frame.Truth {
		outline.Rows[c]++
	}
	part, err := GrowScan(context.Background(), outline, blocks(frame, 701), forest.Config{Trees: 3, Seed: 1,
		Bag: forest.Hash(30)}, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Forest.Schema[0].Baseline; got == nil || *got.Range != want || got.Rows != 9000 || len(got.Counts) != 10 {
		t.Errorf("%+v, want the range %v", got, want)
	}
	if !reflect.DeepEqual(m.Forest.Schema, part.Forest.Schema) {
		t.Errorf("a part has %+v, a model %+v", part.Forest.Schema, m.Forest.Schema)
	}
}

// A model made of trees grown apart and votes counted apart is that of Fit, byte for byte, whatever the ranges and the
// parts, whatever the bags, weights and votes; and the votes of all rows are one file, however many parts there were.
func TestApartIsAtOnce(t *testing.T) {
	amounts := pragma.Costs{Matrix: [][]float64{{0, 1}, {5, 0}}, ByAmount: []bool{true, false}}
	byAmount, err := amounts.Measure()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		frame *dataset.Frame
		c     Config
		scan  bool
	}{
		"usual":         {frame: dataset.Fraud(700, 1)},
		"three classes": {frame: dataset.Wave(300, 3, 1)},
		"soft": {frame: dataset.Wave(300, 3, 1), c: Config{Forest: forest.Config{Soft: true, MinLeaf: 5},
			Calibration: "platt"}},
		"balanced": {frame: dataset.Fraud(700, 2), c: Config{Forest: forest.Config{Bag: forest.Balanced},
			Calibration: calib.None}},
		"stratified": {frame: dataset.Fraud(700, 2), c: Config{Forest: forest.Config{Bag: forest.Stratified,
			Fraction: 0.5}}},
		"class rows": {frame: dataset.Fraud(700, 2), c: Config{Forest: forest.Config{Bag: forest.Stratified,
			ClassRows: []float64{10, 0.1}}, Calibration: calib.None}},
		"poisson": {frame: dataset.Fraud(700, 3), c: Config{Forest: forest.Config{Bag: forest.Poisson}}},
		"hash": {frame: dataset.Fraud(700, 3), c: Config{Forest: forest.Config{Bag: forest.Hash(200),
			ClassWeight: []float64{1, 3.3}}}},
		"hash by scan": {frame: dataset.Fraud(700, 3), c: Config{Forest: forest.Config{Bag: forest.Hash(200),
			ClassWeight: []float64{1, 3.3}}}, scan: true},
		"ordered": {frame: inYears(dataset.Fraud(700, 3)), c: Config{Forest: forest.Config{Bag: forest.Hash(200)}}},
		"ordered, scan": {frame: inYears(dataset.Fraud(700, 3)), c: Config{Forest: forest.Config{Bag: forest.Hash(200)}},
			scan: true},
		"weights":       {frame: weighted(dataset.Fraud(700, 4))},
		"weights, hash": {frame: weighted(dataset.Fraud(700, 4)), c: Config{Forest: forest.Config{Bag: forest.Hash(300)}}},
		"amounts": {frame: withAmounts(dataset.Fraud(700, 5)), c: Config{Costs: amounts, Measure: byAmount,
			MeasureName: "cost"}},
		"by cost":        {frame: withAmounts(dataset.Fraud(700, 5)), c: Config{Costs: amounts, ByCost: true}},
		"by cost, three": {frame: weighted(dataset.Wave(300, 3, 2)), c: Config{Costs: hedging, ByCost: true}},
		"groups":         {frame: grouped(dataset.Fraud(700, 6), 3)},
		"floors, lowest": {frame: dataset.Fraud(700, 7), c: Config{AcceptBest: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "usual" {
				race.SkipFigures(t)
			}
			rng := rand.New(rand.NewPCG(7, uint64(len(name))))
			c := tc.c
			c.Forest.Trees, c.Forest.Seed, c.Forest.Workers, c.Votes = 25, 3, 1, vote.OOB
			spec := pragma.Spec{tc.frame.Classes[0]: pragma.Priority()}
			var want bytes.Buffer
			if _, err := mustFit(t, tc.frame, spec, c).WriteTo(&want); err != nil {
				t.Fatal(err)
			}
			p := grownApart(t, rng, tc.frame, c.Forest, tc.scan)
			votes := tallyBytes(t, talliedApart(t, rng, p, tc.frame, 1))
			for _, n := range []int{1, 2, 7, 64} {
				tally := talliedApart(t, rng, p, tc.frame, n)
				if !bytes.Equal(tallyBytes(t, tally), votes) {
					t.Errorf("votes in %d parts are other bytes than in one", n)
				}
				m, err := p.Fit(context.Background(), tally, spec, c)
				if err != nil {
					t.Fatal(err)
				}
				var got bytes.Buffer
				if _, err := m.WriteTo(&got); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Fatalf("votes in %d parts: another model\n%.1500s\n%.1500s", n, got.Bytes(), want.Bytes())
				}
			}
		})
	}
}

func weighted(f *dataset.Frame) *dataset.Frame {
	for i := range f.Rows() {
		f.Weight = append(f.Weight, []float64{1, 0, 0.1, 2.7}[i%4])
	}
	return f
}

func withAmounts(f *dataset.Frame) *dataset.Frame {
	for i := range f.Rows() {
		f.Amount = append(f.Amount, float64(i%9))
	}
	f.Reading.Amount = "sum"
	return f
}

func grouped(f *dataset.Frame, groups int) *dataset.Frame {
	for i := range f.Rows() {
		f.Group = append(f.Group, i%groups)
	}
	return f
}

// partOf returns trees of a forest of nine, under a name.
func partOf(t *testing.T, name string, frame *dataset.Frame, c forest.Config, from, to int) *Part {
	t.Helper()
	c.Trees = 9
	p, err := GrowPart(context.Background(), frame, c, from, to)
	if err != nil {
		t.Fatal(err)
	}
	p.Name = name
	return p
}

// tallyOf returns the votes for part i of n of the rows, under a name.
func tallyOf(t *testing.T, name string, p *Part, frame *dataset.Frame, i, n int) *Tally {
	t.Helper()
	v, err := p.Tally(context.Background(), blocks(frame, 50), i, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	v.Name = name
	return v
}

// Parts that do not belong together are refused, by name.
func TestPartsRefuse(t *testing.T) {
	frame := dataset.Fraud(200, 1)
	a, b, c := partOf(t, "a", frame, forest.Config{}, 0, 3), partOf(t, "b", frame, forest.Config{}, 3, 6),
		partOf(t, "c", frame, forest.Config{}, 6, 9)
	weighed := partOf(t, "b", frame, forest.Config{}, 3, 6)
	weighed.reading.Weight = "w"
	for _, tc := range []struct {
		parts []*Part
		want  string
	}{
		{nil, "parts: no trees are given"},
		{[]*Part{a, c}, "parts: trees 3 to 5 are missing; give their part too, or run its task again"},
		{[]*Part{a, b, b, c}, "parts: tree 3 is there twice, in b and in b; give each part once"},
		{[]*Part{a, partOf(t, "d", frame, forest.Config{}, 2, 6)}, "parts: tree 2 is there twice, in a and in d"},
		{[]*Part{a, partOf(t, "b", frame, forest.Config{Seed: 2}, 3, 6)},
			"parts: b has another seed (2, not 0) than a, and they are to be of one forest; grow them with the same flags on " +
				"the same rows"},
		{[]*Part{a, partOf(t, "b", frame, forest.Config{MinLeaf: 3}, 3, 6)}, "parts: b has other settings than a"},
		{[]*Part{a, partOf(t, "b", dataset.Fraud(200, 2), forest.Config{}, 3, 6)}, "parts: b has other rows than a"},
		{[]*Part{a, partOf(t, "b", dataset.Fraud(201, 1), forest.Config{}, 3, 6)},
			"parts: b has other rows (201, not 200) than a"},
		{[]*Part{a, weighed}, "parts: b was read in another way than a"},
	} {
		if _, err := MergeParts(tc.parts...); !errors.Is(err, ErrPart) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// Votes that do not belong together are refused, by name.
func TestTalliesRefuse(t *testing.T) {
	frame := dataset.Fraud(200, 1)
	whole := partOf(t, "", frame, forest.Config{}, 0, 9)
	u, v, foreign := tallyOf(t, "u", whole, frame, 0, 3), tallyOf(t, "v", whole, frame, 2, 3), partOf(t, "z", frame,
		forest.Config{Seed: 5}, 0, 9)
	money := tallyOf(t, "m", whole, frame, 1, 3)
	money.Amount = "sum"
	for _, tc := range []struct {
		tallies []*Tally
		want    string
	}{
		{nil, "parts: no votes are given"},
		{[]*Tally{u, v, u}, "parts: part 0 of 3 of the rows is there twice, in u and in u; give each part once"},
		{[]*Tally{u, tallyOf(t, "w", whole, frame, 1, 2)},
			"parts: u is of 3 parts of the rows and w of 2; deal them out to the same number of parts"},
		{[]*Tally{u, tallyOf(t, "w", whole, frame, 0, 1)},
			"parts: w has the votes for all rows already, and u some of them once more; give one of them"},
		{[]*Tally{u, tallyOf(t, "f", foreign, frame, 1, 3)},
			"parts: u and f are votes of different forests; count them with the same trees"},
		{[]*Tally{u, money}, `parts: u and m are votes of two kinds (oob, amount ""; oob, amount "sum")`},
	} {
		if _, err := MergeTallies(tc.tallies...); !errors.Is(err, ErrPart) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
	for _, part := range []int{-1, 3} {
		if _, err := whole.Tally(context.Background(), blocks(frame, 50), part, 3, 1); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), "of 3 parts of the rows; there are at most 1048576, numbered from 0") {
			t.Errorf("part %d of 3: error %v", part, err)
		}
	}
}

// Votes of other trees, for other rows, or for some of the rows are refused, and some of the trees.
func TestFitOfPartsRefuses(t *testing.T) {
	frame, spec := dataset.Fraud(200, 1), fraudSpec()
	a, c := partOf(t, "a", frame, forest.Config{}, 0, 3), partOf(t, "c", frame, forest.Config{}, 6, 9)
	whole, foreign := partOf(t, "", frame, forest.Config{}, 0, 9), partOf(t, "z", frame, forest.Config{Seed: 5}, 0, 9)
	two, err := MergeTallies(tallyOf(t, "u", whole, frame, 0, 3), tallyOf(t, "v", whole, frame, 2, 3))
	if err != nil {
		t.Fatal(err)
	}
	m := mustFit(t, frame, spec, Config{Forest: forest.Config{Trees: 9}, Votes: vote.OOB})
	holdout, err := m.Tally(context.Background(), blocks(frame, 50), 0, 1, 1)
	if err != nil || !holdout.TrainedOn() {
		t.Fatalf("holdout votes for the training rows: trained on %v, error %v", err == nil && holdout.TrainedOn(), err)
	}
	other := dataset.Fraud(150, 1)
	for _, tc := range []struct {
		p     *Part
		votes *Tally
		want  string
	}{
		{whole, two, "parts: 1 of 3 parts of the rows has no votes (1); give theirs too, or run their tasks again"},
		{a, tallyOf(t, "u", whole, frame, 0, 1), "parts: trees 3 to 8 are missing"},
		{c, tallyOf(t, "u", whole, frame, 0, 1), "parts: trees 0 to 5 are missing"},
		{whole, tallyOf(t, "f", foreign, frame, 0, 1),
			"parts: the votes are of another forest than the trees; count them with these trees"},
		{whole, tallyOf(t, "o", whole, other, 0, 1),
			"parts: the votes are for 150 rows that are not the 200 that the trees were grown on; count them on the same data"},
		{whole, tallyOf(t, "o", whole, dataset.Fraud(200, 9), 0, 1),
			"parts: the votes are for 200 rows that are not the 200"},
		{whole, holdout, "parts: the votes are holdout votes, and weights and maps are fitted on oob votes for the " +
			"training rows"},
	} {
		if _, err := tc.p.Fit(context.Background(), tc.votes, spec, Config{}); !errors.Is(err, ErrPart) ||
			!strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
	if _, err := a.Tally(context.Background(), blocks(frame, 50), 0, 1, 1); !errors.Is(err, ErrPart) {
		t.Errorf("votes of some of the trees: error %v", err)
	}
}

// Every flipped bit of a file is noticed, and so is any end too early.
func TestPartFilesRefuseDamage(t *testing.T) {
	race.SkipFigures(t)
	frame := dataset.Fraud(120, 1)
	p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 2}, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	var trees bytes.Buffer
	if _, err := p.WriteTo(&trees); err != nil {
		t.Fatal(err)
	}
	tally, err := p.Tally(context.Background(), blocks(frame, 50), 0, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	readPart := func(b []byte) error { _, err := ReadPart(bytes.NewReader(b), "f"); return err }
	readTally := func(b []byte) error { _, err := ReadTally(bytes.NewReader(b), "f"); return err }
	for name, file := range map[string]struct {
		b    []byte
		read func([]byte) error
	}{"trees": {trees.Bytes(), readPart}, "votes": {tallyBytes(t, tally), readTally}} {
		for at := range file.b {
			b := bytes.Clone(file.b)
			b[at] ^= 1 << (at % 8)
			if err := file.read(b); !errors.Is(err, ErrFormat) {
				t.Fatalf("%s, byte %d: error %v", name, at, err)
			}
			if err := file.read(file.b[:at]); !errors.Is(err, ErrFormat) {
				t.Fatalf("%s cut at %d: error %v", name, at, err)
			}
			// The same damage under a checksum that fits: an error, or a file that says something else, never a panic.
			_ = file.read(sealed(b[:len(b)-32]))
		}
	}
	if err := readPart(tallyBytes(t, tally)); err == nil || !strings.Contains(err.Error(),
		"this looks like votes of rfpragma tally; give the trees written by rfpragma grow") {
		t.Errorf("votes for trees: error %v", err)
	}
	if err := readTally(trees.Bytes()); err == nil || !strings.Contains(err.Error(),
		"this looks like trees of rfpragma grow, to be put together by rfpragma merge; give the votes written by rfpragma "+
			"tally") {
		t.Errorf("trees for votes: error %v", err)
	}
	if _, err := ReadModel(bytes.NewReader(trees.Bytes())); err == nil || !strings.Contains(err.Error(),
		"this looks like trees of rfpragma grow, to be put together by rfpragma merge; give a file written by rfpragma "+
			"train") {
		t.Errorf("trees for a model: error %v", err)
	}
}

// The bytes of parts and votes are a promise: tasks of one job run on machines of any kind. These digests were made
// by this program on amd64; arm64 makes the same.
func TestGoldenParts(t *testing.T) {
	for bag, want := range map[forest.Bag][2]string{
		forest.Bootstrap: {"feed5807ac8b0aba", "1aab3201b9c5b94b"},
		forest.Hash(90):  {"46c1469a86545986", "22ef2c77de43c41e"},
	} {
		frame := dataset.Fraud(300, 1)
		p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 9, Seed: 1, Bag: bag}, 0, 9)
		if err != nil {
			t.Fatal(err)
		}
		var trees bytes.Buffer
		if _, err := p.WriteTo(&trees); err != nil {
			t.Fatal(err)
		}
		tally, err := p.Tally(context.Background(), blocks(frame, 50), 1, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		a, b := sha256.Sum256(trees.Bytes()), sha256.Sum256(tallyBytes(t, tally))
		if got := [2]string{hex.EncodeToString(a[:8]), hex.EncodeToString(b[:8])}; got != want {
			t.Errorf("%s: digests %q, want %q", bag, got, want)
		}
	}
}

// Bytes under a checksum that fits are an error, or a file that is written with the same bytes.
func FuzzReadParts(f *testing.F) {
	frame := dataset.Fraud(120, 1)
	p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 2}, 0, 2)
	if err != nil {
		f.Fatal(err)
	}
	tally, err := p.Tally(context.Background(), blocks(withAmounts(frame), 50), 0, 2, 1)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range []io.WriterTo{p, tally} {
		var b bytes.Buffer
		if _, err := file.WriteTo(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes()[:b.Len()-sha256.Size])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = sealed(bytes.Clone(b))
		var again bytes.Buffer
		if p, err := ReadPart(bytes.NewReader(b), ""); err == nil {
			if _, err := p.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), b) {
				t.Fatalf("trees were accepted, but written again they have other bytes (%v)", err)
			}
		}
		if v, err := ReadTally(bytes.NewReader(b), ""); err == nil {
			if _, err := v.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), b) {
				t.Fatalf("votes were accepted, but written again they have other bytes (%v)", err)
			}
			v.Table()
		}
	})
}
