package dataset

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

func readLibSVM(text string, o Options, memory int64) (*Frame, error) {
	s, err := LibSVM(strings.NewReader(text), "in.svm", o.Schema, memory)
	if err != nil {
		return nil, err
	}
	if o.Target == "" {
		o.Target = "class"
	}
	return Read(s, o)
}

func TestLibSVM(t *testing.T) {
	known := Schema{{Name: "f3"}, {Name: "f1"}}
	classes := []string{"-1", "1"}
	for _, tc := range []struct {
		name, text string
		o          Options
		want       string
		warnings   string
	}{
		{"from 1", "+1 1:0.5 3:2\n-1 2:-1e1\n\n# comment\n1.0  3:1 # comment 4:1\n-1\n", Options{},
			"f1=0.5,0,0,0 f2=0,-10,0,0 f3=2,0,1,0 -> 1,-1,1,-1", ""},
		{"from 0", "1 0:1\t2:2\r\n2 1:3 \r\n1 2:4\r\n2 0:-0.0", Options{}, "f0=1,0,0,0 f1=0,3,0,0 f2=2,0,4,0 -> 1,2,1,2", ""},
		{"any order", "1 3:1 1:2\n2 2:3\n1 3:2\n2 2:1\n", Options{}, "f1=2,0,0,0 f2=0,3,0,1 f3=1,0,2,0 -> 1,2,1,2", ""},
		{"a feature that is always 0", "1 3:1\n2 1:1\n1 3:1\n2 1:1\n", Options{},
			"f1=0,1,0,1 f2=0,0,0,0 f3=1,0,1,0 -> 1,2,1,2",
			`[in.svm: column "f2" is the same in every row and cannot help]`},
		{"for a model", "1 3:5 7:1\n-1 2:1\n9 1:0.5\n", Options{Schema: known, Classes: classes},
			"f3=5,0,0 f1=0,0,0.5 -> 1,-1,_",
			"[in.svm: 2 cells of features unknown to the model left out, such as \"f7\", \"f2\" in.svm: column \"class\": 1 " +
				"row of class \"9\", which the model does not know, cannot be judged]"},
	} {
		f, err := readLibSVM(tc.text, tc.o, 0)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got := shown(f); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.name, got, tc.want)
		}
		if got := fmt.Sprint(f.Warnings); got != tc.warnings && (tc.warnings != "" || len(f.Warnings) > 0) {
			t.Errorf("%s: warnings\n got %s\nwant %s", tc.name, got, tc.warnings)
		}
	}
}

