package dataset

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

func mustRead(t *testing.T, text string, o Options) *Frame {
	t.Helper()
	f, err := ReadCSV(strings.NewReader(text), "in.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Reading in blocks of any size gives the rows, the groups, the counts and the warnings of
// reading all at once.
func TestBlocksAddUpToTheWhole(t *testing.T) {
	text := rowsOf("extra,c,x,n,g,w,y", 100, func(i int) string {
		return fmt.Sprintf("z,l%d,%d,id%d,g%d,%d,%c", i%7, i, i, i*i%11, i%5, "abz"[i%3])
	})
	o := Options{
		Schema: Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"l0", "l1", "l2", "l4"}}},
		Target: "y", Classes: []string{"a", "b"}, ID: "n", Group: "g", Weight: "w",
	}
	whole := mustRead(t, text, o)
	if whole.Unseen[0] != 0 || whole.Unseen[1] != 42 { // i%7 of 3, 5 or 6 for i < 100: 14 each
		t.Errorf("unseen %v, want [0 42]", whole.Unseen)
	}
	for _, size := range []int{1, 2, 33, 99, 100, 101, 1 << 40} {
		rd, err := NewReader(strings.NewReader(text), "in.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		sum := &Frame{Columns: []Column{{Field: o.Schema[0]}, {Field: o.Schema[1]}}, Classes: o.Classes, Unseen: []int{0, 0},
			compared: true}
		for {
			f, err := rd.Next(size)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.Rows() > size || f.Rows() == 0 || f.Check() != nil {
				t.Fatalf("a block of %d rows, want 1 to %d: %v", f.Rows(), size, f.Check())
			}
			for j := range sum.Columns {
				sum.Columns[j].Values = append(sum.Columns[j].Values, f.Columns[j].Values...)
				sum.Unseen[j] += f.Unseen[j]
			}
			sum.UnknownLabels = append(sum.UnknownLabels, filled(f.UnknownLabels, f.Rows())...)
			sum.Truth, sum.Weight = append(sum.Truth, f.Truth...), append(sum.Weight, f.Weight...)
			sum.ID, sum.Group = append(sum.ID, f.ID...), append(sum.Group, f.Group...)
		}
		sum.Warnings = rd.Warnings()
		if got, want := fmt.Sprintf("%+v", sum), fmt.Sprintf("%+v", whole); got != want {
			t.Errorf("blocks of %d\n got %s\nwant %s", size, got, want)
		}
		if _, err := rd.Next(size); err != io.EOF {
			t.Errorf("after the end: %v, want io.EOF", err)
		}
	}
}

// Labels that the model does not know are kept, and told apart from none. Another class is never taken for a
// misspelt one.
func TestStrangeLabels(t *testing.T) {
	const rest = "1,primary\n2,secondary\n3,\n4,primary\n5,primary\n"
	for _, c := range []struct{ name, text, strange, warning string }{
		{"none", "1,primary\n2,\n3,type1\n4,type1\n", "[]", ""},
		{"one, like another", rest, "[ secondary   ]",
			`1 row of class "secondary", which the model does not know, cannot be judged`},
		{"twice", rest + "6,secondary\n", "[ secondary    secondary]",
			`2 rows of class "secondary", which the model does not know, cannot be judged`},
		{"letter case", "1,type2\n2,primary\n3,TYPE 1\n4,type1\n5,type1\n", "[type2  TYPE 1  ]",
			`2 rows of classes that the model does not know, such as "type2", "TYPE 1" (did you mean "type1" by "TYPE 1"?), cannot be judged`},
		{"letter case first", "1,primary\n2,TYPE 1\n3,type1\n", "[ TYPE 1 ]",
			`1 row of class "TYPE 1" (did you mean "type1"?), which the model does not know, cannot be judged`},
	} {
		f := mustRead(t, "x,y\n"+c.text, Options{Target: "y", Schema: Schema{{Name: "x"}}, Classes: []string{"primary",
			"type1"}})
		if got := fmt.Sprint(f.UnknownLabels); got != c.strange {
			t.Errorf("%s: labels %s, want %s", c.name, got, c.strange)
		}
		for i, label := range f.UnknownLabels {
			if label != "" && f.Truth[i] != -1 {
				t.Errorf("%s: row %d of class %q has truth %d", c.name, i, label, f.Truth[i])
			}
		}
		got := ""
		for _, w := range f.Warnings {
			if errors.Is(w, ErrUnknownClass) {
				got += w.Error()
			}
		}
		if c.warning != "" {
			c.warning = `in.csv: column "y": ` + c.warning
		}
		if got != c.warning {
			t.Errorf("%s: warning\n got %s\nwant %s", c.name, got, c.warning)
		}
	}
	f := mustRead(t, "x,y\n"+rest, Options{Target: "y", Schema: Schema{{Name: "x"}}, Classes: []string{"primary", "well"}})
	if part := f.Take([]int{1, 0}); fmt.Sprint(part.UnknownLabels) != "[secondary ]" || part.Check() != nil {
		t.Errorf("two rows: labels %q, %v", part.UnknownLabels, part.Check())
	}
}

