package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/nearest"
)

// FlagsElsewhere are the flags that people know from other programs, and those that do the same here, of which
// the first counts that the verb has.
var FlagsElsewhere = map[string][]string{
	"label": {"target"}, "response": {"target"}, "pos-label": {"positive"}, "delimiter": {"sep"},
	"na-values": {"missing"}, "drop": {"ignore"}, "exclude": {"ignore"}, "factor": {"categorical"},
	"sample-weight": {"weight"}, "n-estimators": {"trees"}, "ntree": {"trees"}, "num-trees": {"trees"},
	"max-features": {"mtry"}, "min-samples-leaf": {"min-leaf"}, "nodesize": {"min-leaf"}, "max-leaf-nodes": {"max-leaves"},
	"k": {"folds"}, "metric": {"measure"}, "scoring": {"measure"}, "threshold": {"cutoff"}, "priors": {"prevalence"},
	"recall": {"require 'CLASS:recall>=0.9'"}, "precision": {"require 'CLASS:precision>=0.2'"},
	"sensitivity": {"require 'CLASS:recall>=0.9'"}, "specificity": {"require 'CLASS:fpr<=0.1'"},
	"alerts":       {"require 'CLASS:alerts<=5/1000'"},
	"random-state": {"seed"}, "jobs": {"threads"}, "n-jobs": {"threads"}, "save": {"output"},
	"html": {"report FILE", "output"}, "json": {"format json"}, "predictions": {"decisions", "output"},
	"explain": {"reasons", "shap"}, "why": {"reasons"}, "counterfactual": {"change"}, "whatif": {"change"},
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
	if flag != name {
		return fmt.Sprintf(" here, but %s of %s", write(flag), strings.Join(with, ", "))
	}
	if app.Command(flag) != nil { // report
		with = append(with, "and there is rfpragma "+flag)
	}
	return " here, but of " + strings.Join(with, ", ")
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
