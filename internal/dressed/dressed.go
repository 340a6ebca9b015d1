// Package dressed reads numbers that wear something: a unit as in 70kg, a currency as in €5, a power of ten as in 1.3k,
// a word for about, below or above as in ~40, <5 and 10+, or the colons and letters of times of day and durations, as
// in 15:11 and 0 h 45 min.
package dressed

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// None is the unit of numbers that have none.
const None = "1"

// number is one cell: what stands before the number, the number, and what stands behind it.
type number struct {
	sign  string // "<", ">" or "" (about, or nothing)
	text  string // of the number alone
	value float64
	unit  string
	worn  bool // it wears anything at all
}

var (
	about  = regexp.MustCompile(`^(?:~|≈|±|ca\.?\s|approx\.?\s|about\s|<=|>=|<|>|≤|≥)\s*`)
	lead   = regexp.MustCompile(`^(?:EUR|USD|GBP|CHF|\p{Sc})\s*`)
	middle = regexp.MustCompile(`^[+-]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][+-]?\d+)?`)
	letter = regexp.MustCompile(`^[\p{L}°µμ%‰\p{Sc}][\p{L}\d°µμ/²³·^%*. -]{0,23}$`)
	groups = regexp.MustCompile(`^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$`)
	tenth  = map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "Mio": 1e6, "bn": 1e9, "B": 1e9}
)

// read takes a cell apart; ok is false where it is no number but for what it wears.
func read(cell string, mark byte) (n number, ok bool) {
	rest := strings.TrimSpace(cell)
	if found := about.FindString(rest); found != "" {
		n.worn, rest = true, rest[len(found):]
		switch strings.TrimSpace(found) {
		case "<", ">":
			n.sign = strings.TrimSpace(found)
		}
	}
	minus := ""
	if strings.HasPrefix(rest, "-") && lead.MatchString(rest[1:]) { // -$5
		minus, rest = "-", rest[1:]
	}
	if found := lead.FindString(rest); found != "" {
		n.worn, n.unit, rest = true, strings.TrimSpace(found), rest[len(found):]
	}
	n.text = middle.FindString(rest)
	rest = strings.TrimSpace(rest[len(n.text):])
	text := minus + n.text
	if mark == '.' && groups.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	var form csvtext.Form
	if n.value, form = csvtext.ParseMarked(text, mark); n.text == "" || form == csvtext.Word || form == csvtext.Huge {
		return n, false
	}
	if above, found := strings.CutPrefix(rest, "+"); found {
		n.sign, n.worn, rest = ">", true, strings.TrimSpace(above)
	}
	switch {
	case rest == "":
		return n, true
	case n.unit != "" && tenth[rest] == 0 || !letter.MatchString(rest) || ordinal(n.text, rest):
		return n, false
	}
	n.worn = true
	if n.unit != "" { // $1.3k
		n.value *= tenth[rest]
		return n, true
	}
	n.unit = strings.TrimSuffix(rest, ".")
	return n, true
}

// ordinal tells whether a number and the letters right behind it are a rank, as 1st.
func ordinal(digits, letters string) bool {
	return slices.Contains([]string{"st", "nd", "rd", "th"}, letters) && !strings.ContainsAny(digits, ".,")
}

// same tells whether two units are one, in the singular or the plural, and in capitals or not where no prefix such as m
// and M is at stake.
func same(a, b string) bool {
	plain := func(unit string) string {
		unit = strings.ReplaceAll(unit, "μ", "µ")
		if len(unit) > 3 {
			unit = strings.TrimSuffix(unit, "s")
		}
		return unit
	}
	a, b = plain(a), plain(b)
	if a == b {
		return true
	}
	first := strings.ToLower(a)
	return strings.EqualFold(a, b) && (len(a) > 3 || !strings.HasPrefix(first, "m") && !strings.HasPrefix(first, "p"))
}

// Parse reads a cell as a number of that unit: one that [Of] names, or a unit of time, in which times of day and
// durations are then returned. A number that wears no unit is taken to be in it. What is below or above a number is
// next to it. The form is [csvtext.Word] where the cell is no such number.
func Parse(cell, unit string, mark byte) (float64, csvtext.Form) {
	cell = strings.TrimSpace(cell)
	if seconds, known := timeUnit(unit); known {
		if v, ok := Duration(cell); ok {
			return v / seconds, csvtext.Exact
		}
	}
	n, ok := read(cell, mark)
	if !ok {
		return 0, csvtext.Word
	}
	power := tenth[n.unit]
	switch {
	case n.unit == "" || n.unit == unit || unit != None && same(n.unit, unit):
	case power > 0 && (unit == None || lead.MatchString(unit)):
		n.value *= power
	default:
		return 0, csvtext.Word
	}
	switch {
	case math.IsInf(n.value, 0):
		return 0, csvtext.Huge
	case n.sign == "<":
		return math.Nextafter(n.value, math.Inf(-1)), csvtext.Exact
	case n.sign == ">":
		return math.Nextafter(n.value, math.Inf(1)), csvtext.Exact
	}
	return n.value + 0, csvtext.Exact
}

