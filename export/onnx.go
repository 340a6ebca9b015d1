package export

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
)

// What a runtime must know. All there is below stands in these versions; onnxruntime reads them since 1.6, of 2020.
const (
	irVersion = 7
	opset     = 13
	opsetML   = 2
)

// largestONNX is where Protocol Buffers end.
const largestONNX = math.MaxInt32

// ONNX writes the model as one graph, see docs/export.md for its inputs and outputs. A decision never differs from that
// of [rfpragma.Model.Predict]: thresholds stay float64, and votes are counted exactly.
//
// Cells enter as float64. The graph replaces each by its rank among the thresholds of its column, and a category by its
// number. The trees compare these, which float32 holds exactly, as does a sum of votes below 2²⁴; more trees than
// that takes are several groups.
//
// Errors: [ErrUnsupported] for maps that no graph expresses, for columns without a name, and for more than 2 GB, which
// is the most that a file of ONNX holds; those of w.
func ONNX(w io.Writer, m *rfpragma.Model) error {
	f, err := checked(m)
	if err != nil {
		return err
	}
	g := newGraph(f, m)
	if slices.ContainsFunc(m.Forest.Schema, func(field dataset.Field) bool { return field.Name == "" }) {
		return refuse("a column of the model has no name, and an input of ONNX must have one; name it, and train again")
	}
	counts := g.countVotes(m.Forest, m.Provenance.Reading.Missing)
	of := g.write(f, counts)
	g.output(of, f, m)
	file := g.file(m)
	if file.size > largestONNX {
		return refuse("the graph takes %.1f GB, and a file of ONNX holds 2 at most; train with fewer trees or leaves",
			float64(file.size)/1e9)
	}
	_, err = file.writeTo(w)
	return err
}

// graph collects the parts of a GraphProto.
type graph struct {
	nodes, constants, inputs, outputs message
	names                             map[string]bool // of inputs and outputs
	made                              int             // tensors, which are named by number
	known                             map[string]string
	columns                           []string // the input of each feature
	amount                            string   // the input of the amount
}

// The types of tensors.
const (
	typeFloat  = 1
	typeInt64  = 7
	typeString = 8
	typeDouble = 11
)

func newGraph(f *formula, m *rfpragma.Model) *graph {
	g := &graph{names: map[string]bool{}, known: map[string]string{}}
	for _, field := range m.Forest.Schema {
		of := typeDouble
		if field.Kind == dataset.Categorical {
			of = typeString
		}
		g.columns = append(g.columns, field.Name)
		g.names[field.Name] = true
		g.inputs.message(11, shaped(field.Name, of, 1))
	}
	switch j := f.amountColumn(m.Forest.Schema); {
	case j >= 0:
		g.amount = g.columns[j]
	case f.amount != "":
		g.amount = g.free(f.amount)
		g.inputs.message(11, shaped(g.amount, typeDouble, 1))
	}
	return g
}

// free returns a name for an input or output, with _ behind it where another has that name.
func (g *graph) free(name string) string {
	for g.names[name] {
		name += "_"
	}
	g.names[name] = true
	return name
}

// shaped is a ValueInfoProto of n rows of so many columns; of a list where that is 0.
func shaped(name string, of, columns int) *message {
	var rows, shape, tensor, kind, value message
	rows.text(2, "N")
	shape.message(1, &rows)
	if columns > 0 {
		var width message
		width.integer(1, int64(columns))
		shape.message(1, &width)
	}
	tensor.integer(1, int64(of))
	tensor.message(2, &shape)
	kind.message(1, &tensor)
	value.text(1, name)
	value.message(2, &kind)
	return &value
}

func (g *graph) fresh() string {
	g.made++
	return fmt.Sprintf("rfpragma/%d", g.made)
}

// node adds a node of one output, which it returns.
func (g *graph) node(op string, inputs []string, attributes ...*message) string {
	name := g.fresh()
	g.named(name, "", op, inputs, attributes...)
	return name
}

// ml is node for an operator of ai.onnx.ml.
func (g *graph) ml(op string, inputs []string, attributes ...*message) string {
	name := g.fresh()
	g.named(name, "ai.onnx.ml", op, inputs, attributes...)
	return name
}

func (g *graph) named(output, domain, op string, inputs []string, attributes ...*message) {
	var n message
	n.texts(1, inputs)
	n.text(2, output)
	n.text(4, op)
	for _, a := range attributes {
		n.message(5, a)
	}
	if domain != "" {
		n.text(7, domain)
	}
	g.nodes.message(1, &n)
}

// attribute begins an AttributeProto of a type.
func attribute(name string, of int) *message {
	a := &message{}
	a.text(1, name)
	a.integer(20, int64(of))
	return a
}

