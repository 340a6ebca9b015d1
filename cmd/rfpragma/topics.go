package main

import (
	"fmt"
	"slices"
	"strings"
)

// topic is a text of help that belongs to no single verb.
type topic struct{ name, about, text string }

func topics() []topic {
	return []topic{
		{"formats", "what is read and written", formatsHelp},
		{"weights", "vote weights, and what others call them", weightsHelp},
		{"environment", "settings by a file or by variables", environmentHelp},
		{"exit-codes", "what a script can tell from them", exitCodesHelp()},
	}
}

const formatsHelp = `Tables come in these forms, told by the name of the file or else its first bytes, or as
--input-format says; - is stdin. Text is in UTF-8, plain or compressed by gzip or zstd.

  csv      .csv, with a header; what separates cells is found out, or --sep says it
  tsv      .tsv, .tab: the same, with tabs between cells
  arff     .arff, as of Weka and OpenML, also sparse; the weights of its rows count
  libsvm   .svm, .libsvm, .svmlight: the label is column class, feature 7 is column f7
  parquet  .parquet, .pq: numbers, texts and truth values; from stdin up to 1 GB

A column is numeric when every cell is a number, and categorical when none is; --categorical
names columns of codes, and ARFF and Parquet declare them. An empty cell, ? in ARFF and null in
Parquet are missing; --missing names other words. Dates and times must be left out by --ignore.
The form does not matter to a model: the same table gives the same bytes, and it takes new rows
in any form, finding its columns by name. Votes, folds and costs are CSV.

Results go to stdout, talk, warnings and progress to stderr. --format says how results come:

  table     for people; figures are rounded, long names are cut to fit 100 columns
  markdown  the same for a document; nothing is cut
  json      not rounded, with a schema_version; of predict one object for each row
  csv       for a spreadsheet; not rounded

A model (.rfp) is one file, checked to the last bit when it is read. Files are written whole or
not at all: an older one stays as it was until the new one is complete.`

const weightsHelp = `A forest of T trees gives a row v votes for each class, T in all. The class with the most votes
times its weight is decided; only the ratios of weights matter, and weights of 1 are the plain vote.
The weights are found last, on votes by trees that have not seen the row: no tree changes by them.

The same under other names, for weights w:

  cutoff 1/w             R's randomForest: the class with the largest votes / cutoff
  threshold w0/(w0+w1)   two classes: the share of votes from which on class 1 is decided
  cost ratio w1/w0       two classes: so many false alarms are as bad as one row that is missed

Class weights (--class-weight) and case weights (--weight) are another thing: they change how trees
grow. Trees that part the classes completely hardly heed them, while the vote always does.`

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
		{exitDone, "done; also if the reader of stdout went away, as head does"},
		{exitBug, "a fault in rfpragma; please report it"},
		{exitUsage, "the command line, or a setting, cannot be meant"},
		{exitData, "the data cannot be meant"},
		{exitModel, "the model file is none, or damaged"},
		{exitIO, "reading or writing failed"},
		{exitLimit, "refused: too large for a limit, or for the memory"},
		{exitFloor, "what --require asks for cannot be reached"},
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
An error is the last line of stderr, and says where, what, and how to mend it. A file that could
not be written whole is as it was before.`
}

// help answers rfpragma help TOPIC, and tells whether it did.
func (p *program) help(args []string) bool {
	if len(args) < 3 || !slices.Contains([]string{"help", "h"}, args[1]) {
		return false
	}
	for _, t := range topics() {
		if t.name == args[len(args)-1] {
			fmt.Fprintf(p.stdout, "rfpragma help %s: %s\n\n%s\n", t.name, t.about, t.text)
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
  --version, -v  print the version
`

// rootTemplate fills the topics into appTemplate.
func rootTemplate() string {
	var b strings.Builder
	for _, t := range topics() {
		fmt.Fprintf(&b, "  %-11s  %s\n", t.name, t.about)
	}
	return strings.Replace(appTemplate, "{{topics}}\n", b.String()+"\n", 1)
}
