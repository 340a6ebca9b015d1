package export

import (
	"math"
	"math/bits"
)

// plainNodes are the operators of ONNX that do what an operation does.
var plainNodes = map[operation]string{
	add: "Add", subtract: "Sub", multiply: "Mul", divide: "Div", minimum: "Min", maximum: "Max", log: "Log", exp: "Exp",
	floor: "Floor",
}

// write adds the steps of a formula to the graph, and returns the tensor of each: n rows, or one that stands for all.
func (g *graph) write(f *formula, counts string) []string {
	of := make([]string, len(f.steps))
	for i, s := range f.steps {
		var in []string
		for _, from := range s.of {
			in = append(in, of[from])
		}
		switch s.do {
		case votes:
			of[i] = counts
		case amount:
			of[i] = g.amount
		case number:
			of[i] = g.doubles(s.value...)
		case ifLess:
			of[i] = g.node("Where", []string{g.node("Less", in[:2]), in[2], in[3]})
		case sum: // in the order of the components, which ReduceSum does not promise
			running := g.node("CumSum", []string{in[0], g.constant(typeInt64, rawInts([]int{1}))})
			of[i] = g.columnsOf(running, f.steps[s.of[0]].width-1)
		case first:
			of[i] = g.first(in[0])
		case take:
			of[i] = g.columnsOf(in[0], s.at...)
		case join:
			of[i] = g.concat(in)
		case search:
			of[i] = g.cast(g.search(in[0], s.lists, false), typeDouble)
		case pick:
			of[i] = g.pick(in[0], s.lists)
		default:
			of[i] = g.node(plainNodes[s.do], in)
		}
	}
	return of
}

// first is the index of the first of the largest components, by an ArgMax of float32, which all runtimes have.
func (g *graph) first(x string) string {
	largest := g.node("ReduceMax", []string{x}, intsAttribute("axes", 1), intAttribute("keepdims", 1))
	are := g.cast(g.node("Equal", []string{x, largest}), typeFloat)
	return g.cast(g.node("ArgMax", []string{are}, intAttribute("axis", 1), intAttribute("keepdims", 1)), typeDouble)
}

// search counts the numbers of the list of each column that are up to the number in it; with below, those below it.
// It halves the lists step by step, so its time grows with the logarithm of their length.
func (g *graph) search(x string, lists [][]float64, below bool) string {
	longest := 0
	for _, list := range lists {
		longest = max(longest, len(list))
	}
	levels := bits.Len(uint(longest))
	width := 1<<levels - 1
	table, starts, found := make([]float64, len(lists)*width), make([]int, len(lists)), g.ints(make([]int, len(lists))...)
	for j, list := range lists {
		starts[j] = j * width
		row := table[j*width : (j+1)*width]
		for i := range row {
			row[i] = math.Inf(1)
		}
		copy(row, list)
	}
	if levels == 0 {
		return found
	}
	flat := g.constant(typeDouble, rawDoubles(table), len(table))
	for step := 1 << (levels - 1); step > 0; step /= 2 {
		ahead := make([]int, len(starts))
		for j, start := range starts {
			ahead[j] = start + step - 1
		}
		number := g.node("Gather", []string{flat, g.node("Add", []string{found, g.ints(ahead...)})})
		further := g.node("Add", []string{found, g.ints(step)})
		if below {
			found = g.node("Where", []string{g.node("Greater", []string{x, number}), further, found})
		} else {
			found = g.node("Where", []string{g.node("Less", []string{x, number}), found, further})
		}
	}
	return found
}

// pick takes from the list of each column the number at the index in it.
func (g *graph) pick(index string, lists [][]float64) string {
	var flat []float64
	starts := make([]int, len(lists))
	for j, list := range lists {
		starts[j] = len(flat)
		flat = append(flat, list...)
	}
	at := g.node("Add", []string{g.cast(index, typeInt64), g.ints(starts...)})
	return g.node("Gather", []string{g.constant(typeDouble, rawDoubles(flat), len(flat)), at})
}
