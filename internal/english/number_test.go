package english

import "testing"

// By hand.
func TestNumbers(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{First([]string{"a", "b"}), "a, b"}, {First([]string{"1", "2", "3", "4", "5", "6", "7"}), "1, 2, 3, 4, 5, 6, 7"},
		{First([]string{"1", "2", "3", "4", "5", "6", "7", "8"}), "1, 2, 3, 4, 5, 6 and 2 more"},
		{And(nil), ""}, {And([]string{"a"}), "a"}, {And([]string{"a", "b", "c"}), "a, b and c"},
		{Significant(0.00123, 2), "0.0012"}, {Significant(123456, 2), "120000"}, {Significant(2e12, 2), "2e+12"},
		{About(9.96), "10"}, {About(12.4), "12"}, {About(0), "0"},
		{OfHundred(0.5), "50"}, {OfHundred(0.051), "5.1"}, {OfHundred(0.05), "5"}, {OfHundred(0.0004), "0.04"},
		{OfRows(0, 9), "none of 9"}, {OfRows(0.5, 8), "4 of 8"}, {OfRows(0.5, 10), "50"},
		{NoneOr(0), "none"}, {NoneOr(2), "2"}, {Rounded("5.0 %"), "5 %"}, {Rounded("5.1 %"), "5.1 %"},
		{Beside(0.8996, 0.9, 1), "89.96 %"}, {Beside(0.9, 0.9, 1), "90 %"}, {Fixed(-0.0001, 2), "0.00"}, {Fixed(1.005, 1),
			"1.0"}, {Gap("0.25", "0.1234"), "0.13"}, {Gap("10,000", "9,000"), "1000"},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}

// Large numbers are written out.
func TestSignificant(t *testing.T) {
	for _, tc := range []struct {
		n       float64
		figures int
		want    string
	}{{3000, 3, "3000"}, {18948.89, 2, "19000"}, {0.0405, 2, "0.041"}, {0.04, 2, "0.04"}, {123.4, 3, "123"},
		{5.55, 2, "5.5"}, {2e12, 2, "2e+12"}, {0, 2, "0"}} {
		if got := Significant(tc.n, tc.figures); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.n, got, tc.want)
		}
	}
}
