package scoring

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// Batch is the rows of a request, and what is decided of them.
type Batch struct {
	Of      *Scorer
	Rows    int
	X       []float64 // rows × p
	Amounts []float64 // by row, what is at stake; nil unless that is in a column of its own
	Notes   []Note
	faults  []RowFault

	votes []uint32                 // rows × k
	Prob  []float64                // rows × k
	Class []int                    // by row
	Zone  []Zone                   // by row
	lacks [][]rfpragma.MissingCell // by row; nil where no row lacks what decides
	Texts [][]byte                 // of each chunk of rows, what is answered

	Sparse    bool     // only probabilities that are counted are wanted, see Step
	Body, Out []byte   // of the request, and for the answer
	seen      []uint32 // by field, in which row it was last given
	stamp     uint32
}

// Note is a finding about a cell of a row.
type Note struct {
	Row           int
	Code          string
	Column, Value string
}

// The findings about a row.
const (
	UnseenCategory = "unseen-category" // the training did not have it; the cell counts as missing
	unknownColumn  = "unknown-column"  // neither the model nor its training knows it; it is ignored
)

// RowFault says why a row cannot be decided.
type RowFault struct {
	Row   int                  `json:"row"` // from 1
	Cells []rfpragma.CellError `json:"cells"`
}

// mostFaults is how many rows are named that cannot be decided, mostNotes how many findings a batch can have.
const (
	mostFaults = 20
	mostNotes  = 100000
)

// fault notes what is wrong with a cell of the latest row.
func (b *Batch) fault(cell rfpragma.CellError) {
	row := b.Rows + 1
	if n := len(b.faults); n > 0 && b.faults[n-1].Row == row {
		b.faults[n-1].Cells = append(b.faults[n-1].Cells, cell)
	} else if n <= mostFaults {
		b.faults = append(b.faults, RowFault{row, []rfpragma.CellError{cell}})
	}
}

// note notes a finding about the latest row.
func (b *Batch) note(code, column string, value []byte) {
	if len(b.Notes) == mostNotes {
		b.fault(rfpragma.CellError{Column: column, Value: string(value),
			Reason: "too many rows of the request have findings; send fewer of them at once"})
		return
	}
	b.Notes = append(b.Notes, Note{b.Rows, code, column, string(value)})
}

// notesOf returns the findings about row i, of notes in the order of the rows.
func (b *Batch) notesOf(i int) []Note {
	if len(b.Notes) == 0 {
		return nil
	}
	row := func(n Note, row int) int { return n.Row - row }
	lo, _ := slices.BinarySearchFunc(b.Notes, i, row)
	hi, _ := slices.BinarySearchFunc(b.Notes, i+1, row)
	return b.Notes[lo:hi]
}

var batches = sync.Pool{New: func() any { return new(Batch) }}

// NewBatch returns no rows for a model, with memory of an earlier batch.
func NewBatch(of *Scorer) *Batch {
	b := batches.Get().(*Batch)
	b.Of, b.Amounts, b.lacks, b.Sparse = of, nil, nil, false
	b.Body, b.Out = b.Body[:0], b.Out[:0]
	b.Clear()
	return b
}

// mostKept is the size in bytes above which the memory of a batch is not kept for the next.
const mostKept = 8 << 20

// Free gives the memory of a batch to later ones.
func (b *Batch) Free() {
	if cap(b.Body)+cap(b.Out)+8*(cap(b.X)+cap(b.Prob))+4*cap(b.votes) > mostKept {
		return
	}
	b.Of = nil
	batches.Put(b)
}

// Clear takes out all rows.
func (b *Batch) Clear() {
	b.Rows, b.X, b.Notes, b.faults, b.lacks = 0, b.X[:0], b.Notes[:0], b.faults[:0], nil
	if b.Amounts != nil {
		b.Amounts = b.Amounts[:0]
	}
	if b.Of.Amount == b.Of.P && b.Amounts == nil {
		b.Amounts = []float64{}
	}
	if n := len(b.Of.Fields); cap(b.seen) < n {
		b.seen, b.stamp = make([]uint32, n), 0
	} else {
		b.seen = b.seen[:n]
	}
}

// add makes room for another row of missing cells, and returns it. It is one of the batch only after done.
func (b *Batch) add() []float64 {
	for range b.Of.P {
		b.X = append(b.X, math.NaN())
	}
	if b.Amounts != nil {
		b.Amounts = append(b.Amounts, math.NaN())
	}
	if b.stamp++; b.stamp == 0 {
		clear(b.seen)
		b.stamp = 1
	}
	return b.X[len(b.X)-b.Of.P:]
}

