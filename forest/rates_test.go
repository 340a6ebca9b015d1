package forest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
)

// refRates are the rates of a column of many levels: of each level that of all rows of the bag, and of each row
// of the bag the one of these next to the rate of its level in the other folds; NaN where the cell is missing.
type refRates struct{ level, row []float64 }

// rate gives levels their rates.
func (r *refTree) rate(rows []int, tree int) {
	r.rates, r.turned, r.bag = make([]*refRates, len(r.frame.Columns)), make([]bool, len(r.frame.Columns)), rows
	s := rateStream(r.cfg.Seed, tree)
	classes := 0
	for _, share := range r.share {
		if share > 0 {
			classes++
		}
	}
	class, fold := r.order[1], make([]int, len(r.weight))
	for _, i := range rows {
		fold[i] = s.below(4)
	}
	for f := range r.frame.Columns {
		col := &r.frame.Columns[f]
		if col.Kind != dataset.Categorical || len(col.Levels) <= r.cfg.SubsetLevels || r.cfg.RandomCuts || classes < 2 {
			continue
		}
		if r.folds = fold; classes > 2 {
			r.turned[f] = true
			continue
		}
		rate := func(keep func(i int) bool) (of, all float64) {
			for _, i := range rows {
				if keep(i) {
					all += r.weight[i]
					if r.frame.Truth[i] == class {
						of += r.weight[i]
					}
				}
			}
			return of, all
		}
		bagOf, bagAll := rate(func(int) bool { return true })
		rated := &refRates{row: make([]float64, len(r.weight))}
		for level := range col.Levels {
			of, all := rate(func(i int) bool { return col.At(i) == float64(level) })
			rated.level = append(rated.level, (of+10*(bagOf/bagAll))/(all+10))
		}
		ascending := slices.Clone(rated.level)
		slices.Sort(ascending)
		for _, i := range rows {
			if math.IsNaN(col.At(i)) {
				rated.row[i] = math.NaN()
				continue
			}
			of, all := rate(func(j int) bool { return col.At(j) == col.At(i) && fold[j] != fold[i] })
			v := (of + 10*(bagOf/bagAll)) / (all + 10)
			next := ascending[0]
			for _, a := range ascending {
				if math.Abs(a-v) < math.Abs(next-v) {
					next = a
				}
			}
			rated.row[i] = next
		}
		r.rates[f] = rated
	}
}

// completeRated says where missing cells and levels go by a cut of rates: levels of the node by their rate, all
// others as missing cells; but the first level that its rate sends another way goes there if none of the node does.
func (r *refTree) completeRated(cut *refCut, rows []int, rates []float64) {
	nd, col := &cut.node, &r.frame.Columns[cut.node.Feature]
	here := map[int]bool{}
	for _, i := range rows {
		if v := col.At(i); math.IsNaN(v) {
			nd.MissingLeft = cut.left(i)
		} else {
			here[int(v)] = true
		}
	}
	others := 0
	for level, v := range rates {
		if here[level] && (v <= nd.Threshold) != nd.MissingLeft {
			others++
		}
	}
	for level, v := range rates {
		left := nd.MissingLeft
		if (v <= nd.Threshold) != nd.MissingLeft && (here[level] || others == 0) {
			left = !left
			others = max(others, 1)
		}
		if left {
			nd.Levels = append(nd.Levels, level)
		}
	}
	nd.Threshold = 0
}

// at returns the cell of a row of the bag as cuts see it.
func (r *refTree) at(f, row int) float64 {
	if r.rates[f] != nil {
		return r.rates[f].row[row]
	}
	return r.frame.Columns[f].At(row)
}

// Rates worked by hand, of the rarer class b: the bag is rows 0 to 4 with 1 draw each but for row 1, which has 2; b
// in rows 0 and 3.
func TestRatesByHand(t *testing.T) {
	frame := categories("baabaa", 3, 0, 0, 0, 1, 1, 2)
	cfg := Config{Seed: 1, SubsetLevels: 2}.Resolved(1)
	data, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	g := newGrower(newGrowth(data, cfg, 0, 1))
	for i, times := range []uint32{1, 2, 1, 1, 1} {
		g.inBag = append(g.inBag, newRow(uint32(i), data.class[i], times))
	}
	folds := []uint8{3, 0, 3, 1, 2}
	copy(g.folds, folds)
	r := &g.rated[0]
	g.sumRates(r.rates, &data.columns[0])
	prior := 10 * 2.0 / 6 // a third of the bag, for ten rows
	at := func(level, fold int) rate { return r.rates[(level+1)*rateStride+fold] }
	for level, want := range []rate{{1 + prior, 14}, {1 + prior, 12}, {prior, 10}} {
		if got := at(level, rateFolds); math.Abs(got.of-want.of) > 1e-12 || got.all != want.all {
			t.Errorf("level %d: %v, want %v", level, got, want)
		}
	}
	for fold := range rateFolds { // level 0 without the rows of the fold
		want := rate{prior, 10}
		for i, times := range []float64{1, 2, 1} {
			if int(folds[i]) != fold {
				want.add(times, i == 0)
			}
		}
		if got := at(0, fold); math.Abs(got.of-want.of) > 1e-12 || got.all != want.all {
			t.Errorf("fold %d of %v: %v, want %v", fold, folds, got, want)
		}
	}
	// 4.33/12 > 4.33/14 = 0.3095 < 3.33/10 = 0.3333: level 0, then 2, then 1.
	if most := r.rank(); most != 3 || r.code(1, rateFolds) != 1 || r.code(3, rateFolds) != 2 || r.code(2, rateFolds) != 3 {
		t.Errorf("codes %v", r.codes)
	}
}

