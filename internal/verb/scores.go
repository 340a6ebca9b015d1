package verb

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/scores"
	"github.com/rfpragma/rfpragma/internal/table"
)

// readScores reads labelled scores.
func readScores(p *cli.Program, c *urfave.Context, path string) (*dataset.Frame, error) {
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
	}
	if o.Target == "" {
		o.Target = "class"
	}
	o.Positive = ""
	votes, err := cli.ReadTally(c, path)
	if err != nil {
		return nil, err
	}
	if votes != nil {
		return scores.Spread(scores.FrameOf(votes), path)
	}
	in, err := p.OpenInput(c.Context, path)
	if err != nil {
		return nil, err
	}
	in.Reader = table.RowVotes(in.Reader, &o)
	t, err := p.OpenIn(c, in, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	frame, err := dataset.Read(t.Source, o)
	if err != nil {
		return nil, err
	}
	return scores.Spread(frame, cli.Called(path))
}
