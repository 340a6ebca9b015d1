package verb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/explore"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/retune"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

func exploreCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "explore",
		Usage:     "move in a browser what is wanted, see at once what it gives, and save it",
		ArgsUsage: "MODEL.rfp DATA, or VOTES.csv",
		Description: `  rfpragma explore model.rfp later.csv                      move, compare, save model-new.rfp
  rfpragma explore model.rfp later.csv --expected cv.json   beside what cv promised
  rfpragma explore votes.csv --prefer ill                   the votes of any other model

The rows are those of the training, by their out-of-bag votes, or ones that came later. The
page finds weights as rfpragma tune does, shows the command line that does the same, and saves
the same model. It is served to this machine alone, at an address with a secret, until
you interrupt the command. On another machine use --no-browser --port 8000, and ssh -L.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "class, or as in training", Category: "Data",
				Usage: "`COLUMN` of the labels"},
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", DefaultText: "MODEL-new.rfp",
				Usage: "`FILE` that the page saves a model to"},
			&urfave.BoolFlag{Name: "no-browser", DisableDefaultText: true, Category: "Run",
				Usage: "only print the address of the page"},
			&urfave.IntFlag{Name: "port", Category: "Run", DefaultText: "a free one", Usage: "`NUMBER` of the port"},
			&urfave.StringFlag{Name: "threads", Value: "auto", Category: "Run",
				Usage: "`NUMBER` of threads; it never changes the result"},
			cli.SeedFlag(), cli.ExpectedFlag(), cli.PositiveFlag(), cli.MergeFlag(), cli.GroupFlag(),
		}, cli.NewDataFlags(), cli.PreferFlags(), cli.SearchFlags(), cli.WeightFlags()),
		Action: func(c *urfave.Context) error { return exploreVotes(p, c) },
	}
}

func exploreVotes(p *cli.Program, c *urfave.Context) error {
	args, err := cli.Arguments(c, 1, 2)
	if err != nil {
		return err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	if len(args) == 2 && !c.IsSet("output") && args[0] != "-" {
		if err := c.Set("output", strings.TrimSuffix(args[0], ".rfp")+"-new.rfp"); err != nil {
			return err
		}
	}
	to := c.String("output")
	if len(args) == 1 && args[0] != "-" {
		if is, err := cli.StartsWith(c.Context, args[0], "{"); err == nil && is {
			return cli.Usagef("%s holds figures of a cross-validation and no votes, which settings are tried on; write "+
				"rfpragma explore MODEL.rfp DATA --expected %[1]s", csvtext.Quoted(args[0]))
		}
	}
	in, w, err := readTuning(p, c, args, workers)
	if err != nil {
		return err
	}
	if w.Review != (rfpragma.Review{}) {
		return cli.Usagef("the model leaves its closest rows to people, and the page decides all of them; rfpragma tune " +
			"retunes it")
	}
	o := explore.Options{Search: w.Search, Costs: w.Loss.Costs}
	if o.Start, err = startOf(c, in, w); err != nil {
		return err
	}
	if c.IsSet("expected") {
		was, err := readCV(c)
		if err != nil {
			return err
		}
		var classes []string
		for _, class := range was.Data.Classes {
			classes = append(classes, class.Label)
		}
		if !slices.Equal(classes, in.Table.Classes) {
			return fmt.Errorf("--expected: its classes are %s, and those here %s; run cv on the same classes",
				nearest.List(classes), nearest.List(in.Table.Classes))
		}
		o.Nested = &was.Rules.Tuned
	}
	o.Command = func(s explore.Setting) string { return tuneLine(c, args, s, in, to) }
	if in.Model != nil && to != "" {
		o.Save = func(ctx context.Context, m *rfpragma.Model) (string, error) {
			_, err := p.SaveModel(ctx, m, to)
			return to, err
		}
	}
	page, err := explore.New(c.Context, explore.Source{Name: in.Name, Model: in.Model, Rows: in.Frame,
		Votes: in.Table}, o)
	if err != nil {
		return err
	}
	return servePage(p, c, page)
}

// servePage serves the page until the command is interrupted, which is its usual end.
func servePage(p *cli.Program, c *urfave.Context, page *explore.Handler) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Int("port"))))
	if err != nil {
		return cli.Usagef("--port %d cannot be had: %w; leave it out for a free one", c.Int("port"), err)
	}
	address := "http://" + listener.Addr().String() + page.Path()
	server := &http.Server{Handler: page, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(c.Context, func() { server.Close() }) // which has nothing to lose: files are whole
	defer stop()
	fmt.Fprintln(p.Stdout, address)
	p.Say("The page is at this address, for this machine alone; interrupt (Ctrl+C) to end.")
	if !c.Bool("no-browser") {
		openBrowser(address)
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser has the desktop open an address, where there is one. The address is printed in any case.
func openBrowser(address string) {
	opener := []string{"xdg-open"}
	switch {
	case runtime.GOOS == "darwin":
		opener = []string{"open"}
	case runtime.GOOS == "windows":
		opener = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return
	}
	if path, err := exec.LookPath(opener[0]); err == nil {
		command := exec.Command(path, append(opener[1:], address)...)
		if command.Start() == nil {
			go func() { _ = command.Wait() }() // that it is over is all there is to know
		}
	}
}

// startOf is the setting that was asked for, in the texts of flags.
func startOf(c *urfave.Context, in *retune.Votes, w *retune.Wish) (s explore.Setting, err error) {
	classes, rows := in.Table.Classes, view.ClassWeightsOf(in.Table)
	s.Require = view.FloorTexts(w.Search.Floors, classes)
	read := pragma.Spec{}
	for _, class := range append(slices.Clone(classes), pragma.Others) {
		preferred, named := w.Spec[class]
		if !named {
			continue
		}
		one := pragma.Spec{class: pragma.Find()}
		if p := one.For(classes, rows)[class]; p.Theta != preferred.Theta || p.X != preferred.X || p.Y != preferred.Y {
			one[class] = preferred
		}
		text := one.String()
		if one, err = pragma.ParseSpec(text); err != nil {
			return s, err
		}
		s.Prefer, read[class] = append(s.Prefer, text), one[class]
	}
	_, usual, err := read.For(classes, rows).Default(classes, w.Search.Floors)
	switch {
	case err != nil:
		return s, err
	case c.IsSet("cost"):
		s.Costs, err = cli.Names("cost", c.StringSlice("cost"))
	case w.Loss.Costs.Matrix != nil:
		s.Measure = "cost"
	case w.Loss.Name != usual || len(s.Prefer)+len(s.Require) == 0:
		s.Measure = w.Loss.Name
	}
	if w.Weights != nil {
		for k, v := range w.Weights(in.Table) {
			s.Weights = append(s.Weights, classes[k]+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return s, err
}

// tuneLine is the command line that tunes for a setting.
func tuneLine(c *urfave.Context, args []string, s explore.Setting, in *retune.Votes, to string) string {
	words := []string{"rfpragma", "tune"}
	for _, arg := range args {
		words = append(words, csvtext.Quoted(arg))
	}
	words = append(words, cli.GivenFlags(c, slices.Concat([]urfave.Flag{cli.PositiveFlag(), cli.MergeFlag(),
		cli.GroupFlag(), cli.SeedFlag()}, cli.NewDataFlags(), cli.SearchFlags()))...)
	add := func(flag string, texts ...string) {
		for _, text := range texts {
			words = append(words, "--"+flag, csvtext.Quoted(text))
		}
	}
	add("prefer", s.Prefer...)
	switch {
	case len(s.Costs) > 0:
		for _, text := range s.Costs {
			add("cost", csvtext.Listed(text))
		}
	case s.Measure == "cost":
		add("costs", c.String("costs"))
	case s.Measure != "":
		add("measure", s.Measure)
	}
	byAmount := slices.ContainsFunc(s.Costs, func(text string) bool { return strings.HasSuffix(text, "amount") })
	switch {
	case !byAmount && s.Measure != "cost":
	case c.IsSet("amount"):
		add("amount", c.String("amount"))
	case byAmount && in.Model != nil:
		add("amount", in.Model.Provenance.Reading.Amount)
	}
	if add("require", s.Require...); len(s.Require) == 0 && len(args) == 2 {
		add("require", "none")
	}
	for _, text := range s.Weights {
		add("weights", csvtext.Listed(text))
	}
	if len(args) == 2 && to != "" {
		add("output", filepath.ToSlash(to))
	}
	return strings.Join(words, " ")
}
