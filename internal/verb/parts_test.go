package verb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// What one machine does not have in memory it does not need: the trees are those of a file that is read as a whole.
func TestGrowByScanEqualsGrowInMemory(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": strings.Replace(small(300), "\n", "\n,p,\n", 1) + "9,,ill\n"})
	flags := " --trees 6 --bag hash:40 --drop-unlabelled --part 1/2 --class-weight ill=3.3"
	must(t, "grow data.csv -o scan.part"+flags)
	got := invoke(t, strings.NewReader(read(t, "data.csv")), split("grow - -o memory.part"+flags)...)
	if got.code != cli.ExitDone || read(t, "scan.part") != read(t, "memory.part") {
		t.Errorf("exit %d, %s: other bytes", got.code, got.stderr)
	}
}

// Costs by amount, weights and soft votes go the same way.
func TestPartsOfOtherModels(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(small(200)), "\n")
	for i := range lines {
		lines[i] += []string{",3,1.5", ",0.5,1", ",7,0"}[i%3]
	}
	lines[0] = "x,kind,class,sum,w"
	inFolder(t, map[string]string{"data.csv": strings.Join(lines, "\n") + "\n"})
	grow, wish := " --weight w --trees 30 --soft-votes --min-leaf 3", " --cost ill=amount --cost well=1 --amount sum"
	must(t, "train data.csv --votes oob -o one.rfp"+grow+wish)
	for _, part := range []string{"0", "1"} {
		must(t, "grow data.csv -o trees-"+part+".part --part "+part+"/2"+grow)
	}
	for _, part := range []string{"0", "1", "2"} {
		must(t, "tally trees-0.part trees-1.part data.csv --amount sum -o votes-"+part+".part --part "+part+"/3")
	}
	must(t, "merge trees-0.part trees-1.part votes-0.part votes-1.part votes-2.part -o many.rfp"+wish)
	if one, many := read(t, "one.rfp"), read(t, "many.rfp"); one != many {
		t.Errorf("the model of parts differs:\n%.1200s\n%.1200s", many, one)
	}
}

// So do tables in other forms, whose rows may have weights beside their cells: then a hash bag needs them all in
// memory.
func TestPartsOfOtherForms(t *testing.T) {
	table := "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n"
	for i := range 60 {
		table += fmt.Sprintf("%d,%s%s\n", i*7%60, []string{"a", "b"}[i/7%2], []string{"", ",{3}", ""}[i%3])
	}
	inFolder(t, map[string]string{"data.arff": table, "plain.arff": strings.ReplaceAll(table, ",{3}", "")})
	for _, file := range []string{"data.arff", "plain.arff"} {
		flags := " --trees 8 --bag hash:20 --seed 3"
		must(t, "train "+file+" --votes oob --prefer a -o one.rfp"+flags)
		must(t, "grow "+file+" -o trees.part"+flags)
		must(t, "tally trees.part "+file+" -o votes.part")
		must(t, "merge trees.part votes.part --prefer a -o many.rfp")
		if read(t, "one.rfp") != read(t, "many.rfp") {
			t.Errorf("%s: another model", file)
		}
	}
}

// Votes of a model for new rows, counted in parts, tune as the rows do.
func TestTuneOnTallies(t *testing.T) {
	trained(t)
	write(t, "later.csv", small(75))
	for _, part := range []string{"0", "1"} {
		must(t, "tally model.rfp later.csv -o votes-"+part+".part --part "+part+"/2")
	}
	must(t, "merge votes-0.part votes-1.part -o votes.part")
	must(t, "merge votes-0.part votes-1.part -o votes.csv")
	want := must(t, "tune model.rfp later.csv --prefer ill --format csv").stdout
	for _, file := range []string{"votes.part", "votes.csv"} {
		if got := must(t, "tune "+file+" --prefer ill --format csv").stdout; got != want {
			t.Errorf("%s: %s\nof the rows: %s", file, got, want)
		}
	}
	if got := must(t, "tune votes.csv --prefer ill"); !strings.Contains(got.stdout, "votes of 75 rows") {
		t.Errorf("the page does not say how many rows there are:\n%s", got.stdout)
	}
}

