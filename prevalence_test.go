package rfpragma

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Where frauds are ten times rarer, and look as they did, the probabilities are as many times lower in the mean as
// they should be: rows of the other population, made by leaving out nine of ten frauds, have about the share of
// frauds that the model then gives them. The probability from which on a row is decided stays, and so it does in the
// file.
func TestForPrevalence(t *testing.T) {
	race.SkipFigures(t)
	for _, method := range []calib.Method{calib.PlattLogit, calib.Beta, calib.IsotonicLinear, calib.None} {
		m := mustFit(t, dataset.Fraud(6000, 1), fraudSpec(), Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200,
			Seed: 1}, Calibration: method})
		fresh := dataset.Fraud(20_000, 2)
		var rows []int
		frauds := 0
		for i, c := range fresh.Truth {
			if c == 1 || i%10 == 0 {
				rows = append(rows, i)
				frauds += 1 - c
			}
		}
		fresh = fresh.Take(rows)
		share := float64(frauds) / float64(len(rows))
		other, err := m.ForPrevalence([]float64{share, 1 - share})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "m.rfp")
		if err := other.Save(path); err != nil {
			t.Fatal(err)
		}
		if other, err = Load(path); err != nil {
			t.Fatal(err)
		}
		table, err := m.Votes(t.Context(), fresh)
		if err != nil {
			t.Fatal(err)
		}
		before, after := 0.0, 0.0
		p := make([]float64, 2)
		for i := range fresh.Truth {
			m.Probabilities(p, table.Votes(i))
			before += p[0] / float64(len(rows))
			other.Probabilities(p, table.Votes(i))
			after += p[0] / float64(len(rows))
		}
		if math.Abs(math.Log(after/share)) > 0.5 || method != calib.None && math.Abs(math.Log(before/share)) < math.Abs(
			math.Log(after/share)) {
			t.Errorf("%s: mean probability %v before, %v after; the share of frauds is %v", method, before, after, share)
		}
		yes, no := thresholds(t, m, table)
		otherYes, otherNo := thresholds(t, other, table)
		if low, high := max(min(yes, no), min(otherYes, otherNo)), min(max(yes, no), max(otherYes, otherNo)); low > high {
			t.Errorf("%s: decided from %v to %v on, for the other population from %v to %v on", method, no, yes, otherNo,
				otherYes)
		}
		same, err := other.ForPrevalence(m.Forest.Share)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(math.Log(same.Weights[0]/m.Weights[0])) > 0.3 {
			t.Errorf("%s: there and back the weights are %v, were %v", method, same.Weights, m.Weights)
		}
		if stays, err := m.ForPrevalence(m.Forest.Share); err != nil || !slices.Equal(stays.Weights, m.Weights) {
			t.Errorf("%s: for the shares of training the weights are %v, were %v (%v)", method, stays.Weights, m.Weights, err)
		}
	}
}

// thresholds returns the lowest probability of class 0, of two, that is decided as it, and the largest that is not.
func thresholds(t *testing.T, m *Model, table *vote.Table) (yes, no float64) {
	t.Helper()
	yes = 1
	p := make([]float64, 2)
	for i := range table.Truth {
		m.Probabilities(p, table.Votes(i))
		if m.Decide(table.Votes(i)) == 0 {
			yes = min(yes, p[0])
		} else {
			no = max(no, p[0])
		}
		if sum := p[0] + p[1]; math.Abs(sum-1) > 1e-12 {
			t.Fatalf("probabilities sum to %v", sum)
		}
	}
	return yes, no
}

