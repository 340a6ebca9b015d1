package dataset

import (
	"math"
	"strings"
	"testing"
)

// A column that is written otherwise than in training is taken with a warning where no other one can be meant.
func TestAlikeColumns(t *testing.T) {
	onset := Schema{{Name: "Age at onset"}, {Name: "sum"}}
	for _, tc := range []struct {
		name, text string
		o          Options
		want       string  // the warning or error
		value      float64 // of the first column; 0 where the rows are refused
	}{
		{"as in training", "sum,Age at onset\n2,1\n", Options{Schema: onset}, "", 1},
		{"blanks", "sum,age_at_onset\n2,1\n", Options{Schema: onset},
			`in.csv: 1 column is written otherwise than in training and taken for that of the model: "age_at_onset" for "Age at onset"; rename it if it is something else`, 1},
		{"hyphens and letter case, a column more", "SUM,Age-At-Onset,note\n2,1,3\n", Options{Schema: onset},
			`in.csv: 2 columns are written otherwise than in training and taken for those of the model: "Age-At-Onset" for "Age at onset", "SUM" for "sum"; rename them if they are something else`, 1},
		{"a model with the like", "a_b,A B\n2,1\n", Options{Schema: Schema{{Name: "A B"}, {Name: "a_b"}}}, "", 1},
		{"a word for a missing cell, by the name of the model", "AGE\n7\n2\n", Options{Schema: Schema{{Name: "Age"}},
			Missing: []string{"Age=7"}},
			`in.csv: 1 column is written otherwise than in training and taken for that of the model: "AGE" for "Age"; rename it if it is something else`, math.NaN()},
		{"a word for a missing cell, by the name of the file", "AGE\n7\n2\n", Options{Schema: Schema{{Name: "Age"}},
			Missing: []string{"AGE= 7"}},
			`in.csv: 1 column is written otherwise than in training and taken for that of the model: "AGE" for "Age"; rename it if it is something else`, math.NaN()},

		{"strictly", "sum,age_at_onset\n2,1\n", Options{Schema: onset, Strict: true},
			`in.csv: the file lacks 1 column of the model: "Age at onset"`, 0},
		{"two of the file", "sum,age_at_onset,AGE AT ONSET\n2,1,3\n", Options{Schema: onset},
			`in.csv: the file lacks 1 column of the model: "Age at onset"`, 0},
		{"two of the model", "a b\n2\n", Options{Schema: Schema{{Name: "A B"}, {Name: "a_b"}}},
			`in.csv: the file lacks 2 columns of the model: "A B", "a_b"`, 0},
		{"two of the model, one as in training", "a_b\n2\n", Options{Schema: Schema{{Name: "A B"}, {Name: "a_b"}}},
			`in.csv: the file lacks 1 column of the model: "A B"`, 0},
		{"one with another role", "sum,age_at_onset\n2,1\n", Options{Schema: onset, ID: "age_at_onset"},
			`in.csv: the file lacks 1 column of the model: "Age at onset"`, 0},
		{"one to ignore", "sum,age_at_onset\n2,1\n", Options{Schema: onset, Ignore: []string{"age_at_onset"}},
			`in.csv: the file lacks 1 column of the model: "Age at onset"`, 0},
		{"other letters", "sum,age_at_onsets\n2,1\n", Options{Schema: onset},
			`in.csv: the file lacks 1 column of the model: "Age at onset"`, 0},
	} {
		f, err := ReadCSV(strings.NewReader(tc.text), "in.csv", tc.o)
		got, value := "", 0.0
		if err != nil {
			got = err.Error()
		} else {
			value = f.Columns[0].Values[0]
		}
		for i := 0; err == nil && i < len(f.Warnings); i++ {
			if text := f.Warnings[i].Error(); !strings.Contains(text, ErrIgnored.Error()) {
				got += text
			}
		}
		if fits := got == tc.want || value == 0 && strings.HasPrefix(got, tc.want); !fits ||
			math.Float64bits(value) != math.Float64bits(tc.value) {
			t.Errorf("%s: %g\n got %s\nwant %g, %s", tc.name, value, got, tc.value, tc.want)
		}
	}
}

// Of many columns ten are named.
func TestAlikeColumnsOfMany(t *testing.T) {
	l := layout{taken: make([]taken, 14)}
	for i := range l.taken {
		l.taken[i] = taken{"A", "a"}
	}
	if got := l.takenText(); strings.Count(got, `"A" for "a"`) != 10 || !strings.Contains(got,
		`, and 4 more; rename them`) {
		t.Errorf("got %s", got)
	}
}
