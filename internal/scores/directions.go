package scores

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/direction"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// classFault is what is said of the scores of a class.
type classFault struct {
	class int
	error
}

// directions says of which classes the scores run the other way or say nothing: share has those of each row, by class,
// and rows how many each stands for (nil means 1 each). Of two classes one is told, the one of fewer rows.
func directions(name string, classes []string, share []float64, truth []int, rows []float64) (said []error) {
	k := len(classes)
	of := make([]int, k)
	for _, c := range truth {
		if c >= 0 {
			of[c]++
		}
	}
	for c, class := range classes {
		if k == 2 && (of[c] > of[1-c] || of[c] == of[1-c] && c == 0) {
			continue
		}
		var score, weights []float64
		var hit []bool
		for i, t := range truth {
			if t < 0 {
				continue
			}
			score, hit = append(score, share[i*k+c]), append(hit, t == c)
			if rows != nil {
				weights = append(weights, rows[i])
			}
		}
		switch v, area := direction.Of(score, hit, weights); v {
		case direction.Constant:
			said = append(said, classFault{c, fmt.Errorf("%s: the scores of class %s are the same in every row and say nothing "+
				"of it", name, english.Quote(class))})
		case direction.Reversed:
			said = append(said, classFault{c, fmt.Errorf("%s: the scores run the other way: rows of class %s have lower ones "+
				"of it than other rows (ROC-AUC %.2f, where 0.5 is chance); have two columns been swapped? Of a marker that "+
				"falls, give its negative", name, english.Quote(class), area)})
		}
	}
	return said
}

// OfTable says the same of votes.
func OfTable(name string, t *vote.Table) []error {
	k := len(t.Classes)
	share := make([]float64, t.Rows()*k)
	for i := range t.Rows() {
		votes := t.Votes(i)
		total := float64(vote.Total(votes))
		for c, n := range votes {
			if share[i*k+c] = 1 / float64(k); total > 0 {
				share[i*k+c] = float64(n) / total
			}
		}
	}
	var rows []float64
	for _, n := range t.Times {
		rows = append(rows, float64(n))
	}
	return directions(name, t.Classes, share, t.Truth, rows)
}

// Directions says of which classes the scores run the other way or say nothing.
func (s *Scores) Directions(name string) []error {
	return directions(name, s.Classes, s.share, s.truth, nil)
}

// Named gives the classes in the warnings of a fit their names. It leaves out those of classes of whose scores more has
// been said: that they run the other way, or say nothing.
func (s *Scores) Named(warnings, said []error) (named []error) {
	for _, warning := range warnings {
		var of *calib.ClassError
		if !errors.As(warning, &of) || of.Class >= len(s.Classes) {
			named = append(named, warning)
			continue
		}
		told := slices.ContainsFunc(said, func(err error) bool {
			var fault classFault
			return errors.As(err, &fault) && (fault.class == of.Class || len(s.Classes) == 2)
		})
		if !told {
			named = append(named, fmt.Errorf("class %s: %w", english.Quote(s.Classes[of.Class]), of.Err))
		}
	}
	return named
}
