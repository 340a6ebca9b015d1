package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
)

// What errors cost is said in as few words as the matrix allows.
func TestCostWords(t *testing.T) {
	two, three := []string{"ill", "well"}, []string{"a", "b", "c"}
	for _, tc := range []struct {
		classes []string
		costs   pragma.Costs
		want    string
	}{
		{two, pragma.Costs{Matrix: [][]float64{{0, 10}, {1, 0}}}, `A missed "ill" costs 10, a false alarm 1.`},
		{two, pragma.Costs{Matrix: [][]float64{{0, 1}, {2.5, 0}}, ByAmount: []bool{true, false}},
			`A missed "ill" costs its amount, a false alarm 2.5.`},
		{two, pragma.Costs{Matrix: [][]float64{{0, 0.9}, {5, 0}}, ByAmount: []bool{true, false}},
			`A missed "ill" costs 0.9 of its amount, a false alarm 5.`},
		{two, pragma.Costs{Matrix: [][]float64{{1, 10}, {1, 0}}},
			"A row of \"ill\" costs 1 as \"ill\", 10 as \"well\".\nA row of \"well\" costs 1 as \"ill\", 0 as \"well\"."},
		{three, pragma.Costs{Matrix: [][]float64{{0, 3, 3}, {1, 0, 1}, {2, 2, 0}}},
			`An error costs 3 for a row of "a", 1 for a row of "b", 2 for a row of "c".`},
		{three, pragma.Costs{Matrix: [][]float64{{0, 3, 4}, {1, 0, 1}, {2, 2, 0}}},
			"What each decision costs is in the table of costs."},
	} {
		if got := strings.Join(costWords(tc.classes, tc.costs, 0), "\n"); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%v: %s, want %s", tc.costs, got, tc.want)
		}
	}
	many, matrix := strings.Split("abcdefg", ""), make([][]float64, 7)
	for c := range matrix {
		matrix[c] = []float64{0, 1, 2, 3, 4, 5, 6}
	}
	if got := costWords(many, pragma.Costs{Matrix: matrix}, 0); !slices.Equal(got,
		[]string{"Each decision has a cost of its own: the JSON has all 7 × 7."}) {
		t.Errorf("of seven classes: %q", got)
	}
}

// A preference or costs for the class of nearly all rows may be turned round.
func TestTurned(t *testing.T) {
	rare, common := []pragma.Preference{pragma.Priority(), pragma.Neutral()}, []pragma.Preference{pragma.Neutral(),
		pragma.Priority()}
	neutral := slices.Repeat([]pragma.Preference{pragma.Neutral()}, 2)
	costs := func(ill, well float64) Loss {
		return Loss{Name: "cost", Costs: pragma.Costs{Matrix: [][]float64{{0, ill}, {well, 0}}}}
	}
	for _, tc := range []struct {
		name string
		goal Goal
		want bool
	}{
		{"rare", Goal{Prefs: rare, Share: []float64{6, 94}}, false},
		{"common", Goal{Prefs: common, Share: []float64{6, 94}}, true},
		{"nearly as common", Goal{Prefs: common, Share: []float64{40, 60}}, false},
		{"costs", Goal{Prefs: neutral, Share: []float64{6, 94}, Loss: costs(10, 1)}, false},
		{"costs turned", Goal{Prefs: neutral, Share: []float64{6, 94}, Loss: costs(1, 10)}, true},
		{"neither", Goal{Prefs: neutral, Share: []float64{6, 94}}, false},
	} {
		tc.goal.Classes = []string{"ill", "well"}
		if got := tc.goal.Turned(); (got != nil) != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// What matters most is what the preference says, else what something is required of, else what is clearly dearest to
// miss; of two classes the rarer.
func TestMatter(t *testing.T) {
	neutral := slices.Repeat([]pragma.Preference{pragma.Neutral()}, 3)
	dear := func(of float64) Loss {
		return Loss{Name: "cost", Costs: pragma.Costs{Matrix: [][]float64{{0, 3, of}, {1, 0, 5}, {1, 1, 0}}}}
	}
	amounts := dear(20)
	amounts.Costs.ByAmount = []bool{true, false, false}
	floor := "b:recall>=0.9"
	for _, tc := range []struct {
		name string
		goal Goal
		want []int
	}{
		{"nothing", Goal{Prefs: neutral}, nil},
		{"a preference", Goal{Prefs: []pragma.Preference{pragma.Neutral(), pragma.Neutral(), pragma.Priority()},
			Loss: dear(20), Floors: []string{floor}}, []int{2}},
		{"a requirement", Goal{Prefs: neutral, Loss: dear(20), Floors: []string{floor, "b:precision>=0.1", "a:recall>=0.1"}},
			[]int{1, 0}},
		{"more of them than are told of one by one", Goal{Classes: strings.Split("abcd", ""),
			Prefs: slices.Repeat(neutral[:1],
				4), Floors: []string{"a:recall>=0.1", "b:recall>=0.1", "c:recall>=0.1", "d:recall>=0.1"}}, nil},
		{"costs", Goal{Prefs: neutral, Loss: dear(20)}, []int{0, 1}},                   // 11.5, 3 and 1 in the mean
		{"costs, another one first", Goal{Prefs: neutral, Loss: dear(2)}, []int{1, 0}}, // 2.5, 3 and 1
		{"costs, one of them", Goal{Prefs: neutral, Loss: Loss{Name: "cost",
			Costs: pragma.Costs{Matrix: [][]float64{{0, 9, 9},
				{2, 0, 2}, {1.5, 1.5, 0}}}}}, []int{0}},
		{"costs that are near", Goal{Prefs: neutral, Loss: Loss{Name: "cost",
			Costs: pragma.Costs{Matrix: [][]float64{{0, 1, 1}, {1.9, 0, 1.9}, {1, 1, 0}}}}}, nil},
		{"dear classes, more than are told of one by one", Goal{Classes: strings.Split("abcde", ""),
			Prefs: slices.Repeat(neutral[:1], 5), Loss: Loss{Name: "cost",
				Costs: pragma.Costs{Matrix: [][]float64{{0, 9, 9, 9, 9}, {9, 0, 9, 9, 9}, {9, 9, 0, 9, 9}, {9, 9, 9, 0, 9},
					{1, 1, 1, 1, 0}}}}}, nil},
		{"costs by amount", Goal{Prefs: neutral, Loss: amounts}, nil},
		{"two classes", Goal{Classes: []string{"a", "b"}, Share: []float64{0.9, 0.1}, Prefs: neutral[:2],
			Floors: []string{"a:recall>=0.9"}}, []int{0}},
	} {
		if tc.goal.Classes == nil {
			tc.goal.Classes = strings.Split("abc", "")
		}
		if got := tc.goal.Matter(); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
