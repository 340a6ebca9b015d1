package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// topic is a text of help that belongs to no single verb.
type topic struct{ Name, About, Text string }

// Topics are the pages of help that are no verbs.
func Topics() []topic {
	return []topic{
		{"preference", "how to say what you want", preferenceHelp},
		{"formats", "what is read and written", formatsHelp},
		{"weights", "vote weights, and what others call them", weightsHelp},
		{"maps", "from votes to probabilities", mapsHelp},
		{"parts", "train past one machine", partsHelp},
		{"environment", "settings by a file or by variables", environmentHelp},
		{"exit-codes", "what a script can tell from them", exitCodesHelp()},
	}
}

const preferenceHelp = `Say what you want of each class, or have yourself asked with --ask:
  theta  how much the class matters; only ratios count
  x      the precision you accept in exchange for recall 1 (finding all of it)
  y      the recall you accept in exchange for precision 1 (no false alarm)
x and y are rates of exchange, not floors: what must hold in any case is for --require.

  --prefer ill                      find it without a flood: theta 10, y 0.6, and x three times its
                                    share of the rows; other classes: theta 1, x 0.8, y 0.8
  --prefer ill:priority             as in the paper: theta 10, x 0.1, y 0.9
  --prefer ill,sick                 the same for both; so does --prefer ill --prefer sick
  --prefer 'ill;sick:theta=4,x=0.3,y=0.7'   ill as above, sick with figures of its own
  --prefer 'ill:theta=10,x=0.2,y=0.6;*:theta=1,x=0.5,y=0.5'    * is every class not named
  --prefer-file prefs.json          {"ill": {"theta": 10, "x": 0.2, "y": 0.6}}
  --measure pragma:s=-1             with harmonic means, as F-beta has, and as beside a limit of
                                    alarms anyway; s=0: geometric ones
  --costs costs.csv                 instead: what each decision costs, a line for each true class
                                    actual,predicted_ill,predicted_well
                                    ill,0,10
                                    well,1,0
  --cost ill=10 --cost well=1       the same
  --cost fraud=amount --cost good=5 --amount sum
                                    a missed fraud costs its own sum, read from column sum
  --require 'ill:recall>=0.9'       before all that: find nine of ten; or precision>=20%, fpr<=1%,
                                    alerts<=5/1000 (at most 5 alarms among 1,000 rows)
  --require 'ill:recall>=0.9@region=north'   counted on the rows of that group alone, which the same
                                    weights decide as all others
  --require none                    drops what settings, or a model that is tuned again, require

Recall is also called sensitivity or true positive rate, precision positive predictive value (PPV),
and fpr is 1 - specificity.

By your own word recall 1 at precision x and recall y at precision 1 are equally good, and that
fixes the loss that is made low: PRAGMA, the theta-weighted mean over the classes, 0 where all is
found without a false alarm. To take a row for a related class is a miss like any other; only
--costs says that it is less bad. Other losses go by --measure. Beside one of them, or costs,
--prefer does not move the weights: it says which class matters most, cv and evaluate tell PRAGMA
by it, and --criterion pragma splits the trees by it. What --require asks for comes before any
loss; where it cannot be reached the error says how near one can come.`

const formatsHelp = `Tables come in these forms, told by the name of the file or else its first bytes, or as
--input-format says; - is stdin. Text is in UTF-8, plain or compressed by gzip or zstd.

  csv      .csv, with a header; what separates cells is found out, or --sep says it
  tsv      .tsv, .tab: the same, with tabs between cells
  arff     .arff, as of Weka and OpenML, also sparse; the weights of its rows count
  libsvm   .svm, .libsvm, .svmlight: the label is column class, feature 7 is column f7
  parquet  .parquet, .pq: numbers, texts and truth values; from stdin up to 1 GB

A column is numeric when every cell is a number, and categorical when none is; --categorical
names columns of codes, and ARFF and Parquet declare them. --decimal , reads CSV with decimal
commas. A first column of CSV without a name, where R and pandas write the names of rows, is left
out, and so are columns at the right end with neither a name nor content. Dates and times must be
left out by --ignore, or dates named by --time. An empty cell, ? in ARFF and null in Parquet are
missing. --missing NA,age=0,99 names other words: those before the first COLUMN= are of all columns
(and of the labels, unless they are numbers), 0 and 99 of column age alone.
In a message data.csv:12:34 is line 12, byte 34; rows are counted below the header.
The form does not matter to a model: the same table gives the same bytes, and it takes new rows
in any form, finding its columns by name. Votes, folds and costs are CSV.

Results go to stdout, talk, warnings and progress to stderr. --format says how results come, or the
name of the file of --output, .json, .csv or .md, of cv, evaluate, inspect and importance:

  table     for people; figures are rounded, and long names cut to fit
  markdown  the same for a document; nothing is cut
  json      not rounded, with a schema_version; of predict one object for each row
  csv       for a spreadsheet; not rounded, except probabilities of rows, which have six digits;
            those near 1 have enough that 1 - p has six, too

Every verb with a result has these four, except monitor (no csv), report (html, json), and predict
and calibrate with a map (csv, json), as these write rows. CSV columns are named as in docs/json.md.
A line stands for

  cv, evaluate                  a rule and a class, or the rule alone; rule top is a list of --top
  train, merge, tune, inspect   a class, and the weight of its votes
  calibrate                     the probabilities of a class, raw before the map, or calibrated
  importance                    a feature
  inspect, of data              a column
  data list                     a set

With case weights, support and predicted are sums of weights, and tables say case weight.

A model (.rfp) is one file, checked to the last bit when it is read. Files are written whole or
not at all: an older one stays as it was until the new one is complete.`

