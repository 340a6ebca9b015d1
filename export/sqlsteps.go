package export

import (
	"fmt"
	"strconv"
	"strings"
)

// literal is a number that databases read as float64, as it has an exponent.
func literal(v float64) string {
	text := strconv.FormatFloat(v, 'e', -1, 64)
	if v < 0 {
		return "(" + text + ")"
	}
	return text
}

// column is component c of a step.
func column(step, c int) string {
	if step == 0 {
		return fmt.Sprintf("v%d", c)
	}
	return fmt.Sprintf("s%d_%d", step, c)
}

// forms are the expressions of operations on components.
var forms = map[operation]string{
	add: "%s + %s", subtract: "%s - %s", multiply: "%s * %s", divide: "%s / %s", minimum: "LEAST(%s, %s)",
	maximum: "GREATEST(%s, %s)", log: "LN(%s)", exp: "EXP(%s)", floor: "FLOOR(%s)",
	ifLess: "CASE WHEN %s < %s THEN %s ELSE %s END",
}

// formula writes the steps, those that need no other ones together. It returns the name of the last table, and the
// expressions of each step.
func (s *statement) formula() (last string, of [][]string) {
	steps := s.f.steps
	level, levels := levelsOf(steps)
	lastUse := make([]int, len(steps)) // the level that needs a step last
	for i, step := range steps {
		for _, from := range roots(steps, step.of) {
			lastUse[from] = max(lastUse[from], level[i])
		}
	}
	for _, from := range roots(steps, []int{s.f.probabilities, s.f.decision}) {
		lastUse[from] = levels + 1
	}
	of = make([][]string, len(steps))
	for i, step := range steps {
		of[i] = columnsOf(steps, of, step, i)
	}
	last = "rfpragma_votes"
	for l := 1; l <= levels; l++ {
		next := fmt.Sprintf("rfpragma_%d", l)
		s.text(", ", next, materialized, "rfpragma_row")
		if s.f.amount != "" {
			s.text(", amount")
		}
		for i, step := range steps {
			switch {
			case isPart(step.do) && step.do != votes:
			case level[i] < l && lastUse[i] > l:
				for c := range step.width {
					s.text(", ", column(i, c))
				}
			case level[i] == l:
				for c := range step.width {
					s.text(",\n  CAST(", expression(of, step, c), " AS DOUBLE PRECISION) AS ", column(i, c))
				}
			}
		}
		s.text("\n FROM ", last, "\n)")
		last = next
	}
	return last, of
}

// isPart tells whether a step is no column of its own.
func isPart(do operation) bool {
	return do == number || do == votes || do == amount || do == take || do == join
}

// levelsOf returns for each step how many steps that are columns lead to it, and the most of these.
func levelsOf(steps []step) (level []int, most int) {
	level = make([]int, len(steps))
	for i, s := range steps {
		for _, from := range s.of {
			level[i] = max(level[i], level[from])
		}
		if !isPart(s.do) {
			level[i]++
		}
		most = max(most, level[i])
	}
	return level, most
}

// roots are the steps whose columns the given ones are made of.
func roots(steps []step, of []int) []int {
	var all []int
	for _, i := range of {
		if s := steps[i]; s.do == take || s.do == join {
			all = append(all, roots(steps, s.of)...)
		} else {
			all = append(all, i)
		}
	}
	return all
}

// columnsOf are the expressions of a step in later ones.
func columnsOf(steps []step, of [][]string, s step, i int) []string {
	out := make([]string, 0, s.width)
	switch s.do {
	case number:
		for _, v := range s.value {
			out = append(out, literal(v))
		}
	case amount:
		out = append(out, "amount")
	case take:
		for _, c := range s.at {
			out = append(out, component(of[s.of[0]], c))
		}
	case join:
		for _, from := range s.of {
			for c := range steps[from].width {
				out = append(out, component(of[from], c))
			}
		}
	default:
		for c := range s.width {
			out = append(out, column(i, c))
		}
	}
	return out
}

// component is the one of a vector that goes with component c of others.
func component(vector []string, c int) string {
	if len(vector) == 1 {
		return vector[0]
	}
	return vector[c]
}

// expression is component c of a step.
func expression(of [][]string, s step, c int) string {
	switch s.do {
	case sum:
		return strings.Join(of[s.of[0]], " + ")
	case first:
		return firstOf(of[s.of[0]])
	case search:
		return searched(component(of[s.of[0]], c), s.lists[c], 0)
	case pick:
		texts := make([]string, len(s.lists[c]))
		for i, v := range s.lists[c] {
			texts[i] = literal(v)
		}
		return "(ARRAY[" + strings.Join(texts, ",") + "])[CAST(" + component(of[s.of[0]], c) + " AS INTEGER) + 1]"
	}
	args := make([]any, len(s.of))
	for i, from := range s.of {
		args[i] = component(of[from], c)
	}
	return fmt.Sprintf(forms[s.do], args...)
}

// firstOf is the index of the first of the largest values.
func firstOf(values []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CASE GREATEST(%s)", strings.Join(values, ", "))
	for i, v := range values {
		fmt.Fprintf(&b, " WHEN %s THEN %s", v, literal(float64(i)))
	}
	return b.String() + " END"
}

// searched is how many numbers of an ascending list are up to x, and so many before it; a comparison halves it.
func searched(x string, list []float64, before int) string {
	if len(list) == 0 {
		return literal(float64(before))
	}
	half := len(list) / 2
	return "CASE WHEN " + x + " < " + literal(list[half]) + " THEN " + searched(x, list[:half], before) + " ELSE " +
		searched(x, list[half+1:], before+half+1) + " END"
}
