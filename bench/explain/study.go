package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// study asks, of rows that are decided as the rarest class, which columns each way of explaining names first, and
// whether cells of these can turn the decision where any as many can.
type study struct {
	data string
	rows int // of each set, at most
}

// tally counts rows that few cells can turn.
type tally struct {
	turned         [3]int // by how many cells it takes, 1 and 2; those that two do not turn at 0
	reasons, parts [3]int // of these, where the columns named first can
}

func (s *study) of(ctx context.Context, name string) (*tally, error) {
	frame, err := set.Public(s.data, name, 10_000)
	if err != nil {
		return nil, err
	}
	rare, err := set.Rarest(frame)
	if err != nil {
		return nil, err
	}
	class := frame.Classes[rare]
	train, test := []int{}, []int{}
	for i, part := range set.Deal(frame, 3, 1) {
		if part == 0 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	known := frame.Take(train)
	m, err := rfpragma.Fit(ctx, known, pragma.Spec{class: pragma.Find()},
		rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}})
	if err != nil {
		return nil, err
	}
	explainer, err := explain.New(ctx, m, known, explain.Options{Class: class})
	if err != nil {
		return nil, err
	}
	t := &tally{}
	x := make([]float64, len(m.Forest.Schema))
	for at := 0; at < len(test) && t.total() < s.rows; at++ {
		frame.Row(x, test[at])
		if p, err := m.Predict(x); err != nil {
			return nil, err
		} else if p.Class == class {
			if err := t.row(ctx, m, explainer, x, class); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

func (t *tally) total() int { return t.turned[0] + t.turned[1] + t.turned[2] }

// row adds a row.
func (t *tally) row(ctx context.Context, m *rfpragma.Model, e *explain.Explainer, x []float64, class string) error {
	change, err := explain.Nearest(ctx, m, x, explain.ChangeOptions{})
	if err != nil {
		return err
	}
	if change == nil {
		t.turned[0]++
		return nil
	}
	cells := len(change.Cells)
	t.turned[cells]++
	reasons, err := m.Reasons(x, class, cells)
	if err != nil {
		return err
	}
	var named []string
	for _, r := range reasons {
		named = append(named, r.Column)
	}
	parts, err := e.Row(ctx, x)
	if err != nil {
		return err
	}
	byReasons, err := turn(ctx, m, x, named)
	if err != nil {
		return err
	}
	byParts, err := turn(ctx, m, x, largest(m.Forest.Schema, parts, cells))
	if err != nil {
		return err
	}
	if byReasons {
		t.reasons[cells]++
	}
	if byParts {
		t.parts[cells]++
	}
	return nil
}

// largest names the columns of the n largest parts.
func largest(schema dataset.Schema, parts []float64, n int) []string {
	order := make([]int, len(parts))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(parts[b], parts[a]) })
	var names []string
	for _, j := range order[:n] {
		names = append(names, schema[j].Name)
	}
	return names
}

// turn tells whether cells of these columns can turn a row.
func turn(ctx context.Context, m *rfpragma.Model, x []float64, columns []string) (bool, error) {
	if len(columns) == 0 {
		return false, nil
	}
	var keep []string
	for _, field := range m.Forest.Schema {
		if !slices.Contains(columns, field.Name) {
			keep = append(keep, field.Name)
		}
	}
	change, err := explain.Nearest(ctx, m, x, explain.ChangeOptions{Keep: keep, Most: len(columns)})
	return change != nil, err
}

// print writes the table of the sets.
func (s *study) print(ctx context.Context, names []string) error {
	fmt.Println("| set | rows | one cell turns | first reason | largest part | two cells turn | first two reasons | " +
		"two largest parts |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|")
	var all tally
	line := func(name string, t *tally) {
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, t.total(), t.turned[1], t.reasons[1], t.parts[1],
			t.turned[2], t.reasons[2], t.parts[2])
	}
	for _, name := range names {
		t, err := s.of(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		line(name, t)
		for i := range t.turned {
			all.turned[i] += t.turned[i]
			all.reasons[i] += t.reasons[i]
			all.parts[i] += t.parts[i]
		}
	}
	line("all", &all)
	return nil
}
