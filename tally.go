package rfpragma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/digest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/schemas"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// MaxParts is the largest number of parts that rows can be divided into.
const MaxParts = 1 << 20

// Tally holds the votes of a forest for some rows, summed up: rows of equal votes and class become one, see
// [vote.Table.Condense]. The tallies of the parts of a set of rows add up to that of the whole, byte for byte,
// in any order, in any steps and whatever the number of parts.
type Tally struct {
	Forest string         // SHA-256 of the forest, its classes and features
	Data   string         // fingerprint of the rows that the forest was grown on, see Grown.Data
	Schema dataset.Schema // columns of the forest
	Amount string         // column of the amount at stake in a row; "" if there is none
	Of     int            // number of parts that the rows are divided into
	Parts  []int          // parts that are counted, ascending; part i has the rows numbered i, i+Of, i+2·Of, ...
	Rows   int            // number of rows that are counted
	Digest digest.Digest  // of these rows
	Name   string         // for messages, such as the name of its file; not stored

	like  vote.Table // all but the rows
	votes *vote.Histogram
}

// tallyHeader is the readable part of a file of votes.
type tallyHeader struct {
	Forest  string          `json:"forest_sha256"`
	Data    string          `json:"trained_on_sha256"`
	Classes []string        `json:"classes"`
	Share   []float64       `json:"share"`
	Ties    []int           `json:"ties,omitempty"`
	Schema  []schemas.Field `json:"schema"`
	Source  vote.Source     `json:"source"`
	Soft    bool            `json:"soft_votes,omitempty"`
	Trees   int             `json:"trees"`
	Amount  string          `json:"amount,omitempty"`
	Of      int             `json:"of"`
	Parts   []int           `json:"parts"`
	Rows    int             `json:"rows"`
	Digest  []string        `json:"digest"` // four words in hex
}

// Tally counts the out-of-bag votes of a whole forest for part i of n of its training rows. The part has the
// rows numbered i, i+n, i+2n, ... among all that rows yields, which must have the columns and classes of the
// forest. Rows without a class have no number, as they were left out of the training. Workers is the number of
// threads that vote.
//
// If bags depend on all rows, or rows have case weights, the rows of the part are held until all have come;
// else some thousands at a time.
//
// Errors: [ErrConfig] for a part that does not exist; [ErrPart] if trees are missing or a block has other
// columns or classes; those of [forest.Forest.OutOfBag], rows and ctx.
func (p *Part) Tally(ctx context.Context, rows Rows, i, n, workers int) (*Tally, error) {
	if err := p.Whole(); err != nil {
		return nil, err
	}
	t, err := newTally(p.Forest, p.Grown.Data, vote.OOB, i, n)
	if err != nil {
		return nil, err
	}
	c := p.Grown.Growth()
	var all *dataset.Frame // their labels and weights, where bags depend on them
	bags, err := forest.NewRowBags(p.Grown.Rows, c)
	if err != nil || p.weighted {
		all = &dataset.Frame{Classes: p.Forest.Classes}
	}
	return t, t.count(ctx, rows, all, func(f *dataset.Frame, ids []uint32) (*vote.Table, error) {
		if all != nil {
			if bags, err = p.Forest.Bags(all, c); err != nil {
				return nil, err
			}
		}
		return p.Forest.OutOfBag(ctx, f, ids, bags, workers)
	})
}

// Tally counts the votes of m for part i of n of rows that it has not seen, see [Part.Tally]; but rows without
// a class are numbered and counted, too. Errors: [ErrConfig] for a part that does not exist; [ErrPart] if a
// block has other columns or classes; those of [Model.Votes], rows and ctx.
func (m *Model) Tally(ctx context.Context, rows Rows, i, n, workers int) (*Tally, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	t, err := newTally(m.Forest, m.Provenance.Data, vote.Holdout, i, n)
	if err != nil {
		return nil, err
	}
	return t, t.count(ctx, rows, nil, func(f *dataset.Frame, _ []uint32) (*vote.Table, error) {
		return m.Forest.Votes(ctx,
			f, workers)
	})
}

