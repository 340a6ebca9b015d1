package codes

// The sets of rows.
const (
	NewRows     = "new"          // rows that a cross-validation speaks of
	GivenRows   = "given"        // the rows that a model was judged on
	LatestBlock = "latest_block" // of rows in the order of time, those judged by the training on most rows
	AllBlocks   = "all_blocks"   // of rows in the order of time, all that were judged
	MixedRows   = "mixed"        // rows that have a time, judged by trees that knew later ones
)
