package view

import (
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/vote"
)

// CVResult is what cv writes as JSON.
type CVResult struct {
	Heading
	Data DataInfo `json:"data"` // the rows
	// of what the rows say, as the provenance of a model has it that is trained on them
	SHA256   string     `json:"data_sha256"`
	Settings CVSettings `json:"settings"` // how trees were grown and weights tuned, defaults filled in
	eval.Report
	// with --withhold, the rows that are left undecided, which are in no figure; in the order of time those of the
	// latest block
	Withheld *abstain.WithheldInfo `json:"withheld,omitempty"`
	By       *Slices               `json:"by,omitempty"` // with --by, parts of the rows that are judged apart
	// by class, what of it to expect of later rows, in the order of time where two blocks or more are judged: evaluate
	// --expected judges by it
	Later map[string]eval.Later `json:"later,omitempty"`
	// likewise what to expect of the cost of a row, where costs are asked for
	LaterCost *eval.Forecast `json:"later_cost_of_a_row,omitempty"`
	// what a limit of alarms costs; where costs say what is wanted
	Limit *LimitCost `json:"limit,omitempty"`
	Assessed
	// what else the votes allow for the one class that matters most, beside what is required; where a recall is
	// required that new rows may not keep, what to ask for instead
	Alternatives []Alternative `json:"alternatives,omitempty"`
	Remarks
}

// CVSettings are in JSON how it was judged.
type CVSettings struct {
	Growth
	// whether each training chose mtry, min_leaf, criterion, random_cuts and soft_votes for itself (--tune-forest)
	ForestChosen bool `json:"forest_chosen"`

	Seed  uint64 `json:"seed"`  // that all chance comes from
	Folds int    `json:"folds"` // parts of the rows that are judged
	// times it was done, with other folds each, or in the order of time other trees
	Repeats int `json:"repeats"`
	// column in whose order later rows were judged by earlier ones
	Time string `json:"time,omitempty"`
	// where the votes come from that weights and maps are fitted on: oob, cv, forward or train
	Votes       vote.Source `json:"votes"`
	Calibration string      `json:"calibration"` // method of the maps, as asked for
	Search      string      `json:"search"`      // method of the search for weights
	Measure     string      `json:"measure"`     // what the weights are searched for
	// what is wanted of each class; empty where costs or another measure say it
	Preferences map[string]PreferenceInfo `json:"preferences"`
	AskedInfo
}

// Growth is how trees are grown, defaults filled in.
type Growth struct {
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

// GrowthOf is that of forests on so many features of rows of these classes.
func GrowthOf(c forest.Config, features int, classes []string) Growth {
	f := c.Resolved(features)
	return Growth{
		Trees: f.Trees, Mtry: f.Mtry, MinLeaf: f.MinLeaf, MaxDepth: f.MaxDepth, MaxLeaves: f.MaxLeaves,
		Criterion: string(f.Criterion), RandomCuts: f.RandomCuts, SubsetLevels: f.SubsetLevels,
		Bag: BagText(f, classes), Fraction: f.Fraction, NoReplacement: f.NoReplacement, SoftVotes: f.Soft,
	}
}
