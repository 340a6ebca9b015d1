// Package beamforest grows the trees of a forest, and counts their votes, on Apache Beam. All work is done by the core, and
// nothing here but keys and files: an element is a part of the trees or of the rows, as for rfpragma grow and rfpragma tally,
// and the files have the same bytes as theirs, whatever the parts, workers and retries. Weights and maps are then
// fitted on one node by rfpragma merge, or by [rfpragma.Part.Fit].
//
// Data and trees go by path, which every worker must reach: they are large, and what goes through Beam is held in memory and sent over
// the wire. So elements are few and heavy. A worker reads a file once, not before the first element asks for it: runners that split
// bundles by their progress would take a slow start for a bundle that cannot be split.
package beamforest

import (
	"encoding/json"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// Growth says on what and how trees are grown.
type Growth struct {
	Data    string          // path of a CSV file with labels
	Options dataset.Options // how it is read
	Forest  forest.Config   // Workers is not used: each element has one thread
	Parts   int             // elements that the trees are dealt out to; more than there are trees are as many as there are
	Out     string          // path of the file of trees to write
}

// Count says for which rows votes of which trees are counted.
type Count struct {
	Trees   string // path of a file with all trees of a forest
	Data    string // path of the CSV file that they were grown on
	Comma   rune   // what separates its cells; 0 finds it
	Decimal byte   // the decimal mark of its numbers; 0 is a point
	Amount  string // the column of what is at stake in a row; "" for none
	Parts   int    // elements that the rows are dealt out to
	Out     string // path of the file of votes to write
}

// Grow grows the trees of a forest and writes them to one file, the bytes of [rfpragma.GrowPart] for all trees. Hash bags, without
// weights and groups of rows, are grown by [rfpragma.GrowScan]: each element reads the file anew, and the worker holds the rows
// of its bags alone. Else each worker holds all rows.
func Grow(s beam.Scope, g Growth) {
	s = s.Scope("rfpragma.Grow")
	g.Parts = min(g.Parts, g.trees())
	job, err := json.Marshal(g)
	if err != nil {
		panic(err) // nothing in it that JSON does not have
	}
	trees := beam.ParDo(s, &growFn{job, newRun()}, numbers(s, g.Parts))
	beam.ParDo0(s, &writeTreesFn{g.Out}, beam.GroupByKey(s, beam.AddFixedKey(s, trees)))
}

// Tally counts the out-of-bag votes of a forest and writes them to one file, which says of all rows what [rfpragma.Part.Tally] says of
// so many parts of them.
func Tally(s beam.Scope, c Count) {
	s = s.Scope("rfpragma.Tally")
	votes := beam.ParDo(s, &tallyFn{c, newRun()}, numbers(s, c.Parts))
	beam.ParDo0(s, &writeVotesFn{c.Out}, beam.Combine(s, mergeTallies, votes))
}

// numbers returns those from 0 to n-1, spread over the workers.
func numbers(s beam.Scope, n int) beam.PCollection {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return beam.Reshuffle(s, beam.CreateList(s, list))
}

// A worker, which may be another process, finds what it is to do by name.
func init() {
	for _, fn := range []any{(*growFn)(nil), (*writeTreesFn)(nil), (*tallyFn)(nil), (*writeVotesFn)(nil)} {
		beam.RegisterType(reflect.TypeOf(fn).Elem())
	}
	beam.RegisterFunction(mergeTallies)
}
