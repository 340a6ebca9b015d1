package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// MissingWords converts a list of words for a missing cell, as a person writes it, to the form of
// [Options].Missing. Words before the first COLUMN=WORD are for all columns; those after it are for that
// column, up to the next. For example NA, age=0, 99 becomes "NA" for all columns, and "age=0" and "age=99".
func MissingWords(list []string) []string {
	column, words := "", make([]string, 0, len(list))
	for _, word := range list {
		word = strings.TrimSpace(word)
		if !ofAll(word) {
			before, _, _ := strings.Cut(word, "=")
			column = before + "="
		} else if word != "" {
			word = column + word
		}
		words = append(words, word)
	}
	return words
}

// CheckMissing returns a *[UsageError] if one of the words for a missing cell, in the form of
// [Options].Missing, is for a column that is not among columns, or is empty. Name is that of the table, for the
// message. It is meant for words that a user has just given for training: those of a model may well be for a
// column that new rows lack, such as the labels.
func CheckMissing(name string, words, columns []string) error {
	for _, entry := range words {
		entry = strings.TrimSpace(entry)
		column, _, named := strings.Cut(entry, "=")
		if !named || column == "" {
			continue
		}
		at := slices.IndexFunc(columns, func(c string) bool { return strings.HasPrefix(entry, c+"=") })
		if at < 0 {
			return csvtext.Usagef("%s: no column %s for {missing} %s (%s); correct the name", name, english.Quote(column),
				english.Quote(entry), nearest.Suggest(column, columns))
		}
		if word, _ := wordFor(columns[at], entry); word == "" {
			return csvtext.Usagef("%s: {missing} %s has no word; write one, such as %s", name, english.Quote(entry),
				csvtext.Flag("missing", columns[at]+"=0", "COLUMN=0"))
		}
	}
	return nil
}

// wordFor returns the word that an entry of [Options].Missing has for one column alone, and whether it has one.
func wordFor(column, entry string) (word string, own bool) {
	word, own = strings.CutPrefix(entry, column+"=")
	return strings.TrimSpace(word), own
}

// missingFlag is the flag by which a word of a column is missing: a word such as a=b in that column alone.
func missingFlag(column, word string) string {
	if !ofAll(word) {
		word = column + "=" + word
	}
	return csvtext.Flag("missing", word, "WORD")
}

// ofAll reports whether an entry of [Options].Missing is a word for all columns.
func ofAll(entry string) bool { return strings.Index(entry, "=") <= 0 }

// missing are the words for a missing cell.
type missing struct {
	features []words         // by feature: those of all columns and its own
	label    words           // of the labels
	left     map[string]bool // those of the labels alone that are labels themselves, of a class that is left out
	entries  []entry
}

// entry is one of [Options].Missing.
type entry struct {
	text string
	met  []*atomic.Bool // whether a cell holds the word; none where it is of no feature and not of the labels
}

// newMissing deals words out to features and labels; target is "" where there is no column of these.
func newMissing(entries, features []string, target string) missing {
	m := missing{features: make([]words, len(features)), label: newWords(), left: map[string]bool{}}
	all := newWords()
	for _, text := range entries {
		text = spelling.Clean(text)
		e := entry{text: text}
		if ofAll(text) {
			e.met = append(e.met, all.add(text))
			// A number is a label whatever it means elsewhere: where a measurement of 0 is missing, 0 and 1 are classes all
			// the same.
			if _, form := csvtext.ParseNumber(text); form == csvtext.Word {
				m.label.texts[text] = e.met[0]
			}
		} else if word, own := wordFor(target, text); own && target != "" {
			e.met = append(e.met, m.label.add(word))
			m.left[word] = isLabel(word)
		}
		m.entries = append(m.entries, e)
	}
	for j, column := range features {
		m.features[j] = m.wordsOf(column, all)
	}
	return m
}

