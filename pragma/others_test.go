package pragma_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// The matrices of the table below.
var (
	twoByTwo  = matrix([]float64{50, 3}, []float64{7, 940})
	three     = matrix([]float64{30, 4, 1}, []float64{2, 55, 9}, []float64{0, 6, 18})
	neverA    = matrix([]float64{0, 5, 0}, []float64{1, 80, 2}, []float64{0, 4, 8})
	allB      = matrix([]float64{0, 10}, []float64{0, 90})
	perfect   = matrix([]float64{10, 0}, []float64{0, 90})
	four      = matrix([]float64{5, 1, 0, 0}, []float64{2, 40, 3, 1}, []float64{0, 0, 0, 4}, []float64{1, 2, 0, 9})
	oneClass  = matrix([]float64{7, 0}, []float64{0, 0})
	withoutA  = matrix([]float64{0, 0}, []float64{10, 90})
	empty     = matrix([]float64{0, 0}, []float64{0, 0})
	allWrong  = matrix([]float64{0, 10}, []float64{10, 0})
	oneInMany = matrix([]float64{1, 0}, []float64{0, 1e15})
)

func TestOthers(t *testing.T) {
	for _, tc := range []struct {
		name string
		m    *vote.Confusion
		want map[string]float64 // the loss
	}{
		// From scikit-learn 1.9.1: accuracy_score, balanced_accuracy_score, f1_score,
		// fbeta_score, matthews_corrcoef and cohen_kappa_score on rows of these counts;
		// gmean as the root of the product of recall_score.
		{"two classes", twoByTwo, map[string]float64{"accuracy": 1 - 0.99, "balanced": 1 - 0.9680022314757626,
			"mcc": 1 - 0.9044770873845758, "kappa": 1 - 0.9038073067969757,
			"f1": 1 - 0.9518999518999518, "f:a": 1 - 0.9090909090909091, "f:b": 1 - 0.9947089947089947,
			"f:a,beta=2": 1 - 0.9293680297397769, "f:*,beta=2": 1 - 0.9614077519233655, "gmean": 1 - 0.9676894463912532}},
		{"three classes", three, map[string]float64{"accuracy": 1 - 0.824, "balanced": 1 - 0.8134920634920636,
			"mcc": 1 - 0.7128167640743215, "kappa": 1 - 0.7118306612176464,
			"f1": 1 - 0.8091749122853145, "f:a": 1 - 0.8955223880597015, "f:c": 1 - 0.6923076923076923,
			"f:c,beta=2": 1 - 0.7258064516129032, "f:*,beta=2": 1 - 0.811255245422298, "gmean": 1 - 0.8121652608147102}},
		{"a class never found", neverA, map[string]float64{"accuracy": 1 - 0.88, "balanced": 1 - 0.5435073627844712,
			"mcc": 1 - 0.5339263878417961, "kappa": 1 - 0.5176848874598071,
			"f1": 1 - 0.5525017618040874, "f:a": 1, "f:b": 1 - 0.9302325581395349, "f:*,beta=2": 1 - 0.5465913124197996,
			"gmean": 1}},
		{"four classes", four, map[string]float64{"accuracy": 1 - 0.7941176470588235, "balanced": 1 - 0.6132246376811594,
			"mcc": 1 - 0.60904519623368, "kappa": 1 - 0.6062861869313483,
			"f1": 1 - 0.5763674527719471, "f:c": 1, "f:d,beta=2": 1 - 0.7258064516129032, "gmean": 1}},
		{"all decided alike", allB, map[string]float64{"accuracy": 0.1, "balanced": 0.5, "mcc": 1, "kappa": 1,
			"f1": 1 - 0.4736842105263158, "f:a": 1, "gmean": 1}},
		{"perfect", perfect, map[string]float64{"accuracy": 0, "balanced": 0, "mcc": 0, "kappa": 0, "f1": 0, "f:a": 0,
			"f:b,beta=0.5": 0, "gmean": 0}},
		// By the conventions in the doc comments.
		{"rows of one class", oneClass, map[string]float64{"accuracy": 0, "balanced": 0, "mcc": 1, "kappa": 1, "f1": 0,
			"f:a": 0, "f:b": 1, "gmean": 0}},
		{"a class without rows", withoutA, map[string]float64{"accuracy": 0.1, "balanced": 0.1, "mcc": 1, "kappa": 1,
			"f1": 1 - 180.0/190, "f:a": 1, "gmean": 0.1}},
		{"no rows", empty, map[string]float64{"accuracy": 1, "balanced": 1, "mcc": 1, "kappa": 1, "f1": 1, "f:a": 1, "f:*": 1,
			"gmean": 1}},
		{"all wrong", allWrong, map[string]float64{"accuracy": 1, "balanced": 1, "mcc": 2, "kappa": 2, "f1": 1, "f:a": 1,
			"gmean": 1}},
		{"one in a thousand million million", oneInMany, map[string]float64{"accuracy": 0, "balanced": 0, "mcc": 0,
			"kappa": 0, "f1": 0, "gmean": 0}},
		{"a huge beta is recall, a tiny one precision", twoByTwo, map[string]float64{"f:a,beta=1e200": 1 - 50.0/53,
			"f:a,beta=1e-200": 1 - 50.0/57}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for name, want := range tc.want {
				measure, err := pragma.ParseMeasure(name, tc.m.Classes)
				if err != nil {
					t.Fatal(err)
				}
				if got := measure.Loss(tc.m); !near(got, want) {
					t.Errorf("%s = %v, want %v", name, got, want)
				}
			}
		})
	}
}

