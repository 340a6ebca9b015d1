package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
)

// Where the maps of the folds spoil the order of the rows it is told why, and else nothing.
func TestFoldMapWords(t *testing.T) {
	area := func(auc float64) *eval.Judgement { return &eval.Judgement{Figures: calib.Report{AUC: auc}} }
	judged := map[string]eval.Judged{
		"spoilt": {Raw: area(0.7052), Calibrated: area(0.6171)}, "little": {Raw: area(0.7), Calibrated: area(0.69)}, "better": {Raw: area(0.6), Calibrated: area(0.7)},
		"one": {Raw: area(math.NaN()), Calibrated: area(math.NaN())}, "scores": {Calibrated: area(0.5)},
	}
	words := foldMapWords([]string{"spoilt", "little", "better", "one", "scores"}, judged)
	if len(words) != 1 || !strings.Contains(words[0], `rank the rows of "spoilt" worse than the votes do: the ROC area is 0.6171, raw 0.7052.`) {
		t.Errorf("it is said: %q", words)
	}
}

// What leaks is told again where the figures end.
func TestLeakWords(t *testing.T) {
	one := fmt.Errorf("in.csv: %w", &dataset.TellsWarning{Columns: []string{"downtime_h"}, Text: "it gives the answer away"})
	two := &dataset.TellsWarning{Columns: []string{"a", "b c"}}
	for _, tc := range []struct {
		warnings []error
		want     string
	}{
		{[]error{errors.New("other"), one}, `These figures count on "downtime_h" being known when a row is to be decided; if not, add --ignore downtime_h.`},
		{[]error{one, two}, `These figures count on "downtime_h", "a", "b c" being known when a row is to be decided; if not, add --ignore downtime_h --ignore a --ignore 'b c'.`},
		{[]error{errors.New("other")}, ""},
	} {
		if got := strings.Join(leakWords(tc.warnings), "\n"); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// A result begins with eight lines at most: what to expect, the most important first, and the gravest caution, for which there is always room. What is left is told after the tables.
func TestHeaded(t *testing.T) {
	const gain = "gain of it"
	one, two, six := "one line", "two "+strings.Repeat("words ", 20)+"end", "six "+strings.Repeat("words ", 90)+"end"
	for _, tc := range []struct {
		head, cautions     []string
		wantHead, wantLeft string
	}{
		{[]string{one, two, one}, nil, "one two one", ""},
		{[]string{one, two, one}, []string{two, one}, "one two one two", "one"},
		{[]string{six, one, one}, nil, "six one one", ""},
		{[]string{six, one, one}, []string{two, one}, "six two", "one one one"},
		{[]string{six, six}, []string{six}, "six six", "six"},
		{[]string{one, two, six, one}, nil, "one two one", "six"},
		{[]string{six, two, gain, one}, nil, "six two gain", "one"}, // for which there is always room
		{nil, nil, "", ""},
	} {
		head, left := said{head: tc.head, gains: []string{gain}, cautions: tc.cautions}.headed()
		if got, rest := begins(head), begins(left); got != tc.wantHead || rest != tc.wantLeft {
			t.Errorf("%s, then %s; want %s, then %s", got, rest, tc.wantHead, tc.wantLeft)
		}
	}
}

// begins returns the first words of sentences.
func begins(sentences []string) string {
	var words []string
	for _, s := range sentences {
		words = append(words, strings.Fields(s)[0])
	}
	return strings.Join(words, " ")
}
