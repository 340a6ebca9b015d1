package verb

import (
	"context"
	"io"
	"net"
	"os"
	"strconv"

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
		Description: `Requests come on stdin and answers go to stdout, as binary frames: docs/pipe.md describes them. It
goes on until stdin ends. It reads and writes no file.`,
		Flags: []urfave.Flag{&urfave.IntFlag{Name: "connect", Category: "Input", DefaultText: "stdin, stdout",
			Usage: "`PORT` of this machine to talk to"}},
		Action: func(c *urfave.Context) error {
			if _, err := cli.Arguments(c, 0, 0); err != nil {
				return err
			}
			s := &pipe.Server{Memory: func() int64 { return memory.Spare(os.DirFS("/")) }, Version: view.BuildVersion()}
			if !c.IsSet("connect") {
				return s.Serve(c.Context, p.Stdin, p.Stdout)
			}
			return connect(c.Context, s, c.Int("connect"), os.Getenv(pipeSecret))
		},
	}
}

// pipeSecret is the variable that has what the other end of a port is told first, to know who has come.
const pipeSecret = "RFPRAGMA_PIPE_SECRET"

// connect serves who listens at a port of this machine.
func connect(ctx context.Context, s *pipe.Server, port int, secret string) error {
	if port < 1 || port > 65535 {
		return cli.Usagef("--connect %d; give the number of a port", port)
	}
	if secret == "" {
		return cli.Usagef("--connect: the variable %s is empty; set it to what the other end is to be told first", pipeSecret)
	}
	var dialer net.Dialer
	other, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	defer other.Close()
	if _, err := io.WriteString(other, secret); err != nil {
		return err
	}
	return s.Serve(ctx, other, other)
}
