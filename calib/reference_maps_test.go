package calib

import (
	"encoding/json"
	"os"
	"testing"
)

// The probabilities at the fitted rows are those of R: glm with two features, optimize, and isoreg
// with blocks drawn to their means (testdata/maps.R).
func TestMapsAgreeWithR(t *testing.T) {
	cases, _ := references(t)
	fitted := map[string]Map{}
	rows := readCSV(t, "testdata/maps.csv")
	if len(rows) != 430 {
		t.Fatalf("testdata/maps.csv has %d rows, want 430", len(rows))
	}
	for _, row := range rows {
		r, score := cases[row[0]], number(t, row[1])
		for column, method := range map[int]Method{2: Beta, 3: Temperature, 4: IsotonicCentred} {
			if row[column] == "" {
				continue
			}
			key := row[0] + "/" + string(method)
			if fitted[key] == nil {
				fitted[key] = mustFit(t, method, r.score, r.hit, r.weight)
			}
			tolerance := 1e-9
			if method == Temperature {
				tolerance = 2e-7 // of optimize
			}
			if got, want := fitted[key].Prob(score), number(t, row[column]); !near(got, want, tolerance) {
				t.Errorf("%s: Prob(%g) = %.17g, want %.17g", key, score, got, want)
			}
		}
	}
}

// pythons is testdata/maps.json, the work of testdata/maps.py.
type pythons struct {
	Binary []struct {
		Case        string
		Sigmoid     []float64 // of scikit-learn, at the rows
		Share, Beta []float64 // of betacal, at shares
		Slope       float64   // 1/T of scikit-learn, on them
		New         []float64
		Low, High   []float64 // of venn-abers, at new scores
	}
	Classes []struct {
		K             int
		Share, Weight []float64
		Truth         []int
		Slope         float64   // 1/T of scikit-learn
		Vector        []float64 // of scipy, at the rows
	}
}

func readPythons(t *testing.T) pythons {
	t.Helper()
	data, err := os.ReadFile("testdata/maps.json")
	if err != nil {
		t.Fatal(err)
	}
	var p pythons
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Binary) != 5 || len(p.Classes) != 3 {
		t.Fatalf("testdata/maps.json has %d and %d cases, want 5 and 3", len(p.Binary), len(p.Classes))
	}
	return p
}

func TestSigmoidAgreesWithSklearn(t *testing.T) {
	cases, _ := references(t)
	for _, want := range readPythons(t).Binary {
		r := cases[want.Case]
		m := mustFit(t, PlattRaw, r.score, r.hit, r.weight)
		for i, s := range r.score {
			if got := m.Prob(s); !near(got, want.Sigmoid[i], 1e-6) {
				t.Errorf("%s: Prob(%g) = %.17g, want %.17g", want.Case, s, got, want.Sigmoid[i])
			}
		}
	}
}

func TestBetaAgreesWithBetacal(t *testing.T) {
	cases, _ := references(t)
	for _, want := range readPythons(t).Binary {
		if want.Beta == nil {
			continue
		}
		r := cases[want.Case]
		groups, err := pool(want.Share, r.hit, r.weight, true)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fitBeta(groups, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range want.Share {
			if got := m.Prob(s); !near(got, want.Beta[i], 2e-4) { // as closely as betacal solves it
				t.Errorf("%s: Prob(%g) = %.17g, want %.17g", want.Case, s, got, want.Beta[i])
			}
		}
	}
}

func TestTemperatureAgreesWithSklearn(t *testing.T) {
	cases, _ := references(t)
	python := readPythons(t)
	for _, want := range python.Binary {
		if want.Share == nil {
			continue
		}
		r := cases[want.Case]
		groups, err := pool(want.Share, r.hit, r.weight, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := newSoftmax(logsOf(groups), countsOf(groups), 2, 0).temperature(); !near(got, want.Slope, 1e-6) {
			t.Errorf("%s: slope %.17g, want %.17g", want.Case, got, want.Slope)
		}
	}
	for _, want := range python.Classes {
		r, err := known(want.Share, want.Truth, want.Weight, want.K)
		if err != nil {
			t.Fatal(err)
		}
		log, count, err := r.merge()
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range log {
			log[i] = logShare(s)
		}
		if got := newSoftmax(log, count, want.K, 0).temperature(); !near(got, want.Slope, 1e-6) {
			t.Errorf("%d classes: slope %.17g, want %.17g", want.K, got, want.Slope)
		}
	}
}

func TestVectorAgreesWithScipy(t *testing.T) {
	for _, want := range readPythons(t).Classes {
		rows := Rows{K: want.K, Share: want.Share, Truth: want.Truth, Weight: want.Weight}
		set := refit(t, Vector, rows)
		for i := range want.Truth {
			for c, p := range rows.ofRow(set, i) {
				if w := want.Vector[i*want.K+c]; !near(p, w, 1e-8) {
					t.Fatalf("%d classes, row %d, class %d: %.17g, want %.17g", want.K, i, c, p, w)
				}
			}
		}
	}
}

func TestVennAbersAgreesWithPython(t *testing.T) {
	cases, _ := references(t)
	for _, want := range readPythons(t).Binary {
		if want.New == nil {
			continue
		}
		r := cases[want.Case]
		m, err := vennAbersOf(r.score, r.hit, r.weight)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range want.New {
			if low, high := m.Interval(s); !near(low, want.Low[i], 1e-6) || !near(high, want.High[i], 1e-6) {
				t.Errorf("%s: Interval(%g) = %.9g, %.9g, want %.9g, %.9g", want.Case, s, low, high, want.Low[i], want.High[i])
			}
		}
	}
}
