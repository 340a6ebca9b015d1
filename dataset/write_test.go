package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// coded returns f with all columns coded.
func coded(f *Frame) *Frame {
	var r Coder
	g := *f
	g.Columns = make([]Column, len(f.Columns))
	for j, c := range f.Columns {
		g.Columns[j] = Column{Field: c.Field, Codes: r.Code(&c)}
	}
	return &g
}

// uncoded returns f with no column coded.
func uncoded(f *Frame) *Frame {
	g := *f
	g.Columns = make([]Column, len(f.Columns))
	for j, c := range f.Columns {
		g.Columns[j] = Column{Field: c.Field, Values: make([]float64, c.length())}
		for i := range g.Columns[j].Values {
			g.Columns[j].Values[i] = c.At(i)
		}
	}
	return &g
}

// sameFrame compares all but the warnings, the report of unseen levels and the form of the
// columns. The codes themselves must agree.
func sameFrame(f, g *Frame) string {
	return cmp.Diff(coded(f), coded(g), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Frame{}, "Warnings", "Unseen",
		"Reading"), cmpopts.IgnoreUnexported(Frame{}))
}

// written returns f as WriteCSV writes it, and the options that read it again.
func written(t *testing.T, f *Frame, target string) (string, Options) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCSV(&b, f, target); err != nil {
		t.Fatal(err)
	}
	o := Options{Target: target}
	for _, c := range f.Columns {
		if c.Kind == Categorical {
			o.Categorical = append(o.Categorical, c.Name)
		}
	}
	if f.ID != nil {
		o.ID = "id"
	}
	if f.Weight != nil {
		o.Weight = "weight"
	}
	if f.Group != nil {
		o.Group = "group"
	}
	if f.Time != nil {
		o.Time = "time"
	}
	return b.String(), o
}

func TestWriteCSV(t *testing.T) {
	f := handmade()
	f.Weight, f.Group = []float64{1, 0.5, 1e9}, []int{0, 1, 0}
	f.Columns[1].Levels = []string{"p,1", "q \"2\"", "r\n3"}
	text, _ := written(t, f, "class")
	want := "id,weight,group,extra,c,x,class\n" +
		"i,1,0,9,\"r\n3\",1,a\n" +
		"j,0.5,1,9,\"p,1\",2,b\n" +
		"k,1000000000,0,9,,,\n"
	if text != want {
		t.Errorf("wrote\n%swant\n%s", text, want)
	}
}

func TestWriteAndReadAgain(t *testing.T) {
	fraud, wave := Fraud(500, 3), Wave(200, 3, 3)
	wave.Group, wave.ID, wave.Weight = make([]int, 200), make([]string, 200), make([]float64, 200)
	for i := range 200 {
		wave.Group[i], wave.ID[i], wave.Weight[i] = i%7, fmt.Sprint(i, "\""), 1/float64(i+1)
	}
	odd := &Frame{
		Classes: []string{" ", "a\"b", "x;y"}[1:], Truth: []int{0, 1, 0, 1},
		Columns: []Column{
			{Field: Field{Name: "#1, \"quoted\""}, Values: []float64{5e-324, -1.7976931348623157e308, 1 << 60, nan}},
			{Field: Field{Name: "levels", Kind: Categorical, Levels: []string{"#", "1", "NA", "nan"}}, Values: []float64{3, 1, 0,
				2}},
		},
	}
	wave.Time = &Column{Field: Field{Name: "time"}, Values: slices.Clone(wave.Weight)}
	fraud.Time = &Column{Field: Field{Name: "time", Kind: Categorical, Levels: []string{"2024-1-2", "2024-10-01"}},
		Values: make([]float64, 500)}
	fraud.Time.Values[7] = 1
	for name, f := range map[string]*Frame{"fraud": fraud, "wave": wave, "odd": odd} {
		text, o := written(t, f, "the class")
		if diff := sameFrame(f, mustRead(t, text, o)); diff != "" {
			t.Errorf("%s: written (-) and read (+):\n%s", name, diff)
		}
		o.Schema, o.Classes, f.Time = f.Schema(), f.Classes, nil // which is of a training alone
		if diff := sameFrame(f, mustRead(t, text, o)); diff != "" {
			t.Errorf("%s: written (-) and read (+) with its schema:\n%s", name, diff)
		}
	}
}

