package foreign_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/foreign"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Finding the fraud matters ten times more than the rest.
var spec = pragma.Spec{"fraud": pragma.Priority()}

// judged is what votes on new rows are worth, by the majority and under weights and maps that
// were fitted on held-out votes.
type judged struct {
	plain, tuned       *vote.Confusion
	lossPlain, loss    float64 // PRAGMA
	logPlain, logLoss  float64
	probability, share float64 // mean probability of the first class, and its share of the rows
}

// judge fits weights and maps on held, and judges them by fresh. Nothing here knows whose
// forest the votes are of.
func judge(ctx context.Context, held, fresh *vote.Table) (judged, error) {
	measure, err := spec.Measure(held.Classes)
	if err != nil {
		return judged{}, err
	}
	found, err := rfpragma.Config{}.Tune(ctx, held, measure)
	if err != nil {
		return judged{}, err
	}
	maps, _, err := rfpragma.Config{}.Calibrate(context.Background(), held)
	if err != nil {
		return judged{}, err
	}
	k := len(held.Classes)
	var shares, probabilities []float64
	j := judged{plain: fresh.Confuse(nil), tuned: fresh.Confuse(found.Weights)}
	for i, truth := range fresh.Truth {
		p := make([]float64, k)
		rfpragma.Probabilities(rfpragma.Uncalibrated(fresh.TieOrder()), p, fresh.Votes(i), fresh.Unit())
		shares = append(shares, p...)
		rfpragma.Probabilities(maps, p, fresh.Votes(i), fresh.Unit())
		probabilities = append(probabilities, p...)
		j.probability += p[0] / float64(fresh.Rows())
		if truth == 0 {
			j.share += 1 / float64(fresh.Rows())
		}
	}
	j.lossPlain, j.loss = measure.Loss(j.plain), measure.Loss(j.tuned)
	j.logPlain, j.logLoss = calib.LogLoss(shares, fresh.Truth, nil, k), calib.LogLoss(probabilities, fresh.Truth, nil, k)
	return j, nil
}

// The forest of another Go package, with weights and probabilities of ours. It keeps no
// out-of-bag votes, so forests on the other folds vote on each row. It draws its own seeds:
// every run has other figures, and what is printed holds in all of them.
func Example() {
	train, later := dataset.Fraud(3000, 1), dataset.Fraud(3000, 2)
	peer, _, err := foreign.Find("malaschitz")
	if err != nil {
		fmt.Println(err)
		return
	}
	config := foreign.Config{Trees: 60, Mtry: 3, Workers: 2}
	held, err := peer.HeldOut(train, 5, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	j, err := judge(context.Background(), held, peer.Votes(train, later, config))
	if err != nil {
		fmt.Println(err)
		return
	}
	before, _ := j.plain.Recall(0)
	after, _ := j.tuned.Recall(0)
	fmt.Println("more fraud is found on new rows:", after > before)
	fmt.Println("the loss is lower on new rows:", j.loss < j.lossPlain)
	fmt.Println("the mean probability is within 0.01 of the share of fraud:", max(j.probability-j.share, j.share-j.probability) < 0.01)
	// Output:
	// more fraud is found on new rows: true
	// the loss is lower on new rows: true
	// the mean probability is within 0.01 of the share of fraud: true
}

// Votes that scikit-learn and R's randomForest have written, see votes.py and votes.R.
func Example_files() {
	for _, name := range []string{"scikit-learn", "randomForest"} {
		held, err := readVotes("testdata/" + name + ".oob.csv")
		if err != nil {
			fmt.Println(err)
			return
		}
		fresh, err := readVotes("testdata/" + name + ".new.csv")
		if err != nil {
			fmt.Println(err)
			return
		}
		fresh.Share = held.Share // ties go to the class that is more common in training
		j, err := judge(context.Background(), held, fresh)
		if err != nil {
			fmt.Println(err)
			return
		}
		before, _ := j.plain.Recall(0)
		after, _ := j.tuned.Recall(0)
		fmt.Printf("%s, on new rows: fraud found %.2f → %.2f, PRAGMA %.3f → %.3f, log loss %.4f → %.4f\n",
			name, before, after, j.lossPlain, j.loss, j.logPlain, j.logLoss)
	}
	// Output:
	// scikit-learn, on new rows: fraud found 0.52 → 0.83, PRAGMA 0.420 → 0.210, log loss 0.0468 → 0.0449
	// randomForest, on new rows: fraud found 0.50 → 0.84, PRAGMA 0.429 → 0.214, log loss 0.0479 → 0.0468
}

func readVotes(path string) (*vote.Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return vote.ReadCSV(f, path, vote.CSVOptions{})
}