// Unit returns the unit, as [Of] names it, of a cell that is a number that wears something; ok is false for others.
func Unit(cell string) (unit string, ok bool) {
	if len(cell) > 64 || !strings.ContainsFunc(cell, unicode.IsDigit) {
		return "", false
	}
	if isTime(cell) && !bareTime(cell) {
		return "min", true
	}
	n, ok := read(cell, '.')
	if !ok {
		n, ok = read(cell, ',')
	}
	switch {
	case tenth[n.unit] > 0 || n.unit == "":
		n.unit = None
	case !known(n.unit): // 4o
		return "", false
	}
	return n.unit, ok && n.worn
}

// Dress is what the numbers of a column wear.
type Dress struct {
	Unit  string // for [Parse]; None for none, "" where nothing reads them
	Words string // what it is, as in "the unit "kg""
	Times bool   // they are times of day or durations
	Pairs bool   // each cell holds two numbers, and no unit makes one of them
	Mixed bool   // they have several units
}

// pair are two numbers in one cell, as 120/80, 3.6 x 4.6 and 5'6".
var pair = regexp.MustCompile(`^\d+(?:[.,]\d+)?\s*[/x×'′]\s*\d+(?:[.,]\d+)?["″]?$`)

// fewPairs is up to how many different pairs may as well be classes, such as 1/2.
const fewPairs = 20

// fewLetters is how many different numbers with a letter right behind them there are at least that are no names of
// classes, such as 1a and 2a, and the same of 1 year and 2 years.
const fewLetters = 5

// mostUnits is how many units there are at most among the numbers of a column; more are names of classes, as 1AB, 2CD.
const mostUnits = 4

// several names the units of a column that has more than one, each known and of some numbers; "" of one that has not.
func several(units map[string]int) string {
	if len(units) < 2 || len(units) > mostUnits {
		return ""
	}
	var names []string
	for u, n := range units {
		if !known(u) || n < fewLetters {
			return ""
		}
		names = append(names, quote(u))
	}
	slices.Sort(names)
	return "several units, " + strings.Join(names, ", ")
}

// Of says what nearly all of the different texts of a column wear; ok is false where they are no numbers, or wear
// different things.
func Of(texts []string) (d Dress, ok bool) {
	if len(texts) < 2 {
		return d, false
	}
	enough := func(n int) bool { return 10*n >= 9*len(texts) }
	units, times, pairs, worn, powers := map[string]int{}, 0, 0, 0, 0
	clocks, brackets, mixed := 0, 0, false
	for _, text := range texts {
		if len(text) > 64 {
			continue
		}
		if isTime(text) {
			times++
			if !bareTime(text) {
				clocks++
			}
		}
		if pair.MatchString(text) {
			pairs++
		}
		if inside, begun := strings.CutPrefix(text, "("); begun {
			if inside, closed := strings.CutSuffix(inside, ")"); closed && csvtext.LooksNumeric(inside) {
				brackets++
			}
		}
		n, is := read(text, '.')
		if !is {
			n, is = read(text, ',')
		}
		if !is {
			continue
		}
		switch {
		case tenth[n.unit] > 0:
			powers++
		case n.unit != "":
			u := unitOf(units, n.unit)
			mixed = mixed || units[u] > 0 && units[n.unit] == 0
			units[u]++
		}
		if n.worn {
			worn++
		}
	}
	unit, most, all := "", 0, 0
	for u, n := range units {
		all += n
		if n > most || n == most && u < unit {
			unit, most = u, n
		}
	}
	switch {
	case enough(times) && (clocks > 0 || !enough(most)):
		return Dress{Unit: "min", Times: true}, true
	case enough(most) && (len(texts) >= fewLetters || known(unit) && !mixed && worn == len(texts)):
		return Dress{Unit: unit, Words: "the unit " + quote(unit)}, true
	case enough(powers+most) && most > 0 && powers > 0 && lead.MatchString(unit):
		return Dress{Unit: unit, Words: "the unit " + quote(unit)}, true
	case most == 0 && enough(worn) && (powers == worn || len(texts) >= fewLetters):
		words := "a sign such as ~, <, > or +"
		if powers > 0 {
			words = "a power of ten such as k"
		}
		return Dress{Unit: None, Words: words}, true
	case brackets == len(texts): // of which one reader makes a negative number, and another a note
		return Dress{Words: "brackets"}, true
	case enough(pairs) && len(texts) > fewPairs:
		return Dress{Pairs: true}, true
	case enough(all) && several(units) != "":
		return Dress{Words: several(units), Mixed: true}, true
	}
	return d, false
}

// unitOf returns the unit among those so far that is the same.
func unitOf(units map[string]int, unit string) string {
	for u := range units {
		if same(u, unit) && (len(u) < len(unit) || len(u) == len(unit) && u < unit) {
			return u
		}
	}
	return unit
}

// known tells whether letters are a unit that is told from the names of classes by two numbers.
func known(unit string) bool {
	if _, time := timeUnit(unit); time || lead.MatchString(unit) || strings.ContainsAny(unit, "%‰°µ/") {
		return true
	}
	return len(unit) > 1
}

func quote(text string) string { return `"` + text + `"` }
