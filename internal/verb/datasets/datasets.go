// Package datasets has the verbs that bring data: data gets public sets, and generate makes some up.
package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/internal/catalogue"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/download"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/view"
)

// DataCommand is that of data.
func DataCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "data",
		Usage:     "list public benchmark sets, and get them from where they live",
		ArgsUsage: "list|get NAME ...",
		Description: `  rfpragma data list
  rfpragma data list --format json                       with licences, authors and checksums
  rfpragma data get satimage
  rfpragma data get satimage --from statlog.zip          a file, or a URL, in the place of its home

A set is converted to CSV: a header, the label last in the column class, an empty cell where a
value is missing. What comes out is held against a checksum, so that it is the very table that
the figures of this project are about. It is kept as NAME/NAME.csv in the folder --cache, and
taken from there the next time. Its path goes to stdout, all else to stderr, so that
"$(rfpragma data get satimage)" stands for the file. Several names may be given, or all.`,
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "cache", Category: "Data",
				Usage: "`FOLDER` where sets are kept; else rfpragma in the user's folder for caches"},
			&urfave.StringFlag{Name: "from", Category: "Data",
				Usage: "`FILE` or URL that holds what the home of the set does; - is stdin"},
			&urfave.BoolFlag{Name: "force", DisableDefaultText: true, Category: "Data",
				Usage: "get it anew, even if it is there"},
			&urfave.StringFlag{Name: "format", Value: "table", Category: "Output", Usage: "`FORM` of the list: " +
				view.AllForms},
		},
		Action: func(c *urfave.Context) error { return data(p, c) },
	}
}

func data(p *cli.Program, c *urfave.Context) error {
	args, err := cli.Arguments(c, 1, 1000)
	if err != nil {
		return err
	}
	switch names := args[1:]; {
	case args[0] == "list" && len(names) == 0:
		return listSets(p, c)
	case args[0] == "get" && len(names) > 0:
		return getSets(p, c, names)
	case args[0] == "get":
		return cli.Usagef("data get needs the NAME of a set, or all; rfpragma data list has the names")
	case args[0] == "list":
		return cli.Usagef("data list takes no names, %d given", len(names))
	}
	if _, err := catalogue.Find(args[0]); err == nil {
		return cli.Usagef("write rfpragma data get %s", args[0])
	}
	return cli.Usagef("there is no data %s; choose list or get", english.Quote(args[0]))
}

// onlyFlags refuses flags that mean nothing to data list, or to data get.
func onlyFlags(p *cli.Program, what string, flags ...string) error {
	for _, name := range flags {
		if p.IsTyped(name) {
			return cli.Usagef("--%s means nothing to data %s; leave it out", name, what)
		}
	}
	return nil
}

// setInfo describes a set in JSON.
type setInfo struct {
	Name        string   `json:"name"`        // to get it by
	About       string   `json:"about"`       // what the class tells
	Rows        int      `json:"rows"`        // number of rows
	Features    int      `json:"features"`    // number of features
	Classes     int      `json:"classes"`     // number of classes
	Categorical []string `json:"categorical"` // columns to name with --categorical
	First       string   `json:"first"`       // flags of cv for a first look, --categorical included
	Licence     string   `json:"licence"`     // of the data
	Cite        string   `json:"cite"`        // whom to cite
	URL         string   `json:"url"`         // where it lives
	SHA256      string   `json:"sha256"`      // of the file NAME.csv
}

// ListResult is what data list writes as JSON.
type ListResult struct {
	view.Heading
	Sets []setInfo `json:"sets"` // by name
}

// listSets shows the catalogue.
func listSets(p *cli.Program, c *urfave.Context) error {
	form, err := cli.ResultForm(c)
	if err == nil {
		err = onlyFlags(p, "list", "cache", "from", "force")
	}
	if err != nil {
		return err
	}
	out := ListResult{Heading: view.Heading{SchemaVersion: view.SchemaVersion, Command: "data list"}}
	g := &layout.Grid{Head: []string{"set", "what the class tells", "rows", "features", "classes", "licence"}, Left: 1}
	var records [][]string
	for _, s := range catalogue.All() {
		first := s.First
		if s.Categorical == nil {
			s.Categorical = []string{}
		} else {
			first = "--categorical " + strings.Join(s.Categorical, ",") + " " + first
		}
		out.Sets = append(out.Sets, setInfo{s.Name, s.About, s.Rows, s.Features, s.Classes, s.Categorical, first, s.Licence,
			s.Cite, s.URL, s.SHA256})
		sizes := []string{strconv.Itoa(s.Rows), strconv.Itoa(s.Features), strconv.Itoa(s.Classes)}
		g.Add(append([]string{s.Name, s.About}, append(sizes, s.Licence)...)...)
		records = append(records, append([]string{s.Name, s.About}, append(sizes, first, s.Licence, s.Cite, s.URL,
			s.SHA256)...))
	}
	switch form {
	case "json":
		return p.WriteJSON(out)
	case "csv":
		return p.WriteCSV([]string{"name", "about", "rows", "features", "classes", "first", "licence", "cite", "url",
			"sha256"}, records)
	}
	to := p.Page(form)
	to.Table(g)
	to.Say("rfpragma data get NAME gets one of them; --format json tells more.")
	return nil
}

