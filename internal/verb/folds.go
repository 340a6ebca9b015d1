package verb

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/view"
)

// writeFolds writes the folds of the first repeat: a line for each row, both counted from 1; fold 0 is the rows of
// the first block in the order of time, which are not judged.
func writeFolds(job *view.CVJob, path string) error {
	folds := job.Eval.FoldOf
	switch {
	case job.Blocks != nil:
		folds = make([]int, job.Frame.Rows())
		for b, block := range job.Blocks {
			for _, i := range block.Rows {
				folds[i] = b - 1
			}
		}
	case folds == nil:
		var err error
		if folds, err = dataset.Folds(job.Frame, job.Eval.Folds, job.Eval.Seed); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		out := csv.NewWriter(w)
		_ = out.Write([]string{"row", "fold"})
		for i, f := range folds {
			_ = out.Write([]string{strconv.Itoa(i + 1), strconv.Itoa(f + 1)})
		}
		out.Flush()
		return out.Error()
	})
}

// readFolds reads what writeFolds wrote, the rows in any order, from a file of that name.
func readFolds(r io.Reader, name string, rows int) ([]int, error) {
	in, err := csvtext.NewReader(r, name, 0)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(in.Header, []string{"row", "fold"}) {
		return nil, in.RowFaultf("the first line is not row,fold; use a file written by --folds-to")
	}
	folds, last := make([]int, rows), 0
	err = in.Each(func(cells []string) error {
		row, err1 := strconv.Atoi(strings.TrimSpace(cells[0]))
		fold, err2 := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err2 == nil && fold == 0 {
			return in.RowFaultf("fold 0 is of rows that cv --time does not judge; name the column of the time with --time " +
				"again instead")
		}
		if err1 != nil || err2 != nil || row < 1 || row > rows || fold < 1 || fold > rows || folds[row-1] != 0 {
			return in.RowFaultf("row %s, fold %s; each of the rows 1 to %d stands once, folds count from 1",
				english.Quote(cells[0]), english.Quote(cells[1]), rows)
		}
		folds[row-1], last = fold, max(last, fold)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if row := slices.Index(folds, 0); row >= 0 {
		return nil, in.FileFaultf("", "row %d has no fold; the data has %s", row+1, english.Plural(rows, "row"))
	}
	filled := make([]bool, last)
	for i := range folds {
		folds[i]--
		filled[folds[i]] = true
	}
	if gap := slices.Index(filled, false); gap >= 0 {
		return nil, in.FileFaultf("", "no row is in fold %d of %d; number the folds from 1 without a gap", gap+1, last)
	}
	if last == 1 {
		return nil, in.FileFaultf("", "all rows are in fold 1; at least two folds are needed")
	}
	return folds, nil
}

// mostRepeats is the limit of --repeats: where it is reached, no further one would change a figure.
const mostRepeats = 1000

// readFoldCount reads into how many parts the rows are dealt.
func readFoldCount(job *view.CVJob, c *urfave.Context) error {
	job.Eval = eval.Config{Folds: c.Int("folds"), Repeats: c.Int("repeats"), Seed: c.Uint64("seed")}
	from, time := c.String("folds-from"), c.String("time") != ""
	switch {
	case time && c.String("group") != "":
		return cli.EitherTimeOrGroup()
	case time && from != "":
		return cli.Usagef("--time makes the folds, and --folds-from gives them; leave one out")
	case job.Eval.Folds < 1 || job.Eval.Folds == 1 && !time:
		return cli.Usagef("--folds %d; choose 2 or more", job.Eval.Folds)
	case job.Eval.Repeats < 1 || job.Eval.Repeats > mostRepeats:
		return cli.Usagef("--repeats %d; choose 1 to %d", job.Eval.Repeats, mostRepeats)
	case !c.IsSet("folds-from"):
		return nil
	case job.Eval.Repeats > 1:
		return cli.Usagef("--repeats %d draws other folds each time, and --folds-from gives them; give one", job.Eval.Repeats)
	}
	return cli.Findable("folds-from", from)
}

// dealFolds reads how the rows are dealt, once they are known.
func dealFolds(job *view.CVJob, c *urfave.Context) error {
	from := c.String("folds-from")
	switch {
	case job.Frame.Time != nil:
		return judgedBlock(job, c)
	case from == "":
		return limitFolds(job, c)
	}
	in, err := cli.OpenFile(c.Context, from)
	if err != nil {
		return err
	}
	defer in.Close()
	if job.Eval.FoldOf, err = readFolds(in, from, job.Frame.Rows()); err == nil {
		job.Eval.Folds = slices.Max(job.Eval.FoldOf) + 1
	}
	return err
}

// limitFolds holds the number of folds against that of the rows, or groups.
func limitFolds(job *view.CVJob, c *urfave.Context) error {
	most, of := cli.MostFoldsOf(job.Frame)
	switch {
	case job.Eval.Folds <= most || most < 2:
	case c.IsSet("folds"):
		return cli.FewerFolds("folds", job.Eval.Folds, of, most)
	default:
		job.Fewer = fmt.Sprintf("There are only %s: %s, not the usual %d.", english.Plural(most, of), hints.FoldsMade(most),
			job.Eval.Folds)
		job.Eval.Folds = most
	}
	return nil
}

// judgedBlock parts rows in the order of time, of which later ones are judged by earlier ones.
func judgedBlock(job *view.CVJob, c *urfave.Context) (err error) {
	if folds, most := job.Eval.Folds, job.Frame.MostBlocks(); folds > most && most > 0 {
		if c.IsSet("folds") {
			return cli.Usagef("--folds %d: column %s has %d times, and the first cannot be judged, as no rows come before it; "+
				"the most is --folds %d", folds, english.Quote(job.Frame.Time.Name), most+1, most)
		}
		if most > hints.FewBlocks { // else it is warned of
			job.Fewer = fmt.Sprintf("Column %q has only %d times, of which the first is not judged: %s, not the usual %d; %s.",
				job.Frame.Time.Name, most+1, hints.FoldsMade(most), folds, hints.FinerTimes(job))
		}
		job.Eval.Folds = most
	}
	if job.Blocks, err = job.Frame.Blocks(job.Eval.Folds); err != nil {
		return err
	}
	if made := len(job.Blocks) - 1; made < job.Eval.Folds {
		job.Fewer = fmt.Sprintf("The first block goes on to %s, so that classes are in it: %s, not %d.", job.Blocks[0].To,
			hints.FoldsMade(made), job.Eval.Folds)
	}
	return nil
}
