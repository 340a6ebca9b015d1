package set

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
)

// public are the sets that decisions are judged on, each with the columns whose numbers are categories.
var public = []struct {
	name        string
	categorical []string
}{
	{"german_credit", nil}, {"attrition", nil}, {"churn", []string{"area_code"}}, {"oil_spill", nil}, {"phoneme", nil}, {"pima", nil},
	{"breast_cancer_wisconsin", nil}, {"ionosphere", nil}, {"sick", nil}, {"pd_speech", nil}, {"mammography", nil}, {"spambase", nil},
	{"hypothyroid", nil}, {"ann_thyroid", nil}, {"glass", nil}, {"ecoli", nil}, {"autos", nil}, {"vehicle", nil}, {"satimage", nil},
	{"car", []string{"doors", "persons"}}, {"hpc_jobs", nil}, {"wine_quality_white", nil}, {"soybean", nil},
	{"magic_telescope", nil}, {"online_shoppers", []string{"OperatingSystems", "Browser", "Region", "TrafficType"}}, {"adult", nil},
	{"bank_marketing", nil}, {"car_claims_fraud", nil}, {"nursery", []string{"children"}}, {"covtype_20k", nil}, {"abalone", nil},
}

// PublicNames returns the names of the sets that Public reads.
func PublicNames() []string {
	var names []string
	for _, d := range public {
		names = append(names, d.name)
	}
	return names
}

// Public reads a set from NAME/NAME.csv or NAME/NAME.csv.gz in the folder. Of a set of more rows it takes so many,
// which are drawn by their number alone.
func Public(folder, name string, rows int) (*dataset.Frame, error) {
	at := slices.Index(PublicNames(), name)
	if at < 0 {
		return nil, fmt.Errorf("no set is named %q; there are %v", name, PublicNames())
	}
	path := filepath.Join(folder, name, name+".csv")
	if _, err := os.Stat(path); err != nil {
		path += ".gz"
	}
	frame, err := CSV(path, public[at].categorical...)
	if err != nil || frame.Rows() <= rows {
		return frame, err
	}
	drawn := rand.New(rand.NewPCG(1, 1)).Perm(frame.Rows())[:rows]
	slices.Sort(drawn)
	return frame.Take(drawn), nil
}

// Goal is what is asked of decisions: a preference for the rarest class.
type Goal struct {
	Name string
	Of   pragma.Preference
}

// Goals are those that decisions are judged by.
var Goals = []Goal{
	{"priority", pragma.Priority()},
	{"moderate", pragma.Preference{Theta: 5, X: 0.5, Y: 0.8}},
	{"neutral", pragma.Neutral()},
}

// Rarest returns the rarest class that has 20 rows or more.
func Rarest(frame *dataset.Frame) (int, error) {
	rows, rarest := make([]int, len(frame.Classes)), -1
	for _, c := range frame.Truth {
		rows[c]++
	}
	for c, n := range rows {
		if n >= 20 && (rarest < 0 || n < rows[rarest]) {
			rarest = c
		}
	}
	if rarest < 0 {
		return 0, errors.New("no class has 20 rows; take more rows")
	}
	return rarest, nil
}

// Spec returns the preference for the class that Rarest returns.
func (g Goal) Spec(frame *dataset.Frame) (pragma.Spec, error) {
	rarest, err := Rarest(frame)
	if err != nil {
		return nil, err
	}
	return pragma.Spec{frame.Classes[rarest]: g.Of}, nil
}

// Deal returns the fold of each row. The rows of each class are dealt to the folds in turn, in an order by hash: so
// versions deal alike.
func Deal(frame *dataset.Frame, folds, seed int) []int {
	type keyed struct {
		row int
		key uint64
	}
	next, of := 0, make([]int, frame.Rows())
	for c := range frame.Classes {
		var rows []keyed
		for i, truth := range frame.Truth {
			if truth == c {
				h := fnv.New64a()
				fmt.Fprint(h, seed, " ", i)
				rows = append(rows, keyed{i, h.Sum64()})
			}
		}
		slices.SortFunc(rows, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		for _, row := range rows {
			of[row.row] = next % folds
			next++
		}
	}
	return of
}
