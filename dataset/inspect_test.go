package dataset

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

func overviewOf(t *testing.T, text string, o Options) *Overview {
	t.Helper()
	v, err := inspectCSV(strings.NewReader(text), "in.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// told returns the findings as lines "sort: text [flags]".
func told(v *Overview) []string {
	var lines []string
	for _, f := range v.Findings {
		line := f.Sort + ": " + f.Text
		if f.Choice != "" {
			line += "; " + f.Choice
		}
		if f.Flags != nil {
			line += " [" + strings.Join(f.Flags, " ") + "]"
		}
		lines = append(lines, line)
	}
	return lines
}

// thirty has 30 rows, the first 10 of class a; x tells little of it, and each row is different.
func thirty(name string, cell func(i int, label string) string) string {
	return rowsOf("x,"+name+",y", 30, func(i int) string {
		label := "b"
		if i < 10 {
			label = "a"
		}
		return fmt.Sprintf("%d.25,%s,%s", i*7%30, cell(i, label), label)
	})
}

const decimalOr = "if the comma is the decimal mark, use --decimal ','; else write them with plain digits and a " +
	"decimal point"

// What is found in a column z. The expected texts are by hand.
func TestInspectFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name string
		cell func(i int, label string) string
		want []string
	}{
		{"nothing in numbers", func(i int, _ string) string { return fmt.Sprintf("%d.5", i*11%30) }, nil},
		{"nothing in words", func(i int, _ string) string { return "pqr"[i%3 : i%3+1] }, nil},
		{"the label", func(_ int, label string) string { return label },
			[]string{`answer: column "z" says the same as the label in every row, and so gives the answer away; use --ignore z [--ignore z]`}},
		{"the label in other words", func(_ int, label string) string { return map[string]string{"a": "7", "b": "3"}[label] },
			[]string{`answer: column "z" says the same as the label in every row, and so gives the answer away; use --ignore z [--ignore z]`}},
		{"a cut that tells", func(i int, label string) string {
			return fmt.Sprintf("%d.5", i*7%10+map[string]int{"a": 90, "b": 10}[label])
		},
			[]string{`tells: column "z": 100.0 % of the rows (in the mean over the classes) can be decided by this column alone; if it is not yet known when a row is to be decided, use --ignore z`}},
		{"cells missing in one class alone", func(i int, label string) string {
			if label == "b" {
				return ""
			}
			return fmt.Sprint(i % 3)
		}, []string{`tells: column "z": 100.0 % of the rows (in the mean over the classes) can be decided by this column alone; if it is not yet known when a row is to be decided, use --ignore z`}},
		{"levels that tell", func(i int, label string) string { return label + "12"[i%2:i%2+1] },
			[]string{`tells: column "z": 100.0 % of the rows (in the mean over the classes) can be decided by this column alone; if it is not yet known when a row is to be decided, use --ignore z`}},
		{"a level in each row", func(i int, _ string) string { return fmt.Sprintf("n%d", i) },
			[]string{`names: column "z" has a different category in every row, as names do; use --id z or --ignore z [--ignore z]`}},
		{"a level in nearly each row", func(i int, _ string) string { return fmt.Sprintf("n%d", min(i, 27)) },
			[]string{`names: column "z": 28 different categories in 30 cells, like names; use --id z or --ignore z [--ignore z]`}},
		{"dates, each in one row", func(i int, _ string) string { return fmt.Sprintf("%02d.08.2020", 1+i*11%30) },
			[]string{`dates: column "z" looks like dates, and each date is a category of its own, so that later ones are unknown; write the days since some day, or the year, as a number, or use --ignore z; the one that says when a row was can be named with --time`}},
		{"years and months", func(i int, _ string) string { return fmt.Sprintf("2020-%02d", 1+i*7%12) },
			[]string{`dates: column "z" looks like dates, and each date is a category of its own, so that later ones are unknown; write the days since some day, or the year, as a number, or use --ignore z; the one that says when a row was can be named with --time`}},
		{"dates and a word", func(i int, _ string) string {
			return []string{"08/30/2020", "8/2/2020", "never",
				"1/2/2020"}[i%4]
		}, nil},
		{"two dates", func(i int, _ string) string { return []string{"2020-08-30", "2020-08-31"}[i%2] }, nil},
		{"running numbers in any order", func(i int, _ string) string { return fmt.Sprint(100 + i*13%30) },
			[]string{`names: column "z": every whole number from 100 to 129 stands in it once, as numbers of rows do; use --id z or --ignore z [--ignore z]`}},
		{"rising numbers", func(i int, _ string) string { return fmt.Sprint(i*i + 5) },
			[]string{`names: column "z": its whole numbers rise from row to row, as numbers of rows or times do; use --id z or --ignore z [--ignore z]`}},
		{"empty", func(int, string) string { return "" },
			[]string{`empty: column "z" has no value in any row and cannot help`}},
		{"constant", func(int, string) string { return "5" },
			[]string{`constant: column "z" is the same in every row and cannot help`}},
		{"a word for missing", func(i int, _ string) string { return []string{"p", "q", "NA"}[i%3] },
			[]string{`missing: column "z": "NA" is taken as a category; if it means that the value is not known, use --missing NA [--missing NA]`}},
		{"all nines", func(i int, _ string) string {
			if i%11 == 0 {
				return "-999"
			}
			return fmt.Sprintf("%d.5", i*11%30)
		}, []string{`missing: column "z": -999, in 3 rows, is far from all other values; if it means that the value is not known, use --missing z=-999 [--missing z=-999]`}},
		{"99 that is one of many", func(i int, _ string) string { return fmt.Sprintf("%d", 99-i*11%30/2*5) }, nil},
		{"-1 among what is not negative", func(i int, _ string) string { return fmt.Sprintf("%d", max(i*11%30-3, -1)) },
			[]string{`missing: column "z": -1, in 3 rows, is far from all other values; if it means that the value is not known, use --missing z=-1 [--missing z=-1]`}},
		{"0 apart from 25 others", func(i int, _ string) string {
			if i%6 == 5 {
				return "0"
			}
			return fmt.Sprintf("%d.5", 60+i*11%30)
		}, []string{`missing: column "z": 0, in 5 rows, is far from all other values; if it means that the value is not known, use --missing z=0 [--missing z=0]`}},
		{"few whole numbers", func(i int, _ string) string { return fmt.Sprint([]int{2, 10, 7}[i%3]) },
			[]string{`codes: column "z" has only a few whole numbers; if they name things instead of counting or measuring them, use --categorical z`}},
		{"numbers that lose digits", func(i int, _ string) string { return fmt.Sprintf("%d", 9007199254740993+2*(i*11%30)) },
			[]string{`digits: column "z": 30 whole numbers above 2^53 lost digits; if the column names things, use --categorical z`}},
		{"numbers and one word", func(i int, _ string) string {
			if i == 4 {
				return "4o"
			}
			return fmt.Sprint(i % 7)
		}, []string{`fault: column "z": mixes numbers and text: 1 of 30 cells is not a number: "4o" in line 6; correct it, or use --missing 4o, --categorical z or --ignore z`}},
		{"numbers and words for missing", func(i int, _ string) string { return []string{"NA", fmt.Sprint(i), "?"}[i%3] },
			[]string{`fault: column "z": mixes numbers and text: 10 of 30 cells are numbers: "1" in line 3, "4" in line 6, "7" in line 9, "10" in line 12, "13" in line 15, ...; correct them, or use --categorical z or --ignore z [--missing '?' --missing NA]`}},
		{"values below and above what can be measured", func(i int, _ string) string {
			return []string{"<0.05", "3.5",
				"≥ 100", "7"}[i%4]
		},
			[]string{`fault: column "z": mixes numbers and what is below or above a number: 15 of 30 cells: "<0.05" in lines 2, 6, 10, "≥ 100" in lines 4, 8, ...; ` +
				`write "<0.05" as 0.05 (or half of it) and "≥ 100" as 100, as --missing would lose that the values are low and high, or use --number z`}},
		{"mostly below what can be measured, and a word", func(i int, _ string) string {
			return []string{"NA", "<=0.05",
				"<0.1", fmt.Sprint(i)}[i*11%30/9]
		},
			[]string{`fault: column "z": mixes numbers and what is below or above a number: 18 of 30 cells: "<=0.05" in lines 3, 6, 9, "<0.1" in lines 4, 7, ...; ` +
				`write "<=0.05" as 0.05 (or half of it), as --missing would lose that the value is low; correct the other cells, or use --missing NA, --categorical z or --ignore z`}},
		{"above a number, with decimal commas", func(i int, _ string) string {
			return []string{`">1,5"`, fmt.Sprint(i)}[min(i,
				1)]
		},
			[]string{`fault: column "z": mixes numbers and what is below or above a number: 1 of 30 cells: ">1,5" in line 2; write ">1,5" as 1,5, as --missing would lose that the value is high, or use --number z; if the comma is the decimal mark, use --decimal ','`}},
		{"ranges", func(i int, _ string) string { return []string{"<18", "18-30", ">30"}[i%3] }, nil},
		{"arrows", func(i int, _ string) string { return []string{"->", "3", "<b"}[i%3] },
			[]string{`fault: column "z": mixes numbers and text: 10 of 30 cells are numbers: "3" in lines 3, 6, 9, 12, 15, ...; correct them, or use --categorical z or --ignore z [--categorical z]`}},
		{"more words than numbers", func(i int, _ string) string { return []string{"p", "4", "q"}[i%3] },
			[]string{`fault: column "z": mixes numbers and text: 10 of 30 cells are numbers: "4" in lines 3, 6, 9, 12, 15, ...; correct them, or use --categorical z or --ignore z [--categorical z]`}},
		{"one number among words", func(i int, _ string) string { return []string{"p", "q", "0"}[max(i%2, i/29*2)] },
			[]string{`fault: column "z": mixes numbers and text: 1 of 30 cells is a number: "0" in line 31; correct it, or use --missing z=0, --categorical z or --ignore z [--missing z=0]`}},
		{"signs among numbers", func(i int, _ string) string { return []string{"€1.000", "4", "5%"}[i%3] },
			[]string{`fault: column "z": mixes bare numbers and numbers with a unit or a sign: 20 of 30 cells: "€1.000" in lines 2, 5, 8, "5%" in lines 4, 7, ...; write them as bare numbers, or use --categorical z or --ignore z`}},
		{"signs and a word for missing among numbers", func(i int, _ string) string {
			return map[int]string{3: "NA", 7: "$5"}[i] + map[bool]string{true: "4"}[i != 3 && i != 7]
		},
			[]string{`fault: column "z": mixes numbers and text: 2 of 30 cells are not numbers: "NA" in line 5, "$5" in line 9; correct them, or use --missing NA, --categorical z or --ignore z`}},
		{"signs alone", func(i int, _ string) string { return fmt.Sprintf("€%d.00", i) },
			[]string{`codes: column "z": numbers with the unit "€" are taken as categories; read them as numbers with --number 'z=€'`}},
		{"decimal commas", func(i int, _ string) string { return fmt.Sprintf(`"%d,5"`, i%7) },
			[]string{`fault: column "z": 30 of 30 cells look like numbers but are not written as such: "0,5" in line 2, "1,5" in line 3, "2,5" in line 4, "3,5" in line 5, "4,5" in line 6, ...; if the comma is the decimal mark, use --decimal ','; else write them with plain digits and a decimal point, or use --categorical z or --ignore z [--decimal ',']`}},
		{"decimal commas among whole numbers and words for missing", func(i int, _ string) string {
			return []string{`"12,5"`,
				"3", "NA"}[i%3]
		},
			[]string{`fault: column "z": mixes numbers and what looks like numbers: 20 of 30 cells: "12,5" in lines 2, 5, 8, "NA" in lines 4, 7, ...; ` + decimalOr + ` [--missing NA --decimal ',']`}},
		{"words for missing before decimal commas", func(i int, _ string) string {
			return []string{"NA", "3",
				`"12,5"`}[i%3]
		},
			[]string{`fault: column "z": mixes numbers and text: 20 of 30 cells are not numbers: "NA" in lines 2, 5, 8, "12,5" in lines 4, 7, ...; correct them, or use --missing NA, --categorical z or --ignore z; if the comma is the decimal mark, use --decimal ',' [--missing NA --decimal ',']`}},
		{"decimal commas and a word", func(i int, _ string) string { return []string{`"0,5"`, "many"}[i/29] },
			[]string{`fault: column "z": 29 of 30 cells look like numbers but are not written as such: "0,5" in lines 2, 3, 4, 5, 6, ...; ` + decimalOr + `, or use --categorical z or --ignore z`}},
		{"decimal commas or thousands", func(i int, _ string) string { return fmt.Sprintf(`"%d,500"`, i%7+1) },
			[]string{`fault: column "z": 30 of 30 cells look like numbers but are not written as such: "1,500" in line 2, "2,500" in line 3, "3,500" in line 4, "4,500" in line 5, "5,500" in line 6, ...; ` + decimalOr + `, or use --categorical z or --ignore z`}},
		{"commas and points", func(i int, _ string) string { return []string{`"3,5"`, "3.5"}[i%2] },
			[]string{`fault: column "z": mixes numbers and what looks like numbers: 15 of 30 cells: "3,5" in lines 2, 4, 6, 8, 10, ...; write them with plain digits and a decimal point`}},
		{"a number too large", func(i int, _ string) string { return map[bool]string{true: "1e999", false: "3"}[i == 2] },
			[]string{`fault: column "z": line 4, byte 7: "1e999" is too large for a number; correct it, or use --categorical z or --ignore z`}},
		{"a number far beyond", func(i int, _ string) string { return fmt.Sprint(r.Float64() + 5) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := thirty("z", c.cell)
			v := overviewOf(t, text, Options{Target: "y"})
			if got := told(v); !slices.Equal(got, c.want) {
				t.Errorf("findings\n got %s\nwant %s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if v.Rows != 30 || !reflect.DeepEqual(v.Classes, []ClassRows{{"a", 10}, {"b", 20}}) || len(v.Columns) != 2 {
				t.Errorf("%d rows, classes %v, %d columns", v.Rows, v.Classes, len(v.Columns))
			}
			again := overviewOf(t, text, Options{Target: "y"})
			if !reflect.DeepEqual(v, again) {
				t.Error("looking again finds something else")
			}
		})
	}
}

// What stops ReadCSV for its labels is shown (the cases of group D).
func TestInspectLabels(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		classes    []ClassRows
		want       []string
	}{
		{"D94 empty labels", "x,y\n1,a\n2,\n3,b\n4, \n5,a\n6,b\n", Options{}, []ClassRows{{"a", 2}, {"b", 2}},
			[]string{`labels: column "y": 2 rows without a label (lines 3, 5); fill them, or leave such rows out with --drop-unlabelled [--drop-unlabelled]`}},
		{"D95 blanks", "x,y\n1,a\n2, a\n3,b\n4,b\n", Options{}, []ClassRows{{"a", 2}, {"b", 2}},
			[]string{`labels: column "y": blanks around the label removed in 1 row`}},
		{"D96 letter case", "x,y\n1,a\n2,A\n3,a\n4,A\n", Options{}, []ClassRows{{"A", 2}, {"a", 2}},
			[]string{`labels: column "y": the classes "A", "a" differ in case only and are kept apart; if they mean the same, use --merge-labels 'A=A,a' [--merge-labels 'A=A,a']`}},
		{"D97 a quantity", rowsOf("x,y", 101, func(i int) string { return fmt.Sprintf("%d.5,%d.5", i*7%5, i) }), Options{},
			nil,
			[]string{`labels: column "y": 101 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`,
				`repeated: 96 rows have the same features as an earlier one (row 6 as row 1, row 7 as row 2, row 8 as row 3, ...); if they were entered twice, keep one of equal rows: else cross-validation judges by rows that it has trained on`}},
		{"D104 names as labels", rowsOf("x,y", 70000, func(i int) string { return fmt.Sprintf("%d.5,c%d", i*7%69997, i) }),
			Options{}, nil,
			[]string{`labels: in.csv:65537:9: column "y" has more than 65535 classes, where 1000 are the most; it looks like a column that names the rows: choose another with --target, or keep one class with --positive and merge the others`,
				`repeated: 3 rows have the same features as an earlier one (row 69998 as row 1, row 69999 as row 2, row 70000 as row 3); if they were entered twice, keep one of equal rows: else cross-validation judges by rows that it has trained on`}},
		{"labels that say nothing", "x,y\n1,a\n2,a\n3,b\n4,b\n5,unknown\n6,unknown\n", Options{}, []ClassRows{{"a", 2},
			{"b", 2}, {"unknown", 2}},
			[]string{`labels: column "y": "unknown" is taken as a class; if it means that the label is not known, use --missing y=unknown --drop-unlabelled`}},
		{"a single class", "x,y\n1,a\n2,a\n", Options{}, []ClassRows{{"a", 2}},
			[]string{`labels: column "y": every row is of class "a" (2 rows); a forest needs rows of at least two classes`}},
		{"no label at all", "x,y\n1,\n2.5,\n", Options{}, nil,
			[]string{`labels: column "y": no row has a label; choose another column with --target`}},
		{"a class of one row", "x,y\n1,a\n2,a\n3,b\n", Options{}, []ClassRows{{"a", 2}, {"b", 1}},
			[]string{`labels: column "y": a single row for "b": too few to learn from and to judge by; add rows`}},
		{"one class against the rest", "x,y\n1,a\n2,a\n3,b\n4,c\n", Options{Positive: "a"}, []ClassRows{{"a", 2},
			{"rest", 2}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Target = "y"
			v := overviewOf(t, c.text, c.o)
			if got := told(v); !slices.Equal(got, c.want) {
				t.Errorf("findings\n got %s\nwant %s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if !slices.Equal(v.Classes, c.classes) {
				t.Errorf("classes %v, want %v", v.Classes, c.classes)
			}
			empty := strings.Count(strings.ReplaceAll(c.text, ", \n", ",\n"), ",\n")
			if v.Unlabelled != empty || v.Target != "y" {
				t.Errorf("%d rows without a label, want %d; target %q", v.Unlabelled, empty, v.Target)
			}
		})
	}
}

func TestInspectColumns(t *testing.T) {
	v := overviewOf(t, "n,c,m,class\n5,p,1,a\n1.5,q,x,a\n,p,2,b\n5,,3,b\n", Options{Target: "class"})
	want := []Profile{
		{Name: "n", Missing: 1, Distinct: 2, Min: 1.5, Median: 5, Max: 5, Top: []Level{{"5", 2}, {"1.5", 1}}},
		{Name: "c", Kind: Categorical, Missing: 1, Distinct: 2, Top: []Level{{"p", 2}, {"q", 1}}},
		{Name: "m", Numbers: 3, Texts: 1,
			Fault: `mixes numbers and text: 1 of 4 cells is not a number: "x" in line 3; correct it, or use --missing x, --categorical m or --ignore m`},
	}
	if !reflect.DeepEqual(v.Columns, want) {
		t.Errorf("columns\n got %+v\nwant %+v", v.Columns, want)
	}
	if v.Target != "class" || v.Repeated != 0 || v.Contradicting != 0 {
		t.Errorf("target %q, repeated %d, contradicting %d", v.Target, v.Repeated, v.Contradicting)
	}
	if _, err := inspectCSV(strings.NewReader("x,class\n"), "in.csv", Options{}); err == nil ||
		err.Error() != "in.csv: no rows; add at least one" {
		t.Errorf("no rows: %v", err)
	}
	if _, err := inspectCSV(strings.NewReader("x,w,class\n1,0,a\n"), "in.csv", Options{Weight: "w"}); err == nil ||
		err.Error() != `in.csv: column "w": all weights are zero; give some row a weight above 0` {
		t.Errorf("weights: %v", err)
	}
}

// Of five rows that are alike three are of class a: four repeat the first, and two of class b
// cannot be told from more of class a.
func TestInspectRepeats(t *testing.T) {
	v := overviewOf(t, "x,z,y\n1,p,a\n1,p,a\n1,p,b\n1,p,a\n1,p,b\n1,q,b\n2,p,a\n", Options{Target: "y"})
	if v.Repeated != 4 || v.Contradicting != 2 {
		t.Errorf("repeated %d, contradicting %d; want 4 and 2", v.Repeated, v.Contradicting)
	}
	without := overviewOf(t, "x,z\n1,p\n1,p\n1,q\n2,p\n", Options{})
	if told := slices.ContainsFunc(without.Findings, func(f Finding) bool { return f.Sort == inspected.Repeated }); told ||
		without.Repeated != 1 {
		t.Errorf("without labels: repeated %d, want 1; told %v", without.Repeated, told)
	}
}

// Rows are compared by columns that cannot be read as they are, too: column m of 30 rows, of which the last five
// repeat the first five in column x.
func TestInspectRepeatsOfMixed(t *testing.T) {
	for _, tc := range []struct {
		name string
		cell func(i int) string
		want int
	}{
		{"numbers first", func(i int) string { return []string{"1.50", "1.5", "", "NA", "<3"}[i%5] }, 5},
		{"texts first", func(i int) string { return []string{"NA", "1", "0", "<3", "2"}[i%5] }, 5},
		{"a new text for a known one", func(i int) string {
			return []string{"NA", "1", "0", "<3", "2"}[i%5] + map[bool]string{true: "b"}[i == 28]
		}, 4},
		{"a new number for a known one", func(i int) string {
			return []string{"NA", "1", "0", "<3", "2"}[i%5] + map[bool]string{true: "1"}[i == 26]
		}, 4},
		{"a level and its number", func(i int) string { return []string{"p", "q", "r", "s", "t", "0"}[i*5%6] }, 0},
		{"a number too large", func(i int) string { return []string{"1e999", "4", "5", "1e888", "7"}[i%5] }, 5},
		{"as if written with a comma", func(i int) string {
			return []string{`"1,5"`, `"2,5"`, `"3,5"`, `"3,5"`,
				`"4,5"`}[i%5]
		}, 5},
		{"names", func(i int) string { return []string{"A", "B", ""}[i%3] + fmt.Sprint(i) }, 5},
	} {
		v := overviewOf(t, rowsOf("x,m,y", 30, func(i int) string {
			return fmt.Sprintf("%d.5,%s,%c", i%25, tc.cell(i),
				"ab"[i%25%2])
		}), Options{Target: "y"})
		told := slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Sort == inspected.Repeated })
		if v.Columns[1].Fault == "" || v.Repeated != tc.want || told != (tc.want > 0) {
			t.Errorf("%s: fault %q, %d rows repeat others, want %d; told %v", tc.name, v.Columns[1].Fault, v.Repeated, tc.want,
				told)
		}
	}
}

