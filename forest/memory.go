package forest

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
)

// Memory estimates the bytes that growing takes at its peak, besides the frame: at least, and at most, which is
// if every tree had a leaf for every row of its bag. Most trees take a tenth to a third of that, more if the
// classes overlap more. Between the two, [Config.MaxMemory] is checked as trees grow.
func Memory(train *dataset.Frame, c Config) (least, most int64) {
	c = c.Resolved(len(train.Columns))
	n, p, k := int64(train.Rows()), int64(len(train.Columns)), int64(len(train.Classes))
	workers := int64(min(c.Workers, max(1, c.Trees)))
	grown, copies := n, int64(1) // rows that a worker grows on; of the nodes
	m, hash := c.Bag.Rows()
	if hash {
		grown, copies = min(n, int64(m)), 2 // apart, and then together
	}
	least = n*(12+4*k) + workers*(grown*scratchLeast+4*k*maxBins)
	most = least + workers*(grown*(scratchMost-scratchLeast)+vectorMemory(grown))
	if c.Criterion == Entropy { // its table
		most += workers * 8 * (mostTable + 1)
	}
	if hash { // a table of its own
		least, most = least+workers*2*grown*p, most+workers*16*grown*p
	}
	reorders := c.reorders(int(n), int(p))
	surely := reorders && train.Weight == nil && c.ClassWeight == nil && !c.turns(train)
	if reorders {
		most += n * (12 + scratchLeast + 4*k + 4*workers) // ids twice, a grower, votes by place, and spare columns
	}
	if surely {
		least += n * 4
	}
	rows := make([]int64, k)
	for _, c := range train.Truth {
		if 0 <= c && c < len(rows) {
			rows[c]++
		}
	}
	chains := len(rows) > 0 && areChains(n, slices.Max(rows))
	if chains && grown > hugeRows {
		// where the rows of each code end, those of rare classes, bags of several trees, stacks
		most += workers * (4 + 2 + batchTrees + 12) * grown
	}
	for j := range train.Columns {
		col := &train.Columns[j]
		if col.Codes == nil && !hash {
			least, most = least+2*n, most+12*n // codes, and at most as many different values
		} else if reorders {
			most += 4 * n // codes by place
			if surely {
				least += 2 * n
			}
		}
		if levels := int64(len(col.Levels)); levels > int64(c.SubsetLevels) && !c.RandomCuts {
			if k > 2 { // counts, see turned.go
				least, most = least+workers*grown, most+workers*(grown+(levels+1)*rateStride*8*(2*k+4))
			} else { // codes by rates
				least, most = least+workers*2*grown, most+workers*(8*grown+(levels+1)*(rateStride*20+8))
			}
		}
		if col.Kind == dataset.Numeric && grown > hugeRows && k*p <= mostKept {
			most += workers * int64(keptLevels(int(k), int(p))) * 4 * k << hugeBits // counts that are kept
			if chains {
				most += 5*n + workers*2*batchTrees<<hugeBits // the order of the rows, their bins, and counts of several trees
			}
		}
	}
	leaves := grown
	if c.MaxLeaves > 0 {
		leaves = min(grown, int64(c.MaxLeaves))
	}
	return least, most + 2*leaves*(copies*nodeBytes*int64(c.Trees)+draftBytes*workers)
}

// turns tells whether nodes may order the levels of a column anew.
func (c Config) turns(train *dataset.Frame) bool {
	return len(train.Classes) > 2 && slices.ContainsFunc(train.Columns,
		func(col dataset.Column) bool { return len(col.Levels) > c.SubsetLevels })
}

const (
	scratchLeast = 16 // bytes of a worker for each row: draws, and the rows in the bag and out of it,
	scratchMost  = 72 // and with what it needs to part the root, to sort all its rows, and to find them in order
	nodeBytes    = 8
	draftBytes   = 16 // of a node while its tree grows
)

// checkMemory is ErrMemory if the growing cannot fit into c.MaxMemory.
func (c Config) checkMemory(train *dataset.Frame) error {
	least, most := Memory(train, c)
	if c.MaxMemory <= 0 || least <= c.MaxMemory {
		return nil
	}
	return fmt.Errorf("%w: growing needs at least %s, at most %s, and may take %s; use fewer threads, or a part of the "+
		"rows",
		ErrMemory, megabytes(least), megabytes(most), megabytes(c.MaxMemory))
}

// foresee is ErrMemory if so many trees will not fit beside base bytes, given the nodes of those that are grown.
func (c Config) foresee(base, nodes, grown int64, trees int) error {
	need := base + nodes/grown*int64(trees)*nodeBytes
	if c.MaxMemory <= 0 || need <= c.MaxMemory {
		return nil
	}
	return fmt.Errorf("%w: %d trees of about %d nodes need about %s, and may take %s; grow fewer or smaller trees (a "+
		"larger smallest leaf, a limit of leaves), or use fewer threads",
		ErrMemory, trees, nodes/grown, megabytes(need), megabytes(c.MaxMemory))
}

func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", (bytes+999_999)/1_000_000) }
