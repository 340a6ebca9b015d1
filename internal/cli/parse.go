package cli

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
)

// ListFlag is a flag that may be repeated; its help says so in words, not by showing it twice.
type ListFlag struct{ *urfave.StringSliceFlag }

// List makes a flag that may be repeated.
func List(f urfave.StringSliceFlag) ListFlag { return ListFlag{&f} }

// IsSliceFlag is false for the help, which else would be wide.
func (ListFlag) IsSliceFlag() bool { return false }

// String is the line of the help.
func (f ListFlag) String() string { return urfave.FlagStringer(f) }

// ShareValue is that of a flag of a share, 0.63 or 63%, which [cli.Context.Float64] returns.
type ShareValue float64

// Set reads a share.
func (s *ShareValue) Set(text string) error {
	v, err := csvtext.Share(text)
	*s = ShareValue(v)
	return err
}

func (s *ShareValue) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

// merges reads --merge-labels: by class the labels that become it.
func merges(values []string) (map[string][]string, error) {
	var merged map[string][]string
	for _, v := range values {
		class, list, _ := strings.Cut(v, "=")
		class = strings.TrimSpace(class)
		labels, err := Names("merge-labels", []string{list})
		if err != nil || class == "" || slices.Contains(labels, "") {
			return nil, Usagef("--merge-labels %s; write CLASS=LABEL,LABEL, such as ill=flu,cold, and quote a label with a "+
				"comma in it", english.Quote(v))
		}
		if merged == nil {
			merged = map[string][]string{}
		}
		merged[class] = append(merged[class], labels...)
	}
	return merged, nil
}

// decimal reads --decimal.
func decimal(text string) (byte, error) {
	if text == "" || text == "." || text == "," {
		return cmp.Or(text, ".")[0], nil
	}
	return 0, Usagef("--decimal %s is no decimal mark; write . or ,", english.Quote(text))
}

// Names splits the values of a list flag at commas. A name with a comma is quoted, as in CSV.
func Names(flag string, values []string) ([]string, error) {
	var all []string
	for _, v := range values {
		if v == "" {
			return nil, Usagef("--%s is empty; give it a value, or leave it out", flag)
		}
		lines, err := csv.NewReader(strings.NewReader(v)).ReadAll()
		if err != nil || len(lines) != 1 {
			return nil, Usagef("--%s %s is no list of names; separate names by commas, and quote a name with a comma, a quote "+
				"or a line end in it", flag, english.Quote(v))
		}
		for _, name := range lines[0] {
			all = append(all, strings.TrimSpace(name))
		}
	}
	return all, nil
}

// missingWords reads --missing, each value by itself.
func missingWords(values []string) ([]string, error) {
	var all []string
	for _, v := range values {
		if v == "" {
			return nil, Usagef("--missing is empty; an empty cell is missing in any case, so leave it out")
		}
		list, err := Names("missing", []string{v})
		if err != nil {
			return nil, err
		}
		all = append(all, dataset.MissingWords(list)...)
	}
	return all, nil
}

// separator reads --sep; 0 means that the mark is found in the file.
func separator(text string) (rune, error) {
	switch text {
	case "auto":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	}
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) || size == 0 || r == '"' || r == '\r' || r == '\n' || r == utf8.RuneError {
		return 0, Usagef("--sep %s is not one character; write ',', ';', '|', or tab", english.Quote(text))
	}
	return r, nil
}

// FlagNamed is the flag of that name, or nil.
func FlagNamed(flags []urfave.Flag, name string) urfave.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// Dashed returns the name of a flag as it is written.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func takesValue(f urfave.Flag) bool {
	d, ok := f.(urfave.DocGenerationFlag)
	return ok && d.TakesValue()
}

// listed returns a class as knownClasses reads it.
func listed(class string) string {
	if strings.ContainsAny(class, "\",\r\n") || strings.TrimSpace(class) != class {
		return `"` + strings.ReplaceAll(class, `"`, `""`) + `"`
	}
	return class
}

// specName is the name of a class as --prefer takes it.
func specName(class string) string {
	name, _, _ := strings.Cut(pragma.Spec{class: pragma.Neutral()}.String(), ":theta=")
	return name
}

// pairs are the items of lists such as ill=4,well=1. Of a number with a comma the whole is told, not what stands
// behind it.
func pairs(flag string, values []string) ([]string, error) {
	all, err := Names(flag, values)
	for i := range all {
		n := i + 1
		for n < len(all) && all[n] != "" && strings.Trim(strings.TrimSuffix(all[n], "%"), ".0123456789") == "" {
			n++
		}
		if typed := strings.Join(all[i:n], ","); n > i+1 && strings.Contains(all[i], "=") {
			return nil, Usagef("--%s %s: a comma separates classes; %s", flag, english.Quote(typed), csvtext.PointCure)
		}
	}
	return all, err
}

// ByClass reads values such as ill=4, or ill=20% of what is no weight, for the classes; a class that is not named
// has the given one. Nil classes are not known yet: any name will do.
func ByClass(flag string, values, classes []string, other float64) ([]float64, error) {
	all, err := pairs(flag, values)
	if err != nil {
		return nil, err
	}
	numbers, given := slices.Repeat([]float64{other}, len(classes)), make([]bool, len(classes))
	weighs := flag == "weights" || flag == "class-weight"
	for _, v := range all {
		name, text, split := cutLast(v, "=")
		if !split {
			if flag == "class-weight" && strings.HasPrefix(v, "balanced") { // as scikit-learn has it
				return nil, Usagef("--%s %s; write CLASS=NUMBER, or --bag balanced for bags of as many rows of each class", flag,
					english.Quote(v))
			}
			return nil, Usagef("--%s %s; write CLASS=NUMBER", flag, english.Quote(v))
		}
		class := slices.Index(classes, name)
		w, err := csvtext.Share(text)
		switch {
		case classes != nil && class < 0:
			return nil, Usagef("--%s %s: %w", flag, english.Quote(v), nearest.Unknown("class", name, classes))
		case err != nil && csvtext.LooksNumeric(text):
			return nil, Usagef("--%s %s: %v", flag, english.Quote(v), err)
		case err == nil && weighs && strings.HasSuffix(strings.TrimSpace(text), "%"):
			cure := "write a number, such as 10"
			if flag == "weights" {
				cure += ", or --cutoff " + csvtext.Quote(v, "CLASS=SHARE") + " where that share of the votes is to be enough"
			}
			return nil, Usagef("--%s %s: a weight says how many times a class counts, and is no share; %s", flag,
				english.Quote(v), cure)
		case err != nil || !(w > 0) || math.IsInf(w, 1):
			return nil, Usagef("--%s %s; write CLASS=NUMBER with a number above 0", flag, english.Quote(v))
		case w < 1e-100 || w > 1e100:
			return nil, Usagef("--%s %s: %v does not lie between 1e-100 and 1e100; as only ratios matter, divide all by one "+
				"number", flag, english.Quote(v), w)
		case classes == nil:
			continue
		}
		if given[class] {
			return nil, Usagef("--%s names class %s twice; keep one", flag, english.Quote(classes[class]))
		}
		numbers[class], given[class] = w, true
	}
	return numbers, nil
}