func TestNearest(t *testing.T) {
	values := []float64{1, 2, 4}
	for v, want := range map[float64]int{0: 0, 1: 0, 1.5: 0, 1.6: 1, 3: 1, 3.1: 2, 4: 2, 9: 2} {
		if got := nearest(values, v); got != want {
			t.Errorf("nearest to %v: %d, want %d", v, got, want)
		}
	}
}

// withLevels adds a column of so many levels that say nothing.
func withLevels(frame *dataset.Frame, levels int, seed uint64) *dataset.Frame {
	rng := rand.New(rand.NewPCG(seed, 5))
	column := dataset.Column{Field: dataset.Field{Name: "shop", Kind: dataset.Categorical, Levels: levelNames(levels)},
		Values: make([]float64, frame.Rows())}
	for i := range column.Values {
		column.Values[i] = float64(rng.IntN(levels))
	}
	out := *frame
	out.Columns = append(slices.Clone(frame.Columns), column)
	return &out
}

// outOfBagLoss returns the mean log loss of the shares of the votes out of bag, none taken below 0.001.
func outOfBagLoss(t *testing.T, frame *dataset.Frame, c Config) float64 {
	t.Helper()
	_, votes := mustGrow(t, frame, c)
	sum, n := 0.0, 0
	for i, truth := range frame.Truth {
		v, total := votes.Votes(i), 0.0
		for _, x := range v {
			total += float64(x)
		}
		if total > 0 {
			sum -= math.Log(max(0.001, float64(v[truth])/total))
			n++
		}
	}
	return sum / float64(n)
}

// Levels that say nothing cost subsets much, and rates hardly anything: a tree cannot learn them by heart.
func TestLevelsThatSayNothing(t *testing.T) {
	race.SkipFigures(t)
	frame := dataset.Fraud(4000, 1)
	cfg := Config{Trees: 60, Seed: 1}
	plain := outOfBagLoss(t, frame, cfg)
	for _, levels := range []int{100, 1500} {
		noisy := withLevels(frame, levels, 1)
		rates := outOfBagLoss(t, noisy, cfg)
		cfg.SubsetLevels = levels
		subsets := outOfBagLoss(t, noisy, cfg)
		cfg.SubsetLevels = 0
		if rates > 1.06*plain || levels > 1000 && subsets < 1.15*plain {
			t.Errorf("%d levels: log loss %.4f with rates, %.4f with subsets, %.4f without the column", levels, rates, subsets,
				plain)
		}
	}
}

// Levels that say much are found: of 200, half have fraud twice as often as the others.
func TestLevelsThatSayMuch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	n := 4000
	values, labels := make([]float64, n), []byte(strings.Repeat("a", n))
	for i := range values {
		level := rng.IntN(200)
		values[i] = float64(level)
		if rng.Float64() < 0.25+0.5*float64(level%2) {
			labels[i] = 'b'
		}
	}
	chance, best := math.Ln2, -0.75*math.Log(0.75)-0.25*math.Log(0.25)
	loss := outOfBagLoss(t, categories(string(labels), 200, values...), Config{Trees: 100, Seed: 1, MinLeaf: 20,
		Soft: true})
	if loss > best+0.25*(chance-best) {
		t.Errorf("log loss %.4f; chance is %.4f, the best %.4f", loss, chance, best)
	}
}

// A column of more levels than narrow codes can tell apart: the votes out of bag are those of the trees.
func TestRatesOfWideColumns(t *testing.T) {
	race.SkipFigures(t)
	const levels = 1<<16 + 100
	n := 2 * levels
	values, labels := make([]float64, n), []byte(strings.Repeat("a", n))
	for i := range values {
		values[i] = float64(i % levels)
		if i%levels%7%2 > 0 {
			labels[i] = 'b'
		}
	}
	frame := categories(string(labels), levels, values...)
	cfg := Config{Trees: 3, Seed: 1, MaxDepth: 3}
	f, votes := mustGrow(t, frame, cfg)
	bags, err := f.Bags(frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.OutOfBag(context.Background(), frame, nil, bags, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f.Nodes() <= f.Trees() || !slices.Equal(votes.Counts, again.Counts) {
		t.Errorf("%d nodes; votes out of bag unlike those of the trees: %v", f.Nodes(), !slices.Equal(votes.Counts,
			again.Counts))
	}
}

// What a tree knows of a column of many levels are those of its nodes: a model does not grow with the levels.
func TestRatesKeepModelsSmall(t *testing.T) {
	frame := withLevels(withLevels(dataset.Fraud(3000, 1), 2900, 1), 2900, 2)
	frame.Columns[len(frame.Columns)-1].Name = "street"
	f, _ := mustGrow(t, frame, Config{Trees: 10, Seed: 1})
	if bytes := len(encoded(t, f)); bytes > 50*f.Nodes() {
		t.Errorf("%d bytes, %d nodes", bytes, f.Nodes())
	}
}
