package scores

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
)

// TestSharesAsVotes: of a forest whose votes are given as shares the maps are about as good on new rows as of its
// votes, and no surer.
func TestSharesAsVotes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	table := func(rows int, trees func() int, asShares bool) (text string, truth []int) {
		var b strings.Builder
		b.WriteString("class,a,b,c\n")
		for range rows {
			c, n := r.IntN(3), trees()
			p := 0.02 * r.Float64() // of trees that are wrong: few, as of classes that are easily told apart
			if r.IntN(20) == 0 {
				p = 0.8 * r.Float64()
			}
			votes := make([]float64, 3)
			for range n {
				if r.Float64() < p {
					votes[(c+1)%3]++
				} else {
					votes[c]++
				}
			}
			for i := range votes {
				if asShares {
					votes[i] /= float64(n)
				}
			}
			fmt.Fprintf(&b, "%c,%v,%v,%v\n", 'a'+c, votes[0], votes[1], votes[2])
			truth = append(truth, c)
		}
		return b.String(), truth
	}
	loss, least := map[bool]float64{}, map[bool]float64{}
	for _, asShares := range []bool{false, true} {
		r = rand.New(rand.NewPCG(1, 2))
		fitOn, _ := table(1500, func() int { return 60 + r.IntN(30) }, asShares)
		later, truth := table(1500, func() int { return 200 }, asShares)
		take := func(text string) *Scores {
			frame, err := dataset.ReadCSV(strings.NewReader(text), "s.csv", dataset.Options{Target: "class"})
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(frame, "", "s.csv")
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := take(fitOn)
		if asShares && (s.Trees < 60 || s.Trees > 90) {
			t.Errorf("shares of 60 to 90 trees are taken for those of %d", s.Trees)
		}
		rows := make([]int, len(s.truth))
		for i := range rows {
			rows[i] = i
		}
		maps, _, err := s.Calibration(calib.Vector).Fit(t.Context(), rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		m := Map{Classes: s.Classes, Votes: s.Votes, Trees: s.Trees, Maps: maps}
		frame, err := dataset.ReadCSV(strings.NewReader(later), "s.csv", dataset.Options{Target: "class"})
		if err != nil {
			t.Fatal(err)
		}
		prob, share := make([]float64, 3*len(truth)), make([]float64, 3)
		least[asShares] = 1
		for i := range truth {
			if _, err := m.Shares(share, frame.Columns, i); err != nil {
				t.Fatal(err)
			}
			maps.Probabilities(prob[3*i:3*i+3], share)
			for _, p := range prob[3*i : 3*i+3] {
				least[asShares] = math.Min(least[asShares], p)
			}
		}
		loss[asShares] = calib.LogLoss(prob, truth, nil, 3)
	}
	if loss[true] > 1.05*loss[false] || least[true] < least[false]/2 {
		t.Errorf("log loss of shares %v, of votes %v; the smallest probability is %v, of votes %v", loss[true], loss[false],
			least[true], least[false])
	}
}
