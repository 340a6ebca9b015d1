package rfpragma

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Names are only names: of two tables that differ in the names of their classes, and so in the order in which these are
// listed, all that is made is the same to the last bit, but for that order. What names a table is another one: the
// fingerprint, the origin of trees and the sketch of the rows.

// A wish is what is asked for, by class.
type wish struct {
	spec pragma.Spec
	cfg  Config
}

// renaming moves class c to to[c], under the name names[to[c]].
type renaming struct {
	to    []int
	names []string
	was   []string
}

// newRenaming returns one of the classes of f, whose names are sorted as a reader of tables sorts them.
func newRenaming(f *dataset.Frame, to []int) renaming {
	r := renaming{to: to, was: f.Classes}
	for c := range to {
		r.names = append(r.names, fmt.Sprintf("class%02d", c))
	}
	return r
}

func (r renaming) frame(f *dataset.Frame) *dataset.Frame {
	g := *f
	g.Classes, g.Truth = r.names, make([]int, len(f.Truth))
	for i, c := range f.Truth {
		if g.Truth[i] = c; c >= 0 {
			g.Truth[i] = r.to[c]
		}
	}
	return &g
}

// moved returns values by class where their classes are now.
func moved[T any](r renaming, values []T) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(values))
	for c, v := range values {
		out[r.to[c]] = v
	}
	return out
}

func (r renaming) wish(w wish) wish {
	spec := pragma.Spec{}
	for name, p := range w.spec {
		spec[r.names[r.to[slices.Index(r.was, name)]]] = p
	}
	c := w.cfg
	c.Forest.ClassWeight = moved(r, c.Forest.ClassWeight)
	if c.Costs.Matrix != nil {
		var matrix [][]float64
		for _, line := range c.Costs.Matrix {
			matrix = append(matrix, moved(r, line))
		}
		c.Costs = pragma.Costs{Matrix: moved(r, matrix), ByAmount: moved(r, c.Costs.ByAmount)}
	}
	c.Search.Floors = slices.Clone(c.Search.Floors)
	for i := range c.Search.Floors {
		c.Search.Floors[i].Class = r.to[c.Search.Floors[i].Class]
	}
	return wish{spec: spec, cfg: c}
}

