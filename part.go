package rfpragma

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/digest"
	"github.com/rfpragma/rfpragma/internal/schemas"
	"github.com/rfpragma/rfpragma/internal/sketch"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Past one machine [Fit] is three steps, each the same bytes however it is divided:
//
//	GrowPart     trees of some numbers, on all rows (of hash bags: on rows that come by, see GrowScan)
//	Part.Tally   out-of-bag votes of the merged trees for some rows, summed up
//	Part.Fit     on the merged tallies: weights and maps as in Fit, and so the same model file

// ErrPart is wrapped by every error about parts that do not belong together.
var ErrPart = errors.New("parts")

// Part is a range of consecutive trees of a forest, with a record of how they were grown. [GrowPart] and
// [MergeParts] return one. A part that holds all trees is all that a model needs besides votes.
type Part struct {
	Forest *forest.Forest // the trees of this part
	Trees  int            // number of trees of the whole forest
	Grown  Grown          // on what and how the trees were grown
	Name   string         // for messages, such as the name of its file; not stored

	reading  dataset.Reading
	weighted bool           // the training rows have case weights, be they a column or not
	groups   int            // into how many groups the training rows fall; 0 without groups
	sketch   *sketch.Sketch // of the training rows
}

// partHeader is the readable part of a file of trees.
type partHeader struct {
	Classes  []string        `json:"classes"`
	Share    []float64       `json:"share"`
	Ties     []int           `json:"ties,omitempty"`
	Schema   []schemas.Field `json:"schema"`
	Trees    int             `json:"trees"` // of the whole forest
	Grown    Grown           `json:"grown"`
	Reading  dataset.Reading `json:"reading"`
	Weighted bool            `json:"weighted,omitempty"`
	Groups   int             `json:"groups,omitempty"`
	Sketch   *sketch.Sketch  `json:"sketch,omitempty"` // of the training rows
}

// GrowPart grows the trees numbered from, ..., to-1 of the forest that [Fit] grows on train with c. Errors:
// those of [forest.GrowPart].
func GrowPart(ctx context.Context, train *dataset.Frame, c forest.Config, from, to int) (*Part, error) {
	if err := checkTraining(train); err != nil {
		return nil, err
	}
	f, err := forest.GrowPart(ctx, train, c, from, to)
	if err != nil {
		return nil, err
	}
	return prepareRows(train, c, nil).part(f), nil
}

// Prepared is training rows prepared for growing several parts by [Prepare]: the work that all parts share is done
// once. Its methods may be called concurrently.
type Prepared struct {
	rows      *forest.Prepared
	like      Part // all but the trees
	baselines dataset.Baselines
}

// Prepare prepares the rows of train. Errors: those of [forest.Prepare].
func Prepare(ctx context.Context, train *dataset.Frame, c forest.Config) (*Prepared, error) {
	if err := checkTraining(train); err != nil {
		return nil, err
	}
	rows, err := forest.Prepare(ctx, train, c)
	if err != nil {
		return nil, err
	}
	return prepareRows(train, c, rows), nil
}

func prepareRows(train *dataset.Frame, c forest.Config, rows *forest.Prepared) *Prepared {
	g := &Prepared{rows: rows, like: newPart(train.Schema(), c, train.Rows(), Fingerprint(train), train.Reading)}
	g.like.weighted, g.like.Grown, g.like.sketch = train.Weight != nil, g.like.Grown.of(train), sketchOf(train)
	g.baselines.Add(train)
	if train.Group != nil {
		g.like.groups = Config{Folds: train.Rows()}.foldsOf(train)
	}
	return g
}