func TestBlocksBeforeAnErrorAreGiven(t *testing.T) {
	rd, err := NewReader(strings.NewReader("x\n1\n2\n3\noops\n5\n"), "in.csv", Options{Schema: Schema{{Name: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := rd.Next(2); err != nil || f.Rows() != 2 {
		t.Fatalf("first block: %v", err)
	}
	f, first := rd.Next(2)
	if f != nil || codeOf(first) != data {
		t.Fatalf("second block: %v, %v", f, first)
	}
	if _, again := rd.Next(2); again != first {
		t.Errorf("after an error: %v, want %v again", again, first)
	}
}

func TestNextOfNothing(t *testing.T) {
	rd, err := NewReader(strings.NewReader("x\n1\n"), "in.csv", Options{Schema: Schema{{Name: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rd.Next(0); codeOf(err) != usage || err.Error() != "in.csv: a block of 0 rows; ask for at least 1" {
		t.Errorf("Next(0): %v", err)
	}
	if _, err := rd.Next(1); err != nil {
		t.Errorf("Next(1) after it: %v", err)
	}
}

func TestNumbersThatChangeAreCountedAtPrediction(t *testing.T) {
	f := mustRead(t, "x\n1e-999\n9007199254740993\n", Options{Schema: Schema{{Name: "x"}}})
	want := "in.csv: column \"x\": 1 whole number above 2^53 lost digits\nin.csv: column \"x\": 1 number too close to 0 " +
		"became 0"
	if got := errors.Join(f.Warnings...); got == nil || got.Error() != want {
		t.Errorf("warnings %v, want %s", got, want)
	}
}

// Training rows, read again with the schema that was learnt, are the same frame.
func TestTrainingAndPredictionReadAlike(t *testing.T) {
	text := rowsOf(" x ,c,d,y", 50, func(i int) string {
		return fmt.Sprintf(" %d.5 ,l%d, m%d ,%c", i, i%7, i%3, "ab"[i%2])
	}) + ",,,a\r\n"
	trained := mustRead(t, text, Options{Target: "y"})
	known := mustRead(t, text, Options{Target: "y", Schema: trained.Schema(), Classes: trained.Classes})
	if shown(trained) != shown(known) || !reflect.DeepEqual(trained.Missing(), known.Missing()) {
		t.Errorf("trained on\n%s\nknown as\n%s", shown(trained), shown(known))
	}
	if got := trained.Missing(); !reflect.DeepEqual(got, []int{1, 1, 1}) {
		t.Errorf("missing cells %v, want 1 in each column", got)
	}
}

// Weights of the format may stand in one block and not in the next, which then has none.
func TestBlocksWithAndWithoutWeights(t *testing.T) {
	text := "@relation r\n@attribute x real\n@data\n" + strings.Repeat("1,{2}\n", 3) + strings.Repeat("1\n", 2*blockRows) +
		"1,{3}\n"
	s, err := ARFF(strings.NewReader(text), "in.arff")
	if err != nil {
		t.Fatal(err)
	}
	rd, err := NewSourceReader(s, Options{Schema: Schema{{Name: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	rows, sum := 0, 0.0
	err = rd.Each(func(f *Frame) error {
		for i := range f.Rows() {
			sum += f.WeightOf(i)
		}
		rows += f.Rows()
		return f.Check()
	})
	if want := 2*blockRows + 4; err != nil || rows != want || sum != float64(want+3+2) {
		t.Errorf("%d rows of weight %v, %v; want %d of %d", rows, sum, err, want, want+5)
	}
}
