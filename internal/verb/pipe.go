package verb

import (
	"os"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/memory"
	"github.com/rfpragma/rfpragma/internal/pipe"
	"github.com/rfpragma/rfpragma/internal/view"
)

func pipeCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:  "pipe",
		Usage: "answer requests of another program, such as the packages for Python and R",
		Description: `  rfpragma pipe

Requests come on stdin and answers go to stdout, as binary frames: docs/pipe.md describes them. It
goes on until stdin ends. It reads and writes no file.`,
		Action: func(c *urfave.Context) error {
			if _, err := cli.Arguments(c, 0, 0); err != nil {
				return err
			}
			s := &pipe.Server{Memory: func() int64 { return memory.Spare(os.DirFS("/")) }, Version: view.BuildVersion()}
			return s.Serve(c.Context, p.Stdin, p.Stdout)
		},
	}
}
