package dataset

import (
	"fmt"
	"testing"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

// What missing cells tell is told, by the reader as by a look at the table. Of 1000 rows, z is missing in every
// tenth; by hand, with 100 of 1000 ill and none of them where z is missing, they are 0 of 100 and 100 of 900 rows:
// 0.111 less, 3.5 standard errors; with 200 of 1000 0.222, 5.3, and with 1 of the 100 ill 5.0.
func TestGapsTell(t *testing.T) {
	const told = `column "z": where it is missing, %s, and a model learns to decide so; if it is missing because of what somebody expected of the row, decide only rows that have it (see --withhold)`
	for _, c := range []struct {
		name string
		ill  func(i int) bool
		want string
	}{
		{"no ill", func(i int) bool { return i%10 > 7 }, `all 100 rows are "well" (elsewhere 77.8 %)`},
		{"no ill, by chance", func(i int) bool { return i%10 == 9 }, ""},
		{"one ill", func(i int) bool { return i%10 > 7 || i == 500 }, `99 of 100 rows are "well" (elsewhere 77.8 %)`},
		{"two ill", func(i int) bool { return i%10 > 7 || i == 500 || i == 700 }, ""},
		{"all ill", func(i int) bool { return i%10 == 9 || i%10 == 0 }, `all 100 rows are "ill" (elsewhere 11.1 %)`},
		{"as many", func(i int) bool { return i%3 == 0 }, ""},
	} {
		text := rowsOf("x,z,y", 1000, func(i int) string {
			z := fmt.Sprint(i*3%70 + 1)
			if i%10 == 0 {
				z = ""
			}
			return fmt.Sprintf("%d.5,%s,%s", i*7%999, z, map[bool]string{true: "ill", false: "well"}[c.ill(i)])
		})
		want := ""
		if c.want != "" {
			want = fmt.Sprintf(told, c.want)
		}
		wantTold(t, c.name, text, inspected.Gaps, want)
	}
}

// Of several columns the one is told in words that tells most.
func TestGapsOfSeveralColumns(t *testing.T) {
	text := rowsOf("x,z,w,y", 1000, func(i int) string {
		cell := func(gap bool) string {
			if gap {
				return ""
			}
			return fmt.Sprint(i*3%70 + 1)
		}
		return fmt.Sprintf("%d.5,%s,%s,%s", i*7%999, cell(i%10 == 0), cell(i%20 == 0), map[bool]string{true: "ill",
			false: "well"}[i%10 == 0 || i%10 == 9])
	})
	const want = `in.csv: column "z": where it is missing, all 100 rows are "ill" (elsewhere 11.1 %), and a model learns to decide so; missing cells tell a class in 1 other column as well: "w"; if it is missing because of what somebody expected of the row, decide only rows that have it (see --withhold)`
	if got := mustRead(t, text, Options{Target: "y"}).Warnings; len(got) != 1 || got[0].Error() != want {
		t.Errorf("%v, want %s", got, want)
	}
}
