package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	sets "github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// score is what the votes of a side are worth on the test rows.
type score struct {
	Accuracy  number // share of rows decided rightly
	Recall    number // of the rarest class
	Precision number // of the rarest class; 0 where no row is decided for it
	Pragma    number // the loss of whom the rarest class is all-important to: pragma.Priority for it, pragma.Neutral for the others
	LogLoss   number // mean −ln of the share of the true class, that share being at least minShare
}

// A share of votes is often 0, for which the log loss would be infinite.
const minShare = 1e-3

func nothingScored() score { return score{nan, nan, nan, nan, nan} }

// judge knows the truth of a set.
type judge struct {
	rows, features, classes int   // of the training rows
	truth                   []int // of the test rows
	rare                    int   // the class with the fewest training rows among those that have test rows
	loss                    pragma.Measure
}

// newSetJudge returns the judge of the set whose files begin with stem.
func newSetJudge(stem string) (*judge, error) {
	train, err := sets.Labels(stem + ".train.y.npy")
	if err != nil {
		return nil, err
	}
	truth, err := sets.Labels(stem + ".test.y.npy")
	if err != nil {
		return nil, err
	}
	rows, features, err := sets.Shape(stem + ".train.X.npy")
	if err != nil {
		return nil, err
	}
	if rows != len(train) {
		return nil, fmt.Errorf("%s has %d rows and %d labels; make the set anew with sets.py", stem+".train", rows, len(train))
	}
	j, err := newJudge(train, truth)
	if err != nil {
		return nil, err
	}
	j.features = features
	return j, nil
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
	j := &judge{rows: len(train), classes: k, truth: truth, rare: rarest(train, truth)}
	var err error
	j.loss, err = preference(j.rare).Measure(classNames(k))
	return j, err
}

// rarest returns the class with the fewest rows of train among those that truth has rows of.
func rarest(train, truth []int) int {
	count := make([]int, slices.Max(train)+1)
	for _, c := range train {
		count[c]++
	}
	rare := -1
	for c := range count {
		if slices.Contains(truth, c) && (rare < 0 || count[c] < count[rare]) {
			rare = c
		}
	}
	return rare
}

// preference returns the preference of whom one class is all-important to.
func preference(rare int) pragma.Spec {
	return pragma.Spec{strconv.Itoa(rare): pragma.Priority(), pragma.Others: pragma.Neutral()}
}

func classNames(k int) []string {
	names := make([]string, k)
	for c := range names {
		names[c] = strconv.Itoa(c)
	}
	return names
}

// decided is what the name of a file of decisions ends with, after that of the votes.
const decided = ".decided"

// scoreFile judges the shares in a file: float32, little-endian, len(j.truth) rows of k. A side
// that has another rule than the largest share has its decisions in a second file, in int32.
func (j *judge) scoreFile(path string) (score, error) {
	shares, err := readWords(path, len(j.truth)*j.classes, "votes", func(w uint32) float64 { return float64(math.Float32frombits(w)) })
	if err != nil {
		return score{}, fmt.Errorf("%w: %d rows of %d classes", err, len(j.truth), j.classes)
	}
	decisions, err := readWords(path+decided, len(j.truth), "decisions", func(w uint32) int { return int(int32(w)) })
	switch {
	case errors.Is(err, os.ErrNotExist):
		decisions = j.largest(shares)
	case err != nil:
		return score{}, err
	case slices.Min(decisions) < 0 || slices.Max(decisions) >= j.classes:
		return score{}, fmt.Errorf("a decision is not among 0 to %d", j.classes-1)
	}
	return j.score(shares, decisions), nil
}

// readWords reads a file of n words of four bytes.
func readWords[T any](path string, n int, what string, value func(uint32) T) ([]T, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) != 4*n {
		return nil, fmt.Errorf("the file of %s has %d bytes instead of %d", what, len(b), 4*n)
	}
	values := make([]T, n)
	for i := range values {
		values[i] = value(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return values, nil
}

// largest decides by the largest share; of equals, for the class with the smaller number.
func (j *judge) largest(shares []float64) []int {
	decisions := make([]int, len(j.truth))
	for i := range decisions {
		row := shares[i*j.classes : (i+1)*j.classes]
		for c, share := range row {
			if share > row[decisions[i]] {
				decisions[i] = c
			}
		}
	}
	return decisions
}

// score judges shares, which have length len(j.truth)·k and need not sum to 1 in a row, and
// decisions.
func (j *judge) score(shares []float64, decisions []int) score {
	m := vote.NewConfusion(classNames(j.classes))
	var loss float64
	for i, c := range j.truth {
		row := shares[i*j.classes : (i+1)*j.classes]
		sum := 0.0
		for _, share := range row {
			sum += share
		}
		of := 0.0
		if sum > 0 { // trees of some peers have no vote for some rows
			of = row[c] / sum
		}
		loss -= math.Log(min(max(of, minShare), 1))
		m.Add(c, decisions[i], 1)
	}
	accuracy, _ := m.Accuracy()
	recall, _ := m.Recall(j.rare)
	precision, _ := m.Precision(j.rare)
	return score{number(accuracy), number(recall), number(precision), number(j.loss.Loss(m)), number(loss / float64(len(j.truth)))}
}
