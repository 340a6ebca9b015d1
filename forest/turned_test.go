package forest

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
)

// turnedCuts returns the cuts of a column of many levels where there are three classes and more, given the classes
// and the codes of the node.
func (r *refTree) turnedCuts(rows []int, f int, draw stream, classes, levels []int) []*refCut {
	code := func(i int) int {
		if v := r.frame.Columns[f].At(i); !math.IsNaN(v) {
			return int(v) + 1
		}
		return 0
	}
	count := func(rows []int, keep func(i int) bool) []float64 { // by class of the node
		sums := make([]float64, len(classes))
		for _, i := range rows {
			if at := slices.Index(classes, r.frame.Truth[i]); at >= 0 && keep(i) {
				sums[at] += r.weight[i]
			}
		}
		return sums
	}
	all := count(rows, func(int) bool { return true })
	whole := dot(all, nil)
	first := map[int]int{} // the levels are summed over in the order in which the rows have them
	for at, i := range slices.Backward(rows) {
		first[code(i)] = at
	}
	met := slices.SortedFunc(slices.Values(levels), func(a, b int) int { return cmp.Compare(first[a], first[b]) })
	cuts := []*refCut{}
	for range 3 {
		counts := make([]float64, len(classes))
		for c := range counts {
			counts[c] = float64(draw.next()>>11)/(1<<53) - 0.5
		}
		for range 2 {
			counts = turnedOnce(counts, met, all, func(l int) []float64 {
				return count(rows,
					func(i int) bool { return code(i) == l })
			})
		}
		mean := 0.0
		for c := range all {
			mean += float64(all[c] / whole * counts[c])
		}
		place := func(l, without int) float64 { // by the rows of all folds but one
			keep := func(i int) bool { return code(i) == l && r.folds[i] != without }
			node, bag := count(rows, keep), count(r.bag, keep)
			prior := (dot(bag, counts) + float64(3*mean)) / (dot(bag, nil) + 3)
			return (dot(node, counts) + float64(3*prior)) / (dot(node, nil) + 3)
		}
		cuts = append(cuts, r.cutsByPlace(rows, f, levels, code, place)...)
		if len(classes) == 2 {
			break
		}
	}
	return cuts
}

// dot returns the sum of a, each times that of b, which may be nil.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		if b != nil {
			x *= b[i]
		}
		sum += float64(x)
	}
	return sum
}

// turnedOnce returns, of what the classes count, the product with the matrix of the levels' scatter around the
// node's shares, the largest being 1 or -1.
func turnedOnce(counts []float64, levels []int, all []float64, of func(level int) []float64) []float64 {
	out, whole := make([]float64, len(all)), dot(all, nil)
	for _, l := range levels {
		sums := of(l)
		rows := dot(sums, nil)
		for c := range sums {
			sums[c] -= float64(rows * (all[c] / whole))
		}
		along := dot(sums, counts) / (rows + 3)
		for c := range out {
			out[c] += float64(sums[c] * along)
		}
	}
	most := max(slices.Max(out), -slices.Min(out))
	if most == 0 {
		return counts
	}
	for c := range out {
		out[c] /= most
	}
	return out
}

// cutsByPlace returns the cuts between the places of two levels.
func (r *refTree) cutsByPlace(rows []int, f int, levels []int, code func(i int) int,
	place func(l, without int) float64) []*refCut {
	of, judged := map[int]float64{}, map[int]float64{} // by level, and by row
	var places []float64
	for _, l := range levels {
		of[l] = place(l, -1)
		places = append(places, of[l])
	}
	for _, i := range rows {
		judged[i] = place(code(i), r.folds[i])
	}
	slices.Sort(places)
	places = slices.Compact(places)
	var cuts []*refCut
	for at := range places[1:] {
		limit := places[at] + (places[at+1]-places[at])/2
		if limit == places[at+1] {
			limit = places[at]
		}
		goesLeft := func(i int) bool { return of[code(i)] <= limit }
		sides := [2]float64{}
		for _, i := range rows {
			if goesLeft(i) {
				sides[0] += r.weight[i]
			} else {
				sides[1] += r.weight[i]
			}
		}
		if least := float64(r.cfg.MinLeaf); least <= 1 || min(sides[0], sides[1]) >= least {
			cuts = append(cuts, &refCut{node: Node{Feature: f}, left: goesLeft,
				judged: func(i int) bool { return judged[i] <= limit }})
		}
	}
	return cuts
}

