package calib

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"
)

// near compares to a relative and absolute tolerance.
func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(1, math.Abs(want)) // false for NaN
}

// reference is one case of testdata/r.csv, the work of testdata/reference.R.
type reference struct {
	score, weight             []float64
	hit                       []bool
	plattRaw, platt, isotonic []float64 // at each row; platt is nil where scores are no shares
}

func readCSV(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func number(t testing.TB, field string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(field, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// references returns the cases by name, and the names in the order of the file.
func references(t testing.TB) (map[string]*reference, []string) {
	t.Helper()
	cases, names := map[string]*reference{}, []string{}
	for _, row := range readCSV(t, "testdata/r.csv") {
		r := cases[row[0]]
		if r == nil {
			r = &reference{}
			cases[row[0]] = r
			names = append(names, row[0])
		}
		r.score = append(r.score, number(t, row[1]))
		r.hit = append(r.hit, row[2] == "1")
		r.weight = append(r.weight, number(t, row[3]))
		r.plattRaw = append(r.plattRaw, number(t, row[4]))
		if row[5] != "" {
			r.platt = append(r.platt, number(t, row[5]))
		}
		r.isotonic = append(r.isotonic, number(t, row[6]))
	}
	if len(names) != 7 {
		t.Fatalf("testdata/r.csv has %d cases, want 7", len(names))
	}
	return cases, names
}

// The probabilities at the fitted rows are those of R's glm (Platt's smoothed targets as a
// fractional response) and isoreg.
func TestMethodsAgreeWithR(t *testing.T) {
	cases, names := references(t)
	for _, name := range names {
		r := cases[name]
		for _, tc := range []struct {
			method    Method
			want      []float64
			tolerance float64
		}{
			{PlattLogit, r.platt, 1e-9},
			{PlattRaw, r.plattRaw, 1e-9},
			{IsotonicLinear, r.isotonic, 1e-14},
			{IsotonicStep, r.isotonic, 1e-14},
		} {
			if tc.want == nil {
				continue
			}
			t.Run(name+"/"+string(tc.method), func(t *testing.T) {
				m, err := tc.method.Fit(r.score, r.hit, r.weight)
				if err != nil {
					t.Fatal(err)
				}
				for i, s := range r.score {
					if got := m.Prob(s); !near(got, tc.want[i], tc.tolerance) {
						t.Errorf("Prob(%g) = %.17g, want %.17g", s, got, tc.want[i])
					}
				}
			})
		}
	}
}

// sklearn is testdata/sklearn.json, the work of testdata/reference.py.
type sklearn struct {
	Isotonic []struct {
		Case        string
		Score, Prob []float64
	}
	Scores []struct {
		K              int
		Prob, Weight   []float64
		Truth          []int
		Brier, LogLoss float64
	}
}

func readSklearn(t *testing.T) sklearn {
	t.Helper()
	data, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var s sklearn
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Isotonic) != 7 || len(s.Scores) != 4 {
		t.Fatalf("testdata/sklearn.json has %d and %d cases, want 7 and 4", len(s.Isotonic), len(s.Scores))
	}
	return s
}

// Between and beyond the fitted scores, the linear form is scikit-learn's IsotonicRegression.
func TestIsotonicAgreesWithSklearn(t *testing.T) {
	cases, _ := references(t)
	for _, want := range readSklearn(t).Isotonic {
		r := cases[want.Case]
		m, err := isotonicOf(r.score, r.hit, r.weight, true)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range want.Score {
			if got := m.Prob(s); !near(got, want.Prob[i], 1e-9) {
				t.Errorf("%s: Prob(%g) = %.17g, want %.17g", want.Case, s, got, want.Prob[i])
			}
		}
	}
}

func TestScoresAgreeWithSklearn(t *testing.T) {
	for _, s := range readSklearn(t).Scores {
		if got := Brier(s.Prob, s.Truth, s.Weight, s.K); !near(got, s.Brier, 1e-14) {
			t.Errorf("k = %d: Brier = %.17g, want %.17g", s.K, got, s.Brier)
		}
		if got := LogLoss(s.Prob, s.Truth, s.Weight, s.K); !near(got, s.LogLoss, 1e-14) {
			t.Errorf("k = %d: LogLoss = %.17g, want %.17g", s.K, got, s.LogLoss)
		}
	}
}

// R's prop.test without continuity correction gives Wilson's interval.
func TestWilsonAgreesWithR(t *testing.T) {
	rows := readCSV(t, "testdata/wilson.csv")
	if len(rows) != 9 {
		t.Fatalf("testdata/wilson.csv has %d rows, want 9", len(rows))
	}
	for _, row := range rows {
		hits, n := number(t, row[0]), number(t, row[1])
		low, high := Wilson(hits, n, Z95)
		if !near(low, number(t, row[2]), 1e-12) || !near(high, number(t, row[3]), 1e-12) {
			t.Errorf("Wilson(%g, %g) = %.17g, %.17g, want %s, %s", hits, n, low, high, row[2], row[3])
		}
	}
}
