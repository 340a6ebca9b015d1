package forest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// A forest is grown on the rows of a frame; the votes of the trees that did not see a row
// come with it.
func ExampleGrow() {
	train := dataset.Wave(500, 3, 1)
	f, oob, err := forest.Grow(context.Background(), train, forest.Config{Trees: 100, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	accuracy, _ := oob.Confuse(nil).Accuracy()
	fmt.Println(f.Trees(), "trees, out-of-bag accuracy above 0.8:", accuracy > 0.8)
	// Output: 100 trees, out-of-bag accuracy above 0.8: true
}

// Votes are raw counts, one vote for each tree.
func ExampleForest_Vote() {
	train := dataset.Wave(500, 3, 1)
	f, _, err := forest.Grow(context.Background(), train, forest.Config{Trees: 100, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	row, votes := make([]float64, len(train.Columns)), make([]uint32, len(train.Classes))
	train.Row(row, 0)
	f.Vote(votes, row)
	fmt.Println(votes[0]+votes[1]+votes[2], "votes for", len(f.Classes), "classes")
	// Output: 100 votes for 3 classes
}

// Parts of a forest, grown on two machines, are the forest that would have been grown at once.
func ExampleMerge() {
	ctx := context.Background()
	train := dataset.Wave(500, 3, 1) // on both machines
	config := forest.Config{Trees: 100, Seed: 1}

	here, votes, err := forest.GrowTrees(ctx, train, config, 0, 60) // trees 0 to 59
	if err != nil {
		log.Fatal(err)
	}
	there, more, err := forest.GrowTrees(ctx, train, config, 60, 100)
	if err != nil {
		log.Fatal(err)
	}
	whole, err := forest.Merge(here, there)
	if err != nil {
		log.Fatal(err)
	}
	if err := votes.Add(more); err != nil {
		log.Fatal(err)
	}
	fmt.Println(whole.Trees(), "trees, votes of", votes.Trees)
	// Output: 100 trees, votes of 100
}
