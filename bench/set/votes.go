package set

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/vote"
)

// Votes says where the votes that a study fits on come from: out of bag of so many trees, or of an inner
// cross-validation of forests of so many.
type Votes struct {
	Trees int
	CV    bool
}

// String returns what [ParseVotes] reads: oob500, cv20.
func (v Votes) String() string {
	if v.CV {
		return fmt.Sprintf("cv%d", v.Trees)
	}
	return fmt.Sprintf("oob%d", v.Trees)
}

// ParseVotes reads several, separated by commas.
func ParseVotes(text string) ([]Votes, error) {
	var all []Votes
	for _, name := range strings.Split(text, ",") {
		v := Votes{CV: strings.HasPrefix(name, "cv")}
		if _, err := fmt.Sscanf(strings.TrimPrefix(strings.TrimPrefix(name, "cv"), "oob"), "%d", &v.Trees); err != nil || v.Trees < 1 || v.String() != name {
			return nil, fmt.Errorf("votes %q; write cv20 or oob500", name)
		}
		all = append(all, v)
	}
	return all, nil
}

// Config returns how one thread makes the forest and the votes.
func (v Votes) Config(seed uint64) rfpragma.Config {
	cfg := rfpragma.Config{TuneForest: rfpragma.TuneOff, Forest: forest.Config{Trees: v.Trees, Seed: seed, Workers: 1}, Votes: vote.OOB}
	if v.CV {
		cfg.Votes = vote.CV
	}
	return cfg
}

// WriteCSV writes lines to the file anew, in one step, so that it is whole whenever a study stops.
func WriteCSV(path string, lines [][]string) error {
	return atomicfile.Write(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) })
}
