package verb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/shap"
	"github.com/rfpragma/rfpragma/internal/view"
)

func reportCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "report",
		Usage:     "draw what a saved model decides on labelled rows it has not seen, as a page",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma report model.rfp later.csv -o report.html
  rfpragma report model.rfp later.csv --format json -o report.json
  rfpragma report model.rfp later.csv --expected cv.json -o report.html   beside what cv promised

The page is one file that opens from disk, prints and can be sent on: it loads nothing from
anywhere. Behind each chart is a table. It shows which columns move the votes, and the cells of at
most twelve rows. The rows of the training are refused. If a tenth of the rows, or of those of a
class, were among them, beyond chance, a warning says so, as it does of rows that the model was
tuned or fitted on. For what to expect of new rows use rfpragma cv DATA --report FILE.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			cli.MergeFlag(), cli.GroupFlag(), cli.DriftFlag(), cli.TopFlag(), cli.PerFlag(), cli.WithholdFlag(),
			cli.ExpectedFlag(),
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "`FILE` to write the page to; - is stdout"},
			figuresFlag(),
		}, cli.MoneyFlags(), cli.NewDataFlags(), cli.RunFlags("html, json")),
		Action: func(c *urfave.Context) error { return makeReport(p, c) },
	}
}

// figuresFlag is that of the verbs that draw.
func figuresFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "figures", Category: "Output",
		Usage: "`FOLDER` to write the charts to as well, as PNG and SVG"}
}

func makeReport(p *cli.Program, c *urfave.Context) error {
	if _, err := cli.Arguments(c, 2, 2); err != nil {
		return err
	}
	to := c.String("output")
	if to == "" {
		return cli.Usagef("--output is missing; name the file to write the page to, or - for stdout")
	}
	out := cli.PageProduct
	if c.String("format") == "json" {
		out = cli.DataProduct
	}
	if err := drawable(p, c, "output", out); err != nil {
		return err
	}
	in, err := modelAndRows(p, c, "html, json")
	if err != nil {
		return err
	}
	if err := cli.NoWeights(in.Model, "report"); err != nil {
		return err
	}
	if err := readExpected(p, c, &in); err != nil {
		return err
	}
	if why := hints.TrainedOn(&in, "for a page of what to expect of those run "+hints.Judging(&in, c)+
		" --report FILE"); why != nil {
		return why
	}
	err = voteOnRows(&in, c)
	p.Warn(cli.WithoutFindings(rowWarnings(&in)))
	if err != nil {
		return err
	}
	trace := &recorder{}
	judged, err := evaluated(p, c, &in, anneal.Search{Seed: c.Uint64("seed"), Workers: in.Workers, Trace: trace.add})
	if err != nil {
		return err
	}
	in.ComparePromise(judged)
	found, err := drift(&in, c)
	if err != nil {
		return err
	}
	input, err := in.ReportInput(judged)
	if err != nil {
		return err
	}
	page, err := report.New(c.Context, input)
	if err != nil {
		return err
	}
	in.FillPage(page, judged, found)
	if page.Parts, err = partsOf(c.Context, &in, page.First); err != nil {
		return err
	}
	page.Search, page.Take.Flag = report.Levels(trace.sorted()), weightsFlag
	return cmp.Or(writeReport(p, c, to, in.Form, in.Name, page), failOnDrift(c, &in, found))
}

// partsOf splits the votes that the rows judged have for a class.
func partsOf(ctx context.Context, in *view.ModelRows, class int) (*report.Parts, error) {
	frame := *in.Judged
	if in.Why != nil && frame.Number == nil { // rows are left out, and the others keep their numbers
		for i, why := range in.Why {
			if why == "" {
				frame.Number = append(frame.Number, i+1)
			}
		}
	}
	return shap.Of(ctx, in.Model, &shap.Rows{Frame: &frame, Votes: in.Decided,
		Decided: predictions.Deciding(in.Model, in.Decided), Workers: in.Workers}, class)
}

// weightsFlag is how a setting of the slider of a page is taken.
const weightsFlag = "--weights"

// drawable makes sure, before long work, that the page, or its data, which the flag names, and the figures can be
// written.
func drawable(p *cli.Program, c *urfave.Context, flag string, out cli.Product) error {
	folder, err := c.String("figures"), p.MayWrite(c, flag, out)
	if err == nil && folder == "" && c.IsSet("figures") {
		return cli.Usagef("--figures is empty; name the folder to write to")
	}
	if err != nil || folder == "" {
		return err
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return atomicfile.Check(filepath.Clean(folder)) // it is made once there is what to put into it
	}
	return atomicfile.Check(filepath.Join(folder, "votes.png"))
}

