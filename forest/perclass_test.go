package forest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// drawn returns how many rows of each class are in a bag, and how often one is there at most.
func drawn(t *testing.T, frame *dataset.Frame, c Config, tree int) (sum []int, most uint8) {
	t.Helper()
	times, err := timesInBag(frame, c, tree)
	if err != nil {
		t.Fatal(err)
	}
	sum = make([]int, len(frame.Classes))
	for i, n := range times {
		sum[frame.Truth[i]] += int(n)
	}
	return sum, slices.Max(times)
}

// byHundreds is a frame of three classes of 100, 300 and 600 rows.
func byHundreds() *dataset.Frame {
	frame := learnable(1000, 3)
	frame.Classes = []string{"a", "b", "c"}
	for i := range frame.Truth {
		frame.Truth[i] = []int{0, 1, 1, 1, 2, 2, 2, 2, 2, 2}[i%10]
	}
	return frame
}

func TestClassRows(t *testing.T) {
	frame := byHundreds()
	for _, tc := range []struct {
		rows []float64
		cfg  Config
		want []int
	}{
		{[]float64{50, 60, 70}, Config{}, []int{50, 60, 70}},
		{[]float64{100, 300, 2}, Config{}, []int{100, 300, 2}},
		{[]float64{0.5, 0.01, 1}, Config{}, []int{50, 3, 600}},
		{[]float64{0.001, 0, 0}, Config{}, []int{1, 300, 600}},
		{[]float64{20, 0, 0}, Config{Fraction: 0.5}, []int{20, 150, 300}},
		{[]float64{100, 0.5, 0}, Config{NoReplacement: true}, []int{100, 150, 379}}, // 0.632 of 600
	} {
		tc.cfg.Bag, tc.cfg.ClassRows, tc.cfg.Seed = Stratified, tc.rows, 5
		for tree := range 3 {
			got, most := drawn(t, frame, tc.cfg, tree)
			if !slices.Equal(got, tc.want) || (most == 1) != tc.cfg.NoReplacement {
				t.Errorf("%v, %+v: draws %v, a row up to %d times; want %v", tc.rows, tc.cfg, got, most, tc.want)
			}
		}
	}
	every := slices.Repeat([]float64{0}, 3)
	plain, _ := timesInBag(frame, Config{Bag: Stratified, Seed: 5}, 1)
	if zeros, err := timesInBag(frame, Config{Bag: Stratified, ClassRows: every, Seed: 5}, 1); err != nil ||
		!slices.Equal(zeros, plain) {
		t.Errorf("no rows given for any class: not the stratified bag, error %v", err)
	}
}

// The bags are the same whatever the order of the classes.
func TestClassRowsOfTurnedClasses(t *testing.T) {
	frame := byHundreds()
	turned := *frame
	turned.Classes, turned.Truth = []string{"c", "a", "b"}, slices.Clone(frame.Truth)
	for i, c := range turned.Truth {
		turned.Truth[i] = []int{1, 2, 0}[c]
	}
	cfg := Config{Trees: 20, Bag: Stratified, ClassRows: []float64{40, 90, 0.25}, Seed: 2}
	a, votes := mustGrow(t, frame, cfg)
	cfg.ClassRows = []float64{0.25, 40, 90}
	b, turnedVotes := mustGrow(t, &turned, cfg)
	if a.Nodes() != b.Nodes() {
		t.Errorf("%d nodes, with turned classes %d", a.Nodes(), b.Nodes())
	}
	for i := range frame.Rows() {
		v, w := votes.Votes(i), turnedVotes.Votes(i)
		if v[0] != w[1] || v[1] != w[2] || v[2] != w[0] {
			t.Fatalf("row %d: votes %v, with turned classes %v", i, v, w)
		}
	}
}

