package scores

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// A single column of scores is the same as a column for each class, whichever the class of the column is.
func TestVotes(t *testing.T) {
	for _, positive := range []string{"ill", "well"} {
		one, two := "class,s,weight\n", "class,"+positive+","+map[string]string{"ill": "well", "well": "ill"}[positive]+",weight\n"
		for i := range 40 {
			label, v, w := []string{"well", "ill", "well"}[i%3], float64(i*37%64)/64, i%4
			one += fmt.Sprintf("%s,%v,%d\n", label, v, w)
			two += fmt.Sprintf("%s,%v,%v,%d\n", label, v, 1-v, w)
		}
		o := dataset.Options{}
		if !IsSingle([]byte(one), &o) || o.Target != "class" || o.Weight != "weight" || IsSingle([]byte(two), &o) {
			t.Fatalf("%s: target %q, weight %q", positive, o.Target, o.Weight)
		}
		frame, err := dataset.ReadCSV(strings.NewReader(one), "s.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Votes(frame, positive, "s.csv")
		if err != nil {
			t.Fatal(err)
		}
		want, err := vote.ReadCSV(strings.NewReader(two), "s.csv", vote.CSVOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", positive, got, want)
		}
	}
}

// What is no column of shares of a known class is refused, with what to do.
func TestVotesRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, positive, want string }{
		"log odds":    {"class,s\nill,2.5\nwell,-1\n", "ill", "if they are log odds x, give 1/(1+exp(-x))"},
		"percentages": {"class,s\nill,90\nwell,10.5\n", "ill", "if they are percentages, divide by 100"},
		"votes":       {"class,s\nill,800\nwell,1\n", "ill", "a column for each class; map them to probabilities"},
		"no class":    {"class,s\nill,0.9\nwell,0.1\n", "", "is missing; name the class"},
		"other class": {"class,s\nill,0.9\nwell,0.1\n", "sick", `"sick"; name the class`},
		"no score":    {"class,s\nill,0.9\nwell,\n", "ill", "row 2 has no score"},
		"words":       {"class,s\nill,high\nwell,low\n", "ill", "these are no numbers"},
	} {
		frame, err := dataset.ReadCSV(strings.NewReader(c.text), "s.csv", dataset.Options{Target: "class"})
		if err == nil {
			_, err = Votes(frame, c.positive, "s.csv")
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// What a fit says of a class has its name, and is said no more where its scores are known to run the other way.
func TestNamed(t *testing.T) {
	s := &Scores{Classes: []string{"well", "ill", "dead"}}
	notes := []error{&calib.ClassError{Class: 1, Err: errors.New("falls")}, &calib.ClassError{Class: 2, Err: errors.New("flat")},
		errors.New("few rows")}
	got := fmt.Sprint(s.Named(notes, []error{classFault{2, errors.New("the other way")}}))
	if want := `[class "ill": falls few rows]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