func newTally(f *forest.Forest, data string, source vote.Source, i, n int) (*Tally, error) {
	if i < 0 || i >= n || n > MaxParts {
		return nil, fmt.Errorf("%w: part %d of %d parts of the rows; there are at most %d, numbered from 0", ErrConfig, i, n,
			MaxParts)
	}
	sum, err := digestOf(f)
	return &Tally{
		Forest: sum, Data: data, Schema: f.Schema, Of: n, Parts: []int{i}, votes: vote.NewHistogram(len(f.Classes)),
		like: vote.Table{Classes: f.Classes, Share: f.Share, Ties: f.Ties, Source: source, Soft: f.Soft(), Trees: f.Trees()},
	}, err
}

// tallyRows is how many rows are voted on together, unless all are held.
const tallyRows = 8192

// count counts the votes for the rows of t among all. With a frame for the labels of all rows, no votes are asked
// for before these have come.
func (t *Tally) count(ctx context.Context, rows Rows, all *dataset.Frame, votes func(f *dataset.Frame,
	ids []uint32) (*vote.Table, error)) error {
	own := ownRows{part: t.Parts[0], of: t.Of}
	cast := func() error {
		if len(own.ids) == 0 {
			return nil
		}
		table, err := votes(own.frame, own.ids)
		if err != nil {
			return err
		}
		if err := t.votes.AddTable(table); err != nil {
			return err
		}
		t.Digest.Add(digest.Of(own.frame, own.ids))
		t.Rows += len(own.ids)
		own.frame, own.ids = nil, nil
		return nil
	}
	err := eachBlock(ctx, rows, t.Schema, t.like.Classes, func(block *dataset.Frame) error {
		if t.like.Source == vote.OOB {
			block = block.Labelled()
		}
		own.add(block)
		if all != nil {
			if all.Weight = weightsBefore(all.Weight, len(all.Truth), block); all.Weight != nil {
				for i := range block.Rows() {
					all.Weight = append(all.Weight, block.WeightOf(i))
				}
			}
			all.Truth = append(all.Truth, block.Truth...)
			return nil
		}
		if len(own.ids) < tallyRows {
			return nil
		}
		return cast()
	})
	if err != nil {
		return err
	}
	return cast()
}

// ownRows are those of a part, of rows that come block by block.
type ownRows struct {
	part, of int
	next     int // number of the next row
	frame    *dataset.Frame
	ids      []uint32
}

func (o *ownRows) add(block *dataset.Frame) {
	if o.frame == nil {
		o.frame = block.Take(nil)
		o.frame.Group = nil // which no votes depend on
		for j := range o.frame.Columns {
			o.frame.Columns[j].Values, o.frame.Columns[j].Codes = []float64{}, nil
		}
	}
	f := o.frame
	f.Weight = weightsBefore(f.Weight, len(f.Truth), block)
	for i := range block.Rows() {
		if id := o.next + i; id%o.of == o.part {
			o.ids = append(o.ids, uint32(id))
			f.Truth = append(f.Truth, block.Truth[i])
			if f.Weight != nil {
				f.Weight = append(f.Weight, block.WeightOf(i))
			}
			if block.Amount != nil {
				f.Amount = append(f.Amount, block.Amount[i])
			}
			for j := range f.Columns {
				f.Columns[j].Values = append(f.Columns[j].Values, block.Columns[j].At(i))
			}
		}
	}
	o.next += block.Rows()
}

// weightsBefore returns the weights of so many rows before a block: nil as long as no row has one, then 1 each.
func weightsBefore(weights []float64, rows int, block *dataset.Frame) []float64 {
	if weights == nil && block.Weight != nil {
		return append([]float64{}, slices.Repeat([]float64{1}, rows)...)
	}
	return weights
}

// check refuses a tally that is nil, or the zero one.
func (t *Tally) check() error {
	if t == nil || t.votes == nil {
		return fmt.Errorf("%w: votes that are none; count them, or read them with ReadTally", ErrPart)
	}
	return nil
}

// Table returns the votes as a table; of the zero Tally one that [vote.Table.Check] refuses.
func (t *Tally) Table() *vote.Table {
	if t.check() != nil {
		return &vote.Table{}
	}
	return t.votes.Table(&t.like)
}

// name is that of t in messages.
func (t *Tally) name() string {
	if t.Of == 1 {
		return cmp.Or(t.Name, "the votes of all rows")
	}
	return cmp.Or(t.Name, fmt.Sprintf("the votes of part %d of %d of the rows", t.Parts[0], t.Of))
}

