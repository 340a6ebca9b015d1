package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/dateparts"
)

// datesOf are the blocks, in the order of time, of rows with those cells of the time, one block of each time.
func datesOf(t *testing.T, o Options, header string, rows ...string) (string, error) {
	t.Helper()
	text := "x," + header + ",y\n"
	for i, row := range rows {
		text += fmt.Sprintf("%d,%s,%s\n", i, row, "ab"[i%2:i%2+1])
	}
	o.Target = "y"
	if o.Time == "" {
		o.Time = header
	}
	f, err := ReadCSV(strings.NewReader(text), "in.csv", o)
	if err != nil {
		return "", err
	}
	if err := f.Check(); err != nil {
		return "", err
	}
	times, err := f.Time.times()
	if err != nil {
		return "", err
	}
	order := make([]int, len(times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if times[a] < times[b] {
			return -1
		}
		if times[a] > times[b] {
			return 1
		}
		return 0
	})
	var texts []string
	for _, i := range order {
		texts = append(texts, f.Time.Text(f.Time.At(i)))
	}
	if o.Schema == nil && (len(f.Columns) != 1 || f.Reading.Time != f.Time.Name) {
		t.Errorf("%s: %d features, in the order of %q, read by %q", header, len(f.Columns), f.Time.Name, f.Reading.Time)
	}
	return strings.Join(slices.Compact(texts), " "), nil
}

// Several columns make a date together, in the order of time: a month by its number or its name, a quarter, a week
// and a day by their numbers.
func TestDateOfParts(t *testing.T) {
	for _, tc := range []struct{ header, rows, want string }{
		{"Year,Month", "1995 Jan,1994 Dec,1994 february,1994 MAR,1994 Sept", "1994-02 1994-03 1994-09 1994-12 1995-01"},
		{"Jahr,Monat", "1994 Dez.,1994 März,1994 Mai,1994 oktober,1994 Mrz,1994 jän",
			"1994-01 1994-03 1994-05 1994-10 1994-12"},
		{"year,month", "1995 1,1994 12,1994 02,1994 3.0,1994 Mar", "1994-02 1994-03 1994-12 1995-01"},
		{"a,b,c", "1995 1 31,1994 12 9,1994 12 10,1994 2 30", "1994-02-30 1994-12-09 1994-12-10 1995-01-31"},
		{"year,month,day", "1995 1 31,1994 12 9,1994 12 10", "1994-12-09 1994-12-10 1995-01-31"},
		{"year,quarter", "1995 1,1994 4,1994 2", "1994-Q2 1994-Q4 1995-Q1"},
		{"Jahr,Kalenderwoche", "1995 1,1994 52,1994 9", "1994-W09 1994-W52 1995-W01"},
		{"Year,Month,WeekOfMonth", "1995 Jan 1,1994 Dec 5,1994 Dec 2", "1994-12-W02 1994-12-W05 1995-01-W01"},
		{"Year,DayOfYear", "1995 1,1994 365,1994 9", "1994-009 1994-365 1995-001"},
		{"quarter", "1995-Q1,1994-Q4,1994-Q2", "1994-Q2 1994-Q4 1995-Q1"},
		{"week", "1995-W01,1994-W52,1994-W9", "1994-W9 1994-W52 1995-W01"},
	} {
		rows := strings.Split(strings.ReplaceAll(tc.rows, " ", ";"), ",")
		for i := range rows {
			rows[i] = strings.ReplaceAll(rows[i], ";", ",")
		}
		if got, err := datesOf(t, Options{}, tc.header, rows...); got != tc.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tc.header, got, err, tc.want)
		}
	}
}

// The name of a column with a comma in it is that column, and in a list stands in quotes; blanks after commas do not
// count.
func TestTimeColumns(t *testing.T) {
	header := []string{"Year", "Month", "Year,Month", "year, of claim"}
	for text, want := range map[string][]string{
		"":                        nil,
		"Year":                    {"Year"},
		"Year,Month":              {"Year,Month"},
		"Year, Month":             {"Year", "Month"},
		`"Year","Month"`:          {"Year", "Month"},
		"year, of claim":          {"year, of claim"},
		`"year, of claim", Month`: {"year, of claim", "Month"},
		`Year"`:                   {`Year"`},
		"Year,":                   {"Year", ""},
	} {
		got := dateparts.TimeColumnsIn(text, header)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		if again := dateparts.TimeColumnsIn(timeName(got), nil); !slices.Equal(again, want) {
			t.Errorf("%s: %q is remembered as %q", text, want, again)
		}
	}
	for header, want := range map[string]string{`"when, about"`: "1994 1995", `"year, about",Month`: "1994-02 1995-01"} {
		rows := map[string][]string{"1994 1995": {"1995", "1994"}, "1994-02 1995-01": {"1995,1", "1994,2"}}[want]
		if got, err := datesOf(t, Options{}, header, rows...); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", header, got, err, want)
		}
	}
}