// Parts of a forest are those of the whole, and the settings tell parts of other forests apart.
func TestClassRowsInParts(t *testing.T) {
	frame, cfg := byHundreds(), Config{Trees: 6, Bag: Stratified, ClassRows: []float64{40, 90, 0.25}, Seed: 2}
	whole, votes := mustGrow(t, frame, cfg)
	var parts []*Forest
	for from := 0; from < 6; from += 3 {
		part, err := GrowPart(context.Background(), frame, cfg, from, from+3)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	merged, err := Merge(parts...)
	if err != nil {
		t.Fatal(err)
	}
	bags, err := merged.Bags(frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	again, err := merged.OutOfBag(context.Background(), frame, nil, bags, 1)
	if err != nil || !slices.Equal(again.Counts, votes.Counts) || merged.Nodes() != whole.Nodes() {
		t.Errorf("the parts vote otherwise than the whole, error %v", err)
	}
	cfg.ClassRows[0] = 41
	other, err := GrowPart(context.Background(), frame, cfg, 3, 6)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(parts[0], other); err == nil {
		t.Error("parts of forests with other bags were merged")
	}
}

func TestClassRowsErrors(t *testing.T) {
	frame := byHundreds()
	for _, tc := range []struct {
		cfg  Config
		text string
	}{
		{Config{ClassRows: []float64{5, 5, 5}}, "rows of each class for a bootstrap bag; give them for a stratified one"},
		{Config{Bag: Stratified, ClassRows: []float64{5, 5}}, "rows of 2 classes for a bag; there are 3 classes"},
		{Config{Bag: Stratified, ClassRows: []float64{5, -1, 5}}, "choose shares up to 1 or whole numbers from 2 on"},
		{Config{Bag: Stratified, ClassRows: []float64{5, 1.5, 5}}, "choose shares up to 1 or whole numbers from 2 on"},
		{Config{Bag: Stratified, ClassRows: []float64{5, math.NaN(), 5}}, "choose shares up to 1 or whole numbers from 2 on"},
		{Config{Bag: Stratified, ClassRows: []float64{101, 5, 5}},
			`a bag is to draw 101 rows of class "a", which has 100; draw at most that many`},
	} {
		_, errBag := timesInBag(frame, tc.cfg, 0)
		_, _, grow := Grow(context.Background(), frame, tc.cfg)
		for _, err := range []error{errBag, grow} {
			if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("%+v: error %v, want %q", tc.cfg, err, tc.text)
			}
		}
	}
}

// A part of the rows has bags of the same proportions, and trees leave out what they leave out.
func TestProportional(t *testing.T) {
	frame, cfg := byHundreds(), Config{Bag: Stratified, ClassRows: []float64{80, 0, 0.25}}
	shares, err := cfg.Proportional(frame)
	if err != nil || !slices.Equal(shares.ClassRows, []float64{0.8, 0, 0.25}) {
		t.Fatalf("shares %v, error %v", shares.ClassRows, err)
	}
	half := frame.Take(slices.DeleteFunc(slices.Collect(func(yield func(int) bool) {
		for i := range frame.Rows() {
			if !yield(i) {
				return
			}
		}
	}), func(i int) bool { return i/10%2 == 0 }))
	if got, _ := drawn(t, half, shares, 0); !slices.Equal(got, []int{40, 150, 75}) {
		t.Errorf("draws of half of the rows: %v", got)
	}
	for _, tc := range []struct {
		cfg  Config
		want float64
	}{{shares, math.Exp(-1)}, {Config{Bag: Stratified, NoReplacement: true, ClassRows: []float64{0.8, 0, 0.25}}, 0.2},
		{Config{Bag: Stratified, ClassRows: []float64{0.5, 0.4, 0.3}}, math.Exp(-0.5)}} {
		if got := tc.cfg.LeftOut(1000); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%+v leaves out %v, want %v", tc.cfg, got, tc.want)
		}
	}
}

// Error and recall out of bag are those of R's randomForest with sampsize, beside what TestPeerRandomForest allows.
func TestPeerClassRows(t *testing.T) {
	for _, peer := range peerRows(t, "sampsize.csv") {
		t.Run(peer["what"]+" "+peer["set"]+" "+peer["draws"], func(t *testing.T) {
			frame := publicSet(t, peer["set"])
			cfg := Config{Trees: int(number(t, peer, "trees")), Bag: Stratified, NoReplacement: peer["once"] == "true"}
			for _, text := range strings.Fields(peer["draws"]) {
				rows, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				cfg.ClassRows = append(cfg.ClassRows, rows)
			}
			rows := frame.ClassWeights()
			rare := slices.Index(rows, slices.Min(rows))
			var figures []float64
			for seed := range uint64(20) {
				cfg.Seed = seed
				_, oob := mustGrow(t, frame, cfg)
				m := oob.Confuse(nil)
				figure, _ := m.Recall(rare)
				if peer["what"] == "error" {
					figure, _ = m.Accuracy()
					figure = 1 - figure
				}
				figures = append(figures, figure)
			}
			agree(t, figures, peer, 0.0005+0.01*number(t, peer, "mean"))
		})
	}
}
