package export

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

// fields reads a message of Protocol Buffers: the values of each field, numbers as their bytes.
func fields(t *testing.T, b []byte) map[int][][]byte {
	t.Helper()
	of := map[int][][]byte{}
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		b = b[n:]
		size := uint64(4) // a float
		switch tag & 7 {
		case wireVarint:
			_, n := binary.Uvarint(b)
			size = uint64(n)
		case wireBytes:
			var n int
			size, n = binary.Uvarint(b)
			b = b[n:]
		case wireFixed:
		default:
			t.Fatalf("wire type %d", tag&7)
		}
		if size > uint64(len(b)) {
			t.Fatalf("field %d is cut short", tag>>3)
		}
		of[int(tag>>3)] = append(of[int(tag>>3)], b[:size])
		b = b[size:]
	}
	return of
}

// graphOf returns the fields of the graph that is written of a model.
func graphOf(t *testing.T, m *rfpragma.Model) (file, graph map[int][][]byte) {
	t.Helper()
	var out bytes.Buffer
	if err := ONNX(&out, m); err != nil {
		t.Fatal(err)
	}
	file = fields(t, out.Bytes())
	return file, fields(t, file[7][0])
}

// Field numbers are those of onnx.proto of ONNX 1.8; onnx.checker of ONNX 1.23 finds nothing wrong.
func TestHeadOfGraph(t *testing.T) {
	m := fit(t, frame(t, 1, 300, 3), rfpragma.Config{Forest: small(false)})
	file, graph := graphOf(t, m)
	if !bytes.Equal(file[1][0], []byte{irVersion}) || len(file[8]) != 2 {
		t.Errorf("version %v, %d sets of operators", file[1], len(file[8]))
	}
	for i, want := range []string{"\n\x00\x10\x0d", "\n\nai.onnx.ml\x10\x02"} {
		if string(file[8][i]) != want {
			t.Errorf("set %d of operators is %q", i, file[8][i])
		}
	}
	var classes []string
	if err := json.Unmarshal(fields(t, file[14][0])[2][0], &classes); err != nil || !slices.Equal(classes, m.Classes()) {
		t.Errorf("classes %v (%v)", classes, err)
	}
	names := func(list [][]byte) (names []string) {
		for _, value := range list {
			names = append(names, string(fields(t, value)[1][0]))
		}
		return names
	}
	if got := names(graph[11]); strings.Join(got, "|") != "x|y z|where|flag|code" {
		t.Errorf("inputs %q", got)
	}
	if got := names(graph[12]); strings.Join(got, "|") != "decision|probabilities|votes" {
		t.Errorf("outputs %q", got)
	}
}

