// Package report makes the page of a report and writes it; the public package of that name has what others need of it.
package report

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/pragma"
)

// SchemaVersion is the version of the JSON of a [Report]. It changes if a field changes its meaning or is
// removed.
const SchemaVersion = 2

// Report holds all that a page shows.
type Report struct {
	SchemaVersion int      `json:"schema_version"` // the version of this JSON
	Title         string   `json:"title"`          // what the page is about
	About         []string `json:"about"`          // which rows were judged, by which trees
	Asked         []string `json:"asked"`          // what was asked for besides a preference, in words
	Required      []string `json:"required"`       // floors that come before the loss, as --require takes them
	Preferred     bool     `json:"preferred"`      // whether there is a preference
	Summary       []string `json:"summary"`        // the result in plain words, as short as can be
	Details       []string `json:"details"`        // what else there is to say
	Warnings      []string `json:"warnings"`       // what to know before trusting the result

	Findings []finding.Finding `json:"findings"` // what was found, the gravest first: docs/findings.md explains each code

	Measure string `json:"measure"` // name of the loss that is lowered
	Rule    string `json:"rule"`    // name of the rule with the weights: tuned, or given if they were not searched for
	// name of the weights of the classes: Rule, or in a cross-validation middle of the folds, or, in the order of time,
	// latest block
	Used  string `json:"used"`
	Trees int    `json:"trees"` // largest number of votes that a row can get
	// what numbers of rows are: rows, or case weight, of which they are sums, see eval.Unit
	Unit string `json:"unit"`

	// what the page begins with: what was asked for, then recall and precision of the classes that matter most
	Key    []Line  `json:"key"`
	Expect Table   `json:"expect"` // what else to expect, a line for a figure
	Each   Table   `json:"each"`   // what to expect of each of several classes
	Counts Table   `json:"counts"` // of two classes, what becomes of 1,000 rows
	Next   string  `json:"next"`   // command to type next; "" for none
	Take   Setting `json:"take"`   // how the command takes a setting of the slider
	Rows   Number  `json:"rows"`   // number of rows that alarms are counted of, those left undecided among them
	Money  Number  `json:"money"`  // by what the loss makes the cost of 1,000 rows; 0 where it is no cost

	Classes []Class `json:"classes"` // in the order of the matrices
	First   int     `json:"first"`   // index, from 0, of the class that is shown first; it has no charts if no class has

	Costs     Table              `json:"costs"`     // cost of each decision, if that takes a table
	Tables    []Table            `json:"tables"`    // figures side by side, as text
	Confusion Confusion          `json:"confusion"` // matrices, a line for each true class
	Mistakes  Table              `json:"mistakes"`  // the largest confusions
	Folds     []eval.FoldWeights `json:"folds"`     // weights of each fold of a cross-validation
	// progress of annealing, by chain and level; empty if all weights were tried
	Search     []Level   `json:"search"`
	Importance []Feature `json:"importance"` // importance of each feature for the splits, the largest first
	// what the cells of rows add to the votes for the class that is shown first; absent in a cross-validation, and where
	// votes cannot be split
	Parts *Parts `json:"parts,omitempty"`
	Facts []Fact `json:"facts"` // how the result came about
}

// Class is what is shown of a class.
type Class struct {
	Name       string            `json:"name"`       // its label
	Preference pragma.Preference `json:"preference"` // what is wanted of it
	Alpha      float64           `json:"alpha"`      // slope of the loss along recall, see pragma.Preference.AlphaBeta
	Beta       float64           `json:"beta"`       // slope of the loss along precision
	// weight of its votes; in a cross-validation the middle of the folds, or in the order of time that of the latest
	// block
	Weight Number `json:"weight"`
	// whether it has only 1 to 29 rows, of which recall says little, see eval.FewRows
	Few   bool       `json:"few"`
	Plain eval.Class `json:"plain"` // figures under the plain vote
	Tuned eval.Class `json:"tuned"` // figures under the tuned rule
	// nil for a class without rows and, of two classes, for the one that matters less
	Charts *Charts `json:"charts"`
}

// Line is a figure as it is read: what it is, how much, and what it is measured against.
type Line struct {
	Name     string `json:"name"`     // what it is of, such as "ill" found (recall)
	Value    string `json:"value"`    // the figure, with its unit
	Interval string `json:"interval"` // its 95 % interval; "" where none is known
	Against  string `json:"against"`  // a limit that was asked for, else the plain vote and no model
}

// Setting is how the command takes a setting of the slider.
type Setting struct {
	Flag    string   `json:"flag"`    // flag that takes the weights of the classes; "" for none
	Classes []string `json:"classes"` // names of the classes as the flag takes them; none where weights do not decide
}

// Charts holds the data behind the charts of a class, and what each of them says.
type Charts struct {
	Votes       Votes   `json:"votes"`       // rows by their votes for the class
	Sweep       Sweep   `json:"sweep"`       // how the decisions depend on its weight
	Reliability []Bin   `json:"reliability"` // bins of equal width
	Curve       []Bin   `json:"curve"`       // the bins that isotonic regression makes: the CORP curve
	Cuts        Cuts    `json:"cuts"`        // the ROC and the precision-recall curve
	Benefit     Benefit `json:"benefit"`     // the decision curve
	Share       Number  `json:"share"`       // share of the rows that belong to the class
	Says        Says    `json:"says"`        // what the charts show, in words
}

