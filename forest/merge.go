package forest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
)

// ErrMerge is wrapped by the errors of [Merge].
var ErrMerge = errors.New("merge")

// First returns the number of the first tree: 0, unless the forest was grown as a part.
func (f *Forest) First() int { return f.first }

// Merge joins parts of one forest, as [GrowTrees] returns them, in any order. The result equals, byte for byte,
// the forest grown in one go. The tree numbers must be consecutive, and the trees must come from the same data
// under the same settings; else Merge returns [ErrMerge].
func Merge(parts ...*Forest) (*Forest, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("%w: no forests", ErrMerge)
	}
	if slices.Contains(parts, nil) {
		return nil, fmt.Errorf("%w: no forest among the parts", ErrMerge)
	}
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b *Forest) int { return cmp.Compare(a.first, b.first) })
	for i, f := range parts[1:] {
		if err := parts[i].precedes(f); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrMerge, err)
		}
	}
	whole := *parts[0]
	whole.trees, whole.shares, whole.gain = nil, nil, make([]uint64, len(whole.cuts))
	whole.cuts = mergeCuts(parts)
	whole.index()
	k := len(whole.Classes)
	for _, f := range parts {
		whole.shares = append(whole.shares, f.shares...)
		for j, gain := range f.gain {
			whole.gain[j] += gain
		}
	}
	whole.layout = whole.smallestLayout()
	sets, shares := make([]int, len(whole.cuts)), 0
	for _, f := range parts {
		whole.trees = append(whole.trees, f.moved(&whole, sets, shares)...)
		for j := range f.cuts {
			sets[j] += f.cuts[j].count()
		}
		shares += len(f.shares) / k
	}
	return &whole, nil
}

// mergeCuts returns the cuts of all parts: of numeric features all thresholds, each once; of
// categorical ones all sets, those of the earlier parts first.
func mergeCuts(parts []*Forest) []cuts {
	all := make([]cuts, len(parts[0].cuts))
	for j, field := range parts[0].Schema {
		if field.Kind == dataset.Categorical {
			all[j] = newSets(len(field.Levels))
		}
		for _, f := range parts {
			c := &f.cuts[j]
			all[j].at = append(all[j].at, c.at...)
			all[j].bits = append(all[j].bits, c.bits...)
			for i := range max(0, len(c.starts)-1) {
				all[j].add(c.set(uint32(i)))
			}
		}
		slices.Sort(all[j].at)
		all[j].at = slices.Clip(slices.Compact(all[j].at))
	}
	return all
}

// moved returns the trees of f as those of whole, which has so many sets and lists of shares of
// parts before.
func (f *Forest) moved(whole *Forest, sets []int, shares int) [][]node {
	to := make([][]uint32, len(f.cuts)) // by feature, the numbers of the cuts in whole
	for j := range f.cuts {
		to[j] = make([]uint32, f.cuts[j].count())
		for i := range to[j] {
			to[j][i] = uint32(sets[j] + i)
		}
		for i, v := range f.cuts[j].at {
			at, _ := slices.BinarySearch(whole.cuts[j].at, v)
			to[j][i] = uint32(at)
		}
	}
	l, p, k := f.layout, len(f.cuts), uint32(len(f.Classes))
	trees := make([][]node, len(f.trees))
	for t, nodes := range f.trees {
		trees[t] = make([]node, len(nodes))
		for i, n := range nodes {
			feature, cut := l.featureOf(n), l.cut(n)
			switch {
			case int(feature) < p:
				cut = to[feature][cut]
			case cut >= k:
				cut += uint32(shares)
			}
			trees[t][i] = whole.layout.pack(cut, feature, n.missing() != 0, n.child())
		}
	}
	return trees
}

// precedes says why the trees of next cannot follow upon those of f.
func (f *Forest) precedes(next *Forest) error {
	end := f.first + len(f.trees)
	switch {
	case f.origin != next.origin || !slices.Equal(f.Classes, next.Classes) || !slices.Equal(f.Ties, next.Ties) ||
		!slices.EqualFunc(f.Schema, next.Schema, sameField):
		return fmt.Errorf("the trees from %d on and those from %d on were grown on other data or with other settings",
			f.first, next.first)
	case next.first < end:
		return fmt.Errorf("tree %d is there twice", next.first)
	case next.first > end:
		return fmt.Errorf("trees %d to %d are missing", end, next.first-1)
	default:
		return nil
	}
}

func sameField(a, b dataset.Field) bool {
	return a.Name == b.Name && a.Kind == b.Kind && slices.Equal(a.Levels, b.Levels)
}
