package verb

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// tellPredicted says what was done with the rows of a file, which are written to another.
func tellPredicted(p *cli.Program, job *predictJob, file, output string) {
	rows, labels := job.rows, job.model.Provenance.Reading.Target
	name := rows.Source.Name()
	p.Warn(slices.Concat(firstColumns(name, byImportance(job.model, slices.DeleteFunc(rows.Warnings(),
		job.lacks.Answers))), job.lacks.Warnings(name), job.twice.Warnings(name, rows.O.ID, rows.Done)))
	if rows.Done == 0 {
		p.Warn([]error{cli.NoRows(name)})
	}
	p.Say("%s decided%s%s.%s%s%s", english.Plural(rows.Done-job.withheld(), "row"), job.words(p.AndWritten(output)),
		job.heldWords(), job.limitWords(), job.unlikelyWords(), laterWords(job))
	if job.form.JSON && strings.EqualFold(filepath.Ext(output), ".json") { // where a single value may be expected
		p.Say("%s has an object for each row, a line each (JSON lines).", output)
	}
	if slices.Contains(rows.Left, labels) {
		p.Say("predict ignores the labels in column %s. To see how many decisions are right run rfpragma evaluate, or "+
			"rfpragma cv if these are rows of the training.", english.Quote(labels))
	}
	if job.top != nil {
		if text := job.top.Expects(timeFlagOf(job.model)); text != "" {
			p.Say("%s%s", text, fewerWords(job.model))
		}
	}
	if job.form.Reasons.Most > 0 && !job.form.JSON {
		p.Say("%s", job.form.Reasons.Words())
	}
	if job.top != nil && rows.O.ID == "" {
		p.Say("%s", countedWords(file))
	}
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

// limitWords says what becomes of the alarms that are allowed: that a good part is not raised, or for a prevalence
// how much is used, and that what is required is not what it keeps.
func (j *predictJob) limitWords() string {
	floors, err := j.model.Floors()
	if err != nil || j.top != nil || j.rows.Done == 0 {
		return ""
	}
	text := ""
	for _, f := range floors {
		if f.What != pragma.Alerts {
			continue
		}
		if j.was != nil {
			text += fmt.Sprintf(" You require %s; of these rows it is %s.", f.Text(j.model.Classes()), view.FloorText(f,
				float64(j.as[f.Class])/float64(j.rows.Done)))
		}
	}
	if len(floors) > 0 && j.was != nil {
		text += " --prevalence keeps the price of an error, not what you require; for that tune the model on labelled rows " +
			"from there (rfpragma tune)."
	}
	return text
}

// laterWords says that new rows may be decided worse than those of the training, see [inTimeWords]; not of a list,
// of which fewerWords tells.
func laterWords(j *predictJob) string {
	if j.top != nil || j.rows.Done == 0 {
		return ""
	}
	return inTimeWords(j.model, j.model.Provenance.Votes, "The rows of the training", "more errors on later rows")
}

// unlikelyWords says that rows are decided as a class though another one is likelier, and why; "" of a list, where
// the decision does not matter.
func (j *predictJob) unlikelyWords() string {
	if j.top != nil {
		return ""
	}
	classes, matter := j.model.Classes(), j.of.Matter()
	why := "missing one is worse, by what the model was asked for"
	var parts []string
	for c, n := range j.unlikely {
		if n == 0 {
			continue
		}
		if !slices.Contains(matter, c) {
			why = "errors are not equally bad, by what the model was asked for"
		}
		if parts == nil {
			parts = append(parts, fmt.Sprintf("%s %s decided as %s", english.Plural(n, "row"), english.Verb(n, "is", "are"),
				english.Quote(classes[c])))
		} else {
			parts = append(parts, fmt.Sprintf("%d as %s", n, english.Quote(classes[c])))
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