// writeReport writes the page, or the data in it, to a file, whole or not at all, or to stdout, and the figures to
// their folder. Of both only what was asked for. The page goes to others, who have other folders than that of the
// table, which is called name.
func writeReport(p *cli.Program, c *urfave.Context, to, form, name string, data *report.Report) error {
	var columns, warned []string
	for _, w := range p.Warned {
		text := strings.TrimPrefix(w.Error(), name+": ")
		if detail := note.Detail(w); detail != "" {
			data.Details = append(data.Details, detail)
		}
		switch {
		case errors.Is(w, dataset.ErrIgnored) || errors.Is(w, dataset.ErrUseless): // is no reason for caution
			columns = append(columns, text)
		default:
			warned = append(warned, text)
		}
	}
	data.Warnings = append(data.Warnings, warned...)
	if len(columns) > 0 {
		data.Facts = slices.Insert(data.Facts, 1, view.Fact("Columns", strings.Join(columns, "; ")))
	}
	data.Facts = append(data.Facts, view.Fact("Command", commandOf(c)))
	figures := plotfile.Figures(data)
	if folder := c.String("figures"); folder != "" {
		if err := writeFigures(p, c.Context, folder, figures); err != nil {
			return err
		}
	}
	if to == "" {
		return nil
	}
	var pictures []report.Figure
	for _, f := range figures {
		var svg bytes.Buffer
		if err := f.Write(&svg, plotfile.SVG); err != nil {
			return err
		}
		pictures = append(pictures, report.Figure{Name: f.Name, SVG: svg.Bytes()})
	}
	err := p.WriteTo(c.Context, to, func(w io.Writer) error {
		if form == "json" {
			return json.NewEncoder(w).Encode(data)
		}
		return data.WriteHTML(w, pictures)
	})
	if err == nil && to != "-" {
		p.Say("Report written to %s.", p.Written(to))
	}
	return err
}

// commandOf is the command line that asks for the same, for a shell, also where it was said by a file or the
// environment. It leaves out where results go and how fast they are made, as no page depends on that.
func commandOf(c *urfave.Context) string {
	words := []string{"rfpragma", c.Command.Name}
	for _, arg := range c.Args().Slice() {
		words = append(words, csvtext.Quoted(arg))
	}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if !c.IsSet(name) || slices.Contains([]string{"output", "report", "figures", "decisions", "format", "threads",
			"quiet", "config"}, name) {
			continue
		}
		switch v := cli.ValueOf(c, f).(type) {
		case bool:
			words = append(words, "--"+name+map[bool]string{false: "=false"}[v])
		case []string:
			for _, one := range v {
				words = append(words, "--"+name, csvtext.Quoted(one))
			}
		default:
			words = append(words, "--"+name, csvtext.Quoted(fmt.Sprint(v)))
		}
	}
	return strings.Join(words, " ")
}

// writeFigures writes each figure in each format into a folder, which it makes if need be.
func writeFigures(p *cli.Program, ctx context.Context, folder string, figures []plotfile.Figure) error {
	if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, f := range figures {
		for _, format := range []plotfile.Format{plotfile.PNG, plotfile.SVG} {
			path := filepath.Join(folder, f.Name+"."+string(format))
			if err := p.WriteTo(ctx, path, func(w io.Writer) error { return f.Write(w, format) }); err != nil {
				return err
			}
		}
	}
	if base := filepath.Base(folder); base == "." || base == ".." {
		if whole, err := filepath.Abs(folder); err == nil {
			folder = whole
		}
	}
	p.Say("%d figures written to %s.", len(figures), folder)
	return nil
}

// recorder keeps what searches tell of their annealing.
type recorder struct {
	mutex  sync.Mutex
	levels []anneal.Level
}

func (r *recorder) add(l anneal.Level) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.levels = append(r.levels, l)
}

// sorted returns the levels by chain, whichever was told first.
func (r *recorder) sorted() []anneal.Level {
	slices.SortFunc(r.levels, func(a, b anneal.Level) int {
		return cmp.Or(cmp.Compare(a.Chain, b.Chain), cmp.Compare(a.Level, b.Level))
	})
	return r.levels
}
