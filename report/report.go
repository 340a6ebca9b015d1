// Package report puts what is known of the decisions of a model on one page: an HTML file that needs nothing but itself, with
// charts, the tables behind them, and what they say in words.
//
// [New] makes a [Report] of the outcome of package eval, and [Report.WriteHTML] the page. A report is data: its JSON is in the page, and
// the script there, which draws the charts, knows nothing else. The size of both depends on the classes, not on the rows.
package report

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// SchemaVersion is the version of the JSON of a [Report]. It changes when a field changes its meaning or goes.
const SchemaVersion = 1

// Report is all that a page shows.
type Report struct {
	SchemaVersion int      `json:"schema_version"` // the version of this JSON
	Title         string   `json:"title"`          // what it is about
	About         []string `json:"about"`          // of which rows, by which trees
	Asked         []string `json:"asked"`          // what was asked for beside a preference, in words
	Required      []string `json:"required"`       // what comes before the loss, as --require takes it
	Preferred     bool     `json:"preferred"`      // whether there is a preference
	Summary       []string `json:"summary"`        // the result in plain words, as short as can be
	Details       []string `json:"details"`        // what else there is to say
	Warnings      []string `json:"warnings"`       // what to know before it is trusted
	Measure       string   `json:"measure"`        // name of the loss that is lowered
	Rule          string   `json:"rule"`           // what the rule of the weights is called where it is shown: tuned, or given where they were not searched for
	Trees         int      `json:"trees"`          // votes a row can get at most
	Unit          string   `json:"unit"`           // what numbers of rows are: rows, or case weight, of which they are sums, see eval.Unit

	Key     []Key   `json:"key"`     // what the page begins with: costs, if these are lowered, then recall and precision of the classes that matter most
	Classes []Class `json:"classes"` // in the order of the matrices
	First   int     `json:"first"`   // the class that is shown first, from 0; it has no charts where none has

	Costs      Table              `json:"costs"`      // what each decision costs, where that takes a table
	Tables     []Table            `json:"tables"`     // figures side by side, as text
	Confusion  Confusion          `json:"confusion"`  // matrices, a line for each true class
	Mistakes   Table              `json:"mistakes"`   // the largest confusions
	Folds      []eval.FoldWeights `json:"folds"`      // the weights of each fold of a cross-validation
	Search     []Level            `json:"search"`     // how annealing went, by chain and level; none where all weights were tried
	Importance []Feature          `json:"importance"` // what the splits owe to each feature, the largest first
	Facts      []Fact             `json:"facts"`      // how it all came about
}

// Class is what is told of a class.
type Class struct {
	Name       string            `json:"name"`       // its label
	Preference pragma.Preference `json:"preference"` // what is wanted of it
	Alpha      float64           `json:"alpha"`      // slope of the loss along recall, see pragma.Preference.AlphaBeta
	Beta       float64           `json:"beta"`       // slope of the loss along precision
	Weight     Number            `json:"weight"`     // of its votes; of a cross-validation the middle of the folds
	Few        bool              `json:"few"`        // it has 1 to 29 rows, of which recall says little, see eval.FewRows
	Plain      eval.Class        `json:"plain"`      // under the plain vote
	Tuned      eval.Class        `json:"tuned"`      // under the tuned rule
	Charts     *Charts           `json:"charts"`     // nil of the class of two that matters less, and of a class without rows
}