func TestInspectGuessesLabels(t *testing.T) {
	for _, c := range []struct {
		head string
		last int // its values
		want []string
	}{
		{"a,b,c", 3, nil},
		{"a,b,c", 2, []string{"c"}},
		{"a,Fraud,c", 3, []string{"Fraud"}},
		{"a,Fraud,c", 2, []string{"Fraud", "c"}},
		{"a,y,outcome", 3, []string{"outcome", "y"}},
	} {
		v := overviewOf(t, rowsOf(c.head, 30, func(i int) string { return fmt.Sprintf("%d.5,%d,%d", i, i%2, i%c.last) }),
			Options{})
		if !slices.Equal(v.Candidates, c.want) || v.Target != "" || v.Classes != nil || v.Unlabelled != 0 {
			t.Errorf("%s: candidates %q, want %q; target %q, classes %v", c.head, v.Candidates, c.want, v.Target, v.Classes)
		}
	}
	if v := overviewOf(t, "a,b\n1.5,2.5\n1,2\n3,4\n", Options{}); v.Candidates != nil {
		t.Errorf("candidates %q among numbers that never repeat", v.Candidates)
	}
}

// A frame in memory, coded or not, and its file look the same.
func TestOverviewOfFrame(t *testing.T) {
	f := Fraud(300, 3)
	var b strings.Builder
	if err := WriteCSV(&b, f, "class"); err != nil {
		t.Fatal(err)
	}
	want := overviewOf(t, b.String(), Options{Target: "class"})
	if got := f.Overview(); !reflect.DeepEqual(got, want) {
		t.Errorf("in memory\n got %+v\nwant %+v", got, want)
	}
	if rows := len(want.Findings); want.Rows != 300 || rows == 0 {
		t.Errorf("%d rows, %d findings", want.Rows, rows)
	}
}

