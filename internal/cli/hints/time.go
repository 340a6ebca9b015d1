package hints

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// Memorised say what importance of rows in the order of columns that may be times leaves out.
func Memorised(columns []string, r *dataset.Reading, s dataset.Schema) []string {
	if columns == nil {
		return nil
	}
	when := ""
	if r.Time == "" {
		when = fmt.Sprintf("If %s is time, ", nearest.List(columns[:1]))
	}
	return []string{english.Capital(
		fmt.Sprintf("%spast and future are mixed here: what trees learn by heart, such as a month, looks worth more than "+
			"it is on later rows; cv %s looks for such columns.", when, csvtext.Flag("time", timeColumns(columns, r, s),
			"COL")))}
}

// Later tells of votes that they are for rows which came after those that the trees know, or may have.
func Later(votes vote.Source) bool { return votes == vote.Holdout || votes == vote.Forward }

// FoldsMade says how many folds there are.
func FoldsMade(n int) string {
	return fmt.Sprintf("%s %s made", english.Plural(n, "fold"), english.Verb(n, "is", "are"))
}

// FewBlocks is how many judged blocks do not tell how blocks differ.
const FewBlocks = 2

// FinerTimes says what makes more blocks.
func FinerTimes(job *view.CVJob) string {
	f := job.Frame
	if finer := f.Reading.FinerTime(f.Time.Name, f.Schema()); finer != "" {
		return csvtext.Flag("time", finer, "COL") + " makes more blocks"
	}
	return "finer times make more blocks, such as dates, or columns of year and month (--time YEAR,MONTH)"
}

// errFewBlocks is wrapped by the warning that few blocks are judged.
var errFewBlocks = errors.New("few blocks are judged")

// OfFewBlocks warns where few blocks are judged, whose ranges hold the chance of their rows and not how blocks
// differ, and says how to have more.
func OfFewBlocks(job *view.CVJob) []error {
	blocks := len(job.Blocks) - 1
	if blocks < 1 || blocks > FewBlocks {
		return nil
	}
	judged, known, more := "one block is", "nothing", "a larger --folds makes more blocks"
	if blocks > 1 {
		judged, known = "two blocks are", "little"
	}
	if most := job.Frame.MostBlocks(); job.Eval.Folds >= most {
		more = fmt.Sprintf("column %s has only %d times, and %s", english.Quote(job.Frame.Time.Name), most+1,
			FinerTimes(job))
	}
	return []error{note.New("only %s judged, so the ranges know %s of how blocks differ: on later rows recall and "+
		"precision may well be below them; %s", judged, known, more).Wrapping(errFewBlocks)}
}

// EarlyBlocks puts into one what only trainings of early blocks warn of, but for what decides whether there is a
// model.
func EarlyBlocks(warnings []error) []error {
	var early []string
	warnings = slices.DeleteFunc(warnings, func(w error) bool {
		var in *eval.TrainingWarning
		if !errors.As(w, &in) || !in.Early || view.Refused(w) {
			return false
		}
		early = append(early, w.Error())
		return true
	})
	if early != nil {
		warnings = append(warnings, fmt.Errorf("of early blocks alone, whose trainings have fewer rows: %s",
			strings.Join(early, "; ")))
	}
	return warnings
}

// Ordered closes what is said of rows in the order of columns that may be times, as the last words may be all
// that is kept, or of rows whose time is known, of a table that was read so and has these features.
func Ordered(columns []string, r *dataset.Reading, s dataset.Schema) []string {
	switch {
	case columns == nil:
		return nil
	case r.Time != "":
		return []string{fmt.Sprintf("The rows were judged with past and future mixed: expect less on later rows; cv %s "+
			"says how much less.", csvtext.Flag("time", r.Time, "COL"))}
	}
	return []string{fmt.Sprintf("The rows were in the order of %s: if that is time, expect less on later rows; cv %s "+
		"says how much less.",
		nearest.List(columns), csvtext.Flag("time", timeColumns(columns, r, s), "COL"))}
}

// timeColumns is what --time takes for such rows.
func timeColumns(columns []string, r *dataset.Reading, s dataset.Schema) string {
	return cmp.Or(r.Time, r.FinerTime(columns[0], s), columns[0])
}

// TimeFlag is the flag that has cv judge later rows by earlier ones, with the column of the training if it had one.
func TimeFlag(m *rfpragma.Model) string {
	if column := m.Provenance.Reading.Time; column != "" {
		return csvtext.Flag("time", column, "COLUMN")
	}
	return "--time COLUMN"
}

// FewerTimes says that the probabilities of a model may be too high for the rows of a list, see [InTime].
func FewerTimes(m *rfpragma.Model) string {
	return InTime(m, cmp.Or(m.Provenance.MapVotes, m.Provenance.Votes), "Those", "fewer of later rows")
}

// InTime says what to expect of new rows where what is known of a model comes from votes on rows in the order
// of what may be time.
func InTime(m *rfpragma.Model, votes vote.Source, rows, expect string) string {
	if m.Provenance.Ordered == nil || Later(votes) {
		return ""
	}
	if m.Provenance.Reading.Time != "" {
		return fmt.Sprintf(" %s were judged by trees that knew others of their time: expect %s.", rows, expect)
	}
	return fmt.Sprintf(" %s were in the order of %s. If that is time, they were judged by trees that knew others of "+
		"their time: expect %s.", rows, nearest.List(m.Provenance.Ordered), expect)
}
