package export

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
)

// clipped is what keeps shares from 0 and 1 before logarithms are taken, as in package calib.
const clipped = 1e-15

// mapped returns the probabilities that maps give for the shares of the classes.
func (f *formula) mapped(set calib.Set, share vector) (vector, error) {
	if set.Order == nil {
		return f.mappedInOrder(set, share)
	}
	p, err := f.mappedInOrder(set, f.take(share, set.Order...))
	if err != nil {
		return 0, err
	}
	back := make([]int, len(set.Order))
	for at, c := range set.Order {
		back[c] = at
	}
	return f.take(p, back...), nil
}

func (f *formula) mappedInOrder(set calib.Set, share vector) (vector, error) {
	k := set.Classes()
	if set.VoteWeights != nil {
		weight, largest := slices.Clone(set.VoteWeights), slices.Max(set.VoteWeights)
		for c := range weight {
			weight[c] /= largest
		}
		share = f.shares(f.times(share, f.number(weight...)), k)
	}
	switch {
	case set.Coupling == "coupled":
		return 0, refuse("maps of pairs that are coupled solve equations for each row, which no form of export can; " +
			"calibrate with a map of all classes, such as isotonic or vector")
	case set.Coupling != "":
		return f.pairs(set, share, k)
	case set.Cross != nil:
		return f.crossed(set, share, k)
	}
	if len(set.Maps) == 1 {
		p, err := f.maps(set.Maps, f.take(share, 1))
		return f.apply(join, f.minus(f.number(1), p), p), err
	}
	p, err := f.maps(set.Maps, share)
	return f.normalised(p, f.shares(share, k)), err
}

// shares is a over its sum, 1/k each where that is 0.
func (f *formula) shares(a vector, k int) vector { return f.normalised(a, f.number(1/float64(k))) }

// crossed is the softmax of a matrix times the logarithms of the shares.
func (f *formula) crossed(set calib.Set, share vector, k int) (vector, error) {
	logs := f.apply(log, f.clip(share, clipped, 1))
	own, offset := make([]float64, k), make([]float64, k)
	for c, m := range set.Maps {
		power, ok := m.(calib.Power)
		if !ok {
			return 0, refuse("a map of type %T with cross exponents; calibrate the model again", m)
		}
		own[c], offset[c] = power.A, power.B
	}
	e := f.plus(f.times(f.number(own...), logs), f.number(offset...))
	for d := range k {
		column := make([]float64, k)
		for c := range column {
			column[c] = set.Cross[c*k+d]
		}
		e = f.plus(e, f.times(f.number(column...), f.take(logs, d)))
	}
	top := f.take(e, 0)
	for c := 1; c < k; c++ {
		top = f.apply(maximum, top, f.take(e, c))
	}
	return f.shares(f.exp(f.minus(e, top)), k), nil
}

// pairs is the mean of the maps of pairs for each class that has some; other classes keep their shares.
func (f *formula) pairs(set calib.Set, share vector, k int) (vector, error) {
	var maps []calib.Map
	var low, high []int // of the pairs that have a map
	at := 0
	for i := range k {
		for j := i + 1; j < k; j++ {
			if m := set.Maps[at]; m != nil {
				maps, low, high = append(maps, m), append(low, i), append(high, j)
			}
			at++
		}
	}
	win, err := f.maps(maps, f.against(f.take(share, high...), f.take(share, low...)))
	if err != nil {
		return 0, err
	}
	lose, plain := f.minus(f.number(1), win), f.shares(share, k)
	rest, means := f.number(1), make([]vector, k)
	for c := range k {
		var won, lost []int
		for pair := range maps {
			switch c {
			case high[pair]:
				won = append(won, pair)
			case low[pair]:
				lost = append(lost, pair)
			}
		}
		switch {
		case len(won)+len(lost) == 0:
			rest = f.minus(rest, f.take(plain, c))
			means[c] = -1
		case len(won) == 0:
			means[c] = f.apply(sum, f.take(lose, lost...))
		case len(lost) == 0:
			means[c] = f.apply(sum, f.take(win, won...))
		default:
			means[c] = f.apply(sum, f.apply(join, f.take(win, won...), f.take(lose, lost...)))
		}
	}
	factor := f.over(f.apply(maximum, rest, f.number(0)), f.number(float64(len(maps)))) // each pair has 1 to give
	for c, mean := range means {
		if mean < 0 {
			means[c] = f.take(plain, c)
		} else {
			means[c] = f.times(mean, factor)
		}
	}
	return f.apply(join, means...), nil
}

