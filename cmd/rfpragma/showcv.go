package main

import (
	"errors"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

// cvResult is what cv writes as JSON.
type cvResult struct {
	heading
	Data     dataInfo   `json:"data"`        // the rows
	SHA256   string     `json:"data_sha256"` // of what the rows say, as the provenance of a model has it that is trained on them
	Settings cvSettings `json:"settings"`    // how trees were grown and weights tuned, defaults filled in
	eval.Report
	Withheld  *withheldInfo         `json:"withheld,omitempty"`            // with --withhold, the rows that are left undecided, which are in no figure; in the order of time those of the latest block
	Later     map[string]eval.Later `json:"later,omitempty"`               // by class, what of it to expect of later rows, in the order of time where two blocks or more are judged: evaluate --expected judges by it
	LaterCost *eval.Forecast        `json:"later_cost_of_a_row,omitempty"` // likewise what to expect of the cost of a row, where costs are asked for
	Limit     *limitCost            `json:"limit,omitempty"`               // what a limit of alarms costs; where costs say what is wanted
	findings
	Alternatives []alternative `json:"alternatives,omitempty"` // what else the votes allow for the one class that matters most, beside what is required; where a recall is required that new rows may not keep, what to ask for instead
	remarks
}

type cvSettings struct {
	growthInfo
	Seed        uint64                    `json:"seed"`           // that all chance comes from
	Folds       int                       `json:"folds"`          // parts of the rows that are judged
	Repeats     int                       `json:"repeats"`        // times it was done, with other folds each, or in the order of time other trees
	Time        string                    `json:"time,omitempty"` // column in whose order later rows were judged by earlier ones
	Votes       vote.Source               `json:"votes"`          // where the votes come from that weights and maps are fitted on: oob, cv, forward or train
	Calibration string                    `json:"calibration"`    // method of the maps, as asked for
	Search      string                    `json:"search"`         // method of the search for weights
	Measure     string                    `json:"measure"`        // what the weights are searched for
	Preferences map[string]preferenceInfo `json:"preferences"`    // what is wanted of each class; empty where costs or another measure say it
	askedInfo
}

// growthInfo is how trees are grown, defaults filled in.
type growthInfo struct {
	Trees         int     `json:"trees"`          // number of trees
	Mtry          int     `json:"mtry"`           // features tried at each node
	MinLeaf       int     `json:"min_leaf"`       // least weight of a leaf
	MaxDepth      int     `json:"max_depth"`      // 0 is no limit
	MaxLeaves     int     `json:"max_leaves"`     // 0 is no limit
	Criterion     string  `json:"criterion"`      // of the splits: gini, entropy, hellinger, offcentred or pragma
	RandomCuts    bool    `json:"random_cuts"`    // one random cut of each feature tried
	SubsetLevels  int     `json:"subset_levels"`  // up to which columns are split by subsets of their levels
	Bag           string  `json:"bag"`            // how bags are drawn
	Fraction      float64 `json:"fraction"`       // share of the rows in a bag
	NoReplacement bool    `json:"no_replacement"` // a row is in a bag at most once
	SoftVotes     bool    `json:"soft_votes"`     // trees vote with shares
}

// growthOf is that of forests on so many features of rows of these classes.
func growthOf(c forest.Config, features int, classes []string) growthInfo {
	f := c.Resolved(features)
	return growthInfo{
		Trees: f.Trees, Mtry: f.Mtry, MinLeaf: f.MinLeaf, MaxDepth: f.MaxDepth, MaxLeaves: f.MaxLeaves,
		Criterion: string(f.Criterion), RandomCuts: f.RandomCuts, SubsetLevels: f.SubsetLevels,
		Bag: bagText(f, classes), Fraction: f.Fraction, NoReplacement: f.NoReplacement, SoftVotes: f.Soft,
	}
}

func (job *cvJob) settings() cvSettings {
	s := cvSettings{
		growthInfo: growthOf(job.fit.Forest, len(job.frame.Columns), job.frame.Classes), Seed: job.fit.Forest.Seed,
		Folds: job.eval.Folds, Repeats: job.eval.Repeats,
		Votes: job.fit.Source(job.frame), Calibration: string(job.fit.Calibration), Search: job.fit.Search.Method.String(),
		Measure: job.aim.loss.name, Preferences: job.aim.preferences(),
		askedInfo: job.aim.info(),
	}
	if job.eval.FoldOf != nil {
		s.Folds, s.Repeats = slices.Max(job.eval.FoldOf)+1, 1
	}
	if job.blocks != nil {
		s.Folds, s.Time = len(job.blocks)-1, job.frame.Time.Name
	}
	return s
}

// weights are those in the middle of the folds.
func (job *cvJob) weights(report *eval.Report) vote.Weights {
	return medianWeights(job.frame.Classes, counted(report))
}

// unreached tells whether a warning is of floors that no weights reach.
func unreached(warning error) bool { return errors.Is(warning, anneal.ErrFloors) }
