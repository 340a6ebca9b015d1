package codes

// The units.
const (
	Share  = "share"  // from 0 to 1
	Rows   = "rows"   // number of rows, or sum of case weights
	Loss   = "loss"   // of the measure that was asked for
	Cost   = "cost"   // in the unit of the costs
	Area   = "area"   // under the ROC curve
	Index  = "index"  // population stability index
	Groups = "groups" // number of groups
	Blocks = "blocks" // number of blocks of time
	Trees  = "trees"  // number of trees
)
