package dataset

import (
	"bytes"
	order "cmp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// An outline has what reading finds, whatever there is to find.
func TestOutlineIsWhatReadingFinds(t *testing.T) {
	var fraud bytes.Buffer
	if err := WriteCSV(&fraud, Fraud(500, 1), "class"); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, text string
		o          Options
	}{
		{"fraud", fraud.String(), Options{Target: "class"}},
		{"numbers as classes", "x,y\n1,10\n2,9\n3,10\n", Options{Target: "y"}},
		{"one against the rest", "x,class,kind\n1,a,u\n2,b,v\n,c,\n4,a,u\n", Options{Target: "class", Positive: "a",
			Categorical: []string{"x"}}},
		{"unlabelled", "x,class\n1,a\n2,\n3,b\n4,NA\n", Options{Target: "class", DropUnlabelled: true,
			Missing: []string{"NA"}}},
		{"columns aside", "x,class,id,w,g,sum\n1,a,r,2,u,1\n2,b,s,3,v,2\n", Options{Target: "class", ID: "id", Weight: "w",
			Group: "g", Amount: "sum", Ignore: []string{"sum"}}},
	} {
		frame, err := ReadCSV(strings.NewReader(tc.text), tc.name, tc.o)
		if err != nil {
			t.Fatal(err)
		}
		outline, err := OutlineCSV(strings.NewReader(tc.text), tc.name, tc.o)
		if err != nil {
			t.Fatal(err)
		}
		want := &Outline{Schema: frame.Schema(), Classes: frame.Classes, Rows: make([]int, len(frame.Classes)),
			Reading: frame.Reading}
		for _, c := range frame.Truth {
			want.Rows[c]++
		}
		if diff := cmp.Diff(outline, want, cmpopts.IgnoreUnexported(Outline{}), cmpopts.IgnoreFields(Outline{},
			"First")); diff != "" {
			t.Errorf("%s (-outline +reading)\n%s", tc.name, diff)
		}
		first := frame.FirstRows()
		for c := range first {
			for d := range c {
				if order.Compare(outline.First[c], outline.First[d]) != order.Compare(first[c], first[d]) {
					t.Errorf("%s: classes come in the order of %v, the first rows are %v", tc.name, outline.First, first)
				}
			}
		}
	}
}

// What reading refuses an outline refuses in the same words.
func TestOutlineRefuses(t *testing.T) {
	for _, text := range []string{
		"", "x,class\n", "x,class\n1,a\n2,a\n", "x,class\n1,a\nb,b\n", "x,class\n1,a\n2,\n", "x,y\n1,a\n", "x,class\n1,a,3\n",
		"x,class\n1,a\n1e999,b\n",
	} {
		_, read := ReadCSV(strings.NewReader(text), "f.csv", Options{Target: "class"})
		_, outlineed := OutlineCSV(strings.NewReader(text), "f.csv", Options{Target: "class"})
		if read == nil || outlineed == nil || read.Error() != outlineed.Error() {
			t.Errorf("%q: %v; reading says %v", text, outlineed, read)
		}
	}
	if _, err := OutlineCSV(strings.NewReader("x\n1\n"), "f.csv", Options{}); err == nil || !strings.Contains(err.Error(),
		"--target") {
		t.Errorf("no target: error %v", err)
	}
}

// Weights that a format has beside the cells are noticed.
func TestOutlineOfWeights(t *testing.T) {
	for text, want := range map[string]bool{"1,a\n2,b,{3}\n": true, "1,a\n2,b\n": false} {
		s, err := ARFF(strings.NewReader("@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n"+text), "r.arff")
		if err != nil {
			t.Fatal(err)
		}
		outline, err := ReadOutline(s, Options{Target: "class"})
		if err != nil || outline.Weighted != want {
			t.Errorf("%q: %+v, error %v", text, outline, err)
		}
	}
}