func TestLibSVMFaults(t *testing.T) {
	wide := fmt.Sprintf("1 1:1\n2 %d:1\n", maxIndex)
	for _, tc := range []struct {
		name, text string
		o          Options
		code       int
		want       string
	}{
		{"empty", "", Options{}, data, "in.svm: no rows; add at least one"},
		{"no features", "1\n2\n", Options{}, data, "in.svm: no row has a feature; write them as index:value, such as 3:0.5"},
		{"label last", "1:1 2:1 5\n", Options{}, data,
			`in.svm:1:1: the line begins with the feature "1:1"; put the label of the row first`},
		{"several labels", "1,2 2:1\n", Options{}, data,
			`in.svm:1:1: the row has several labels, "1,2"; a row is of one class: make a file for each label`},
		{"names of columns", "x,class\n1,2\n", Options{}, data,
			`in.svm:1:1: "x,class" is no label; if the file is CSV, name it .csv, or use --input-format csv`},
		{"label of a word", "ill 2:1\n", Options{}, data,
			`in.svm:1:1: the label "ill" is not a number; write a number for each class`},
		{"qid", "1 qid:3 2:1\n", Options{}, data,
			"in.svm:1:3: qid: groups the rows of a ranking, which is not learned here; remove it"},
		{"no colon", "1 2:1 3\n", Options{}, data, `in.svm:1:7: "3" is not a feature; write index:value, such as 3:0.5`},
		{"negative index", "1 -2:1\n", Options{}, data,
			`in.svm:1:3: "-2:1" is not a feature; write index:value, such as 3:0.5`},
		{"word as index", "1 age:1\n", Options{}, data,
			`in.svm:1:3: "age:1" is not a feature; write index:value, such as 3:0.5`},
		{"no index", "1 :1\n", Options{}, data, `in.svm:1:3: ":1" is not a feature; write index:value, such as 3:0.5`},
		{"no value", "1 2:\n", Options{}, data,
			`in.svm:1:5: column "f2": "" is not a finite number; correct it, or leave the feature out where it is 0`},
		{"not a number", "1 2:nan\n", Options{}, data,
			`in.svm:1:5: column "f2": "nan" is not a finite number; correct it, or leave the feature out where it is 0`},
		{"too large a number", "1 2:1e999\n", Options{}, data,
			`in.svm:1:5: column "f2": "1e999" is not a finite number; correct it, or leave the feature out where it is 0`},
		{"twice", "1 2:1 1:1 2:2\n", Options{}, data, "in.svm:1:11: feature 2 is given twice in the row; remove one"},
		{"index too large", "1 1048575:1\n", Options{}, limit,
			"in.svm:1:3: the index 1048575 is larger than 1048574; number the features anew"},
		{"index of many digits", "1 99999999999999999999:1\n", Options{}, limit,
			"in.svm:1:3: the index 99999999999999999999 is larger than 1048574; number the features anew"},
		{"too wide for the memory", wide, Options{}, limit,
			"in.svm: 2 rows of 1048575 features take 531 MB as a table, where 512 may be taken; leave out rare features, or " +
				"rows"},
		{"model of other columns", "1 2:1\n", Options{Schema: Schema{{Name: "f2"}, {Name: "age"}, {Name: "f02"}},
			Classes: []string{"1", "2"}}, data,
			`in.svm: the file lacks 2 columns of the model: "age", "f02"; add what is missing, or train without what new rows cannot have (--ignore)`},
	} {
		_, err := readLibSVM(tc.text, tc.o, 512<<20)
		if err == nil || err.Error() != tc.want || codeOf(err) != tc.code {
			t.Errorf("%s: error\n got %v (%d)\nwant %s (%d)", tc.name, err, codeOf(err), tc.want, tc.code)
		}
	}
}

// Rows for a model are read in memory that does not grow with the file.
func TestLibSVMStream(t *testing.T) {
	text := strings.Repeat("1 1:2 3:4\n", 100000)
	s, err := LibSVM(strings.NewReader(text), "in.svm", Schema{{Name: "f1"}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if held := len(s.(*libsvm).rows); held > 0 {
		t.Errorf("%d rows are held", held)
	}
}

// The table sklearn.datasets.load_svmlight_file makes of the sample; see the script.
func TestLibSVMReference(t *testing.T) {
	open := func(path string) *os.File {
		f, err := os.Open("testdata/" + path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	for _, name := range []string{"from0", "from1"} {
		s, err := LibSVM(open(name+".svm"), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(s, Options{Target: "class"})
		if err != nil {
			t.Fatal(err)
		}
		want, err := ReadCSV(open(name+".csv"), name, Options{Target: "class"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := sameFrame(got, want); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// FuzzLibSVM: no text may do more than fail, and what is read passes its own check.
func FuzzLibSVM(f *testing.F) {
	for _, text := range []string{"+1 1:0.5 3:2\n-1 2:-1e1 # c\n1 3:1\n-1\n", "1 0:1\t2:2\r\n2 1:3\r\n", "1 qid:3 2:1\n",
		"1 1048574:1\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []Options{{Target: "class"}, {Target: "class", Schema: Schema{{Name: "f1"}}, Classes: []string{"1",
			"2"}}} {
			s, err := LibSVM(strings.NewReader(text), "in.svm", o.Schema, 1<<20)
			if err != nil {
				continue
			}
			frame, err := Read(s, o)
			if err == io.EOF {
				t.Error("the end of the text is no error")
			}
			if err == nil {
				err = frame.Check()
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
		}
	})
}
