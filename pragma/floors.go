package pragma

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/vote"
)

// Floor is a figure that decisions must reach for a class, or not exceed, before any loss counts.
type Floor struct {
	Class int    // index of the class
	What  Figure // the figure that is limited
	Limit float64
	Typed string // the limit as it was written, such as 50/10000 or 90%; "" means the plain number
	// Slice are the rows that alone are counted, see [vote.Table.Slices]; the zero value is all rows. One set of vote
	// weights decides all rows, those of a slice and the others.
	Slice vote.Slice
}

// Figure names what a floor limits.
type Figure string

// The figures.
const (
	RecallFloor    Figure = "recall"    // at least Limit
	PrecisionFloor Figure = "precision" // at least Limit, if any row is decided as the class
	FalseAlarms    Figure = "fpr"       // at most Limit: share of the rows of other classes that are decided as the class
	Alerts         Figure = "alerts"    // at most Limit: share of all rows that are decided as the class
)

var figures = []Figure{RecallFloor, PrecisionFloor, FalseAlarms, Alerts}

// atMost tells whether the limit is one from above.
func (f Floor) atMost() bool { return f.What == FalseAlarms || f.What == Alerts }

// OfAll tells whether all rows are counted, and not those of a slice alone.
func (f Floor) OfAll() bool { return f.Slice == vote.Slice{} }

// Slices returns the slices that floors are of, each once, in their order.
func Slices(floors []Floor) []vote.Slice {
	var out []vote.Slice
	for _, f := range floors {
		if !f.OfAll() && !slices.Contains(out, f.Slice) {
			out = append(out, f.Slice)
		}
	}
	return out
}

// Value returns the figure, and false if there are no rows to compute it from.
func (f Floor) Value(m *vote.Confusion) (float64, bool) {
	if m = m.Slice(f.Slice); m == nil {
		return 0, false
	}
	switch f.What {
	case RecallFloor:
		return m.Recall(f.Class)
	case PrecisionFloor:
		return m.Precision(f.Class)
	case FalseAlarms:
		return m.FalsePositives(f.Class)
	default:
		return m.Alerts(f.Class)
	}
}

// name returns the name of the class of f, or its index where it has none.
func (f Floor) name(classes []string) string {
	if f.Class < 0 || f.Class >= len(classes) {
		return fmt.Sprint(f.Class)
	}
	return classes[f.Class]
}

// Missing returns by how much the figure fails the limit; 0 if it does not, or is not defined.
func (f Floor) Missing(m *vote.Confusion) float64 {
	v, ok := f.Value(m)
	switch {
	case !ok:
		return 0
	case f.atMost():
		return max(0, v-f.Limit)
	}
	return max(0, f.Limit-v)
}

// sign stands between the figure and its limit.
func (f Floor) sign() string {
	if f.atMost() {
		return "<="
	}
	return ">="
}

// Text returns the floor in the form that [ParseFloor] reads; of a class that there is not, with its index.
func (f Floor) Text(classes []string) string {
	return fmt.Sprintf("%s:%s%s%s%s", quoted(f.name(classes)), f.What, f.sign(), cmp.Or(f.Typed, fmt.Sprint(f.Limit)),
		sliceText(f.Slice))
}

// Unit returns of how many rows the limit is a number, and the suffix that says so: 10000 and "/10000" for
// 50/10000, 100 and "%" for 90%, and 1 and "" for a share.
func (f Floor) Unit() (whole float64, unit string) {
	if strings.HasSuffix(f.Typed, "%") {
		return 100, "%"
	}
	_, text, of := strings.Cut(f.Typed, "/")
	n, err := strconv.ParseFloat(text, 64)
	if !of || err != nil {
		return 1, ""
	}
	return n, "/" + text
}