// measured gives a wish its measure, which is bound to the classes.
func (w wish) measured(t *testing.T, name string, classes []string) wish {
	t.Helper()
	var err error
	switch w.cfg.MeasureName = name; name {
	case "":
		return w
	case costMeasure:
		w.cfg.Measure, err = w.cfg.Costs.Measure()
	default:
		w.cfg.Measure, err = w.spec.ParseMeasure(name, classes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// same compares a model with that of renamed rows, by its votes for rows and all that follows from them.
func (r renaming) same(t *testing.T, a, b *Model, rows *dataset.Frame) bool {
	t.Helper()
	x, err := a.Votes(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Votes(context.Background(), r.frame(rows))
	if err != nil {
		t.Fatal(err)
	}
	k := len(r.to)
	p, q := make([]float64, k), make([]float64, k)
	for i := range rows.Rows() {
		votes := x.Votes(i)
		if !slices.Equal(moved(r, votes), y.Votes(i)) {
			t.Errorf("row %d: votes %v become %v by %v", i, votes, y.Votes(i), r.to)
			return false
		}
		a.Probabilities(p, votes)
		b.Probabilities(q, y.Votes(i))
		if !slices.Equal(moved(r, p), q) {
			t.Errorf("row %d: votes %v, probabilities %v become %v by %v; maps %+v and %+v", i, votes, p, q, r.to, a.Maps,
				b.Maps)
			return false
		}
		if c, d := a.Decide(votes), b.Decide(y.Votes(i)); r.to[c] != d {
			t.Errorf("row %d: votes %v, decision %d becomes %d by %v", i, votes, c, d, r.to)
			return false
		}
	}
	return r.sameRecord(t, a, b)
}

// sameRecord compares what two models say of themselves.
func (r renaming) sameRecord(t *testing.T, a, b *Model) bool {
	t.Helper()
	order := func(m *Model, r *renaming) (of []int) {
		for _, c := range m.Forest.TieOrder() {
			if m.Forest.Share[c] > 0 { // others are never decided on
				if r != nil {
					c = r.to[c]
				}
				of = append(of, c)
			}
		}
		return of
	}
	type record struct {
		Weights, Share            []float64
		Order                     []int
		Loss, Plain               *float64
		Plateau                   []Interval
		Figures                   []ClassFigures
		MapShare                  []float64
		Calibration, Measure, How string
		Folds, Unvoted, Nodes     int
	}
	of := func(m *Model, r *renaming) record {
		p := &m.Provenance
		out := record{m.Weights, m.Forest.Share, order(m, r), p.Loss, p.Plain, p.Plateau, p.Figures, p.MapShare,
			p.Calibration, p.Measure, p.Search + p.Choice + string(p.Votes), p.Folds, p.Unvoted, m.Forest.Nodes()}
		if strings.HasPrefix(out.Measure, "f:") {
			out.Measure = "f"
		}
		if r != nil {
			out.Weights, out.Share, out.Plateau, out.Figures, out.MapShare = moved(*r, out.Weights), moved(*r, out.Share),
				moved(*r, out.Plateau), moved(*r, out.Figures), moved(*r, out.MapShare)
		}
		return out
	}
	if x, y := of(a, &r), of(b, nil); !reflect.DeepEqual(x, y) {
		t.Errorf("by %v (-model +of renamed rows)\n%s", r.to, cmp.Diff(x, y))
		return false
	}
	return true
}

// sameReport compares what cross-validations say.
func (r renaming) sameReport(t *testing.T, a, b *eval.Report) bool {
	t.Helper()
	unnamed := func(report *eval.Report, names []string, place func(int) int) (out any) {
		text, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]any
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		return standard(all, names, place)
	}
	x := unnamed(a, r.was, func(c int) int { return c })
	y := unnamed(b, r.names, func(c int) int { return slices.Index(r.to, c) })
	if !reflect.DeepEqual(x, y) {
		t.Errorf("by %v (-report +of renamed rows)\n%s", r.to, cmp.Diff(x, y))
		return false
	}
	return true
}

// standard returns a part of a report whose classes are called by their places, in which matrices have them.
func standard(part any, names []string, place func(int) int) any {
	switch part := part.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, v := range part {
			if c := slices.Index(names, key); c >= 0 {
				key = fmt.Sprint("class ", place(c))
			}
			if out[key] = standard(v, names, place); key != "confusion" {
				continue
			}
			lines := slices.Clone(v.([]any))
			for truth, line := range v.([]any) {
				cells := make([]any, len(lines))
				for decision, cell := range line.([]any) {
					cells[place(decision)] = cell
				}
				lines[place(truth)] = cells
			}
			out[key] = lines
		}
		return out
	case []any:
		var out []any
		for _, v := range part {
			out = append(out, standard(v, names, place))
		}
		return out
	case string:
		if c := slices.Index(names, part); c >= 0 {
			return fmt.Sprint("class ", place(c))
		}
	}
	return part
}

// named returns rows of k classes, in a random order, equally many or ever fewer, with columns of both kinds and
// missing cells.
func named(rng *rand.Rand, n, k int) *dataset.Frame {
	f := &dataset.Frame{Reading: dataset.Reading{Target: "class"}}
	for c := range k {
		f.Classes = append(f.Classes, string(rune('a'+c)))
	}
	even := rng.IntN(2) == 0
	for i := range n {
		c := i % k
		if !even {
			c = min(int(math.Sqrt(float64(i%(k*k)))), k-1)
		}
		f.Truth = append(f.Truth, c)
	}
	rng.Shuffle(n, func(i, j int) { f.Truth[i], f.Truth[j] = f.Truth[j], f.Truth[i] })
	levels := []string{"p", "q", "r", "s"}
	for j := range 4 {
		column := dataset.Column{Field: dataset.Field{Name: fmt.Sprint("x", j)}, Values: make([]float64, n)}
		if j == 3 {
			column.Kind, column.Levels = dataset.Categorical, levels
		}
		for i, c := range f.Truth {
			v := math.Round(2*rng.NormFloat64()+2*float64((c+j)%k)) / 2
			switch {
			case rng.IntN(15) == 0:
				v = math.NaN()
			case j == 3:
				v = float64((c + rng.IntN(3)) % len(levels))
			}
			column.Values[i] = v
		}
		f.Columns = append(f.Columns, column)
	}
	return f
}

// pick returns one of several.
func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// randomWish asks for anything that there is.
func randomWish(rng *rand.Rand, f *dataset.Frame) (w wish, measure string) {
	k := len(f.Classes)
	w.spec = pragma.Spec{f.Classes[rng.IntN(k)]: pick(rng, pragma.Priority(), pragma.Preference{Theta: 3, X: 0.3, Y: 0.6},
		pragma.Neutral())}
	c := &w.cfg
	c.Forest = forest.Config{
		Trees: 12, Seed: rng.Uint64N(9), Workers: 1, Soft: rng.IntN(4) == 0, RandomCuts: rng.IntN(5) == 0, MinLeaf: pick(rng,
			0, 0, 3), MaxLeaves: pick(rng, 0, 0, 6), SubsetLevels: pick(rng, 0, 2),
		Criterion: pick(rng, forest.Gini, forest.Gini, forest.Entropy, forest.Hellinger, forest.Pragma),
		Bag:       pick(rng, forest.Bootstrap, forest.Stratified, forest.Balanced, forest.Poisson, forest.Hash(60)),
	}
	if rng.IntN(5) == 0 {
		for range k {
			c.Forest.ClassWeight = append(c.Forest.ClassWeight, pick(rng, 0.5, 1, 3))
		}
	}
	c.Search = anneal.Search{Workers: 1, Seed: rng.Uint64N(9), Steps: 300, Choice: pick(rng, anneal.Careful,
		anneal.Lowest)}
	c.Votes = pick(rng, vote.OOB, vote.OOB, vote.CV, vote.Train, "")
	if c.Folds = 3; f.Group != nil {
		c.Votes = vote.CV
	} else if f.Time != nil {
		c.Votes = ""
	}
	methods := calib.Methods()
	c.Calibration = methods[rng.IntN(len(methods))]
	if _, err := calib.Parse(string(c.Calibration + ":coupled")); err == nil && k > 2 && rng.IntN(2) == 0 {
		c.Calibration += calib.Method(pick(rng, ":pairs", ":coupled"))
	}
	measure = pick(rng, "", "", "accuracy", "balanced", "f1", "gmean", "mcc", "kappa", "pragma:s=0.5", costMeasure)
	if measure == costMeasure {
		for truth := range k {
			line := make([]float64, k)
			for d := range line {
				if d != truth {
					line[d] = 1 + 9*rng.Float64()
				}
			}
			c.Costs.Matrix, c.Costs.ByAmount = append(c.Costs.Matrix, line), append(c.Costs.ByAmount, f.Amount != nil &&
				truth == 0)
		}
		c.ByCost = rng.IntN(2) == 0
	}
	if rng.IntN(5) == 0 {
		c.Search.Floors, c.AcceptBest = []pragma.Floor{{Class: rng.IntN(k), What: pick(rng, pragma.RecallFloor,
			pragma.FalseAlarms), Limit: 0.5}}, true
	}
	return w, measure
}

// furnish gives rows weights, groups, times and amounts, or none.
func furnish(rng *rand.Rand, f *dataset.Frame) {
	n := f.Rows()
	kind := rng.IntN(6)
	for i := range n {
		switch kind {
		case 0:
			f.Weight = append(f.Weight, float64(rng.IntN(4)))
		case 1:
			f.Weight = append(f.Weight, 0.1+rng.Float64())
		case 2:
			f.Group = append(f.Group, rng.IntN(n/3))
		case 3:
			if f.Time == nil {
				f.Time = &dataset.Column{Field: dataset.Field{Name: "when"}}
			}
			f.Time.Values = append(f.Time.Values, float64(i/10))
		}
	}
	if rng.IntN(3) == 0 {
		for range n {
			f.Amount = append(f.Amount, float64(1+rng.IntN(50)))
		}
	}
}

// refused tells errors of problems that are none.
func refused(err error) bool {
	return errors.Is(err, forest.ErrTrain) || errors.Is(err, ErrConfig) || errors.Is(err, anneal.ErrFloors) ||
		errors.Is(err, eval.ErrNoLabels)
}

// What is fitted to generated rows, cross-validated, and made in parts, by any settings.
func TestNamesAreOnlyNames(t *testing.T) {
	race.SkipFigures(t)
	fitted := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 77))
		k := pick(rng, 2, 2, 3, 5)
		f := named(rng, 60*pick(rng, 2, 3), k)
		furnish(rng, f)
		r := newRenaming(f, rng.Perm(k))
		other := r.frame(f)
		w, measure := randomWish(rng, f)
		first, second := w.measured(t, measure, f.Classes), r.wish(w).measured(t, measure, r.names)
		a, errA := Fit(t.Context(), f, first.spec, first.cfg)
		b, errB := Fit(t.Context(), other, second.spec, second.cfg)
		if errA != nil || errB != nil {
			if !refused(errA) || !refused(errB) {
				t.Fatalf("seed %d: %v, renamed %v", seed, errA, errB)
			}
			continue
		}
		fitted++
		ok := r.same(t, a, b, f) && r.sameLater(t, a, b, f, seed)
		if seed%5 == 0 {
			e := eval.Config{Folds: 3, Seed: seed}
			x, errX := CrossValidate(t.Context(), f, first.spec, first.cfg, e)
			y, errY := CrossValidate(t.Context(), other, second.spec, second.cfg, e)
			if (errX == nil) != (errY == nil) || errX != nil && !refused(errX) {
				t.Fatalf("seed %d: %v, renamed %v", seed, errX, errY)
			}
			ok = ok && (errX != nil || r.sameReport(t, x, y))
		}
		if !ok {
			t.Fatalf("seed %d: %d classes, measure %q, %+v", seed, k, measure, w)
		}
	}
	if fitted < 120 {
		t.Errorf("only %d of 150 models could be fitted", fitted)
	}
}

