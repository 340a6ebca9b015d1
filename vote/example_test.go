package vote_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/rfpragma/rfpragma/vote"
)

// Four rows, two of them ill. Ten trees voted.
var table = &vote.Table{
	Classes: []string{"ill", "well"},
	Truth:   []int{0, 0, 1, 1},
	Counts:  []uint32{6, 4, 3, 7, 2, 8, 0, 10},
	Share:   []float64{0.5, 0.5},
	Source:  vote.CV,
	Trees:   10,
}

func ExampleTable_Confuse() {
	plain := table.Confuse(nil)
	weighed := table.Confuse(vote.Weights{3, 1})
	fmt.Println("ill found by majority:", plain.Hits(0), "of", plain.True(0))
	fmt.Println("ill found at weight 3:", weighed.Hits(0), "of", weighed.True(0))
	// Output:
	// ill found by majority: 1 of 2
	// ill found at weight 3: 2 of 2
}

func ExampleRule_Decide() {
	rule := vote.NewRule(vote.Weights{4, 1}, []int{1, 0})
	fmt.Println(rule.Decide([]uint32{30, 70}), rule.Decide([]uint32{20, 80}), rule.Decide([]uint32{10, 90}))
	// Output: 0 1 1
}

func ExampleTable_Compress() {
	t := &vote.Table{
		Classes: []string{"ill", "well"},
		Truth:   []int{1, 0, 1, 1},
		Counts:  []uint32{0, 3, 1, 2, 0, 3, 0, 3},
	}
	h := t.Compress()
	for i := range h.Truth {
		fmt.Println(h.Votes(i), h.Classes[h.Truth[i]], h.Weight[i])
	}
	// Output:
	// [0 3] well 3
	// [1 2] ill 1
}

func ExamplePrior() {
	fmt.Println(vote.Prior([]float64{0.2, 0.8}))
	// Output: [4 1]
}

func ExampleReadCSV() {
	text := "class,well,ill\nill,17,3\nwell,20,0\n"
	t, err := vote.ReadCSV(strings.NewReader(text), "votes.csv", vote.CSVOptions{})
	fmt.Println(t.Classes, t.Counts, t.Truth, t.Trees, err)
	_, err = vote.ReadCSV(strings.NewReader("class,well,ill\nill,-1,3\n"), "votes.csv", vote.CSVOptions{})
	fmt.Println(err)
	// Output:
	// [ill well] [3 17 0 20] [0 1] 20 <nil>
	// votes.csv:2:5: column "well": "-1" is negative; a number of votes is 0 or more, and so is a score: give probabilities, or exp(x) in the place of log odds x
}

func ExampleWriteCSV() {
	if err := vote.WriteCSV(os.Stdout, table, "status"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// status,ill,well
	// ill,6,4
	// ill,3,7
	// well,2,8
	// well,0,10
}
