package set

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// By hand: of 7, 25 and 21 rows the third class is the rarest that has 20.
func TestRarest(t *testing.T) {
	frame := &dataset.Frame{Classes: []string{"a", "b", "c"}}
	for c, n := range []int{7, 25, 21} {
		for range n {
			frame.Truth = append(frame.Truth, c)
		}
	}
	if c, err := Rarest(frame); err != nil || c != 2 {
		t.Errorf("the rarest is %d, error %v; want 2", c, err)
	}
	spec, err := Goals[0].Spec(frame)
	if err != nil || len(spec) != 1 || spec["c"] != Goals[0].Of {
		t.Errorf("the preference is %v, error %v", spec, err)
	}
	frame.Truth = frame.Truth[:20]
	if _, err := Goals[0].Spec(frame); err == nil || !strings.Contains(err.Error(), "no class has 20 rows") {
		t.Errorf("too few rows: %v", err)
	}
}

// Every fold has as many rows as the others, give or take one, and so of each class; another seed deals otherwise.
func TestDeal(t *testing.T) {
	frame := &dataset.Frame{Classes: []string{"a", "b"}}
	for i := range 52 {
		frame.Truth = append(frame.Truth, i%4/3)
	}
	of, rows, hits := Deal(frame, 5, 0), make([]int, 5), make([]int, 5)
	changed := 0
	for i, fold := range Deal(frame, 5, 1) {
		rows[of[i]]++
		hits[of[i]] += frame.Truth[i]
		if fold != of[i] {
			changed++
		}
	}
	for fold := range rows {
		if rows[fold] < 10 || rows[fold] > 11 || hits[fold] < 2 || hits[fold] > 3 {
			t.Errorf("fold %d has %d rows, %d of the second class", fold, rows[fold], hits[fold])
		}
	}
	if changed < 10 {
		t.Errorf("another seed moves %d of 52 rows", changed)
	}
}
