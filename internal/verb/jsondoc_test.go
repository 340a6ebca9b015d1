package verb

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/overview"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/verb/datasets"
	"github.com/rfpragma/rfpragma/internal/view"
)

// jsonResults are what the verbs write as JSON, and how the test has each written once.
var jsonResults = []struct {
	verbs string
	of    any
	lines []string
}{
	{"cv", view.CVResult{}, []string{
		"cv data.csv --prefer ill --trees 5 --folds 2 --repeats 2",
		"cv wave.csv --prefer 2 --trees 5 --folds 2 --calibrate platt",
		"cv data.csv --cost ill=9 --cost well=1 --trees 5 --folds 2",
		"cv amount.csv --cost ill=amount --cost well=1 --amount sum --trees 5 --folds 2",
	}},
	{"train, merge, inspect", modelInfo{}, []string{
		"merge trees-0.part trees-1.part votes-0.part votes-1.part --prefer ill -o m.rfp",
		"train data.csv --prefer ill --trees 5 -o m.rfp", "inspect model.rfp",
		"train data.csv --cost ill=9 --trees 5 --require ill:recall>=0.1 --bag balanced --criterion pragma --prefer ill " +
			"--class-weight ill=2 --fraction 0.9 -o n.rfp",
	}},
	{"inspect, of data", overview.Info{}, []string{"inspect data.csv", "inspect mixed.csv"}},
	{"evaluate", evaluateResult{}, []string{"evaluate model.rfp later.csv",
		"evaluate model.rfp later.csv --cost ill=9 --cost well=1"}},
	{"monitor", monitorResult{}, []string{"monitor model.rfp later.csv", "monitor model.rfp later.csv --window 20"}},
	{"tune", view.TuneResult{}, []string{"tune votes.csv --prefer ill", "tune votes.csv --cost ill=9 --cost well=1",
		"tune votes.csv --prefer ill --weights ill=2"}},
	{"calibrate", calibrateResult{}, []string{"calibrate scores.csv --positive ill", "calibrate votes.csv"}},
	{"importance", importanceResult{}, []string{"importance model.rfp train.csv"}},
	{"report", report.Report{}, []string{"report model.rfp later.csv -o -"}},
	{"data list", datasets.ListResult{}, []string{"data list"}},
}

// docs/json.md explains every field that a verb writes as JSON, by the comments of the fields; -update writes it anew.
func TestJSONReference(t *testing.T) {
	const path = "../../docs/json.md"
	d := jsonDoc{t: t, sources: map[string]map[string]*ast.StructType{}, sections: map[string]string{},
		types: map[string]reflect.Type{}}
	var b strings.Builder
	b.WriteString(jsonIntro)
	for _, r := range jsonResults {
		d.described, d.waiting = map[reflect.Type]bool{}, nil
		fmt.Fprintf(&b, "\n## %s\n\n%s", r.verbs, d.table(reflect.TypeOf(r.of)))
		for len(d.waiting) > 0 {
			next := d.waiting[0]
			d.waiting = d.waiting[1:]
			d.sections[d.name(next)] = d.table(next)
		}
	}
	b.WriteString("\n# Objects within\n")
	for _, name := range slices.Sorted(maps.Keys(d.sections)) {
		fmt.Fprintf(&b, "\n### %s\n\n%s", name, d.sections[name])
	}
	if *update && !t.Failed() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, b.String())
	}
	if read(t, path) != b.String() {
		t.Error("docs/json.md is not what the fields say; write it anew with -update")
	}
}

