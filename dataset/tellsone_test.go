package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

// What follows from one class is told of, by the reader as by a look at the table. Rows i and i+1 of four are ill in
// two ways, 600 in all.
func TestTellsOneClass(t *testing.T) {
	diagnosis := func(i int) string { return []string{"primary", "secondary", "negative", "negative"}[i%4] }
	ill := func(i int) bool { return i%4 < 2 }
	yes := func(is bool) string { return map[bool]string{true: "levothyroxine", false: "none"}[is] }
	const told = `column "z": it nearly gives the answer away: it alone tells "negative" from all other classes in %s; if it is not yet known when a row is to be decided, use --ignore z`
	for _, c := range []struct {
		name string
		rows int
		cell func(i int) string
		want string // in how many rows; "" for silence
	}{
		{"a treatment of all ill", 600, func(i int) string { return yes(ill(i)) }, "all rows"},
		// 3 of 300 ill are not
		{"a treatment of nearly all ill", 600, func(i int) string { return yes(ill(i) != (i%200 == 1)) },
			"99.0 % of the rows or more on either side"},
		// 5 of 300
		{"a treatment of most ill", 600, func(i int) string { return yes(ill(i) != (i%120 == 1)) }, ""},
		// 5 of 300
		{"a treatment that some others have", 600, func(i int) string { return yes(ill(i) || i%120 == 2) }, ""},
		{"two treatments of the ill", 600, func(i int) string {
			return map[bool]string{true: []string{"p", "q"}[i/4%2],
				false: "none"}[ill(i)]
		}, "all rows"},
		{"a dose above all others", 600, func(i int) string { return fmt.Sprint(i*7%50 + map[bool]int{true: 50}[ill(i)]) },
			"all rows"},
		{"a dose that only the ill have", 600, func(i int) string {
			return map[bool]string{true: fmt.Sprint(i * 7 % 250)}[ill(
				i)]
		}, "all rows"},
		{"a dose below all others, which is unknown of some ill", 600, func(i int) string {
			return map[bool]string{true: []string{fmt.Sprint(i * 7 % 50), ""}[i%8/5], false: fmt.Sprint(100 + i*3%40)}[ill(i)]
		}, "all rows"},
		{"of many values", 12_000, func(i int) string { return fmt.Sprint(i*7%12_000 + map[bool]int{true: 12_000}[ill(i)]) },
			"all rows"},
		{"a dose in the midst", 600, func(i int) string { return fmt.Sprint([]int{100, 110, 0, 300}[i%4] + i%50) }, ""},
		{"too few rows", 196, func(i int) string { return yes(ill(i)) }, ""},
	} {
		text := rowsOf("x,z,y", c.rows, func(i int) string {
			return fmt.Sprintf("%d.5,%s,%s", i*7%599, c.cell(i),
				diagnosis(i))
		})
		want := ""
		if c.want != "" {
			want = fmt.Sprintf(told, c.want)
		}
		wantTold(t, c.name, text, inspected.Tells, want)
	}
}

// wantTold holds what is warned of when a table is read, and found of that sort when it is looked at, against the
// one text that both should be.
func wantTold(t *testing.T, name, text, sort, want string) {
	t.Helper()
	warned, found := "", ""
	for _, w := range mustRead(t, text, Options{Target: "y"}).Warnings {
		warned += strings.TrimPrefix(w.Error(), "in.csv: ")
	}
	for _, f := range overviewOf(t, text, Options{Target: "y"}).Findings {
		if f.Sort == sort {
			found += f.Text
		}
	}
	if warned != want || found != want {
		t.Errorf("%s:\nwarning %s\nfound %s\nwant %s", name, warned, found, want)
	}
}

// Of two classes the mean recall tells, to the reader as to the look.
func TestTellsOneOfTwo(t *testing.T) {
	text := rowsOf("x,z,y", 400, func(i int) string { return fmt.Sprintf("%d.5,%d,%d", i*7%399, i%2*50+i%50, i%2) })
	f := mustRead(t, text, Options{Target: "y"})
	want := `in.csv: column "z": 100.0 % of the rows (in the mean over the classes) can be decided by this column alone; if it is not yet known when a row is to be decided, use --ignore z`
	var tells *TellsWarning
	if len(f.Warnings) != 1 || f.Warnings[0].Error() != want || !errors.As(f.Warnings[0], &tells) ||
		!slices.Equal(tells.Columns, []string{"z"}) {
		t.Errorf("warnings %q, want %s", f.Warnings, want)
	}
}

// The smaller class may be as small as the look takes it.
func TestTellsFewRows(t *testing.T) {
	for rare, want := range map[int]bool{4: false, 5: true, 30: true, 100: true} {
		for _, swapped := range []int{0, 1} { // whichever class is the rare one
			text := rowsOf("x,z,y", 700, func(i int) string {
				class := map[bool]int{true: 1 - swapped, false: swapped}[i*311%700 < rare]
				return fmt.Sprintf("%d.5,%d,%d", i*331%699, class*50+i*37%50, class)
			})
			if found := mustRead(t, text, Options{Target: "y"}).Warnings; (len(found) == 1) != want {
				t.Errorf("%d rows of class %d: %q", rare, 1-swapped, found)
			}
		}
	}
}

// Honest features do not, however strong: the hormone of hypothyroid, the odor of mushrooms.
func TestRealSetsTellNoClass(t *testing.T) {
	dir := os.Getenv("RFPRAGMA_DATA")
	if dir == "" {
		t.Skip("set RFPRAGMA_DATA to a folder with the public benchmark sets, see README")
	}
	for _, name := range []string{"hypothyroid", "ann_thyroid", "sick", "mushroom", "letter", "nursery", "shuttle",
		"soybean", "satimage"} {
		file, err := os.Open(filepath.Join(dir, name, name+".csv"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := ReadCSV(file, name, Options{Target: "class", Missing: []string{"?"}})
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range f.Warnings {
			if strings.Contains(w.Error(), "gives the answer away") {
				t.Error(w)
			}
		}
	}
}
