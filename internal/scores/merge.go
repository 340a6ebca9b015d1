package scores

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/vote"
)

// Merge merges classes as options Merge and Positive have it, and refuses what is no class of the votes of that name.
func Merge(t *vote.Table, o dataset.Options, name string) (*vote.Table, error) {
	if o.Merge == nil && o.Positive == "" {
		return t, nil
	}
	names := slices.Clone(t.Classes)
	for _, class := range slices.Sorted(maps.Keys(o.Merge)) {
		for _, label := range o.Merge[class] {
			at := slices.Index(t.Classes, label)
			if at < 0 {
				return nil, refused("merge-labels", name, nearest.Unknown("class", label, t.Classes))
			}
			names[at] = class
		}
	}
	if o.Positive != "" && !slices.Contains(names, o.Positive) {
		return nil, refused("positive", name, nearest.Unknown("class", o.Positive, names))
	}
	for c, class := range names {
		if o.Positive != "" && class != o.Positive {
			names[c] = csvtext.RestOf(o.Positive)
		}
	}
	if t = t.Merge(names); len(t.Classes) < 2 {
		return nil, refused("merge-labels", name, fmt.Errorf("all classes have become %s; leave two at least",
			english.Quote(t.Classes[0])))
	}
	return t, nil
}

func refused(flag, name string, err error) error {
	return &dataset.UsageError{Text: option.Text(fmt.Sprintf("{%s}: %s: %v", flag, name, err))}
}
