package main

import (
	"math"
	"strconv"
	"strings"

	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of 100 votes 5 are enough, and probabilities are (v+½)/101. So the least is (4.5/101+5.5/101)/2 = 0.0495, the price 19.2, of 10 that were asked for. If 10 were enough,
// which is a price of 9.1, the rows of 5 to 9 votes would be well: for each number of votes 1 ill of 10 costs 10 more and 9 cost 1 less, 5 more in all, with a standard
// error of √(5·(100+9)) = 23; if 4 were, 1000 rows more would be false alarms. With 50 ill of 100 rows instead, 9 votes, the nearest to what was asked for, cost 1800 more, and
// the standard error is 142.
func TestAskedPrice(t *testing.T) {
	const (
		price  = `No map is fitted; by the shares of the votes as they are, that is a probability of 0.0495: a missed "ill" is priced like 19.2 false alarms`
		within = ". You asked for 10: on these votes that costs as little, but for chance, as do all prices from 9.1 to 19.2."
		alone  = ". You asked for 10: on these votes that costs as little, but for chance."
		nearby = ", near the 16 that you asked for."
		none   = ". You asked for 1000: no number of votes comes near that price."
		beyond = ". You asked for 10: on these votes that costs more, and more than chance makes of it, so the probability is off."
	)
	for _, tc := range []struct {
		name      string
		ill, well float64 // rows of 5 to 9 votes, each
		change    func(*shownTuning)
		want      string
	}{
		{"within chance", 1, 9, nil, within},
		{"beyond", 50, 50, nil, beyond},
		{"not all between", 1, 9, func(s *shownTuning) { // 10 ill more of 5 votes cost 100 more, with a standard error of 32; 200 well more of 6 votes cost 200 less
			for i := range 210 {
				votes := uint32(5 + min(i/10, 1))
				s.table.Counts, s.table.Truth = append(s.table.Counts, votes, 100-votes), append(s.table.Truth, int(votes-5))
			}
		}, alone},
		{"weights that were given", 1, 9, func(s *shownTuning) { s.trial = nil }, "."},
		{"near", 1, 9, func(s *shownTuning) { s.loss.costs.Matrix = [][]float64{{0, 16}, {1, 0}} }, nearby},
		{"no price comes near", 1, 9, func(s *shownTuning) { s.loss.costs.Matrix = [][]float64{{0, 1000}, {1, 0}} }, none},
		{"no costs", 1, 9, func(s *shownTuning) { s.loss.costs.Matrix = nil }, "."},
		{"by amount", 1, 9, func(s *shownTuning) { s.loss.costs.ByAmount = []bool{true, false} }, "."},
		{"what is required", 1, 9, func(s *shownTuning) { s.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.01}} }, "."},
		{"groups", 1, 9, func(s *shownTuning) { s.table.Group = make([]int, s.table.Rows()) }, "."},
	} {
		votes := &vote.Table{Classes: []string{"ill", "well"}, Trees: 100, Source: vote.OOB, Share: []float64{0.1, 0.9}}
		add := func(v uint32, truth int, rows float64) {
			for range int(rows) {
				votes.Counts, votes.Truth = append(votes.Counts, v, 100-v), append(votes.Truth, truth)
			}
		}
		for v := uint32(1); v < 5; v++ {
			add(v, 1, 1000)
		}
		for v := uint32(5); v < 10; v++ {
			add(v, 0, tc.ill)
			add(v, 1, tc.well)
		}
		add(10, 0, 40)
		add(10, 1, 10)
		s := &shownTuning{
			table: votes, loss: loss{name: "cost", costs: pragma.Costs{Matrix: [][]float64{{0, 10}, {1, 0}}}},
			found: anneal.Result{Weights: needing(5, 100, 0)}, trial: &anneal.Trial{},
		}
		if tc.change != nil {
			tc.change(s)
		}
		maps := rfpragma.Uncalibrated([]int{0, 1})
		prob := func(dst []float64, votes []uint32) { rfpragma.Probabilities(maps, dst, votes, 1) }
		p := &pricing{s.aim(), prob, 1, mapWords(sharesWords(calib.None, maps)), votes.TieOrder(), 100, 0}
		if got := strings.Join(p.words(s.found.Weights, votes.Confuse(s.found.Weights), s.votesPrice(p)), ""); got != price+tc.want {
			t.Errorf("%s:\n%s, want\n%s", tc.name, got, price+tc.want)
		}
	}
}