// readNamed reads a table whose labels are called by other names.
func readNamed(t *testing.T, text string, names map[string]string) *dataset.Frame {
	t.Helper()
	var b strings.Builder
	for at, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cut := strings.LastIndexByte(line, ',') + 1
		if name, known := names[line[cut:]]; at > 0 && known {
			line = line[:cut] + name
		}
		b.WriteString(line + "\n")
	}
	f, err := dataset.ReadCSV(strings.NewReader(b.String()), "in.csv", dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A label that is 1 or 0, and one that is default or good, which come in the other order, lead to the same model:
// also where there are as many of the one as of the other.
func TestNamesInAFile(t *testing.T) {
	for _, rare := range []int{100, 37} {
		rng := rand.New(rand.NewPCG(3, 3))
		text := "x,y,class\n"
		for i := range 200 {
			c := 0
			if i%200 < rare {
				c = 1
			}
			text += fmt.Sprintf("%.1f,%.1f,%d\n", rng.NormFloat64()+float64(c), rng.NormFloat64()-float64(c), c)
		}
		a, b := readNamed(t, text, nil), readNamed(t, text, map[string]string{"1": "default", "0": "good"})
		r := renaming{to: []int{1, 0}, names: []string{"default", "good"}, was: []string{"0", "1"}}
		if !slices.Equal(a.Classes, r.was) || !slices.Equal(b.Classes, r.names) {
			t.Fatalf("classes %v and %v", a.Classes, b.Classes)
		}
		for _, method := range calib.Methods() {
			cfg := Config{Forest: forest.Config{Trees: 30, Seed: 1, Workers: 1}, Calibration: method, Votes: vote.OOB}
			r.same(t, mustFit(t, a, pragma.Spec{"1": pragma.Priority()}, cfg),
				mustFit(t, b, pragma.Spec{"default": pragma.Priority()}, cfg), a)
		}
	}
}

// A model of equally common classes, made at once, of parts of its trees and votes, or tuned anew on the votes of
// its training, is the same one, and says so in its file.
func TestTiesWhicheverWayAModelIsMade(t *testing.T) {
	ties := 0
	for seed := range uint64(16) {
		rng := rand.New(rand.NewPCG(seed, 78))
		f := named(rng, 120, pick(rng, 2, 3, 4))
		bag := pick(rng, forest.Bootstrap, forest.Balanced, forest.Stratified, forest.Hash(50))
		cfg := Config{Forest: forest.Config{Trees: 10, Seed: seed, Bag: bag, Workers: 1}, Votes: vote.OOB,
			Search: anneal.Search{Workers: 1, Steps: 300}}
		want := mustFit(t, f, nil, cfg)
		if want.Forest.Ties != nil {
			ties++
		}
		rows := func(do func(block *dataset.Frame) error) error {
			return errors.Join(do(f.Take([]int{0, 1, 2})), do(f.Take(upTo(f.Rows())[3:])))
		}
		var parts []*Part
		for from := 0; from < 10; from += 5 {
			part, err := GrowPart(t.Context(), f, cfg.Forest, from, from+5)
			if _, hash := bag.Rows(); hash && from == 5 {
				counts := make([]int, len(f.Classes))
				for _, c := range f.Truth {
					counts[c]++
				}
				outline := &dataset.Outline{Schema: f.Schema(), Classes: f.Classes, Rows: counts, Reading: f.Reading}
				part, err = GrowScan(t.Context(), outline, rows, cfg.Forest, from, from+5)
			}
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, again(t, part, func(r *bytes.Buffer) (*Part, error) { return ReadPart(r, "part") }))
		}
		whole, err := MergeParts(parts...)
		if err != nil {
			t.Fatal(err)
		}
		var tallies []*Tally
		for i := range 3 {
			tally, err := whole.Tally(t.Context(), rows, i, 3, 1)
			if err != nil {
				t.Fatal(err)
			}
			tallies = append(tallies, again(t, tally, func(r *bytes.Buffer) (*Tally, error) { return ReadTally(r, "tally") }))
		}
		votes, err := MergeTallies(tallies...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := whole.Fit(t.Context(), votes, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := written(t, want), written(t, got); !bytes.Equal(a, b) {
			t.Errorf("seed %d, bag %s: in parts other bytes", seed, bag)
		}
		table, err := again(t, want, func(r *bytes.Buffer) (*Model, error) { return ReadModel(r) }).OutOfBag(t.Context(), f,
			1)
		if err != nil {
			t.Fatal(err)
		}
		found, err := cfg.Search.Weights(t.Context(), table, pragma.Balanced)
		once, errOnce := cfg.Search.Weights(t.Context(), votes.Table(), pragma.Balanced)
		if err != nil || errOnce != nil || !slices.Equal(found.Weights, once.Weights) {
			t.Errorf("seed %d: weights %v on the votes drawn again, %v on those counted (%v, %v)", seed, found.Weights,
				once.Weights, err, errOnce)
		}
	}
	if ties < 4 {
		t.Errorf("of 16 models only %d keep an order of ties", ties)
	}
}

// again writes something and reads it again.
func again[T io.WriterTo](t *testing.T, v T, read func(*bytes.Buffer) (T, error)) T {
	t.Helper()
	back, err := read(bytes.NewBuffer(written(t, v)))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func written(t *testing.T, v io.WriterTo) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := v.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