const weightsHelp = `A forest of T trees gives a row v votes for each class, T in all. The class with the most votes
times its weight is decided; only the ratios of weights matter, and weights of 1 are the plain vote.
The weights are found last, on votes by trees that have not seen the row: no tree changes by them.
These votes are out of bag (oob), or of a cross-validation (cv) where bags leave each row out of too
few trees: below 200 trees, with bags of nearly all rows, and with groups.

The same under other names, for weights w:

  cutoff 1/w             R's randomForest: the class with the largest votes / cutoff; one that just
                         reaches a given cutoff reaches it (>= of scikit-learn)
  threshold w0/(w0+w1)   two classes: the share of votes from which on class 1 is decided
  cost ratio w1/w0       two classes: so many false alarms are as bad as one row that is missed

train, merge and tune take weights instead of a search by --weights or --cutoff. Those that cv shows
beside the tuned ones have names: plain, prior (one over the share of each class in the rows) and
cost (what errors on a class cost).

Class weights (--class-weight) and case weights (--weight) are another thing: they change how trees
grow. Trees that part the classes completely hardly heed them, while the vote always does.`

const mapsHelp = `Votes, or the scores of any model, become probabilities by a map, which --calibrate names:

  auto              what is proven to do best in cross-validation on the votes, or none
  platt             a logistic curve of the log odds of the votes: little data is enough
  platt-raw         a logistic curve of the share of the votes (Platt 1999)
  isotonic          any curve that never falls, joined by lines: from about a thousand rows
  isotonic-step     the same in steps
  isotonic-centred  the same, but rising everywhere between its ends
  beta              a curve of three numbers, which can also leave the shares as they are
  temperature       sharpens or flattens the shares of all classes by one number
  vector            a slope and an offset for each class; for two classes the same as beta
  matrix            the same, and votes for one class speak for another; drawn to a temperature
  venn-abers        isotonic with the row itself added, as either class
  venn-abers-centred  the same, but rising everywhere
  minmax            from 0 at the lowest share to 1 at the highest: a naive baseline
  none              the share of the votes as it is

With three or more classes there is a map for each class against the rest. By a suffix, such as
platt:coupled, there is one for each pair of classes, and the probabilities are those that agree
with the pairs best (Wu, Lin and Weng 2004); with platt:pairs a class has the mean of its pairs,
which is small where there are many classes.`

const partsHelp = `Where one machine is too slow or too small, train is three steps, and the model has the same bytes
as with train --votes oob:

  rfpragma grow data.csv --part 0/2 -o trees-0.part          each task some of the trees
  rfpragma grow data.csv --part 1/2 -o trees-1.part
  rfpragma tally trees-0.part trees-1.part data.csv --part 0/2 -o votes-0.part
  rfpragma tally trees-0.part trees-1.part data.csv --part 1/2 -o votes-1.part
  rfpragma merge trees-0.part trees-1.part votes-0.part votes-1.part --prefer ill -o model.rfp

Parts are counted from 0. In an array job --part auto/100 takes the number of the task from
JOB_COMPLETION_INDEX (Kubernetes), SLURM_ARRAY_TASK_ID, AWS_BATCH_JOB_ARRAY_INDEX,
CLOUD_RUN_TASK_INDEX or BATCH_TASK_INDEX. A task that is run again writes the same bytes; one
that is stopped leaves no file.`

const environmentHelp = `Every flag but --help and --print-config can be set in other places. The first that has it counts:

  1. the command line              --min-leaf 5
  2. the environment               RFPRAGMA_MIN_LEAF=5
  3. the verb's table of a file    [train] and below it min-leaf = 5
  4. the top of that file          min-leaf = 5, for all verbs that have the flag

The file is named by --config FILE or RFPRAGMA_CONFIG; no other is read. It is TOML:

  target = "outcome"
  missing = ["NA", "?"]

  [prefer.fraud]                   # as --prefer fraud:theta=10,x=0.2,y=0.6
  theta = 10
  x = 0.2
  y = 0.6

  [train]
  trees = 1000
  class-weight = {fraud = 2}       # as --class-weight fraud=2

Other values are written as after the flag. Of flags that mean the same (--prefer, --prefer-file and
--ask; --measure, --cost and --costs; --weights and --cutoff) the one that comes first counts alone.
With --print-config a verb prints its settings as such a file, says where each was set, and stops.
An unknown name in the file is an error, one in the environment a warning; an empty variable says
nothing.

Other programs' variables that are heeded: GOMAXPROCS (threads), GOMEMLIMIT (the memory that may be
taken), GOGC, HTTPS_PROXY (data get).`