// What cannot be put together, by name.
func TestPartsRefused(t *testing.T) {
	for _, v := range partVariables() {
		t.Setenv(v, "")
	}
	inFolder(t, map[string]string{"data.csv": small(60), "other.csv": small(63)})
	must(t, "train data.csv --trees 4 --votes oob -o model.rfp")
	for part := range 2 {
		must(t, fmt.Sprintf("grow data.csv --trees 4 --part %d/2 -o t%d.part", part, part))
	}
	must(t, "grow data.csv --trees 4 --part 1/2 --seed 9 -o seed.part")
	must(t, "grow other.csv --trees 4 --part 1/2 -o other.part")
	for part := range 2 {
		must(t, fmt.Sprintf("tally t0.part t1.part data.csv --part %d/2 -o v%d.part", part, part))
	}
	must(t, "tally t0.part t1.part other.csv -o elsewhere.part")
	for _, c := range []refusal{
		{"no slash", "", "grow data.csv -o x --part 3", cli.ExitUsage,
			`--part "3"; write I/N, such as 3/100 for part 3 of 100, counted from 0, or auto/100 in an array job`},
		{"no parts", "", "grow data.csv -o x --part 0/0", cli.ExitUsage, `--part "0/0"; write I/N`},
		{"beyond", "", "grow data.csv -o x --part 4/4", cli.ExitUsage,
			`--part "4/4"; parts are counted from 0, so of 4 parts the last is 3/4`},
		{"no number", "", "tally t0.part t1.part data.csv -o x --part x/4", cli.ExitUsage,
			`--part "x/4"; parts are counted from 0`},
		{"no array job", "", "grow data.csv -o x --part auto/4", cli.ExitUsage,
			"--part auto/4: this is no task of an array job, as none of JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID, " +
				"AWS_BATCH_JOB_ARRAY_INDEX, CLOUD_RUN_TASK_INDEX, BATCH_TASK_INDEX is set"},
		{"more parts than trees", "", "grow data.csv -o x --trees 3 --part 0/4", cli.ExitUsage,
			"--part 0/4: there are 3 trees; deal them out to at most as many parts"},
		{"no output", "", "grow data.csv", cli.ExitUsage, "--output is missing; name the file to write, or - for stdout"},
		{"output is input", "", "merge t0.part t1.part -o t0.part", cli.ExitUsage,
			`--output "t0.part" is the input "t0.part"; name another file`},
		{"a preference too early", "", "grow data.csv -o x --prefer ill", cli.ExitUsage,
			"--prefer is for --criterion pragma here; give it to rfpragma merge, which tunes the votes"},
		{"nothing to merge", "", "merge -o x", cli.ExitUsage, "merge takes PART..., none given"},
		{"a model to merge", "", "merge t0.part model.rfp -o x", cli.ExitUsage,
			"merge takes the trees of grow and the votes of tally, and a model is whole already"},
		{"data to merge", "", "merge data.csv -o x", cli.ExitModel,
			"data.csv: model file: this is not a model of rfpragma; give the trees written by rfpragma grow"},
		{"only rows to tally", "", "tally data.csv", cli.ExitUsage,
			"tally takes TREES.part... DATA, or MODEL.rfp DATA, 1 given"},
		{"two models to tally", "", "tally model.rfp model.rfp data.csv", cli.ExitUsage,
			"tally takes one model, or the trees of grow, and then the rows"},
		{"votes to tally", "", "tally v0.part data.csv", cli.ExitUsage, "tally takes one model, or the trees of grow"},
		{"a target that trees know", "", "tally t0.part t1.part data.csv --target y", cli.ExitUsage,
			"--target, --weight and --drop-unlabelled are for the rows of a model"},
		{"training rows for a model", "", "tally model.rfp data.csv", cli.ExitUsage,
			"data.csv: votes cannot be tuned on: these are votes for the rows that the model was trained on"},
		{"trees missing to tally", "", "tally t0.part data.csv -o x", cli.ExitData,
			"parts: trees 2 to 3 are missing; give their part too, or run its task again"},
		{"trees missing", "", "merge t1.part v0.part v1.part --prefer ill -o x", cli.ExitData,
			"parts: trees 0 to 1 are missing"},
		{"trees twice", "", "merge t0.part t0.part t1.part -o x", cli.ExitData,
			"parts: tree 0 is there twice, in t0.part and in t0.part; give each part once"},
		{"another seed", "", "merge t0.part seed.part -o x", cli.ExitData,
			"parts: seed.part has another seed (9, not 1) than t0.part"},
		{"other data", "", "merge t0.part other.part -o x", cli.ExitData,
			"parts: other.part has other rows (63, not 60) than t0.part"},
		{"votes missing", "", "merge t0.part t1.part v1.part --prefer ill -o x", cli.ExitData,
			"parts: 1 of 2 parts of the rows has no votes (0); give theirs too"},
		{"votes twice", "", "merge t0.part t1.part v1.part v1.part --prefer ill -o x", cli.ExitData,
			"parts: part 1 of 2 of the rows is there twice, in v1.part and in v1.part"},
		{"votes for other rows", "", "merge t0.part t1.part elsewhere.part --prefer ill -o x", cli.ExitData,
			"parts: the votes are for 63 rows that are not the 60 that the trees were grown on"},
		{"plain votes that lack some", "", "merge v0.part -o x.csv", cli.ExitData,
			"parts: 1 of 2 parts of the rows has no votes (1)"},
		{"votes that lack some to tune", "", "tune v0.part --prefer ill", cli.ExitData,
			"parts: 1 of 2 parts of the rows has no votes (1)"},
		{"amounts that were not counted", "",
			"merge t0.part t1.part v0.part v1.part -o x --cost ill=amount --cost well=1 --amount x", cli.ExitUsage,
			`--amount "x": the votes were counted with the amounts of column ""`},
		{"a model on stdout", "", "merge t0.part t1.part v0.part v1.part --prefer ill -o -", cli.ExitUsage,
			"--output -: a model is no text for stdout"},
	} {
		t.Run(c.name, c.refused)
	}
	for _, tc := range []struct{ number, slurm, want string }{
		{"4", "", "--part auto/4: JOB_COMPLETION_INDEX is 4, and of 4 parts the last is 3, as they are counted from 0; " +
			"number the tasks 0 to 3"},
		{"1", "2", "--part auto/4: JOB_COMPLETION_INDEX is 1 and SLURM_ARRAY_TASK_ID is 2; write the number of the part, " +
			"such as 0 for auto"},
		{"", "one", `--part auto/4: SLURM_ARRAY_TASK_ID is one, which is no number from 0; write the number of the part`},
	} {
		t.Setenv("JOB_COMPLETION_INDEX", tc.number)
		t.Setenv("SLURM_ARRAY_TASK_ID", tc.slurm)
		if got := invoke(t, nil, "grow", "data.csv", "-o", "x", "--part", "auto/4"); got.code != cli.ExitUsage ||
			!strings.Contains(strings.ReplaceAll(got.stderr, `"`, ""), tc.want) {
			t.Errorf("index %q and %q: exit %d, %s", tc.number, tc.slurm, got.code, got.stderr)
		}
	}
}

