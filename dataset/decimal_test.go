package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestDecimalComma(t *testing.T) {
	schema := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"1,5", "p"}}}
	for _, c := range []good{
		{"numbers", "x;y\n1,5;a\n-,25;b\n 3 ;a\n1,5e3;b\n;a\n", Options{Decimal: ','}, "x=1.5,-0.25,3,1500,_ -> a,b,a,b,a",
			""},
		{"in quotes", "x,y\n\"1,5\",a\n\"0,25\",b\n2,a\n3,b\n", Options{Decimal: ','}, "x=1.5,0.25,2,3 -> a,b,a,b", ""},
		{"categories stay as they are", "x;c;y\n1,5;1,5;a\n2,5;p;b\n1,5;1,5;b\n2;p;a\n", Options{Decimal: ',',
			Categorical: []string{"c"}},
			"x=1.5,2.5,1.5,2 c(1,5|p)=1,5,p,1,5,p -> a,b,b,a", ""},
		{"words for missing", "x;y\n-9,0;a\n-9;b\n0,5;a\nNA;b\n", Options{Decimal: ',', Missing: []string{"-9", "NA"}},
			"x=_,_,0.5,_ -> a,b,a,b", ""},
		{"weights and amounts", "x;w;m;y\n1,5;0,5;12,50;a\n2;2;0;b\n3;1,5;1;a\n4;1;1;b\n", Options{Decimal: ',', Weight: "w",
			Amount: "m"}, "x=1.5,2,3,4 m=12.5,0,1,1 -> a,b,a,b", ""},
		{"dates are words", "x;d;y\n1,5;01.02.2024;a\n2,5;01.03.2024;b\n3,5;01.03.2024;b\n4,5;01.02.2024;a\n",
			Options{Decimal: ','}, "x=1.5,2.5,3.5,4.5 d(01.02.2024|01.03.2024)=01.02.2024,01.03.2024,01.03.2024,01.02.2024 -> " +
				"a,b,b,a", ""},
		{"at prediction", "c;x\n1,5;1,5\np;2\n", Options{Decimal: ',', Schema: schema}, "x=1.5,2 c(1,5|p)=1,5,p ->", ""},
		{"a point says what is so anyway", "x,y\n1.5,a\n2,b\n3,a\n4,b\n", Options{Decimal: '.'}, "x=1.5,2,3,4 -> a,b,a,b",
			""},
	} {
		c.run(t)
	}
}

func TestDecimalCommaRefused(t *testing.T) {
	const points = "; write them with plain digits and a decimal comma, or leave --decimal out where the mark is a point"
	for _, c := range []bad{
		{"a point", "x;y\n1.5;a\n2.5;b\n", Options{Decimal: ','}, data,
			`in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "1.5" in line 2, "2.5" in line 3` + points + `, or use --categorical x or --ignore x`},
		{"thousands", "x;y\n1,5;a\n1.500;b\n1.234,5;a\n", Options{Decimal: ','}, data,
			`in.csv:3:1: column "x": mixes numbers and what looks like numbers: 2 of 3 cells: "1.500" in line 3, "1.234,5" in line 4` + points},
		{"a weight with a point", "x;w;y\n1;0.5;a\n2;1;b\n", Options{Decimal: ',', Weight: "w"}, data,
			`in.csv:2:3: column "w": "0.5" is not a weight; write a finite number that is not negative; if the point is the decimal mark, leave --decimal out`},
		{"a weight with a comma", "x;w;y\n1;0,5;a\n2;1;b\n", Options{Weight: "w"}, data,
			`in.csv:2:3: column "w": "0,5" is not a weight; write a finite number that is not negative; if the comma is the decimal mark, use --decimal ','`},
		{"an amount with a comma", "x;w;y\n1;0,5;a\n2;1;b\n", Options{Amount: "w"}, data,
			`in.csv:2:3: column "w": "0,5" is not a number; write digits, with a point if need be; if the comma is the decimal mark, use --decimal ','`},
		{"an amount with a point", "x;w;y\n1;0.5;a\n2;1;b\n", Options{Amount: "w", Decimal: ','}, data,
			`in.csv:2:3: column "w": "0.5" is not a number; write digits, with a comma if need be; if the point is the decimal mark, leave --decimal out`},
		{"at prediction", "x\n\"1,5\"\n", Options{Schema: Schema{{Name: "x"}}}, data,
			`in.csv:2:1: column "x": 1 of 1 cell is not a number, as the model needs: "1,5" in line 2; if the comma is the decimal mark, use --decimal ','; else write it with plain digits and a decimal point`},
		{"a point at prediction", "x\n0.8\n", Options{Schema: Schema{{Name: "x"}}, Decimal: ','}, data,
			`in.csv:2:1: column "x": 1 of 1 cell is not a number, as the model needs: "0.8" in line 2; write it with plain digits and a decimal comma, or leave --decimal out where the mark is a point`},
		{"another mark", "x;y\n1;a\n2;b\n", Options{Decimal: ';'}, usage,
			`in.csv: ';' is no decimal mark; use a point or a comma with --decimal`},
		{"a quantity of few values as label", rowsOf("x;y", 30, func(i int) string { return fmt.Sprintf("1;%d,5", i) }),
			Options{Decimal: ','}, data,
			`in.csv: column "y": 30 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`},
		{"a quantity as label", rowsOf("x;y", 120, func(i int) string {
			return "1;" + strings.Repeat("1", i%11+1) + ",5" +
				strings.Repeat("2", i/11)
		}), Options{}, data,
			`in.csv: column "y": 120 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`},
	} {
		c.run(t)
	}
}

func TestDecimalCommaOfWeights(t *testing.T) {
	f, err := ReadCSV(strings.NewReader("x;w;m;y\n1,5;0,5;12,50;a\n2;2;0;b\n"), "in.csv", Options{Target: "y",
		Decimal: ',', Weight: "w", Amount: "m"})
	if err != nil || !slices.Equal(f.Weight, []float64{0.5, 2}) || !slices.Equal(f.Amount, []float64{12.5, 0}) {
		t.Errorf("weights %v, amounts %v, %v", f.Weight, f.Amount, err)
	}
}