// Every measure is finite and in its range for every matrix, is 0 for right decisions of
// at least two classes, and does not change when all rows count double.
func TestOthersLaws(t *testing.T) {
	most := map[string]float64{"accuracy": 1, "balanced": 1, "f1": 1, "f:a": 1, "f:b,beta=3": 1, "f:*,beta=0.5": 1,
		"gmean": 1, "mcc": 2, "kappa": 2}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 41))
		m := randomMatrix(rng)
		double := vote.NewConfusion(m.Classes)
		double.Merge(m)
		double.Merge(m)
		for name, top := range most {
			measure, err := pragma.ParseMeasure(name, m.Classes)
			if err != nil {
				t.Fatal(err)
			}
			got := measure.Loss(m)
			if !(got >= 0 && got <= top) {
				t.Fatalf("seed %d: %s = %v, want 0 to %v", seed, name, got, top)
			}
			if again := measure.Loss(double); !near(got, again) {
				t.Fatalf("seed %d: %s = %v, and %v when all rows count double", seed, name, got, again)
			}
		}
	}
}

func TestParseMeasureNames(t *testing.T) {
	classes := []string{"a,b", "x"}
	m := vote.NewConfusion(classes)
	m.Add(0, 0, 3)
	m.Add(0, 1, 1)
	for name, want := range map[string]float64{`f:"a,b"`: 1 - 6.0/7, ` f : "a,b" , beta = 1 `: 1 - 6.0/7,
		" accuracy ": 0.25} {
		measure, err := pragma.ParseMeasure(name, classes)
		if err != nil {
			t.Fatal(err)
		}
		if got := measure.Loss(m); !near(got, want) {
			t.Errorf("%q = %v, want %v", name, got, want)
		}
	}
	for _, tc := range []struct{ text, want string }{
		{"acuracy", `unknown measure "acuracy"; known are "accuracy", "balanced", "f1", "f:CLASS", "gmean", "mcc", "kappa"; did you mean "accuracy"?`},
		{"recall", `unknown measure "recall"; known are "accuracy", "balanced", "f1", "f:CLASS", "gmean", "mcc", "kappa"; use one of them`},
		{"", `unknown measure ""; known are "accuracy", "balanced", "f1", "f:CLASS", "gmean", "mcc", "kappa"; use one of them`},
		{"f2", `unknown measure "f2"; write f:CLASS,beta=2`},
		{"F0.5", `unknown measure "F0.5"; write f:CLASS,beta=0.5`},
		{"f-2", `unknown measure "f-2"; write f:CLASS,beta=2`},
		{"F1", `unknown measure "F1"; known are "accuracy", "balanced", "f1", "f:CLASS", "gmean", "mcc", "kappa"; did you mean "f1"?`},
		{"youden", `unknown measure "youden"; write balanced: of two classes sensitivity + specificity - 1 is 2 × balanced - 1, best under the same weights`},
		{"mcc:a", "measure mcc is one number over all classes; write mcc alone, or f:CLASS for one class"},
		{"f", "measure f needs a class; write f:CLASS or f:CLASS,beta=2, or f1 for the mean over all classes"},
		{"f:", "measure f needs a class; write f:CLASS or f:CLASS,beta=2, or f1 for the mean over all classes"},
		{"f:y", `unknown class "y"; known are "a,b", "x"; use one of them`},
		{"f:x,bta=2", `character 5: "bta=2" is not beta=NUMBER; write f:CLASS,beta=2`},
		{"f:x,beta", `character 5: "beta" is not beta=NUMBER; write f:CLASS,beta=2`},
		{"f:x,beta=two", `beta: "two" is not a number; write digits, with a point if need be`},
		{"f:x,beta=0", "beta = 0 is not a finite number above 0; write 1 for F1, 2 to count recall twice"},
		{"f:x,beta=-1", "beta = -1 is not a finite number above 0; write 1 for F1, 2 to count recall twice"},
		{"f:x=2", `character 4: unexpected "="; write f:CLASS,beta=2, and quote a name that contains one of :;,="`},
	} {
		_, err := pragma.ParseMeasure(tc.text, classes)
		var bad *pragma.SpecError
		if !errors.As(err, &bad) || err.Error() != tc.want {
			t.Errorf("%q: error %v\nwant %s", tc.text, err, tc.want)
		}
	}
	if _, err := pragma.F(-1, 1); err == nil || err.Error() != "class index -1 is negative; give one from 0 on" {
		t.Errorf("F(-1, 1): %v", err)
	}
	if _, err := pragma.MacroF(math.NaN()); err == nil ||
		err.Error() != "beta = NaN is not a finite number above 0; write 1 for F1, 2 to count recall twice" {
		t.Errorf("MacroF(NaN): %v", err)
	}
}