func TestWriteWithoutLabels(t *testing.T) {
	f := &Frame{Columns: []Column{{Field: Field{Name: "x"}, Values: []float64{1, nan, 3, nan}}}}
	text, _ := written(t, f, "")
	if want := "x\n1\n\"\"\n3\n\"\"\n"; text != want {
		t.Errorf("wrote %q, want %q", text, want)
	}
	if diff := sameFrame(f, mustRead(t, text, Options{Schema: f.Schema()})); diff != "" {
		t.Errorf("written (-) and read (+):\n%s", diff)
	}
}

func TestWriteCSVRefuses(t *testing.T) {
	for _, c := range []struct {
		name, target string
		spoil        func(f *Frame)
		want         string
	}{
		{"target is a column", "x", func(*Frame) {},
			`value out of range: the file would have two columns named "x"; rename one`},
		{"target without a name", "", func(*Frame) {}, "value out of range: a column has no name; give it one"},
		{"column called id", "y", func(f *Frame) { f.Columns[0].Name = "id" },
			`value out of range: the file would have two columns named "id"; rename one`},
		{"blanks around a name", "y ", func(*Frame) {},
			`value out of range: the text "y " would not be read back the same; take blanks off its ends and control characters out of it`},
		{"blanks around a level", "y", func(f *Frame) { f.Columns[1].Levels[0] = " p" },
			`value out of range: the text " p" would not be read back the same; take blanks off its ends and control characters out of it`},
		{"carriage return in a class", "y", func(f *Frame) { f.Classes[0] = "a\rb" },
			`value out of range: the text "a\rb" would not be read back the same; take blanks off its ends and control characters out of it`},
		{"NUL in an id", "y", func(f *Frame) { f.ID[0] = "a\x00b" },
			`value out of range: the text "a\x00b" would not be read back the same; take blanks off its ends and control characters out of it`},
		{"not UTF-8", "y", func(f *Frame) { f.ID[0] = "\xff" },
			`value out of range: the text "\xff" would not be read back the same; take blanks off its ends and control characters out of it`},
		{"byte-order mark", "\ufeffy", func(*Frame) {},
			`value out of range: the text "\ufeffy" would not be read back the same; take blanks off its ends and control characters out of it`},
		{"unfit frame", "y", func(f *Frame) { f.Truth = f.Truth[:1] },
			`lengths do not agree: column "extra" has 3 cells for 1 rows`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := handmade()
			c.spoil(f)
			var b bytes.Buffer
			err := WriteCSV(&b, f, c.target)
			if err == nil || err.Error() != c.want || b.Len() > 0 {
				t.Errorf("wrote %q, error %v, want %s", b.String(), err, c.want)
			}
		})
	}
}

// full takes so many bytes and then fails.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f < full(len(p)) {
		return 0, errDevice
	}
	*f -= full(len(p))
	return len(p), nil
}

func TestWriteCSVPassesErrorsOn(t *testing.T) {
	f := Wave(400, 2, 1)
	for _, room := range []full{0, 1, 5000, 20000} {
		if err := WriteCSV(&room, f, "class"); !errors.Is(err, errDevice) {
			t.Errorf("a full disk: %v", err)
		}
	}
	one := &Frame{Columns: []Column{{Field: Field{Name: "x"}, Values: slices.Repeat([]float64{nan}, 5000)}}}
	room := full(100)
	if err := WriteCSV(&room, one, ""); !errors.Is(err, errDevice) {
		t.Errorf("a full disk and a single column: %v", err)
	}
}

