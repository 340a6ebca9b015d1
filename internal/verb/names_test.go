package verb

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
)

// namedTables writes rows, votes and scores of k classes, and the rows to judge by, as files whose names begin with
// name. Classes are called by name and a digit, in the given order or the reverse.
func namedTables(t *testing.T, seed uint64, name string, k int, turned bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	even, weighed := rng.IntN(2) == 0, rng.IntN(2) == 0
	label := func(c int) string {
		if turned {
			c = k - 1 - c
		}
		return fmt.Sprint(name, c)
	}
	head := "x,y,"
	if weighed {
		head = "x,y,weight,"
	}
	tables := map[string]*strings.Builder{}
	for file, head := range map[string]string{"train": head + "class", "later": head + "class", "votes": "class",
		"scores": "class"} {
		tables[file] = &strings.Builder{}
		tables[file].WriteString(head)
	}
	for _, file := range []string{"votes", "scores"} {
		for c := range k {
			fmt.Fprint(tables[file], ",", label(c))
		}
	}
	for i := range 140 {
		truth := i % k
		if !even {
			truth = max(rng.IntN(k), rng.IntN(k))
		}
		row := fmt.Sprintf("\n%.1f,%.1f,", rng.NormFloat64()+float64(truth), rng.NormFloat64()-float64(truth%2))
		if weight := fmt.Sprintf("%.2f,", 0.1+rng.Float64()); weighed {
			row += weight
		}
		file := "train"
		if i%7 < 2 {
			file = "later"
		}
		tables[file].WriteString(row + label(truth))
		for _, file := range []string{"votes", "scores"} {
			fmt.Fprint(tables[file], "\n", label(truth))
			for c := range k {
				v := rng.Float64()
				if c == truth {
					v += 0.4
				}
				if file == "votes" {
					fmt.Fprintf(tables[file], ",%.0f", 20*v)
				} else {
					fmt.Fprintf(tables[file], ",%.4f", v)
				}
			}
		}
	}
	for file, text := range tables {
		write(t, name+file+".csv", text.String()+"\n")
	}
}

// listedByClass are keys whose lists are in the order of the classes.
var listedByClass = []string{"confusion", "confusion_plain", "confusion_before", "cost_matrix", "costs", "shares",
	"figures", "map_share", "prevalence", "plateau", "weight_origins"}

// notCompared are keys of sentences, which list classes as they are listed, of what names a table, and of a histogram
// whose parts are in the order of the classes.
var notCompared = []string{"votes_spread", "words", "warnings", "sha256", "data_sha256", "rows_sha256", "data", "preference", "spec",
	"name"}

// withoutNames returns a part of JSON with the classes called by their numbers, and what is by class in their order.
func withoutNames(part any, name, key string, k int, turned bool) any {
	var names []string
	for c := range k {
		at := c
		if turned {
			at = k - 1 - c
		}
		names = append(names, fmt.Sprint(name, c), fmt.Sprint("class ", at))
	}
	place := strings.NewReplacer(append(names, name, "file ")...).Replace
	switch part := part.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, v := range part {
			if !slices.Contains(notCompared, key) {
				out[place(key)] = withoutNames(v, name, key, k, turned)
			}
		}
		return out
	case []any:
		var out []any
		for _, v := range part {
			out = append(out, withoutNames(v, name, key, k, turned))
		}
		_, pairs := slices.Concat(part, []any{nil})[0].([]any)
		if turned && len(out) == k && slices.Contains(listedByClass, key) && (key != "plateau" || pairs) && !ofFinding(part) {
			slices.Reverse(out)
		}
		slices.SortStableFunc(out, func(a, b any) int { return cmp.Compare(classOf(a), classOf(b)) })
		return out
	case string:
		return place(part)
	}
	return part
}

// ofFinding tells whether these are the figures of a finding, which are listed by what they are.
func ofFinding(part []any) bool {
	first, _ := part[0].(map[string]any)
	return first["unit"] != nil
}

// classOf returns the class of an object, "" of what has none.
func classOf(v any) string {
	object, _ := v.(map[string]any)
	for _, key := range []string{"class", "label"} {
		if class, ok := object[key].(string); ok {
			return class
		}
	}
	return ""
}

// Tables that differ in what classes are called, and so in the order in which they are listed, have the same
// figures, whatever is made of them: also where nothing is preferred and classes are equally common.
func TestNamesInJSON(t *testing.T) {
	skipFigures(t)
	t.Chdir(t.TempDir())
	for seed := range uint64(3) {
		k := 2 + int(seed%3)
		namedTables(t, seed, "north", k, false)
		namedTables(t, seed, "south", k, true)
		for _, line := range []string{
			"train Ntrain.csv --trees 20 --calibrate auto -o N.rfp", "cv Ntrain.csv --trees 10 --folds 3 COSTS --decide cost",
			"evaluate N.rfp Nlater.csv", "evaluate N.rfp Nlater.csv --prevalence N0=0.2",
			"importance N.rfp Ntrain.csv --repeats 1", "inspect N.rfp", "tune N.rfp Nlater.csv",
			"tune Nvotes.csv", "tune Nscores.csv", "calibrate Nvotes.csv --calibrate matrix",
			"calibrate Nscores.csv --calibrate vector",
		} {
			run := func(name string, turned bool) any {
				costs := ""
				for c := range k {
					costs += fmt.Sprintf("--cost C%d=%d ", c, c+1)
				}
				typed := strings.NewReplacer("N0", "C0", "N", name, "COSTS", costs).Replace(line + " --quiet --format json")
				for c := range k {
					at := c
					if turned {
						at = k - 1 - c
					}
					typed = strings.ReplaceAll(typed, fmt.Sprintf("C%d=", c), fmt.Sprint(name, at, "="))
				}
				var all map[string]any
				if err := json.Unmarshal([]byte(must(t, typed).stdout), &all); err != nil {
					t.Fatal(err)
				}
				return withoutNames(all, name, "", k, turned)
			}
			if a, b := run("north", false), run("south", true); !reflect.DeepEqual(a, b) {
				t.Fatalf("seed %d, %d classes, %s (-named +otherwise)\n%s", seed, k, line, diff.Diff(a, b))
			}
		}
	}
}
