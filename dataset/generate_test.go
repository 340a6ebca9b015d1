package dataset

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestWave(t *testing.T) {
	for _, classes := range []int{2, 3} {
		f := Wave(6000, classes, 5)
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		if f.Rows() != 6000 || len(f.Columns) != 21 || len(f.Classes) != classes {
			t.Fatalf("%d rows, %d columns, %d classes", f.Rows(), len(f.Columns), len(f.Classes))
		}
		for c, weight := range f.ClassWeights() {
			if share := weight / 6000; math.Abs(share-1/float64(classes)) > 0.03 {
				t.Errorf("class %s has a share of %.3f of %d classes", f.Classes[c], share, classes)
			}
		}
	}
}

// Means of the wave at its peaks, by hand: at point 7 the first triangle is 6 high, the third
// 2 and the second 0, each with mean weight 1/2; likewise at points 11 and 15.
func TestWaveMeans(t *testing.T) {
	f := Wave(30000, 3, 6)
	want := map[int][3]float64{7: {3, 4, 1}, 11: {2, 4, 4}, 15: {3, 1, 4}}
	for _, point := range []int{7, 11, 15} {
		var sum, n [3]float64
		for i, v := range f.Columns[point-1].Values {
			sum[f.Truth[i]] += v
			n[f.Truth[i]]++
		}
		for c := range sum {
			if mean := sum[c] / n[c]; math.Abs(mean-want[point][c]) > 0.1 {
				t.Errorf("point %d, class %s: mean %.3f, want %v", point, f.Classes[c], mean, want[point][c])
			}
		}
	}
	// Point 1 is 0 for the triangles at 11 and 15, so class 3 is noise there: variance 1.
	sum, n := 0.0, 0.0
	for i, v := range f.Columns[0].Values {
		if f.Truth[i] == 2 {
			sum += v * v
			n++
		}
	}
	if v := sum / n; math.Abs(v-1) > 0.05 {
		t.Errorf("the noise has variance %.3f, want 1", v)
	}
}

func TestFraud(t *testing.T) {
	f := Fraud(20000, 1)
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	if share := f.ClassWeights()[0] / 20000; math.Abs(share-0.02) > 0.005 {
		t.Errorf("%.4f of the rows are fraud, want about 0.02", share)
	}
	missing, kinds := 0, map[Kind]int{}
	for j, n := range f.Missing() {
		missing += n
		kinds[f.Columns[j].Kind]++
		if n > 5000 {
			t.Errorf("column %s misses %d of 20000 cells", f.Columns[j].Name, n)
		}
	}
	if missing == 0 || kinds[Numeric] != 9 || kinds[Categorical] != 3 {
		t.Errorf("%d missing cells, kinds %v", missing, kinds)
	}
	for _, c := range f.Columns {
		for i, v := range c.Values {
			if v < 0 || v > 1e7 {
				t.Fatalf("column %s, row %d is %v", c.Name, i, v)
			}
		}
	}
}

// The classes overlap and yet can be told apart: for a payment's amount, the odds that a fraud
// exceeds an honest one (area under the ROC curve, by counting pairs) are well above a half.
func TestFraudAmountTells(t *testing.T) {
	f := Fraud(5000, 2)
	amount := f.Columns[0].Values
	above, pairs := 0.0, 0.0
	for i, c := range f.Truth {
		for j, d := range f.Truth {
			if c == 0 && d == 1 {
				pairs++
				if amount[i] > amount[j] {
					above++
				}
			}
		}
	}
	if auc := above / pairs; auc < 0.8 || auc > 0.97 {
		t.Errorf("the amount alone has an area of %.3f, want overlap and a difference", auc)
	}
}

// Nobody may change the rows of a seed: they are in published results, and the same on every
// machine. Made by the generators themselves.
func TestGeneratedGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		f    *Frame
		want string
	}{
		{"wave of 2", Wave(100, 2, 1), "6117771824a20907"},
		{"wave of 3", Wave(100, 3, 1), "12714bf3299baa7d"},
		{"fraud", Fraud(1000, 1), "b4cbd749a2771a5e"},
	} {
		var b bytes.Buffer
		if err := WriteCSV(&b, c.f, "class"); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))[:16]; got != c.want {
			t.Errorf("%s has the hash %s, want %s", c.name, got, c.want)
		}
	}
}

func TestGeneratedRowsGrow(t *testing.T) {
	few, many := Fraud(100, 4), Fraud(300, 4)
	rows := make([]int, 100)
	for i := range rows {
		rows[i] = i
	}
	if shown(few) != shown(many.Take(rows)) {
		t.Error("asking for more rows changed the first ones")
	}
	if shown(Fraud(100, 5)) == shown(few) {
		t.Error("another seed gave the same rows")
	}
	if Wave(0, 2, 1).Rows() != 0 || Fraud(0, 1).Rows() != 0 {
		t.Error("no rows asked for, and some given")
	}
}

func TestGeneratorsPanicOnABrokenShape(t *testing.T) {
	for name, call := range map[string]func(){
		"negative wave": func() { Wave(-1, 2, 1) }, "wave of four": func() { Wave(1, 4, 1) },
		"negative fraud": func() { Fraud(-1, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestNormal(t *testing.T) {
	d := draws{rand.NewPCG(3, 3)}
	var m1, m2, m3, m4 float64
	const n = 200000
	for range n {
		v := d.normal()
		m1 += v / n
		m2 += v * v / n
		m3 += v * v * v / n
		m4 += v * v * v * v / n
	}
	// A sum of twelve uniform draws has kurtosis 3 - 6/(5·12) = 2.9.
	if math.Abs(m1) > 0.01 || math.Abs(m2-1) > 0.02 || math.Abs(m3) > 0.03 || math.Abs(m4-2.9) > 0.08 {
		t.Errorf("moments %.3f, %.3f, %.3f, %.3f, want 0, 1, 0, 2.9", m1, m2, m3, m4)
	}
}
