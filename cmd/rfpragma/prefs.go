package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
)

// preferred tells whether the flags have a preference.
func preferred(c *cli.Context) bool {
	return c.Bool("ask") || c.IsSet("prefer") || c.IsSet("prefer-file")
}

// measured tells whether the flags name what to search for instead of a preference: costs, or another measure.
func measured(c *cli.Context) bool {
	return c.IsSet("cost") || c.IsSet("costs") || c.IsSet("measure") && !strings.HasPrefix(c.String("measure"), "pragma")
}

// unpreferred tells whether nothing is preferred where no preference is given: beside costs or another measure, unless trees are split by a preference.
func unpreferred(c *cli.Context) bool {
	return measured(c) && c.String("criterion") != string(forest.Pragma)
}

// checkWish checks, before long reading, what says what is wanted, as far as that needs no data.
func (p *program) checkWish(c *cli.Context) error {
	if _, _, err := p.spec(c); err != nil {
		return err
	}
	if err := checkGiven(c); err != nil {
		return err
	}
	if _, err := byCost(c); err != nil {
		return err
	}
	_, err := p.loss(c, nil, nil, nil)
	return err
}

// spec reads the preference that is given, and the flag it is given by.
func (p *program) spec(c *cli.Context) (spec pragma.Spec, flag string, err error) {
	switch {
	case c.IsSet("prefer") && c.IsSet("prefer-file"):
		return nil, "", usagef("--prefer and --prefer-file are both given; give one")
	case c.Bool("ask") && (c.IsSet("prefer") || c.IsSet("prefer-file")):
		return nil, "", usagef("--ask asks for what --prefer and --prefer-file say; give one")
	case c.IsSet("prefer"):
		flag = "prefer"
		spec, err = specs(c.StringSlice(flag))
	case c.IsSet("prefer-file"):
		flag = "prefer-file"
		if p.wanted == nil { // else it was read before, and may be a pipe
			p.wanted, err = readSpec(c.Context, c.String(flag))
		}
		spec = p.wanted
	}
	if err != nil {
		err = fmt.Errorf("--%s: %w%s", flag, err, classHint(c, err))
	}
	return spec, flag, err
}

// classHint says of an incomplete preference that the first rows of the table have no such class, either, "" where they do. It is told at once, as a
// table may take long to read.
func classHint(c *cli.Context, err error) string {
	var lacks *pragma.IncompleteError
	if !errors.As(err, &lacks) {
		return ""
	}
	if text := absent(lacks.Class, firstClasses(c)); text != "" {
		return "; and " + text
	}
	return ""
}

// besides says of a table that cannot be read that its first rows have not the classes of the preference, either, "" where they have.
func (p *program) besides(c *cli.Context) string {
	spec, flag, err := p.spec(c)
	classes := firstClasses(c)
	for _, class := range slices.Sorted(maps.Keys(spec)) {
		if text := absent(class, classes); text != "" && err == nil {
			return fmt.Sprintf("--%s: %s%s; besides, ", flag, text, nameHint(c, class, classes))
		}
	}
	return ""
}

// firstClasses are those of the first rows of the only table of the command; nil where it has none, or they are merged.
func firstClasses(c *cli.Context) []string {
	if c.Args().Len() != 1 || c.IsSet("positive") || c.IsSet("merge-labels") {
		return nil
	}
	return lineOf(c).classes(c.Context)
}

// absent says that a class is none of those of the first rows, "" where it is or these are not known.
func absent(class string, classes []string) string {
	if classes == nil || class == pragma.Others || slices.Contains(classes, class) {
		return ""
	}
	return fmt.Sprintf("the first rows have no class %s: %s", english.Quote(class), nearest.Suggest(class, classes))
}

// specs reads preferences in text form, each for other classes.
func specs(texts []string) (pragma.Spec, error) {
	all := pragma.Spec{}
	for _, text := range texts {
		spec, err := pragma.ParseSpec(text)
		if err != nil {
			return nil, err
		}
		for class, f := range spec {
			if was, twice := all[class]; twice && was != f {
				return nil, usagef("class %s is named twice; keep one", english.Quote(class))
			}
			all[class] = f
		}
	}
	return all, nil
}

// readSpec reads a file of preferences.
func readSpec(ctx context.Context, path string) (pragma.Spec, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return pragma.ReadSpec(f, path)
}