// GrowPart grows the same part as the function [GrowPart]. Errors: those of [forest.Prepared.Grow].
func (g *Prepared) GrowPart(ctx context.Context, from, to int) (*Part, error) {
	if g.rows == nil {
		return nil, fmt.Errorf("%w: no rows are prepared; call Prepare", ErrPart)
	}
	f, err := g.rows.Grow(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return g.part(f), nil
}

func (g *Prepared) part(f *forest.Forest) *Part {
	p := g.like
	p.Forest = f
	f.Schema = g.baselines.In(f.Schema)
	return &p
}

// Rows is a function that calls do with all rows of a table, block by block in their order, and returns the
// first error: its own, or that of do. Do may use a block only until it returns. [dataset.Reader.Each] is such
// a function.
type Rows = func(do func(block *dataset.Frame) error) error

// GrowScan is [GrowPart] for hash bags and rows that come block by block. It grows the same trees but holds
// only the rows of the bags in memory. Outline says what is known of the rows in advance; rows without a class
// are skipped.
//
// Errors: [ErrPart] if a block has other columns or classes; those of [forest.NewSample], [forest.Sample.Grow],
// rows and ctx.
func GrowScan(ctx context.Context, outline *dataset.Outline, rows Rows, c forest.Config, from, to int) (*Part, error) {
	if outline == nil {
		return nil, fmt.Errorf("%w: there is no outline of the rows; give one", ErrPart)
	}
	sample, err := forest.NewSample(outline.Schema, outline.Classes, outline.Rows, c, from, to)
	if err != nil {
		return nil, err
	}
	var sampled sketch.Sketcher
	order := outline.Order()
	var baselines dataset.Baselines
	n := 0
	err = eachBlock(ctx, rows, outline.Schema, outline.Classes, func(block *dataset.Frame) error {
		block = block.Labelled()
		n += block.Rows()
		digest.AddRows(&sampled, block)
		order.Add(block)
		baselines.Add(block)
		return sample.Add(block)
	})
	if err != nil {
		return nil, err
	}
	f, err := sample.Grow(ctx)
	if err != nil {
		return nil, err
	}
	p := newPart(f.Schema, c, n, sample.Digest().Fingerprint(outline.Schema, outline.Classes, n), outline.Reading)
	f.Schema = baselines.In(f.Schema)
	p.Forest, p.sketch, p.Grown.Ordered = f, sampled.Sketch(), order.Columns()
	return &p, nil
}

// eachBlock hands on the rows, each block with the columns of a schema.
func eachBlock(ctx context.Context, rows Rows, schema dataset.Schema, classes []string,
	do func(*dataset.Frame) error) error {
	if rows == nil {
		return fmt.Errorf("%w: there is no function that yields rows; give one", ErrPart)
	}
	err := rows(func(block *dataset.Frame) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if block == nil {
			return fmt.Errorf("%w: a block that is nil comes; give frames", ErrPart)
		}
		block, err := schema.Conform(block)
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", ErrPart, err)
		case block.Truth == nil && block.Rows() > 0 || !slices.Equal(block.Classes, classes):
			return fmt.Errorf("%w: rows of the classes %.64q come, and %.64q are expected, with a label for each row; read "+
				"them with these classes and their column", ErrPart, block.Classes, classes)
		}
		return do(block)
	})
	return cmp.Or(err, ctx.Err())
}

// newPart returns what is known of a part without its trees.
func newPart(schema dataset.Schema, c forest.Config, n int, data string, reading dataset.Reading) Part {
	return Part{Trees: c.Resolved(len(schema)).Trees, Grown: grownOn(n, len(schema), data, c), reading: reading}
}

// check refuses a part that is nil, or has no trees.
func (p *Part) check() error {
	if p == nil || p.Forest == nil || p.Forest.Trees() == 0 {
		return fmt.Errorf("%w: a part without trees; grow it, or read it with ReadPart", ErrPart)
	}
	return nil
}

// Options returns how to read the training rows again for [Part.Tally], with the columns and classes of the
// forest.
func (p *Part) Options() dataset.Options {
	if p.check() != nil {
		return dataset.Options{}
	}
	return dataset.Options{
		Schema: p.Forest.Schema, Classes: p.Forest.Classes, Weight: p.reading.Weight,
		Target: p.reading.Target, Positive: p.reading.Positive, Merge: p.reading.Merge, Missing: p.reading.Missing,
		Ignore: p.reading.Ignore,
	}
}

// name is that of p in messages.
func (p *Part) name() string {
	from := p.Forest.First()
	return cmp.Or(p.Name, fmt.Sprintf("the part of trees %d to %d", from, from+p.Forest.Trees()-1))
}

