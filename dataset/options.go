package dataset

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// Options says what the columns of a file are for. Columns are named as in the first line of the file, without
// blanks around the name. The zero value of every field is valid, except that Target is required for training,
// that is, without a Schema.
type Options struct {
	Target string // the column of labels; "" for none, which needs a Schema
	// the one class that matters: all others become one, rest, or others if the one is rest; "" keeps the classes
	Positive string

	// Merge maps the name of a class to the labels that become it; a label of that name belongs to it, too.
	// Merging precedes Positive, which may name such a class. Nil keeps the labels apart.
	Merge map[string][]string

	ID     string // a column of texts that is carried through; "" for none
	Weight string // column of case weights, finite and >= 0, not all 0; "" for none
	Amount string // column of the amount at stake in a row, see Frame.Amount; it may also be a feature; "" for none
	// column of groups: Folds never splits rows with the same text here; it may be the column of ID; "" for none
	Group string
	// Time names a column of numbers or dates that says when each row was, or several columns with parts of a
	// date, from coarse to fine, separated by commas. These are not features, see Frame.Time. Not with a
	// Schema; "" for none.
	Time string

	// a column, or several as in a line of CSV, by whose texts lists are parted, see Frame.Per; they may be features,
	// or of whatever use; with a Schema alone; "" for none
	Per string

	// columns whose texts are kept beside the features, see Frame.Kept; they may be features, or of whatever use; nil for
	// none
	Keep []string

	Ignore      []string // columns that are not read; nil for none
	Categorical []string // columns read as text even where they look like numbers; nil for none

	// Number lists columns whose numbers wear something, each as COLUMN=UNIT: "weight=kg" reads 70kg and 70 kg as 70,
	// and refuses 70 lb. "price=$" takes $5, 5 $ and $1.3k, which is 1300. A unit of time (s, min, h, day) takes times
	// of day, since midnight, and durations: with "visit=min" 15:11, 3:00 PM and 1 h 5 min are 911, 900 and 65. COLUMN
	// alone is for numbers without a unit, such as 1.3k, ~40, <5 and 10+, of which the last two are read as next to 5
	// and 10. A number that wears no unit is taken to be in it. Not with a Schema, which knows the units; nil for none.
	Number []string

	// Missing lists words for a missing cell. A number matches by value, except in categories; other words also
	// match labels. A word such as "Age=0" is for column Age alone, or for the labels, where it may also be a
	// number. Nil: only empty cells are missing.
	Missing []string

	Workers int  // number of goroutines that read; 0 means GOMAXPROCS; the result does not depend on it
	Comma   rune // separator of the cells, such as ';' or '\t'; 0 means to find out whether it is , ; tab or |
	Decimal byte // decimal mark of the numbers in a CSV file, '.' or ','; 0 means '.'
	// DropUnlabelled leaves rows without a label out of training; false makes them an error. With a Schema,
	// which drops no rows, true says that most rows may lack a label and need no warning.
	DropUnlabelled bool

	// Memory is how many bytes the cells of training data may take; 0 means no limit. A table that announces
	// its number of rows, as Parquet does, is refused unread if they are too many.
	Memory int64

	// Schema is what a model knows of its columns. With it, columns are matched by name, in any order, and take
	// their kinds and levels from it: Categorical is not used, rows are never dropped, and the columns in
	// Ignore may be absent. Nil means to infer everything from the file.
	Schema  Schema
	Classes []string // with a Schema and a Target, the classes of the model
	// with a Schema, makes an extra column an error rather than a warning, and also a column whose name is not written
	// as in training
	Strict bool

	// Endless says that the rows may never end, like those of a pipe. With a Schema, a reader that has found a
	// fault looks for further faults up to the end of the file; among endless rows only up to the end of the
	// next block.
	Endless bool
}

// cleaned returns o with names as they are kept of a table, and labels, but for those that a model knows.
func (o Options) cleaned() Options {
	if o.Schema == nil {
		o.Positive = spelling.Clean(o.Positive)
	}
	for _, name := range []*string{&o.Target, &o.ID, &o.Weight, &o.Amount, &o.Group, &o.Time, &o.Per} {
		if clean := spelling.Clean(*name); clean != "" {
			*name = clean
		}
	}
	for _, list := range []*[]string{&o.Ignore, &o.Categorical, &o.Number, &o.Keep} {
		names := slices.Clone(*list)
		for i, name := range names {
			names[i] = spelling.Clean(name)
		}
		*list = names
	}
	if o.Merge != nil && o.Schema == nil {
		into := make(map[string][]string, len(o.Merge))
		for _, class := range slices.Sorted(maps.Keys(o.Merge)) {
			for _, label := range o.Merge[class] {
				into[spelling.Clean(class)] = append(into[spelling.Clean(class)], spelling.Clean(label))
			}
		}
		o.Merge = into
	}
	return o
}

// check reports options that no training can meet, without a look at the table of that name.
func (o *Options) check(name string) error {
	if o.Schema == nil && o.Target == "" {
		return csvtext.Usagef("%s: training needs the column of labels; name it with {target}", name)
	}
	return nil
}