// By hand: the map of "ill" is linear between its knots, which are shares of 1000 votes, smoothed: (v+½)/1001.
func TestThreshold(t *testing.T) {
	knot := func(votes float64) float64 { return (votes + 0.5) / 1001 }
	for _, tc := range []struct {
		name  string
		value []float64 // at 0, 99, 100, 1000 votes
		want  string
	}{
		{"three digits do", []float64{0, 0.1, 0.3, 1}, "0.2"},
		{"three digits are above what 100 votes have", []float64{0, 0.1700, 0.17099, 1}, "0.1705"},
		{"a tie", []float64{0, 0.170616, 0.170616, 1}, "0.170616, which rows with 99 votes have as well (the decision goes by votes)"},
		{"a tie as predict writes it", []float64{0, 0.1706161, 0.1706162, 1}, "0.170616, which rows with 99 votes have as well (the decision goes by votes)"},
		{"near 1", []float64{0, 0.99981, 0.99984, 1}, "0.99982"},
	} {
		m := calib.Isotonic{Score: []float64{knot(0), knot(99), knot(100), knot(1000)}, Value: tc.value, Linear: true}
		prob := func(dst []float64, votes []uint32) {
			rfpragma.Probabilities(calib.Set{Maps: []calib.Map{m}}, dst, votes, 1)
		}
		p := &pricing{prob: prob, unit: 1, trees: 1000, c: 1}
		if got := p.threshold(100); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// Of a model whose votes tune cannot have anew nobody is sent to tune, which would refuse the rows of the training.
func TestModelPrice(t *testing.T) {
	const tune, cv = "rfpragma tune MODEL DATA tells whether 12.3 costs as little there", "rfpragma cv, with the flags of this training, sets it beside weights by cost alone (--weights cost), which take the 12.3 as it is."
	for _, tc := range []struct {
		votes, maps vote.Source
		want        string
	}{
		{vote.OOB, "", tune}, {vote.Holdout, vote.OOB, tune}, {vote.OOB, vote.Holdout, tune},
		{vote.CV, "", cv}, {vote.Forward, "", cv}, {vote.Train, "", cv}, {vote.Holdout, vote.Forward, cv},
	} {
		m := &rfpragma.Model{Provenance: rfpragma.Provenance{Votes: tc.votes, MapVotes: tc.maps}}
		if got := modelPrice(m)(12.3, 0); !strings.Contains(got, tc.want) {
			t.Errorf("%s votes, of maps %q: %s", tc.votes, tc.maps, got)
		}
	}
}

// Where classes are as common as --prevalence says, so are the probability that a decision needs, and its price: the file of the decisions has them.
func TestPriceOfPrevalence(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 2000 -o train.csv")
	must(t, "generate fraud --rows 2000 --seed 3 -o new.csv")
	for _, flags := range []string{"", " --calibrate none"} {
		must(t, "train train.csv --prefer fraud --trees 100 -o model.rfp"+flags)
		words := strings.Join(strings.Fields(must(t, "evaluate model.rfp new.csv --prevalence fraud=0.004 --decisions decided.csv").stdout), " ")
		lowest, highest := 1.0, 0.0
		for _, line := range strings.Split(strings.TrimSpace(read(t, "decided.csv")), "\n")[1:] {
			cells := strings.Split(line, ",")
			p, err := strconv.ParseFloat(cells[3], 64)
			if err != nil {
				t.Fatal(err)
			}
			if cells[2] == "fraud" {
				lowest = min(lowest, p)
			} else {
				highest = max(highest, p)
			}
		}
		_, after, _ := strings.Cut(words, "that is a probability of ")
		number, _, _ := strings.Cut(after, ":")
		said, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(err, words)
		}
		_, after, _ = strings.Cut(after, "is priced like ")
		number, _, _ = strings.Cut(after, " ")
		price, err := strconv.ParseFloat(number, 64)
		if said < highest || said > lowest || err != nil || math.Abs(price/((1-said)/said)-1) > 0.02 {
			t.Errorf("%s: a probability of %v and a price of %v are told (%v), and decisions turn between %v and %v", flags, said, price, err, highest, lowest)
		}
	}
}