// MergeTallies adds up tallies of parts of the same rows, in any order. Errors: [ErrPart] if they are not of
// the same forest or not of the same number of parts, or if a part is there twice.
func MergeTallies(tallies ...*Tally) (*Tally, error) {
	if len(tallies) == 0 {
		return nil, fmt.Errorf("%w: no votes are given", ErrPart)
	}
	for _, t := range tallies {
		if err := t.check(); err != nil {
			return nil, err
		}
	}
	sum := *tallies[0]
	sum.Parts, sum.votes = nil, vote.NewHistogram(len(sum.like.Classes))
	sum.Rows, sum.Digest = 0, digest.Digest{}
	owner := map[int]*Tally{}
	for _, t := range tallies {
		if err := tallies[0].fits(t); err != nil {
			return nil, err
		}
		for _, part := range t.Parts {
			if other := owner[part]; other != nil {
				return nil, fmt.Errorf("%w: part %d of %d of the rows is there twice, in %s and in %s; give each part once",
					ErrPart, part, t.Of, other.name(), t.name())
			}
			owner[part] = t
		}
		sum.Parts = append(sum.Parts, t.Parts...)
		sum.Rows += t.Rows
		sum.Digest.Add(t.Digest)
		if err := sum.votes.Merge(t.votes); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPart, err)
		}
	}
	slices.Sort(sum.Parts)
	if sum.Whole() == nil { // it does not matter then how many parts there were
		sum.Of, sum.Parts = 1, []int{0}
	}
	if len(tallies) > 1 {
		sum.Name = ""
	}
	return &sum, nil
}

// fits says why other is not of the same whole as t.
func (t *Tally) fits(other *Tally) error {
	switch {
	case t.Forest != other.Forest || !slices.Equal(t.like.Classes, other.like.Classes):
		return fmt.Errorf("%w: %s and %s are votes of different forests; count them with the same trees", ErrPart, t.name(),
			other.name())
	case t.like.Source != other.like.Source || t.Amount != other.Amount:
		return fmt.Errorf("%w: %s and %s are votes of two kinds (%s, amount %q; %s, amount %q); count them with the same "+
			"flags", ErrPart,
			t.name(), other.name(), t.like.Source, t.Amount, other.like.Source, other.Amount)
	case t.Of != other.Of && min(t.Of, other.Of) == 1:
		whole, more := t, other
		if other.Of == 1 {
			whole, more = other, t
		}
		return fmt.Errorf("%w: %s has the votes for all rows already, and %s some of them once more; give one of them",
			ErrPart, whole.name(), more.name())
	case t.Of != other.Of:
		return fmt.Errorf("%w: %s is of %d parts of the rows and %s of %d; deal them out to the same number of parts",
			ErrPart, t.name(), t.Of, other.name(), other.Of)
	}
	return nil
}

// Whole returns nil if all parts of the rows are counted, else an [ErrPart] that says which are missing.
func (t *Tally) Whole() error {
	var missing []string
	for part := range t.Of {
		if _, found := slices.BinarySearch(t.Parts, part); !found {
			missing = append(missing, fmt.Sprint(part))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list := strings.Join(missing[:min(8, len(missing))], ", ")
	if len(missing) > 8 {
		list += ", ..."
	}
	return fmt.Errorf("%w: %d of %d parts of the rows %s no votes (%s); give theirs too, or run their tasks again",
		ErrPart, len(missing), t.Of, english.Verb(len(missing), "has", "have"), list)
}

// of says why t is not the out-of-bag votes of p for all of its training rows.
func (t *Tally) of(p *Part) error {
	sum, err := digestOf(p.Forest)
	if err != nil {
		return err
	}
	switch {
	case t.Forest != sum:
		return fmt.Errorf("%w: the votes are of another forest than the trees; count them with these trees", ErrPart)
	case t.like.Source != vote.OOB:
		return fmt.Errorf("%w: the votes are %s votes, and weights and maps are fitted on oob votes for the training rows; "+
			"count these with the trees as rfpragma grow wrote them", ErrPart, t.like.Source)
	case t.Rows != p.Grown.Rows || t.fingerprint() != p.Grown.Data:
		return fmt.Errorf("%w: the votes are for %d rows that are not the %d that the trees were grown on; count them on "+
			"the same data", ErrPart, t.Rows, p.Grown.Rows)
	}
	return nil
}

// fingerprint is that of the rows counted, which are all.
func (t *Tally) fingerprint() string {
	return t.Digest.Fingerprint(t.Schema, t.like.Classes, t.Rows)
}

// TrainedOn reports whether these are holdout votes for the very rows that the forest was grown on, which say
// nothing about new rows.
func (t *Tally) TrainedOn() bool { return t.like.Source == vote.Holdout && t.fingerprint() == t.Data }

// WriteTo writes the tally in the format of a file of votes.
func (t *Tally) WriteTo(w io.Writer) (int64, error) {
	if err := t.check(); err != nil {
		return 0, err
	}
	votes, err := t.votes.AppendBinary(nil)
	if err != nil {
		return 0, err
	}
	n, _, err := tallyFile.write(w, t.header, body(votes))
	return n, err
}

func (t *Tally) header() ([]byte, error) {
	h := tallyHeader{
		Forest: t.Forest, Data: t.Data, Classes: t.like.Classes, Share: t.like.Share, Ties: t.like.Ties,
		Schema: schemas.Fields(t.Schema), Source: t.like.Source,
		Soft: t.like.Soft, Trees: t.like.Trees, Amount: t.Amount, Of: t.Of, Parts: t.Parts, Rows: t.Rows,
	}
	for _, word := range t.Digest {
		h.Digest = append(h.Digest, fmt.Sprintf("%016x", word))
	}
	return headerJSON(h)
}

// body is one that is held.
type body []byte

// WriteTo writes it.
func (b body) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b)
	return int64(n), err
}

