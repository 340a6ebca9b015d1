package verb

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/view"
)

// A page says which model file it is of, to the byte, and by which command it was made; evaluate names the file, too.
func TestOrigin(t *testing.T) {
	const later = "later's.csv"
	inFolder(t, map[string]string{"data.csv": small(90), later: small(40)})
	must(t, "train data.csv --prefer ill --trees 5 -q -o model.rfp")
	sum := sha256.Sum256([]byte(read(t, "model.rfp")))
	from := view.ModelOrigin{File: "model.rfp", SHA256: hex.EncodeToString(sum[:])}
	var page report.Report
	if err := json.Unmarshal([]byte(must(t,
		"report --missing NA --missing x=0 --drop-unlabelled ./model.rfp --top ill=10% --threads 1 --format json -q -o -",
		later).stdout), &page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []report.Fact{{Name: "Model", Value: from.File}, {Name: "sha256 of the model file",
		Value: from.SHA256}, {Name: "Command",
		Value: `rfpragma report ./model.rfp 'later'\''s.csv' --top ill=10% --missing NA --missing x=0 --drop-unlabelled`}} {
		if !slices.Contains(page.Facts, want) {
			t.Errorf("no %+v among %+v", want, page.Facts)
		}
	}
	var judged evaluateResult
	if err := json.Unmarshal([]byte(must(t, "evaluate ./model.rfp --format json -q", later).stdout), &judged); err != nil {
		t.Fatal(err)
	}
	if judged.Model != from {
		t.Errorf("evaluate names %+v, want %+v", judged.Model, from)
	}
}