// MergeParts joins parts of one forest, in any order. The result equals, byte for byte, the part grown in one
// go. Errors: [ErrPart] if trees between them are missing or there twice, or if the parts are not of one
// forest.
func MergeParts(parts ...*Part) (*Part, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("%w: no trees are given", ErrPart)
	}
	for _, p := range parts {
		if err := p.check(); err != nil {
			return nil, err
		}
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b *Part) int { return cmp.Compare(a.Forest.First(), b.Forest.First()) })
	whole := *parts[0]
	forests := []*forest.Forest{whole.Forest}
	for i, p := range parts[1:] {
		before := parts[i]
		if err := before.fits(p); err != nil {
			return nil, err
		}
		whole.Trees = max(whole.Trees, p.Trees)
		forests = append(forests, p.Forest)
	}
	var err error
	if whole.Forest, err = forest.Merge(forests...); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPart, err)
	}
	whole.Name = ""
	if len(parts) == 1 {
		whole.Name = parts[0].Name
	}
	return &whole, nil
}

// fits says why the trees of next cannot follow upon those of p.
func (p *Part) fits(next *Part) error {
	if how := p.Grown.differs(next.Grown); how != "" {
		return fmt.Errorf("%w: %s has %s than %s, and they are to be of one forest; grow them with the same flags on the "+
			"same rows", ErrPart, next.name(), how, p.name())
	}
	if p.weighted != next.weighted || p.groups != next.groups || !sameJSON(p.reading, next.reading) {
		return fmt.Errorf("%w: %s was read in another way than %s, and they are to be of one forest; grow them with the "+
			"same flags", ErrPart, next.name(), p.name())
	}
	first, end := next.Forest.First(), p.Forest.First()+p.Forest.Trees()
	switch {
	case first < end:
		return fmt.Errorf("%w: tree %d is there twice, in %s and in %s; give each part once", ErrPart, first, p.name(),
			next.name())
	case first > end:
		return missingTrees(end, first)
	}
	return nil
}

func missingTrees(from, to int) error {
	return fmt.Errorf("%w: trees %d to %d are missing; give their part too, or run its task again", ErrPart, from, to-1)
}

// Whole returns nil if the part holds all trees of the forest, else an [ErrPart] that says which are missing.
func (p *Part) Whole() error {
	if err := p.check(); err != nil {
		return err
	}
	first, end := p.Forest.First(), p.Forest.First()+p.Forest.Trees()
	switch {
	case first > 0:
		return missingTrees(0, first)
	case end < p.Trees:
		return missingTrees(end, p.Trees)
	}
	return nil
}

// differs says in what g differs from other, "" if in nothing.
func (g Grown) differs(other Grown) string {
	switch {
	case g.Rows != other.Rows:
		return fmt.Sprintf("other rows (%d, not %d)", other.Rows, g.Rows)
	case g.Data != other.Data:
		return "other rows"
	case g.Seed != other.Seed:
		return fmt.Sprintf("another seed (%d, not %d)", other.Seed, g.Seed)
	case !sameJSON(g, other):
		return "other settings"
	}
	return ""
}

