package export

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// Names and texts cannot end the quotes that they stand in, nor the comment.
func TestQuotes(t *testing.T) {
	text := "\"a\"\"b; --\",c,class\n"
	for range 40 {
		text += "1,'x,y*/\n2,it's,n\n"
	}
	rows, err := dataset.ReadCSV(strings.NewReader(text), "t.csv", dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	m := fit(t, rows, rfpragma.Config{Forest: forest.Config{Trees: 5, Mtry: 2}})
	if err := SQL(&out, m, `main.the "t"`); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{`FROM "main"."the ""t"""`, `THEN 'y*/'`, `AS "probability_y*/"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if head, _, _ := strings.Cut(got, "\n"); strings.Count(head, "*/") != 1 || !strings.HasSuffix(head, "*/") {
		t.Errorf("the comment is %s", head)
	}
	if !strings.Contains(got, `"a""b; --"`) && !strings.Contains(got, `WHEN 'it''s' THEN 2`) {
		t.Errorf("no cell is in\n%s", got)
	}
}

func TestLimitsOfSQL(t *testing.T) {
	rows := frame(t, 1, 300, 2)
	config := forest.Config{Trees: mostSQLTrees + 1, MaxLeaves: 2}
	err := SQL(new(bytes.Buffer), fit(t, rows, rfpragma.Config{Forest: config}), "t")
	if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "1501 trees, and a statement of SQL holds 1500") {
		t.Errorf("%v", err)
	}
	config = forest.Config{Trees: 600}
	err = SQL(new(bytes.Buffer), fit(t, frame(t, 1, 900, 2), rfpragma.Config{Forest: config}), "t")
	if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "holds 50000 at most; train with some") {
		t.Errorf("%v", err)
	}
}
