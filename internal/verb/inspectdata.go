package verb

import (
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/overview"
	"github.com/rfpragma/rfpragma/internal/table"
)

// inspectData shows what is in a table, and what to type next.
func inspectData(p *cli.Program, c *urfave.Context, in *table.Source, form string) error {
	if c.String("time") != "" && c.String("group") != "" {
		return cli.EitherTimeOrGroup()
	}
	o, err := p.DataOptions(c)
	if err != nil {
		return err
	}
	t, err := cli.TableIn(c, in, &o)
	if err != nil {
		return err
	}
	p.SayLayout(t, in.Name)
	if !c.IsSet("target") && (!slices.Contains(t.Columns(), o.Target) || slices.Contains(o.Ignore, o.Target)) {
		o.Target = ""
	}
	v, err := dataset.Inspect(t, o)
	if err != nil {
		return err
	}
	if !p.IsTyped("missing") {
		v.Findings = slices.DeleteFunc(v.Findings, func(f dataset.Finding) bool { return f.Sort == inspected.Unmet })
	}
	next, preferred, timed := cli.NextCommand(c, in.Name, v)
	switch form {
	case "json":
		err = p.WriteJSON(overview.Describe(in.Name, v, next))
	case "csv":
		err = p.WriteCSV(overview.CSV(v))
	}
	to := p.Page(form)
	if err != nil || to.Silent() {
		return err
	}
	overview.Show(to, in.Name, v, preferred.Rows > 0)
	unlabelled := v.Target == "" && !cli.HoldsDecisions(v)
	if unlabelled {
		to.Command("rfpragma predict MODEL.rfp " + cli.FileText(in.Name) + "   # if a model is to decide these rows")
	}
	if next != "" {
		to.Command(next)
		to.Say(append(timed, cli.NextWords(v, preferred)...)...)
	}
	return nil
}