const jsonIntro = `# The JSON of every verb

` + "`--format json`" + ` writes one object, but for ` + "`predict`" + `: see below. Numbers are not rounded and never NaN: what is not defined is null, or is not there where the table says so.
` + "`schema_version`" + ` is 1; it changes when a field changes its meaning or goes. New fields may come at any time, so a reader should pass over those it does not know.
Shares, recall, precision and probabilities are from 0 to 1. Weights of rows are summed case weights, which are numbers of rows where none are given.
An interval is [low, high] and holds the true figure 95 times of 100. Classes are named as in the data; a matrix has a line for each true class
and a column for each decision, in the order of the classes in the result.

` + "`predict --format json`" + ` writes an object for each row, a line each: ` + "`row`" + `, its number from 1 (or, named as the column of ` + "`--id`" + `, its name there), ` + "`decision`" + `,
and ` + "`probabilities`" + ` and ` + "`votes`" + `, each with a number by class. So does ` + "`calibrate`" + ` with a map, without decision and votes.
On a list, ` + "`--top CLASS=N`" + `, it has ` + "`rank`" + `, its place there from 1, and with ` + "`--per`" + ` what it has in these columns, as text.
With ` + "`--reasons N`" + ` it has ` + "`reasons`" + `, an array of at most N objects, the one of most votes first: ` + "`column`" + `, the name of a column, ` + "`value`" + `, its cell in this row, as text,
and ` + "`votes`" + `, by how many the votes for the decision, or with ` + "`--top CLASS=N`" + ` or ` + "`--reasons CLASS=N`" + ` for CLASS, fall if that cell alone is missing: [why this row](how-to/reasons.md).
With ` + "`--change N`" + ` it has ` + "`change`" + `: null, or the ` + "`class`" + ` that is decided then, and ` + "`cells`" + `, each with ` + "`column`" + `, ` + "`was`" + ` and ` + "`value`" + `, as text. With ` + "`--shap CLASS`" + ` it has ` + "`shap`" + `: ` + "`class`" + `, ` + "`log_odds`" + `, whether these are split, ` + "`base`" + `,
and ` + "`parts`" + `, a number for each column of the model: [what would turn a decision, and parts that add up](how-to/explain.md).
A row that lacks most of what the model decides by has ` + "`lacks`" + `, an array of at most three objects, the one that weighs most first: ` + "`column`" + `, and of a value far from every value of training ` + "`value`" + `, as text, and
` + "`range`" + `, the smallest and the largest value of training. With ` + "`--withhold`" + ` its ` + "`decision`" + ` is "undecided": [rows that cannot be decided soundly](how-to/withhold.md).

This page is made from the comments of the program.
`

// jsonDoc describes types as JSON.
type jsonDoc struct {
	t         *testing.T
	sources   map[string]map[string]*ast.StructType // by folder and type
	described map[reflect.Type]bool
	waiting   []reflect.Type
	sections  map[string]string
	types     map[string]reflect.Type // by their names in the reference
}

// name is that of a type in the reference; those of the page of a report begin with Page, and one that is called as
// a verb with its package, so that each heading has a link of its own.
func (d *jsonDoc) name(t reflect.Type) string {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if strings.HasSuffix(t.PkgPath(), "/report") {
		name = "Page" + name
	}
	for _, r := range jsonResults {
		if r.verbs == strings.ToLower(name) {
			from := filepath.Base(t.PkgPath())
			name = strings.ToUpper(from[:1]) + from[1:] + name
		}
	}
	if other, taken := d.types[name]; taken && other != t {
		d.t.Errorf("%v and %v have one name, %s", other, t, name)
	}
	d.types[name] = t
	return name
}

// table lists the fields of a struct, those of embedded ones as its own.
func (d *jsonDoc) table(t reflect.Type) string {
	return "| field | type | what it is |\n|---|---|---|\n" + d.rows(t)
}

