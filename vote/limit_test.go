package vote_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/vote"
)

// A file of something else must not become a matrix of all its columns by all of them.
func TestReadCSVManyClasses(t *testing.T) {
	table := func(classes int) string {
		header, row := []string{"class"}, []string{"c0"}
		for c := range classes {
			header, row = append(header, fmt.Sprint("c", c)), append(row, "1")
		}
		return strings.Join(header, ",") + "\n" + strings.Join(row, ",") + "\n"
	}
	read, err := vote.ReadCSV(strings.NewReader(table(1000)), "v.csv", vote.CSVOptions{})
	if err != nil || len(read.Classes) != 1000 {
		t.Errorf("%d classes at the limit: %v", 1000, err)
	}
	_, err = vote.ReadCSV(strings.NewReader(table(1001)), "v.csv", vote.CSVOptions{})
	want := "v.csv:1:1: 1001 columns of votes, where 1000 classes are the most; it looks like a table of something " +
		"else: give one column of votes for each class, or have the others ignored"
	var limit *csvtext.LimitError
	if !errors.As(err, &limit) || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	_, err = vote.ReadCSV(strings.NewReader(table(1001)), "v.csv", vote.CSVOptions{Ignore: []string{"c7"}})
	if err != nil {
		t.Errorf("one column ignored: %v", err)
	}
}