// Of three classes the probabilities go with the shares, by hand.
func TestForPrevalenceOfThree(t *testing.T) {
	race.SkipFigures(t)
	m := mustFit(t, dataset.Wave(300, 3, 1), nil, Config{Forest: forest.Config{Trees: 30, Seed: 1}})
	other, err := m.ForPrevalence([]float64{0.8, 0.1, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	p, q := make([]float64, 3), make([]float64, 3)
	votes := []uint32{10, 12, 8}
	m.Probabilities(p, votes)
	other.Probabilities(q, votes)
	sum := 0.0
	for c, s := range []float64{0.8, 0.1, 0.1} {
		p[c] *= s / m.Forest.Share[c]
		sum += p[c]
	}
	for c := range p {
		if math.Abs(p[c]/sum-q[c]) > 1e-12 {
			t.Errorf("class %d: %v, by hand %v", c, q[c], p[c]/sum)
		}
	}
	once, err := m.ForPrevalence([]float64{0.2, 0.3, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	twice, err := other.ForPrevalence([]float64{0.2, 0.3, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for c, w := range once.Weights { // the way there does not matter
		if math.Abs(twice.Weights[c]/w-1) > 1e-6 || slices.Equal(once.Weights, other.Weights) {
			t.Errorf("weights %v at once, %v by way of another prevalence", once.Weights, twice.Weights)
		}
	}
	for _, share := range [][]float64{{0.5, 0.5}, {1, 0, 0}, {-1, -1, -1}, {math.NaN(), 1, 1}, {math.Inf(1), 1, 1},
		{5e-324, 1, 1}} {
		if _, err := m.ForPrevalence(share); !errors.Is(err, ErrConfig) {
			t.Errorf("%v: error %v", share, err)
		}
	}
}

// Of several classes, too, the price of a miss stays. On rows with votes for a class and the most common one alone,
// decisions follow the probabilities to the vote; on rows of the other population nearly always, and they cost about
// as much as with weights that were searched there.
func TestForPrevalenceKeepsPrices(t *testing.T) {
	race.SkipFigures(t)
	for _, old := range [][]float64{{0.6, 0.25, 0.15}, {0.5, 0.2, 0.2, 0.1}} {
		to := []float64{0.93, 0.04, 0.02, 0.01}[:len(old)]
		costs := [][]float64{{0, 1, 1, 1}, {8, 0, 8, 8}, {4, 4, 0, 4}, {6, 6, 6, 0}}[:len(old)]
		for c := range costs {
			costs[c] = costs[c][:len(old)]
		}
		measure, err := pragma.Costs{Matrix: costs}.Measure()
		if err != nil {
			t.Fatal(err)
		}
		train, fresh := clouds(2000, old, 1), clouds(4000, to, 2)
		tuned := mustFit(t, train, nil, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1},
			Measure: measure})
		outOfBag, err := tuned.OutOfBag(t.Context(), train, 0)
		if err != nil {
			t.Fatal(err)
		}
		table, err := tuned.Votes(t.Context(), fresh)
		if err != nil {
			t.Fatal(err)
		}
		there, err := anneal.Search{}.Weights(t.Context(), table, measure)
		if err != nil {
			t.Fatal(err)
		}
		byShare := slices.Clone(tuned.Weights)
		for c := range byShare {
			byShare[c] *= to[c] / tuned.Forest.Share[c]
		}
		for _, method := range []calib.Method{calib.Vector, calib.IsotonicLinear, "platt:coupled", calib.None} {
			m, err := tuned.Recalibrate(t.Context(), train, outOfBag, method)
			if err != nil {
				t.Fatal(err)
			}
			other, err := m.ForPrevalence(to)
			if err != nil {
				t.Fatal(err)
			}
			price := slices.Repeat([]float64{1}, len(old))
			for c := 1; c < len(old); c++ {
				near := 1e-6
				if method == calib.IsotonicLinear {
					near = 0.35 // by lines through the middles of what is flat
				}
				price[c] = oddsAtTurn(t, m, other, c, near)
			}
			p, as := make([]float64, len(old)), 0
			for _, votes := range table.Judged() {
				other.Probabilities(p, votes)
				for c := range p {
					p[c] *= price[c]
				}
				if p[other.Decide(votes)] == slices.Max(p) {
					as++
				}
			}
			if as < table.Rows()*98/100 {
				t.Errorf("%s, %d classes: %d of %d rows are decided as their probabilities say", method, len(old), as, table.Rows())
			}
			loss, without := measure.Loss(table.Confuse(other.Weights)), measure.Loss(table.Confuse(byShare))
			if method != calib.None && (loss > 1.07*there.Lowest || loss >= without) {
				t.Errorf("%s, %d classes: the loss is %v, of weights searched there %v, of weights times new/old share %v", method,
					len(old), loss, there.Lowest, without)
			}
		}
	}
}

// Where a map is flat over a range of votes, and the weights turn decisions within it, shares as they were change
// nothing, and others ever more, without a jump to an end of the range.
func TestForPrevalenceOnFlatMap(t *testing.T) {
	race.SkipFigures(t)
	m := mustFit(t, dataset.Fraud(1000, 1), fraudSpec(), Config{Forest: forest.Config{Trees: 100, Seed: 1}})
	m, err := m.WithWeights(vote.Weights{4, 1}) // from a fifth of the votes on
	if err != nil {
		t.Fatal(err)
	}
	flat := []calib.Map{
		calib.Isotonic{Score: []float64{0, 0.6, 0.9, 1}, Value: []float64{0.2, 0.8, 0.8, 0.99}, Linear: true},
		calib.Isotonic{Score: []float64{0, 0.1, 0.3, 0.6, 0.9}, Value: []float64{0.1, 0.3, 0.6, 0.8, 0.99}},
		calib.VennAbersTable{Score: []float64{0.1, 0.3, 0.6, 0.9}, Low: []float64{0.1, 0.3, 0.7, 0.9}, High: []float64{0.2,
			0.6, 0.8, 0.99}},
	}
	for _, second := range flat { // of the class not searched for
		m.Maps = calib.Set{Maps: []calib.Map{second}}
		at, last := m.Forest.Share[0], 0.0
		for i := -3000; i <= 3000; i++ {
			share := at * math.Exp(float64(i)/1000)
			other, err := m.ForPrevalence([]float64{share, 1 - share})
			if share >= 1 || err != nil {
				break
			}
			turn := other.Weights[1] / (other.Weights[0] + other.Weights[1])
			if i == 0 && math.Abs(turn-0.2) > 1e-6 {
				t.Errorf("%+v: for the shares of training decisions turn at %v", second, turn)
			}
			if i > -3000 && (turn > last+1e-9 || last-turn > 0.02) {
				t.Errorf("%+v: for a share of %v decisions turn at %v, for 0.1 %% less at %v", second, share, turn, last)
			}
			last = turn
		}
	}
}

// oddsAtTurn returns the odds of class 0 against class c from which on m decides for class 0, where all votes are
// for the two; there other decides at the same odds, as near as that, or where it has none of these never for c.
func oddsAtTurn(t *testing.T, m, other *Model, c int, near float64) float64 {
	t.Helper()
	// odds of 0 against c of the last votes that are decided for 0, and of the first for c
	turn := func(m *Model) (below, above float64) {
		trees := m.Forest.Trees()
		votes, p := make([]uint32, len(m.Weights)), make([]float64, len(m.Weights))
		for v := range trees + 1 {
			votes[0], votes[c] = uint32(trees-v), uint32(v)
			m.Probabilities(p, votes)
			if m.Decide(votes) == c {
				return below, p[0] / p[c]
			}
			below = p[0] / p[c]
		}
		t.Fatalf("class %d is not decided for with all votes", c)
		return 0, 0
	}
	below, above := turn(m)
	otherBelow, otherAbove := turn(other)
	if otherBelow < above*(1-near) || otherAbove > below*(1+near) {
		t.Errorf("class %d, odds: turns from %v to %v, for the other population from %v to %v", c, below, above, otherBelow,
			otherAbove)
	}
	return math.Sqrt(below * above)
}

// clouds are rows of classes as common as share says: class 0 in the middle, each other on its own axis.
func clouds(n int, share []float64, seed uint64) *dataset.Frame {
	r := rand.New(rand.NewPCG(seed, 0))
	f := &dataset.Frame{Classes: []string{"a", "b", "c", "d"}[:len(share)], Truth: make([]int, n)}
	for j := range 8 {
		f.Columns = append(f.Columns, dataset.Column{Field: dataset.Field{Name: strconv.Itoa(j)}, Values: make([]float64, n)})
	}
	for i := range n {
		u := r.Float64()
		for u > share[f.Truth[i]] && f.Truth[i] < len(share)-1 {
			u -= share[f.Truth[i]]
			f.Truth[i]++
		}
		for j, c := range f.Columns {
			if c.Values[i] = r.NormFloat64(); j/2 == f.Truth[i]-1 {
				c.Values[i] += 1.5
			}
		}
	}
	return f
}

// Without a map, balanced bags would make half of all payments frauds; taken back, the mean probability is near the
// share of frauds.
func TestBalancedBagsAreTakenBack(t *testing.T) {
	race.SkipFigures(t)
	for _, frame := range []*dataset.Frame{dataset.Fraud(5000, 1), threeClasses()} {
		m := mustFit(t, frame, nil, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1,
			Bag: forest.Balanced}, Calibration: calib.None})
		_, table, _, err := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1,
			Bag: forest.Balanced}}.HeldOut(t.Context(), frame)
		if err != nil {
			t.Fatal(err)
		}
		k := len(frame.Classes)
		means, raw, p := make([]float64, k), make([]float64, k), make([]float64, k)
		for _, votes := range table.Judged() {
			m.Probabilities(p, votes)
			for c := range p {
				means[c] += p[c] / float64(table.Rows())
			}
			Probabilities(Uncalibrated(m.Forest.TieOrder()), p, votes, 1)
			for c := range p {
				raw[c] += p[c] / float64(table.Rows())
			}
		}
		rare := slices.Index(m.Forest.Share, slices.Min(m.Forest.Share))
		share := m.Forest.Share[rare]
		if math.Abs(math.Log(means[rare]/share)) > 0.7 || raw[rare] < 2*share {
			t.Errorf("%d classes: mean probability of the rarest %v, of the votes as they are %v; its share is %v", k,
				means[rare], raw[rare], share)
		}
	}
}