// Key is a figure that a page begins with.
type Key struct {
	Of       string      `json:"of"`                 // what it is a share of, or what costs so much
	Money    bool        `json:"money"`              // whether it is a cost, and no share
	Tuned    *float64    `json:"tuned"`              // under the tuned rule
	Plain    *float64    `json:"plain"`              // under the plain vote
	TunedOf  *float64    `json:"tuned_of"`           // how many rows Tuned is a share of; nil of a mean over classes, and of rows of weights
	PlainOf  *float64    `json:"plain_of"`           // and Plain
	Base     *float64    `json:"base"`               // share of the class among all rows, which Tuned is by chance; nil of recall and of a mean
	Interval *[2]float64 `json:"interval"`           // of Tuned, 95 %; nil of a mean over classes
	Alike    *float64    `json:"alike,omitempty"`    // of a cost, that of deciding all rows as AlikeAs, the class by which that costs least
	AlikeAs  string      `json:"alike_as,omitempty"` // name of that class

	Later *Expected `json:"later,omitempty"` // in the order of time, where Tuned is of the latest of several judged blocks, what to expect of later rows
}

// Later is what to expect of a class in a block of rows after those of a cross-validation in the order of time, as far as two blocks tell.
type Later struct {
	Recall    *Expected `json:"recall,omitempty"`    // share of its rows that will be found
	Precision *Expected `json:"precision,omitempty"` // share of the alarms for it that will be right
	Alerts    *Expected `json:"alerts,omitempty"`    // share of all rows that will be decided as it
}

// Expected is a figure of rows to come.
type Expected struct {
	Value    float64    `json:"value"`              // the mean of the judged blocks, of which later ones count more
	Interval [2]float64 `json:"interval"`           // of a block like them, 95 %, by how they differ
	TooWide  bool       `json:"too_wide,omitempty"` // whether the interval of a share reaches from that of rows drawn at random, or below, to twice that, or that of a cost from what the cheapest way without a model costs, or above, to half of that: it tells nothing to plan with
}

// Charts are the data behind the charts of a class, and what each of them says.
type Charts struct {
	Votes       Votes   `json:"votes"`       // rows by their votes for the class
	Sweep       Sweep   `json:"sweep"`       // what becomes of the rows with its weight
	Reliability []Bin   `json:"reliability"` // bins of equal width
	Curve       []Bin   `json:"curve"`       // the bins that isotonic regression makes: the CORP curve
	Cuts        Cuts    `json:"cuts"`        // the ROC and the precision-recall curve
	Benefit     Benefit `json:"benefit"`     // the decision curve
	Share       Number  `json:"share"`       // of the rows that are of the class
	Says        Says    `json:"says"`        // what the charts show, in words
}

// Says has a sentence for each chart.
type Says struct {
	Moves       string `json:"moves"`       // of recall and precision before and after
	Sweep       string `json:"sweep"`       // of the weight
	Votes       string `json:"votes"`       // of the votes
	Reliability string `json:"reliability"` // of the bins
	Curve       string `json:"curve"`       // of the CORP curve
	ROC         string `json:"roc"`         // of the ROC curve
	PR          string `json:"pr"`          // of the precision-recall curve
	Benefit     string `json:"benefit"`     // of the decision curve
}

// Votes counts rows by their votes for a class, in bins of Width votes from 0 on, and by what the tuned rule makes of them.
type Votes struct {
	Width  int      `json:"width"`  // votes of a bin
	Found  []Number `json:"found"`  // rows of the class that are decided as it
	Missed []Number `json:"missed"` // rows of the class that are not
	Alarms []Number `json:"alarms"` // rows of other classes that are decided as it
	Others []Number `json:"others"` // rows of other classes that are not
}

// Sweep says what becomes of the rows with the weight of a class, those of the other classes staying as they are. All lists are as long as Weights.
type Sweep struct {
	Weights []Number   `json:"weights"`          // rising, in even steps of the logarithm
	Found   []Number   `json:"found"`            // rows of the class that are decided as it
	Named   []Number   `json:"named"`            // all rows that are decided as it
	Wrong   []Number   `json:"wrong"`            // rows that are decided wrongly
	Loss    []Number   `json:"loss"`             // by the measure that is lowered
	Votes   []int      `json:"votes,omitempty"`  // the least number of votes that is enough; of two classes
	Broken  [][]int    `json:"broken,omitempty"` // what is not kept of what is required, by place from 0; absent where nothing is required
	Plateau [2]Number  `json:"plateau"`          // the weights for which the loss of these rows is lowest, of those that keep what is required if any do; the second null where there is no end
	Least   Number     `json:"least"`            // that loss
	Trained *[2]Number `json:"trained"`          // the weights that are as good on the votes that the model was tuned on; nil in a cross-validation

	keepable bool // what is required, by the weights of the plateau
}

