package codes

// The actions. A front end words each in its own terms: flags, fields of a request, buttons.
const (
	Require      = "require"       // require that Figure of Class keeps Limit
	TakeWeights  = "take_weights"  // take the weights called Name: plain, prior or cost
	TakeMeasure  = "take_measure"  // tune by the measure called Name
	IgnoreColumn = "ignore_column" // leave Column out
	MoreRows     = "more_rows"     // train or tune on more rows, of Class if it is named
	Recalibrate  = "recalibrate"   // fit the map from votes to probabilities to recent labelled rows
	KeepModel    = "keep_model"    // keep the model as it is
	OtherChoice  = "other_choice"  // take one of the other operating points
	ByTime       = "by_time"       // have later rows judged by earlier ones, in the order of Column
	TakeList     = "take_list"     // look into the likeliest rows of Class, such a share of all rows as Limit
	BeSure       = "be_sure"       // have what is required hold on new rows with a confidence
	OwnVotes     = "own_votes"     // test how surely on the votes that weights are searched on, and keep no rows apart
	Lowest       = "lowest"        // take the weights of the lowest loss, proved or not
)
