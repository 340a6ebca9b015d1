package c45

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// Against J48 of Weka 3.6.14, whose figures lie in testdata beside the script that made them.

// folds is how many folds the script deals: row i is in fold i mod 10.
const folds = 10

// ofJ48 is a line of j48.csv: the tree grown outside of a fold, or on all rows where that is -1.
type ofJ48 struct {
	set, positive, tree             string
	fold, size, leaves, right, rows int
}

func readJ48(t *testing.T) []ofJ48 {
	t.Helper()
	file, err := os.Open("testdata/j48.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatalf("j48.csv: %d lines, error %v", len(lines), err)
	}
	var out []ofJ48
	for _, l := range lines[1:] {
		number := func(j int) int {
			if l[j] == "" {
				return -1
			}
			n, err := strconv.Atoi(l[j])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		out = append(out, ofJ48{set: l[0], positive: l[1], fold: number(2), size: number(3), leaves: number(4), tree: l[5], right: number(6), rows: number(7)})
	}
	return out
}

// publicSet reads a public benchmark set, and which of its columns are categorical from sets.json.
func publicSet(t *testing.T, folder, name, positive string) *dataset.Frame {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "sets.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sets []struct {
		Name        string
		Categorical []string
	}
	if err := json.Unmarshal(text, &sets); err != nil {
		t.Fatal(err)
	}
	o := dataset.Options{Target: "class", Positive: positive}
	for _, s := range sets {
		if s.Name == name {
			o.Categorical = s.Categorical
		}
	}
	frame := readFile(t, filepath.Join(folder, name, name+".csv"), o)
	for j := range frame.Columns { // truth values are read as one; J48 names them as the file does
		for l, level := range frame.Columns[j].Levels {
			if level == "true" || level == "false" {
				frame.Columns[j].Levels[l] = level[:1]
			}
		}
	}
	return frame
}

func readFile(t *testing.T, path string, o dataset.Options) *dataset.Frame {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	frame, err := dataset.ReadCSV(file, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// likeJ48 grows the trees of one set, and fails where one does not print as that of J48, or does not decide as
// many rows right.
func likeJ48(t *testing.T, frame *dataset.Frame, lines []ofJ48) {
	t.Helper()
	foldOf := make([]int, frame.Rows())
	for i := range foldOf {
		foldOf[i] = i % folds
	}
	for _, l := range lines {
		inside, outside := dataset.SplitFold(foldOf, l.fold)
		if l.fold < 0 {
			outside = inside
		}
		tree := grown(t, frame.Take(inside))
		table, err := tree.Votes(t.Context(), frame.Take(outside))
		if err != nil {
			t.Fatal(err)
		}
		if tree.Size() != l.size || tree.Leaves() != l.leaves {
			t.Errorf("fold %d: %d nodes and %d leaves, J48 has %d and %d", l.fold, tree.Size(), tree.Leaves(), l.size, l.leaves)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(tree.String())))[:16]; got != l.tree {
			t.Errorf("fold %d: a tree of hash %s, J48 has %s", l.fold, got, l.tree)
		}
		if m := table.Confuse(nil); hits(m) != l.right || int(m.Total()) != l.rows {
			t.Errorf("fold %d: %d of %v rows right, J48 has %d of %d", l.fold, hits(m), m.Total(), l.right, l.rows)
		}
	}
}

// hits returns the rows that were decided right.
func hits(m *vote.Confusion) int {
	right := 0.0
	for c := range m.Classes {
		right += m.Hits(c)
	}
	return int(right)
}

// linesOf returns the lines of a set.
func linesOf(lines []ofJ48, set string) []ofJ48 {
	return slices.DeleteFunc(slices.Clone(lines), func(l ofJ48) bool { return l.set != set })
}

func made(t *testing.T) *dataset.Frame {
	t.Helper()
	return readFile(t, "testdata/made.csv", dataset.Options{Target: "class"})
}

// On rows made up with noise, gaps and a column of too many levels. Subtrees are raised: outside of fold 0 J48's tree has 8 nodes, and
// without that (-S) 5.
func TestMadeLikeJ48(t *testing.T) {
	want, err := os.ReadFile("testdata/made.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := grown(t, made(t)).String(); got != string(want) {
		t.Errorf("the tree is\n%sthat of J48\n%s", got, want)
	}
	likeJ48(t, made(t), linesOf(readJ48(t), "made"))
}

func TestPublicSetsLikeJ48(t *testing.T) {
	folder := os.Getenv("RFPRAGMA_DATA")
	if folder == "" {
		t.Skip("set RFPRAGMA_DATA to a folder with the public benchmark sets, NAME/NAME.csv, see README")
	}
	all := readJ48(t)
	seen := map[string]bool{"made": true}
	for _, l := range all {
		if !seen[l.set] {
			seen[l.set] = true
			t.Run(l.set, func(t *testing.T) { likeJ48(t, publicSet(t, folder, l.set, l.positive), linesOf(all, l.set)) })
		}
	}
}