// Cuts are what becomes of the rows where they are decided as the class from a probability on, by falling probability; see calib.Cut.
type Cuts struct {
	Prob          []Number `json:"prob"`           // the least probability that is decided so
	Recall        []Number `json:"recall"`         // share of the rows of the class
	FalsePositive []Number `json:"false_positive"` // share of the other rows
	Precision     []Number `json:"precision"`      // share of the class among the rows decided so
}

// Benefit is the decision curve: what it is worth to decide for the class from a probability on, in rows found for each row there is, a false alarm costing so many of
// them that at this probability one is indifferent; see calib.Benefit. To decide no row so is worth 0. It ends where the probabilities are worth next to nothing.
type Benefit struct {
	From  []Number `json:"from"`  // the least probability that is decided so, rising from 0
	Model []Number `json:"model"` // net benefit of deciding by the probabilities, for each row there is
	All   []Number `json:"all"`   // and of deciding all rows so
	Tuned Number   `json:"tuned"` // that from which on the costs asked for, of two classes, are for deciding so, else about as many rows are decided so as by the tuned rule; null where it decides none so
	Asked bool     `json:"asked"` // whether Tuned is of the costs
	Worth Number   `json:"worth"` // net benefit of the decisions of the tuned rule, at the price that belongs to Tuned

	alike, loss float64 // by the measure that is lowered: of deciding all rows so, and of the tuned rule
}

// Bin is a row of a reliability table, see calib.Bin.
type Bin struct {
	Low   Number `json:"low"`   // its least probability
	High  Number `json:"high"`  // its largest probability
	Count Number `json:"count"` // weight of its rows
	Mean  Number `json:"mean"`  // probability that was given
	Share Number `json:"share"` // share that was observed
	From  Number `json:"from"`  // lower end of the 95 % interval of share
	To    Number `json:"to"`    // upper end
}

// Confusion has the matrices of the plain and of the tuned rule; rows are the truth.
type Confusion struct {
	Plain [][]float64 `json:"plain"` // of the plain vote
	Tuned [][]float64 `json:"tuned"` // of the tuned rule
}

// Level is how annealing did at one temperature, see anneal.Level.
type Level struct {
	Chain       int    `json:"chain"`       // from 0
	Temperature Number `json:"temperature"` // falls from level to level
	Loss        Number `json:"loss"`        // at the end of the level
	Lowest      Number `json:"lowest"`      // so far
}

// Levels returns a trace of annealing as it goes into a report.
func Levels(trace []anneal.Level) []Level {
	levels := make([]Level, len(trace))
	for i, l := range trace {
		levels[i] = Level{l.Chain, Number(l.Temperature), Number(l.Loss), Number(l.Lowest)}
	}
	return levels
}

// Feature is the part of a feature in what the splits gained.
type Feature struct {
	Name string `json:"name"` // of its column
	Part Number `json:"part"` // of all features it is 1
}

// Table is a table of text; of its columns the first is a heading.
type Table struct {
	Title string     `json:"title"` // what it shows
	Head  []string   `json:"head"`  // of its columns
	Rows  [][]string `json:"rows"`  // as long as the head
}

// Fact is a line of the record of how a result came about.
type Fact struct {
	Name  string `json:"name"`  // what is told
	Value string `json:"value"` // as text
}

// Number is a figure of a chart: six digits of it are in the JSON, which is more than can be drawn, and null where it is not finite.
type Number float64

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		return nil, err
	}
	return json.Marshal(rounded)
}
