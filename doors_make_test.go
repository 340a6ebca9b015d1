package rfpragma_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// sound are values that are as they should be, by type: of two classes and of three, of which a function is given
// one that does not go with its other arguments, or one of which a part is something else.
type sound struct {
	frames  []*dataset.Frame
	tables  []*vote.Table
	models  []*rfpragma.Model
	parts   []*rfpragma.Part
	tallies []*rfpragma.Tally
	files   [][]byte
}

var makeSound = sync.OnceValue(func() *sound {
	s := &sound{frames: []*dataset.Frame{dataset.Fraud(300, 1), dataset.Wave(40, 3, 1), dataset.Wave(30, 2, 1)}}
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	ctx := context.Background()
	rows := func(f *dataset.Frame) rfpragma.Rows {
		return func(do func(*dataset.Frame) error) error { return do(f) }
	}
	for _, f := range s.frames {
		m, err := rfpragma.Fit(ctx, f, nil, rfpragma.Config{Forest: forest.Config{Trees: 5}, Calibration: calib.PlattLogit,
			Scores: true, Review: rfpragma.Review{Share: 0.1}})
		must(err)
		votes, err := m.Votes(ctx, f)
		must(err)
		p, err := rfpragma.GrowPart(ctx, f, forest.Config{Trees: 5}, 0, 5)
		must(err)
		tally, err := p.Tally(ctx, rows(f), 0, 1, 1)
		must(err)
		s.models, s.tables = append(s.models, m), append(s.tables, votes, votes.Condense())
		s.parts, s.tallies = append(s.parts, p), append(s.tallies, tally)
		for _, w := range []io.WriterTo{m, p, tally} {
			var b bytes.Buffer
			_, err := w.WriteTo(&b)
			must(err)
			s.files = append(s.files, b.Bytes())
		}
	}
	return s
})

// maker makes values of any type: sound ones, and such as nobody should give.
type maker struct{ *rand.Rand }

func (m *maker) one(of ...any) any { return of[m.IntN(len(of))] }

func pickOf[T any](m *maker, of []T) T { return of[m.IntN(len(of))] }

// ofClasses is an empty matrix.
func ofClasses(classes ...string) *vote.Confusion { return vote.NewConfusion(classes) }

// value makes a value of that type.
func (m *maker) value(of reflect.Type, depth int) reflect.Value {
	v := reflect.New(of).Elem()
	if made := m.known(of); made != nil {
		v.Set(reflect.ValueOf(made))
		return v
	}
	switch of.Kind() {
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(pickOf(m, []int64{0, 0, 1, 1, 2, 3, 5, -1, -7}))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(pickOf(m, []uint64{0, 0, 1, 2, 5, 250}))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(pickOf(m, []float64{0, 0.25, 0.5, 1, 1, 2, 20, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, 5e-324}))
	case reflect.String:
		v.SetString(pickOf(m, []string{"", "fraud", "ok", "1", "2", "3", "f1", "mcc", "accuracy", "auto", "platt", "none", "a=b",
			"x=1", "1:recall>=0.5", "fraud:alerts<=1/10", "1:theta=2", "isotonic", "mixed", "\xff\x00"}))
	case reflect.Slice:
		m.slice(v, depth)
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(m.value(of.Elem(), depth+1))
		}
	case reflect.Map:
		if m.IntN(4) == 0 {
			break
		}
		v.Set(reflect.MakeMap(of))
		for range m.IntN(3) {
			v.SetMapIndex(m.value(of.Key(), depth+1), m.value(of.Elem(), depth+1))
		}
	case reflect.Pointer:
		if m.IntN(4) > 0 && depth < 6 {
			v.Set(reflect.New(of.Elem()))
			v.Elem().Set(m.value(of.Elem(), depth+1))
		}
	case reflect.Struct:
		m.fields(v, depth)
	case reflect.Func:
		if m.IntN(3) > 0 {
			v.Set(reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value {
				var out []reflect.Value
				for i := range of.NumOut() {
					out = append(out, m.value(of.Out(i), depth+3))
				}
				return out
			}))
		}
	}
	return v
}

// slice makes a slice of up to six.
func (m *maker) slice(v reflect.Value, depth int) {
	if m.IntN(5) == 0 || depth > 6 {
		return
	}
	n := pickOf(m, []int{0, 1, 2, 2, 3, 3, 4, 6})
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		v.Index(i).Set(m.value(v.Type().Elem(), depth+1))
	}
}

