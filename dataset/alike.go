package dataset

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// squeezed returns a name without what is easily written otherwise: letter case, blanks, hyphens and underscores.
func squeezed(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(spelling.Clean(name)))
}

// taken is a column of a file that is taken for one of the model, which is written otherwise.
type taken struct{ file, model string }

// alike returns, by the name of a column of the schema, how the file writes it where that differs in letter case,
// blanks, hyphens and underscores alone, and no other column of the two is written so. Columns that are given
// another role are none of the model.
func (o *Options) alike(header []string, given map[string]string) map[string]string {
	if o.Strict {
		return nil
	}
	var fields []string
	for _, field := range o.Schema {
		fields = append(fields, field.Name)
	}
	found, file := map[string]string{}, single(header)
	for plain, field := range single(fields) {
		if name := file[plain]; name != "" && given[name] == "" {
			found[field] = name
		}
	}
	return found
}

// single returns names by how they are squeezed, "" where several are squeezed alike.
func single(names []string) map[string]string {
	found := make(map[string]string, len(names))
	for _, name := range names {
		plain := squeezed(name)
		if _, twice := found[plain]; twice {
			name = ""
		}
		found[plain] = name
	}
	return found
}

// takenText says which columns of a file are taken for those of the model.
func (l *layout) takenText() string {
	const most = 10
	var pairs []string
	for i, t := range l.taken {
		if i == most && len(l.taken) > most+1 {
			pairs = append(pairs, fmt.Sprintf("and %d more", len(l.taken)-most))
			break
		}
		pairs = append(pairs, fmt.Sprintf("%s for %s", english.Quote(t.file), english.Quote(t.model)))
	}
	n := len(l.taken)
	return fmt.Sprintf("%s written otherwise than in training and taken for %s of the model: %s; rename %s if %s "+
		"something else",
		are(n, "column"), english.Verb(n, "that", "those"), strings.Join(pairs, ", "), english.Verb(n, "it", "them"),
		english.Verb(n, "it is", "they are"))
}

// missingWords are the words for a missing cell as the model calls the columns.
func (l *layout) missingWords(words []string) []string {
	var out []string
	for _, text := range words {
		for _, t := range l.taken {
			if word, own := wordFor(t.file, strings.TrimSpace(text)); own {
				text = t.model + "=" + word
			}
		}
		out = append(out, text)
	}
	return out
}
