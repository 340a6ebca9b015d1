package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
)

// MostConfig is as many bytes as a file of settings may have.
const MostConfig = 1 << 20

// configFile is a file of settings that is being read.
type configFile struct {
	name    string
	app     *urfave.App
	command *urfave.Command
	lines   map[string]int // of each key, by its full name
}

// ReadConfig reads the settings of a verb from a TOML file: those in the table of the verb, and
// those above all tables, which are of every verb that has the flag. All of the file is checked,
// also what is of other verbs.
func (p *Program) ReadConfig(app *urfave.App, command *urfave.Command, path string) (own, common []setting, err error) {
	in, err := OpenFile(p.Ctx, path)
	if err != nil {
		return nil, nil, fmt.Errorf("--config: %w", err)
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, MostConfig+1))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("--config: %w", err)
	case len(text) > MostConfig:
		return nil, nil, &dataset.LimitError{Text: fmt.Sprintf("%s: more than %d KB; a file of settings has some lines", path,
			MostConfig>>10)}
	case !utf8.Valid(text):
		return nil, nil, Usagef("%s: the file is not UTF-8; save it as that", path)
	}
	tree := map[string]any{}
	if _, err := toml.Decode(string(text), &tree); err != nil {
		var fault toml.ParseError
		if errors.As(err, &fault) {
			return nil, nil, Usagef("%s:%d:%d: this is not TOML: %s; mend the line", path, fault.Position.Line,
				fault.Position.Col, strings.TrimSuffix(fault.Message, "."))
		}
		return nil, nil, Usagef("%s: this is not TOML: %w; mend it", path, err)
	}
	f := &configFile{path, app, command, keyLines(string(text))}
	if own, common, err = f.settings(tree); err == nil && len(tree) > 0 && own == nil && common == nil &&
		p.IsTyped("config") {
		p.caution([]error{fmt.Errorf("%s sets nothing of %s: it has %s; what several verbs are to share stands above all "+
			"tables", path, command.Name, nearest.List(slices.Sorted(maps.Keys(tree))))})
	}
	return own, common, err
}

// keyLines returns the line of each key of a TOML text that is known to be right, by its full name.
// The library does not tell; so statements, of one line or more, are decoded one by one.
func keyLines(text string) map[string]int {
	lines, first := map[string]int{}, 1
	var table toml.Key
	statement := ""
	for i, line := range strings.SplitAfter(text, "\n") {
		statement += line
		md, err := toml.Decode(statement, new(map[string]any))
		if err != nil {
			continue // it goes on in the next line
		}
		keys := md.Keys()
		if strings.HasPrefix(strings.TrimSpace(statement), "[") && len(keys) > 0 {
			table, keys = keys[len(keys)-1], keys[len(keys)-1:]
		} else {
			for k := range keys {
				keys[k] = slices.Concat(table, keys[k])
			}
		}
		for _, key := range keys {
			for n := range key { // a table is where its first key is
				if name := key[:n+1].String(); lines[name] == 0 {
					lines[name] = first
				}
			}
		}
		statement, first = "", i+2
	}
	return lines
}

// at names the place of a key.
func (f *configFile) at(key ...string) string {
	for ; len(key) > 0; key = key[:len(key)-1] {
		if line := f.lines[toml.Key(key).String()]; line > 0 {
			return fmt.Sprintf("%s:%d", f.name, line)
		}
	}
	return f.name
}

func (f *configFile) settings(tree map[string]any) (own, common []setting, err error) {
	for _, key := range f.inOrder(tree, nil) {
		section, isTable := tree[key].(map[string]any)
		if verb := f.app.Command(key); isTable && verb != nil && slices.Contains(Verbs(f.app), key) {
			found, err := f.verb(verb, section)
			if err != nil {
				return nil, nil, err
			}
			if key == f.command.Name {
				own = found
			}
			continue
		}
		known := Anywhere(f.app)
		if !slices.Contains(known, key) {
			what := "flag"
			if isTable {
				what, known = "verb or flag", slices.Concat(Verbs(f.app), known)
			}
			return nil, nil, Usagef("%s: there is no %s %s%s; rfpragma help VERB lists the flags", f.at(key), what,
				english.Quote(key), flagHint(f.app, f.command, known, bare, key))
		}
		for _, c := range f.app.Commands {
			flag := FlagNamed(c.Flags, key)
			if flag == nil || !slices.Contains(Settable(c), key) {
				continue
			}
			s, err := f.setting(flag, tree[key], key)
			if err != nil {
				return nil, nil, err
			}
			if c == f.command {
				common = append(common, s)
			}
		}
	}
	return own, common, nil
}

// bare is the name of a flag as a file of settings has it: as it is.
func bare(name string) string { return strings.Replace(name, " ", " = ", 1) }

