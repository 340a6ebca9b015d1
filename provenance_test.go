package rfpragma

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// A saved model says how its trees were grown, and nothing of what forests usually have not.
func TestRecordOfGrowth(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	for _, c := range []forest.Config{
		{},
		{Criterion: forest.Entropy, Bag: forest.Poisson, Fraction: 0.5},
		{RandomCuts: true, NoReplacement: true, Fraction: 1, MinLeaf: 3, Soft: true},
		{NoReplacement: true, MaxLeaves: 8, MaxDepth: 5},
		{Bag: forest.Hash(100), ClassWeight: []float64{2, 1}, Criterion: forest.Gini},
	} {
		c.Trees, c.Seed = 5, 7
		m, err := ReadModel(bytes.NewReader(fileOf(t, mustFit(t, frame, fraudSpec(), Config{Forest: c}))))
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		got, want := m.Provenance.Growth().Resolved(12), c.Resolved(12)
		got.Trees, got.Workers = want.Trees, want.Workers
		if !reflect.DeepEqual(got, want) {
			t.Errorf("grown with %+v\nrecorded %+v", want, got)
		}
		if head := string(headerOf(t, m, nil)); reflect.DeepEqual(c, forest.Config{Trees: 5, Seed: 7}) {
			for _, word := range []string{"criterion", "random", "leaves", "fraction", "replacement", "soft"} {
				if strings.Contains(head, word) {
					t.Errorf("the record of a usual forest speaks of %q", word)
				}
			}
		}
	}
}
