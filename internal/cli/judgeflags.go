package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
)

// EitherTimeOrGroup says which of two flags to leave out when.
func EitherTimeOrGroup() error {
	return Usagef("--time judges later rows by earlier ones, and --group rows of a group by those of others; leave one " +
		"out")
}

// ReadTop reads the --top of predict; it is nil without.
func (p *Program) ReadTop(c *urfave.Context, of *view.Goal) (*predictions.Top, error) {
	if err := checkPer(c); err != nil {
		return nil, err
	}
	if !c.IsSet("top") {
		return nil, nil
	}
	l, err := p.readList(c.String("top"), of)
	if err != nil {
		return nil, err
	}
	return &predictions.Top{List: l, Name: of.Classes[l.Class], Per: c.String("per"),
		Lists: map[string]*predictions.Best{}}, nil
}

// Withhold reads --withhold, for the rows that the model of l finds.
func Withhold(l *abstain.Lacking, c *urfave.Context) error {
	if l.Withheld = c.Bool("withhold"); !l.Withheld {
		return nil
	}
	if err := CheckUndecided(l.Model.Classes()); err != nil {
		return err
	}
	if !l.Possible() {
		return Usagef("--withhold: the model does not know what the cells of its training were like, so that it finds no " +
			"row that lacks most of what it decides by; train it anew")
	}
	return nil
}

// CheckUndecided refuses a class that a withheld decision would be taken for.
func CheckUndecided(classes []string) error {
	for _, class := range classes {
		if strings.EqualFold(class, predictions.Undecided) {
			return Usagef("--withhold writes %q as the decision of rows that lack most of what the model decides by, and %s "+
				"is a class of the model; leave out --withhold: predict tells in column \"lacks\" which rows these are",
				predictions.Undecided, english.Quote(class))
		}
	}
	return nil
}

// CheckReviewed refuses a class that a row which is left to a person would be taken for.
func CheckReviewed(classes []string) error {
	for _, class := range classes {
		if strings.EqualFold(class, predictions.Undecided) {
			return Usagef("%q stands for rows that are left to a person, and %s is a class of the model; name the class "+
				"otherwise, or leave out --review", predictions.Undecided, english.Quote(class))
		}
	}
	return nil
}

// checkPer refuses --per without lists.
func checkPer(c *urfave.Context) error {
	switch {
	case !c.IsSet("per"):
		return nil
	case strings.TrimSpace(c.String("per")) == "":
		return Usagef("--per is empty; name the column for each value of which there is to be a list, or several such as " +
			"Year,Month")
	case !c.IsSet("top"):
		return Usagef("--per is for lists; say how long each of them is with --top, such as --top %s",
			csvtext.Quoted("CLASS=20"))
	}
	return nil
}

// ReadLists reads those of the verbs that judge.
func (p *Program) ReadLists(c *urfave.Context, of *view.Goal) ([]eval.TopList, error) {
	if err := checkPer(c); err != nil {
		return nil, err
	}
	var lists []eval.TopList
	for _, text := range c.StringSlice("top") {
		l, err := p.readList(text, of)
		if err != nil && strings.Contains(text, ",") && strings.Count(text, "=") > 1 {
			err = fmt.Errorf("%w; of several lists each has a --top of its own", err)
		}
		if err != nil {
			return nil, err
		}
		lists = append(lists, l)
	}
	return lists, nil
}

// readList reads a list of the likeliest rows, such as ill=20 or ill=1%, and warns where it is of a class that
// matters less than others.
func (p *Program) readList(text string, of *view.Goal) (eval.TopList, error) {
	name, length, split := cutLast(text, "=")
	if !split || slices.Contains(of.Classes, text) {
		name, length = text, ""
	}
	class := slices.Index(of.Classes, name)
	l, ok := lengthOf(length)
	l.Class = class
	likely, why := of.Likely()
	if class >= 0 {
		likely, why = name, ""
	}
	example := fmt.Sprintf("such as --top %s or --top %s", csvtext.Quoted(likely+"=20"), csvtext.Quoted(likely+"=1%"))
	_, bare := lengthOf(text)
	_, wrong := csvtext.Share(length)
	switch {
	case wrong != nil && csvtext.HasDecimalComma(strings.TrimSuffix(length, "%")):
		return l, Usagef("--top %s: %v", english.Quote(text), wrong)
	case class < 0 && !split && bare:
		return l, Usagef("--top %s names no class; write CLASS=N with one of the classes %s, such as --top %s%s",
			english.Quote(text), nearest.List(of.Classes), csvtext.Quoted(likely+"="+text), why)
	case class < 0:
		return l, Usagef("--top %s: %w; write CLASS=N, %s%s", english.Quote(text), nearest.Unknown("class", name, of.Classes),
			example, why)
	case length == "":
		return l, Usagef("--top %s has no number; write how many rows, or what part of them, %s", english.Quote(text),
			example)
	case l.Share > 0 && l.Share < 1 && !strings.HasSuffix(length, "%"):
		return l, Usagef("--top %s: %s may be %s %% of the rows or %[2]s %%; write --top %[4]s or --top %[5]s",
			english.Quote(text), strings.TrimSpace(length), layout.TypedPercent(l.Share), csvtext.Quoted(name+"="+
				layout.TypedPercent(l.Share)+"%"), csvtext.Quoted(name+"="+strings.TrimSpace(length)+"%"))
	case !ok:
		return l, Usagef("--top %s: %s is neither a number of rows, 1 or more, nor a part of them up to 100%%; write one "+
			"or the other, %s", english.Quote(text), english.Quote(length), example)
	}
	if matter := of.Matter(); len(matter) > 0 && !slices.Contains(matter, class) {
		p.Warn([]error{fmt.Errorf("--top %s lists the rows likeliest to be %s; what matters most is %s, for which write "+
			"--top %s", text, english.Quote(name), english.Quote(of.Classes[matter[0]]), csvtext.Quoted(of.Classes[matter[0]]+
			"="+
			length))})
	}
	return l, nil
}

// cutLast cuts a text around the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}

// lengthOf reads how many rows a list has, or what part of all of them: 20, or 1%. Of another number it is not ok.
func lengthOf(text string) (l eval.TopList, ok bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); err == nil {
		l.Rows = float64(n)
		return l, n > 0
	}
	share, err := csvtext.Share(text)
	l.Share = share
	return l, err == nil && share > 0 && share <= 1 && strings.HasSuffix(text, "%")
}