// Which columns may say what rows belong to, by name and values; there are 400 rows.
func TestCalled(t *testing.T) {
	of := func(name, format string, values int) string {
		text := rowsOf(name+",x,y", 400, func(i int) string {
			return fmt.Sprintf(format+",%d.25,%s", i*7%values, i*7%60, "abb"[i%3:i%3+1])
		})
		for _, f := range overviewOf(t, text, Options{Target: "y"}).Findings {
			if f.Sort == inspected.Names && slices.Equal(f.Columns, []string{name}) {
				if len(f.Flags) > 0 {
					t.Errorf("%s: flags %q mend what need not be amiss", name, f.Flags)
				}
				return f.Text
			}
		}
		return ""
	}
	const by = `by its name and its 12 different values it may say whom or what rows belong to; if new rows are of others, use --group `
	for _, tc := range []struct {
		name, format string
		values       int
		want         string
	}{
		{"machine", "%d", 12, `column "machine": ` + by +
			`machine; if they are of the same, use --categorical machine or --ignore machine, as its numbers measure nothing`},
		{"machine", "M%02d", 12, `column "machine": ` + by +
			`machine; if they are of the same, it may stay, or use --ignore machine`},
		{"machine_id", "%d", 12, `column "machine_id": ` + by + "machine_id;"},
		{"Account No.", "%d", 12, `column "Account No.": ` + by},
		{"RepNumber", "%d", 12, `column "RepNumber": ` + by},
		{"NumberOfCars", "%d", 12, ""},
		{"albino", "%d", 12, ""},
		{"unit", "%d", 9, ""}, // too few to be folds
		{"unit", "%d.5", 12, ""},
		{"unit", "%d", 397, ""},
	} {
		if got := of(tc.name, tc.format, tc.values); !strings.HasPrefix(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s, %s of %d: %q, want %q", tc.name, tc.format, tc.values, got, tc.want)
		}
	}
}
