package forest

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// Against other programs, on public sets. Their figures lie in testdata, beside the scripts that made them.

// publicSet reads a public benchmark set without missing cells.
func publicSet(t *testing.T, name string) *dataset.Frame {
	t.Helper()
	skipFigures(t)
	folder := os.Getenv("RFPRAGMA_DATA")
	if folder == "" {
		t.Skip("set RFPRAGMA_DATA to a folder with the public benchmark sets, NAME/NAME.csv, see README")
	}
	file, err := os.Open(filepath.Join(folder, name, name+".csv"))
	if os.IsNotExist(err) {
		t.Skipf("the folder RFPRAGMA_DATA has no %s; see README", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	frame, err := dataset.ReadCSV(file, name, dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// peerRows reads the rows of a file of figures as maps by column.
func peerRows(t *testing.T, name string) []map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, error %v", name, len(rows), err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for j, cell := range row {
			m[rows[0][j]] = cell
		}
		out = append(out, m)
	}
	return out
}

func number(t *testing.T, row map[string]string, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(row[name], 64)
	if err != nil {
		t.Fatalf("%v: %s: %v", row, name, err)
	}
	return v
}

// agree compares the mean of our figures with that of a peer, both over as many seeds: they may differ by
// three standard errors of the difference and by a little, which is there because the programs are not the same.
func agree(t *testing.T, ours []float64, peer map[string]string, little float64) {
	t.Helper()
	n, mean, squares := float64(len(ours)), 0.0, 0.0
	for _, v := range ours {
		mean += v / n
	}
	for _, v := range ours {
		squares += (v - mean) * (v - mean)
	}
	sd, theirs, theirSD := math.Sqrt(squares/(n-1)), number(t, peer, "mean"), number(t, peer, "sd")
	allowed := 3*math.Sqrt(sd*sd/n+theirSD*theirSD/n) + little
	t.Logf("ours %.5f (sd %.5f), theirs %.5f (sd %.5f), difference %+.5f, allowed %.5f", mean, sd, theirs, theirSD,
		mean-theirs, allowed)
	if n != number(t, peer, "seeds") || math.Abs(mean-theirs) > allowed {
		t.Errorf("ours %.5f over %v seeds, %s has %.5f over %s: they differ by more than %.5f", mean, n, peer["version"],
			theirs, peer["seeds"], allowed)
	}
}

// everyFifth returns the rows 0, 5, 10, ... and the others.
func everyFifth(n int) (fifth, others []int) {
	for i := range n {
		if i%5 == 0 {
			fifth = append(fifth, i)
		} else {
			others = append(others, i)
		}
	}
	return fifth, others
}

// The out-of-bag error is that of R's randomForest, which is Breiman and Cutler's program. Besides
// noise a hundredth of the error and 0.0005 are allowed: it breaks ties of votes and of splits at random
// and cuts between neighbours of the node, we by rank among all values.
func TestPeerRandomForest(t *testing.T) {
	for _, peer := range peerRows(t, "oob.csv") {
		t.Run(peer["set"], func(t *testing.T) {
			frame := publicSet(t, peer["set"])
			if peer["set"] == "letter" {
				fifth, _ := everyFifth(frame.Rows())
				frame = frame.Take(fifth)
			}
			cfg := Config{Trees: int(number(t, peer, "trees"))}
			if frame.Rows() != int(number(t, peer, "rows")) || cfg.Resolved(len(frame.Columns)).Mtry != int(number(t, peer,
				"mtry")) {
				t.Fatalf("%d rows, mtry %d", frame.Rows(), cfg.Resolved(len(frame.Columns)).Mtry)
			}
			var errors []float64
			for seed := range uint64(20) {
				cfg.Seed = seed
				_, oob := mustGrow(t, frame, cfg)
				right, _ := oob.Confuse(nil).Accuracy()
				errors = append(errors, 1-right)
			}
			agree(t, errors, peer, 0.0005+0.01*number(t, peer, "mean"))
		})
	}
}

// Extra-trees, entropy and the shares in leaves of at least 5 are those of scikit-learn, on rows that did not
// train. Besides noise 0.001 is allowed in accuracy, for ties, and 0.005 in log loss, for shares in whole thousandths.
func TestPeerScikitLearn(t *testing.T) {
	settings := map[string]Config{
		"extra":   {RandomCuts: true, NoReplacement: true, Fraction: 1, Soft: true},
		"entropy": {Criterion: Entropy, Soft: true},
		"leaf":    {MinLeaf: 5, Soft: true},
	}
	for _, peer := range peerRows(t, "sklearn.csv") {
		t.Run(peer["what"]+" "+peer["set"], func(t *testing.T) {
			frame := publicSet(t, peer["set"])
			test, train := everyFifth(frame.Rows())
			training, fresh := frame.Take(train), frame.Take(test)
			cfg, judge, little := settings[peer["what"]], func(v *vote.Table) float64 {
				a,
					_ := v.Confuse(nil).Accuracy()
				return a
			}, 0.001
			if peer["what"] == "leaf" {
				judge, little = logLoss, 0.005
			}
			cfg.Trees = int(number(t, peer, "trees"))
			var figures []float64
			for seed := range uint64(20) {
				cfg.Seed = seed
				f, _ := mustGrow(t, training, cfg)
				votes, err := f.Votes(context.Background(), fresh, 0)
				if err != nil {
					t.Fatal(err)
				}
				figures = append(figures, judge(votes))
			}
			agree(t, figures, peer, little)
		})
	}
}

// logLoss of the shares of the votes, 0 taken as 1e-4 as in reference.py.
func logLoss(v *vote.Table) float64 {
	sum := 0.0
	for i, votes := range v.Judged() {
		sum -= math.Log(max(float64(votes[v.Truth[i]])/float64(vote.Total(votes)), 1e-4))
	}
	return sum / float64(v.Rows())
}

// The root splits by Hellinger and Pragma are those of ranger and rpart, see testdata/splits.R: the same feature,
// and as many rows left. (The next cuts need not be: of equally good ones each program takes its own.)
func TestPeerSplits(t *testing.T) {
	for _, peer := range peerRows(t, "splits.csv") {
		t.Run(peer["what"]+" "+peer["set"], func(t *testing.T) {
			frame := publicSet(t, peer["set"])
			rows := frame.ClassWeights()
			rare, cfg := slices.Index(rows, slices.Min(rows)), Config{Trees: 1, Mtry: len(frame.Columns), NoReplacement: true,
				Fraction: 1, MaxDepth: 1, Criterion: Hellinger}
			if peer["what"] == "pragma" {
				cfg.Criterion, cfg.Slopes = Pragma, slices.Repeat([]Slope{{0.5, 0.5}}, len(rows))
				cfg.Slopes[rare] = Slope{9, 1}
			}
			f, _ := mustGrow(t, frame, cfg)
			root, left := f.Tree(0).Node(0), 0
			column := frame.Columns[root.Feature]
			for i := range frame.Rows() {
				if column.At(i) <= root.Threshold {
					left++
				}
			}
			if column.Name != peer["feature"] || left != int(number(t, peer, "left")) || frame.Rows() != int(number(t, peer,
				"rows")) {
				t.Errorf("%s is cut after %d of %d rows, by %s %s after %s of %s", column.Name, left, frame.Rows(), peer["version"],
					peer["feature"], peer["left"], peer["rows"])
			}
		})
	}
}
