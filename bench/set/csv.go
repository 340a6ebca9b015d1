package set

import (
	"os"

	"github.com/rfpragma/rfpragma/dataset"
)

// CSV reads a CSV file, gzip or not, with the label in a column class; the named columns are categories also where
// they look like numbers.
func CSV(path string, categorical ...string) (*dataset.Frame, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return dataset.ReadCSV(f, path, dataset.Options{Target: "class", Categorical: categorical})
}