func intAttribute(name string, v int) *message {
	a := attribute(name, 2)
	a.integer(3, int64(v))
	return a
}

func floatAttribute(name string, v float32) *message {
	a := attribute(name, 1)
	a.float(2, v)
	return a
}

func textAttribute(name, v string) *message {
	a := attribute(name, 3)
	a.text(4, v)
	return a
}

func floatsAttribute(name string, list []float32) *message {
	a := attribute(name, 6)
	raw := make([]byte, 0, 4*len(list))
	for _, v := range list {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	a.bytes(7, raw)
	return a
}

func intsAttribute(name string, list ...int) *message {
	a := attribute(name, 7)
	raw := make([]byte, 0, 4*len(list))
	for _, v := range list {
		raw = binary.AppendUvarint(raw, uint64(v))
	}
	a.bytes(8, raw)
	return a
}

func textsAttribute(name string, list []string) *message {
	a := attribute(name, 8)
	a.texts(9, list)
	return a
}

// constant is a tensor of the graph; dims are its shape. Equal ones are written once.
func (g *graph) constant(of int, raw []byte, dims ...int) string {
	key := fmt.Sprint(of, dims, string(raw))
	if name, ok := g.known[key]; ok {
		return name
	}
	var t message
	for _, d := range dims {
		t.integer(1, int64(d))
	}
	t.integer(2, int64(of))
	name := g.fresh()
	t.text(8, name)
	t.bytes(9, raw)
	g.constants.message(5, &t)
	g.known[key] = name
	return name
}

// doubles is a constant of one row.
func (g *graph) doubles(values ...float64) string {
	return g.constant(typeDouble, rawDoubles(values), 1, len(values))
}

func rawDoubles(values []float64) []byte {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return raw
}

func rawInts(values []int) []byte {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return raw
}

func (g *graph) ints(values ...int) string {
	return g.constant(typeInt64, rawInts(values), 1, len(values))
}

func (g *graph) float(v float32) string {
	return g.constant(typeFloat, binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)), 1, 1)
}

// cast turns a tensor into one of another type.
func (g *graph) cast(x string, to int) string {
	return g.node("Cast", []string{x}, intAttribute("to", to))
}

// concat puts columns side by side.
func (g *graph) concat(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return g.node("Concat", parts, intAttribute("axis", 1))
}

// columnsOf takes some columns of a tensor.
func (g *graph) columnsOf(x string, at ...int) string {
	index := g.constant(typeInt64, rawInts(at), len(at))
	return g.node("Gather", []string{x, index}, intAttribute("axis", 1))
}

// output names what the graph gives: the decision, the probabilities and the votes.
func (g *graph) output(of []string, f *formula, m *rfpragma.Model) {
	k := len(m.Classes())
	decision, probabilities, counts := g.free("decision"), g.free("probabilities"), g.free("votes")
	var labels message
	labels.integer(1, int64(len(f.labels)))
	labels.integer(2, typeString)
	labels.texts(6, f.labels)
	name := g.fresh()
	labels.text(8, name)
	g.constants.message(5, &labels)
	index := g.node("Reshape", []string{g.cast(of[f.decision], typeInt64), g.constant(typeInt64, rawInts([]int{-1}), 1)})
	g.named(decision, "", "Gather", []string{name, index})
	g.named(probabilities, "", "Identity", []string{of[f.probabilities]})
	g.named(counts, "", "Div", []string{of[0], g.doubles(m.Forest.Unit())})
	g.outputs.message(12, shaped(decision, typeString, 0))
	g.outputs.message(12, shaped(probabilities, typeDouble, k))
	g.outputs.message(12, shaped(counts, typeDouble, k))
}

// file is the ModelProto.
func (g *graph) file(m *rfpragma.Model) *message {
	var body, file message
	body.pieces, body.size = g.nodes.pieces, g.nodes.size
	body.text(2, program)
	for _, part := range []*message{&g.constants, &g.inputs, &g.outputs} {
		body.pieces, body.open = append(body.pieces, part.pieces...), false
		body.size += part.size
	}
	file.integer(1, irVersion)
	file.text(2, program)
	file.text(6, "inputs and outputs: docs/export.md of rfpragma")
	file.message(7, &body)
	for _, set := range []struct {
		domain  string
		version int64
	}{{"", opset}, {"ai.onnx.ml", opsetML}} {
		var s message
		s.text(1, set.domain)
		s.integer(2, set.version)
		file.message(8, &s)
	}
	classes, _ := json.Marshal(m.Classes()) // strings are always written
	var entry message
	entry.text(1, "classes")
	entry.text(2, string(classes))
	file.message(14, &entry)
	return &file
}
