// Command vectors measures what the instructions of the processor bring to growing: it builds itself for AVX-512, for AVX2
// and in plain Go, and has the three take turns on each set. It fails where they do not grow the same forest, to the last
// byte. Run it in the folder bench on a processor with AVX-512, once peers/sets.py has made the sets:
//
//	go run ./vectors
//	go run ./vectors -turns 9 wave-50k fraud
//
// What is timed is what peers calls to fit: from a matrix to the forest and its votes out of bag.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/measure"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/forest"
)

// builds are the sides, the fastest first.
var builds = []struct{ name, tags string }{{"AVX-512", ""}, {"AVX2", "noavx512"}, {"plain Go", "purego"}}

// growVerb makes this program one of its sides.
const growVerb = "grow"

func main() {
	command.Run("vectors", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) })
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) > 0 && args[0] == growVerb {
		return grow(ctx, args[1:], stdout)
	}
	flags := flag.NewFlagSet("vectors", flag.ContinueOnError)
	data := flags.String("data", "data", "folder of the sets that sets.py made")
	turns := flags.Int("turns", 7, "turns, each with a seed of its own; medians count")
	trees := flags.Int("trees", 20, "trees")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if min(*turns, *trees) < 1 {
		return errors.New("-turns and -trees are at least 1")
	}
	sets := flags.Args()
	if len(sets) == 0 {
		sets = []string{"letter", "wave-50k", "fraud", "fraud_simulated"}
	}
	scratch, err := os.MkdirTemp("", "vectors")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	programs, err := build(ctx, scratch)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d trees, one thread, medians of %d turns; seconds of the processor\n\n", *trees, *turns)
	fmt.Fprintln(stdout, "| set | AVX-512 | AVX2 | plain Go | AVX2 by AVX-512 | AVX2 by plain Go |\n|---|---|---|---|---|---|")
	for _, name := range sets {
		line, err := compare(ctx, programs, filepath.Join(*data, name), *turns, *trees)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(stdout, "| %s | %s\n", name, line)
	}
	return nil
}

// build builds this program once for each side.
func build(ctx context.Context, folder string) (programs []string, err error) {
	for i, b := range builds {
		program := filepath.Join(folder, "grow"+strconv.Itoa(i))
		if out, err := exec.CommandContext(ctx, "go", "build", "-tags", b.tags, "-o", program, "./vectors").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go build for %s: %w: %s", b.name, err, out)
		}
		programs = append(programs, program)
	}
	return programs, nil
}

// grown is what a side tells.
type grown struct {
	Seconds float64
	Forest  string // the digest of its bytes
}

// compare returns the line of a set.
func compare(ctx context.Context, programs []string, stem string, turns, trees int) (string, error) {
	took := make([][]float64, len(programs))
	for turn := range turns {
		var first grown
		for i, program := range programs {
			out, err := exec.CommandContext(ctx, program, growVerb, stem, strconv.Itoa(trees), strconv.Itoa(turn+1)).Output()
			if err != nil {
				return "", fmt.Errorf("%s: %w", builds[i].name, err)
			}
			var g grown
			if err := json.Unmarshal(out, &g); err != nil {
				return "", err
			}
			if i == 0 {
				first = g
			}
			if g.Forest != first.Forest {
				return "", fmt.Errorf("with seed %d the forest of %s is not that of %s", turn+1, builds[i].name, builds[0].name)
			}
			took[i] = append(took[i], g.Seconds)
		}
	}
	return fmt.Sprintf("%.3g | %.3g | %.3g | %s | %s |", measure.Median(took[0]), measure.Median(took[1]), measure.Median(took[2]),
		ratio(took[1], took[0]), ratio(took[1], took[2])), nil
}

// ratio returns the median of the ratios of turns, and the least and the largest.
func ratio(a, b []float64) string {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", measure.Median(r), slices.Min(r), slices.Max(r))
}

// grow is a side: STEM TREES SEED. It grows the same forest again and again for a
// second of the processor, so that steps of its clock do not matter.
func grow(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) != 3 {
		return errors.New("grow takes STEM TREES SEED; it is meant for vectors itself")
	}
	x, y, err := set.Part(args[0], "train")
	if err != nil {
		return err
	}
	levels, err := set.Levels(args[0])
	if err != nil {
		return err
	}
	trees, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(args[2], 10, 64)
	if err != nil {
		return err
	}
	c := forest.Config{Trees: trees, Workers: 1, Seed: seed, Mtry: int(math.Sqrt(float64(x.Columns)))}
	var f *forest.Forest
	took, runs := 0.0, 0.0
	for before := measure.CPUSeconds(); took < 1; runs++ {
		if f, _, err = forest.Grow(ctx, set.Coded(x, y, slices.Max(y)+1, levels, 1), c); err != nil {
			return err
		}
		took = measure.CPUSeconds() - before
	}
	digest := sha256.New()
	if _, err := f.WriteTo(digest); err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(grown{Seconds: took / runs, Forest: fmt.Sprintf("%x", digest.Sum(nil))})
}