// merged returns the class of each label that is merged. The name is that of a table.
func (o *Options) merged(name string) (map[string]string, error) {
	class := map[string]string{}
	for _, to := range slices.Sorted(maps.Keys(o.Merge)) {
		for _, label := range o.Merge[to] {
			if other, twice := class[label]; twice && other != to {
				return nil, csvtext.Usagef("%s: label %s is merged into %s and into %s; name it in one {merge-labels}", name,
					english.Quote(label), english.Quote(other), english.Quote(to))
			}
			class[label] = to
		}
	}
	for _, to := range slices.Sorted(maps.Keys(o.Merge)) {
		if other, merged := class[to]; merged && other != to {
			return nil, csvtext.Usagef("%s: labels are merged into %s, which is itself merged into %s; give the classes names "+
				"of their own with {merge-labels}", name, english.Quote(to), english.Quote(other))
		}
	}
	return class, nil
}

// layout says at which position of the file each thing stands; -1 means nowhere.
type layout struct {
	target, id, weight, group int
	amount                    int
	times                     []int // of the date of a row, or of parts of it, coarse to fine
	per, kept                 []int
	features                  []int             // in training all that remain; else one for each field of the schema
	units                     map[string]string // of the numbers, by column, in training
	ignored                   []int             // in training
	indexes                   []string          // columns that are the index of a data frame, and left out
	extra                     []string
	taken                     []taken // the features that the file writes otherwise
}

// role is a column asked for by name.
type role struct {
	flag, column string
	at           *int // where its position goes; nil when it does not matter
}

// named is what the reader of a message calls an option, given by its flag.
func named(flag string) string { return option.Text("{" + flag + "}") }

// roles returns what o asks for, in a fixed order, of these columns of the time. Columns to ignore come last.
func (o *Options) roles(l *layout, times []string) []role {
	list := []role{{"target", o.Target, &l.target}, {"id", o.ID, &l.id}, {"weight", o.Weight, &l.weight},
		{"group", o.Group, &l.group}}
	list = slices.DeleteFunc(list, func(r role) bool { return r.column == "" })
	l.times = slices.Repeat([]int{-1}, len(times))
	for i, column := range times {
		list = append(list, role{"time", column, &l.times[i]})
	}
	if o.Schema == nil {
		for _, column := range o.Categorical {
			list = append(list, role{flag: "categorical", column: column})
		}
		for _, column := range slices.Sorted(maps.Keys(l.units)) {
			list = append(list, role{flag: "number", column: column})
		}
	}
	for _, column := range o.Ignore {
		list = append(list, role{flag: "ignore", column: column})
	}
	return list
}

// arrange finds the columns that o asks for.
func arrange(t *table, o *Options) (layout, error) {
	l := layout{target: -1, id: -1, weight: -1, group: -1, amount: -1}
	position := make(map[string]int, len(t.header))
	for j, name := range t.header {
		position[name] = j
	}
	given := make(map[string]string, len(t.header)) // column to flag
	var unknown []role
	times := dateparts.TimeColumnsIn(o.Time, t.header)
	if o.Schema == nil {
		l.units = unitsIn(o.Number, t.header)
	}
	for _, r := range o.roles(&l, times) {
		flag := given[r.column]
		// as the name of a patient is, and as it is no feature either way
		both := flag == "id" && r.flag == "group" ||
			r.flag == "ignore" && (flag == "time" || flag == "categorical" || flag == "number")
		if flag != "" && flag != r.flag && !both {
			return l, csvtext.Usagef("%s: column %s is named by %s and by %s; drop one of them", t.file,
				english.Quote(r.column), named(flag), named(r.flag))
		}
		given[r.column] = r.flag
		j, found := position[r.column]
		switch {
		case !found && (r.flag != "ignore" || o.Schema == nil):
			unknown = append(unknown, r)
		case r.at != nil:
			*r.at = j
		}
	}
	if o.Amount != "" {
		j, found := position[o.Amount]
		if l.amount = j; !found {
			unknown = append(unknown, role{flag: "amount", column: o.Amount})
		}
	}
	for _, column := range dateparts.TimeColumnsIn(o.Per, t.header) {
		j, found := position[column]
		if l.per = append(l.per, j); !found {
			unknown = append(unknown, role{flag: "per", column: column})
		}
	}
	for _, column := range o.Keep {
		j, found := position[column]
		if l.kept = append(l.kept, j); !found {
			unknown = append(unknown, role{flag: "require", column: column})
		}
	}
	if len(unknown) > 0 {
		return l, unknownColumns(t, unknown)
	}
	if err := checkTimes(t, times); err != nil {
		return l, err
	}
	if o.Schema != nil {
		err := l.match(t, o, position, given)
		return l, err
	}
	if err := CheckMissing(t.file, o.Missing, t.header); err != nil {
		return l, err
	}
	for j, name := range t.header {
		switch flag := given[name]; {
		case flag == "" && frameIndex.MatchString(name):
			l.indexes = append(l.indexes, name)
		case flag == "" || flag == "categorical" || flag == "number":
			l.features = append(l.features, j)
		case flag == "ignore" && !slices.Contains(l.times, j):
			l.ignored = append(l.ignored, j)
		}
	}
	if len(l.features) == 0 {
		return l, t.fileFaultf("", option.Text(
			"no features left beside the columns named by {target} and the like; add at least one column"))
	}
	return l, nil
}