func (d *jsonDoc) rows(t reflect.Type) string {
	var b strings.Builder
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			b.WriteString(d.rows(f.Type))
			continue
		}
		text := d.comment(t, f.Name)
		if text == "" {
			d.t.Errorf("field %s of %v has no comment; say what it is, and its unit", f.Name, t)
		}
		kind := d.kind(f.Type)
		if strings.Contains(text, "NaN") { // in JSON
			kind, text = strings.TrimSuffix(kind, " or null")+" or null", strings.ReplaceAll(text, "NaN", "null")
		}
		if rest == "omitempty" {
			kind = strings.TrimSuffix(kind, " or null") + ", may be absent"
		}
		text = strings.ReplaceAll(goLinks.ReplaceAllString(inJSON(t, f.Name, text), "$1"), "nil", "null")
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, kind, strings.ReplaceAll(text, "|", `\|`))
	}
	return b.String()
}

// inJSON calls the fields of a struct in the comment of one of them as JSON does, but where such a word is a
// function or the first of a sentence.
func inJSON(t reflect.Type, field, text string) string {
	called := map[string]string{}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); t.Field(i).Name != strings.ToUpper(name) {
			called[t.Field(i).Name] = "`" + name + "`"
		}
	}
	words := strings.Fields(strings.TrimPrefix(text, field+" is "))
	for i := 1; i < len(words); i++ {
		name := strings.Trim(words[i], "(),.;:")
		function := strings.Contains(strings.Join(words[max(0, i-3):i], " "), "function")
		if as := called[name]; len(as) > len("``") && !function && !strings.HasSuffix(words[i-1], ".") {
			words[i] = strings.Replace(words[i], name, as, 1)
		}
	}
	return strings.Join(words, " ")
}

// goLinks are names in a comment that lead to their explanation.
var goLinks = regexp.MustCompile(`\[([A-Za-z.]+)\]`)

// kind says what a type is in JSON.
func (d *jsonDoc) kind(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[rfpragma.Interval]():
		return "[low, high], high null where there is no end"
	case reflect.TypeFor[anneal.Origin](), reflect.TypeFor[finding.Grade]():
		return "text"
	case reflect.TypeFor[calib.Estimate]():
		return d.link(t) + " or null"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.kind(t.Elem()) + " or null"
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Array {
			return "[low, high]"
		}
		return "array of " + d.kind(t.Elem())
	case reflect.Map:
		return d.kind(t.Elem()) + " by class"
	case reflect.Struct:
		return d.link(t)
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	default:
		return "number"
	}
}

// link names a struct, and has it described.
func (d *jsonDoc) link(t reflect.Type) string {
	if !d.described[t] {
		d.described[t] = true
		d.waiting = append(d.waiting, t)
	}
	return fmt.Sprintf("[%s](#%s)", d.name(t), strings.ToLower(d.name(t)))
}

// comment is what the source says of a field: behind it, or above it or the fields that it follows at once.
func (d *jsonDoc) comment(t reflect.Type, field string) string {
	above, end := "", token.Pos(0)
	for _, f := range d.source(t).Fields.List {
		if f.Doc != nil || f.Comment != nil || f.Pos()-end > token.Pos(len("\n\t")) {
			above = f.Doc.Text()
		}
		end = f.End()
		if slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == field }) {
			return strings.Join(strings.Fields(cmp.Or(f.Comment.Text(), above)), " ")
		}
	}
	return ""
}

// source is where a struct is declared.
func (d *jsonDoc) source(t reflect.Type) *ast.StructType {
	folder := filepath.Join("../..", strings.TrimPrefix(strings.TrimPrefix(t.PkgPath(), "github.com/rfpragma/rfpragma"),
		"/"))
	if d.sources[folder] == nil {
		d.sources[folder] = map[string]*ast.StructType{}
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			d.t.Fatal(err)
		}
		for _, path := range paths {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil {
				d.t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					if s, ok := spec.Type.(*ast.StructType); ok {
						d.sources[folder][spec.Name.Name] = s
					}
				}
				return true
			})
		}
	}
	s := d.sources[folder][t.Name()]
	if s == nil {
		d.t.Fatalf("no source of %v in %s", t, folder)
	}
	return s
}