// threeClasses are waves with few rows of one class.
func threeClasses() *dataset.Frame {
	all := dataset.Wave(3000, 3, 1)
	var rows []int
	for i, c := range all.Truth {
		if c != 2 || i%20 == 0 {
			rows = append(rows, i)
		}
	}
	return all.Take(rows)
}

// Maps fitted on rows of another population are for that one, and another prevalence starts from there.
func TestForPrevalenceOfOtherMaps(t *testing.T) {
	race.SkipFigures(t)
	m := mustFit(t, dataset.Fraud(4000, 1), fraudSpec(), Config{Forest: forest.Config{Trees: 100, Seed: 1}})
	later := dataset.Fraud(20_000, 3)
	var rows []int
	for i, c := range later.Truth {
		if c == 0 || i%20 == 0 { // nine frauds for twenty others
			rows = append(rows, i)
		}
	}
	rich := later.Take(rows)
	votes, err := m.Votes(t.Context(), rich)
	if err != nil {
		t.Fatal(err)
	}
	recalibrated, err := m.Recalibrate(t.Context(), nil, votes, calib.PlattLogit)
	if err != nil {
		t.Fatal(err)
	}
	mean := func(m *Model) float64 {
		sum, p := 0.0, make([]float64, 2)
		for _, v := range votes.Judged() {
			m.Probabilities(p, v)
			sum += p[0]
		}
		return sum / float64(votes.Rows())
	}
	frauds := votes.Confuse(nil).True(0) / float64(votes.Rows())
	if got := mean(recalibrated); math.Abs(got-frauds) > 0.02 {
		t.Errorf("mean probability %v, share of frauds %v", got, frauds)
	}
	same, err := recalibrated.ForPrevalence([]float64{frauds, 1 - frauds})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := mean(same), mean(recalibrated); math.Abs(a-b) > 1e-9 {
		t.Errorf("for the same shares the mean probability is %v, was %v", a, b)
	}
	other, err := m.ForPrevalence([]float64{0.3, 0.7})
	if err != nil {
		t.Fatal(err)
	}
	again, err := other.Recalibrate(t.Context(), nil, votes, calib.PlattLogit)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := mean(again), mean(recalibrated); math.Abs(a-b) > 1e-9 {
		t.Errorf("of a model for another prevalence the new maps give %v in the mean, those of the model itself %v", a, b)
	}
	one := votes.Take(nil)
	for i, c := range votes.Truth {
		if c == 1 {
			one = votes.Take([]int{i})
		}
	}
	if _, err := m.Recalibrate(t.Context(), nil, one, calib.PlattLogit); !errors.Is(err, calib.ErrOneClass) {
		t.Errorf("rows of one class: %v", err)
	}
}
