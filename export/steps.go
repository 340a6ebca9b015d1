package export

import "slices"

// formula says, step by step, how the votes of a row become its probabilities and its decision.
type formula struct {
	steps         []step
	probabilities int      // the step that has them, in the order of the classes
	decision      int      // the step that has the index of the decision in
	labels        []string // what can be decided
	amount        string   // the column of the amount at stake in a row; "" where it does not count
}

// step computes a vector for each row, from vectors of earlier steps. Those of length 1 stand for any length.
type step struct {
	do    operation
	of    []int       // the earlier steps
	width int         // length of the vector
	value []float64   // number: the vector itself
	at    []int       // take: the components that it takes
	lists [][]float64 // search, pick: a list for each component
}

// operation is what a step does. Each has one meaning in all forms: arithmetic of float64, rounded after each step.
type operation string

const (
	number   operation = "number"   // value
	votes    operation = "votes"    // the counts of the classes
	amount   operation = "amount"   // what is at stake in the row; NaN if unknown
	add      operation = "add"      // a + b
	subtract operation = "subtract" // a - b
	multiply operation = "multiply" // a * b
	divide   operation = "divide"   // a / b, b never 0
	minimum  operation = "minimum"  // the smaller one of a and b
	maximum  operation = "maximum"  // the larger one of a and b
	log      operation = "log"      // natural logarithm, of a > 0
	exp      operation = "exp"      // from -700 to 0
	floor    operation = "floor"    // the largest whole number up to a
	ifLess   operation = "if_less"  // c where a < b, d elsewhere, also where a or b is NaN
	sum      operation = "sum"      // of the components, in their order: width 1
	first    operation = "first"    // the index of the first of the largest components: width 1
	take     operation = "take"     // some components
	join     operation = "join"     // the components of all, one vector after the other
	search   operation = "search"   // how many numbers of the list, which ascends, are up to a
	pick     operation = "pick"     // the number of the list at index a
)

// vector is the number of a step in a formula.
type vector = int

func (f *formula) add(s step) vector {
	for _, of := range s.of {
		s.width = max(s.width, f.steps[of].width)
	}
	switch s.do {
	case sum, first:
		s.width = 1
	case take:
		s.width = len(s.at)
	case join:
		s.width = 0
		for _, of := range s.of {
			s.width += f.steps[of].width
		}
	}
	f.steps = append(f.steps, s)
	return len(f.steps) - 1
}

func (f *formula) apply(do operation, of ...vector) vector { return f.add(step{do: do, of: of}) }

func (f *formula) number(v ...float64) vector {
	same := func(s step) bool { return s.do == number && slices.Equal(s.value, v) }
	if at := slices.IndexFunc(f.steps, same); at >= 0 {
		return at
	}
	return f.add(step{do: number, value: v, width: len(v)})
}

func (f *formula) plus(a, b vector) vector  { return f.apply(add, a, b) }
func (f *formula) minus(a, b vector) vector { return f.apply(subtract, a, b) }
func (f *formula) times(a, b vector) vector { return f.apply(multiply, a, b) }
func (f *formula) over(a, b vector) vector  { return f.apply(divide, a, b) }

// clip brings a into [low, high].
func (f *formula) clip(a vector, low, high float64) vector {
	return f.apply(minimum, f.apply(maximum, a, f.number(low)), f.number(high))
}

// take returns some components of a: a itself where these are all, in their order.
func (f *formula) take(a vector, at ...int) vector {
	all := len(at) == f.steps[a].width
	for i, c := range at {
		all = all && c == i
	}
	if all {
		return a
	}
	return f.add(step{do: take, of: []int{a}, at: at})
}

// lookUp has a list for each component of a.
func (f *formula) lookUp(do operation, a vector, lists [][]float64) vector {
	return f.add(step{do: do, of: []int{a}, lists: lists})
}

// leastExponent is where exp is taken to be 0: some databases refuse what is smaller than any float64.
const leastExponent = -700

// exp is e to the power of a, which is at most 0.
func (f *formula) exp(a vector) vector {
	least, zero := f.number(leastExponent), f.number(0)
	return f.apply(ifLess, a, least, zero, f.apply(exp, f.apply(maximum, a, least)))
}

// normalised is a over its sum, or otherwise where that is 0.
func (f *formula) normalised(a, otherwise vector) vector {
	zero, all := f.number(0), f.apply(sum, a)
	parts := f.over(a, f.apply(ifLess, zero, all, all, f.number(1)))
	return f.apply(ifLess, zero, all, parts, otherwise)
}
