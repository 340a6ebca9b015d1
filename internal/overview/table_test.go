package overview

import (
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// A count is never cut; a name gives way.
func TestLevelsText(t *testing.T) {
	long := dataset.Level{Text: "a level of a name that is rather long", Rows: 123456}
	for _, c := range []struct {
		room     int
		distinct int
		top      []dataset.Level
		want     string
	}{
		{38, 2, []dataset.Level{{Text: "p", Rows: 7}, {Text: "q", Rows: 3}}, "p: 7, q: 3"},
		{38, 3, []dataset.Level{{Text: "p", Rows: 7}, {Text: "q", Rows: 3}}, "p: 7, q: 3 ..."},
		{38, 2, []dataset.Level{long, {Text: "q", Rows: 3}}, "a level of…ther long: 123456, q: 3"},
		{26, 2, []dataset.Level{long, {Text: "q", Rows: 3}}, "a level…r long: 123456 ..."},
		{26, 1, []dataset.Level{{Text: "a\nb", Rows: 3}}, `a\nb: 3`},
	} {
		if got := levelsText(&dataset.Profile{Kind: dataset.Categorical, Distinct: c.distinct, Top: c.top},
			c.room); got != c.want {
			t.Errorf("%d columns: %s, want %s", c.room, got, c.want)
		}
	}
}
