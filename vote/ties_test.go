package vote_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/vote"
)

// votesOf writes rows, each a class and its votes, as CSV with these names of the classes.
func votesOf(names []string, rows [][]int) string {
	var b strings.Builder
	fmt.Fprintln(&b, "class,"+strings.Join(names, ","))
	for _, row := range rows {
		b.WriteString(names[row[0]])
		for _, v := range row[1:] {
			fmt.Fprintf(&b, ",%d", v)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Which of equally common classes wins ties depends neither on their names nor on the order of columns and rows,
// and rows that are merged are as good as single ones. Their condensed tables have the rows in one order.
func TestTiesOfEquallyCommonClasses(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 41))
		k := 2 + rng.IntN(3)
		var rows [][]int
		for i := range 6 * k {
			row := []int{i % k}
			for range k {
				row = append(row, rng.IntN(4))
			}
			row[1+i%k]++
			rows = append(rows, row)
		}
		names := []string{"e", "f", "g", "h"}[:k]
		a, err := vote.ReadCSV(strings.NewReader(votesOf(names, rows)), "a", vote.CSVOptions{})
		if err != nil {
			t.Fatal(err)
		}
		others := slices.Clone(names)
		rng.Shuffle(k, func(i, j int) { others[i], others[j] = others[j], others[i] })
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		b, err := vote.ReadCSV(strings.NewReader(votesOf(others, rows)), "b", vote.CSVOptions{})
		if err != nil {
			t.Fatal(err)
		}
		to := func(order []int) (named []string) { // by the names of a
			for _, c := range order {
				named = append(named, names[slices.Index(others, b.Classes[c])])
			}
			return named
		}
		var want []string
		for _, c := range a.TieOrder() {
			want = append(want, a.Classes[c])
		}
		if got := to(b.TieOrder()); !slices.Equal(got, want) {
			t.Fatalf("seed %d: ties go to %v, renamed and in another order to %v", seed, want, got)
		}
		if merged := a.Condense().Merge(a.Classes); !slices.Equal(merged.TieOrder(), a.TieOrder()) {
			t.Fatalf("seed %d: ties go to %v, of merged rows to %v", seed, a.TieOrder(), merged.TieOrder())
		}
		x, y := a.Condense(), b.Condense()
		for i := range x.Truth {
			for at := range k {
				if x.Votes(i)[a.TieOrder()[at]] != y.Votes(i)[b.TieOrder()[at]] {
					t.Fatalf("seed %d: row %d has the votes %v, and of the renamed table %v", seed, i, x.Votes(i), y.Votes(i))
				}
			}
		}
	}
}

// Worked by hand: the first of the two classes is no longer named first.
func TestTiesFollowFromRows(t *testing.T) {
	read := func(text string) *vote.Table {
		table, err := vote.ReadCSV(strings.NewReader(text), "v.csv", vote.CSVOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	a := read("class,ill,well\nill,3,1\nwell,0,4\n")
	b := read("class,b,a\nb,3,1\na,0,4\n") // b is ill
	if a.TieOrder()[0] != 1-b.TieOrder()[0] {
		t.Errorf("ties go to class %d of %v and to class %d of %v", a.TieOrder()[0], a.Classes, b.TieOrder()[0], b.Classes)
	}
	if c := read("class,ill,well\nill,3,1\nwell,0,4\nwell,0,4\n"); c.Ties != nil || c.TieOrder()[0] != 1 {
		t.Errorf("of classes that are not equally common ties go to %v", c.TieOrder())
	}
	if diff := cmp.Diff([]int{0, 1}, read("ill,well\n3,1\n").TieOrder()); diff != "" {
		t.Errorf("without labels: %s", diff)
	}
}
