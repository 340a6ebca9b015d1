package predictions

import "testing"

// Ids that do not tell rows apart are counted, over blocks, and from the first that is there again; of a file of
// many only the first are known.
func TestRepeats(t *testing.T) {
	for name, tc := range map[string]struct {
		most   int
		blocks [][]string
		want   string // "" for silence
	}{
		"none":   {10, [][]string{{"a", "b"}, {"c", "d"}}, ""},
		"no ids": {10, [][]string{nil}, ""},
		"one": {10, [][]string{{"a", "b"}, {"a", "d"}},
			`in.csv: 1 of 4 rows has the id of an earlier one, the first of them row 3: column "rep" does not tell which row is meant; name another column with --id, or --id '' counts the rows`},
		"many": {10, [][]string{{"a", "a"}, {"a", "b"}},
			`in.csv: 2 of 4 rows have the id of an earlier one, the first of them row 2: column "rep" does not tell which row is meant; name another column with --id, or --id '' counts the rows`},
		"too many": {2, [][]string{{"a", "b"}, {"c", "c", "b"}},
			`in.csv: at least 1 of 5 rows has the id of an earlier one, the first of them row 5: column "rep" does not tell which row is meant; name another column with --id, or --id '' counts the rows`},
	} {
		r, before := NewRepeats(tc.most), 0
		for _, ids := range tc.blocks {
			r.Add(ids, before)
			before += len(ids)
		}
		got := ""
		for _, w := range r.Warnings("in.csv", "rep", before) {
			got += w.Error()
		}
		if got != tc.want {
			t.Errorf("%s: %s\nwant %s", name, got, tc.want)
		}
	}
}
