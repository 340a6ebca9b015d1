package dataset

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

func TestUnits(t *testing.T) {
	text := rowsOf("x,z,y", 30, func(i int) string { return fmt.Sprintf("%d.25,%d %%,%s", i*7%30, i, "abb"[i%3:i%3+1]) })
	const want = `[in.csv: column "z": numbers with the unit "%" are taken as categories; read them as numbers with --number z=%]`
	if f := mustRead(t, text, Options{Target: "y"}); fmt.Sprint(f.Warnings) != want {
		t.Errorf("warnings %v, want %s", f.Warnings, want)
	}
	if f := mustRead(t, text, Options{Target: "y", Categorical: []string{"z"}}); strings.Contains(fmt.Sprint(f.Warnings),
		"sign") {
		t.Errorf("as categories: warnings %v", f.Warnings)
	}
}

// A44: numbers that no program reads as such. Which of two readings is meant, such as of (5), or whether 5 mg is a
// name, only a person can tell: these are categories, with a warning.
func TestUnitsInLetters(t *testing.T) {
	for _, c := range []struct {
		cells string
		want  string
	}{
		{"5 mg|12 mg|7.5 mg", `numbers with the unit "mg" are taken`},
		{"5\u00a0µg/l|12\u00a0µg/l|7\u00a0µg/l", `numbers with the unit "µg/l" are taken`},
		{"(5)|(12)|(7.5)", "numbers with brackets are taken"},
		{"1 year|2 years|3 years", ""},
		{"7 years|2 to 3 years|more than 7", ""},
		{"7 years|8 years|new", ""},
		{"7 years|8 years|9 months", ""},
		{"20000 to 29000|more than 69000|less than 20000", ""},
		{"(5)|(6)|none", ""},
		{"(a)|(b)|(c)", ""},
		{"1 B|2 C|3 A", ""},
	} {
		cells := strings.Split(c.cells, "|")
		text := rowsOf("x,z,y", 31, func(i int) string {
			return fmt.Sprintf("%d.25,%s,%s", i*7%30, cells[i*i%11%3],
				"abb"[i%3:i%3+1])
		})
		got := fmt.Sprint(mustRead(t, text, Options{Target: "y"}).Warnings)
		if c.want == "" && strings.Contains(got, "numbers with") || !strings.Contains(got, c.want) {
			t.Errorf("%s: warnings %v, want %q", c.cells, got, c.want)
		}
		if got := fmt.Sprint(mustRead(t, text, Options{Target: "y", Categorical: []string{"z"}}).Warnings); strings.Contains(
			got, "numbers with") {
			t.Errorf("%s as categories: warnings %v", c.cells, got)
		}
	}
}

func TestSingleRows(t *testing.T) {
	for _, c := range []struct{ labels, want string }{
		{"b", `a single row for "b": too few to learn from and to judge by; to leave "b" out add --missing y=b --drop-unlabelled; new rows of it are then decided as another class; or, only if the same is done about both, merge it with another class, such as "w": --merge-labels 'w=w,b'`},
		{"b c", `a single row each for "b", "c": too few to learn from and to judge by; to leave "b", "c" out add --missing y=b --missing y=c --drop-unlabelled; new rows of them are then decided as another class; or, only if the same is done about all, merge them with another class, such as "w": --merge-labels 'w=w,b,c'`},
		{"big,one", `a single row for "big,one": too few to learn from and to judge by; to leave "big,one" out add --missing '"y=big,one"' --drop-unlabelled; new rows of it are then decided as another class; or, only if the same is done about both, merge it with another class, such as "w": --merge-labels 'w=w,"big,one"'`},
	} {
		text := "x,y\n1,z\n2,z\n1,w\n2,w\n"
		for _, label := range strings.Fields(c.labels) {
			text += "3,\"" + label + "\"\n"
		}
		f := mustRead(t, text, Options{Target: "y"})
		if want := "in.csv: column \"y\": " + c.want; len(f.Warnings) != 1 || f.Warnings[0].Error() != want {
			t.Errorf("%s: warnings\n got %v\nwant %s", c.labels, f.Warnings, want)
		}
	}
}

