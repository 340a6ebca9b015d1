package dataset

import (
	"io"
	"os"
	"strings"
	"testing"
)

// Rows for a model, block by block, with the columns in another order and one too many.
func TestARFFReader(t *testing.T) {
	text := "@relation r\n@attribute more real\n@attribute c {p,q,new}\n@attribute x numeric\n@attribute d " +
		"date\n@data\n1,p,2,?\n{1 new, 2 ?, 3 ?}\n{3 ?}\n"
	s, err := ARFF(strings.NewReader(text), "in.arff")
	if err != nil {
		t.Fatal(err)
	}
	schema := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"p", "q"}}}
	rd, err := NewSourceReader(s, Options{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"x=2,_ c(p|q)=p,_ ->", "x=0 c(p|q)=p ->"} {
		f, err := rd.Next(2)
		if err != nil || shown(f) != want {
			t.Fatalf("block %v, %v, want %s", f, err, want)
		}
	}
	if _, err := rd.Next(2); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	want := []string{`in.arff: 2 columns unknown to the model ignored: "more", "d"`,
		"in.arff: 1 row has no value that the model knows in any of its 2 columns, in line 8: what is decided of it rests " +
			"on nothing; remove rows that are empty",
		`in.arff: column "c": 1 cell of a category unseen in training taken as missing: "new" in line 8`}
	for i, w := range rd.Warnings() {
		if i >= len(want) || w.Error() != want[i] {
			t.Errorf("warning %d: %v", i, w)
		}
	}
}

// FuzzARFF: no text may do more than fail, and what is read passes its own check.
func FuzzARFF(f *testing.F) {
	for _, text := range []string{
		arffHead + "1,p,no\n2,'q r',yes\n?,\"s,t\",yes\n", arffHead + "{0 2.5, 1 'q r',2 yes}\n{},{3}\n",
		"@ATTRIBUTE 'a\\'b' string % c\n@attribute y {a,'b\\n'}\n@data\n\"\\t\",a\n'',b,{.5}\n",
		"@relation\n@attribute d date x\n@data\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ARFF(strings.NewReader(text), "in.arff")
		if err != nil {
			return
		}
		columns := s.Columns()
		frame, err := Read(s, Options{Target: columns[len(columns)-1]})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		if err := frame.Check(); err != nil {
			t.Error(err)
		}
	})
}

// The sample has what the format knows. Its cells, as Weka's rules have them, stand beside it in
// a CSV file that scipy.io.arff wrote; see the script.
func TestARFFReference(t *testing.T) {
	read := func(open func(io.Reader) (Source, error), path string) *Frame {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		s, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(s, Options{Target: "class", Categorical: []string{"grade", "town"}})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	got := read(func(r io.Reader) (Source, error) { return ARFF(r, "sample.arff") }, "testdata/sample.arff")
	want := read(func(r io.Reader) (Source, error) { return openCSV(r, "sample.csv", &Options{}) }, "testdata/sample.csv")
	if diff := sameFrame(got, want); diff != "" {
		t.Error(diff)
	}
}
