package verb

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// What may follow, by the words on the line: the last is the one to complete.
func TestComplete(t *testing.T) {
	inFolder(t, map[string]string{
		"data.csv": small(30), "odd.csv": "a b;kind;class\n1;x,y;ok:b\n2;z;it's\n", "no.csv": "", "gone.rfp": "no table",
		"table.arff": "@relation r\n@attribute x real\n@attribute Class {well,ill}\n@data\n1,well\n2,ill\n",
		"sparse.svm": "1 3:1\n",
	})
	must(t, "train data.csv --trees 2 -o model.rfp")
	for _, tc := range []struct{ line, want string }{
		{"", "words cv train predict evaluate tune calibrate inspect split importance report explore monitor serve export generate data"},
		{"impo", "words importance import"},
		{"--v", "words --version"},
		{"nosuch --", "words"},
		{"help exit", "words exit-codes"},
		{"help tr", "words train"},
		{"cv ", "files"},
		{"cv data.csv --tar", "words --target"},
		{"cv data.csv -", "words --target --positive --merge-labels --categorical --number --missing"},
		{"cv --target x --tar", "words"},
		{"cv --ignore x --ig", "words --ignore"},
		{"cv data.csv --target ", "words x kind class"},
		{"cv data.csv --target=k", "words --target=kind"},
		{"cv --target k", "words"},
		{"cv --trees 5 data.csv -q --group k", "words kind"},
		{"cv data.csv --ignore x,k", "words x,kind"},
		{"cv data.csv --time ", "words x kind class"},
		{"cv data.csv --time x,k", "words x,kind"},
		{"cv data.csv --positive ", "words ill well"},
		{"cv data.csv --target kind --positive ", "words p q"},
		{"cv data.csv --class-weight ill=2,", "stems ill=2,ill= ill=2,well="},
		{"cv data.csv --prefer ill:theta=1,x=0,y=0;w", "stems ill:theta=1,x=0,y=0;well"},
		{"cv data.csv --require ill", "stems ill:recall>= ill:precision>= ill:fpr<= ill:alerts<="},
		{"cv data.csv --measure f:", "words f: f:ill f:well"},
		{"cv odd.csv --sep ; --prefer ", `stems it's "ok:b"`},
		{"cv odd.csv --sep ; --target a", "words a b"},
		{"cv table.arff --target ", "words x Class"},
		{"cv table.arff --positive ", "words ill well"},
		{"cv sparse.svm --target ", "words class"},
		{"cv no.csv --target ", "words"},
		{"cv absent.csv --target ", "words"},
		{"cv . --target ", "words"},
		{"cv - --target ", "words"},
		{"predict ", "words gone.rfp model.rfp"},
		{"predict mod", "words model.rfp"},
		{"predict ./g", "words ./gone.rfp"},
		{"predict dat", "files"},
		{"predict absent/", "files"},
		{"predict model.rfp ", "files"},
		{"predict --id x ", "words gone.rfp model.rfp"},
		{"report ", "words gone.rfp model.rfp"},
		{"inspect ", "files"},
		{"predict model.rfp data.csv --top ", "stems ill= well="},
		{"cv data.csv --missing NA,", "stems NA,x= NA,kind= NA,class="},
		{"predict model.rfp data.csv --id ", "words x kind class"},
		{"tune gone.rfp data.csv --cost ", "stems ill= well="},
		{"cv data.csv --calibrate iso", "words isotonic isotonic-step isotonic-centred"},
		{"cv data.csv --format ", "words table json csv markdown"},
		{"predict m d --format ", "words csv json"},
		{"data list --format ", "words table json csv markdown"},
		{"data ", "words list get"},
		{"data get mammo", "words mammography"},
		{"data list ", "words"},
		{"data get --cache ", "folders"},
		{"generate ", "words fraud wave"},
		{"generate wave ", "words"},
		{"train data.csv --costs ", "files"},
		{"train data.csv -o ", "files"},
		{"train data.csv --config=", "files"},
		{"train data.csv --trees ", "words"},
		{"train data.csv --quiet=", "words"},
		{"train -- --t", "files"},
		{"completion ", "words bash zsh fish powershell"},
		{"man ", "words"},
		{"man -", "words --help"},
		{"cv data.csv --target 'ki", "words kind"},
		{`cv data.csv --target ""`, "words x kind class"},
	} {
		got := must(t, "completion words --", strings.Split(tc.line, " ")...)
		var words []string
		for line := range strings.Lines(got.stdout) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			words = append(words, word)
		}
		if all := strings.Join(words, " "); all != tc.want && (strings.Count(tc.want, " ") < 4 || !strings.HasPrefix(all,
			tc.want+" ")) || got.stderr != "" {
			t.Errorf("%q: %q, want %q\n%s", tc.line, all, tc.want, got.stderr)
		}
	}
}

