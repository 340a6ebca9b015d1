package export

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// jsonVersion changes when a field changes its meaning or goes.
const jsonVersion = 1

// JSON writes the model as one object, field by field as docs/export.md has it: enough for a scorer of 50 lines.
// Numbers keep every bit.
//
// Errors: [ErrUnsupported] for maps that no formula expresses; those of w.
func JSON(w io.Writer, m *rfpragma.Model) error {
	f, err := checked(m)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	field := func(before string, v any) {
		if err == nil {
			var text []byte
			if text, err = json.Marshal(v); err == nil {
				_, err = out.WriteString(before + string(text))
			}
		}
	}
	field(`{"schema_version":`, jsonVersion)
	field(",\n\"classes\":", m.Classes())
	field(",\n\"columns\":", jsonColumns(m.Forest.Schema, m.Provenance.Reading.Missing))
	field(",\n\"unit\":", m.Forest.Unit())
	field(",\n\"steps\":", jsonSteps(f.steps))
	field(",\n\"probabilities\":", f.probabilities)
	field(",\n\"decision\":", f.decision)
	field(",\n\"labels\":", f.labels)
	field(",\n\"amount\":", f.amount)
	if err != nil {
		return err
	}
	before := ",\n\"trees\":[\n"
	for t := range m.Forest.Trees() {
		if _, err := out.Write(jsonTree([]byte(before), m.Forest, m.Forest.Tree(t))); err != nil {
			return err
		}
		before = ",\n"
	}
	if _, err := out.WriteString("\n]}\n"); err != nil {
		return err
	}
	return out.Flush()
}

type jsonColumn struct {
	Name   string         `json:"name"`
	Levels map[string]int `json:"levels,omitzero"` // the number of the category that a text names; nil of numbers
}

func jsonColumns(schema dataset.Schema, missing []string) []jsonColumn {
	columns := make([]jsonColumn, len(schema))
	for j, field := range schema {
		columns[j].Name = field.Name
		if field.Kind == dataset.Categorical {
			columns[j].Levels = textsOf(field, missing)
		}
	}
	return columns
}

type jsonStep struct {
	Do    operation   `json:"do"`
	Of    []int       `json:"of,omitempty"`
	Value []float64   `json:"value,omitempty"`
	At    []int       `json:"at,omitempty"`
	Lists [][]float64 `json:"lists,omitempty"`
}

func jsonSteps(steps []step) []jsonStep {
	out := make([]jsonStep, len(steps))
	for i, s := range steps {
		for j, list := range s.lists {
			if list == nil {
				s.lists[j] = []float64{}
			}
		}
		out[i] = jsonStep{s.do, s.of, s.value, s.at, s.lists}
	}
	return out
}

// jsonTree appends the list of the nodes of a tree.
func jsonTree(b []byte, f *forest.Forest, t forest.Tree) []byte {
	integer := func(v int) { b = strconv.AppendInt(b, int64(v), 10) }
	for i := range t.Nodes() {
		if b = append(b, ','); i == 0 {
			b[len(b)-1] = '['
		}
		n := t.Node(i)
		if n.Leaf {
			b = jsonLeaf(b, countsOf(f, n))
			continue
		}
		missing := n.Right
		if n.MissingLeft {
			missing = n.Left
		}
		b = append(b, '[')
		for _, v := range []int{n.Feature, n.Left, n.Right, missing} {
			integer(v)
			b = append(b, ',')
		}
		if f.Schema[n.Feature].Kind == dataset.Numeric {
			b = appendNumber(b, n.Threshold)
		} else {
			b = append(b, '[')
			for at, level := range n.Levels {
				if at > 0 {
					b = append(b, ',')
				}
				integer(level)
			}
			b = append(b, ']')
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// appendNumber appends the shortest text that is read as v: with an exponent where that is far from 0, as in JSON.
func appendNumber(b []byte, v float64) []byte {
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, v, format, -1, 64)
}

// jsonLeaf appends the counts of the classes that have some, by the index of the class.
func jsonLeaf(b []byte, counts []int) []byte {
	b = append(b, '{')
	for class, count := range counts {
		if count == 0 {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(strconv.AppendInt(append(b, '"'), int64(class), 10), `":`...)
		b = strconv.AppendInt(b, int64(count), 10)
	}
	return append(b, '}')
}
