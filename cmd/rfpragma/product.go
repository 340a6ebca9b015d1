package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
)

// product is a kind of file that a verb writes.
type product struct {
	what    string                 // such as "a model"
	endings []string               // of the names of such files, the usual one first
	may     func(head []byte) bool // whether a file that begins so may be one, and be replaced by one
	other   map[string]string      // by ending: what to add to a command with --output for a file of that kind
}

// The kinds of files that verbs write.
var (
	modelProduct = product{what: "a model", endings: []string{".rfp"}, may: startingWith(rfpragma.Magic)}
	treesProduct = product{what: "trees", endings: []string{".part"}, may: startingWith(kindTrees)}
	votesProduct = product{what: "votes", endings: []string{".part", ".csv"}, may: func(head []byte) bool { return isText(head) || startingWith(kindVotes)(head) }}
	tableProduct = product{what: "CSV", endings: []string{".csv", ".txt"}, may: isText}
	linesProduct = product{what: "lines of JSON", endings: []string{".json", ".jsonl", ".ndjson", ".txt"}, may: isText}
	mapProduct   = product{what: "a map in JSON", endings: []string{".json"}, may: startingWith("{")}
	pageProduct  = product{what: "a page of HTML", endings: []string{".html", ".htm"}, may: startingWith("<"),
		other: map[string]string{".json": "--format json"}}
	textProduct     = product{what: "text", endings: []string{".txt"}, may: isText}
	documentProduct = product{what: "Markdown", endings: []string{".md"}, may: isText}
	dataProduct     = product{what: "JSON", endings: []string{".json"}, may: startingWith("{")}
)

// familiar are endings of names that everybody takes for a kind of file.
var familiar = []string{
	".rfp", ".part", ".csv", ".tsv", ".tab", ".arff", ".svm", ".libsvm", ".svmlight", ".parquet", ".pq", ".xls", ".xlsx", ".ods",
	".rds", ".rdata", ".sav", ".dta", ".sas7bdat", ".feather", ".orc", ".pkl", ".npy", ".db", ".sqlite",
	".json", ".jsonl", ".ndjson", ".toml", ".yaml", ".yml", ".xml", ".html", ".htm", ".md", ".txt", ".doc", ".docx", ".pdf", ".png", ".svg",
	".go", ".py", ".ipynb", ".r", ".rmd", ".qmd", ".sql", ".sh", ".ps1", ".bat", ".js", ".ts", ".c", ".cpp", ".h", ".java", ".sas",
	".gz", ".gzip", ".zst", ".zstd", ".7z", ".zip",
}

func startingWith(text string) func(head []byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(text)) }
}

// isText reports whether a file that begins so may be text, and not a file of ours.
func isText(head []byte) bool {
	return bytes.IndexByte(head, 0) < 0 && !slices.ContainsFunc([]string{rfpragma.Magic, kindTrees, kindVotes}, func(kind string) bool { return startingWith(kind)(head) })
}

// mayWrite returns, before long work, why a product cannot be written to the file that a flag names: it would destroy what is read or
// a file of another kind, its name says another kind, or it cannot be written at all. What no file is named for can.
func (p *program) mayWrite(c *cli.Context, flag string, out product) error {
	to := c.String(flag)
	if to == "" && c.IsSet(flag) && flag != "output" { // which says that it is missing
		return usagef("--%s is empty; name the file to write", flag)
	}
	if to == "" || to == "-" {
		return nil
	}
	if err := p.apart(c, flag, to); err != nil {
		return err
	}
	for _, other := range []string{"output", "report", "folds-to", "decisions"} {
		if other != flag && samePath(c.String(other), to) {
			return usagef("--%s and --%s both name %.256q; name another file for one of them", other, flag, to)
		}
	}
	if err := out.named(c.Command, flag, to); err != nil {
		return err
	}
	if err := out.replaces(flag, to); err != nil {
		return err
	}
	return atomicfile.Check(to)
}

// samePath tells whether two names, of files that may not be there yet, are of one file. No name is of none.
func samePath(a, b string) bool {
	if a == "" || a == "-" {
		return false
	}
	if one, err := os.Stat(a); err == nil {
		two, err := os.Stat(b)
		return err == nil && os.SameFile(one, two)
	}
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errors.Join(errA, errB) == nil && a == b
}

// apart refuses an output, of the named flag, that is one of the inputs, by whatever name.
func (p *program) apart(c *cli.Context, flag, output string) error {
	to, err := os.Stat(output)
	if err != nil || !to.Mode().IsRegular() {
		return nil // nothing there to destroy
	}
	inputs := c.Args().Slice()
	for _, named := range []string{"prefer-file", "costs", "folds-from", "expected", "config"} {
		inputs = append(inputs, c.String(named))
	}
	for _, input := range inputs {
		from, err := os.Stat(input)
		if stdin, isFile := p.stdin.(interface{ Stat() (fs.FileInfo, error) }); input == "-" && isFile {
			from, err = stdin.Stat()
		}
		if err == nil && os.SameFile(from, to) {
			return usagef("--%s %.256q is the input %.256q; name another file", flag, output, called(input))
		}
	}
	return nil
}

// named refuses a name that is that of another kind of file.
func (out product) named(command *cli.Command, flag, path string) error {
	ending, stem := strings.ToLower(filepath.Ext(path)), path
	if slices.Contains(out.endings, ending) || !slices.Contains(familiar, ending) {
		return nil
	}
	for slices.Contains(familiar, strings.ToLower(filepath.Ext(stem))) {
		stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	}
	cure := "--" + flag + " " + quoted(stem+out.endings[0])
	if other := out.other[ending]; other != "" && flag == "output" {
		cure += ", or add " + other
	} else if flag == "output" {
		cure += written(command, ending, path)
	}
	return usagef("--%s %.256q: %s writes %s here, and %s is another kind of file; write %s", flag, path, command.Name, out.what, ending, cure)
}

// written says by what else a file with that ending is written, "" if that is not near.
func written(command *cli.Command, ending, path string) string {
	judges := command.ArgsUsage == "MODEL.rfp DATA"
	switch has := func(flag string) bool { return flagNamed(command.Flags, flag) != nil }; {
	case slices.Contains(pageProduct.endings, ending) && has("report"):
		return ", or for a page with charts --report " + quoted(path)
	case slices.Contains(pageProduct.endings, ending) && judges:
		return "; a page with charts is written by rfpragma report MODEL.rfp DATA --output " + quoted(path)
	case (ending == ".png" || ending == ".svg") && has("figures"):
		return ", or for the charts --figures FOLDER"
	case (ending == ".png" || ending == ".svg") && judges:
		return "; charts are drawn by rfpragma report MODEL.rfp DATA --output PAGE.html --figures FOLDER"
	case ending == ".rfp" && command.Name == "cv":
		return "; a model is written by rfpragma train DATA --output " + quoted(path)
	}
	return ""
}

// replaces refuses to replace a file that is of another kind.
func (out product) replaces(flag, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil //nolint:nilerror // it can be replaced all the same
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	if !out.may(bytes.TrimLeft(bytes.TrimPrefix(head[:n], []byte("\ufeff")), " \t\r\n")) {
		return usagef("--%s %.256q is there and is not %s; name another file, or delete that one first", flag, path, out.what)
	}
	return nil
}
