package verb

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/view"
)

// paid is a table of payments of eight months, 8 of 100 of which are fraud and 4 refunds; what tells them fades with
// the months.
func paid() string {
	rng := rand.New(rand.NewPCG(7, 1))
	var b strings.Builder
	b.WriteString("month,card,x,y,class\n")
	for i := range 2400 {
		month, class, by := i/300, "fine", 0.0
		switch u := rng.Float64(); {
		case u < 0.08:
			class, by = "fraud", 2.2-0.2*float64(month)
		case u < 0.12:
			class, by = "refund", -1.5
		}
		fmt.Fprintf(&b, "%d,%d,%.3f,%.3f,%s\n", month, rng.IntN(300), rng.NormFloat64()+by, rng.NormFloat64()-by/2, class)
	}
	return b.String()
}

// Who asks for what cv offers is told what was promised, to the last bit.
func TestFollowed(t *testing.T) {
	inFolder(t, map[string]string{"paid.csv": paid()})
	const two = " --positive fraud --cost fraud=12 --cost rest=1"
	for _, tc := range []struct {
		args string
		some int
	}{
		{"--trees 40 --ignore month,card --folds 3" + two, 2},
		{"--trees 40 --ignore card --time month --folds 3" + two, 1},
		{"--trees 40 --ignore card --time month --folds 3 --repeats 2 --positive fraud --require fraud:recall>=0.5", 0},
		{"--trees 40 --ignore month --group card --folds 3 --positive fraud --prefer fraud", 1},
		{"--trees 40 --ignore month,card --folds 2 --repeats 2 --prefer fraud:theta=10,x=0.2,y=0.6 --prefer " +
			"refund:theta=5,x=0.2,y=0.6", 1},
		{"--trees 100 --ignore month,card --folds 3 --positive fraud --cost fraud=5 --cost rest=1 --require " +
			"fraud:recall>=0.5", 1},
		{"--trees 40 --ignore month,card --folds 3" + two + " --require fraud:alerts<=0.3", 1},
	} {
		line := "cv paid.csv --format json -q " + tc.args
		first := resultOf(t, line)
		offers := first.Alternatives
		if len(offers) < tc.some {
			t.Errorf("%s: %d offers, want %d", tc.args, len(offers), tc.some)
		}
		base, _, _ := strings.Cut(line, " --require")
		for _, o := range offers {
			var asks []string
			if o.Measure != "" {
				asks = append(asks, "--measure", o.Measure)
			}
			for _, text := range o.Require {
				asks = append(asks, "--require", text)
			}
			result := resultOf(t, base, asks...)
			tuned := result.Rules.Tuned
			class, rows := tuned.Classes[o.Class], 0.0
			for _, c := range tuned.Classes {
				rows += c.Support
			}
			found := view.Alternative{Class: o.Class, Recall: *class.Recall, Precision: *class.Precision,
				Alerts: class.Predicted / rows, Measure: o.Measure, Require: o.Require,
				RecallInterval: class.RecallInterval, PrecisionInterval: class.PrecisionInterval, Loss: tuned.Pragma,
				Cost: tuned.Cost, Gain: o.Gain}
			if by := first.Rules.Tuned.Loss; by != nil {
				found.Loss = *tuned.Loss
				if o.Gain == nil || math.Abs(o.Gain.Loss-(found.Loss-*by)) > 1e-12 {
					t.Errorf("%s: the loss goes from %v to %v, and the gain is %+v", tc.args, *by, found.Loss, o.Gain)
				}
			}
			if o.Loses != nil {
				found.Loses = &view.LostRecall{Class: o.Loses.Class, Recall: *tuned.Classes[o.Loses.Class].Recall, Now: o.Loses.Now}
			}
			if !reflect.DeepEqual(found, o) {
				t.Errorf("%s: followed\n%+v, promised\n%+v", tc.args, found, o)
			}
		}
	}
}

// resultOf returns of what cv writes what offers are about.
func resultOf(t *testing.T, line string, args ...string) (out struct {
	Rules        eval.Rules
	Alternatives []view.Alternative
},
) {
	t.Helper()
	if err := json.Unmarshal([]byte(must(t, line, args...).stdout), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