// ParseFloor reads a floor:
//
//	ill:recall>=0.9         nine of ten ill are found; 90% is the same
//	ill:precision>=0.2      one of five alarms is right
//	ill:fpr<=0.01           one of a hundred others raises an alarm
//	ill:alerts<=50/10000    fifty alarms among ten thousand rows
//	ill:recall>=0.9@region=north    nine of ten ill are found among the rows that have north in the column region
//
// Other names of these figures are understood: sensitivity and tpr, ppv, false positive rate, alarms. The names of a
// class, a column and a value are quoted as in [ParseSpec]. With nil classes the text alone is checked: any name will
// do. Errors: *[SpecError].
func ParseFloor(text string, classes []string) (Floor, error) {
	p := &parser{text: text}
	name, err := p.name()
	if err != nil && !strings.HasPrefix(strings.TrimSpace(text), `"`) {
		return Floor{}, p.fault(0, errors.New("the name of a class is missing; write CLASS:recall>=0.9"))
	}
	if err != nil {
		return Floor{}, err
	}
	f, colon := Floor{Class: slices.Index(classes, name)}, p.take(':')
	if f.Class < 0 && (!colon || classes != nil) {
		of, _, _ := strings.Cut(text, "@")
		if err := noClass(of, name, classes, colon); err != nil {
			return Floor{}, &SpecError{Err: err}
		}
	}
	if !colon {
		return Floor{}, p.fault(p.at, errors.New("a colon and a figure are missing; write CLASS:recall>=0.9"))
	}
	rest := p.text[p.at:]
	if at := strings.IndexByte(rest, '@'); at >= 0 {
		if f.Slice, err = parseSlice(p.text, p.at+at+1); err != nil {
			return Floor{}, err
		}
		rest = rest[:at]
	}
	rest = strings.TrimRight(rest, " ")
	what, sign, to := compared(rest)
	f.What = figureOf(what)
	switch {
	case !slices.Contains(figures, f.What):
		return Floor{}, p.fault(p.at, noFigure(name, rest, classes))
	case to == "":
		return Floor{}, p.fault(p.at, cutOff(name, f.What))
	case sign != f.sign():
		return Floor{}, p.fault(p.at, fmt.Errorf("%s takes %s; write %.64s:%[1]s%[2]s%.64[4]s", f.What, f.sign(),
			quoted(name), to))
	}
	if f.Limit, f.Typed, err = limit(f.What, to); err != nil {
		return Floor{}, p.fault(p.at+len(rest)-len(to), err)
	}
	return f, nil
}

// sameFigures are the figures by the names that others call them, as [plainWord] has these.
var sameFigures = map[string]Figure{
	"sensitivity": RecallFloor, "tpr": RecallFloor, "truepositiverate": RecallFloor, "hitrate": RecallFloor,
	"ppv": PrecisionFloor, "positivepredictivevalue": PrecisionFloor, "falsepositiverate": FalseAlarms, "alarms": Alerts,
}

// figureOf returns the figure of that name, or of one that means the same; else the name.
func figureOf(name string) Figure {
	return cmp.Or(sameFigures[plainWord(name)], Figure(name))
}

// plainWord is a word in lower case, and without what may part it.
func plainWord(word string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(word))
}

// signs are the characters of a comparison, also of one that is meant.
const signs = "<>=≤≥"

// compared parts a figure, the sign after it, "" if there is none, and the limit.
func compared(text string) (what, sign, to string) {
	at := strings.IndexAny(text, signs)
	if at < 0 {
		what, to, _ = strings.Cut(strings.TrimSpace(text), " ")
		return what, "", to
	}
	to = strings.TrimLeft(text[at:], signs+" ")
	return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at : len(text)-len(to)]), to
}

