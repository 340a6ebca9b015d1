package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
)

// RowVotes returns a table of votes or scores to read. Of rows that --decisions wrote it makes one of their votes,
// with the label in column actual: it changes the first line, and o with it.
func RowVotes(in io.Reader, o *dataset.Options) io.Reader {
	b := bufio.NewReaderSize(in, HeadBytes)
	head, _ := b.Peek(HeadBytes) // what is wrong with the file is said by those who read it
	line, _, whole := bytes.Cut(head, []byte("\n"))
	names, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil || !whole || !slices.Contains(names, "actual") || !slices.Contains(names, "decision") {
		return b
	}
	o.Target, o.Ignore = "actual", nil
	roles := []*string{&o.Target, &o.Weight, &o.Group, &o.ID}
	if o.Weight == "" && slices.Contains(names, "weight") {
		o.Weight = "weight"
	}
	for i, name := range names {
		if class, ok := strings.CutPrefix(name, "votes_"); ok {
			names[i] = class
			continue
		}
		names[i] = "(" + name + ")" // which a class may be called
		used := false
		for _, role := range roles {
			if *role == name {
				*role, used = names[i], true
			}
		}
		if !used {
			o.Ignore = append(o.Ignore, names[i])
		}
	}
	_, _ = b.Discard(len(line) + 1) // which are there
	var first bytes.Buffer
	w := csv.NewWriter(&first)
	_ = w.Write(names) // into memory, which cannot fail
	w.Flush()
	return io.MultiReader(&first, b)
}
