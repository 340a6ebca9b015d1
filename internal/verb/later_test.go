package verb

import "github.com/rfpragma/rfpragma/eval"

// blocksOfRecall are blocks in which so many of 100 rows of "ill" are found, after one that is not judged.
func blocksOfRecall(found ...float64) []eval.Block {
	blocks := []eval.Block{{}}
	for _, n := range found {
		blocks = append(blocks, eval.Block{Rows: 1000, Classes: map[string]eval.Class{"ill": foundOf(n, 100)}})
	}
	return blocks
}
