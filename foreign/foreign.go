package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// ErrFormat is wrapped by every error about a file that is no forest, or of which something cannot be told.
var ErrFormat = errors.New("foreign forest")

// Forest is a forest that another program grew.
type Forest struct {
	*forest.Forest
	Origin string // the program and what it calls the model, such as "XGBoost 3.2.0, binary:logistic"
}

// Options say what files of some programs do not hold.
type Options struct {
	// Labels of the classes, in the order of their numbers, for LightGBM and XGBoost, which know only these; none means
	// 0, 1, ...
	Classes []string
	// Names of the features, in their order, for models that were given none; none means the names that their program
	// gives them, such as f0.
	Features []string
}

// Sizes that a file may claim; a model beyond them is no model of a table.
const (
	mostClasses  = 1000
	mostFeatures = 1 << 16
	mostBytes    = 1 << 32
)

// Read reads a forest from a file of any of the programs, told by how it begins. The name is for messages.
//
// The forest answers for missing cells and unknown categories as its program does for missing values. Its ties go to
// the class that the program would take.
//
// Errors: [ErrFormat] with the place, also for models that decide no classes; those of r.
func Read(r io.Reader, name string, o Options) (*Forest, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes))
	if err != nil {
		return nil, err
	}
	f, err := read(text, o)
	if err != nil {
		if name != "" {
			return nil, fmt.Errorf("%s: %w: %w", name, ErrFormat, err)
		}
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return f, nil
}

func read(text []byte, o Options) (*Forest, error) {
	start := bytes.TrimLeft(text, " \t\r\n\ufeff")
	switch {
	case len(start) == 0:
		return nil, errors.New("the file is empty")
	case bytes.HasPrefix(start, []byte("tree")) && len(start) > 4 && (start[4] == '\n' || start[4] == '\r'):
		return readLightGBM(string(start), o)
	case start[0] == '{' && len(start) > 1 && isUBJ(start[1]):
		plain, err := ubjToJSON(start)
		if err != nil {
			return nil, fmt.Errorf("UBJ: %w", err)
		}
		return readXGBoost(plain, o)
	case start[0] == '{':
		return readJSON(start, o)
	case text[0] == 0x08 || text[0] == 0x3a:
		return readONNX(text, o)
	}
	return nil, errors.New("this is no model of LightGBM (text), XGBoost (JSON, UBJ) or ONNX, and no JSON of the " +
		"scripts for scikit-learn and ranger; the guide to foreign forests has them")
}

// readJSON reads JSON of whichever program.
func readJSON(text []byte, o Options) (*Forest, error) {
	var kind struct {
		Format  string          `json:"format"`
		Learner json.RawMessage `json:"learner"`
	}
	if err := decode(text, &kind); err != nil {
		return nil, err
	}
	switch {
	case kind.Learner != nil:
		return readXGBoost(text, o)
	case kind.Format == "scikit-learn":
		return readSklearn(text, o)
	case kind.Format == "ranger":
		return readRanger(text, o)
	}
	return nil, fmt.Errorf("JSON of the format %s; it must be that of XGBoost, or name scikit-learn or ranger as its "+
		"format, as the scripts do", english.Quote(kind.Format))
}

// decode decodes JSON, and says where it is wrong.
func decode(text []byte, v any) error {
	err := json.Unmarshal(text, v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("JSON, byte %d: %s; write the file again", syntax.Offset, brief(err))
	}
	if err != nil {
		return fmt.Errorf("%s; write the file again", brief(err))
	}
	return nil
}

// brief is the text of an error that may hold much of a file.
func brief(err error) string {
	const longest = 200
	text := strings.ToValidUTF8(err.Error(), "?")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}

// assemble makes a forest of what a file said.
func assemble(g forest.Given, origin string, o Options) (*Forest, error) {
	if len(o.Features) > 0 {
		if len(o.Features) != len(g.Schema) {
			return nil, fmt.Errorf(option.Text("{features} names %d features, and the model has %d"), len(o.Features),
				len(g.Schema))
		}
		for j := range g.Schema {
			g.Schema[j].Name = o.Features[j]
		}
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"class", g.Classes}, {"feature", namesOf(g.Schema)}} {
		seen := make(map[string]bool, len(list.names))
		for _, name := range list.names {
			if seen[name] {
				return nil, fmt.Errorf("two of its %s names are %s; name them apart", list.what, english.Quote(name))
			}
			seen[name] = true
		}
	}
	f, err := forest.Assemble(g)
	if err != nil {
		return nil, err
	}
	const longest = 200 // of what a model may keep
	return &Forest{f, strings.ToValidUTF8(origin[:min(len(origin), longest)], "")}, nil
}

func namesOf(s dataset.Schema) []string {
	names := make([]string, len(s))
	for j, f := range s {
		names[j] = f.Name
	}
	return names
}

// labels returns the labels of k numbered classes.
func (o Options) labels(k int) ([]string, error) {
	switch {
	case k < 2 || k > mostClasses:
		return nil, fmt.Errorf("the model decides %d classes; it must decide from 2 to %d", k, mostClasses)
	case len(o.Classes) == 0:
		return numbered("", k), nil
	case len(o.Classes) != k:
		return nil, fmt.Errorf(option.Text("{classes} names %d classes, and the model decides %d"), len(o.Classes), k)
	}
	return o.Classes, nil
}

// numbered returns n names that end in their number.
func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = prefix + strconv.Itoa(i)
	}
	return names
}

// numeric returns a schema of numeric features.
func numeric(names []string) dataset.Schema {
	s := make(dataset.Schema, len(names))
	for j, name := range names {
		s[j] = dataset.Field{Name: name, Kind: dataset.Numeric}
	}
	return s
}

// levels are the categories of a feature: sorted, as a schema has them, beside their numbers in the program.
type levels struct {
	names []string
	code  []int // by level
}

func newLevels(byCode []string) (levels, error) {
	l := levels{names: slices.Clone(byCode)}
	slices.Sort(l.names)
	if at := slices.Compact(slices.Clone(l.names)); len(at) < len(l.names) {
		return l, errors.New("two categories of one name")
	}
	l.code = make([]int, len(byCode))
	for code, name := range byCode {
		at, _ := slices.BinarySearch(l.names, name)
		l.code[at] = code
	}
	return l, nil
}

// left tells of a level whether its code goes left.
func (l levels) left(goes func(code int) bool) func(level int) bool {
	return func(level int) bool { return goes(l.code[level]) }
}

// sameLengths makes sure that lists are of n things.
func sameLengths(n int, lists map[string]int) error {
	for name, have := range lists {
		if have != n {
			return fmt.Errorf("%d of %s for %d nodes; write the file again", have, name, n)
		}
	}
	return nil
}