// Wish is how a set is wanted.
type Wish struct {
	Cache string // folder
	From  string // file or URL to read; "" is the home of the set
	Force bool   // even if it is there
}

// getSets gets the named sets. Where there are several, one that fails does not keep the others back.
func getSets(p *cli.Program, c *urfave.Context, names []string) error {
	w := Wish{Cache: c.String("cache"), From: c.String("from"), Force: c.Bool("force")}
	if err := onlyFlags(p, "get", "format"); err != nil {
		return err
	}
	sets, err := chosen(names)
	if err != nil {
		return err
	}
	if w.From != "" && len(sets) > 1 {
		return cli.Usagef("--from is the source of one set; name one, not %d", len(sets))
	}
	if w.Cache == "" {
		folder, err := os.UserCacheDir()
		if err != nil {
			return cli.Usagef("there is no folder for caches here: %w; name one with --cache", err)
		}
		w.Cache = filepath.Join(folder, "rfpragma")
	}
	var failed []error
	for _, s := range sets {
		err := GetSet(p, c.Context, s, w)
		switch {
		case err == nil:
			continue
		case len(sets) == 1 || c.Err() != nil:
			return err
		}
		p.Warn([]error{err})
		failed = append(failed, err)
	}
	if failed != nil {
		return fmt.Errorf("%d of %d sets are not to be had; the first: %w", len(failed), len(sets), failed[0])
	}
	return nil
}

// chosen returns the sets of the names.
func chosen(names []string) ([]catalogue.Set, error) {
	if len(names) == 1 && names[0] == "all" {
		return catalogue.All(), nil
	}
	var sets []catalogue.Set
	for _, name := range names {
		s, err := catalogue.Find(name)
		if err != nil {
			return nil, cli.Usagef("%w; rfpragma data list has them all", err)
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// GetSet puts a set into the cache, if it is not there, and tells where it is.
func GetSet(p *cli.Program, ctx context.Context, s catalogue.Set, w Wish) error {
	folder := filepath.Join(w.Cache, s.Name)
	path := filepath.Join(folder, s.Name+".csv")
	there, err := kept(ctx, s, path)
	if !w.Force && err != nil {
		return err
	}
	if w.Force || !there {
		if err := keepSet(p, ctx, s, w.From, folder, path); err != nil {
			os.Remove(folder) // if there is nothing in it
			return err
		}
	}
	p.Say("%s: %d rows, %d features, %d classes: %s", s.Name, s.Rows, s.Features, s.Classes, s.About)
	p.Say("Licence %s: %s", s.Licence, s.Cite)
	next := "rfpragma cv " + csvtext.Quoted(path) + " "
	if len(s.Categorical) > 0 {
		next += "--categorical " + csvtext.Quoted(strings.Join(s.Categorical, ",")) + " "
	}
	p.Say("Next: %s%s", next, s.First)
	_, err = fmt.Fprintln(p.Stdout, path)
	return err
}

// kept tells whether the set is in the file path. Another table there is an error.
func kept(ctx context.Context, s catalogue.Set, path string) (bool, error) {
	in, err := cli.OpenFile(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w; --cache names another folder", err)
	}
	defer in.Close()
	text, err := download.ReadAll(in, path)
	if err != nil {
		return false, err
	}
	if err := s.Check(text); err != nil {
		return false, fmt.Errorf("%s is not the set as it was kept: %w; --force gets it anew and replaces the file", path,
			err)
	}
	return true, nil
}

// keepSet gets a set and writes it to path in folder.
func keepSet(p *cli.Program, ctx context.Context, s catalogue.Set, from, folder, path string) error {
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = atomicfile.Check(path)
	}
	if err != nil {
		return fmt.Errorf("%w; --cache names another folder", err)
	}
	raw, err := readRaw(p, ctx, s, from)
	if err != nil {
		return err
	}
	text, err := s.Convert(raw)
	if err != nil {
		return err
	}
	return p.WriteTo(ctx, path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// readRaw returns what the home of a set has, or what is in its place.
func readRaw(p *cli.Program, ctx context.Context, s catalogue.Set, from string) ([]byte, error) {
	if from == "" {
		from = s.URL
	}
	if !strings.HasPrefix(from, "https://") && !strings.HasPrefix(from, "http://") {
		in, err := p.OpenInput(ctx, from)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return download.ReadAll(in, in.Name)
	}
	told := p.Progress("kB of " + s.Name)
	defer told.End()
	raw, err := download.Get(ctx, from, download.MostSilent, func(done, total int) { told.Show(done/1000, total/1000) })
	var network download.Error
	if errors.As(err, &network) {
		err = fmt.Errorf("%s: %w; try again, or get the file in another way and name it with --from", s.Name, err)
	}
	return raw, err
}
