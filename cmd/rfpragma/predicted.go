package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// predicted says what was done with the rows of a file, which are written to another.
func (p *program) predicted(job *predictJob, file, output string) {
	rows, labels := job.rows, job.model.Provenance.Reading.Target
	name := rows.source.Name()
	p.warn(slices.Concat(firstColumns(name, byBearing(job.model, slices.DeleteFunc(rows.Warnings(), job.lacks.answers))), job.lacks.warnings(name), job.twice.warnings(name, rows.o.ID, rows.done)))
	if rows.done == 0 {
		p.warn([]error{noRows(name)})
	}
	p.say("%s decided%s%s.%s%s%s", english.Plural(rows.done-job.withheld(), "row"), job.words(p.andWritten(output)), job.heldWords(), job.limitWords(), job.unlikelyWords(), laterWords(job))
	if job.form.json && strings.EqualFold(filepath.Ext(output), ".json") { // where a single value may be expected
		p.say("%s has an object for each row, a line each (JSON lines).", output)
	}
	if slices.Contains(rows.left, labels) {
		p.say("predict ignores the labels in column %s. To see how many decisions are right run rfpragma evaluate, or rfpragma cv if these are rows of the training.", english.Quote(labels))
	}
	if job.top != nil {
		if text := job.top.expects(timeFlagOf(job.model)); text != "" {
			p.say("%s%s", text, fewerWords(job.model))
		}
	}
	if job.form.reasons.most > 0 && !job.form.json {
		rare := ""
		if matter := job.of.matter(); len(matter) > 0 {
			rare = job.of.classes[matter[0]]
		}
		p.say("%s", job.form.reasons.words(rare))
	}
	if job.top != nil && rows.o.ID == "" {
		p.say("%s", countedWords(file))
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
		return fmt.Sprintf("; %d more %s %q", n, english.Verb(n, "is", "are"), undecided)
	}
}

// words says what became of the rows: how many are decided as which class, the most first, or which are written. To says where to.
func (j *predictJob) words(to string) string {
	if j.top != nil || j.rows.done == 0 {
		return j.top.words(to)
	}
	text := to + ": " + decidedWords(j.model.Classes(), j.as)
	if j.was != nil {
		text += "; without --prevalence " + decidedWords(j.model.Classes(), j.wasAs)
	}
	return text
}

// decidedWords says how many rows are decided as which class, the most first.
func decidedWords(classes []string, as []int) string {
	order := make([]int, len(as))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return as[b] - as[a] })
	parts := make([]string, len(order))
	for i, c := range order {
		parts[i] = fmt.Sprintf("%d as %s", as[c], english.Quote(classes[c]))
	}
	return few(parts)
}

// limitWords says what becomes of the alarms that are allowed: that a good part is not raised, or for a prevalence how much is used, and that what is required is not what
// it keeps.
func (j *predictJob) limitWords() string {
	floors, err := j.model.Floors()
	if err != nil || j.top != nil || j.rows.done == 0 {
		return ""
	}
	text := ""
	for _, f := range floors {
		if f.What != pragma.Alerts {
			continue
		}
		if j.was != nil {
			text += fmt.Sprintf(" You require %s; of these rows it is %s.", f.Text(j.model.Classes()), floorText(f, float64(j.as[f.Class])/float64(j.rows.done)))
		}
	}
	if len(floors) > 0 && j.was != nil {
		text += " --prevalence keeps the price of an error, not what you require; for that tune the model on labelled rows from there (rfpragma tune)."
	}
	return text
}

// timeFlagOf is the flag that has cv judge later rows by earlier ones, with the column of the training if it had one.
func timeFlagOf(m *rfpragma.Model) string {
	if column := m.Provenance.Reading.Time; column != "" {
		return csvtext.Flag("time", column, "COLUMN")
	}
	return "--time COLUMN"
}

// fewerWords says that the probabilities of a model may be too high for the rows of a list, see [inTimeWords].
func fewerWords(m *rfpragma.Model) string {
	return inTimeWords(m, cmp.Or(m.Provenance.MapVotes, m.Provenance.Votes), "Those", "fewer of later rows")
}

// laterWords says that new rows may be decided worse than those of the training, see [inTimeWords]; not of a list, of which fewerWords tells.
func laterWords(j *predictJob) string {
	if j.top != nil || j.rows.done == 0 {
		return ""
	}
	return inTimeWords(j.model, j.model.Provenance.Votes, "The rows of the training", "more errors on later rows")
}

// inTimeWords says what to expect of new rows where what is known of a model comes from votes on rows in the order of what may be time.
func inTimeWords(m *rfpragma.Model, votes vote.Source, rows, expect string) string {
	if m.Provenance.Ordered == nil || later(votes) {
		return ""
	}
	if m.Provenance.Reading.Time != "" {
		return fmt.Sprintf(" %s were judged by trees that knew others of their time: expect %s.", rows, expect)
	}
	return fmt.Sprintf(" %s were in the order of %s. If that is time, they were judged by trees that knew others of their time: expect %s.", rows, nearest.List(m.Provenance.Ordered), expect)
}

// unlikelyWords says that rows are decided as a class though another one is likelier, and why; "" of a list, where the decision does not matter.
func (j *predictJob) unlikelyWords() string {
	if j.top != nil {
		return ""
	}
	classes, matter := j.model.Classes(), j.of.matter()
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
			parts = append(parts, fmt.Sprintf("%s %s decided as %s", english.Plural(n, "row"), english.Verb(n, "is", "are"), english.Quote(classes[c])))
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
	return fmt.Sprintf(" %s although another class is likelier: %s.", few(parts), why)
}
