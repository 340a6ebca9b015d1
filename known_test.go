package rfpragma

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/sketch"
)

// knowing returns what [Model.Overlap] needs of a model that was trained on the rows.
func knowing(train *dataset.Frame) *Model {
	return &Model{Forest: &forest.Forest{Schema: train.Schema(), Classes: train.Classes}, sketch: sketchOf(train)}
}

// joined returns the rows of a and b, which are of the same columns.
func joined(a, b *dataset.Frame) *dataset.Frame {
	f := &dataset.Frame{Classes: a.Classes, Truth: slices.Concat(a.Truth, b.Truth)}
	for j, c := range a.Columns {
		column := dataset.Column{Field: c.Field}
		for _, part := range []*dataset.Frame{a, b} {
			for i := range part.Rows() {
				column.Values = append(column.Values, part.Columns[j].At(i))
			}
		}
		f.Columns = append(f.Columns, column)
	}
	return f
}

// Rows that are there twice are told, unless as many of the training were; by hand: 600 rows and the first 200 of
// them once more.
func TestAgain(t *testing.T) {
	train, later := dataset.Fraud(900, 1), dataset.Fraud(600, 2)
	twice := joined(later, later.Take(upTo(200)))
	for _, tc := range []struct {
		name        string
		train, rows *dataset.Frame
		want        int
	}{
		{"each once", train, later, 0},
		{"some twice", train, twice, 200},
		{"a few twice", train, joined(later, later.Take(upTo(60))), 0},
		{"as in training", joined(train, train.Take(upTo(300))), twice, 0},
	} {
		if k, err := knowing(tc.train).Overlap(tc.rows); err != nil || k.Again != tc.want {
			t.Errorf("%s: %d, %v, want %d", tc.name, k.Again, err, tc.want)
		}
	}
}

func TestKnown(t *testing.T) {
	for _, n := range []int{900, 8000} { // the sketch has all rows, or some
		train, later := dataset.Fraud(n, 1), dataset.Fraud(600, 2)
		m := knowing(train)
		shuffled := train.Take(rand.New(rand.NewPCG(1, 1)).Perm(n))
		slices.Reverse(shuffled.Columns)
		heavy := train.Take(upTo(n))
		heavy.Weight = slices.Repeat([]float64{3}, n)
		turned := train.Take(upTo(n))
		turned.Classes = []string{train.Classes[1], "another", train.Classes[0]}
		for i := range turned.Truth {
			turned.Truth[i] = 2 - 2*turned.Truth[i]
		}
		changed := joined(train, later.Take(nil))
		for i := range n {
			for j := range changed.Columns {
				if changed.Columns[j].Kind == dataset.Numeric {
					changed.Columns[j].Values[i] = math.Nextafter(changed.Columns[j].At(i), math.Inf(1))
					break
				}
			}
		}
		gaps := joined(train, later)
		for i := range gaps.Truth {
			if i%2 == 0 {
				gaps.Truth[i] = -1
			}
		}
		for _, tc := range []struct {
			name       string
			rows       *dataset.Frame
			same, slip int // about so many of the training, up or down
		}{
			{"the same rows", train, n, 0},
			{"some of them", train.Take(upTo(n / 2)), n / 2, 0},
			{"shuffled, columns in another order", shuffled, n, 0},
			{"other case weights", heavy, n, 0},
			{"classes in another order", turned, n, 0},
			{"with later rows", joined(train, later), n, n / 100},
			{"with more later rows", joined(train.Take(upTo(n/4)), dataset.Fraud(n/2, 3)), n / 4, n / 20},
			{"half without a label", gaps, n / 2, n / 50},
			{"one feature changed", changed, 0, 0},
			{"later rows", later, 0, 0},
			{"three later rows", later.Take(upTo(3)), 0, 0},
			{"no row", later.Take(nil), 0, 0},
		} {
			k, err := m.Overlap(tc.rows)
			if err != nil || max(k.Same-tc.same, tc.same-k.Same) > tc.slip || k.Chance != 0 {
				t.Errorf("%d rows, %s: %+v (%v), want %d", n, tc.name, k, err, tc.same)
			}
		}
		if k, err := m.Overlap(gaps); err != nil || k.Rows != (n+600)/2 {
			t.Errorf("%d rows with a label (%v)", k.Rows, err)
		}
		m.sketch = nil
		if k, err := m.Overlap(train); err != nil || k.Same != 0 || k.Rows != n {
			t.Errorf("a model of before knows %+v (%v)", k, err)
		}
		if _, err := m.Overlap(train.Take(nil)); err != nil {
			t.Error(err)
		}
		if _, err := m.Overlap(&dataset.Frame{Columns: later.Columns[:1], Truth: later.Truth,
			Classes: later.Classes}); !errors.Is(err, dataset.ErrShape) {
			t.Errorf("without columns: error %v", err)
		}
	}
	// Of few rows all that is known is whether the sample has them: here it has all.
	few := knowing(dataset.Fraud(900, 1))
	for n, want := range map[int]int{1: 0, 2: 2, 3: 3} {
		if k, err := few.Overlap(dataset.Fraud(900, 1).Take(upTo(n))); err != nil || k.Same != want {
			t.Errorf("%d rows of the training: %+v (%v), want %d", n, k, err, want)
		}
	}
}

