package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// VerbsElsewhere are the verbs that people know from other programs, and those that do the same here.
var VerbsElsewhere = map[string]string{
	"fit": "train", "learn": "train", "build": "train",
	"validate": "cv", "cross-validate": "cv", "cross-validation": "cv", "crossval": "cv", "xval": "cv", "demo": "cv",
	"example": "cv",
	"score":   "predict", "apply": "predict", "classify": "predict", "infer": "predict", "decide": "predict",
	"why": "predict", "reasons": "predict",
	"test": "evaluate", "assess": "evaluate", "judge": "evaluate", "metrics": "evaluate",
	"optimize": "tune", "optimise": "tune", "threshold": "tune", "weights": "tune",
	"show": "inspect", "describe": "inspect", "summary": "inspect", "info": "inspect", "explore": "inspect",
	"look":    "inspect",
	"explain": "importance", "features": "importance", "varimp": "importance",
	"plot": "report", "chart": "report", "draw": "report", "html": "report",
	"simulate": "generate", "sample": "generate",
	"download": "data", "fetch": "data", "get": "data", "list": "data",
	"vote": "tally", "count": "tally", "combine": "merge", "join": "merge",
	"docs": "man", "manual": "man",
}

// FlagsElsewhere are the flags that people know from other programs, and those that do the same here, of which
// the first counts that the verb has.
var FlagsElsewhere = map[string][]string{
	"label": {"target"}, "labels": {"target"}, "y": {"target"}, "response": {"target"}, "outcome": {"target"},
	"class":     {"target"},
	"pos-label": {"positive"}, "delimiter": {"sep"}, "delim": {"sep"}, "d": {"sep"},
	"na": {"missing"}, "na-values": {"missing"}, "na-strings": {"missing"}, "null": {"missing"},
	"drop": {"ignore"}, "exclude": {"ignore"}, "skip": {"ignore"}, "factor": {"categorical"}, "factors": {"categorical"},
	"nominal":       {"categorical"},
	"sample-weight": {"weight"}, "case-weights": {"weight"},
	"n-estimators": {"trees"}, "ntree": {"trees"}, "ntrees": {"trees"}, "num-trees": {"trees"}, "max-features": {"mtry"},
	"min-samples-leaf": {"min-leaf"}, "nodesize": {"min-leaf"}, "min-node-size": {"min-leaf"}, "maxnodes": {"max-leaves"},
	"max-leaf-nodes": {"max-leaves"},
	"splitrule":      {"criterion"}, "extra-trees": {"random-cuts"}, "extratrees": {"random-cuts"},
	"respect-unordered-factors": {"subset-levels"}, "max-cat-to-onehot": {"subset-levels"},
	"k": {"folds"}, "nfolds": {"folds"}, "cv": {"folds"},
	"metric": {"measure"}, "scoring": {"measure"}, "loss": {"measure"}, "cost-matrix": {"costs"},
	"threshold": {"cutoff"}, "thresholds": {"cutoff"}, "floor": {"require"}, "constraint": {"require"},
	"priors": {"prevalence"},
	"recall": {"require 'CLASS:recall>=0.9'"}, "sensitivity": {"require 'CLASS:recall>=0.9'"},
	"tpr":       {"require 'CLASS:recall>=0.9'"},
	"precision": {"require 'CLASS:precision>=0.2'"}, "ppv": {"require 'CLASS:precision>=0.2'"},
	"specificity": {"require 'CLASS:fpr<=0.1'"}, "fpr": {"require 'CLASS:fpr<=0.1'"},
	"alerts": {"require 'CLASS:alerts<=50/10000'"}, "alarms": {"require 'CLASS:alerts<=50/10000'"},
	"random-state": {"seed"}, "random-seed": {"seed"},
	"j": {"threads"}, "jobs": {"threads"}, "n-jobs": {"threads"}, "num-threads": {"threads"}, "cores": {"threads"},
	"workers": {"threads"}, "cpus": {"threads"},
	"outfile": {"output"}, "save": {"output"}, "html": {"report FILE", "output"}, "png-dir": {"figures"},
	"png": {"figures"}, "plots": {"figures"},
	"json": {"format json"}, "csv": {"format csv"}, "markdown": {"format markdown"}, "silent": {"quiet"},
	"predictions": {"decisions", "output"}, "save-predictions": {"decisions", "output"}, "save-pred": {"decisions",
		"output"}, "oof": {"decisions"},
	"head": {"top"}, "limit": {"top"}, "n-largest": {"top"}, "capacity": {"top"},
	"explain": {"reasons"}, "why": {"reasons"}, "reason-codes": {"reasons"}, "shap": {"reasons"},
	"contributions": {"reasons"}, "pred-contribs": {"reasons"},
}

// mapsElsewhere are maps to probabilities by other names, and ours.
var mapsElsewhere = map[string]calib.Method{
	"sigmoid": calib.PlattLogit, "logistic": calib.PlattLogit, "pav": calib.IsotonicLinear,
	"temperature-scaling": calib.Temperature, "sms": calib.Matrix, "matrix-scaling": calib.Matrix,
	"yes": calib.Auto, "true": calib.Auto, "no": calib.None, "false": calib.None, "off": calib.None,
}

// ParseMap reads --calibrate.
func ParseMap(c *urfave.Context) (calib.Method, error) {
	name := c.String("calibrate")
	method, err := calib.Parse(name)
	if meant := mapsElsewhere[strings.ToLower(name)]; err != nil && meant != "" {
		return "", Usagef("--calibrate %s; did you mean %s? rfpragma help maps tells of each", english.Quote(name), meant)
	}
	if err != nil {
		return "", Usagef("--calibrate: %w", err)
	}
	return method, nil
}