// Every verb that writes JSON is explained; export has a page of its own, docs/export.md.
func TestJSONVerbs(t *testing.T) {
	explained := "predict, export"
	for _, r := range jsonResults {
		explained += ", " + r.verbs
	}
	for _, c := range app((&cli.Program{})).Commands {
		f, ok := cli.FlagNamed(c.Flags, "format").(*urfave.StringFlag)
		if ok && strings.Contains(f.Usage, "json") && !strings.Contains(explained+" ", c.Name) {
			t.Errorf("docs/json.md has nothing of %s; add its result to jsonResults", c.Name)
		}
	}
}

// What the verbs write has the fields of the reference, none beside them, and none is missing that may not be.
func TestJSONConforms(t *testing.T) {
	reference := read(t, "../../docs/json.md")
	inFolder(t, nil)
	exampleFiles(t)
	laterOf(t, "data.csv", "later.csv")
	must(t, "generate wave --rows 90 -o wave.csv")
	write(t, "mixed.csv", "x,z\n1,2\np,2\n,\n")
	var amounts strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(small(60)), "\n") {
		sum := fmt.Sprint(10 + i%5)
		if i == 0 {
			sum = "sum"
		}
		fmt.Fprintf(&amounts, "%s,%s\n", line, sum)
	}
	write(t, "amount.csv", amounts.String())
	for _, r := range jsonResults {
		for _, line := range r.lines {
			var got any
			if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &got); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			conforms(t, line+": ", got, reflect.TypeOf(r.of))
		}
		if r.verbs != "report" && r.verbs != "monitor" { // which write no CSV
			namedAsJSON(t, r.lines[0], reference)
		}
	}
}

// namedAsJSON checks that the CSV of a command calls its columns what JSON calls them, but for what a line is of.
func namedAsJSON(t *testing.T, line, reference string) {
	t.Helper()
	head, _, _ := strings.Cut(must(t, line+" --format csv").stdout, "\n")
	for name := range strings.SplitSeq(head, ",") {
		for _, end := range []string{"_low", "_high", "_rows"} { // of an interval, and of the first of a list
			name = strings.TrimSuffix(name, end)
		}
		if !slices.Contains([]string{"rule", "feature", "column"}, name) && !strings.Contains(reference, "\n| `"+name+"` |") {
			t.Errorf("%s: CSV has a column %s, and docs/json.md nothing of that name", line, name)
		}
	}
}

// conforms checks a value that was read against the type it was written from.
func conforms(t *testing.T, at string, got any, want reflect.Type) {
	t.Helper()
	for want.Kind() == reflect.Pointer {
		if got == nil {
			return
		}
		want = want.Elem()
	}
	switch v := got.(type) {
	case map[string]any:
		if want.Kind() == reflect.Map {
			for key, value := range v {
				conforms(t, at+"."+key, value, want.Elem())
			}
			return
		}
		known := map[string]bool{}
		fields(want, func(name string, of reflect.Type, optional bool) {
			known[name] = true
			value, ok := v[name]
			switch {
			case ok:
				conforms(t, at+"."+name, value, of)
			case !optional:
				t.Errorf("%s has no %s", at, name)
			}
		})
		for key := range v {
			if !known[key] {
				t.Errorf("%s has a field %s that is not explained", at, key)
			}
		}
	case []any:
		if want.Kind() == reflect.Slice {
			for i, value := range v {
				conforms(t, fmt.Sprintf("%s[%d]", at, i), value, want.Elem())
			}
		}
	case nil:
		if k := want.Kind(); k == reflect.Map || k == reflect.Slice || k == reflect.String || k == reflect.Bool {
			t.Errorf("%s is null", at)
		}
	}
}

// fields calls yield for each field of a struct in JSON.
func fields(t reflect.Type, yield func(name string, of reflect.Type, optional bool)) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "":
			fields(f.Type, yield)
		default:
			yield(name, f.Type, rest == "omitempty")
		}
	}
}