// sameJSON compares what is stored of two records.
func sameJSON(a, b any) bool {
	x, errX := headerJSON(a)
	y, errY := headerJSON(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// Fit finds the weights and fits the maps on the votes of all trees for all training rows. The model equals,
// byte for byte, the one that the function [Fit] makes on out-of-bag votes. What c says on how trees are grown
// is ignored.
//
// Errors: [ErrPart] if trees or votes are missing, or are not of the same forest and rows; those that Fit
// returns once the trees are grown.
func (p *Part) Fit(ctx context.Context, votes *Tally, spec pragma.Spec, c Config) (*Model, error) {
	if err := cmp.Or(votes.check(), p.check()); err != nil {
		return nil, err
	}
	if err := errors.Join(p.Whole(), votes.Whole()); err != nil {
		return nil, err
	}
	if err := votes.of(p); err != nil {
		return nil, err
	}
	spec = spec.For(p.Forest.Classes, p.Forest.Share)
	c, err := c.measuring(spec, p.Forest.Classes)
	if err != nil {
		return nil, err
	}
	if c.TuneForest != "" && c.TuneForest != TuneOff {
		return nil, fmt.Errorf("%w: the trees are grown, so their settings cannot be chosen; leave TuneForest out", ErrConfig)
	}
	if c.Sure != (Sure{}) {
		return nil, fmt.Errorf("%w: the trees have seen all rows, so that none are kept apart; leave Sure out, or make sure "+
			"of the weights on other rows, see Retune", ErrConfig)
	}
	c.Forest, c.Votes = p.Grown.Growth(), vote.OOB
	c.Forest.Trees = p.Trees
	if err := c.checkFit(); err != nil {
		return nil, err
	}
	how := Provenance{Grown: p.Grown, Folds: min(c.folds(), p.Grown.Rows), Reading: p.reading}
	var warnings []error
	if p.groups > 0 {
		how.Folds = min(how.Folds, p.groups)
		warnings = append(warnings, errSeenGroups)
	}
	if c.Costs.Amounts() {
		how.Reading.Amount = votes.Amount
	}
	return c.finish(ctx, how, p.sketch, p.Forest, votes.Table(), spec, warnings)
}

// WriteTo writes the part in the format of a file of trees.
func (p *Part) WriteTo(w io.Writer) (int64, error) {
	if err := p.check(); err != nil {
		return 0, err
	}
	n, _, err := partFile.write(w, p.header, p.Forest)
	return n, err
}

func (p *Part) header() ([]byte, error) {
	return headerJSON(partHeader{p.Forest.Classes, p.Forest.Share, p.Forest.Ties, schemas.Fields(p.Forest.Schema), p.Trees,
		p.Grown, p.reading, p.weighted, p.groups, p.sketch})
}

// ReadPart reads what [Part.WriteTo] wrote; name is for messages. Any other bytes are an error that wraps
// [ErrFormat]; an error of r itself is returned as it is.
func ReadPart(r io.Reader, name string) (*Part, error) {
	var h partHeader
	var p *Part
	_, err := partFile.read(r, &h, func(head []byte, trees io.Reader, size int64) (err error) {
		p, err = h.part(head, trees, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	p.Name = name
	return p, nil
}

// part puts a part together of its header, which was read from head, and its trees.
func (h *partHeader) part(head []byte, trees io.Reader, size int64) (*Part, error) {
	k := len(h.Classes)
	schema, err := schemas.Schema(h.Schema)
	if err := errors.Join(err, checkClasses(h.Classes, h.Share, h.Ties), h.Grown.check(len(schema), k)); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	f, err := forest.Decode(trees, size, schema, h.Classes, h.Share, h.Ties)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; %s", ErrFormat, err, partFile.remedy())
	}
	p := &Part{Forest: f, Trees: h.Trees, Grown: h.Grown, reading: h.Reading, weighted: h.Weighted,
		groups: h.Groups, sketch: h.Sketch}
	if h.Groups < 0 || h.Trees < f.First()+f.Trees() || h.Trees > forest.MaxTrees || f.Soft() != h.Grown.Soft {
		return nil, fmt.Errorf("%w: header: trees %d to %d of %d, %d groups, soft votes %v", ErrFormat, f.First(), f.First()+
			f.Trees()-1, h.Trees, h.Groups, h.Grown.Soft)
	}
	if err := fits(h.Sketch, h.Grown.Rows, len(h.Classes)); err != nil {
		return nil, err
	}
	if again, err := p.header(); err != nil || string(again) != string(head) {
		return nil, fmt.Errorf("%w: header: not in the one form this program writes", ErrFormat)
	}
	return p, nil
}

// checkClasses makes sure that classes, their shares and the order of ties are such.
func checkClasses(classes []string, share []float64, ties []int) error {
	if len(classes) < 2 || len(share) != len(classes) {
		return fmt.Errorf("%d classes, %d shares", len(classes), len(share))
	}
	for _, s := range share {
		if !(s >= 0 && s <= 1) {
			return fmt.Errorf("share %v", s)
		}
	}
	if ties != nil && !wonBy(ties, share) {
		return fmt.Errorf("the order of ties %v of classes with the shares %v", ties, share)
	}
	return schemas.Distinct("class", classes)
}

// wonBy tells whether ties are each of the classes once, by falling share, and not in the order that goes without
// saying.
func wonBy(ties []int, share []float64) bool {
	given := slices.Repeat([]int{-1}, len(share)) // by class, its place
	for at, c := range ties {
		if c < 0 || c >= len(share) || given[c] >= 0 {
			return false
		}
		given[c] = at
	}
	return slices.Equal(vote.Ties(share, vote.TieOrder(share, given)), ties)
}

// digestOf is a SHA-256 of a forest and what it speaks of.
func digestOf(f *forest.Forest) (string, error) {
	head, err := headerJSON(partHeader{Classes: f.Classes, Share: f.Share, Ties: f.Ties, Schema: schemas.Fields(f.Schema)})
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write(head)
	_, err = f.WriteTo(sum)
	return hex.EncodeToString(sum.Sum(nil)), err
}
