package set

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

func TestParseVotes(t *testing.T) {
	got, err := ParseVotes("cv20,oob500")
	if err != nil || !slices.Equal(got, []Votes{{20, true}, {500, false}}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, v := range got {
		c := v.Config(7)
		if again, err := ParseVotes(v.String()); err != nil || again[0] != v || c.Forest.Trees != v.Trees || c.Forest.Seed != 7 || (c.Votes == vote.CV) != v.CV {
			t.Errorf("%v is read as %v (%v), and set as %+v", v, again, err, c)
		}
	}
	for _, text := range []string{"", "oob", "cv0", "cv-5", "20", "oob20x", "cvoob5", "oob5,", "oob 5"} {
		if got, err := ParseVotes(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	for _, lines := range [][][]string{{{"set", "loss"}, {"glass, small", "0.5"}, {"pima", "1"}}, {{"set", "loss"}}} {
		if err := WriteCSV(path, lines); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "set,loss\n" {
		t.Errorf("%q, %v: want the second file only", b, err)
	}
}