// verb reads the table of a verb.
func (f *configFile) verb(verb *urfave.Command, section map[string]any) ([]setting, error) {
	var all []setting
	for _, key := range f.inOrder(section, toml.Key{verb.Name}) {
		if !slices.Contains(Settable(verb), key) {
			return nil, Usagef("%s: there is no flag %s%s; rfpragma help %s lists them", f.at(verb.Name, key),
				english.Quote(key), flagHint(f.app, verb, Settable(verb), bare, key), verb.Name)
		}
		s, err := f.setting(FlagNamed(verb.Flags, key), section[key], verb.Name, key)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// inOrder returns the keys of a table by line, so that the first fault is told first.
func (f *configFile) inOrder(table map[string]any, path toml.Key) []string {
	line := func(key string) int { return f.lines[append(slices.Clone(path), key).String()] }
	return slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		if d := line(a) - line(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}

// setting turns a value into words of a command line; the parser of flags will check them.
func (f *configFile) setting(flag urfave.Flag, value any, key ...string) (setting, error) {
	name, from := key[len(key)-1], f.at(key...)
	if name == "config" {
		return setting{}, Usagef("%s: a file of settings names no other one; leave config out", from)
	}
	_, list := flag.(ListFlag)
	s := setting{Flag: name, From: from}
	switch v := value.(type) {
	case map[string]any:
		var err error
		switch {
		case name == "prefer":
			s.values, err = f.prefer(v, key)
		case name == "merge-labels":
			s.values, err = f.labels(v, key)
		case list:
			s.values, err = f.byClass(v, key)
		default:
			err = Usagef("%s: %s is a table; write %s = VALUE", from, name, name)
		}
		return s, err
	case []any:
		if !list {
			return s, Usagef("%s: %s is a list, and takes one value; write %s = VALUE", from, name, name)
		}
		for _, item := range v {
			word, ok := wordOf(item, false)
			if !ok {
				return s, Usagef("%s: %s lists what is no text; write it in quotes", from, name)
			}
			s.values = append(s.values, word)
		}
		return s, nil
	}
	_, number := flag.(*urfave.GenericFlag)
	if _, float := flag.(*urfave.Float64Flag); float {
		number = true
	}
	_, whole := flag.(*urfave.IntFlag)
	_, truth := flag.(*urfave.BoolFlag)
	word, ok := wordOf(value, number || whole)
	if _, isTruth := value.(bool); !ok || isTruth && !truth {
		if number || whole || truth {
			return s, Usagef("%s: %s = %v is not %s; correct it", from, name, value, wanted(flag))
		}
		return s, Usagef("%s: %s = %v is not a text; write it in quotes", from, name, value)
	}
	s.values = []string{word}
	return s, nil
}

// wordOf writes a value as on a command line. A number with a point in the place of a text is not
// taken: its digits as they were written are gone.
func wordOf(value any, number bool) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), number
	}
	return "", false
}

