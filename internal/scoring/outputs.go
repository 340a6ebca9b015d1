package scoring

import (
	"encoding/binary"
	"math"
	"strconv"
)

// output is a tensor that is answered: numbers, or texts.
type output struct {
	name    string
	usual   bool // it is given unless outputs are named
	byClass bool // it has a cell for each class of a row; else one for a row
	number  func(a *Answers, i, c int) float64
	text    func(a *Answers, i int) []byte // of JSON, as it is put into the tensor
}

// outputs are all there are.
var outputs = []output{
	{name: "decision", usual: true, text: (*Answers).decision},
	{name: "probabilities", usual: true, byClass: true, number: func(a *Answers, i, c int) float64 {
		return a.Batch.Prob[i*a.Batch.Of.K+c]
	}},
	{name: "votes", usual: true, byClass: true, number: func(a *Answers, i, c int) float64 {
		return float64(a.Batch.votes[i*a.Batch.Of.K+c]) / a.Batch.Of.Model.Forest.Whole()
	}},
	{name: "zone", usual: true, text: func(a *Answers, i int) []byte { return []byte(ZoneNames[a.Batch.Zone[i]]) }},
	{name: "lacks", text: func(a *Answers, i int) []byte {
		if a.Batch.lacks == nil || a.Batch.lacks[i] == nil {
			return []byte("[]")
		}
		return AppendValue(nil, a.Batch.lacks[i])
	}},
	{name: "reasons", text: func(a *Answers, i int) []byte { return AppendValue(nil, a.reasonsOf(i)) }},
	{name: "findings", text: func(a *Answers, i int) []byte {
		if all := a.findings(nil, i); len(all) > 0 {
			return all[len(`,"findings":`):]
		}
		return []byte("[]")
	}},
}

func (o *output) datatype() string {
	if o.number != nil {
		return fp64
	}
	return bytesType
}

func outputNames() []string {
	var names []string
	for _, o := range outputs {
		names = append(names, o.name)
	}
	return names
}

// decision is the decision for a row.
func (a *Answers) decision(i int) []byte {
	if a.Batch.Withheld(i, a.Withhold) {
		return []byte(ZoneNames[Undecided])
	}
	return []byte(a.Batch.Of.Model.Classes()[a.Batch.Class[i]])
}

// tensor appends an output to the JSON of an answer, and to its binary part if it is to be binary.
func (a *Answers) tensor(head, tail []byte, w wanted) (newHead, newTail []byte) {
	o, n, wide := w.output, a.Batch.Rows, 1
	if o.byClass {
		wide = a.Batch.Of.K
	}
	head = append(append(append(head, `{"name":"`...), o.name...), `","datatype":"`...)
	head = strconv.AppendInt(append(append(head, o.datatype()...), `","shape":[`...), int64(n), 10)
	if o.byClass {
		head = strconv.AppendInt(append(head, ','), int64(wide), 10)
	}
	head = append(head, ']')
	begin := len(tail)
	if !w.binary {
		head = append(head, `,"data":[`...)
	}
	for i := range n * wide {
		switch {
		case w.binary && o.number != nil:
			tail = binary.LittleEndian.AppendUint64(tail, math.Float64bits(o.number(a, i/wide, i%wide)))
		case w.binary:
			text := o.text(a, i)
			tail = append(binary.LittleEndian.AppendUint32(tail, uint32(len(text))), text...)
		default:
			if i > 0 {
				head = append(head, ',')
			}
			if o.number != nil {
				head = AppendNumber(head, o.number(a, i/wide, i%wide))
			} else {
				head = AppendText(head, string(o.text(a, i)))
			}
		}
	}
	if w.binary {
		head = strconv.AppendInt(append(head, `,"parameters":{"binary_data_size":`...), int64(len(tail)-begin), 10)
		return append(head, "}}"...), tail
	}
	return append(head, "]}"...), tail
}

// Inferred appends the answer to a request of a model by that name: the JSON to head, and what is binary to tail.
func (a *Answers) Inferred(head, tail []byte, model string, in *Inference) (newHead, newTail []byte) {
	of := a.Batch.Of
	head = append(AppendText(append(head, `{"model_name":`...), model), `,"model_version":"`...)
	head = append(append(append(head, of.Version...), `","parameters":{"id":"`...), of.ID...)
	head = append(head, `"}`...)
	if in.id != nil {
		head = append(append(head, `,"id":`...), in.id...)
	}
	head = append(head, `,"outputs":[`...)
	for i, w := range in.wanted {
		if i > 0 {
			head = append(head, ',')
		}
		head, tail = a.tensor(head, tail, w)
	}
	return append(head, "]}"...), tail
}
