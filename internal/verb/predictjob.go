package verb

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// predictJob streams rows through a model.
type predictJob struct {
	model *rfpragma.Model
	rows  *cli.Rows
	form  predictions.RowForm
	top   *predictions.Top // or nil, for all rows
	as    []int            // by class, how many rows are decided as it
	held  []int            // by class, how many rows would be, but for --withhold
	lacks *abstain.Lacking
	twice *predictions.Repeats
	of    *view.Goal      // what the model was tuned for
	was   *rfpragma.Model // without --prevalence; nil where that is the model, or for a list
	wasAs []int           // by class, how many rows that decides as it

	unlikely []int // by class, how many rows are decided as it though another class has a larger probability
}

// writeRows decides all rows. Blocks are read, decided and put into words at the same time; only the
// numbers of the rows wait until the blocks come together again.
func (j *predictJob) writeRows(ctx context.Context, w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	j.form.Begin(buffered)
	err := dataset.Stream(j.rows.Reader,
		func(frame *dataset.Frame, out *predictions.DecidedLines) error {
			table, err := j.model.Forest.Votes(ctx, frame, 1)
			if err == nil {
				err = j.decideRows(ctx, frame, table, out)
			}
			return err
		},
		func(frame *dataset.Frame, out *predictions.DecidedLines) error {
			for i := range out.Ends {
				number := j.rows.Done + i + 1
				if j.top != nil {
					if j.form.Withholds(out.Lacking[i]) {
						continue
					}
					per := ""
					if frame.Per != nil {
						per = frame.Per[i]
					}
					j.top.Offer(out, i, number, per)
				} else if _, err := buffered.Write(out.Line(buffered.AvailableBuffer(), i, number)); err != nil {
					return err
				}
			}
			addTo(j.as, out.As)
			addTo(j.held, out.Held)
			addTo(j.wasAs, out.WasAs)
			addTo(j.unlikely, out.Unlikely)
			j.lacks.Add(frame, out.Lacking, j.rows.Done)
			j.twice.Add(frame.ID, j.rows.Done)
			j.rows.Add(len(out.Ends))
			return nil
		})
	if err != nil {
		return err
	}
	end := j.form.Ending()
	for b := range j.top.InOrder {
		for place, r := range b.Likeliest(j.top.List) {
			why, err := j.form.Why.Of(ctx, j.model, r.Cells, j.top.Name, nil)
			if err != nil {
				return err
			}
			line := slices.Insert(r.Line, r.Place, strconv.AppendInt(nil, int64(place+1), 10)...)
			_, _ = buffered.Write(end(line, why, j.top.List.Class)) // an error comes again below
		}
	}
	return buffered.Flush()
}

// decideRows puts the decisions for a block into words. For a list there are reasons only once it is known which
// rows are on it.
func (j *predictJob) decideRows(ctx context.Context, frame *dataset.Frame, table *vote.Table,
	out *predictions.DecidedLines) (
	err error) {
	out.Clear()
	out.As, out.Held, out.WasAs, out.Unlikely = make([]int, len(j.as)), make([]int, len(j.held)),
		make([]int, len(j.wasAs)), make([]int, len(j.as))
	if out.Lacking, err = j.lacks.In(frame); err != nil {
		return err
	}
	line := j.form.Lines()
	cells := func(i int) []float64 {
		x := make([]float64, len(frame.Columns))
		frame.Row(x, i)
		return x
	}
	var parts [][]float64
	if j.top != nil && j.form.Why.Any() {
		out.Cells = cells
	} else if parts, err = j.form.Why.PartsIn(ctx, frame); err != nil {
		return err
	}
	shares := make([]float64, len(j.form.Classes))
	predictions.DecideRows(table, predictions.Deciding(j.model, table), j.model.Probabilities,
		func(i int, d predictions.Decided) {
			if frame.ID != nil {
				d.ID = frame.ID[i]
			}
			if frame.Per != nil {
				d.Per = frame.Per[i]
			}
			if j.form.Shares {
				tables.Shares(j.model.Weights, shares, table.Votes(i))
				d.Shares = shares
			}
			d.Lacks, d.Close = out.Lacking[i], j.model.Close(table.Votes(i))
			if j.form.Scores {
				d.Scores = scoresOf(j.model, table.Votes(i))
			}
			if j.top == nil && j.form.Why.Any() && err == nil {
				d.Why, err = j.why(ctx, cells(i), d.Class, parts, i)
			}
			line(out, d)
			switch {
			case d.Class < 0:
			case j.form.Leaves(&d):
				out.Held[d.Class]++
			default:
				out.As[d.Class]++
				if slices.Max(d.Prob) > d.Prob[d.Class] {
					out.Unlikely[d.Class]++
				}
				if j.was != nil {
					out.WasAs[predictions.Deciding(j.was, table)(i)]++
				}
			}
			if j.top != nil {
				of := j.top.List.Class
				out.Ranks = append(out.Ranks, predictions.Rank{Prob: d.Prob[of], Votes: d.Votes[of], Decided: d.Class == of})
			}
		})
	return err
}

// addTo adds numbers of rows by class.
func addTo(to, rows []int) {
	for c, n := range rows {
		to[c] += n
	}
}

// why says why row i is decided as a class, -1 where no tree votes.
func (j *predictJob) why(ctx context.Context, cells []float64, class int, parts [][]float64, i int) (predictions.Why,
	error) {
	var own []float64
	if parts != nil {
		own = parts[i]
	}
	return j.form.Why.Of(ctx, j.model, cells, j.form.Classes[class], own)
}

// withheld returns of how many rows the decision is withheld.
func (j *predictJob) withheld() int {
	n := 0
	for _, rows := range j.held {
		n += rows
	}
	return n
}

// heldWords says of how many rows the decision is withheld, if any.
func (j *predictJob) heldWords() string {
	switch n := j.withheld(); {
	case n == 0:
		return ""
	case j.top != nil:
		return fmt.Sprintf("; %d more %s undecided, and not on the list", n, english.Verb(n, "is", "are"))
	default:
		return fmt.Sprintf("; %d more %s %q", n, english.Verb(n, "is", "are"), predictions.Undecided)
	}
}

// words says what became of the rows: how many are decided as which class, the most first, or which are written. To
// says where to.
func (j *predictJob) words(to string) string {
	if j.top != nil || j.rows.Done == 0 {
		return j.top.Words(to)
	}
	text := to + ": " + decidedWords(j.model.Classes(), j.as)
	if j.was != nil {
		text += "; without --prevalence " + decidedWords(j.model.Classes(), j.wasAs)
	}
	return text
}

// unlikelyWords says that rows are decided as a class though another one is likelier, and why; "" of a list, where
// the decision does not matter.
func (j *predictJob) unlikelyWords() string {
	if j.top != nil {
		return ""
	}
	classes, why := j.model.Classes(), "that follows from what the model was asked for"
	var parts []string
	for c, n := range j.unlikely {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s decided as %s", english.Plural(n, "row"), english.Quote(classes[c])))
		}
	}
	if parts == nil {
		return ""
	}
	if !j.model.Provenance.ByCost && slices.Max(j.model.Weights) == slices.Min(j.model.Weights) {
		why = "the model goes by the most votes"
	}
	return fmt.Sprintf(" %s although another class is likelier: %s.", english.First(parts), why)
}

// scoresOf returns those of a row for each class.
func scoresOf(m *rfpragma.Model, votes []uint32) []float64 {
	out := make([]float64, len(votes))
	for c := range out {
		out[c], _ = m.Score(votes, c)
	}
	return out
}