// filesElsewhere are flags that name files in other programs.
var filesElsewhere = []string{"f", "file", "filename", "data", "i", "input", "m", "model"}

// flagWord is the name of a flag as FlagsElsewhere has it.
func flagWord(name string) string {
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
}

// flagHint says what a flag that is none of the verb's, which has the known ones, probably meant: the nearest of
// these, of what other programs call them, and of those that other verbs have. They are named as write writes them.
func flagHint(app *urfave.App, command *urfave.Command, known []string, write func(string) string, name string) string {
	word := flagWord(name)
	if slices.Contains(filesElsewhere, word) && (strings.Contains(command.ArgsUsage, "DATA") ||
		strings.Contains(command.ArgsUsage, ".csv")) {
		return fmt.Sprintf(": files stand on the command line, without a flag: rfpragma %s %s", command.Name,
			command.ArgsUsage)
	}
	own, others := Meanings(known), Meanings(Anywhere(app))
	near := NearestFlag(word, write, own, others)
	if slices.Contains([]string{"prefer", "ask", "prefer-file"}, near) && own[near] == "" &&
		strings.HasPrefix(command.ArgsUsage, "MODEL") {
		return ": the preference is in the model, and rfpragma tune gives it another one"
	}
	if meant := own[near]; meant != "" {
		return fmt.Sprintf(" (did you mean %q?)", write(meant))
	}
	flag, _, _ := strings.Cut(others[near], " ")
	if flag == "" {
		return ""
	}
	with := verbsWith(app, flag)
	if flag == "withhold" {
		return fmt.Sprintf(": a model decides all rows; give --%s to %s", flag, strings.Join(with, ", "))
	}
	if flag != name {
		return fmt.Sprintf(" here, but %s of %s", write(flag), strings.Join(with, ", "))
	}
	if app.Command(flag) != nil { // report
		with = append(with, "and there is rfpragma "+flag)
	}
	hint := " here, but of " + strings.Join(with, ", ")
	if flag == "weights" && command.Name == "cv" {
		hint += "; cv judges plain and prior weights, and where costs are given cost weights, beside the tuned ones"
	}
	return hint
}

// Meanings are flags by the names that people may give them: their own, and those of other programs.
func Meanings(flags []string) map[string]string {
	meant := map[string]string{}
	for word, all := range FlagsElsewhere {
		for _, m := range slices.Backward(all) { // the first counts
			if flag, _, _ := strings.Cut(m, " "); slices.Contains(flags, flag) {
				meant[word] = m
			}
		}
	}
	for _, flag := range flags {
		meant[flag] = flag
	}
	return meant
}

// NearestFlag returns the name nearest to a word, of equals one of the first list, and there a flag's own. Other
// names, which are many, must be like the word without its dashes, and short ones be the word.
func NearestFlag(word string, write func(string) string, lists ...map[string]string) string {
	var names []string
	for i, meant := range lists {
		for _, foreign := range []bool{false, true} {
			for _, name := range slices.Sorted(maps.Keys(meant)) {
				own := i == 0 && !foreign
				if foreign == (meant[name] != name) && (own || name == word || len(name) > 3 &&
					nearest.Of(word, []string{name}) != "") {
					names = append(names, name)
				}
			}
		}
	}
	written := make([]string, len(names))
	for i, name := range names {
		written[i] = write(name)
	}
	if at := slices.Index(written, nearest.Of(write(word), written)); at >= 0 {
		return names[at]
	}
	return ""
}

// verbsWith are the verbs that have a flag.
func verbsWith(app *urfave.App, flag string) []string {
	var with []string
	for _, c := range app.Commands {
		if FlagNamed(c.Flags, flag) != nil {
			with = append(with, c.Name)
		}
	}
	return with
}

// fileHint says what an address is to be made of, which file of the folder was probably meant where there is none of
// that name, else in which folder it was looked for.
func fileHint(err error, path string) string {
	if !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if strings.Contains(path, "://") {
		return " (an address is not read: download it first, or pipe it in, with - in its place)"
	}
	folder, name := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf(" (there is no folder %.256q)", folder)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	if near := nearest.Of(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %.256q?)", folder+near)
	}
	whole, err := filepath.Abs(folder)
	if err != nil || filepath.IsAbs(path) {
		return ""
	}
	return fmt.Sprintf(" (looked in %.256s)", whole)
}

// NoVerb says that there is no such verb.
func NoVerb(app *urfave.App, word string) error {
	if slices.Contains(TopicNames(), word) {
		return Usagef("%s is a topic of help and no verb; write rfpragma help %[1]s", word)
	}
	if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
		return Usagef("%.256s is a file, and what to do with it comes first, as in rfpragma inspect %s", word,
			csvtext.Quoted(word))
	}
	return Usagef("there is no verb %s%s; choose one of %s", english.Quote(word), verbHint(word, Verbs(app)),
		strings.Join(Verbs(app), ", "))
}

// NoHelp says that there is no help on a word.
func NoHelp(app *urfave.App, word string) error {
	known := slices.Concat(Verbs(app), TopicNames())
	return Usagef("there is no help on %s%s; there is on the verbs %s, and on the topics %s", english.Quote(word),
		verbHint(word, known), strings.Join(Verbs(app), ", "), strings.Join(TopicNames(), ", "))
}

func verbHint(word string, known []string) string {
	if meant := VerbsElsewhere[strings.ReplaceAll(strings.ToLower(word), "_", "-")]; meant != "" {
		return fmt.Sprintf(" (did you mean %q?)", meant)
	}
	return nearest.Hint(word, known)
}

// TopicNames are those of the pages of help that are no verbs.
func TopicNames() []string {
	var names []string
	for _, t := range Topics() {
		names = append(names, t.Name)
	}
	return names
}
