package scores

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/vote"
)

// IsSingle tells whether the table that begins with head has a single column beside those that o names: one of scores.
// It gives o the columns class and weight, which need not be named.
func IsSingle(head []byte, o *dataset.Options) bool {
	in, err := csvtext.NewReader(bytes.NewReader(head), "", o.Comma)
	if err != nil {
		return false // which is told by those who read it
	}
	target, weight := cmp.Or(o.Target, "class"), o.Weight
	if weight == "" && slices.Contains(in.Header, "weight") {
		weight = "weight"
	}
	roles := append([]string{target, weight, o.Amount, o.Group, o.ID, countColumn}, o.Ignore...)
	others := slices.DeleteFunc(slices.Clone(in.Header), func(name string) bool { return slices.Contains(roles, name) })
	if len(others) != 1 || !slices.Contains(in.Header, target) {
		return false
	}
	o.Target = target
	if !slices.Contains(o.Ignore, weight) {
		o.Weight = weight
	}
	return true
}

// unit is how many counts a share of 1 becomes.
const unit = 1 << 31

// Votes returns the scores of a single column as votes: shares of the class positive, of which the other class has the
// rest. Scores of another scale are refused, as a weight of votes says nothing of them.
func Votes(frame *dataset.Frame, positive, name string) (*vote.Table, error) {
	s, err := read(frame, positive, name)
	if err != nil {
		return nil, err
	}
	if !s.inside {
		return nil, &dataset.ParseError{File: name, Field: s.Column, Err: fmt.Errorf("these scores go from %v to %v, and "+
			"weights are found for shares, from 0 to 1, or for votes, a column for each class; %s", s.Range.Low, s.Range.High,
			s.Range.likely("map them to probabilities with rfpragma calibrate"))}
	}
	t := &vote.Table{Classes: frame.Classes, Weight: frame.Weight, Group: frame.Group, Amount: frame.Amount,
		Source: vote.External, Scores: true, Share: slices.Clone(frame.ClassWeights())}
	at := slices.Index(frame.Classes, s.Classes[1])
	for i, truth := range frame.Truth {
		if truth < 0 || truth > 1 {
			truth = -1
		}
		n := uint32(math.Round(s.share[2*i+1] * unit))
		counts := [2]uint32{unit - n, unit - n}
		counts[at] = n
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, counts[:]...)
	}
	total := 0.0
	for _, w := range t.Share {
		total += w
	}
	for c := range t.Share {
		t.Share[c] /= total
	}
	t.Ties = vote.Ties(t.Share, vote.TieOrder(t.Share, frame.FirstRows()))
	return t, t.Check()
}