// ReadTally reads what [Tally.WriteTo] wrote; name is for messages. Any other bytes are an error that wraps
// [ErrFormat]; an error of r itself is returned as it is.
func ReadTally(r io.Reader, name string) (*Tally, error) {
	var h tallyHeader
	var head, cells []byte
	_, err := tallyFile.read(r, &h, func(header []byte, votes io.Reader, _ int64) (err error) {
		head = header
		cells, err = io.ReadAll(votes)
		return err
	})
	if err != nil {
		return nil, err
	}
	schema, err := schemas.Schema(h.Schema)
	if err := errors.Join(err, checkClasses(h.Classes, h.Share, h.Ties), h.check()); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	t := &Tally{
		Forest: h.Forest, Data: h.Data, Schema: schema, Amount: h.Amount, Of: h.Of, Parts: h.Parts, Rows: h.Rows, Name: name,
		like: vote.Table{Classes: h.Classes, Share: h.Share, Ties: h.Ties, Source: h.Source, Soft: h.Soft, Trees: h.Trees},
	}
	for i, text := range h.Digest {
		if _, err := fmt.Sscanf(text, "%016x", &t.Digest[i]); err != nil {
			return nil, fmt.Errorf("%w: header: digest %.20q", ErrFormat, text)
		}
	}
	if t.votes, err = vote.DecodeHistogram(cells, len(h.Classes)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	table := t.Table()
	if err := table.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if again, err := t.header(); err != nil || string(again) != string(head) || tables.Stands(table) != t.Rows {
		return nil, fmt.Errorf("%w: header: not in the one form this program writes, or not of %d rows", ErrFormat,
			tables.Stands(table))
	}
	return t, nil
}

// check says what cannot be in the header of a tally.
func (h *tallyHeader) check() error {
	for _, sum := range []string{h.Forest, h.Data} {
		if !isSum(sum) {
			return fmt.Errorf("sum %.80q", sum)
		}
	}
	switch {
	case h.Source != vote.OOB && h.Source != vote.Holdout:
		return fmt.Errorf("votes %s", english.Quote(string(h.Source)))
	case h.Trees < 1 || h.Trees > forest.MaxTrees || h.Rows < 0 || len(h.Digest) != 4:
		return fmt.Errorf("%d trees, %d rows, digest of %d words", h.Trees, h.Rows, len(h.Digest))
	case len(h.Parts) < 1 || len(h.Parts) == h.Of && h.Of > 1 || h.Parts[0] < 0 || h.Parts[len(h.Parts)-1] >= h.Of ||
		h.Of > MaxParts:
		return fmt.Errorf("parts %v of %d", h.Parts, h.Of)
	}
	for i, part := range h.Parts[1:] {
		if part <= h.Parts[i] {
			return fmt.Errorf("parts %v of %d", h.Parts, h.Of)
		}
	}
	return nil
}