// Says has a text for each chart.
type Says struct {
	Moves       string `json:"moves"`       // on recall and precision before and after
	Sweep       string `json:"sweep"`       // on the weight
	Votes       string `json:"votes"`       // on the votes
	Reliability string `json:"reliability"` // on the bins
	Curve       string `json:"curve"`       // on the CORP curve
	ROC         string `json:"roc"`         // on the ROC curve
	PR          string `json:"pr"`          // on the precision-recall curve
	Benefit     string `json:"benefit"`     // on the decision curve
}

// Votes counts rows by their votes for a class, in bins of Width votes from 0 on, and by how the tuned rule
// decides them.
type Votes struct {
	Width  int      `json:"width"`  // number of votes that a bin spans
	Found  []Number `json:"found"`  // rows of the class that are decided as it
	Missed []Number `json:"missed"` // rows of the class that are not decided as it
	Alarms []Number `json:"alarms"` // rows of other classes that are decided as it
	Others []Number `json:"others"` // rows of other classes that are not decided as it
}

// Sweep shows how the decisions depend on the weight of a class, with the weights of the other classes
// unchanged. All lists are as long as Weights.
type Sweep struct {
	Weights []Number `json:"weights"`         // rising, in even steps of the logarithm
	Found   []Number `json:"found"`           // rows of the class that are decided as it
	Named   []Number `json:"named"`           // all rows that are decided as it
	Wrong   []Number `json:"wrong"`           // rows that are decided wrongly
	Loss    []Number `json:"loss"`            // loss by the measure that is lowered
	Votes   []int    `json:"votes,omitempty"` // smallest number of votes that is enough; only for two classes
	// which floors are missed, by their index from 0; absent if there are no floors
	Broken [][]int `json:"broken,omitempty"`
	// range of weights with the lowest loss of these rows, of those that keep all floors if any do; the second null if
	// it has no end
	Plateau [2]Number `json:"plateau"`
	Least   Number    `json:"least"` // that loss
	// range of weights that are as good on the votes that the model was tuned on; nil in a cross-validation
	Trained *[2]Number `json:"trained"`

	keepable bool // what is required, by the weights of the plateau
}

// Cuts describes the decisions if all rows from a probability on are decided as the class, by falling
// probability; see calib.Cut.
type Cuts struct {
	Prob          []Number `json:"prob"`           // the smallest probability that is decided as the class
	Recall        []Number `json:"recall"`         // share of the rows of the class that are decided as it
	FalsePositive []Number `json:"false_positive"` // share of the other rows that are decided as it
	Precision     []Number `json:"precision"`      // share of the class among the rows decided as it
}

// Benefit is the decision curve: the net benefit of deciding for the class from a probability on, in rows found
// for each row there is. A false alarm costs as many of them as makes one indifferent at this probability; see
// calib.Benefit. Deciding for the class never is worth 0. The curve ends where the probabilities are worth next
// to nothing.
type Benefit struct {
	From  []Number `json:"from"`  // the smallest probability that is decided as the class, rising from 0
	Model []Number `json:"model"` // net benefit of deciding by the probabilities, for each row there is
	All   []Number `json:"all"`   // net benefit of deciding all rows as the class
	// The probability from which on the costs asked for, of two classes, favour deciding for the class; without
	// such costs, that from which on about as many rows are decided so as by the tuned rule; null if it decides
	// none so.
	Tuned Number `json:"tuned"`
	Asked bool   `json:"asked"` // whether Tuned follows from the costs
	// net benefit of the decisions of the tuned rule, at the price of a false alarm that belongs to Tuned
	Worth Number `json:"worth"`
}

// Bin is a row of a reliability table, see calib.Bin.
type Bin struct {
	Low   Number `json:"low"`   // its smallest probability
	High  Number `json:"high"`  // its largest probability
	Count Number `json:"count"` // weight of its rows
	Mean  Number `json:"mean"`  // mean probability that was given
	Share Number `json:"share"` // share that was observed
	From  Number `json:"from"`  // lower end of the 95 % interval of the share
	To    Number `json:"to"`    // upper end of that interval
}

// Confusion holds the matrices of the plain and of the tuned rule; rows are the truth.
type Confusion struct {
	Plain [][]float64 `json:"plain"` // of the plain vote
	Tuned [][]float64 `json:"tuned"` // of the tuned rule
}

// Level describes an annealing at one temperature, see anneal.Level.
type Level struct {
	Chain       int    `json:"chain"`       // number of the chain, from 0
	Temperature Number `json:"temperature"` // falls from level to level
	Loss        Number `json:"loss"`        // loss at the end of the level
	Lowest      Number `json:"lowest"`      // lowest loss so far
}

// Levels converts a trace of annealing for a report.
func Levels(trace []anneal.Level) []Level {
	levels := make([]Level, len(trace))
	for i, l := range trace {
		levels[i] = Level{l.Chain, Number(l.Temperature), Number(l.Loss), Number(l.Lowest)}
	}
	return levels
}

// Feature is the part of a feature in what the splits gained.
type Feature struct {
	Name string `json:"name"` // name of its column
	Part Number `json:"part"` // its part; those of all features add up to 1
}

// Table is a table of text whose first column is a heading.
type Table struct {
	Title string     `json:"title"` // what it shows
	Head  []string   `json:"head"`  // heading of each column
	Rows  [][]string `json:"rows"`  // each as long as the head
}

// Fact is a line of the record of how a result came about.
type Fact struct {
	Name  string `json:"name"`  // what it is about
	Value string `json:"value"` // as text
}

// Number is a figure of a chart. JSON has six digits of it, which is more than can be drawn, and null if it is
// not finite.
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