// against is a/(a+b) to 2⁻⁴⁰, ½ where both are 0.
func (f *formula) against(a, b vector) vector {
	zero, half, both := f.number(0), f.number(0.5), f.plus(a, b)
	part := f.over(a, f.apply(ifLess, zero, both, both, f.number(1)))
	part = f.apply(floor, f.plus(f.times(part, f.number(0x1p40)), half))
	return f.apply(ifLess, zero, both, f.over(part, f.number(0x1p40)), half)
}

// maps applies a map to each component of x. Maps of one kind are applied together.
func (f *formula) maps(maps []calib.Map, x vector) (vector, error) {
	var kinds []string
	of := map[string][]int{}
	for c, m := range maps {
		kind := kindOf(m)
		if of[kind] == nil {
			kinds = append(kinds, kind)
		}
		of[kind] = append(of[kind], c)
	}
	var parts []vector
	var places []int
	for _, kind := range kinds {
		same := make([]calib.Map, len(of[kind]))
		for i, c := range of[kind] {
			same[i] = maps[c]
		}
		p, err := f.alike(same, f.take(x, of[kind]...))
		if err != nil {
			return 0, err
		}
		parts, places = append(parts, p), append(places, of[kind]...)
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	back := make([]int, len(maps))
	for at, c := range places {
		back[c] = at
	}
	return f.take(f.apply(join, parts...), back...), nil
}

// kindOf tells maps apart that take other steps.
func kindOf(m calib.Map) string {
	switch m := m.(type) {
	case calib.Sigmoid:
		return fmt.Sprint("sigmoid ", m.Logit)
	case calib.Isotonic:
		return fmt.Sprint("isotonic ", m.Linear)
	}
	return fmt.Sprintf("%T", m)
}

// alike applies maps of one kind.
func (f *formula) alike(maps []calib.Map, x vector) (vector, error) {
	switch m := maps[0].(type) {
	case calib.Identity:
		return f.clip(x, 0, 1), nil
	case calib.Sigmoid:
		if m.Logit {
			x = f.clip(x, clipped, 1-clipped)
			x = f.minus(f.apply(log, x), f.apply(log, f.minus(f.number(1), x)))
		}
		a := f.each(maps, func(m calib.Map) float64 { return m.(calib.Sigmoid).A })
		b := f.each(maps, func(m calib.Map) float64 { return m.(calib.Sigmoid).B })
		return f.logistic(f.plus(f.times(a, x), b)), nil
	case calib.BetaCurve:
		x = f.clip(x, clipped, 1-clipped)
		a := f.each(maps, func(m calib.Map) float64 { return m.(calib.BetaCurve).A })
		b := f.each(maps, func(m calib.Map) float64 { return m.(calib.BetaCurve).B })
		c := f.each(maps, func(m calib.Map) float64 { return m.(calib.BetaCurve).C })
		rest := f.times(b, f.apply(log, f.minus(f.number(1), x)))
		return f.logistic(f.minus(f.minus(rest, f.times(a, f.apply(log, x))), c)), nil
	case calib.Power:
		a := f.each(maps, func(m calib.Map) float64 { return m.(calib.Power).A })
		b := f.each(maps, func(m calib.Map) float64 { return m.(calib.Power).B })
		return f.exp(f.plus(f.times(a, f.apply(log, f.clip(x, clipped, 1))), b)), nil
	case calib.Isotonic:
		if m.Linear {
			return f.lines(maps, x), nil
		}
		return f.steady(maps, x), nil
	case calib.VennAbersTable:
		return f.vennAbers(maps, x), nil
	}
	return 0, refuse("a map of type %T; calibrate the model again", maps[0])
}

// each is the vector of a number of each map.
func (f *formula) each(maps []calib.Map, of func(calib.Map) float64) vector {
	v := make([]float64, len(maps))
	for c, m := range maps {
		v[c] = of(m)
	}
	return f.number(v...)
}

// logistic is 1/(1+exp(x)), by a power that is never large.
func (f *formula) logistic(x vector) vector {
	zero, one := f.number(0), f.number(1)
	e := f.exp(f.minus(zero, f.apply(maximum, x, f.minus(zero, x))))
	return f.over(f.apply(ifLess, zero, x, e, one), f.plus(one, e))
}

// steady applies isotonic maps that are step functions.
func (f *formula) steady(maps []calib.Map, x vector) vector {
	var knots, values [][]float64
	for _, m := range maps {
		m := m.(calib.Isotonic)
		knots, values = append(knots, m.Score), append(values, slices.Concat(m.Value[:1], m.Value))
	}
	return f.lookUp(pick, f.lookUp(search, x, knots), values)
}

// lines applies isotonic maps that are linear between knots. A map of one knot gets another one of the same value.
func (f *formula) lines(maps []calib.Map, x vector) vector {
	n := len(maps)
	inner, from, to := make([][]float64, n), make([][]float64, n), make([][]float64, n)
	low, high := make([][]float64, n), make([][]float64, n)
	least, most := make([]float64, n), make([]float64, n)
	for c, m := range maps {
		m := m.(calib.Isotonic)
		s, v := m.Score, m.Value
		if len(s) == 1 {
			s, v = []float64{s[0], s[0] + 1}, []float64{v[0], v[0]}
		}
		last := len(s) - 1
		inner[c], from[c], to[c], low[c], high[c] = s[1:last], s[:last], s[1:], v[:last], v[1:]
		least[c], most[c] = s[0], s[last]
	}
	x = f.apply(minimum, f.apply(maximum, x, f.number(least...)), f.number(most...))
	at := f.lookUp(search, x, inner)
	a, bottom, top := f.lookUp(pick, at, from), f.lookUp(pick, at, low), f.lookUp(pick, at, high)
	part := f.over(f.minus(x, a), f.minus(f.lookUp(pick, at, to), a))
	return f.apply(minimum, f.plus(bottom, f.times(part, f.minus(top, bottom))), top)
}

// vennAbers finds the low answer by the scores up to x. The high one goes by those from x on, which are the scores up
// to -x of those turned round.
func (f *formula) vennAbers(maps []calib.Map, x vector) vector {
	var knots, turned, lows, highs [][]float64
	for _, m := range maps {
		m := m.(calib.VennAbersTable)
		back, high := slices.Clone(m.Score), slices.Clone(m.High)
		slices.Reverse(back)
		slices.Reverse(high)
		for i := range back {
			back[i] = -back[i]
		}
		knots, turned = append(knots, m.Score), append(turned, back)
		lows, highs = append(lows, slices.Concat([]float64{0}, m.Low)), append(highs, slices.Concat([]float64{1}, high))
	}
	low := f.lookUp(pick, f.lookUp(search, x, knots), lows)
	high := f.lookUp(pick, f.lookUp(search, f.minus(f.number(0), x), turned), highs)
	one := f.number(1)
	return f.over(one, f.plus(one, f.over(f.minus(one, low), high)))
}

// finite tells whether all numbers of a formula can be written: each form has finite numbers alone.
func (f *formula) finite() bool {
	for _, s := range f.steps {
		for _, list := range append(s.lists, s.value) {
			if slices.ContainsFunc(list, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
				return false
			}
		}
	}
	return true
}