// frameIndex are the names that pandas gives to the index of a data frame that has no name, in Parquet and in a CSV
// file that was written with it and read again: numbers of rows, and no measurement. A first column without a name is
// left out as well. An index with a name is a column like others in either form.
var frameIndex = regexp.MustCompile(`^(?:__index_level_\d+__|Unnamed: 0(?:\.\d+)*)$`)

// match finds the columns of a schema.
func (l *layout) match(t *table, o *Options, position map[string]int, given map[string]string) error {
	var missing []string
	wanted, alike := make(map[string]bool, len(o.Schema)), o.alike(t.header, given)
	for _, field := range o.Schema {
		if flag := given[field.Name]; flag != "" && flag != "id" { // a feature may well name the rows
			return csvtext.Usagef("%s: column %s is a feature of the model and cannot be named by %s", t.file,
				english.Quote(field.Name), named(flag))
		}
		name := field.Name
		j, found := position[name]
		if clean := spelling.Clean(name); !found && clean != name { // of a model that kept it as it was
			name = clean
			j, found = position[name]
		}
		if other := alike[name]; !found && other != "" {
			name, j, found = other, position[other], true
			l.taken = append(l.taken, taken{name, field.Name})
		}
		wanted[name] = true
		if !found {
			missing = append(missing, name)
		}
		l.features = append(l.features, j)
	}
	for j, name := range t.header {
		known := wanted[name] || given[name] != "" || name == o.Amount || slices.Contains(l.per, j) ||
			slices.Contains(l.kept, j)
		if !known && !frameIndex.MatchString(name) {
			l.extra = append(l.extra, name)
		}
	}
	if len(missing) > 0 {
		return t.lacking(o.Schema, missing, l.extra)
	}
	if len(l.extra) > 0 && o.Strict {
		return t.fileFaultf("", option.Text("%s unknown to the model: %s; remove what is extra, or name it with {ignore}"),
			english.Plural(len(l.extra), "column"), nearest.List(l.extra))
	}
	return nil
}

// lacking is the error for a table that lacks columns of a model, and has extra ones. One that has hardly any of
// those of the model, nor others of like names, is probably another table.
func (t *table) lacking(s Schema, missing, extra []string) error {
	near, like := nearest.Hint(missing[0], extra), 1
	if len(missing) > 1 {
		near, like = renamed(missing, extra)
	}
	found := len(s) - len(missing)
	if len(missing) > 1 && 5*found < len(s) && 2*like < len(missing) {
		has := "none"
		if found > 0 {
			has = strconv.Itoa(found)
		}
		return t.fileFaultf("", "the file has %s of the %d columns of the model; is it the right one? It lacks %s, and has "+
			"%s%s",
			has, len(s), nearest.List(missing), nearest.List(t.header), t.hint())
	}
	without := option.Text("{ignore}")
	if len(missing) == 1 {
		without = csvtext.Flag("ignore", missing[0], "COL")
	}
	cure := "add what is missing, or train without what new rows cannot have (" + without + ")"
	if len(extra) > 0 {
		cure = "rename it if the file has it by another name, else add it"
		if len(missing) > 1 {
			cure = "rename those that the file has by other names, and add the others"
		}
		cure += "; beside the columns of the model it has " + nearest.List(extra)
	}
	return t.fileFaultf("", "the file lacks %s of the model: %s%s; %s", english.Plural(len(missing), "column"),
		nearest.List(missing), near, cure)
}

// renamed asks whether extra columns of a file are those that it lacks, "" where none is like one, and returns how
// many are.
func renamed(missing, extra []string) (text string, like int) {
	var pairs []string
	for _, name := range missing {
		if near := nearest.Of(name, extra); near != "" {
			pairs = append(pairs, fmt.Sprintf("%s for %s", english.Quote(near), english.Quote(name)))
		}
	}
	if pairs == nil {
		return "", 0
	}
	return " (is it " + strings.Join(pairs[:min(len(pairs), 3)], ", ") + "?)", len(pairs)
}

func unknownColumns(t *table, unknown []role) error {
	if r := unknown[0]; len(unknown) == 1 && r.flag == "target" { // which may be a name that nobody has typed
		return csvtext.Usagef("%s: no column %s (%s); name the column of the labels with {target}%s", t.file,
			english.Quote(r.column), nearest.Suggest(r.column, t.header), t.hint())
	}
	parts := make([]string, len(unknown))
	for i, r := range unknown {
		parts[i] = fmt.Sprintf("no column %s for %s (%s)", english.Quote(r.column), named(r.flag), nearest.Suggest(r.column,
			t.header))
	}
	return csvtext.Usagef("%s: %s; correct the name%s", t.file, strings.Join(parts, ", "), t.hint())
}