// preference reads what the user wants. Without a word of it the rarest class has priority; beside costs or another measure, and where trees are
// not split by a preference, there is none.
func (p *program) preference(c *cli.Context, classes []string, rows []float64, order []int) (pragma.Spec, error) {
	spec, flag, err := p.spec(c)
	switch {
	case err != nil:
		return nil, err
	case c.Bool("ask"):
		p.aside(c, "ask")
		return p.ask(c, classes, rows, order)
	case flag != "":
		if _, err := spec.Resolve(classes); err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		p.aside(c, flag)
		return spec, nil
	case unpreferred(c):
		return pragma.Spec{}, nil
	}
	rarest, _ := rarestClass(rows, order)
	p.say("No --prefer is given: %s takes the priority setting; --ask asks for yours.", rarestWords(classes, rows, order))
	return pragma.Spec{classes[rarest]: pragma.Priority()}, nil
}

// withNameHint adds to the error of a verb that learns from a table how what is no class of it becomes one, see nameHint.
func withNameHint(c *cli.Context, err error) error {
	var unknown *nearest.UnknownError
	if !errors.As(err, &unknown) || unknown.What != "class" || !slices.Contains([]string{"cv", "train", "grow"}, c.Command.Name) {
		return err
	}
	return fmt.Errorf("%w%s", err, nameHint(c, unknown.Name, unknown.Known))
}

// nameHint says what a label that is no class is called since it was merged, how the second of two classes that are numbers is given the name that it has there,
// or how several classes, but not all, with that word in their names become one; "" where it is none of these.
func nameHint(c *cli.Context, name string, classes []string) string {
	into, _ := merges(c.StringSlice("merge-labels")) // which were read before
	for _, class := range slices.Sorted(maps.Keys(into)) {
		if slices.Contains(into[class], name) {
			return fmt.Sprintf("; %s is now called %s", english.Quote(name), english.Quote(class))
		}
	}
	const fewestLetters = 3
	number := func(class string) bool { _, err := strconv.ParseFloat(class, 64); return err == nil }
	switch k := len(classes); {
	case k == 2 && number(classes[0]) && number(classes[1]) && !number(name):
		return fmt.Sprintf("; to give a number that name add %s", csvtext.Flag("merge-labels", name+"="+classes[1], "CLASS=NUMBER"))
	case k > 2 && len(name) >= fewestLetters:
		apart := func(class string) bool { return !strings.Contains(strings.ToLower(class), strings.ToLower(name)) }
		kind := slices.DeleteFunc(slices.Clone(classes), apart)
		if several := 1 < len(kind) && len(kind) <= min(mostNamed, k-1); several {
			return "; to make one class of those with that word add --merge-labels " + csvtext.Quote(csvtext.Merging(name, kind), "CLASS=LABELS")
		}
	}
	return ""
}

// aside says what a preference is for beside costs or another measure that weights are searched for.
func (p *program) aside(c *cli.Context, flag string) {
	if !measured(c) || c.IsSet("weights") || c.IsSet("cutoff") {
		return
	}
	sought, use := "the measure "+c.String("measure"), "it says which class matters most, and cv and evaluate tell PRAGMA by it beside"
	if c.IsSet("cost") || c.IsSet("costs") {
		sought = "the lowest cost"
	}
	if c.String("criterion") == string(forest.Pragma) {
		use = "it splits the trees (--criterion pragma)"
	}
	p.say("The weights are searched for %s. --%s does not move them: %s.", sought, flag, use)
}

// preferenceInfo is a preference in JSON.
type preferenceInfo struct {
	pragma.Preference
	Alpha float64 `json:"alpha"` // what a recall of 1 takes from the loss of the class, below 0
	Beta  float64 `json:"beta"`  // what a precision of 1 takes from it; with alpha -1
}

// preferences are those of the classes, none where nothing is preferred.
func (a *aim) preferences() map[string]preferenceInfo {
	info := make(map[string]preferenceInfo, len(a.classes))
	for c, name := range a.classes {
		if a.preferred() {
			alpha, beta := a.prefs[c].AlphaBeta()
			info[name] = preferenceInfo{a.prefs[c], alpha, beta}
		}
	}
	return info
}

// wishes are a preference and the classes that have it.
type wishes struct {
	pragma.Preference
	classes []string
	rest    string // what the classes are where they are many: all, or those that no one singled out; else ""
}

// mostNamed is how many classes that matter most are named one by one.
const mostNamed = 3

// longestList is how wide a list of classes may be in a table, where a wider one would be cut amid its names.
const longestList = 20

// called names the classes: in one line, or if they are too wide for that a line for each. Of many it says what they are, or names some.
func (w wishes) called() []string {
	n := len(w.classes)
	switch all := few(w.classes); {
	case displayWidth(all) <= longestList:
		return []string{all}
	case n <= mostNamed+1:
		return w.classes
	case w.rest != "":
		return []string{w.rest}
	}
	return append(slices.Clone(w.classes[:mostNamed]), fmt.Sprintf("and %d more", n-mostNamed))
}