// Lines that stand for several rows are calibrated as the rows are, and so is what tally counts.
func TestCalibrateCounts(t *testing.T) {
	trained(t)
	write(t, "later.csv", small(150))
	must(t, "tally model.rfp later.csv -o votes.csv")
	write(t, "later.csv", small(150)+"3,p,\n") // a row without a label is counted, and says nothing
	must(t, "tally model.rfp later.csv -o votes.part")
	var rows strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(read(t, "votes.csv")), "\n") {
		at := strings.LastIndex(line, ",")
		n := 1
		if i > 0 {
			fmt.Sscan(line[at+1:], &n)
		}
		rows.WriteString(strings.Repeat(line[:at]+"\n", n))
	}
	write(t, "rows.csv", rows.String())
	shown := func(file string) string {
		return strings.ReplaceAll(must(t, "calibrate "+file+" --calibrate platt -o map.json").stdout, file, "") +
			read(t, "map.json")
	}
	want := shown("rows.csv")
	if !strings.Contains(want, "150 rows") {
		t.Errorf("the page does not say how many rows there are:\n%s", want)
	}
	for _, file := range []string{"votes.csv", "votes.part"} {
		if got := shown(file); got != want {
			t.Errorf("%s\n%s\nof the rows\n%s", file, got, want)
		}
	}
	write(t, "weighed.csv", "class,ill,well,weight,count\nill,9,1,2.5,5\nwell,2,8,1,2\nwell,7,3,3,3\n")
	if got := must(t, "calibrate weighed.csv --weight weight --calibrate platt --folds 2 --format "+
		"json").stdout; !strings.Contains(got, `"weight": 2.5`) || !strings.Contains(got, `"rows": 10`) {
		t.Errorf("weights that are sums: %s", got)
	}
	write(t, "many.csv", "class,ill,well,count\nill,9,1,5000000\nwell,2,8,4000000\nwell,7,3,1\nill,1,9,1\n")
	if got := must(t, "calibrate many.csv --calibrate platt --folds 2 --format json").stdout; !strings.Contains(got,
		`"weight": 5000001`) {
		t.Errorf("more rows than are held: %s", got)
	}
	runRefusals(t, map[string]string{"half.csv": "class,ill,well,count\nill,9,1,1.5\nwell,2,8,1\n"}, []refusal{
		{"half a row", "", "calibrate half.csv", cli.ExitData,
			"half.csv: column \"count\": these are no numbers of rows; write how many rows each line stands for, 1 or more, " +
				"or have the column ignored"},
	})
}