// exitCodes says what each means, in the order of the numbers.
func exitCodes() []struct {
	code int
	what string
} {
	return []struct {
		code int
		what string
	}{
		{ExitDone, "done; also if the reader of stdout went away, as head does"},
		{ExitBug, "a fault in rfpragma; please report it"},
		{ExitUsage, "the command line or a setting is wrong, or names something that the data lack"},
		{ExitData, "the data are malformed, or are not what the verb or the model needs"},
		{ExitModel, "the file is no model, or is damaged"},
		{ExitIO, "reading or writing failed"},
		{ExitLimit, "refused: too large for a limit, or for the memory"},
		{ExitFloor, "what --require asks for cannot be reached"},
		{ExitDrift, "drift shows, and --fail-on-drift is set; the result is written all the same"},
		{exitInterrupt, "stopped by Ctrl-C (SIGINT) or a closed terminal (SIGHUP)"},
		{exitTerminate, "stopped by SIGTERM"},
	}
}

func exitCodesHelp() string {
	var b strings.Builder
	for _, e := range exitCodes() {
		fmt.Fprintf(&b, "  %3d  %s\n", e.code, e.what)
	}
	return b.String() + `
Mend 2 on the command line and 3 in the data: a missing column is 2 if a flag names it, and 3 if the
model needs it. A file without rows is 3, except for predict and tally, which then have nothing to
do: predict warns, and writes only the names of the columns.

An error is the last line of stderr, and says where, what, and how to mend it. A file that could
not be written whole is as it was before.`
}

// Help answers rfpragma help TOPIC on out, and tells whether it did.
func Help(out io.Writer, args []string) bool {
	if len(args) < 3 || !slices.Contains([]string{"help", "h"}, args[1]) {
		return false
	}
	for _, t := range Topics() {
		if t.Name == args[len(args)-1] {
			fmt.Fprintf(out, "rfpragma help %s: %s\n\n%s\n", t.Name, t.About, t.Text)
			return true
		}
	}
	return false
}

// appTemplate is the help of rfpragma itself.
const appTemplate = `rfpragma: {{.Usage}}

{{.Description}}

Usage: rfpragma VERB [flags] [files]

Verbs (rfpragma help VERB tells more):
{{range .VisibleCommands}}{{if ne .Name "help"}}  {{printf "%-11s" .Name}}  {{.Usage}}
{{end}}{{end}}
Topics (rfpragma help TOPIC):
{{topics}}
Other:
  --help, -h     show help
  --version, -v  print the version, the commit and its date
  --licenses     print the licences of what is linked
`

// RootTemplate fills the topics into appTemplate.
func RootTemplate() string {
	var b strings.Builder
	for _, t := range Topics() {
		fmt.Fprintf(&b, "  %-11s  %s\n", t.Name, t.About)
	}
	return strings.Replace(appTemplate, "{{topics}}\n", b.String()+"\n", 1)
}

// VerbsElsewhere are the verbs that people know from other programs, and those that do the same here.
var VerbsElsewhere = map[string]string{
	"fit": "train", "learn": "train", "validate": "cv", "cross-validate": "cv", "crossval": "cv",
	"score": "predict", "apply": "predict", "classify": "predict", "why": "predict", "test": "evaluate",
	"assess":   "evaluate",
	"optimize": "tune", "threshold": "tune", "show": "inspect", "describe": "inspect", "info": "inspect",
	"explain": "importance", "features": "importance", "plot": "report", "simulate": "generate",
	"download": "data", "combine": "merge", "manual": "man",
}

// NoVerb says that there is no such verb.
func NoVerb(app *urfave.App, word string) error {
	if slices.Contains(TopicNames(), word) {
		return Usagef("%s is a topic of help and no verb; write rfpragma help %[1]s", word)
	}
	if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
		return Usagef("%.256s is a file, and what to do with it comes first, as in rfpragma inspect %s", word,
			csvtext.Quoted(word))
	}
	return Usagef("there is no verb %s%s; choose one of %s", english.Quote(word), verbHint(word, Verbs(app)),
		strings.Join(Verbs(app), ", "))
}

// NoHelp says that there is no help on a word.
func NoHelp(app *urfave.App, word string) error {
	known := slices.Concat(Verbs(app), TopicNames())
	return Usagef("there is no help on %s%s; there is on the verbs %s, and on the topics %s", english.Quote(word),
		verbHint(word, known), strings.Join(Verbs(app), ", "), strings.Join(TopicNames(), ", "))
}

func verbHint(word string, known []string) string {
	if meant := VerbsElsewhere[strings.ReplaceAll(strings.ToLower(word), "_", "-")]; meant != "" {
		return fmt.Sprintf(" (did you mean %q?)", meant)
	}
	return nearest.Hint(word, known)
}

// TopicNames are those of the pages of help that are no verbs.
func TopicNames() []string {
	var names []string
	for _, t := range Topics() {
		names = append(names, t.Name)
	}
	return names
}