// distinct returns the different preferences, the most important first, and of equals those that few classes have. What comes last is that of the
// others where more classes have it than any other.
func distinct(classes []string, prefs []pragma.Preference) []wishes {
	var out []wishes
	for c, name := range classes {
		at := slices.IndexFunc(out, func(w wishes) bool { return w.Preference == prefs[c] })
		if at < 0 {
			at, out = len(out), append(out, wishes{Preference: prefs[c]})
		}
		out[at].classes = append(out[at].classes, name)
	}
	slices.SortStableFunc(out, func(a, b wishes) int {
		return cmp.Or(cmp.Compare(b.Theta, a.Theta), cmp.Compare(len(a.classes), len(b.classes)))
	})
	last := len(out) - 1
	n := len(out[last].classes)
	switch {
	case last == 0:
		out[last].rest = fmt.Sprintf("all %d classes", n)
	case !slices.ContainsFunc(out[:last], func(w wishes) bool { return len(w.classes) >= n }):
		out[last].rest = fmt.Sprintf("the other %d classes", n)
	}
	return out
}

// worth is how many points of precision a point of recall is worth, α/β.
func worth(f pragma.Preference) float64 { return (1 - f.X) / (1 - f.Y) }

// showPreferences says what outcomes the preferences declare equally good, a line for each different one. The measure is
// what the weights are searched for.
func showPreferences(to *page, classes []string, prefs []pragma.Preference, measure string) {
	shaped := strings.HasPrefix(measure, "pragma:") // what is between the ends is another curve
	intro := "By this preference these outcomes of a class, recall at precision, are equally good:"
	if measure != "pragma" && !shaped {
		intro = "PRAGMA is told beside it; by this preference these outcomes of a class, recall at precision, are equally good:"
	}
	to.say(intro)
	g := &grid{head: []string{"class", "importance", "all found", "no false alarm"}}
	if !shaped {
		g.head = []string{"class", "importance", "all found", "midway", "no false alarm", "1 point of recall ="}
	}
	for _, f := range distinct(classes, prefs) {
		theta, all, none := fmt.Sprintf("%g", f.Theta), exchange(1, f.X), exchange(f.Y, 1)
		for _, name := range f.called() {
			if shaped {
				g.add(name, theta, all, none)
			} else {
				g.add(name, theta, all, exchange((1+f.Y)/2, (1+f.X)/2), none, fmt.Sprintf("%.3g of precision", worth(f.Preference)))
			}
		}
	}
	to.table(g)
}

// exchange shows a recall at a precision.
func exchange(recall, precision float64) string {
	return fmt.Sprintf("%.3g %% at %.3g %%", 100*recall, 100*precision)
}

// rarestClass returns the class with the fewest rows beside the most common one, but for those with too few to tune for, [anneal.FewRows], if others have
// as many, else to judge by, and how many rows it had to have. Of equals it is the last in the order in which they win ties.
func rarestClass(rows []float64, order []int) (rarest int, least float64) {
	common := order[0]
	for _, c := range order {
		if rows[c] > rows[common] {
			common = c
		}
	}
	for _, least := range []float64{anneal.FewRows, dataset.FewToJudge, 2} {
		if c := rarestOf(rows, order, common, least); c >= 0 {
			return c, least
		}
	}
	return max(rarestOf(rows, order, common, 0), 0), 0
}

// rarestOf returns the class but one with the fewest rows, of those that have any and no fewer than the least, the last in the order of equals, or -1.
func rarestOf(rows []float64, order []int, but int, least float64) int {
	rarest := -1
	for _, c := range order {
		if n := rows[c]; c != but && n > 0 && n >= least && (rarest < 0 || n <= rows[rarest]) {
			rarest = c
		}
	}
	return rarest
}

// rarestWords names what rarestClass returns.
func rarestWords(classes []string, rows []float64, order []int) string {
	rarest, least := rarestClass(rows, order)
	rarer, alike := 0, -1 // beside the class itself
	for _, n := range rows {
		if n > 0 && n < rows[rarest] {
			rarer++
		} else if n == rows[rarest] {
			alike++
		}
	}
	which, of := "the rarest class", ""
	if alike > 0 {
		which = "one of the rarest classes"
	}
	if rarer > 0 {
		of = fmt.Sprintf(" of at least %g rows", least)
	}
	return fmt.Sprintf("%s%s, %q,", which, of, classes[rarest])
}
