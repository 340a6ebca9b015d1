package dataset

import "testing"

// A value that is below or above what can be measured is no word to be taken as missing.
func TestCensored(t *testing.T) {
	for _, c := range []struct {
		cell, number string
		low          bool
	}{
		{"<0.05", "0.05", true}, {"< 5", "5", true}, {"<=1e-3", "1e-3", true}, {"≤0,5", "0,5", true}, {"<1,234.5", "1,234.5", true},
		{">100", "100", false}, {">=-2", "-2", false}, {"≥7", "7", false},
		{"", "", false}, {"<", "", false}, {"<<5", "", false}, {"<b", "", false}, {"5<", "", false}, {"–5", "", false}, {"5", "", false},
	} {
		if number, low := censored(c.cell); number != c.number || low != c.low {
			t.Errorf("%q: %q, %v; want %q, %v", c.cell, number, low, c.number, c.low)
		}
	}
}

func TestCensoredCells(t *testing.T) {
	schema := Schema{{Name: "x"}}
	for _, c := range []bad{
		{"of training", "x,y\n1,a\n<0.05,b\n", Options{}, data,
			`in.csv:3:1: column "x": mixes numbers and what is below or above a number: 1 of 2 cells: "<0.05" in line 3; write "<0.05" as 0.05 (or half of it), as --missing would lose that the value is low`},
		{"with a decimal comma", "x;y\n1,5;a\n<0,05;b\n", Options{Decimal: ','}, data,
			`in.csv:3:1: column "x": mixes numbers and what is below or above a number: 1 of 2 cells: "<0,05" in line 3; write "<0,05" as 0,05 (or half of it), as --missing would lose that the value is low`},
		{"with a decimal comma that nobody told of", "x;y\n1,5;a\n2,5;a\n7;a\n<0,05;b\n", Options{}, data,
			`in.csv:2:1: column "x": mixes numbers and what looks like numbers: 3 of 4 cells: "1,5" in line 2, "2,5" in line 3, "<0,05" in line 5; if the comma is the decimal mark, use --decimal ','; else write them with plain digits and a decimal point`},
		{"of new rows", "x\n1\n>7\n", Options{Schema: schema}, data,
			`in.csv:3:1: column "x": 1 of 2 cells is not a number, as the model needs: ">7" in line 3; write ">7" as 7, as --missing would lose that the value is high`},
	} {
		c.run(t)
	}
}