// wordsOf returns the words of a feature: all others and, if there are any, those of its own.
func (m *missing) wordsOf(column string, all words) words {
	w, shared := all, true
	for i := range m.entries {
		e := &m.entries[i]
		word, own := wordFor(column, e.text)
		if own && shared {
			w, shared = words{maps.Clone(all.texts), maps.Clone(all.numbers)}, false
		}
		if own {
			e.met = append(e.met, w.add(word))
		}
	}
	return w
}

// unmet returns the words that no cell has held, quoted, with the column of each that is of one, but for those of
// columns that are not read.
func (m *missing) unmet(ignored []string) []string {
	var unmet []string
	for _, e := range m.entries {
		unread := func(column string) bool { _, own := wordFor(column, e.text); return own }
		if e.text == "" || slices.ContainsFunc(e.met, (*atomic.Bool).Load) || e.met == nil && slices.ContainsFunc(ignored,
			unread) {
			continue
		}
		text := csvtext.Show(e.text)
		if column, word, _ := strings.Cut(e.text, "="); !ofAll(e.text) {
			text = fmt.Sprintf("%s in column %s", csvtext.Show(word), english.Quote(column))
		}
		unmet = append(unmet, text)
	}
	slices.Sort(unmet)
	return slices.Compact(unmet)
}

// noLabel reports whether a trimmed text in the column of labels means that there is none.
func (m *missing) noLabel(text string) bool {
	return text == "" || len(m.label.texts) > 0 && (meet(m.label.texts[text]) || meet(m.label.texts[spelling.Clean(text)]))
}

// leavesOut reports whether a trimmed label is one of a class that is left out, as somebody named it for the column
// of labels, and not a way to say that there is none.
func (m *missing) leavesOut(label string) bool { return m.left[label] }

// LeavesOut reports whether rows of that label were left out, as [Options].Missing names it for the column of
// labels: they have a label, and yet no class.
func (r *Reading) LeavesOut(label string) bool {
	return r.Target != "" && slices.Contains(r.Missing, r.Target+"="+label) && isLabel(label)
}

// isLabel reports whether a text in the column of labels is one, and none that says that the label is not known.
func isLabel(text string) bool {
	return !missingWords[text] && !unknownLabels[strings.ToLower(text)] && strings.ContainsFunc(text,
		func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// words are the texts that mean a missing cell in a column, and those that are numbers also by their value.
type words struct {
	texts   map[string]*atomic.Bool
	numbers map[float64]*atomic.Bool // the same, whether a cell holds the word
}

func newWords() words { return words{map[string]*atomic.Bool{}, map[float64]*atomic.Bool{}} }

// add adds a word, and returns what tells whether a cell holds it.
func (w *words) add(word string) *atomic.Bool {
	if met := w.texts[word]; met != nil {
		return met
	}
	met := new(atomic.Bool)
	// one that becomes 0 does not stand for 0
	if v, form := csvtext.ParseNumber(word); form != csvtext.Word && form != csvtext.Tiny {
		if same := w.numbers[v]; same != nil {
			met = same
		}
		w.numbers[v] = met
	}
	w.texts[word] = met
	return met
}

// meet notes that a cell holds a word, and reports whether there is one.
func meet(met *atomic.Bool) bool {
	if met != nil && !met.Load() {
		met.Store(true)
	}
	return met != nil
}

// missing reports whether a trimmed cell is missing, one of a column that is text or not.
func (w *words) missing(c *Cell, text bool) bool {
	return c.text == "" && c.state != parsed || len(w.texts) > 0 && w.listed(c, text)
}

// listed reports whether a trimmed cell holds one of the words. A number is told by its value, so
// that -999 is -999.0 too, unless it is the text of a category.
func (w *words) listed(c *Cell, text bool) bool {
	if c.text != "" && (meet(w.texts[c.text]) || len(w.texts) > len(w.numbers) && meet(w.texts[spelling.Clean(c.text)])) {
		return true
	}
	if len(w.numbers) == 0 || text && c.text != "" {
		return false
	}
	v, form := c.value()
	return form != csvtext.Word && meet(w.numbers[v])
}
