package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

// Parts of a date are told by the name of a column and the values that such a part has, or by the names of months;
// not by a name alone, nor what comes back each week or month, nor where another finding tells more.
func TestCalendar(t *testing.T) {
	years := rowsOf("Year,MonthClaimed,WeekOfMonth,weekday,week,day_of_month,birthday,total_day_calls,accident,started,YearBuilt,quarter,class", 60, func(i int) string {
		return fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d,%d,%s,%s,%d,%d,%s", 1994+i/20, 1+i%12, 1+i%5, 1+i%7, 1+i%50, 1+i*7%31, 1+i%9,
			i*3%40, []string{"Jan", "may", "August"}[i%3], []string{"Monday", "Friday"}[i%2], 1+i*7%90, i%9, string("ab"[i%2]))
	})
	for _, tc := range []struct{ table, want string }{
		{years, `the columns "MonthClaimed", "week", "day_of_month", "accident" look like parts of a date; trees may learn by heart what happened then, which may not come back: keep them if they are known to show the same each year, as seasons do (rows of one or two years cannot tell), else use --ignore MonthClaimed --ignore week --ignore day_of_month --ignore accident; cv --time Year says whether later rows are decided worse`},
		{"x,month,class\n3,Mai,a\n2,Juni,b\n4,Mai,a\n",
			`column "month" looks like a part of a date; trees may learn by heart what happened then, which may not come back: keep it if it is known to show the same each year, as seasons do (rows of one or two years cannot tell), else use --ignore month; cv --time COLUMN says whether later rows are decided worse`},
		{"x,march,class\n3,4,a\n2,1,b\n4,5,a\n", ""},
	} {
		var got []string
		for _, f := range overviewOf(t, tc.table, Options{Target: "class"}).Findings {
			if f.Sort == inspected.Calendar {
				got = append(got, f.Text)
			}
		}
		if strings.Join(got, "\n") != tc.want {
			t.Errorf("%q\nwant %q", got, tc.want)
		}
	}
	if got := wordsOf("WeekOfMonth_claimed2"); !slices.Equal(got, []string{"week", "of", "month", "claimed"}) {
		t.Errorf("%q", got)
	}
}
