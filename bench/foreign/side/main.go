// Command side is one fit and one prediction by a forest of another Go package, told as the
// last line, in JSON. It is meant for bench/peers, whose side.py says what its arguments and
// files are:
//
//	side PEER                                      prints the peer's version
//	side PEER STEM TREES THREADS SEED VOTES MODEL  measures it
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/rfpragma/rfpragma/bench/foreign"
	"github.com/rfpragma/rfpragma/bench/measure"
	"github.com/rfpragma/rfpragma/bench/set"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "side:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout io.Writer) error {
	if len(args) != 1 && len(args) != 7 {
		return fmt.Errorf("it takes PEER, or PEER STEM TREES THREADS SEED VOTES MODEL; it is meant for bench/peers")
	}
	peer, setting, err := foreign.Find(args[0])
	if err != nil {
		return err
	}
	if len(args) == 1 {
		_, err := fmt.Fprintf(stdout, "{\"version\": %q}\n", version(peer.Module))
		return err
	}
	c := foreign.Config{Setting: setting}
	if c.Trees, err = strconv.Atoi(args[2]); err != nil {
		return err
	}
	if c.Workers, err = strconv.Atoi(args[3]); err != nil {
		return err
	}
	return turn(peer, c, args[1], args[5], args[6], stdout)
}

// version returns that of a module that this program is made of.
func version(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "unknown"
}

// turn measures a peer once.
func turn(peer foreign.Peer, c foreign.Config, stem, votes, model string, stdout io.Writer) error {
	x, y, err := set.Part(stem, "train")
	if err != nil {
		return err
	}
	c.Mtry = int(math.Sqrt(float64(x.Columns)))
	classes := slices.Max(y) + 1
	begin := time.Now()
	f := peer.Grow(x, y, classes, c)
	fit, fitMB := time.Since(begin).Seconds(), measure.PeakMB()
	runtime.KeepAlive(x) // whoever fits holds the rows

	if x, _, err = set.Part(stem, "test"); err != nil {
		return err
	}
	begin = time.Now()
	counts := f.Votes(x, c.Workers)
	predict, peak := time.Since(begin).Seconds(), measure.PeakMB()
	if err := set.WriteShares(votes, counts, c.Trees); err != nil {
		return err
	}
	size, err := written(f, model)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "{\"version\": %q, \"mtry\": %d, \"fit_s\": %g, \"fit_mb\": %s, \"predict_s\": %g, \"peak_mb\": %s, \"nodes\": %d, \"file_bytes\": %s}\n",
		version(peer.Module), c.Mtry, fit, number(fitMB), predict, number(peak), f.Nodes(), size)
	return err
}

// number returns x in JSON.
func number(x float64) string {
	if math.IsNaN(x) {
		return "null"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// written returns the size of the saved forest, in bytes; null where path is "".
func written(f foreign.Forest, path string) (string, error) {
	if path == "" {
		return "null", nil
	}
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer os.Remove(path)
	defer file.Close()
	if err := f.Write(file); err != nil {
		return "", err
	}
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(info.Size(), 10), nil
}