func TestDateOfPartsErrors(t *testing.T) {
	const number, leave = "write a number from 1 to 12, or a name such as Jan or March",
		", or leave the row out of the file"
	for _, tc := range []struct{ time, header, row, want string }{
		{"", "Year,Month", "1994,Janu", `in.csv:3:8: column "Month": "Janu" is no month; ` + number + leave},
		{"", "Year,Month", "1994,13", `in.csv:3:8: column "Month": "13" is no month; ` + number + leave},
		{"", "Year,Month", "1994,0", `in.csv:3:8: column "Month": "0" is no month; ` + number + leave},
		{"", "Year,Month", "1994,2.5", `in.csv:3:8: column "Month": "2.5" is no month; ` + number + leave},
		{"", "Year,Month", "1994,", `in.csv:3:8: column "Month": the row has no time; fill the cell, or leave the row out of the file`},
		{"", "Year,Month", ",Jan", `in.csv:3:3: column "Year": the row has no time; fill the cell, or leave the row out of the file`},
		{"", "Year,Month", "94,Jan", `in.csv:3:3: column "Year": "94" is no year; write a number from 1900 to 2100` + leave},
		{"", "Year,Month,Day", "1994,12,32", `in.csv:3:11: column "Day": "32" is no day; write a number from 1 to 31` +
			leave},
		{"", "Date,Month", "1994-12-31,12",
			`in.csv:3:3: column "Date": "1994-12-31" is no year; a date stands alone: --time Date`},
		{"m,z", "m,z", "3,1994", `in.csv:2:3: column "m": "1" is no year; name the columns coarse to fine: --time z,m; 1 more row is at fault, too: line 3`},
		{"Month,Year", "Year,Month", "1994,3",
			`in.csv: of --time, column "Year", the year, comes after "Month", the month; name them coarse to fine: --time Year,Month`},
		{"Year,Day,Month", "Year,Month,Day", "1994,3,1",
			`in.csv: of --time, column "Month", the month, comes after "Day", the day; name them coarse to fine: --time Year,Month,Day`},
		{"Year,Year", "Year,Month", "1994,3", `in.csv: --time names column "Year" twice; name it once`},
		{"Year,YearBuilt", "Year,YearBuilt", "1994,1990",
			`in.csv: the columns "Year" and "YearBuilt" of --time both say the year; name one of them`},
		{"Month,Day", "Month,Day", "3,1",
			`in.csv: of --time "Month", "Day", each month comes back; name the column of the year before it`},
		{"a,b,c,d", "a,b,c,d", "1994,3,1,7",
			`in.csv: --time takes the columns of a year, a month and a day, and column "d" is one more; leave it out`},
		{"Year,Mont", "Year,Month", "1994,3",
			`in.csv: no column "Mont" for --time (did you mean "Month"?); correct the name`},
		{"Year,", "Year,Month", "1994,3",
			`in.csv: no column "" for --time (there is "x", "Year", "Month", "y"); correct the name`},
		{"Year,y", "Year,Month", "1994,3", `in.csv: column "y" is named by --target and by --time; drop one of them`},
	} {
		first := map[string]string{"Year,Month,Day": "1994,1,1", "Date,Month": "1994,1", "m,z": "1,1994"}[tc.header]
		if first == "" {
			first = strings.Repeat(",1", strings.Count(tc.header, ","))
			first = "1994" + first
		}
		if _, err := datesOf(t, Options{Time: tc.time}, tc.header, first, tc.row); err == nil || err.Error() != tc.want {
			t.Errorf("%s of %s:\n got %v\nwant %s", tc.time, tc.header, err, tc.want)
		}
	}
	want := `in.csv:3:8: column "Month": the row has no time; fill the cell, or leave the row out of the file`
	if _, err := datesOf(t, Options{Missing: []string{"Month=0"}}, "Year,Month", "1994,1", "1994,0"); err == nil ||
		err.Error() != want {
		t.Errorf("a word for no month: %v", err)
	}
}

// A column of months goes with that of the years by its name, as long as it holds months.
func TestFinerTime(t *testing.T) {
	months := []string{"Apr", "Jan", "Mai"}
	s := Schema{{Name: "MonthClaimed", Kind: Categorical, Levels: months}, {Name: "Month", Kind: Categorical,
		Levels: months}, {Name: "month_of_birth"}, {Name: "Schadenmonat"},
		{Name: "Monat", Kind: Categorical, Levels: []string{"high", "low"}}, {Name: "month_a,b"}}
	for year, want := range map[string]string{
		"Year": "Year,Month", "YearClaimed": "YearClaimed,MonthClaimed", "year_of_birth": "year_of_birth,month_of_birth",
		"Schadenjahr": "Schadenjahr,Schadenmonat",
		"YearSold":    "YearSold,month.sold", "Month": "", "age": "", "YearBuilt": "", "year_a,b": `"year_a,b","month_a,b"`,
	} {
		if got := (&Reading{Ignore: []string{"id", "month.sold"}}).FinerTime(year, s); got != want {
			t.Errorf("%s: %q, want %q", year, got, want)
		}
	}
}
