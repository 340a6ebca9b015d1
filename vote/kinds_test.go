package vote_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Votes and scores of other columns in another order are the same counts: what the scores are divided by is a sum,
// and its last bits depend on no order.
func TestReadCSVHoweverListed(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		k := 3 + rng.IntN(4)
		to := rng.Perm(k)
		read := func(name func(c int) string) *vote.Table {
			rng := rand.New(rand.NewPCG(seed, 6))
			var text strings.Builder
			text.WriteString("class")
			for c := range k {
				text.WriteString("," + name(c))
			}
			for range 20 {
				text.WriteString("\n" + name(rng.IntN(k)))
				for range k {
					fmt.Fprintf(&text, ",%.3f", rng.Float64())
				}
			}
			table, err := vote.ReadCSV(strings.NewReader(text.String()), "scores.csv", vote.CSVOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return table
		}
		a := read(func(c int) string { return fmt.Sprint("a", c) })
		b := read(func(c int) string { return fmt.Sprint("b", to[c]) })
		for c := range k {
			if a.Share[c] != b.Share[to[c]] {
				t.Fatalf("seed %d: share %v of class %d becomes %v", seed, a.Share[c], c, b.Share[to[c]])
			}
		}
		for i := range a.Truth {
			for c, v := range a.Votes(i) {
				if b.Votes(i)[to[c]] != v {
					t.Fatalf("seed %d, row %d: votes %v become %v by %v", seed, i, a.Votes(i), b.Votes(i), to)
				}
			}
		}
		order := slices.Clone(a.TieOrder())
		for at, c := range order {
			order[at] = to[c]
		}
		if !slices.Equal(order, b.TieOrder()) {
			t.Fatalf("seed %d: order %v becomes %v by %v", seed, a.TieOrder(), b.TieOrder(), to)
		}
		w, v := make(vote.Weights, k), make(vote.Weights, k)
		for c := range k {
			w[c] = 0.1 + rng.Float64()
			v[to[c]] = w[c]
		}
		p, q := make([]float64, k), make([]float64, k)
		for i := range a.Truth {
			tables.Shares(w, p, a.Votes(i))
			tables.Shares(v, q, b.Votes(i))
			for c := range k {
				if p[c] != q[to[c]] {
					t.Fatalf("seed %d, row %d: shares %v become %v by %v", seed, i, p, q, to)
				}
			}
		}
	}
}

// A word before the class, as programs write it, is told from another class.
func TestReadCSVPrefixed(t *testing.T) {
	for header, want := range map[string]string{
		"prob_ill,prob_well": `unknown class "ill"; call each column as its class: "ill" and not "prob_ill"`,
		".pred.ill,well":     `"ill" and not ".pred.ill"`,
		"sick,well":          `unknown class "ill"; known are "sick", "well"`,
	} {
		_, err := vote.ReadCSV(strings.NewReader("class,"+header+"\nill,0.4,0.6\n"), "v.csv", vote.CSVOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", header, err, want)
		}
	}
}
