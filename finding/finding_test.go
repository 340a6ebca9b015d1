package finding

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/codes"
)

// What is written as JSON reads back the same, and names things as documented.
func TestJSON(t *testing.T) {
	f := New(codes.BaselineBetter, Where{Rows: codes.AllBlocks, Blocks: 3, Times: 2, Of: 5},
		Figure{Name: "loss", Value: 0.25, Unit: codes.Loss}, Figure{Name: "recall", Class: "ill", Value: 0.5,
			Unit: codes.Share, Interval: &[2]float64{0.4, 0.6}})
	f.Classes, f.Columns, f.Replaces = []string{"ill"}, []string{"age"}, []Code{codes.GainProved}
	f.Remedies = []Remedy{{Do: codes.TakeWeights, Name: "prior"}, {Do: codes.Require, Class: "ill", Figure: "alerts",
		Limit: 0.02}}
	text, err := json.Marshal(f)
	const want = `{"code":"baseline.better","grade":"caution","classes":["ill"],"columns":["age"],` +
		`"figures":[{"name":"loss","value":0.25,"unit":"loss"},{"name":"recall","class":"ill","value":0.5,"unit":"share","interval":[0.4,0.6]}],` +
		`"remedies":[{"do":"take_weights","name":"prior"},{"do":"require","class":"ill","figure":"alerts","limit":0.02}],` +
		`"where":{"rows":"all_blocks","blocks":3,"times":2,"of":5},"replaces":["gain.proved"]}`
	if err != nil || string(text) != want {
		t.Fatalf("%v: %s", err, text)
	}
	var back Finding
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, f) {
		t.Errorf("%v: %+v", err, back)
	}
	if err := json.Unmarshal([]byte(`{"grade":"grave"}`), &back); err == nil {
		t.Error("grave is a grade")
	}
	if _, err := json.Marshal(Finding{}); err == nil {
		t.Error("a finding without a grade is written")
	}
}

// There are at most 60 codes, each once, of the form topic.what, with a grade.
func TestCodes(t *testing.T) {
	all := Codes()
	form := regexp.MustCompile(`^[a-z]+\.[a-z]+(-[a-z]+)*$`)
	for i, c := range all {
		if !form.MatchString(string(c)) || slices.Contains(all[:i], c) || c.Grade() < Note || c.Grade() > Serious {
			t.Errorf("code %s, grade %v", c, c.Grade())
		}
	}
	if len(all) > 60 || Code("no.such").Grade() != 0 {
		t.Errorf("%d codes", len(all))
	}
}

func TestFigures(t *testing.T) {
	f := Finding{Figures: []Figure{{Name: "loss", Value: 2}}}
	if _, ok := f.Figure("cost"); ok || f.Value("loss") != 2 || f.Value("cost") != 0 {
		t.Errorf("%+v", f)
	}
	all := []Finding{{Code: "a", Grade: Note}, {Code: "b", Grade: Serious}, {Code: "c", Grade: Note},
		{Code: "d", Grade: Caution}}
	Sort(all)
	for i, want := range []Code{"b", "d", "a", "c"} {
		if all[i].Code != want {
			t.Errorf("at %d is %s, want %s", i, all[i].Code, want)
		}
	}
}