// All warnings of one file, in the order in which they always come.
func TestWarningsComeInOrder(t *testing.T) {
	text := "same,empty,name,copy,big,small,code,w,y\n" +
		"1,,k1,Yes,9007199254740993,1e-999,NA,0,Yes\n" +
		"1,,k2,yes,2,2,?,1,yes \n" +
		"1,,k3,yes,3,3,b,1,yes\n" +
		"1,,k4,no,4,4,b,1,no\n" +
		"1,,k5,no,5,5,b,1,no\n" +
		"1,,k6,x,6,6,b,1,\n"
	f := mustRead(t, text, Options{Target: "y", Weight: "w", DropUnlabelled: true})
	want := []string{
		`1 row without a label left out`,
		`column "y": blanks around the label removed in 1 row`,
		`column "y": the classes "Yes", "yes" differ in case only and are kept apart; if they mean the same, use --merge-labels 'yes=Yes,yes'`,
		`column "y": a single row for "Yes": too few to learn from and to judge by; to leave "Yes" out add --missing y=Yes --drop-unlabelled; new rows of it are then decided as another class; or, only if the same is done about both, merge it with another class, such as "no": --merge-labels 'no=no,Yes'`,
		`column "y": all weights are zero for "Yes": as good as absent`,
		`column "copy" says the same as the label in every row, and so gives the answer away; use --ignore copy`,
		`column "name" has a different category in every row, as names do; use --id name or --ignore name`,
		`column "same" is the same in every row and cannot help`,
		`column "empty" has no value in any row and cannot help`,
		`column "copy": the categories "Yes", "yes" are kept apart; if they mean the same, write them alike`,
		`column "big": 1 whole number above 2^53 lost digits; if the column names things, use --categorical big`,
		`column "small": 1 number too close to 0 became 0`,
		`column "code": "?" is taken as a category; if it means that the value is not known, use --missing '?'`,
		`column "code": "NA" is taken as a category; if it means that the value is not known, use --missing NA`,
	}
	for i := range max(len(want), len(f.Warnings)) {
		got, expected := errors.New("none"), "none"
		if i < len(f.Warnings) {
			got = f.Warnings[i]
		}
		if i < len(want) {
			expected = "in.csv: " + want[i]
		}
		if got.Error() != expected {
			t.Errorf("warning %d\n got %v\nwant %s", i, got, expected)
		}
	}
}

func TestWarningsOfManyColumnsAreOne(t *testing.T) {
	header, row := "", ""
	for j := range 30 {
		header += fmt.Sprintf("c%d,", j)
		row += "5,"
	}
	f := mustRead(t, header+"x,y\n"+row+"1,a\n"+row+"2,b\n"+row+"3,a\n"+row+"4,b\n", Options{Target: "y"})
	want := `in.csv: the columns "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", and 20 more up to "c29" are the same in every row and cannot help`
	if len(f.Warnings) != 1 || f.Warnings[0].Error() != want || !errors.Is(f.Warnings[0], ErrUseless) {
		t.Errorf("warnings %v, want %s", f.Warnings, want)
	}
}

// What is merely unusual draws no warning: a column that is constant where it is not missing,
// a copy of the label but for one row, a name used twice.
func TestNoWarning(t *testing.T) {
	f := mustRead(t, "gap,near,name,y\n1,a,k1,a\n,b,k2,b\n1,b,k3,a\n1,b,k3,b\n", Options{Target: "y"})
	if len(f.Warnings) > 0 {
		t.Errorf("warnings %v", f.Warnings)
	}
}

func TestLongestNames(t *testing.T) {
	longest := strings.Repeat("z", maxName)
	f := mustRead(t, "x,y\n"+longest+","+longest+"\na,b\na,b\n"+longest+","+longest+"\n", Options{Target: "y"})
	if len(f.Classes[1]) != maxName || len(f.Columns[0].Levels[1]) != maxName {
		t.Errorf("class of %d bytes, level of %d, want %d", len(f.Classes[1]), len(f.Columns[0].Levels[1]), maxName)
	}
	_, err := ReadCSV(strings.NewReader("x,y\na,a\n"+longest+"z,b\n"), "in.csv", Options{Target: "y"})
	if codeOf(err) != limit {
		t.Errorf("a level one byte longer: %v", err)
	}
}