// byClass writes a table of numbers by class, such as { ill = 10, well = 1 }, or of one or several words by column,
// such as { age = 0, weight = [0, 999] }.
func (f *configFile) byClass(table map[string]any, key []string) ([]string, error) {
	var words []string
	for _, class := range f.inOrder(table, key) {
		items, several := table[class].([]any)
		if !several || key[len(key)-1] != "missing" {
			items = []any{table[class]}
		}
		for _, item := range items {
			word, ok := wordOf(item, true)
			if !ok {
				return nil, Usagef("%s: %s of %s is no number; write %s = { %s = 2 }", f.at(append(key, class)...), key[len(key)-1],
					english.Quote(class), key[len(key)-1], class)
			}
			word = class + "=" + word
			if strings.ContainsAny(word, "\",\n\r") {
				word = `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
			}
			words = append(words, word)
		}
	}
	return words, nil
}

// labels writes a table of labels by class, such as { ill = ["flu", "cold"] }.
func (f *configFile) labels(table map[string]any, key []string) ([]string, error) {
	var words []string
	for _, class := range f.inOrder(table, key) {
		list, ok := table[class].([]any)
		var labels []string
		for _, item := range list {
			label, isWord := wordOf(item, false)
			ok = ok && isWord
			labels = append(labels, listed(label))
		}
		if !ok || len(list) == 0 || strings.Contains(class, "=") {
			return nil, Usagef("%s: %s of %s is no list of labels; write %s = { %s = [\"flu\", \"cold\"] }",
				f.at(append(key, class)...), key[len(key)-1], english.Quote(class), key[len(key)-1], class)
		}
		words = append(words, class+"="+strings.Join(labels, ","))
	}
	return words, nil
}

// prefer writes tables such as [prefer.ill] with theta, x and y.
func (f *configFile) prefer(table map[string]any, key []string) ([]string, error) {
	spec := pragma.Spec{}
	for _, class := range f.inOrder(table, key) {
		path := append(slices.Clone(key), class)
		numbers, ok := table[class].(map[string]any)
		if !ok {
			return nil, Usagef("%s: prefer of %s is no table; write [prefer.%s] and below it theta, x and y", f.at(path...),
				english.Quote(class), class)
		}
		known := []string{"theta", "x", "y"}
		value := map[string]float64{}
		for _, name := range f.inOrder(numbers, path) {
			v, whole := numbers[name].(int64)
			x, fraction := numbers[name].(float64)
			if text, ok := numbers[name].(string); ok && name != "theta" {
				share, err := csvtext.Share(text)
				x, fraction = share, err == nil
			}
			switch {
			case !slices.Contains(known, name):
				return nil, Usagef("%s: a preference has theta, x and y, no %s%s; correct it", f.at(append(path, name)...),
					english.Quote(name), nearest.Hint(name, known))
			case !whole && !fraction:
				return nil, Usagef("%s: %s = %v is not a number; write one", f.at(append(path, name)...), name, numbers[name])
			case whole:
				x = float64(v)
			}
			value[name] = x
		}
		for _, name := range known {
			if _, ok := value[name]; !ok {
				return nil, Usagef("%s: class %s has no %s; give theta, x and y", f.at(path...), english.Quote(class), name)
			}
		}
		spec[class] = pragma.Preference{Theta: value["theta"], X: value["x"], Y: value["y"]}
	}
	return []string{spec.String()}, nil
}

// PrintConfig prints the settings of a run as a file that --config takes. Defaults are comments, so
// that what is not given stays not given.
func (p *Program) PrintConfig(c *urfave.Context) error {
	var common, own bytes.Buffer
	verb := c.Command.Name
	for _, f := range c.Command.Flags {
		name, to := f.Names()[0], &own
		if name == "config" || !slices.Contains(Settable(c.Command), name) {
			continue
		}
		if inBoth(c, f) {
			to = &common
		}
		if !c.IsSet(name) {
			fmt.Fprintf(to, "# %s: %s\n", name, inForce(c, f))
			continue
		}
		line, err := toml.Marshal(map[string]any{name: ValueOf(c, f)})
		if err != nil {
			return err
		}
		to.Write(bytes.TrimRight(line, "\n"))
		if from := p.origin[name]; from != "" {
			fmt.Fprintf(to, " # %s", layout.Printable(from))
		}
		to.WriteByte('\n')
	}
	shared := ""
	if common.Len() > 0 {
		shared = "# Of cv and train, so that one judges what the other builds:\n" + common.String() + "\n# Of " + verb +
			" alone:\n"
	}
	_, err := fmt.Fprintf(p.Stdout,
		"# Settings of rfpragma %s, to be given back by --config FILE; defaults are comments.\n%s[%s]\n%s", verb, shared,
		verb, own.String())
	return err
}

// inBoth tells whether a flag of cv or train says the same of both: what rows there are, what is wanted and what is
// built, not what is written.
func inBoth(c *urfave.Context, f urfave.Flag) bool {
	both := []string{"cv", "train"}
	if group, ok := f.(urfave.CategorizableFlag); !slices.Contains(both, c.Command.Name) || !ok ||
		group.GetCategory() == "Output" {
		return false
	}
	return !slices.ContainsFunc(both, func(verb string) bool {
		return FlagNamed(c.App.Command(verb).Flags,
			f.Names()[0]) == nil
	})
}

// inForce is what a flag that is not given comes to beside those that are.
func inForce(c *urfave.Context, f urfave.Flag) string {
	switch name := f.Names()[0]; {
	case name == "measure" && (c.IsSet("cost") || c.IsSet("costs")):
		return "cost"
	case name == "prefer" && Preferred(c):
		return "not set"
	case name == "prefer" && unpreferred(c):
		return "none"
	}
	return defaultOf(f)
}

// ValueOf returns the value of a flag as TOML has it; what it has not, as a text.
func ValueOf(c *urfave.Context, f urfave.Flag) any {
	name := f.Names()[0]
	switch f.(type) {
	case *urfave.BoolFlag:
		return c.Bool(name)
	case *urfave.IntFlag:
		return c.Int(name)
	case *urfave.Uint64Flag:
		if v := c.Uint64(name); v <= math.MaxInt64 {
			return v
		}
		return strconv.FormatUint(c.Uint64(name), 10)
	case *urfave.GenericFlag, *urfave.Float64Flag:
		return c.Float64(name)
	case ListFlag:
		return c.StringSlice(name)
	}
	return c.String(name)
}

// setting is the value of a flag that comes from elsewhere than the command line.
type setting struct {
	Flag   string
	values []string // as on the command line; several where a flag may be repeated
	From   string   // an environment variable, or FILE:LINE
}

// defaultOf returns the default of a flag in words.
func defaultOf(f urfave.Flag) string {
	d, _ := f.(urfave.DocGenerationFlag)
	if l, list := f.(ListFlag); list {
		return cmp.Or(l.DefaultText, "not set")
	}
	return cmp.Or(d.GetDefaultText(), "not set")
}
