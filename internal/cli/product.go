package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// The kinds of files that verbs write.
var (
	ModelProduct = Product{What: "a model", Endings: []string{".rfp"}, May: StartingWith(rfpragma.Magic)}
	TreesProduct = Product{What: "trees", Endings: []string{".part"}, May: StartingWith(KindTrees)}
	VotesProduct = Product{What: "votes", Endings: []string{".part", ".csv"},
		May: func(head []byte) bool { return IsText(head) || StartingWith(KindVotes)(head) }}
	TableProduct = Product{What: "CSV", Endings: []string{".csv", ".txt", spreadsheet},
		May: func(head []byte) bool { return IsText(head) || StartingWith("PK")(head) }}
	MapProduct  = Product{What: "a map in JSON", Endings: []string{".json"}, May: StartingWith("{")}
	PageProduct = Product{What: "a page of HTML", Endings: []string{".html", ".htm"}, May: StartingWith("<"),
		Other: map[string]string{".json": "--format json"}}
	textProduct     = Product{What: "text", Endings: []string{".txt"}, May: IsText}
	documentProduct = Product{What: "Markdown", Endings: []string{".md"}, May: IsText}
	DataProduct     = Product{What: "JSON", Endings: []string{".json"}, May: StartingWith("{")}
)

// familiar are endings of names that everybody takes for a kind of file.
var familiar = []string{
	".rfp", ".part", ".csv", ".tsv", ".arff", ".svm", ".libsvm", ".parquet", ".xls", ".xlsx", ".rds", ".pkl", ".npy",
	".json", ".jsonl", ".ndjson", ".toml", ".yaml", ".yml", ".xml", ".html", ".htm", ".md", ".txt", ".docx", ".pdf",
	".png", ".svg", ".go", ".py", ".ipynb", ".r", ".sql", ".sh", ".gz", ".zst", ".zip",
}

// MayWrite returns, before long work, why a product cannot be written to the file that a flag names: it would
// destroy what is read or a file of another kind, its name says another kind, or it cannot be written at all. What
// no file is named for can.
func (p *Program) MayWrite(c *urfave.Context, flag string, out Product) error {
	to := c.String(flag)
	if to == "" && c.IsSet(flag) && flag != "output" { // which says that it is missing
		return Usagef("--%s is empty; name the file to write", flag)
	}
	return p.MayWriteTo(c, flag, to, out)
}

// MayWriteTo is MayWrite for a file of several that a flag names.
func (p *Program) MayWriteTo(c *urfave.Context, flag, to string, out Product) error {
	if to == "" || to == "-" {
		return nil
	}
	if err := p.apart(c, flag, to); err != nil {
		return err
	}
	for _, other := range []string{"output", "report", "folds-to", "decisions"} {
		if other != flag && SamePath(c.String(other), to) {
			return Usagef("--%s and --%s both name %.256q; name another file for one of them", other, flag, to)
		}
	}
	if err := named(out, c.Command, flag, to); err != nil {
		return err
	}
	if err := replaces(out, flag, to); err != nil {
		return err
	}
	return atomicfile.Check(to)
}

// SamePath tells whether two names, of files that may not be there yet, are of one file. No name is of none.
func SamePath(a, b string) bool {
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
func (p *Program) apart(c *urfave.Context, flag, output string) error {
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
		if stdin, isFile := p.Stdin.(interface{ Stat() (fs.FileInfo, error) }); input == "-" && isFile {
			from, err = stdin.Stat()
		}
		if err == nil && os.SameFile(from, to) {
			return Usagef("--%s %.256q is the input %.256q; name another file", flag, output, InputName(input))
		}
	}
	return nil
}

// named refuses a name that is that of another kind of file.
func named(out Product, command *urfave.Command, flag, path string) error {
	ending, stem := strings.ToLower(filepath.Ext(path)), path
	if slices.Contains(out.Endings, ending) || !slices.Contains(familiar, ending) {
		return nil
	}
	for slices.Contains(familiar, strings.ToLower(filepath.Ext(stem))) {
		stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	}
	cure := "--" + flag + " " + csvtext.Quoted(stem+out.Endings[0])
	if other := out.Other[ending]; other != "" && flag == "output" {
		cure += ", or add " + other
	} else if flag == "output" {
		cure += written(command, ending, path)
	}
	return Usagef("--%s %.256q: %s writes %s here, and %s is another kind of file; write %s", flag, path, command.Name,
		out.What, ending, cure)
}

// written says by what else a file with that ending is written, "" if that is not near.
func written(command *urfave.Command, ending, path string) string {
	switch has := func(flag string) bool { return FlagNamed(command.Flags, flag) != nil }; {
	case slices.Contains(PageProduct.Endings, ending) && has("report"):
		return ", or for a page with charts --report " + csvtext.Quoted(path)
	case slices.Contains(PageProduct.Endings, ending) && command.ArgsUsage == "MODEL.rfp DATA":
		return "; a page with charts is written by rfpragma report MODEL.rfp DATA --output " + csvtext.Quoted(path)
	case (ending == ".png" || ending == ".svg") && has("figures"):
		return ", or for the charts --figures FOLDER"
	case ending == ".rfp" && command.Name == "cv":
		return "; a model is written by rfpragma train DATA --output " + csvtext.Quoted(path)
	}
	return ""
}

// replaces refuses to replace a file that is of another kind.
func replaces(out Product, flag, path string) error {
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
	if !out.May(bytes.TrimLeft(bytes.TrimPrefix(head[:n], []byte("\ufeff")), " \t\r\n")) {
		return Usagef("--%s %.256q is there and is not %s; name another file, or delete that one first", flag, path, out.What)
	}
	return nil
}
