package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

// manyRows has a column z of n values, and a label.
func manyRows(n int, z func(i int) string) string {
	return rowsOf("z,y", n, func(i int) string { return z(i) + "," + string("ab"[i%2]) })
}

// outlying returns what is said of values far from the others in a column.
func outlying(t *testing.T, text string) string {
	t.Helper()
	var said []string
	for _, line := range told(overviewOf(t, text, Options{Target: "y"})) {
		if strings.HasPrefix(line, inspected.Outlying) {
			said = append(said, line)
		}
	}
	return strings.Join(said, "\n")
}

func TestValuesFarApart(t *testing.T) {
	const look = "; trees heed only the order of values, but check whether it is an error"
	r := rand.New(rand.NewPCG(7, 7))
	ages := func(i int) string { return fmt.Sprint(20 + i%75) }
	with := func(odd ...string) func(i int) string {
		return func(i int) string {
			if i < len(odd) {
				return odd[i]
			}
			return ages(i)
		}
	}
	for _, c := range []struct {
		name string
		z    func(i int) string
		want string
	}{
		{"ages", ages, ""},
		{"an age of 455", with("455"), `outlying: column "z": the largest value, 455, stands far apart: the next is 94, the middle one 57` + look},
		{"three of them", with("455", "460", "460"),
			`outlying: column "z": the 3 largest values, from 455 on, stand far apart: the next is 94, the middle one 57` +
				strings.Replace(look, "it is an error", "they are errors", 1)},
		{"four of them", with("455", "460", "460", "500"), ""},
		{"too small", with("0.5"), `outlying: column "z": the smallest value, 0.5, stands far apart: the next is 20, the middle one 57` + look},
		{"below zero", func(i int) string { return "-" + with("455")(i) },
			`outlying: column "z": the smallest value, -455, stands far apart: the next is -94, the middle one -57` + look},
		{"of the other sign", with("-3"), ""},
		{"twice as old at least", with("180"), ""},
		{"money", func(int) string { return fmt.Sprintf("%.2f", math.Exp(3+1.5*r.NormFloat64())) }, ""},
		{"money that is mostly none", func(i int) string {
			return fmt.Sprintf("%.2f",
				max(0, math.Exp(3+1.5*r.NormFloat64())-60))
		}, ""},
		{"waiting times", func(int) string { return fmt.Sprintf("%.4f", r.ExpFloat64()) }, ""},
		{"a Pareto distribution", func(int) string { return fmt.Sprintf("%.2f", 1/(1-r.Float64())) }, ""},
	} {
		if got := outlying(t, manyRows(2000, c.z)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Of a hundred columns with long tails hardly any is said to have an outlier.
func TestLongTailsAreNoOutliers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	cried := 0
	for range 100 {
		if outlying(t, manyRows(300, func(int) string {
			return fmt.Sprintf("%.3f", math.Pow(1-r.Float64(),
				-1/1.5))
		})) != "" {
			cried++
		}
	}
	if cried > 3 {
		t.Errorf("%d of 100 Pareto distributions of exponent 1.5 are said to have an outlier", cried)
	}
}

func TestScarceClasses(t *testing.T) {
	text := rowsOf("x,y", 120, func(i int) string {
		label := "common"
		switch {
		case i == 0:
			label = "once"
		case i < 3:
			label = "twice"
		case i < 12:
			label = "rare"
		case i < 22:
			label = "enough"
		}
		return fmt.Sprintf("%d.5,%s", i*7%120, label)
	})
	want := []string{
		`labels: column "y": a single row for "once": too few to learn from and to judge by; to leave "once" out add --missing y=once --drop-unlabelled; new rows of it are then decided as another class; or, only if the same is done about both, merge it with another class, such as "enough": --merge-labels 'enough=enough,once'`,
		`labels: column "y": some classes have few rows: "rare" has 9, "twice" has 2; what is learnt and said of them is mostly chance; to leave "rare", "twice" out add --missing y=rare --missing y=twice --drop-unlabelled; new rows of them are then decided as another class; or, only if the same is done about all, merge them with another class, such as "enough": --merge-labels 'enough=enough,rare,twice'`,
	}
	got := told(overviewOf(t, text, Options{Target: "y"}))
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("findings\n got %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Rows are named by their numbers, unless some were left out before.
func TestRepeatedRowsAreNamed(t *testing.T) {
	text := "x,z,y\n1,5,\n2,5,a\n3,5,b\n2,5,a\n3,5,a\n2,5,b\n"
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Target: "y"}, "3 rows have the same features as an earlier one (row 4 as row 2, row 5 as row 3, row 6 as " +
			"row 2), 2 of \"a\", 1 of \"b\"; if they were entered twice, keep one of equal rows: else cross-validation judges " +
			"by rows that it has trained on"},
		{Options{Target: "y", DropUnlabelled: true}, "3 rows have the same features as an earlier one, 1 of \"b\"; if"},
	} {
		if got := strings.Join(told(overviewOf(t, text, c.o)), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s\nlacks %s", got, c.want)
		}
	}
	got := strings.Join(told(overviewOf(t, "x,y\n1,a\n1,a\n2,a\n1,a\n3,b\n4,b\n", Options{Target: "y"})), "\n")
	if want := "(row 2 as row 1, row 4 as row 1), all of the most common class, \"a\", of which that changes little; if " +
		"they were entered twice, keep one of equal rows"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nends not in %s", got, want)
	}
}
