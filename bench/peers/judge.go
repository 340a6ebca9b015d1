package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
)

// score is what the votes of a side are worth on the test rows.
type score struct {
	Accuracy number // share of rows decided rightly
	Recall   number // of the rarest class
	LogLoss  number // mean −ln of the share of the true class, that share being at least minShare
}

// A share of votes is often 0, for which the log loss would be infinite.
const minShare = 1e-3

func nothingScored() score { return score{nan, nan, nan} }

// judge knows the truth of a set.
type judge struct {
	rows, features, classes int   // of the training rows
	truth                   []int // of the test rows
	rare                    int   // the class with the fewest training rows among those that have test rows
}

// newJudge makes a judge of the classes of training and test rows, 0 to k-1.
func newJudge(train, truth []int) (*judge, error) {
	if len(train) == 0 || len(truth) == 0 {
		return nil, errors.New("a part of the set has no rows; make it anew with sets.py")
	}
	k := slices.Max(train) + 1
	if least := min(slices.Min(train), slices.Min(truth)); least < 0 || slices.Max(truth) >= k {
		return nil, fmt.Errorf("the labels are not among 0 to %d, those of the training rows; make the set anew with sets.py", k-1)
	}
	j := &judge{rows: len(train), classes: k, truth: truth, rare: -1}
	count := make([]int, k)
	for _, c := range train {
		count[c]++
	}
	for c := range k {
		if slices.Contains(truth, c) && (j.rare < 0 || count[c] < count[j.rare]) {
			j.rare = c
		}
	}
	return j, nil
}

// scoreFile judges the shares in a file: float32, little-endian, len(j.truth) rows of k.
func (j *judge) scoreFile(path string) (score, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return score{}, err
	}
	if want := 4 * len(j.truth) * j.classes; len(b) != want {
		return score{}, fmt.Errorf("the file of votes has %d bytes, %d rows of %d classes make %d", len(b), len(j.truth), j.classes, want)
	}
	shares := make([]float64, len(b)/4)
	for i := range shares {
		shares[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return j.score(shares), nil
}

// score judges shares, which have length len(j.truth)·k and need not sum to 1 in a row. The
// largest share decides; of equals, the class with the smaller number.
func (j *judge) score(shares []float64) score {
	var right, rows, found, loss float64
	for i, c := range j.truth {
		row := shares[i*j.classes : (i+1)*j.classes]
		sum, best := 0.0, 0
		for d, share := range row {
			sum += share
			if share > row[best] {
				best = d
			}
		}
		loss -= math.Log(min(max(row[c]/sum, minShare), 1))
		if best == c {
			right++
		}
		if c == j.rare {
			rows++
			if best == c {
				found++
			}
		}
	}
	n := float64(len(j.truth))
	return score{number(right / n), number(found / rows), number(loss / n)}
}