// Rows of few features are often alike: new ones are those of the training as well, and no reason for a warning.
// More of them than chance makes are.
func TestKnownByChance(t *testing.T) {
	draw := func(n int, seed uint64) *dataset.Frame {
		r := rand.New(rand.NewPCG(seed, 1))
		f := &dataset.Frame{Classes: []string{"a", "b"}, Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}}}}
		for range n {
			f.Columns[0].Values, f.Truth = append(f.Columns[0].Values, float64(r.IntN(20000))), append(f.Truth, r.IntN(2))
		}
		return f
	}
	// of 40,000 rows that may be: 1 - (1 - 1/40000)ⁿ, 5 and 39 %, of new ones are known
	for _, n := range []int{2000, 20000} {
		m := knowing(draw(n, 1))
		for seed := range uint64(20) {
			if k, err := m.Overlap(draw(3000, 2+seed)); err != nil || k.Same != 0 || k.Classes != nil {
				t.Errorf("%d rows: of others of the kind %+v (%v)", n, k, err)
			}
		}
		k, err := m.Overlap(draw(n, 1))
		want := float64(n) * (1 - math.Pow(1-1./40000, float64(n)))
		if err != nil || k.Same != n || math.Abs(float64(k.Chance)-want) > 0.1*want+30 {
			t.Errorf("of %d rows themselves %+v (%v), want about %.0f by chance", n, k, err, want)
		}
	}
}

// Rows of the training of a rare class alone are told, few as they are among all rows; of other rows of the class
// none are.
func TestKnownOfAClass(t *testing.T) {
	for _, n := range []int{2000, 8000} { // the sketch has all rows, or some
		train, later := dataset.Fraud(n, 1), dataset.Fraud(600, 2)
		m := knowing(train)
		var rare []int
		for i, class := range train.Truth {
			if train.Classes[class] == "fraud" {
				rare = append(rare, i)
			}
		}
		rare = rare[:min(len(rare), 40)]
		was := 0
		for _, class := range later.Truth {
			was += map[bool]int{true: 1}[later.Classes[class] == "fraud"]
		}
		fraud := slices.Index(train.Classes, "fraud")
		k, err := m.Overlap(joined(later, train.Take(rare)))
		if err != nil || len(k.Classes) != 1 {
			t.Fatalf("%d rows: %+v, %v", n, k, err)
		}
		got := k.Classes[0]
		if got.Class != fraud || got.Rows != was+len(rare) || max(got.Same-len(rare), len(rare)-got.Same) > len(rare)/4 ||
			got.Chance != 0 || k.Same != 0 {
			t.Errorf("%d rows, %d of fraud: %+v beside %d others of fraud", n, len(rare), k, was)
		}
		if k, err := m.Overlap(later); err != nil || k.Classes != nil {
			t.Errorf("of other rows %+v, %v", k, err)
		}
		m.sketch.Classes = nil
		if k, err := m.Overlap(joined(later, train.Take(rare))); err != nil || k.Classes != nil {
			t.Errorf("a model of before knows %+v, %v", k, err)
		}
	}
}

func TestKnownIsStored(t *testing.T) {
	train := dataset.Fraud(300, 1)
	m := mustFit(t, train, fraudSpec(), Config{Forest: forest.Config{Trees: 5, Seed: 1}})
	other, err := m.WithWeights(m.Weights)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadModel(bytes.NewReader(fileOf(t, other)))
	if err != nil {
		t.Fatal(err)
	}
	if k, err := back.Overlap(train.Take(upTo(200))); err != nil || k.Same != 200 {
		t.Errorf("the model that was read knows %+v (%v)", k, err)
	}
	head, err := m.header()
	if err != nil {
		t.Fatal(err)
	}
	trees := treesOf(t, m)
	for _, bad := range []sketch.Sketch{
		{Hashes: []uint32{2, 1}, Sketched: sketch.Sketched{Rows: 2, Single: 2}}, {}, {Hashes: []uint32{1, 2},
			Sketched: sketch.Sketched{Rows: 301, Single: 1}},
		{Hashes: []uint32{1, 2}, Sketched: sketch.Sketched{Rows: 2, Single: 2}, Classes: []sketch.Sketched{{Rows: 2,
			Single: 2}}}, {Hashes: make([]uint32, sketch.Size+1)},
	} {
		damaged := *m
		damaged.sketch = &bad
		b, err := damaged.header()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadModel(bytes.NewReader(file(b, trees))); !errors.Is(err, ErrFormat) {
			t.Errorf("a sketch of %d hashes, %d rows: error %v", len(bad.Hashes), bad.Rows, err)
		}
	}
	at := bytes.Index(head, []byte(`,"sketch":`))
	if _, err := ReadModel(bytes.NewReader(file(append(bytes.Clone(head[:at]), "}\n"...), trees))); err != nil {
		t.Errorf("a model without a sketch: %v", err)
	}
}

// Halves of public sets, split at random, are new to each other even where rows repeat: of skin four of five new
// rows are known. A cumulative file is not new.
func TestKnownOfPublicSets(t *testing.T) {
	for _, s := range publicSets(t) {
		if !slices.Contains(strings.Fields(
			"hypothyroid satimage car_claims_fraud adult skin mammography breast_cancer_wisconsin spambase car nursery "+
				"mushroom soybean"), s.Name) {
			continue
		}
		frame := s.read(t)
		n := frame.Rows()
		for seed := range uint64(5) {
			rows := rand.New(rand.NewPCG(seed, 1)).Perm(n)
			train := frame.Take(rows[:n/2])
			m := knowing(train)
			for _, size := range []int{3, 30, n - n/2} {
				if k, err := m.Overlap(frame.Take(rows[n/2 : n/2+size])); err != nil || k.Same != 0 || k.Classes != nil {
					t.Errorf("%s, seed %d: of %d other rows %+v (%v)", s.Name, seed, size, k, err)
				}
			}
			k, err := m.Overlap(frame.Take(rows[:3*n/4]))
			if s.Name != "skin" && (err != nil || k.Same < 6*k.Rows/10) { // two of three, or more where rows repeat
				t.Errorf("%s, seed %d: of a cumulative file %+v (%v)", s.Name, seed, k, err)
			}
		}
	}
}