// Of every flag that takes a text it is known how its value is completed, or that it cannot be.
func TestEveryFlagIsCompleted(t *testing.T) {
	free := []string{"WORDS", "WEIGHT", "PART", "ADDRESS", "ROWS", "TABLE", "LABELS", "NAMES"} // what only the user knows
	for _, c := range testApp().Commands {
		for _, f := range c.Flags {
			_, text := f.(*urfave.StringFlag)
			if _, list := f.(cli.ListFlag); !list && !text {
				continue
			}
			found := cli.Placeholder.FindStringSubmatch(f.(urfave.DocGenerationFlag).GetUsage())
			if found == nil {
				t.Errorf("--%s of %s does not say in `BACKQUOTES` what its value is", f.Names()[0], c.Name)
				continue
			}
			what, _, _ := strings.Cut(found[1], "=")
			known := []string{"FILE", "FOLDER", "FORM", "COLUMN", "COLUMNS", "LABEL", "CLASS", "SPEC", "FLOOR"}
			if !slices.Contains(slices.Concat(known, free), what) && cli.Choices(f.Names()[0]) == nil {
				t.Errorf("--%s of %s takes a %s: say in values or choices how it is completed", f.Names()[0], c.Name, what)
			}
		}
	}
}

// What is offered for a flag with a few values is what the verb takes, and what its help names.
func TestChoicesAreTaken(t *testing.T) {
	skipFigures(t)
	inFolder(t, map[string]string{"data.csv": small(60), "tab.csv": strings.ReplaceAll(small(60), ",", "\t")})
	for _, flag := range []string{"criterion", "bag", "votes", "search", "choice", "measure", "threads", "sep",
		"calibrate"} {
		words := cli.Choices(flag)
		if len(words) == 0 {
			t.Errorf("--%s has no choices", flag)
		}
		help := must(t, "help cv").stdout + must(t, "help maps").stdout
		for _, w := range words {
			if !strings.Contains(help, strings.TrimSuffix(w, ":")) {
				t.Errorf("the help of cv has no word of --%s %s", flag, w)
			}
			file := "data.csv"
			switch w {
			case "hash:":
				w = "hash:20"
			case "stratified:":
				w = "stratified:ill=5"
			case "f:":
				w = "f:ill"
			case "tab":
				file = "tab.csv"
			}
			must(t, "train "+file+" --trees 4 -o m.rfp --"+flag, w)
		}
	}
}

// The scripts are printed, and their shells find no fault in them.
func TestCompletionScripts(t *testing.T) {
	for shell, check := range map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "-n"},
		"powershell": nil} {
		inFolder(t, map[string]string{"script": must(t, "completion "+shell).stdout})
		if !strings.Contains(read(t, "script"), "completion words -- ") {
			t.Errorf("%s: the script does not ask the command", shell)
		}
		if check == nil {
			continue
		}
		if _, err := exec.LookPath(check[0]); err != nil {
			continue
		}
		if out, err := exec.Command(check[0], check[1], "script").CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
	runRefusals(t, nil, []refusal{
		{"no shell", "", "completion", cli.ExitUsage, "completion takes bash|zsh|fish|powershell, 0 given"},
		{"unknown shell", "", "completion tcsh", cli.ExitUsage,
			`there is no completion for "tcsh"; choose bash, zsh, fish or powershell`},
	})
}
