package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

// In which columns rows are told to be in order. There are 60 rows, the label of which changes all the time.
func TestOrdered(t *testing.T) {
	start := time.Date(2023, 11, 20, 0, 0, 0, 0, time.UTC)
	date := func(form string, hours int) func(i int) string {
		return func(i int) string { return start.Add(time.Duration(i/2*hours) * time.Hour).Format(form) }
	}
	for _, tc := range []struct {
		name string
		cell func(i int) string
		want string // "" for no order
	}{
		{"years", func(i int) string { return fmt.Sprint(1994 + i/20) }, "1994 to 1996"},
		{"years, backwards", func(i int) string { return fmt.Sprint(1996 - i/20) }, "1996 to 1994"},
		{"years, some missing", func(i int) string { return strings.Repeat(fmt.Sprint(1994+i/20), min(i%11, 1)) },
			"1994 to 1996"},
		{"years, most missing", func(i int) string { return strings.Repeat(fmt.Sprint(1994+i/20), i%2) }, ""},
		{"years, one out of order", func(i int) string { return fmt.Sprint(1994 + i/20 - i/59) }, ""},
		{"seconds", func(i int) string { return fmt.Sprintf("%d.5", i*i) }, "0.5 to 3481.5"},
		{"whole seconds, two at once", func(i int) string { return fmt.Sprint(1.7e9 + float64(i/2)) },
			"1700000000 to 1700000029"},
		{"numbers of rows", func(i int) string { return fmt.Sprint(i + 1) }, ""},
		{"two years", func(i int) string { return fmt.Sprint(2024 + i/30) }, "2024 to 2025"},
		{"two values", func(i int) string { return fmt.Sprint(i / 30) }, ""},
		{"nearly all the same", func(i int) string { return fmt.Sprint(max(0, i-57)) }, ""},
		{"days", date("2006-01-02", 24), "2023-11-20 to 2023-12-19"},
		{"days and hours", date("2006-01-02 15:04", 7), "2023-11-20 00:00 to 2023-11-28 11:00"},
		{"moments", date(time.RFC3339, 7), "2023-11-20T00:00:00Z to 2023-11-28T11:00:00Z"},
		{"German days", date("02.01.2006", 24), "20.11.2023 to 19.12.2023"},
		{"English days", date("2/1/2006", 24), "20/11/2023 to 19/12/2023"},
		{"American days", date("01/02/2006", 24), "11/20/2023 to 12/19/2023"},
		{"months", date("Jan 2006", 24*31), "Nov 2023 to May 2026"},
		{"two days", date("2006-01-02", 1), "2023-11-20 to 2023-11-21"},
		{"days in any order", func(i int) string { return start.AddDate(0, 0, i*7%30).Format("2006-01-02") }, ""},
		{"sorted words", func(i int) string { return fmt.Sprintf("town %02d", i/6) }, ""},
	} {
		text := rowsOf("x,z,y", 60, func(i int) string {
			return fmt.Sprintf("%d.25,%s,%s", i*7%60, tc.cell(i),
				"abb"[i%3:i%3+1])
		})
		want := ""
		if tc.want != "" {
			want = `in.csv: the rows are in the order of "z" (` + tc.want +
				`); if that is time, out-of-bag votes and cross-validation mix past and future, and flatter where things change: cv --time z judges later rows by earlier ones`
		}
		for from, got := range map[string]string{"read": orderWarning(mustRead(t, text, Options{Target: "y"})),
			"inspected": orderFinding(overviewOf(t, text, Options{Target: "y"}))} {
			if got != want {
				t.Errorf("%s, %s:\n got %s\nwant %s", tc.name, from, got, want)
			}
		}
	}
}

func orderWarning(f *Frame) string {
	for _, w := range f.Warnings {
		if strings.Contains(w.Error(), "in the order of") {
			return w.Error()
		}
	}
	return ""
}

func orderFinding(v *Overview) string {
	for _, f := range v.Findings {
		if f.Sort == inspected.Ordered {
			return "in.csv: " + f.Text
		}
	}
	return ""
}