// noFigure is the error for a text without a figure, which stands behind the class and a colon.
func noFigure(class, text string, classes []string) error {
	what, sign, to := compared(text)
	switch {
	case sign == "":
		return fmt.Errorf("%s has no >= or <=; write CLASS:recall>=0.9 or CLASS:alerts<=50/10000", english.Quote(text))
	case what == "":
		return missingFigure(class, text)
	}
	if err := elsewhere(class, what, to, classes); err != nil {
		return err
	}
	if more, figure, found := cutLast(what, ":"); found {
		name := class + ":" + more
		return fmt.Errorf("unknown figure %s; if the class is called %s, write %s", english.Quote(what), english.Quote(name),
			csvtext.Quote(quoted(name)+":"+figure+sign+to, `"CLASS":recall>=0.9`))
	}
	known := make([]string, len(figures))
	for i, k := range figures {
		known[i] = string(k)
	}
	return nearest.Unknown("figure", what, known)
}

// elsewhere is the error for a figure that others know, and is 1 less one of ours, or that of another class, with
// its limit; nil for others. Nil classes are not known.
func elsewhere(name, what, to string, classes []string) error {
	word, class := plainWord(what), quoted(name)
	less := map[string]Figure{
		"specificity": FalseAlarms, "tnr": FalseAlarms, "truenegativerate": FalseAlarms,
		"fnr": RecallFloor, "missrate": RecallFloor, "falsenegativerate": RecallFloor, "fdr": PrecisionFloor,
		"falsediscoveryrate": PrecisionFloor,
	}
	if is := less[word]; is != "" {
		limit, _, err := limit(is, to)
		if err != nil {
			return err
		}
		return fmt.Errorf("%s is 1 - %s here; write %.64s:%[2]s%[4]s%.6[5]g", english.Quote(what), is, class,
			Floor{What: is}.sign(), 1-limit)
	}
	if word == "npv" || word == "negativepredictivevalue" {
		other, two := "OTHER", ""
		if k := len(classes); k > 2 {
			two = fmt.Sprintf(option.Text("of these %d make two, by %s or {merge-labels}, and "), k, csvtext.Flag("positive",
				name, "CLASS"))
		} else if k == 2 {
			other = quoted(classes[1-slices.Index(classes, name)])
		}
		return fmt.Errorf("%s is, of two classes, the precision of the other; %swrite %.64s:precision>=%.64s",
			english.Quote(what), two, other, to)
	}
	return nil
}

// noClass is the error for a floor that begins with a name which is no class: that of a figure, or
// of a class and what follows it without a colon. With nil classes any name may be that of a class.
func noClass(text, name string, classes []string, colon bool) error {
	at := strings.LastIndexAny(name, "<>")
	if at < 0 && !colon && strings.Contains(text, "=") {
		at = len(name)
	}
	if at < 0 && classes == nil {
		return nil
	}
	if colon {
		return nearest.Unknown("class", name, classes)
	}
	if class, figure, found := cutLast(text, ":"); at == 0 && found && !strings.HasPrefix(class, `"`) {
		return fmt.Errorf("a name with one of %s in it is quoted; write '%s:%.64s' on a command line", delimiters,
			english.Quote(class), figure)
	}
	if at >= 0 {
		name = strings.TrimSpace(name[:at])
	}
	class, what, parted := strings.Cut(name, " ")
	if !parted {
		class, what = "CLASS", name
	}
	known := func(name string) bool { return classes == nil || slices.Contains(classes, name) }
	f := Floor{What: Figure(strings.TrimSpace(what))}
	isFigure := slices.Contains(figures, f.What)
	meant := fmt.Sprintf("%s:%s%s%.64s", class, f.What, f.sign(), afterSign(text))
	switch {
	case at < 0:
	case name == "":
		return errors.New("the class is missing; write CLASS:recall>=0.9 or CLASS:alerts<=50/10000")
	case isFigure && parted && known(class):
		return fmt.Errorf("a colon is missing; write %s", meant)
	case isFigure && !parted && classes == nil:
		return fmt.Errorf("the class is missing; write %s", meant)
	case isFigure && !parted && !known(name):
		return fmt.Errorf("the class is missing; write %s with one of the classes %s", meant, nearest.List(classes))
	case known(name):
		return missingFigure(name, text)
	}
	return nearest.Unknown("class", name, classes)
}