func TestCost(t *testing.T) {
	// By hand; the costs are those of the Statlog German credit data.
	costs := [][]float64{{0, 1}, {5, 0}}
	for _, tc := range []struct {
		name string
		m    *vote.Confusion
		want float64
	}{
		{"some errors", matrix([]float64{60, 10}, []float64{6, 24}), (10 + 5*6) / 100.0},
		{"perfect", perfect, 0},
		{"all wrong", allWrong, 3},
		{"no rows", empty, 5},
	} {
		measure, err := pragma.Costs{Matrix: costs}.Measure()
		if err != nil {
			t.Fatal(err)
		}
		if got := measure.Loss(tc.m); !near(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	for _, tc := range []struct {
		name  string
		costs [][]float64
		want  string
	}{
		{"A184 not square", [][]float64{{0, 1}, {1}},
			"the cost matrix is not square: row 2 has 1 costs for 2 classes; give one for each"},
		{"A187 negative", [][]float64{{-1, 1}, {1, 0}},
			"row 1, column 1 of the cost matrix: the cost -1 is negative; add the same amount to the whole row, so that its " +
				"smallest cost is 0"},
		{"NaN", [][]float64{{0, math.NaN()}, {1, 0}},
			"row 1, column 2 of the cost matrix: the cost NaN is not a finite number; write one"},
		{"A188 all zero", [][]float64{{0, 0}, {0, 0}},
			"all costs are 0, so all decisions are equally good; give errors a cost above 0"},
	} {
		if _, err := (pragma.Costs{Matrix: tc.costs}).Measure(); err == nil || err.Error() != tc.want {
			t.Errorf("%s: error %v\nwant %s", tc.name, err, tc.want)
		}
	}
}

func TestReadCosts(t *testing.T) {
	classes := []string{"1", "2"}
	for _, tc := range []struct {
		name, text string
		want       [][]float64
		warnings   []string
	}{
		{"as documented", "actual,predicted_1,predicted_2\n1,0,1\n2,5,0\n", [][]float64{{0, 1}, {5, 0}}, nil},
		{"A185 another order", "\ufeffactual,predicted_2,predicted_1\r\n2,0,5\r\n1,1,0\r\n", [][]float64{{0, 1}, {5, 0}},
			nil},
		{"A29 blanks", " actual , predicted_1,predicted_2\n 1 , 0, 1\n2,5 ,0\n", [][]float64{{0, 1}, {5, 0}}, nil},
		{"A186 diagonal", "actual,predicted_1,predicted_2\n1,2,1\n2,5,5\n", [][]float64{{2, 1}, {5, 5}}, []string{
			`the right decision on class "1" costs 2, no less than a wrong one: are rows and columns mixed up?`,
			`the right decision on class "2" costs 5, no less than a wrong one: are rows and columns mixed up?`,
		}},
		{"an inspection that is paid", "actual,predicted_1,predicted_2\n1,0.5,1\n2,5,0\n", [][]float64{{0.5, 1}, {5, 0}},
			nil},
		{"in thousands", "actual,predicted_1,predicted_2\n1,0,1\n2,3.000,0\n", [][]float64{{0, 1}, {3, 0}},
			[]string{`c.csv:3:3: the cost 3.000 is read as 3; if thousands are meant, write 3000`}},
		{"three decimals", "actual,predicted_1,predicted_2\n1,0.000,1.250\n2,3.000,0.000\n", [][]float64{{0, 1.25}, {3, 0}},
			nil},
		{"A189 a row of zeros", "actual,predicted_1,predicted_2\n1,0,0\n2,5,0\n", [][]float64{{0, 0}, {5, 0}},
			[]string{`all decisions on class "1" are free: it does not count`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, warnings, err := pragma.ReadCosts(strings.NewReader(tc.text), "c.csv", classes)
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, w := range warnings {
				texts = append(texts, w.Error())
			}
			if diff := cmp.Diff(pragma.Costs{Matrix: tc.want}, got) + cmp.Diff(tc.warnings, texts); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestReadCostsErrors(t *testing.T) {
	const head = "actual,predicted_1,predicted_2\n"
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "c.csv: the file is empty; expected a first line with the names of the columns"},
		{"A185 no class names", "0,1\n5,0\n",
			`c.csv:1:1: the first column is "0"; call it actual, with the true class, and the others predicted_CLASS`},
		{"A185 columns without prefix", "actual,1,2\n1,0,1\n2,5,0\n",
			`c.csv:1:8: column "1" does not name a decision; write predicted_CLASS`},
		{"unknown column", "actual,predicted_1,predicted_3\n",
			`c.csv:1:20: unknown class "3"; known are "1", "2"; use one of them`},
		{"column twice", "actual,predicted_1,predicted_1\n",
			`c.csv:1:20: columns 2 and 3 are both named "predicted_1"; rename one`},
		{"A184 a column is missing", "actual,predicted_1\n1,0\n",
			`c.csv: there is no column "predicted_2"; add it, so that the matrix is square`},
		{"A184 a row is missing", head + "1,0,1\n",
			`c.csv: there is no row for class "2"; add one, so that the matrix is square`},
		{"unknown row", head + "one,0,1\n", `c.csv:2:1: unknown class "one"; known are "1", "2"; use one of them`},
		{"row twice", head + "1,0,1\n1,0,1\n", `c.csv:3:1: class "1" has two rows; remove one`},
		{"short row", head + "1,0\n", "c.csv:2: 2 cells where the first line names 3 columns; correct the line"},
		{"no number", head + "1,0,x\n", `c.csv:2:5: "x" is not a number; write digits, with a point if need be`},
		{"A187 negative", head + "1,0,-1\n",
			"c.csv:2:5: the cost -1 is negative; add the same amount to the whole row, so that its smallest cost is 0"},
		{"A188 all zero", head + "1,0,0\n2,0,0\n",
			"c.csv: all costs are 0, so all decisions are equally good; give errors a cost above 0"},
		{"A23 colons", "actual:predicted_1:predicted_2\n1:0:1\n",
			`c.csv:1:1: the first column is "actual:predicted_1:predicted_2"; call it actual, with the true class, and the others predicted_CLASS`},
		{"A23 semicolons", "actual;predicted_1;predicted_2\n1;0;1\n",
			`c.csv: there is no row for class "2"; add one, so that the matrix is square`},
		{"A37 endless cell", head + "1," + strings.Repeat("0", 1<<20+1),
			"c.csv:2: a cell has more than 1048576 bytes; shorten it"},
		{"A48 full-width digit", head + "1,０,1\n",
			`c.csv:2:3: "０" (U+FF10) is not a number; write digits, with a point if need be`},
		{"fixed and by amount", head + "1,5,amount\n",
			`c.csv:2:5: class "1" has costs by amount and fixed ones; write the one kind or the other for all its decisions`},
		{"no part of the amount", head + "1,0,2 amount\n",
			`c.csv:2:5: "2amount" is no cost; write a number, amount, or a part of it such as 0.02*amount`},
		{"quote", head + "1,\"0,1\n", "c.csv:2:3: the quote opened here is never closed; close it"},
		{"not UTF-8", "actual,\xe9\n", `c.csv:1:8: byte 0xE9 is not UTF-8; save the file as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f CP1252 -t UTF-8 FILE > data.csv)`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := pragma.ReadCosts(strings.NewReader(tc.text), "c.csv", []string{"1", "2"})
			var bad *pragma.SpecError
			if !errors.As(err, &bad) || err.Error() != tc.want {
				t.Errorf("error %v\nwant  %s", err, tc.want)
			}
		})
	}
	broken := errors.New("disk on fire")
	if _, _, err := pragma.ReadCosts(iotest.ErrReader(broken), "c.csv", nil); !errors.Is(err, broken) ||
		err.Error() != "reading c.csv: disk on fire" {
		t.Errorf("failing reader: %v", err)
	}
}
