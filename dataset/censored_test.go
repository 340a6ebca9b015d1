package dataset

import "testing"

// A value that is below or above what can be measured is no word to be taken as missing.
func TestCensored(t *testing.T) {
	for _, c := range []struct {
		cell, number string
		low          bool
	}{
		{"<0.05", "0.05", true}, {"< 5", "5", true}, {"<=1e-3", "1e-3", true}, {"≤0,5", "0,5", true}, {"<1,234.5", "1,234.5",
			true},
		{">100", "100", false}, {">=-2", "-2", false}, {"≥7", "7", false},
		{"", "", false}, {"<", "", false}, {"<<5", "", false}, {"<b", "", false}, {"5<", "", false}, {"–5", "", false},
		{"5", "", false},
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
			`in.csv:3:1: column "x": mixes numbers and what is below or above a number: 1 of 2 cells: "<0.05" in line 3; write "<0.05" as 0.05 (or half of it), as --missing would lose that the value is low, or use --number x`},
		{"with a decimal comma", "x;y\n1,5;a\n<0,05;b\n", Options{Decimal: ','}, data,
			`in.csv:3:1: column "x": mixes numbers and what is below or above a number: 1 of 2 cells: "<0,05" in line 3; write "<0,05" as 0,05 (or half of it), as --missing would lose that the value is low, or use --number x`},
		{"with a decimal comma that nobody told of", "x;y\n1,5;a\n2,5;a\n7;a\n<0,05;b\n", Options{}, data,
			`in.csv:2:1: column "x": mixes numbers and what looks like numbers: 3 of 4 cells: "1,5" in line 2, "2,5" in line 3, "<0,05" in line 5; write "<0,05" as 0,05 (or half of it), as --missing would lose that the value is low; if the comma is the decimal mark, use --decimal ','; else write other numbers with plain digits and a decimal point`},
		{"beside numbers that are written otherwise", "x,y\n1,a\n<0.01,b\n\"1,234\",a\n>100,b\n7.5,a\n", Options{}, data,
			`in.csv:3:1: column "x": mixes numbers and text: 3 of 5 cells are not numbers: "<0.01" in line 3, "1,234" in line 4, ">100" in line 5; write "<0.01" as 0.01 (or half of it) and ">100" as 100, as --missing would lose that the values are low and high; write other numbers with plain digits and a decimal point`},
		{"and words, of which there are more than numbers", "x,y\n1,a\n<0.01,b\n1’234,a\nn/a,b\n", Options{}, data,
			`in.csv:3:1: column "x": mixes numbers and text: 3 of 4 cells are not numbers: "<0.01" in line 3, "1’234" in line 4, "n/a" in line 5; write "<0.01" as 0.01 (or half of it), as --missing would lose that the value is low; write other numbers with plain digits and a decimal point; for words use --missing n/a`},
		{"beside words", "x,y\n1,a\n<0.01,b\nn/a,b\n", Options{}, data,
			`in.csv:3:1: column "x": mixes numbers and what is below or above a number: 1 of 3 cells: "<0.01" in line 3; write "<0.01" as 0.01 (or half of it), as --missing would lose that the value is low; correct the other cells, or use --missing n/a, --categorical x or --ignore x`},
		{"of new rows", "x\n1\n>7\n", Options{Schema: schema}, data,
			`in.csv:3:1: column "x": 1 of 2 cells is not a number, as the model needs: ">7" in line 3; write ">7" as 7, as --missing would lose that the value is high`},
		{"of new rows, beside others", "x\n1\n>7\n1 200\n", Options{Schema: schema}, data,
			`in.csv:3:1: column "x": 2 of 3 cells are not numbers, as the model needs: ">7" in line 3, "1 200" in line 4; write ">7" as 7, as --missing would lose that the value is high; write other numbers with plain digits and a decimal point`},
	} {
		c.run(t)
	}
}
