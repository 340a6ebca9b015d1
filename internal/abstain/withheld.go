package abstain

import (
	"errors"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/vote"
)

// Reasons returns by row of votes why m leaves it undecided: for what it lacks, if that counts, else as it is close.
func Reasons(m *rfpragma.Model, votes *vote.Table, lacking [][]rfpragma.MissingCell,
	withheld bool) []predictions.Because {
	out := make([]predictions.Because, votes.Rows())
	for i := range out {
		switch {
		case withheld && lacking[i] != nil:
			out[i] = predictions.BecauseLacking
		case m.Close(votes.Votes(i)):
			out[i] = predictions.BecauseClose
		}
	}
	return out
}

// WithheldInfo is what becomes of labelled rows whose decision is withheld.
type WithheldInfo struct {
	Rows    float64         `json:"rows"`            // weight of these rows
	Close   float64         `json:"close,omitempty"` // of these, those that are left to a person as their votes are close
	Classes []WithheldClass `json:"classes"`         // in the order of the model

	Plain *vote.Confusion `json:"-"` // all labelled rows under the plain vote, each as often as it was counted
	Only  bool            `json:"-"` // rows are left to people alone: those that lack most are decided
	Above string          `json:"-"` // what they lack that bears most
	Among string          `json:"-"` // which rows are counted, after the word rows; "" of all
	Also  string          `json:"-"` // what else to know of what figures are of, after them

	// weight of the rows of each fold of a cross-validation, from 1, and of all of them, 0
	ByFold map[int]float64 `json:"-"`
}

// WithheldClass is how many of them are of a class.
type WithheldClass struct {
	Class     string   `json:"class"`           // its name
	Rows      float64  `json:"rows"`            // weight of its rows, decided or not
	Undecided float64  `json:"undecided"`       // of these, those whose decision is withheld
	Close     float64  `json:"close,omitempty"` // of these, those that are close
	Found     float64  `json:"found"`           // of these, those that are decided as the class
	Decided   *float64 `json:"decided"`         // recall of the rows that are decided; null where there are none
	All       *float64 `json:"all"`             // recall of all its rows; null where there are none
	// recall of all its rows if who looks at the close ones is right; left out where none are close, or there are none
	Helped *float64 `json:"helped,omitempty"`
}

// NewWithheld begins to count decisions that are withheld.
func NewWithheld(classes []string) *WithheldInfo {
	info := &WithheldInfo{Classes: make([]WithheldClass, len(classes)), Plain: vote.NewConfusion(classes)}
	for c, name := range classes {
		info.Classes[c].Class = name
	}
	return info
}

// Add counts labelled rows, of which why says which are left undecided, and what is found of each class beside them.
func (w *WithheldInfo) Add(votes *vote.Table, why []predictions.Because, decide func(i int) int) {
	plain := vote.NewRule(nil, votes.TieOrder())
	for i, counts := range votes.Judged() {
		weight, of := votes.WeightOf(i), &w.Classes[votes.Truth[i]]
		w.Plain.Add(votes.Truth[i], plain.Decide(counts), weight)
		of.Rows += weight
		switch {
		case why[i] != "":
			of.Undecided += weight
			w.Rows += weight
			if why[i] == predictions.BecauseClose {
				of.Close += weight
				w.Close += weight
			}
		case decide(i) == votes.Truth[i]:
			of.Found += weight
		}
	}
}

// End closes the counts of rows, each of which was counted so many times.
func (w *WithheldInfo) End(times int) {
	w.Rows, w.Close = w.Rows/float64(times), w.Close/float64(times)
	for fold := range w.ByFold {
		w.ByFold[fold] /= float64(times)
	}
	for c := range w.Classes {
		of := &w.Classes[c]
		of.Rows, of.Undecided, of.Found = of.Rows/float64(times), of.Undecided/float64(times), of.Found/float64(times)
		of.Close /= float64(times)
		share := func(rows float64) *float64 {
			if !(rows > 0) {
				return nil
			}
			part := min(of.Found/rows, 1)
			return &part
		}
		of.Decided, of.All = share(of.Rows-of.Undecided), share(of.Rows)
		if w.Close > 0 && of.Rows > 0 {
			helped := min((of.Found+of.Close)/of.Rows, 1)
			of.Helped = &helped
		}
	}
}

// Share is the part of all labelled rows that is undecided.
func (w *WithheldInfo) Share() float64 {
	var all portable.Sum
	for _, of := range w.Classes {
		all.Add(of.Rows)
	}
	return w.Rows / all.Value()
}

// Decided is the part of all labelled rows that is decided: alarms are so many of these, and fewer of all.
func (w *WithheldInfo) Decided() float64 {
	if w == nil {
		return 1
	}
	return 1 - w.Share()
}

// DecidedIn is that of the rows of a block of time.
func (w *WithheldInfo) DecidedIn(b *eval.Block) float64 {
	rows := b.Weight()
	if w == nil || rows == 0 {
		return 1
	}
	return rows / (rows + w.ByFold[b.Fold])
}

// Answers tells whether a warning is of missing cells, or values beyond those of training, nearly all of which are
// in rows whose decision is withheld: of those it is said what they lack.
func (l *Lacking) Answers(warning error) bool {
	var d *dataset.ColumnDrift
	if l == nil || !l.Withheld || !errors.As(warning, &d) || l.Lost[d.Column] == nil || d.PSI > 0 {
		return false
	}
	of, beyond := l.Lost[d.Column], float64(d.Beyond*float64(l.all))
	return float64(of.rows-of.far) >= (1-othersPart)*float64(d.Missing) && float64(of.far) >= (1-othersPart)*beyond
}

// othersPart is the part of the cells that a warning is of which may be in rows that are decided, and too few to
// warn of for themselves.
const othersPart = 0.1
