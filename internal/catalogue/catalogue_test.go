package catalogue

import (
	"encoding/json"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// What the catalogue says of each set is complete and fits together.
func TestAll(t *testing.T) {
	all := All()
	if len(all) < 20 || !slices.IsSortedFunc(all, func(a, b Set) int { return strings.Compare(a.Name, b.Name) }) {
		t.Fatalf("%d sets, not many or not by name", len(all))
	}
	for i, s := range all {
		columns := strings.Split(s.Layout.Columns, ",")
		features := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "-" || c == "class" })
		home, err := url.Parse(s.URL)
		switch {
		case i > 0 && all[i-1].Name == s.Name:
			t.Errorf("%s stands there twice", s.Name)
		case path.Base(s.Name) != s.Name || strings.ContainsAny(s.Name, ". \\"):
			t.Errorf("%q is no name for a folder", s.Name)
		case len(s.About) > 40:
			t.Errorf("%s: %q does not fit into a column", s.Name, s.About)
		case s.About == "" || s.First == "" || s.Licence == "" || s.Cite == "" || s.Rows < 1 || s.Classes < 2:
			t.Errorf("%s lacks something: %+v", s.Name, s)
		case err != nil || home.Scheme != "https":
			t.Errorf("%s: the home %q has no https: %v", s.Name, s.URL, err)
		case len(s.SHA256) != 64 || strings.Trim(s.SHA256, "0123456789abcdef") != "":
			t.Errorf("%s: %q is no SHA-256", s.Name, s.SHA256)
		case s.Layout.ARFF == (len(s.Layout.Members) > 0) || s.Layout.Separator == 0:
			t.Errorf("%s: neither the file of an archive nor ARFF, or both: %+v", s.Name, s.Layout)
		case len(features) != s.Features || !slices.Contains(columns, "class"):
			t.Errorf("%s: %d features, %d columns: %q", s.Name, s.Features, len(features), columns)
		}
		for _, c := range s.Categorical {
			if !slices.Contains(features, c) {
				t.Errorf("%s has no column %q", s.Name, c)
			}
		}
		slices.Sort(features)
		if len(slices.Compact(features)) != s.Features {
			t.Errorf("%s has a column twice", s.Name)
		}
	}
}

func TestFind(t *testing.T) {
	if s, err := Find("letter"); err != nil || s.Rows != 20000 {
		t.Errorf("letter: %d rows, %v", s.Rows, err)
	}
	for name, want := range map[string]string{
		"leter":        `there is no set "leter": did you mean "letter"?`,
		"zzzzzzzzzzzz": `there is no set "zzzzzzzzzzzz": there is "abalone", "adult", `,
	} {
		if _, err := Find(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Find(%q): %v, want %s", name, err, want)
		}
	}
}

// listed is a set in the list beside the public sets.
type listed struct {
	Name, File     string
	Rows, Features int
	Categorical    []string
	Classes        map[string]int
}

// publicSets returns the list of the folder RFPRAGMA_DATA.
func publicSets(t *testing.T) (string, map[string]listed) {
	t.Helper()
	folder := os.Getenv("RFPRAGMA_DATA")
	if folder == "" {
		t.Skip("set RFPRAGMA_DATA to a folder with the public benchmark sets, see README")
	}
	text, err := os.ReadFile(filepath.Join(folder, "sets.json"))
	if os.IsNotExist(err) {
		t.Skip("the folder RFPRAGMA_DATA has no sets.json, a list of what is in the sets, to compare with")
	}
	var list []listed
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string]listed{}
	for _, s := range list {
		sets[s.Name] = s
	}
	return folder, sets
}

// The catalogue agrees with the sets. Files as they should be at their homes, made from them
// backwards, are converted to the last byte.
func TestPublicSets(t *testing.T) {
	folder, sets := publicSets(t)
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			want, ok := sets[s.Name]
			if !ok {
				t.Skip("not in the folder")
			}
			if s.Rows != want.Rows || s.Features != want.Features || s.Classes != len(want.Classes) {
				t.Errorf("%d rows, %d features, %d classes; want %d, %d, %d", s.Rows, s.Features, s.Classes, want.Rows,
					want.Features, len(want.Classes))
			}
			text := unpacked(t, filepath.Join(folder, want.File))
			if err := s.Check(text); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Convert(raw(t, &s.Layout, string(text))); err != nil || string(got) != string(text) {
				t.Errorf("converted: %d bytes, %v", len(got), err)
			}
			frame, err := dataset.ReadCSV(strings.NewReader(string(text)), s.Name, dataset.Options{Target: "class",
				Categorical: s.Categorical})
			if err != nil {
				t.Fatal(err)
			}
			var categorical []string
			for _, c := range frame.Columns {
				if c.Kind == dataset.Categorical {
					categorical = append(categorical, c.Name)
				}
			}
			if !slices.Equal(categorical, want.Categorical) {
				t.Errorf("categorical are %q, want %q", categorical, want.Categorical)
			}
		})
	}
}
