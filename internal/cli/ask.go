package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/rarest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// dialogue asks questions on stderr and takes the answers from stdin, typed or piped.
type dialogue struct {
	answers *bufio.Scanner
	out     io.Writer
	echo    bool // answers that nobody types are shown
}

// ask asks for the preference: which classes matter, how much, and for each the two questions of Thomas, Jouve and
// Nicoloyannis (EGC 2007), whose answers are y and x. The others are neutral. Rows are those of each class; they win
// ties in that order.
//
// Errors: input that ends before the last answer, and that of the context. A bad answer is none: the question is
// asked again.
func (p *Program) ask(c *urfave.Context, classes []string, rows []float64, order []int) (pragma.Spec, error) {
	d := &dialogue{bufio.NewScanner(&patient{ctx: c.Context, r: p.Stdin}), p.Stderr, !layout.Terminal(p.Stdin)}
	d.tell("Enter takes the answer in brackets. A share is 20 %%, 20 or 0.2: a number from 1 on is a percentage.\n")
	rarest, _ := rarest.Class(rows, order)
	spec, err := d.preferences(classes, classes[rarest])
	if err != nil {
		d.tell("") // the cursor stands behind a question
		return nil, err
	}
	if len(spec) < len(classes) {
		f := pragma.Neutral()
		d.tell("\nOther classes stay neutral: importance %g, x %g, y %g.", f.Theta, f.X, f.Y)
	}
	d.tell("The same without questions: --prefer %s", csvtext.ShellQuoted(spec.String()))
	return spec, nil
}

// tell writes a line.
func (d *dialogue) tell(format string, args ...any) {
	fmt.Fprintf(d.out, format+"\n", args...)
}

// question asks until accept takes the answer, or the input ends. An empty answer is the usual one.
func (d *dialogue) question(text, usual string, accept func(answer string) error) error {
	for {
		fmt.Fprintf(d.out, "%s [%s] ", layout.Printable(text), layout.Printable(usual))
		if !d.answers.Scan() {
			err := d.answers.Err()
			if errors.Is(err, bufio.ErrTooLong) {
				err = Usagef("--ask: the answer is too long; answer on a terminal, or write what you want with --prefer")
			}
			return cmp.Or(err, Usagef("--ask: the input ended before the last question was answered; answer on a terminal, or "+
				"write what you want with --prefer"))
		}
		answer := strings.TrimSpace(d.answers.Text())
		if d.echo {
			d.tell("%s", layout.Printable(answer))
		}
		err := accept(cmp.Or(answer, usual))
		if err == nil {
			return nil
		}
		d.tell("  %v", layout.Printable(err.Error()))
	}
}

// preferences asks which classes matter, and for each what is wanted of it.
func (d *dialogue) preferences(classes []string, rarest string) (pragma.Spec, error) {
	var matter []string
	usual, err := listed(rarest), error(nil)
	if err = d.question(fmt.Sprintf("Which classes matter most, of %s? Several are separated by commas.",
		nearest.List(classes)), usual, func(answer string) error {
		matter, err = knownClasses(answer, classes)
		return err
	}); err != nil {
		return nil, err
	}
	spec := pragma.Spec{}
	neutral := slices.DeleteFunc(slices.Clone(classes), func(c string) bool { return slices.Contains(matter, c) })
	for _, class := range matter {
		d.tell("")
		f, err := d.preference(class, neutral)
		if err != nil {
			return nil, err
		}
		spec[class] = f
		d.tell("So one point of recall of %q is worth %s of precision.", class,
			english.Plural(fmt.Sprintf("%.3g", view.Worth(f)), "point"))
		d.tell("As good as each other, recall at precision: %s, %s, %s.", view.Exchange(1, f.X), view.Exchange((1+f.Y)/2,
			(1+f.X)/2), view.Exchange(f.Y, 1))
	}
	return spec, nil
}

// preference asks what is wanted of a class, beside those that stay neutral.
func (d *dialogue) preference(class string, neutral []string) (f pragma.Preference, err error) {
	usual := pragma.Priority()
	matters := fmt.Sprintf("How many times as much as a neutral class does %q matter?", class)
	if len(neutral) == 0 {
		matters = fmt.Sprintf("How much does %q matter? Only the ratio to the other classes counts.", class)
	}
	for _, q := range []struct {
		text, usual string
		read        func(string) (float64, error)
		to          *float64
	}{
		{matters, fmt.Sprint(usual.Theta), func(answer string) (float64, error) {
			return importance(answer, class,
				len(neutral) > 0)
		}, &f.Theta},
		{fmt.Sprintf("You find all of %q. What share of the alarms must be right so that you would still accept it?", class),
			layout.Percentage(usual.X), share, &f.X},
		{fmt.Sprintf("Suppose instead that every alarm is right, but not all of %q is found. What share of it, at the "+
			"least, would be as good to you?", class), layout.Percentage(usual.Y), share, &f.Y},
	} {
		if err := d.question(q.text, q.usual, func(answer string) (err error) {
			*q.to, err = q.read(answer)
			return err
		}); err != nil {
			return f, err
		}
	}
	return f, nil
}

// knownClasses reads a list of classes, quoted as in CSV where need be. A class may be given twice.
func knownClasses(answer string, classes []string) ([]string, error) {
	given, err := Names("ask", []string{answer})
	if err != nil {
		return nil, errors.New("separate the classes by commas, and quote a name with a comma or a quote in it")
	}
	var known []string
	for _, name := range given {
		if name = begun(name, classes); !slices.Contains(classes, name) {
			return nil, nearest.Unknown("class", name, classes)
		}
		if !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	return known, nil
}

// begun returns the one class that a name begins, in whatever letter case; the name itself where there is none, or
// are several.
func begun(name string, classes []string) string {
	begins := slices.DeleteFunc(slices.Clone(classes),
		func(class string) bool { return !strings.HasPrefix(strings.ToLower(class), strings.ToLower(name)) })
	if name == "" || len(begins) != 1 || slices.Contains(classes, name) {
		return name
	}
	return begins[0]
}

// importance reads how much a class matters, which beside neutral ones is not less than these do: it was said to
// matter most.
func importance(answer, class string, neutral bool) (float64, error) {
	v, err := csvtext.Typed(answer)
	switch {
	case err != nil:
		return 0, err
	case !(v > 0):
		return 0, fmt.Errorf("%s is not above 0: the class would not matter; write a number such as 10", answer)
	case neutral && v < 1:
		return 0, fmt.Errorf("%s is below 1: %q would matter less than the rest; write 1 or more, or begin again (Ctrl-C) "+
			"and name what matters most", answer, class)
	}
	return v, nil
}

// share reads a share below 1: 20 %, 20 and 0.2 are the same.
func share(answer string) (float64, error) {
	v, err := csvtext.Share(answer)
	if err != nil {
		return 0, err
	}
	if v >= 1 && !strings.HasSuffix(answer, "%") {
		v /= 100
	}
	switch {
	case v < 0:
		return 0, fmt.Errorf("%s is negative; write a share from 0 to 99 %%", answer)
	case v >= 1:
		return 0, fmt.Errorf("%s would give up nothing; write the least that you would accept, up to 99 %%", answer)
	}
	return v, nil
}