// A column may have the name of an output.
func TestOutputsHaveNamesOfTheirOwn(t *testing.T) {
	text := strings.Replace(table(1, 300, 2), "x,y z,", "votes,votes_,", 1)
	rows, err := dataset.ReadCSV(strings.NewReader(text), "t.csv", dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	_, graph := graphOf(t, fit(t, rows, rfpragma.Config{Forest: small(false)}))
	if got := fields(t, graph[12][2])[1][0]; string(got) != "votes__" {
		t.Errorf("the votes are called %s", got)
	}
}

// ensembleOf is the first TreeEnsembleRegressor of a graph: its attributes by name, as whole numbers, and the modes.
func ensembleOf(t *testing.T, graph map[int][][]byte) (numbers map[string][]int, modes []string) {
	t.Helper()
	numbers = map[string][]int{}
	for _, raw := range graph[1] {
		node := fields(t, raw)
		if string(node[4][0]) != "TreeEnsembleRegressor" {
			continue
		}
		for _, raw := range node[5] {
			a := fields(t, raw)
			var list []int
			for _, packed := range a[7] {
				for ; len(packed) > 0; packed = packed[4:] {
					list = append(list, int(math.Float32frombits(binary.LittleEndian.Uint32(packed))))
				}
			}
			for _, packed := range a[8] {
				for len(packed) > 0 {
					v, n := binary.Uvarint(packed)
					list, packed = append(list, int(v)), packed[n:]
				}
			}
			for _, mode := range a[9] {
				modes = append(modes, string(mode))
			}
			numbers[string(a[1][0])] = list
		}
		return numbers, modes
	}
	t.Fatal("no trees")
	return nil, nil
}

// Walked by the definition of ONNX, the trees count the votes of the forest: also of missing cells and unknown levels,
// and where sets of levels are chains.
func TestTreesVoteAlike(t *testing.T) {
	for _, soft := range []bool{false, true} {
		rows := frame(t, 1, 600, 4)
		f := fit(t, rows, rfpragma.Config{Forest: small(soft)}).Forest
		_, parts := graphOf(t, fit(t, rows, rfpragma.Config{Forest: small(soft)}))
		numbers, modes := ensembleOf(t, parts)
		at := map[[2]int]int{} // of a tree and a node
		for i, node := range numbers["nodes_nodeids"] {
			at[[2]int{numbers["nodes_treeids"][i], node}] = i
		}
		c := newCuts(f)
		(&graph{known: map[string]string{}, columns: make([]string, len(f.Schema))}).rankCells(f, c, nil)
		x, want, got := make([]float64, len(f.Schema)), make([]uint32, 4), make([]uint32, 4)
		for i := range rows.Rows() {
			rows.Row(x, i)
			clear(want)
			clear(got)
			f.Vote(want, x)
			for tree := range f.Trees() {
				n := slices.Index(numbers["nodes_treeids"], tree) // the root stands first
				for modes[n] != "LEAF" {
					j := slices.Index(c.place, numbers["nodes_featureids"][n])
					left := numbers["nodes_missing_value_tracks_true"][n] == 1
					if rank, present := rankOf(f, c, j, x[j]); present {
						left = rank <= numbers["nodes_values"][n]
					}
					if left {
						n = at[[2]int{tree, numbers["nodes_truenodeids"][n]}]
					} else {
						n = at[[2]int{tree, numbers["nodes_falsenodeids"][n]}]
					}
				}
				for v, node := range numbers["target_nodeids"] {
					if numbers["target_treeids"][v] == tree && node == numbers["nodes_nodeids"][n] {
						got[numbers["target_ids"][v]] += uint32(numbers["target_weights"][v])
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("soft %v, row %d: votes %v, want %v", soft, i, got, want)
			}
		}
	}
}

// Soft votes of more trees than float32 sums exactly are summed in two groups.
func TestManyTreesAreGroups(t *testing.T) {
	m := fit(t, frame(t, 1, 60, 2), rfpragma.Config{Votes: vote.OOB,
		Forest: forest.Config{Trees: 17_000, MaxLeaves: 2, Soft: true}})
	_, graph := graphOf(t, m)
	groups := 0
	for _, raw := range graph[1] {
		if node := fields(t, raw); string(node[4][0]) == "TreeEnsembleRegressor" {
			groups++
		}
	}
	numbers, _ := ensembleOf(t, graph)
	if most := slices.Max(numbers["nodes_treeids"]) + 1; groups != 2 || most != 16_777 {
		t.Errorf("%d groups, the first of %d trees", groups, most)
	}
}

// rankOf is what trees see of a cell.
func rankOf(f *forest.Forest, c *cuts, feature int, v float64) (rank int, present bool) {
	if f.Schema[feature].Kind == dataset.Categorical {
		if v != v {
			return 0, true
		}
		return int(v) + 1, true
	}
	for _, at := range c.thresholds[feature] {
		if at < v {
			rank++
		}
	}
	return rank, v == v
}

// Texts that mean the same as a category name it; words for a missing cell name none.
func TestTexts(t *testing.T) {
	field := dataset.Field{Name: "flag", Kind: dataset.Categorical, Levels: []string{"false", "true"}}
	of := textsOf(field, []string{"n", "other=y"})
	for text, want := range map[string]int{"false": 0, "F": 0, "t": 1, "TRUE": 1, "Yes": 1, "y": 1} {
		if got, known := of[text]; !known || got != want {
			t.Errorf("%s is category %d (%v)", text, got, known)
		}
	}
	for _, text := range []string{"n", "", "maybe"} {
		if got, known := of[text]; known {
			t.Errorf("%s is category %d", text, got)
		}
	}
	field.Levels = []string{"", "10", "7", "7.5"}
	if of := textsOf(field, []string{"10.0"}); len(of) != 4 || of["7.0"] != 2 || of["10"] != 1 {
		t.Errorf("whole numbers: %v", of)
	}
}
