package predictions

import (
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// Deciding decides the rows of a table as a model does.
func Deciding(m *rfpragma.Model, table *vote.Table) func(i int) int {
	return func(i int) int {
		amount := math.NaN()
		if table.Amount != nil {
			amount = table.Amount[i]
		}
		return m.DecideFor(table.Votes(i), amount)
	}
}

// Because says why no decision is written of a row; "" where one is.
type Because string

// The reasons.
const (
	BecauseLacking Because = "lacks" // it lacks most of what the model decides by
	BecauseClose   Because = "close" // its votes are close, and it is left to a person, see rfpragma.Model.Close
)

// Decisions are the lines that --decisions asks for, one for each row of a frame.
type Decisions struct {
	Path  string
	Form  RowForm
	Frame *dataset.Frame
	// by row, where that is most of what the model decides by; nil of a cross-validation, in which each fold has a
	// model
	Lacks [][]rfpragma.MissingCell
	Why   []Because // by row, why it is left undecided; nil where no row is close
	Lines [][]byte  // nil of a row that is not judged
	Wrong int       // rows that are decided otherwise than they are labelled
	Held  int       // rows whose decision is withheld
}

// LabelOf is the class of a row, known to the model or not; "" where there is none.
func LabelOf(f *dataset.Frame, row int) string {
	switch c := f.Truth[row]; {
	case c >= 0:
		return f.Classes[c]
	case f.UnknownLabels != nil:
		return f.UnknownLabels[row]
	}
	return ""
}

// MostMissing is how many columns are named.
const MostMissing = 3

// FileLabel is the label of a row as the file has it; "" where there is none.
func FileLabel(f *dataset.Frame, row int) string {
	if f.Merged != nil && f.Merged[row] != "" {
		return f.Merged[row]
	}
	return LabelOf(f, row)
}

// Decided is the prediction of a row, and what is known of it.
type Decided struct {
	ID     string // "" for none
	Fold   int    // from 1
	Weight float64
	Actual string // "" where it is not known
	Label  string // of the file, that of which actual is the class
	Class  int    // -1 where no tree has voted
	Per    string // what the row has in the columns that part rows into lists, as a line of CSV
	Prob   []float64
	Votes  []float64 // in whole votes
	Shares []float64 // of these, weighted
	Scores []float64 // by class, see rfpragma.Model.Score; nil where they are not written
	Close  bool      // it is left to a person, see rfpragma.Model.Close

	Lacks []rfpragma.MissingCell // the cells that it lacks, where most of what the model decides by is in them
	Why   Why
}

// DecideRows has each row of a table decided. The slices are written to again for the next row.
func DecideRows(table *vote.Table, decide func(i int) int, probabilities func(dst []float64, votes []uint32),
	write func(i int, d Decided)) {
	prob, whole := make([]float64, len(table.Classes)), make([]float64, len(table.Classes))
	for i := range table.Rows() {
		votes := table.Votes(i)
		probabilities(prob, votes)
		for c, v := range votes {
			whole[c] = float64(v) / table.Whole()
		}
		d := Decided{Class: decide(i), Prob: prob, Votes: whole}
		if vote.Total(votes) == 0 {
			d.Class = -1
		}
		write(i, d)
	}
}

// DecidedLines are the lines of a block, each in two pieces, between which the number of the row
// belongs if it has no id.
type DecidedLines struct {
	text     []byte
	numbers  []int                    // where the number of the row belongs; nil with ids
	Ends     []int                    // where the lines end
	places   []int                    // with --top, where the place on the list belongs, if the line had no number
	Ranks    []Rank                   // with --top, of each line
	As       []int                    // of predict, by class, how many rows are decided as it
	Held     []int                    // by class, how many would be, but for --withhold
	WasAs    []int                    // of those decided, the same without --prevalence
	Unlikely []int                    // see predictJob
	Cells    func(i int) []float64    // with --top and --reasons, those of row i, until the block is done
	Lacking  [][]rfpragma.MissingCell // of predict, by row, what it lacks where that is most of what the model decides by
}

// Clear takes out all lines and keeps their memory.
func (l *DecidedLines) Clear() {
	*l = DecidedLines{text: l.text[:0], numbers: l.numbers[:0], Ends: l.Ends[:0], places: l.places[:0], Ranks: l.Ranks[:0]}
}

// Line appends line i, that of the row with a number.
func (l *DecidedLines) Line(to []byte, i, number int) []byte {
	begin := 0
	if i > 0 {
		begin = l.Ends[i-1]
	}
	if l.numbers != nil {
		to = strconv.AppendInt(append(to, l.text[begin:l.numbers[i]]...), int64(number), 10)
		begin = l.numbers[i]
	}
	return append(to, l.text[begin:l.Ends[i]]...)
}

// AppendProbability writes a probability, see [digits], without an exponent, which is easily overlooked: 9.65e-07 is
// not nearly certain.
func AppendProbability(to []byte, prob float64) []byte {
	begin := len(to)
	to = strconv.AppendFloat(to, prob, 'g', digits(prob), 64)
	if prob < 1e-4 { // below which 'g' has one
		rounded, _ := strconv.ParseFloat(string(to[begin:]), 64) // of a text just written
		to = strconv.AppendFloat(to[:begin], rounded, 'f', -1, 64)
	}
	return to
}

// digits is to how many significant digits a probability is written: six of it, and six of what it leaves to 1. So
// no digit is lost where it is nearly 1, and what is not 1 is not written as 1; and of two classes both have as many
// digits after the point, and add up to 1.
func digits(prob float64) int {
	n := 6
	for rest := 1 - prob; 0 < rest && rest < 0.1 && n < 16; rest *= 10 {
		n++
	}
	return n
}

// Undecided stands in the place of a decision that is withheld.
const Undecided = "undecided"