// cutOff is the error for a floor that ends with the figure: a shell has most likely taken the rest, which was not
// in quotes.
func cutOff(class string, what Figure) error {
	return fmt.Errorf("%s has no limit; write '%.64s:%s', in quotes on a command line, as a shell takes > and what "+
		"follows it for a file to write", what, quoted(class), what.example())
}

// example is a figure with a limit.
func (f Figure) example() string {
	limit := map[Figure]string{FalseAlarms: "0.01", Alerts: "50/10000"}[f]
	return fmt.Sprintf("%s%s%s", f, Floor{What: f}.sign(), cmp.Or(limit, "0.9"))
}

// missingFigure is the error for a floor that does not say what of the class is limited.
func missingFigure(class, text string) error {
	a, b := RecallFloor, PrecisionFloor
	if strings.Contains(text, "<") {
		a, b = FalseAlarms, Alerts
	}
	sign, limit := Floor{What: a}.sign(), afterSign(text)
	return fmt.Errorf("it is not said what of class %s; write %.64[2]s:%[3]s%[5]s%.64[6]s or %.64[2]s:%[4]s%[5]s%.64[6]s",
		english.Quote(class), quoted(class), a, b, sign, limit)
}

// afterSign returns what stands after the last sign of comparison.
func afterSign(text string) string {
	return strings.TrimLeft(text[max(0, strings.LastIndexAny(text, signs)):], signs+" ")
}

// limit reads a share, also as N/M or N%, which is returned without blanks. A number of alerts is none without that
// of the rows.
func limit(what Figure, text string) (v float64, typed string, err error) {
	n, m, of := strings.Cut(text, "/")
	read, whole := csvtext.Share, 1.0
	if of {
		read = csvtext.Typed
		if whole, err = csvtext.Typed(m); err != nil {
			if what == Alerts && !strings.ContainsAny(m, "0123456789") { // such as a month
				err = fmt.Errorf("%s of how many rows? write their number in place of %s, such as %[1]s/10000", n, english.Quote(m))
			}
			return 0, "", err
		}
		if !(whole > 0) {
			return 0, "", fmt.Errorf("%s is no number above 0; write 50/10000", english.Quote(m))
		}
		n = strings.TrimSpace(n)
		typed = n + "/" + strings.TrimSpace(m)
	}
	if v, err = read(n); err != nil {
		return 0, "", err
	}
	v /= whole
	if strings.HasSuffix(n, "%") && !of {
		typed = strings.ReplaceAll(n, " ", "")
	}
	if what == Alerts && typed == "" && v > 1 {
		return 0, "", fmt.Errorf("%s of how many rows? write such as %[1]s/10000", text)
	}
	if typed == "" && v > 1 && v <= 100 {
		return 0, "", fmt.Errorf("the limit %s looks like a percentage; write %[1]s%% or %.15g", text, v/100)
	}
	if !(v >= 0 && v <= 1) {
		return 0, "", fmt.Errorf("the limit %s is not between 0 and 1; write a share such as 0.9, or 50/10000", text)
	}
	return v, typed, nil
}

// within is a measure under floors.
type within struct {
	measure Measure
	floors  []Floor
}

// beyond is more than any loss there is.
const beyond = 1e300

// Within returns a measure that equals m if all floors are reached, and otherwise exceeds any loss, by more the
// further the floors are missed in sum. So a search for the lowest value prefers decisions within the floors. It is
// NaN of a matrix that does not count the slice of a floor.
func Within(m Measure, floors ...Floor) Measure {
	if len(floors) == 0 {
		return m
	}
	return within{m, floors}
}

func (w within) Loss(m *vote.Confusion) float64 {
	if w.measure == nil || m == nil {
		return math.NaN()
	}
	missing := 0.0
	for i := range w.floors {
		if m.Slice(w.floors[i].Slice) == nil {
			return math.NaN() // nobody knows whether it is reached
		}
		missing += w.floors[i].Missing(m)
	}
	if missing > 0 {
		return beyond * (1 + missing)
	}
	return w.measure.Loss(m)
}
