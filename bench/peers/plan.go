package main

import (
	_ "embed" // for the scripts of the peers
	"fmt"
	"slices"
)

// named is what a flag can name.
type named interface{ title() string }

func names[T named](all []T) []string {
	list := make([]string, len(all))
	for i, x := range all {
		list[i] = x.title()
	}
	return list
}

// table is what is measured and shown together.
type table struct {
	name       string // as -table names it
	mark       string // of the lines in the page that it stands between
	file       string // of results
	sets       []set
	sides      []side   // ours first
	references []string // the peers whose memory and votes ours are held against, beside the fastest
	report     func(table, []result) (string, error)
}

func (t table) title() string { return t.name }

// peers returns the sides that are not ours.
func (t table) peers() []side { return slices.DeleteFunc(slices.Clone(t.sides), side.ours) }

// set is a benchmark set of sets.py.
type set struct {
	name  string
	model bool // also measure the model's file and, where that is offered, single rows
	folds bool // the seeds are folds: each has another part of the rows to test on
}

func (s set) title() string { return s.name }

// side is a program under measurement, or a setting of one, then written PROGRAM:SETTING.
type side struct {
	name    string
	runs    language
	install string // the command that would install it
}

func (s side) title() string { return s.name }

// ours tells whether it is our program, in whatever language it is asked.
func (s side) ours() bool { return programOf(s.name) == us }

// language is what a side is run by.
type language int

const (
	byUs language = iota
	byPython
	byR
	byGo // a Go module of its own, foreign
)

// us is the name of our side.
const us = "rfpragma"

// tuned is the name of our side where it is asked for more than a forest: weights and maps too.
const tuned = us + ":tuned"

// byEntropy is the name of our side where it splits by entropy, as YDF does.
const byEntropy = us + ":entropy"

// The names of our side where it is the estimator of the package for Python, asked for the forest alone, or for all.
const (
	python      = us + ":python"
	pythonTuned = us + ":python-tuned"
)

// The commands that install peers. This program runs none of them.
const (
	pip   = "python3 -m pip install "
	cran  = `Rscript -e 'install.packages("%s")'`
	goGet = "go -C foreign mod download"
)

// tables are all there are.
var tables = []table{
	{
		"forests", "peers", "results.csv",
		[]set{
			{"letter", true, false}, {"satimage", false, false}, {"covtype_20k", false, false},
			{"wave-5k", false, false}, {"wave-50k", false, false}, {"wave-500k", false, false},
			{"fraud", false, false}, {"fraud_simulated", false, false}, {"wide", false, false},
		},
		[]side{
			{us, byUs, ""},
			{byEntropy, byUs, ""},
			{"scikit-learn", byPython, pip + "scikit-learn"},
			{"ranger", byR, fmt.Sprintf(cran, "ranger")},
			{"randomForest", byR, fmt.Sprintf(cran, "randomForest")},
			{"ydf", byPython, pip + "ydf"},
			{"ydf-bins", byPython, pip + "ydf"},
			{"lightgbm", byPython, pip + "lightgbm"},
			{"xgboost", byPython, pip + "xgboost"},
		},
		[]string{"scikit-learn", "ranger"}, // they grow the same forest as we do
		report,
	},
	{
		"go", "peers-go", "go.csv",
		[]set{{"letter", true, false}, {"satimage", true, false}, {"wave-5k", true, false}},
		[]side{
			{us, byUs, ""},
			{"malaschitz", byGo, goGet},
			{"CloudForest", byGo, goGet},
			{"wlattner", byGo, goGet},
		},
		[]string{"malaschitz", "CloudForest", "wlattner"},
		report,
	},
	{
		"rare", "peers-rare", "rare.csv",
		[]set{
			{"satimage_4", true, true}, {"mammography", true, true}, {"oil_spill", true, true}, {"hypothyroid", true, true},
			{"ann_thyroid", true, true}, {"churn", true, true}, {"car_claims_fraud", true, true}, {"fraud_20k", true, true},
		},
		[]side{
			{tuned, byUs, ""},
			{us, byUs, ""},
			{"scikit-learn", byPython, pip + "scikit-learn"},
			{"scikit-learn:balanced", byPython, pip + "scikit-learn"},
			{"scikit-learn:balanced_subsample", byPython, pip + "scikit-learn"},
			{"scikit-learn:threshold", byPython, pip + "scikit-learn"},
			{"scikit-learn:isotonic", byPython, pip + "scikit-learn"},
			{"scikit-learn:sigmoid", byPython, pip + "scikit-learn"},
			{"imbalanced-learn:balanced", byPython, pip + "imbalanced-learn"},
			{"randomForest", byR, fmt.Sprintf(cran, "randomForest")},
			{"randomForest:cutoff", byR, fmt.Sprintf(cran, "randomForest")},
			{"randomForest:sampsize", byR, fmt.Sprintf(cran, "randomForest")},
			{"randomForest:classwt", byR, fmt.Sprintf(cran, "randomForest")},
			{"ranger", byR, fmt.Sprintf(cran, "ranger")},
			{"ranger:class.weights", byR, fmt.Sprintf(cran, "ranger")},
			{"ranger:case.weights", byR, fmt.Sprintf(cran, "ranger")},
			{"ranger:sample.fraction", byR, fmt.Sprintf(cran, "ranger")},
			{"ydf", byPython, pip + "ydf"},
			{"ydf:weights", byPython, pip + "ydf"},
			{"lightgbm:weights", byPython, pip + "lightgbm"},
			{"xgboost:weights", byPython, pip + "xgboost"},
			{"CloudForest:balance", byGo, goGet},
			{"CloudForest:rfweights", byGo, goGet},
		},
		nil,
		rareReport,
	},
	{
		"python", "peers-python", "python.csv",
		[]set{{"letter", false, false}, {"payments-100k", false, false}},
		[]side{
			{us, byUs, ""},
			{python, byPython, pip + "../python"},
			{tuned, byUs, ""},
			{pythonTuned, byPython, pip + "../python"},
			{"scikit-learn", byPython, pip + "scikit-learn"},
		},
		nil,
		pythonReport,
	},
}

// The scripts go to the interpreters by standard input, so the command runs in any folder.
var (
	//go:embed side.py
	sidePython string
	//go:embed side.R
	sideR string
)
