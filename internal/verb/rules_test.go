package verb

import (
	"os"
	"strings"
	"testing"
)

// Weights that were given are not called tuned.
func TestGivenHeads(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 600 -o old.csv")
	must(t, "generate fraud --rows 600 --seed 2 -o new.csv")
	must(t, "train old.csv --trees 20 --weights fraud=4,ok=1 -o model.rfp")
	if out := must(t, "evaluate model.rfp new.csv --details").stdout; strings.Contains(out, "  tuned") ||
		!strings.Contains(out, "  given") {
		t.Errorf("weights that were given are called tuned:\n%s", out)
	}
	if out := must(t, "evaluate model.rfp new.csv --format csv").stdout; !strings.Contains(out, "\ntuned,fraud,") {
		t.Errorf("in CSV a rule has another name:\n%s", out)
	}
	must(t, "report model.rfp new.csv -o page.html")
	page, err := os.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{"<bdi>tuned", "rows tuned", "<h3>Tuned</h3>", "the tuned one"} {
		if strings.Contains(string(page), shown) {
			t.Errorf("the page calls given weights tuned: %q", shown)
		}
	}
	if !strings.Contains(string(page), "rows given") || !strings.Contains(string(page), `"rule":"given"`) {
		t.Error("the page does not say that the weights were given")
	}
}
