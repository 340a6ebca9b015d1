package forest

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

func TestBags(t *testing.T) {
	frame := learnable(1000, 4)
	rare := 0
	for _, c := range frame.Truth {
		rare += c
	}
	for _, tc := range []struct {
		cfg          Config
		common, rare int // draws of each class; common -1: only their sum is known
		most         uint8
	}{
		{Config{Bag: Bootstrap}, -1, 1000, 9}, {Config{Bag: Stratified}, 1000 - rare, rare, 9}, {Config{Bag: Balanced}, rare,
			rare, 9},
		{Config{Fraction: 0.25}, -1, 250, 9}, {Config{NoReplacement: true}, -1, 632, 1},
		{Config{NoReplacement: true, Fraction: 1}, -1, 1000, 1},
		{Config{Bag: Balanced, NoReplacement: true, Fraction: 1}, rare, rare, 1},
		{Config{Bag: Stratified, Fraction: 0.5}, (1000 - rare + 1) / 2, (rare + 1) / 2, 9},
	} {
		times, err := timesInBag(frame, tc.cfg, 3)
		if err != nil {
			t.Fatal(err)
		}
		var sum [2]int
		for i, n := range times {
			sum[frame.Truth[i]] += int(n)
		}
		if tc.common < 0 && sum[0]+sum[1] != tc.rare || tc.common >= 0 && sum != [2]int{tc.common, tc.rare} {
			t.Errorf("%+v: draws %v, want %d and %d", tc.cfg, sum, tc.common, tc.rare)
		}
		if most := slices.Max(times); most > tc.most {
			t.Errorf("%+v: a row is drawn %d times", tc.cfg, most)
		}
	}
}

// Rows that are drawn alone: as often as the distribution says, and the same without the others.
func TestBagsByRow(t *testing.T) {
	const n = 100_000
	frame := learnable(n, 1)
	for _, tc := range []struct {
		cfg  Config
		want []float64 // share of the rows drawn 0, 1, 2, ... times
	}{
		{Config{Bag: Poisson, Seed: 1}, []float64{0.367879, 0.367879, 0.183940, 0.061313, 0.015328}}, // e⁻¹/i!
		{Config{Bag: Poisson, Seed: 2, Fraction: 0.5}, []float64{0.606531, 0.303265, 0.075816}},
		{Config{Bag: Hash(1000), Seed: 3}, []float64{0.99, 0.01}},
		{Config{Bag: Hash(n)}, []float64{0, 1}},
		{Config{Bag: Hash(10 * n)}, []float64{0, 1}},
	} {
		times, err := timesInBag(frame, tc.cfg, 7)
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]int, 20)
		for i, m := range times {
			counts[m]++
			if alone, err := rowTimesInBag(tc.cfg, 7, uint32(i), n); err != nil || alone != m {
				t.Fatalf("%+v: row %d is drawn %d times, alone %d, error %v", tc.cfg, i, m, alone, err)
			}
		}
		for m, want := range tc.want {
			if sd := math.Sqrt(want * (1 - want) / n); math.Abs(float64(counts[m])/n-want) > 5*sd {
				t.Errorf("%+v: a share of %v of the rows is drawn %d times, want %v", tc.cfg, float64(counts[m])/n, m, want)
			}
		}
		if other, _ := timesInBag(frame, tc.cfg, 8); tc.want[0] > 0 && slices.Equal(other, times) {
			t.Errorf("%+v: trees 7 and 8 have the same bag", tc.cfg)
		}
	}
	if _, err := rowTimesInBag(Config{}, 0, 0, 10); !errors.Is(err, ErrConfig) {
		t.Errorf("a row of a bootstrap: error %v", err)
	}
}

// timesInBag returns how often each row of train is in the bag of a tree (len n). A row that is not
// in it has the vote of that tree in the table of [Grow].
func timesInBag(train *dataset.Frame, c Config, tree int) ([]uint8, error) {
	c = c.Resolved(len(train.Columns))
	if err := c.checkBag(); err != nil {
		return nil, err
	}
	d, err := newCoded(train, c, nil)
	if err != nil {
		return nil, err
	}
	times := make([]uint8, train.Rows())
	d.draw(times, c, tree)
	return times, nil
}

// rowTimesInBag returns how often the row of an id is in the bag of a tree, for [Poisson] bags and
// those of [Hash], which is known without the other of the n rows. Other bags are [ErrConfig].
func rowTimesInBag(c Config, tree int, id uint32, n int) (uint8, error) {
	bags, err := NewRowBags(n, c)
	if err != nil {
		return 0, err
	}
	draw := newRowDraw(bags.cfg, tree, n)
	return draw.times(id), nil
}
