package view

import (
	"slices"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/vote"
)

// result is what tune finds: by a cross-validation of the search on the votes, or of weights that were given.
func (s *ShownTuning) Judgement() *result {
	r := &result{
		title: "EXPECT ON NEW ROWS", aim: s.Aim(), points: s.Others, fixed: s.Trial == nil,
		Subject: &assess.Subject{Goal: s.Aim().goal(), Report: s.Judged(), Weights: s.Found.Weights},
	}
	if s.searched() {
		r.Subject.FoldWeights = append(slices.Clone(s.Trial.Weights), s.Found.Weights)
	}
	if s.Was != nil && s.Table.Source == vote.OOB && s.Was.Provenance.Reading.Time != "" {
		r.Subject.Rows = codes.MixedRows
	}
	if s.Fresh && s.Trial != nil {
		had := s.fixed(s.Was.Weights, s.Kept)
		r.Subject.Had = &had
	}
	return r.found()
}
