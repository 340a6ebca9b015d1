package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
)

// settingWords names the settings of a forest that are searched.
func settingWords(f forest.Config) string {
	leaf := ""
	if f.MinLeaf > 1 {
		leaf = fmt.Sprintf(", leaves of %d rows", f.MinLeaf)
	}
	return fmt.Sprintf("mtry %d%s%s", f.Mtry, leaf, growthWords(f))
}

// choiceWords say which settings of the forest were chosen, and what that gained; "" where they were given.
func choiceWords(m *rfpragma.Model) string {
	r := &m.Provenance
	how := r.ForestChoice
	switch {
	case how == nil:
		return ""
	case how.Kept:
		return fmt.Sprintf("Of %d settings of the forest none was proven better than the given one.", how.Settings)
	}
	f := r.Growth()
	return fmt.Sprintf("Forest chosen of %d settings: %s; held-out log loss %s instead of %s, %s %s instead of %s.", how.Settings, settingWords(f),
		lossText(how.LogLoss), lossText(how.GivenLogLoss), r.Measure, lossText(how.Loss), lossText(how.GivenLoss))
}

// chosenForests counts the settings that the trainings of a cross-validation chose.
type chosenForests struct {
	times map[string]int
	all   int
}

func (f *chosenForests) add(settings forest.Config, _ rfpragma.ForestChoice) {
	if f.times == nil {
		f.times = map[string]int{}
	}
	f.times[settingWords(settings)]++
	f.all++
}

// words say how often which settings were chosen; "" where none were.
func (f *chosenForests) words() string {
	if f.all == 0 {
		return ""
	}
	var names []string
	for name := range f.times {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(f.times[b], f.times[a]), cmp.Compare(a, b)) })
	const most = 3
	var shown []string
	for i, name := range names {
		if i == most && len(names) > most+1 {
			shown = append(shown, fmt.Sprintf("%d others", len(names)-most))
			break
		}
		shown = append(shown, fmt.Sprintf("%s (%d)", name, f.times[name]))
	}
	return fmt.Sprintf("Forests chosen in %s: %s.", english.Plural(f.all, "training"), strings.Join(shown, "; "))
}

// tuneForest reads whether the settings of the forest are chosen. Those that were typed stay.
func tuneForest(c *cli.Context, cfg *rfpragma.Config) error {
	how := rfpragma.TuneForest(c.String("tune-forest"))
	switch how {
	case rfpragma.TuneOff:
		cfg.TuneForest = how
		return nil
	case "", rfpragma.TuneQuick, rfpragma.TuneFull:
	default:
		return usagef("--tune-forest %s; choose off, quick or full", english.Quote(string(how)))
	}
	cfg.TuneForest = how
	if !c.IsSet("min-leaf") {
		cfg.Forest.MinLeaf = 0
	}
	if !c.IsSet("criterion") {
		cfg.Forest.Criterion = ""
	}
	return nil
}