func TestWordsThatNoCellIs(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string // "" for no warning
	}{
		{[]string{"NA", "-9", "zzz", "aaa"},
			`in.csv: no cell that is read holds "aaa", "zzz", which --missing names; correct it, or leave it out`},
		{[]string{"n=0"}, ""}, // of a column that is not read
		{[]string{"z=NA", "x=-9", "x=2", "z=2", "y=7"},
			`in.csv: no cell that is read holds "2" in column "x", "7" in column "y", which --missing names; correct it, or leave it out`},
		{[]string{"NA", "-9.0"}, ""},
		{[]string{"?"}, ""}, // of a label
	} {
		f, err := ReadCSV(strings.NewReader("x,z,y,n\n1,NA,a,0\n-9,2,b,0\n3,4,a,0\n5,6,b,0\n7,8,?,0\n"), "in.csv",
			Options{Target: "y", Ignore: []string{"n"}, Missing: c.words, Categorical: []string{"z"}, DropUnlabelled: true})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, w := range f.Warnings {
			if strings.Contains(w.Error(), "--missing names") {
				got += w.Error()
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}

// A column that seems to name the rows, or whom several rows belong to, is warned of where it would be trained on.
func TestWarningsOfNames(t *testing.T) {
	text := "patient_id,visit ID,doctor,note,x,y\n"
	for i := range 40 {
		text += fmt.Sprintf("p%d,%d,d%d,n%d,%d,%s\n", i/3, 1000-7*i, i%14, max(i, 2), i%5, []string{"ill", "well"}[i%3%2])
	}
	f := mustRead(t, text, Options{Target: "y"})
	want := []string{
		`in.csv: column "patient_id": 14 different values in 40 cells, and its name, say that it names whom several rows belong to; if they do, use --group patient_id, else --ignore patient_id`,
		`in.csv: column "visit ID": 40 different values in 40 cells, and its name, say that it names the rows; use --id 'visit ID' or --ignore 'visit ID'`,
		`in.csv: column "note": 38 different categories in 40 cells, like names; use --id note or --ignore note`,
	}
	for i := range max(len(want), len(f.Warnings)) {
		if i >= len(want) || i >= len(f.Warnings) || f.Warnings[i].Error() != want[i] {
			t.Fatalf("warnings %q, want %q", f.Warnings, want)
		}
	}
	if f := mustRead(t, text, Options{Target: "y", Group: "patient_id", ID: "visit ID", Ignore: []string{"note"}}); len(
		f.Warnings) > 0 {
		t.Errorf("warnings %q where each column is called what it is", f.Warnings)
	}
}

// Dates are categories, of which new rows have others.
func TestWarningsOfDates(t *testing.T) {
	text := rowsOf("born,seen,year,y", 40, func(i int) string {
		return fmt.Sprintf("%d/%d/1980,2020-08-%02dT08:15:00,%d,%d", 1+i*7%12, 1+i*11%28, 1+i*7%31, 2000+i%7, i%2)
	})
	f := mustRead(t, text, Options{Target: "y", Categorical: []string{"year"}})
	want := `in.csv: the columns "born", "seen" look like dates, and each date is a category of its own, so that later ones are unknown; write the days since some day, or the year, as a number, or use --ignore; the one that says when a row was can be named with --time`
	if len(f.Warnings) != 1 || f.Warnings[0].Error() != want {
		t.Errorf("warnings %q, want %s", f.Warnings, want)
	}
}

// A column that names the rows and repeats is warned of where no groups are.
func TestWarningsOfRepeatedNames(t *testing.T) {
	for _, c := range []struct {
		name string
		id   func(i int) string
		o    Options
		flag string // that of inspect
		want string
	}{
		{"two rows for most", func(i int) string { return fmt.Sprint(i / 2) }, Options{}, "--group 'who is'",
			`column "who is": it names the rows (--id), and yet repeats in 20 of 40; if rows of one name belong together, use --group 'who is' as well`},
		{"one row twice", func(i int) string { return fmt.Sprint(max(i, 1)) }, Options{}, "",
			`column "who is": it names the rows (--id), and yet repeats in 1 of 40; if rows of one name belong together, use --group 'who is' as well`},
		{"no name for some", func(i int) string {
			return []string{"", "", "a", "b"}[i/10] +
				[]string{"", fmt.Sprint(i)}[i/20]
		}, Options{}, "", ""},
		{"groups", func(i int) string { return fmt.Sprint(i / 2) }, Options{Group: "who is"}, "", ""},
		{"other groups", func(i int) string { return fmt.Sprint(i / 2) }, Options{Group: "x"}, "", ""},
	} {
		text := rowsOf("x,z,who is,y", 40, func(i int) string {
			return fmt.Sprintf("%d,%d.5,%s,%d", i%5, i*7%40, c.id(i),
				i%2)
		})
		c.o.Target, c.o.ID = "y", "who is"
		got, flag := "", ""
		for _, w := range mustRead(t, text, c.o).Warnings {
			got += strings.TrimPrefix(w.Error(), "in.csv: ")
		}
		found := ""
		for _, f := range overviewOf(t, text, c.o).Findings {
			if f.Sort == inspected.Names {
				found += f.Text
				flag += strings.Join(f.Flags, " ")
			}
		}
		if got != c.want || found != c.want || flag != c.flag {
			t.Errorf("%s: warning %s, found %s [%s], want %s [%s]", c.name, got, found, flag, c.want, c.flag)
		}
	}
}
