package cli

import (
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

// Which class takes priority, where nobody says, is told as what it is.
func TestRarestWords(t *testing.T) {
	classes := []string{"a", "b", "c"}
	for _, tc := range []struct {
		rows []float64
		want string
	}{
		{[]float64{60, 90, 200}, `the rarest class, "a",`},
		{[]float64{2, 90, 200}, `the rarest class of at least 50 rows, "b",`},
		{[]float64{0, 90, 200}, `the rarest class, "b",`},
		{[]float64{60, 60, 200}, `one of the rarest classes, "b",`},
		{[]float64{60, 2, 60}, `one of the rarest classes of at least 50 rows, "c",`},
		{[]float64{2, 9, 200}, `the rarest class, "a",`},
		{[]float64{1, 9, 200}, `the rarest class of at least 2 rows, "b",`},
		{[]float64{9, 10, 200}, `the rarest class of at least 10 rows, "b",`},
		{[]float64{0, 1, 200}, `the rarest class, "b",`},
	} {
		if got := rarestWords(classes, tc.rows, vote.TieOrder(tc.rows, nil)); got != tc.want {
			t.Errorf("of %v rows: %s, want %s", tc.rows, got, tc.want)
		}
	}
}