// Places by the rate of class a, worked by hand: with 3 rows of the bag's rate, and with 3 rows of that.
func TestPlacesByHand(t *testing.T) {
	frame := categories("abaabccc", 3, 0, 0, 1, 2, 2, 2, 2, 2)
	cfg := Config{Seed: 1, SubsetLevels: 2}.Resolved(1)
	data, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	g := newGrower(newGrowth(data, cfg, 0, 1))
	for i := range 6 { // the last two are out of the bag
		g.inBag = append(g.inBag, newRow(uint32(i), data.class[i], 1))
	}
	copy(g.folds, []uint8{3, 0, 1, 2, 2, 1})
	g.countBag()
	g.hold(task{span: span{hi: 6}})
	g.sum()
	g.countParts(&data.columns[0])
	g.direction[slices.Index(data.classes, 0)] = 1
	g.place(g.bagHist[0])
	got := map[uint32]float64{}
	for _, l := range g.order {
		got[l.code*rateStride+rateFolds] = l.share
	}
	for _, l := range g.parts {
		got[l.code] = l.share
	}
	place := func(of, all float64) float64 { return (of + 3*(of+3*0.5)/(all+3)) / (all + 3) } // half of the bag is of a
	for part, want := range map[uint32]float64{
		1*rateStride + rateFolds: place(1, 2), 1*rateStride + 3: place(0, 1), 1*rateStride + 0: place(1, 1),
		2*rateStride + rateFolds: place(1, 1), 2*rateStride + 1: place(0, 0),
		3*rateStride + rateFolds: place(1, 3), 3*rateStride + 2: place(0, 1), 3*rateStride + 1: place(1, 2),
	} {
		if math.Abs(got[part]-want) > 1e-12 {
			t.Errorf("level %d, fold %d: %v, want %v", part/rateStride, part%rateStride, got[part], want)
		}
	}
	if len(got) != 8 {
		t.Errorf("%d places", len(got))
	}
}

// Of several classes, too, levels that say nothing cost subsets much and these orders hardly anything; and a model
// does not grow with the levels.
func TestLevelsThatSayNothingOfClasses(t *testing.T) {
	race.SkipFigures(t)
	frame := dataset.Wave(1500, 3, 1)
	cfg := Config{Trees: 60, Seed: 1}
	plain := outOfBagLoss(t, frame, cfg)
	noisy := withLevels(frame, 1000, 1)
	turned := outOfBagLoss(t, noisy, cfg)
	few, _ := mustGrow(t, noisy, cfg)
	cfg.SubsetLevels = 1000
	subsets := outOfBagLoss(t, noisy, cfg)
	if turned > 1.03*plain || subsets < 1.05*plain {
		t.Errorf("log loss %.4f, %.4f with subsets, %.4f without the column", turned, subsets, plain)
	}
	if bytes := len(encoded(t, few)); bytes > 50*few.Nodes() {
		t.Errorf("%d bytes, %d nodes", bytes, few.Nodes())
	}
}

// Levels that tell ten classes are found, and what they mean together with another column.
func TestLevelsThatTellManyClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	const n, levels, k = 4000, 100, 10
	values, turned, labels := make([]float64, n), make([]float64, n), make([]byte, n)
	for i := range values {
		level, region := rng.IntN(levels), rng.IntN(2)
		values[i], turned[i], labels[i] = float64(level), float64(region), 'a'+byte((level+region)%k)
	}
	frame := categories(string(labels), levels, values...)
	frame.Columns = append(frame.Columns, dataset.Column{Field: dataset.Field{Name: "region"}, Values: turned})
	cfg := Config{Trees: 40, Seed: 1, Workers: 1}
	f, votes := mustGrow(t, frame, cfg)
	cfg.Workers = 3
	again, _ := mustGrow(t, frame, cfg)
	back, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties)
	if err != nil || !sameBytes(t, f, again) || !sameForest(t, f, back, nil) {
		t.Errorf("another forest by more workers, or of the file; error %v", err)
	}
	if accuracy, _ := votes.Confuse(nil).Accuracy(); accuracy < 0.99 {
		t.Errorf("accuracy %v", accuracy)
	}
}