// set sets a cell of the row that was added last.
func (b *Batch) set(row []float64, field int, v float64) {
	if field < b.Of.P {
		row[field] = v
	} else {
		b.Amounts[len(b.Amounts)-1] = v
	}
}

// done ends the row that was added last.
func (b *Batch) done() {
	if b.Of.Amount >= 0 && !isAmount(b.amountOf(b.Rows)) {
		b.fault(b.Of.Fields[b.Of.Amount].fault(nil, "the model decides by the amount there; give a number from 0 on"))
	}
	b.Rows++
}

// amountOf is what is at stake in a row; no number where the model does not decide by that.
func (b *Batch) amountOf(i int) float64 {
	switch {
	case b.Of.Amount < 0:
		return math.NaN()
	case b.Of.Amount < b.Of.P:
		return b.X[i*b.Of.P+b.Of.Amount]
	}
	return b.Amounts[i]
}

// chunk is how many rows are decided at once, so that each tree is fetched once for many: at 250 rows a row takes half
// as long again as at 1000. More rows are parted among the processors.
const chunk = 1024

// Decide decides all rows on all processors, and has each chunk put into words by write, which appends to its first
// argument. The words are in b.Texts, in the order of the rows.
func (b *Batch) Decide(ctx context.Context, write func(to []byte, lo, hi int) []byte) error {
	k := b.Of.K
	b.votes, b.Prob = sized(b.votes, b.Rows*k), sized(b.Prob, b.Rows*k)
	b.Class, b.Zone = sized(b.Class, b.Rows), sized(b.Zone, b.Rows)
	clear(b.votes)
	chunks := max(1, (b.Rows+chunk-1)/chunk)
	for len(b.Texts) < chunks {
		b.Texts = append(b.Texts, nil)
	}
	b.Texts = b.Texts[:chunks]
	if chunks == 1 {
		lacks, err := b.decideRows(0, b.Rows)
		if err == nil {
			b.lacks = lacks
			b.Texts[0] = write(b.Texts[0][:0], 0, b.Rows)
		}
		return err
	}
	all := make([][][]rfpragma.MissingCell, chunks)
	if err := b.each(ctx, chunks, func(c, lo, hi int) (err error) {
		all[c], err = b.decideRows(lo, hi)
		return err
	}); err != nil {
		return err
	}
	for c, lacks := range all {
		if lacks != nil && b.lacks == nil {
			b.lacks = make([][]rfpragma.MissingCell, b.Rows)
		}
		copy(b.lacks[min(c*chunk, len(b.lacks)):], lacks)
	}
	return b.each(ctx, chunks, func(c, lo, hi int) error {
		b.Texts[c] = write(b.Texts[c][:0], lo, hi)
		return nil
	})
}

// each has all chunks worked on, by as many goroutines as there are processors.
func (b *Batch) each(ctx context.Context, chunks int, work func(c, lo, hi int) error) error {
	group, inner := parallel.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for c := range chunks {
		group.Go(func() error {
			if err := inner.Err(); err != nil {
				return err
			}
			return work(c, c*chunk, min((c+1)*chunk, b.Rows))
		})
	}
	return group.Wait()
}

// decideRows decides the rows from lo to hi, and returns what each lacks, nil if none lacks anything.
func (b *Batch) decideRows(lo, hi int) (lacks [][]rfpragma.MissingCell, err error) {
	m, p, k := b.Of.Model, b.Of.P, b.Of.K
	votes, x := b.votes[lo*k:hi*k], b.X[lo*p:hi*p]
	if hi-lo == 1 {
		m.Forest.Vote(votes, x)
	} else {
		m.Forest.VoteRows(votes, x)
	}
	step := b.Step()
	for i := lo; i < hi; i++ {
		row := b.votes[i*k : (i+1)*k]
		b.Class[i] = m.DecideFor(row, b.amountOf(i))
		if !b.Sparse || i%step == 0 {
			m.Probabilities(b.Prob[i*k:(i+1)*k], row)
		}
		cells, err := m.MissingCells(b.Row(i))
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		b.Zone[i] = b.zoneOf(i, cells != nil)
		if cells != nil && lacks == nil {
			lacks = make([][]rfpragma.MissingCell, hi-lo)
		}
		if cells != nil {
			lacks[i-lo] = cells
		}
	}
	return lacks, nil
}

// counted is of how many rows of a batch the probabilities and values are counted, about, so that counting stays cheap
// beside deciding.
const counted = 32

// Step is by how many rows those lie apart of which probabilities and values are counted, from the first on.
func (b *Batch) Step() int { return max(1, b.Rows/counted) }

// Row returns the cells of a row.
func (b *Batch) Row(i int) []float64 { return b.X[i*b.Of.P : (i+1)*b.Of.P] }

// sized returns a slice of that length, with the memory of s if that is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
