package cli

import (
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
)

// DriftFlag is that of the verbs that judge a model on later rows.
func DriftFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "fail-on-drift", DisableDefaultText: true, Category: "Output",
		Usage: "end with exit code 8 where drift shows"}
}

// ExpectedFlag is that of the verbs that hold a model to the promise of cv.
func ExpectedFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "expected", Category: "Output",
		Usage: "JSON `FILE` of cv, whose promise stands beside what is found"}
}

// EitherTimeOrGroup says which of two flags to leave out when.
func EitherTimeOrGroup() error {
	return Usagef("--time judges later rows by earlier ones, and --group rows of a group by those of others, and not " +
		"both can be: where new rows are of the same groups as before leave --group out, where they are of new ones leave " +
		"--time out")
}

// ReasonsFlag has the cells named that a row owes its decision to, or its votes for a class.
func ReasonsFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "reasons", Category: "Output", DefaultText: "none",
		Usage: "N or `CLASS=N`: cells a decision, or CLASS, owes most to"}
}

// ReadReasons reads --reasons; where it names no class a list has those of its own.
func ReadReasons(c *urfave.Context, of *view.Goal, list *predictions.Top) (r predictions.Reasoned, err error) {
	text := c.String("reasons")
	if !c.IsSet("reasons") {
		return r, nil
	}
	name, number, named := cutLast(text, "=")
	if !named {
		name, number = "", text
	}
	likely, _ := of.Likely()
	r.Most, err = strconv.Atoi(number)
	switch {
	case named && !slices.Contains(of.Classes, name):
		return r, Usagef("--reasons %s: %w", english.Quote(text), nearest.Unknown("class", name, of.Classes))
	case err != nil:
		return r, Usagef("--reasons %s: %s is no number of cells; write such as --reasons 3, or --reasons %s for what "+
			"speaks for that class", english.Quote(text), english.Quote(number), csvtext.Quoted(likely+"=3"))
	case r.Most < 1:
		return r, Usagef("--reasons %s; choose 1 or more", text)
	}
	if r.Class = name; list != nil && !named {
		r.Class = list.Name
	}
	return r, nil
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

// WithholdFlag is that of the verbs that decide rows, or judge what is decided.
func WithholdFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "withhold", DisableDefaultText: true, Category: "Output",
		Usage: "leave rows undecided that lack most of what the model decides by"}
}

// Withhold reads --withhold, for the rows that the model of l finds.
func Withhold(l *abstain.Lacking, c *urfave.Context) error {
	if l.Withheld = c.Bool("withhold"); !l.Withheld {
		return nil
	}
	if err := TellApart(l.Model.Classes()); err != nil {
		return err
	}
	if !l.Possible() {
		return Usagef("--withhold: the model does not know what the cells of its training were like, so that it finds no " +
			"row that lacks most of what it decides by; train it anew")
	}
	return nil
}

// TellApart refuses a class that a withheld decision would be taken for.
func TellApart(classes []string) error {
	for _, class := range classes {
		if strings.EqualFold(class, predictions.Undecided) {
			return Usagef("--withhold writes %q as the decision of rows that lack most of what the model decides by, and %s "+
				"is a class of the model; leave out --withhold: predict tells in column \"lacks\" which rows these are",
				predictions.Undecided, english.Quote(class))
		}
	}
	return nil
}