// fields fills some of the fields that others can fill.
func (m *maker) fields(v reflect.Value, depth int) {
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() && m.IntN(3) > 0 && depth < 6 {
			v.Field(i).Set(m.value(v.Field(i).Type(), depth+1))
		}
	}
}

// spoilt changes one field, in one case of two.
func spoilt[T any](m *maker, sound *T) *T {
	other := *sound
	v := reflect.ValueOf(&other).Elem()
	if at := m.IntN(2 * v.NumField()); at < v.NumField() && v.Type().Field(at).IsExported() {
		v.Field(at).Set(m.value(v.Field(at).Type(), 2))
	}
	return &other
}

// known makes values of the types that need some thought; nil where that is left to value.
func (m *maker) known(of reflect.Type) any {
	s := makeSound()
	some := m.IntN(8) > 0
	switch of {
	case typeOf[context.Context]():
		ctx, cancel := context.WithCancel(context.Background())
		if m.IntN(8) == 0 {
			cancel()
		}
		_ = cancel
		return ctx
	case typeOf[*dataset.Frame]():
		if some {
			return spoilt(m, pickOf(m, s.frames))
		}
	case typeOf[*vote.Table]():
		if some {
			return spoilt(m, pickOf(m, s.tables))
		}
	case typeOf[*rfpragma.Model]():
		if some {
			return spoilt(m, pickOf(m, s.models))
		}
	case typeOf[*rfpragma.Part]():
		if some {
			return spoilt(m, pickOf(m, s.parts))
		}
	case typeOf[*rfpragma.Tally]():
		if some {
			return spoilt(m, pickOf(m, s.tallies))
		}
	case typeOf[*forest.Forest]():
		if m.IntN(2) > 0 {
			return pickOf(m, s.models).Forest
		}
	case typeOf[*vote.Confusion]():
		if some {
			c := ofClasses(pickOf(m, [][]string{nil, {"a"}, {"1", "2"}, {"fraud", "ok"}, {"1", "2", "3"}})...)
			for range 3 * len(c.Classes) {
				c.Add(m.IntN(len(c.Classes)), m.IntN(len(c.Classes)), 1)
			}
			return c
		}
	case typeOf[vote.Rule]():
		if some {
			return pickOf(m, s.tables).Rule(nil)
		}
	case typeOf[pragma.Spec]():
		if some {
			return m.one(pragma.Spec{"1": pragma.Priority()}, pragma.Spec{"fraud": pragma.Find()},
				pragma.Spec{pragma.Others: pragma.Find()}, pragma.Spec{})
		}
	case typeOf[pragma.Measure]():
		two, err := pragma.Costs{Matrix: [][]float64{{0, 1}, {2, 0}}}.Measure()
		if err != nil {
			panic(err)
		}
		f, _ := pragma.F(2, 1)
		return m.one(pragma.Accuracy, pragma.MCC, two, f, pragma.Func(nil), pragma.Within(two), nil)
	case typeOf[calib.Map]():
		return m.one(calib.Identity{}, calib.Sigmoid{}, calib.Isotonic{}, calib.VennAbersTable{}, nil)
	case typeOf[calib.Method]():
		return pickOf(m, append(calib.Methods(), "", "auto", "x"))
	case typeOf[eval.Classifier]():
		return m.one(pickOf(m, s.models), nil)
	case typeOf[io.Reader]():
		file := pickOf(m, s.files)
		return m.one(io.Reader(bytes.NewReader(file[:m.IntN(len(file)+1)])), strings.NewReader("class,1,2\n1,3,4\n"),
			strings.NewReader(""), strings.NewReader("{}"), strings.NewReader("actual,predicted_1\n1,2\n"))
	case typeOf[io.Writer]():
		return io.Discard
	case typeOf[forest.Config]():
		c := forest.Config{Trees: m.IntN(6)}
		if m.IntN(2) == 0 {
			c = *spoilt(m, &c)
		}
		c.Trees = min(c.Trees, 5)
		if c.Trees == 0 { // which would be 500
			c.Trees = 3
		}
		return c
	case typeOf[anneal.Search]():
		if some {
			return *spoilt(m, &anneal.Search{Steps: 10, Starts: 1, Chains: 1})
		}
	case typeOf[map[string]any]():
		return m.one(map[string]any{"amount": 1.0, "hour": nil}, map[string]any{"x": -1}, map[string]any(nil))
	case typeOf[error]():
		return m.one(io.EOF, nil)
	case typeOf[any]():
		return m.one(1, 2.5, "a", nil, []int{1})
	}
	return nil
}
