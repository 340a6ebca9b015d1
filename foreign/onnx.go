package foreign

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
)

// onnxGraph is what is read of a model of ONNX (github.com/onnx/onnx, onnx.proto): the operator that is an ensemble
// of trees, and the inputs.
type onnxGraph struct {
	producer string
	kind     string // the operator
	attr     map[string]*onnxAttr
	inputs   []onnxInput
	fixed    map[string]*onnxAttr // constants by name, which are no inputs
	factors  [][]string           // the inputs of each product
}

// onnxInput is an input: its type of numbers, and how many columns it has; 0 if that is open.
type onnxInput struct {
	name    string
	kind    uint64
	columns int
}

// onnxAttr is an attribute of an operator.
type onnxAttr struct {
	whole   int64
	text    string
	texts   []string
	wholes  []int64
	numbers []float64 // of floats or a tensor
	double  bool      // whether a tensor is of float64
}

// Types of numbers of ONNX.
const (
	onnxFloat  = 1
	onnxUint8  = 2
	onnxInt32  = 6
	onnxInt64  = 7
	onnxDouble = 11
)

// readGraph finds the ensemble of trees in a model.
func readGraph(model message) (*onnxGraph, error) {
	g := &onnxGraph{fixed: map[string]*onnxAttr{}}
	var beside []string
	err := model.fields(func(f field) error {
		switch f.number {
		case 2:
			g.producer = string(f.bytes)
		case 7:
			return f.bytes.fields(func(f field) error {
				switch f.number {
				case 1:
					other, err := g.node(f.bytes)
					if other != "" {
						beside = append(beside, other)
					}
					return err
				case 5:
					return g.constant(f.bytes)
				case 11:
					return g.input(f.bytes)
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if g.attr == nil {
		return nil, fmt.Errorf("the model has no TreeEnsembleClassifier or TreeEnsemble, but %s",
			english.Quote(strings.Join(beside, ", ")))
	}
	for _, names := range g.factors {
		if !slices.ContainsFunc(names, func(name string) bool {
			c := g.fixed[name]
			return c != nil && len(c.numbers) == 1 && c.numbers[0] == 1
		}) {
			return nil, errors.New("beside its trees the model multiplies scores; convert the trees alone")
		}
	}
	for _, op := range beside {
		if !slices.Contains([]string{"Cast", "Mul", "ZipMap", "Identity", "ArgMax", "Reshape", "Flatten", "ArrayFeatureExtractor"},
			op) {
			return nil, fmt.Errorf("beside its trees the model has an operator %s, which changes cells or scores; convert the "+
				"trees alone", english.Quote(op))
		}
	}
	return g, nil
}

// node reads an operator: that of the trees, or returns the name of another.
func (g *onnxGraph) node(m message) (other string, err error) {
	kind, attrs, inputs := "", []message(nil), []string(nil)
	err = m.fields(func(f field) error {
		switch f.number {
		case 1:
			inputs = append(inputs, string(f.bytes))
		case 4:
			kind = string(f.bytes)
		case 5:
			attrs = append(attrs, f.bytes)
		}
		return nil
	})
	if kind == "Mul" {
		g.factors = append(g.factors, inputs)
	}
	if err != nil || kind != "TreeEnsembleClassifier" && kind != "TreeEnsemble" {
		return kind, err
	}
	if g.attr != nil {
		return "", fmt.Errorf("the model has several ensembles of trees; convert one alone")
	}
	g.kind, g.attr = kind, make(map[string]*onnxAttr, len(attrs))
	for _, a := range attrs {
		name, attr, err := onnxAttribute(a)
		if err != nil {
			return "", err
		}
		g.attr[name] = attr
	}
	return "", nil
}

func onnxAttribute(m message) (name string, a *onnxAttr, err error) {
	a = &onnxAttr{}
	err = m.fields(func(f field) error {
		switch f.number {
		case 1:
			name = string(f.bytes)
		case 3:
			a.whole = int64(f.value)
		case 4:
			a.text = string(f.bytes)
		case 5:
			return a.tensor(f.bytes)
		case 7:
			return f.floats(&a.numbers)
		case 8:
			return f.whole(&a.wholes)
		case 9:
			a.texts = append(a.texts, string(f.bytes))
		}
		return nil
	})
	return name, a, err
}

// tensor reads the numbers of a tensor.
func (a *onnxAttr) tensor(m message) error {
	kind, raw := uint64(0), message(nil)
	err := m.fields(func(f field) (err error) {
		switch f.number {
		case 2:
			kind = f.value
		case 4:
			return f.floats(&a.numbers)
		case 5, 7:
			var list []int64
			err = f.whole(&list)
			for _, v := range list {
				a.numbers = append(a.numbers, float64(v))
			}
		case 9:
			raw = f.bytes
		case 10:
			return f.doubles(&a.numbers)
		}
		return err
	})
	if err != nil {
		return err
	}
	a.double = kind == onnxDouble
	if raw == nil {
		return nil
	}
	all := field{bytes: raw}
	switch kind {
	case onnxFloat:
		return all.floats(&a.numbers)
	case onnxDouble:
		return all.doubles(&a.numbers)
	case onnxUint8:
		for _, b := range raw {
			a.numbers = append(a.numbers, float64(b))
		}
		return nil
	case onnxInt64:
		for ; len(raw) >= 8; raw = raw[8:] {
			a.numbers = append(a.numbers, float64(int64(binary.LittleEndian.Uint64(raw))))
		}
		return nil
	}
	return fmt.Errorf("a tensor of type %d", kind)
}

// constant reads a tensor that has a name.
func (g *onnxGraph) constant(m message) error {
	name, a := "", &onnxAttr{}
	err := m.fields(func(f field) error {
		if f.number == 8 {
			name = string(f.bytes)
		}
		return nil
	})
	if err == nil {
		err = a.tensor(m)
	}
	g.fixed[name] = a
	return err
}

// input reads the name and the shape of an input.
func (g *onnxGraph) input(m message) error {
	in, dims := onnxInput{}, []int64(nil)
	err := m.fields(func(f field) error {
		switch f.number {
		case 1:
			in.name = string(f.bytes)
		case 2: // its type
			return f.bytes.fields(func(f field) error {
				if f.number != 1 {
					return nil
				}
				return f.bytes.fields(func(f field) error {
					switch f.number {
					case 1:
						in.kind = f.value
					case 2:
						return f.bytes.fields(func(f field) error {
							if f.number != 1 {
								return nil
							}
							dims = append(dims, 0)
							return f.bytes.fields(func(f field) error {
								if f.number == 1 {
									dims[len(dims)-1] = int64(f.value)
								}
								return nil
							})
						})
					}
					return nil
				})
			})
		}
		return nil
	})
	if len(dims) == 2 && dims[1] > 0 && dims[1] <= mostFeatures {
		in.columns = int(dims[1])
	}
	g.inputs = append(g.inputs, in)
	return err
}
