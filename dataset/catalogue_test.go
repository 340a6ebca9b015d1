package dataset

// The numbers in the names of the tests (A15, D94, ...) are those of the project's catalogue
// of bad inputs.

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// The exit codes that the command gives to the errors of this package.
const (
	usage = 2
	data  = 3
	limit = 6
)

// codeOf returns the exit code of err.
func codeOf(err error) int {
	var u *UsageError
	var l *LimitError
	var p *ParseError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &u):
		return usage
	case errors.As(err, &l):
		return limit
	case errors.As(err, &p):
		return data
	}
	return 1
}

// bad is an input that must be refused. The default options are those of target "y".
type bad struct {
	name, text string
	o          Options
	code       int
	want       string // the whole error text
}

func (c bad) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		if c.o.Target == "" && c.o.Schema == nil {
			c.o.Target = "y"
		}
		f, err := ReadCSV(strings.NewReader(c.text), "in.csv", c.o)
		if err == nil {
			t.Fatalf("read %d rows without an error, want %s", f.Rows(), c.want)
		}
		if got := err.Error(); got != c.want || strings.Contains(got, "\n") {
			t.Errorf("error\n got %s\nwant %s", got, c.want)
		}
		if got := codeOf(err); got != c.code {
			t.Errorf("exit code %d, want %d", got, c.code)
		}
		if f != nil {
			t.Error("a frame came with the error")
		}
		for name, r := range portions(c.text) {
			if _, again := ReadCSV(r, "in.csv", c.o); again == nil || again.Error() != err.Error() {
				t.Errorf("%s: error %v, at once %v", name, again, err)
			}
		}
	})
}

// good is an input that must be read, as shown shows it, with these warnings.
type good struct {
	name, text string
	o          Options
	want       string
	warnings   string // one for each line
}

func (c good) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		if c.o.Target == "" && c.o.Schema == nil {
			c.o.Target = "y"
		}
		f, err := ReadCSV(strings.NewReader(c.text), "in.csv", c.o)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(); err != nil {
			t.Errorf("the frame does not pass its own check: %v", err)
		}
		if got := shown(f); got != c.want {
			t.Errorf("frame\n got %s\nwant %s", got, c.want)
		}
		if got := errors.Join(f.Warnings...); fmt.Sprint(got) != c.warnings && (got != nil || c.warnings != "") {
			t.Errorf("warnings\n got %v\nwant %s", got, c.warnings)
		}
		for name, r := range portions(c.text) {
			if again, err := ReadCSV(r, "in.csv", c.o); err != nil || sameFrame(f, again) != "" {
				t.Errorf("%s: another frame, or %v", name, err)
			}
		}
	})
}

// portions gives a text in portions of other sizes than a whole: a frame and an error must not
// depend on them. Long texts are left out.
func portions(text string) map[string]io.Reader {
	if len(text) > 10000 {
		return nil
	}
	return map[string]io.Reader{
		"byte by byte":       iotest.OneByteReader(strings.NewReader(text)),
		"halves":             iotest.HalfReader(strings.NewReader(text)),
		"end with the bytes": iotest.DataErrReader(strings.NewReader(text)),
	}
}

// shown writes a frame in a line: "a=1,2 c(p|q)=p,_ -> ok,bad", with _ for missing.
func shown(f *Frame) string {
	var b strings.Builder
	for _, c := range f.Columns {
		cells := make([]string, c.length())
		for i := range cells {
			v := c.At(i)
			switch {
			case v != v:
				cells[i] = "_"
			case c.Kind == Categorical:
				cells[i] = c.Levels[int(v)]
			default:
				cells[i] = fmt.Sprint(v)
			}
		}
		b.WriteString(c.Name)
		if c.Kind == Categorical {
			b.WriteString("(" + strings.Join(c.Levels, "|") + ")")
		}
		b.WriteString("=" + strings.Join(cells, ",") + " ")
	}
	b.WriteString("->")
	for i, c := range f.Truth {
		label := "_"
		if c >= 0 {
			label = f.Classes[c]
		}
		b.WriteString(string(" ,"[min(i, 1)]) + label)
	}
	return b.String()
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// rowsOf returns a header and n lines made by row.
func rowsOf(header string, n int, row func(i int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}