func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{
		"x,y\n1,a\n2,b\n", "x,c,y\n1,p,a\n,q,b\n-0.5e-3,\"p\n,\"\"\",a\n", "\ufeffx;y\r\n1;a\r\n2;b\r\n", "y\na\n\nb",
		"a,b\n\"1",
		"id,weight,group,x,y\n1,2,3,4,5\n6,7,8,9,10\n", "x,y\n1e400,a\n", "x,y\n9007199254740993,1\n1e-400,2\n", "x,x\n",
		"#x,y\n1,a\n2,b",
		"\ufeff2,y\n\ufeff2,\ufeffa\nx\ufeff,b\n", "x,y\n\"1,5\",a\n\"2,5\",b\n", "x,y\nNA,a\n?,b\n", "\"\",y\n",
		"x,y\r1,a\r", "x,y\n\xff,a\n", zipped("x,y\n1,a\n2,b\n"),
	} {
		for options := range byte(8) {
			f.Add(seed, options)
		}
	}
	f.Fuzz(func(t *testing.T, text string, options byte) {
		o := Options{Target: "y", DropUnlabelled: options&1 > 0}
		if options&2 > 0 {
			o.ID, o.Weight, o.Group = "id", "weight", "group"
		}
		if options&4 > 0 {
			o.Comma, o.Missing = ';', []string{"NA"}
		}
		frame, err := ReadCSV(strings.NewReader(text), "fuzz.csv", o)
		look, unlooked := inspectCSV(strings.NewReader(text), "fuzz.csv", o)
		if err != nil {
			checkPlace(t, err, text)
			return
		}
		if unlooked != nil || len(look.Columns) != len(frame.Columns) || len(look.Classes) != len(frame.Classes) ||
			look.Repeated < 0 {
			t.Fatalf("read, and cannot be looked at: %v, %+v", unlooked, look)
		}
		if err := frame.Check(); err != nil {
			t.Fatalf("%v\n%s", err, shown(frame))
		}
		var b bytes.Buffer
		if err := WriteCSV(&b, frame, "y"); err != nil {
			if strings.Contains(err.Error(), "two columns named") {
				return // a feature called id, weight or group
			}
			t.Fatalf("cannot write what was read: %v", err)
		}
		_, again := written(t, frame, "y")
		second, err := ReadCSV(bytes.NewReader(b.Bytes()), "again.csv", again)
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, b.String())
		}
		frame.Number, second.Number = nil, nil // which say where rows stood in a file
		if diff := sameFrame(frame, second); diff != "" {
			t.Errorf("read (-) and read again (+):\n%s", diff)
		}
		known := again
		known.Schema, known.Classes = frame.Schema(), frame.Classes
		if third, err := ReadCSV(bytes.NewReader(b.Bytes()), "known.csv", known); err != nil {
			t.Errorf("cannot read with its own schema: %v", err)
		} else if diff := sameFrame(frame, third); diff != "" {
			t.Errorf("read (-) and read with its schema (+):\n%s", diff)
		}
	})
}

// checkPlace holds an error to a single line, one of the known types, and a place in the file.
func checkPlace(t *testing.T, err error, text string) {
	if code := codeOf(err); code == 1 || strings.Contains(err.Error(), "\n") {
		t.Fatalf("exit code %d for %q", code, err)
	}
	var p *ParseError
	if !errors.As(err, &p) || strings.HasPrefix(text, "\x1f\x8b") {
		return
	}
	lines := strings.Split(text, "\n")
	if p.Line < 0 || p.Line > len(lines) || p.Line > 0 && p.Column > len(lines[p.Line-1])+1 || p.Line == 0 &&
		p.Column != 0 {
		t.Errorf("place %d:%d is not in the file of %d lines: %v", p.Line, p.Column, len(lines), err)
	}
}