// Several columns are named at once; the first is offered. An id, a column that is the group, and rows sorted by
// class tell of no time.
func TestOrderedColumns(t *testing.T) {
	rows := func(label func(i int) string) string {
		return rowsOf("year,day,visit_id,y", 60, func(i int) string {
			return fmt.Sprintf("%d,%d.5,%d,%s", 2020+i/20, i/2, i/2,
				label(i))
		})
	}
	mixed := rows(func(i int) string { return "ab"[i%2 : i%2+1] })
	want := `in.csv: the rows are in the order of "year" (2020 to 2022), "day" (0.5 to 29.5); if that is time, out-of-bag votes and cross-validation mix past and future, and flatter where things change: cv --time year judges later rows by earlier ones`
	if got := orderWarning(mustRead(t, mixed, Options{Target: "y"})); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	many := rowsOf("a,b,c,d,e,f,g,y", 60, func(i int) string {
		return strings.Repeat(fmt.Sprintf("%d.5,", i/3), 7) +
			"ab"[i%2:i%2+1]
	})
	want = `in.csv: the rows are in the order of "a" (0.5 to 19.5), "b" (0.5 to 19.5), "c" (0.5 to 19.5), "d" (0.5 to 19.5), "e" (0.5 to 19.5), and 2 more; if that is time,`
	if got := orderWarning(mustRead(t, many, Options{Target: "y"})); !strings.HasPrefix(got, want) {
		t.Errorf("got %s\nwant %s ...", got, want)
	}
	if got := orderWarning(mustRead(t, mixed, Options{Target: "y", Group: "year", ID: "day"})); got != "" {
		t.Errorf("by groups: %s", got)
	}
	if got := orderWarning(mustRead(t, rows(func(i int) string { return "abc"[i/20 : i/20+1] }),
		Options{Target: "y"})); got != "" {
		t.Errorf("sorted by class: %s", got)
	}
	if got := orderFinding(overviewOf(t, mixed, Options{})); got != "" {
		t.Errorf("without labels: %s", got)
	}
}

// Rows that come in blocks are in the order that they are in at once, also where the first has no label.
func TestOrder(t *testing.T) {
	text := rowsOf("x,z,id,day,y", 60, func(i int) string {
		return fmt.Sprintf("%d.25,%d,%d,2024-01-%02d,%s", i*7%60, 1994+i/20, i/2, 1+i/3, "abb"[i%3:i%3+1])
	})
	f := mustRead(t, text, Options{Target: "y"})
	all, _ := f.Ordered()
	if want := []string{"z", "day"}; !slices.Equal(all, want) {
		t.Errorf("at once %q, want %q", all, want)
	}
	f.Truth[0] = -1
	for _, size := range []int{1, 7, 60} {
		var o Order
		for from := 0; from < 60; from += size {
			var rows []int
			for i := from; i < min(60, from+size); i++ {
				rows = append(rows, i)
			}
			o.Add(f.Take(rows))
		}
		if got := o.Columns(); !slices.Equal(got, all) {
			t.Errorf("blocks of %d: %q, want %q", size, got, all)
		}
	}
}

// Columns of year and month tell the time in whatever order rows stand; those of a birth do not.
func TestTimeInAnotherOrder(t *testing.T) {
	for names, want := range map[string]string{
		"Year,Month":           `"Year,Month" tells when each row was, though they stand in another order: out-of-bag votes and cross-validation mix past and future, and flatter where things change; cv --time Year,Month judges later rows by earlier ones`,
		"BirthYear,BirthMonth": "",
		"Year,MonthClaimed":    "",
	} {
		text := rowsOf(names+",x,y", 60, func(i int) string {
			return fmt.Sprintf("%d,%d,%d.25,%s", 1994+i*7%3, 1+i*5%12, i*7%60, "abb"[i%3:i%3+1])
		})
		got := ""
		for _, w := range mustRead(t, text, Options{Target: "y"}).Warnings {
			if strings.Contains(w.Error(), "tells when") {
				got = strings.TrimPrefix(w.Error(), "in.csv: ")
			}
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", names, got, want)
		}
		if v := overviewOf(t, text, Options{Target: "y"}); (v.Time == "Year,Month") != (want != "") {
			t.Errorf("%s: inspected, the time is %q", names, v.Time)
		}
	}
}

// Rows that were entered twice are warned of; those of coarse columns, and of groups, are not, nor few.
func TestSameRows(t *testing.T) {
	for _, tc := range []struct {
		name    string
		again   int // so many of 400 rows once more
		coarse  bool
		options Options
		want    bool
	}{
		{"half", 200, false, Options{}, true},
		{"all", 400, false, Options{}, true},
		{"few", 15, false, Options{}, false},
		{"below fifty", 40, false, Options{}, false},
		{"coarse", 0, true, Options{}, false},
		{"groups", 200, false, Options{Group: "g"}, false},
	} {
		text := rowsOf("g,x,y", 400+tc.again, func(i int) string {
			if i %= 400; tc.coarse {
				i %= 20
			}
			return fmt.Sprintf("p%d,%d.25,%s", i, i*7, "abb"[i%3:i%3+1])
		})
		if tc.options.Target = "y"; tc.options.Group == "" {
			tc.options.Ignore = []string{"g"}
		}
		got := ""
		for _, w := range mustRead(t, text, tc.options).Warnings {
			if strings.Contains(w.Error(), "the same label and features as an earlier one; if they were entered twice, keep") {
				got = w.Error()
			}
		}
		if (got != "") != tc.want {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}
