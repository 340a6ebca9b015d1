package main

import (
	_ "embed" // for the scripts of the peers
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

// set is a benchmark set of sets.py.
type set struct {
	name  string
	model bool // also measure the model's file and single rows
}

func (s set) title() string { return s.name }

var plan = []set{
	{"letter", true}, {"satimage", false}, {"covtype_20k", false},
	{"wave-5k", false}, {"wave-50k", false}, {"wave-500k", false},
	{"fraud", false}, {"fraud_simulated", false}, {"wide", false},
}

// side is a program under measurement.
type side struct {
	name    string
	runs    language
	install string // the command that would install it
}

func (s side) title() string { return s.name }

// language is what a side is run by.
type language int

const (
	byGo language = iota
	byPython
	byR
)

// us is the name of our side.
const us = "rfpragma"

// The two that grow the same forest as we do, whose memory and votes ours are held against.
var references = []string{"scikit-learn", "ranger"}

// sides begins with ours.
var sides = []side{
	{us, byGo, ""},
	{"scikit-learn", byPython, "python3 -m pip install scikit-learn"},
	{"ranger", byR, `Rscript -e 'install.packages("ranger")'`},
	{"randomForest", byR, `Rscript -e 'install.packages("randomForest")'`},
	{"ydf", byPython, "python3 -m pip install ydf"},
	{"ydf-bins", byPython, "python3 -m pip install ydf"},
	{"lightgbm", byPython, "python3 -m pip install lightgbm"},
	{"xgboost", byPython, "python3 -m pip install xgboost"},
}

// The scripts go to the interpreters by standard input, so the command runs in any folder.
var (
	//go:embed side.py
	sidePython string
	//go:embed side.R
	sideR string
)
