package verb

import (
	"encoding/json"
	"errors"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/view"
)

// readExpected reads what cv promised, where that is asked for.
func readExpected(p *cli.Program, c *urfave.Context, in *view.ModelRows) (err error) {
	file := c.String("expected")
	switch {
	case !c.IsSet("expected"):
		return nil
	case in.Model.Provenance.Prevalence != nil:
		return cli.Usagef("--expected: cv promises something of rows where classes are as common as in training, and this " +
			"model is for another population")
	}
	if err := cli.Findable("expected", file); err != nil {
		return err
	}
	from, err := cli.OpenFile(c.Context, file)
	if err != nil {
		return err
	}
	defer from.Close()
	var text json.RawMessage
	was, first := &view.CVResult{}, view.Heading{}
	if json.NewDecoder(from).Decode(&text) != nil || json.Unmarshal(text, &first) != nil || first.Command != "cv" {
		return fmt.Errorf("--expected: %s is no JSON of cv; write one with rfpragma cv DATA ... -o FILE.json",
			cli.InputName(file))
	}
	if first.SchemaVersion != view.SchemaVersion {
		return fmt.Errorf("--expected: %s has schema_version %d, and this rfpragma reads %d; write it anew",
			cli.InputName(file),
			first.SchemaVersion, view.SchemaVersion)
	}
	if err = json.Unmarshal(text, was); err == nil {
		in.Expected, err = newExpected(was, in.Model, in.Goal)
	}
	if err == nil {
		err = sameRows(c, was, in.Model.Provenance.Review != nil)
	}
	if err != nil {
		return fmt.Errorf("--expected: %s: %w", cli.InputName(file), err)
	}
	if words := otherModel(was, in.Model); words != "" {
		p.Warn([]error{fmt.Errorf("--expected: %s %s", cli.InputName(file), words)})
	}
	return nil
}

// sameRows refuses figures of all rows beside those of the rows that are decided.
func sameRows(c *urfave.Context, was *view.CVResult, reviewed bool) error {
	switch withholds := c.Bool("withhold") || reviewed; {
	case withholds == (was.Withheld != nil):
		return nil
	case reviewed:
		return errors.New("its figures are of all rows, and the model leaves some to people; make it with cv --review")
	case withholds:
		return errors.New("its figures are of all rows, and with --withhold those here of the decided rows alone; make it " +
			"with cv --withhold")
	}
	return errors.New("its figures are of the rows that cv --withhold decided, and those here of all rows; add --withhold")
}
