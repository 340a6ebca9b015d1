package main

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/vote"
)

// cvResult is what cv writes as JSON.
type cvResult struct {
	SchemaVersion int        `json:"schema_version"`
	Command       string     `json:"command"`
	Data          dataInfo   `json:"data"`
	Settings      cvSettings `json:"settings"`
	eval.Report
	Warnings []string `json:"warnings"`
	Words    []string `json:"words"` // the result in plain words
}

type cvSettings struct {
	Trees         int                       `json:"trees"`
	Mtry          int                       `json:"mtry"`
	MinLeaf       int                       `json:"min_leaf"`
	MaxDepth      int                       `json:"max_depth"` // 0 is no limit
	MaxLeaves     int                       `json:"max_leaves"`
	Criterion     string                    `json:"criterion"`
	RandomCuts    bool                      `json:"random_cuts"`
	Bag           string                    `json:"bag"`
	Fraction      float64                   `json:"fraction"`
	NoReplacement bool                      `json:"no_replacement"`
	SoftVotes     bool                      `json:"soft_votes"`
	Seed          uint64                    `json:"seed"`
	Folds         int                       `json:"folds"`
	Repeats       int                       `json:"repeats"`
	Votes         vote.Source               `json:"votes"`
	Calibration   string                    `json:"calibration"`
	Search        string                    `json:"search"`
	Measure       string                    `json:"measure"`
	Preferences   map[string]preferenceInfo `json:"preferences"`
}

func (job *cvJob) settings() cvSettings {
	f := job.fit.Forest.Resolved(len(job.frame.Columns))
	s := cvSettings{
		Trees: f.Trees, Mtry: f.Mtry, MinLeaf: f.MinLeaf, MaxDepth: f.MaxDepth, MaxLeaves: f.MaxLeaves,
		Criterion: string(f.Criterion), RandomCuts: f.RandomCuts,
		Bag: string(f.Bag), Fraction: f.Fraction, NoReplacement: f.NoReplacement, SoftVotes: f.Soft, Seed: f.Seed,
		Folds: job.eval.Folds, Repeats: job.eval.Repeats,
		Votes: job.fit.Source(job.frame), Calibration: string(job.fit.Calibration), Search: job.fit.Search.Method.String(),
		Measure: job.loss.name, Preferences: preferences(job.frame.Classes, job.prefs),
	}
	if job.eval.FoldOf != nil {
		s.Folds, s.Repeats = slices.Max(job.eval.FoldOf)+1, 1
	}
	return s
}

// introduced says what is cross-validated, and how.
func (job *cvJob) introduced(to *page) {
	s := job.settings()
	to.say(fmt.Sprintf("%s: %d rows, %d features, %s", job.name, job.frame.Rows(), len(job.frame.Columns), classShares(job.frame.Classes, job.frame.ClassWeights())),
		fmt.Sprintf("%d trees, mtry %d%s, %d folds × %d, tuned on %s votes, seed %d",
			s.Trees, s.Mtry, growthWords(job.fit.Forest), s.Folds, s.Repeats, s.Votes, s.Seed))
	showPreferences(to, job.frame.Classes, job.prefs, job.loss.name)
	to.say(cornerNotes(job.frame.Classes, job.prefs, job.loss.name)...)
}

// words says the result in plain words.
func (job *cvJob) words(report *eval.Report) []string {
	classes := job.frame.Classes
	v := verdict{classes, job.prefs, job.loss.name, job.fit.Search.Floors, "new rows", report}
	lines := foldWords(classes, report.WeightsByFold, job.frame.ClassWeights(), job.fit.Forest.Resolved(1).Trees, job.prefs)
	return slices.Concat(lines, v.words(), []string{v.optimism()})
}

func (p *program) showCV(job *cvJob, to *page, report *eval.Report) error {
	words := job.words(report)
	switch job.format {
	case "json":
		out := cvResult{
			SchemaVersion: schemaVersion, Command: "cv", Data: describe(job.name, job.frame),
			Settings: job.settings(), Report: *report, Warnings: texts(job.frame.Warnings, report.Warnings), Words: words,
		}
		return p.writeJSON(out)
	case "csv":
		return p.rulesCSV(job.frame.Classes, &report.Rules)
	}
	showRules(to, job.frame.Classes, job.prefs, medianWeights(job.frame.Classes, report.WeightsByFold), job.loss.name, report)
	to.say(words...)
	return nil
}
