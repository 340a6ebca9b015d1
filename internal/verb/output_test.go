package verb

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// stopper is a stdout whose first use brings a signal.
type stopper struct {
	cancel context.CancelCauseFunc
	writes int
}

func (s *stopper) Write(b []byte) (int, error) {
	s.writes++
	s.cancel(cli.Stopped{Signal: os.Interrupt})
	return len(b), nil
}

// A signal ends a long output at the next write.
func TestSignalWhileWriting(t *testing.T) {
	trained(t)
	write(t, "long.csv", small(20_000))
	for _, line := range []string{"generate fraud --rows 20000", "generate wave --rows 5000",
		"predict model.rfp long.csv"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stdout := &stopper{cancel: cancel}
		code := Run(ctx, append([]string{"rfpragma"}, split(line)...), nil, stdout, io.Discard)
		if code != 130 || stdout.writes != 1 {
			t.Errorf("%s: exit %d after %d writes, want 130 after 1", line, code, stdout.writes)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cli.Stopped{Signal: os.Interrupt})
	before := listing(t)
	for _, line := range []string{"generate fraud -o new.csv", "predict model.rfp data.csv -o new.csv"} {
		if code := Run(ctx, append([]string{"rfpragma"}, split(line)...), nil, io.Discard, io.Discard); code != 130 {
			t.Errorf("%s: exit %d", line, code)
		}
	}
	if after := listing(t); after != before {
		t.Errorf("files changed:\n%s", after)
	}
}

// Few rows may lack the rare class; whoever asked for them is told.
func TestGenerateWithoutAClass(t *testing.T) {
	const want = "warning: class \"fraud\" has no row; ask for more with --rows, or take another --seed\n"
	if got := must(t, "generate fraud --rows 5"); got.stderr != want {
		t.Errorf("stderr %q, want %q", got.stderr, want)
	}
	if got := must(t, "generate fraud --rows 500"); got.stderr != "" {
		t.Errorf("stderr %q of enough rows", got.stderr)
	}
}

// An output is never one of the inputs, not even of those that flags name.
func TestOutputIsNoInput(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": small(30),
		"costs.csv": "actual,predicted_ill,predicted_well\nill,0,5\nwell,1,0\n",
		"p.json":    `{"ill": {"theta": 1, "x": 0.1, "y": 0.1}}`})
	for _, c := range []refusal{
		{"train", "", "train in.csv -o in.csv", cli.ExitUsage, `--output "in.csv" is the input "in.csv"; name another file`},
		{"costs", "", "train in.csv --costs costs.csv -o costs.csv", cli.ExitUsage,
			`--output "costs.csv" is the input "costs.csv"`},
		{"preference", "", "train in.csv --prefer-file p.json -o ./p.json", cli.ExitUsage,
			`--output "./p.json" is the input "p.json"`},
		{"folds", "", "cv in.csv --costs costs.csv --folds-to costs.csv", cli.ExitUsage,
			`--folds-to "costs.csv" is the input "costs.csv"`},
	} {
		t.Run(c.name, c.refused)
	}
}

// Nor is it the file that stdin is read from.
func TestOutputIsNotStdin(t *testing.T) {
	trained(t)
	rows, err := os.Open("data.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got := invoke(t, rows, split("predict model.rfp - -o data.csv")...)
	if want := `--output "data.csv" is the input "stdin"; name another file`; got.code != cli.ExitUsage ||
		!strings.Contains(got.stderr, want) {
		t.Errorf("exit %d, %q, want %q", got.code, got.stderr, want)
	}
}

// The rows may be named by the column that held the labels in training.
func TestIDIsTheTarget(t *testing.T) {
	trained(t)
	write(t, "in.csv", "class,x,kind\nrow a,1,p\nrow b,2,q\n")
	got := must(t, "predict model.rfp in.csv --id class")
	if names := column(got.stdout, 0); !strings.HasPrefix(got.stdout, "class,decision,") || len(names) != 2 ||
		names[0] != "row a" || names[1] != "row b" {
		t.Errorf("decisions\n%s", got.stdout)
	}
}

// The loss of a second measure stands in the CSV too, and nothing where there is none.
func TestLossColumn(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": small(60)})
	must(t, "train in.csv --trees 5 --prefer ill --measure f1 -o m.rfp")
	laterOf(t, "in.csv", "later.csv")
	for _, tc := range []struct {
		line string
		some bool
	}{
		{"cv in.csv --trees 5 --folds 2 --prefer ill --measure f1 --format csv", true},
		{"cv in.csv --trees 5 --folds 2 --prefer ill:priority --format csv", false},
		{"evaluate m.rfp later.csv --format csv", true},
	} {
		got := must(t, tc.line).stdout
		head := strings.TrimSuffix(strings.SplitN(got, "\n", 2)[0], ",drift")
		if !strings.HasSuffix(head, ",predicted,loss,cost,recall_low,recall_high,precision_low,precision_high,pragma_low,pragma_high,loss_low,loss_high,specificity,false_positive_rate,negative_predictive_value") {
			t.Errorf("%s: header\n%s", tc.line, got)
		}
		for i, loss := range column(got, 10) {
			if whole := i%3 == 0; (loss != "") != (whole && tc.some) { // a rule, then its two classes
				t.Errorf("%s: loss %q in line %d\n%s", tc.line, loss, i+2, got)
			}
		}
	}
}

// A model is replaced with a word, what is no model is not.
func TestReplaces(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 300 -o in.csv")
	must(t, "generate fraud --rows 300 --seed 2 -o later.csv")
	const of = ", in place of another model."
	for _, tc := range []struct{ line, want string }{
		{"train in.csv --trees 5 -o m.rfp", "Model written to m.rfp."},
		{"train in.csv --trees 5 --seed 2 -o m.rfp", "Model written to m.rfp" + of},
		{"tune m.rfp later.csv -o other.rfp", "Model with these weights written to other.rfp."},
		{"tune m.rfp later.csv -o other.rfp", "Model with these weights written to other.rfp" + of},
		{"calibrate m.rfp later.csv -o other.rfp", "Model with these maps written to other.rfp" + of},
	} {
		if got := must(t, tc.line).stderr; !strings.Contains(got, tc.want+"\n") {
			t.Errorf("%s: no %q in\n%s", tc.line, tc.want, got)
		}
	}
	// The model of another task is replaced with a warning, also when quiet; what was trained anew is not.
	write(t, "other.csv", strings.ReplaceAll(read(t, "in.csv"), ",ok\n", ",good\n"))
	for _, tc := range []struct{ line, want string }{
		{"train in.csv --trees 5 --seed 3 -o m.rfp -q", ""},
		{"train in.csv --trees 5 --ignore hour -o m.rfp -q",
			`warning: m.rfp: the model that was there is of other columns than the new one, and is replaced`},
		{"train other.csv --trees 5 -o m.rfp -q",
			`warning: m.rfp: the model that was there is of other classes, "fraud", "ok", than the new one, and is replaced`},
	} {
		if got := must(t, tc.line).stderr; strings.Contains(got, "that was there") != (tc.want != "") ||
			!strings.Contains(got, tc.want) {
			t.Errorf("%s: no %q in\n%s", tc.line, tc.want, got)
		}
	}
	write(t, "m.rfp", "no model")
	if got := invoke(t, nil, strings.Fields("train in.csv --trees 5 -o m.rfp")...).stderr; !strings.Contains(got,
		"is there and is not a model") {
		t.Error(got)
	}
}
