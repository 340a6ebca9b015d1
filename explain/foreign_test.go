package explain_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/foreign"
)

// shapSays is what testdata/scikit.py wrote: the rows of a forest of scikit-learn, and their parts by the package shap.
type shapSays struct {
	Train, Rows, Background [][]float64
	Labels, Classes         []string
	Base                    []float64
	Values                  [][][]float64 // rows, features, classes
	InterventionalBase      []float64     `json:"interventional_base"`
	Interventional          [][][]float64
}

// table makes a frame of rows with the columns of a model.
func table(m *rfpragma.Model, rows [][]float64) *dataset.Frame {
	frame := &dataset.Frame{Classes: m.Classes()}
	for j, field := range m.Forest.Schema {
		column := dataset.Column{Field: field}
		for _, row := range rows {
			column.Values = append(column.Values, row[j])
		}
		frame.Columns = append(frame.Columns, column)
	}
	return frame
}

// A forest of scikit-learn that foreign reads has the parts that the TreeExplainer of shap finds, both where the trees
// go both ways and where cells of background rows take the place of others.
func TestForeign(t *testing.T) {
	ctx := context.Background()
	file, err := os.Open("testdata/scikit.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f, err := foreign.Read(file, file.Name(), foreign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := rfpragma.Adopt(f.Forest, f.Origin, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/shap.json")
	if err != nil {
		t.Fatal(err)
	}
	var says shapSays
	if err := json.Unmarshal(text, &says); err != nil {
		t.Fatal(err)
	}
	for class, name := range m.Classes() {
		at := slices.Index(says.Classes, name)
		for _, c := range []struct {
			o          explain.Options
			background [][]float64
			base       []float64
			want       [][][]float64
			off        float64
		}{
			{explain.Options{Class: name}, says.Train, says.Base, says.Values, 1e-9},
			{explain.Options{Class: name, Interventional: true}, says.Background, says.InterventionalBase, says.Interventional,
				1e-7}, // the weights of shap are float32 there
		} {
			e, err := explain.New(ctx, m, table(m, c.background), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(e.Base-c.base[at]) > 1e-9 {
				t.Errorf("%+v: base %v, want %v", c.o, e.Base, c.base[at])
			}
			got, err := e.Rows(ctx, table(m, says.Rows))
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range got {
				p, err := m.Predict(says.Rows[i])
				if err != nil {
					t.Fatal(err)
				}
				if want := p.Votes[class] / sum(p.Votes); math.Abs(e.Base+sum(row)-want) > 1e-9 { // a vote has nine digits
					t.Errorf("%+v, row %d: parts sum up to %v, want %v", c.o, i, e.Base+sum(row), want)
				}
				for j, v := range row {
					if math.Abs(v-c.want[i][j][at]) > c.off {
						t.Errorf("%+v, row %d, column %d: %v, shap says %v", c.o, i, j, v, c.want[i][j][at])
					}
				}
			}
		}
	}
}
