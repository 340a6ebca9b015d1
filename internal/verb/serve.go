package verb

import (
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/serving"
	"github.com/rfpragma/rfpragma/serve"
)

func serveCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "serve",
		Usage:     "answer HTTP requests with saved models",
		ArgsUsage: "MODEL.rfp [NAME=MODEL.rfp ...]",
		Description: `  rfpragma serve model.rfp
  curl -d '{"amount":890,"hour":3,...}' 'http://127.0.0.1:8080/score?reasons=3'
  curl -H 'Content-Type: text/csv' --data-binary @new.csv http://127.0.0.1:8080/score
  rfpragma serve card=card.rfp loan=loan.rfp    POST /score/loan, /v2/models/loan/infer
  rfpragma serve model.rfp --shadow new.rfp --shadow-log differ.jsonl
  rfpragma serve model.rfp --listen :8443 --tls-cert cert.pem --tls-key key.pem --token-file token

POST /score takes a row as a JSON object, a list of rows, rows as JSON lines (which are answered
while they come), or CSV. It answers with the decision, its zone (alarm, pass, or undecided where a
row lacks most of what the model decides by), probabilities, votes, findings about the row, and the
id of the model. /v2 is the Open Inference Protocol, with a tensor for each column. GET /metrics is
for Prometheus. A model is called by the name of its file unless it is given one.

A file that has changed is read anew, within a second or so, on SIGHUP, and on POST /admin/reload
of --admin. Requests go on meanwhile. If the new file is damaged, the model before stays. SIGTERM
ends the server when the requests that have begun are answered.

Without --listen nobody on the network can ask. See docs/how-to/serve.md.`,
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "listen", Value: "127.0.0.1:8080", Category: "Server",
				Usage: "`ADDRESS` of the server; :8080 is all of this machine's"},
			&urfave.StringFlag{Name: "admin", Category: "Server",
				Usage: "`ADDRESS` of /metrics and POST /admin/reload, for those who run the server"},
			&urfave.StringFlag{Name: "tls-cert", Category: "Server", Usage: "PEM `FILE` of the certificate, to speak TLS"},
			&urfave.StringFlag{Name: "tls-key", Category: "Server", Usage: "PEM `FILE` of its key"},
			&urfave.StringFlag{Name: "token-file", Category: "Server",
				Usage: "`FILE` of a token that each request must bear (Authorization: Bearer)"},
			&urfave.DurationFlag{Name: "drain", Value: 10 * time.Second, Category: "Server",
				Usage: "`TIME` that requests have to be answered after SIGTERM"},
			cli.WithholdFlag(),
			cli.List(urfave.StringSliceFlag{Name: "shadow", Category: "Output",
				Usage: "`MODEL` that decides as well, and is counted where it differs; or NAME=MODEL (repeated)"}),
			&urfave.StringFlag{Name: "shadow-log", Category: "Output",
				Usage: "`FILE` for some of the rows that shadows decide otherwise (JSON lines)"},
			&urfave.StringFlag{Name: "request-log", Category: "Output",
				Usage: "`FILE` for a line of each request: when, which model, what was decided"},
			&urfave.BoolFlag{Name: "log-cells", DisableDefaultText: true, Category: "Output",
				Usage: "write the cells of the rows to --request-log, too"},
			&urfave.DurationFlag{Name: "window", Value: 10 * time.Minute, Category: "Output",
				Usage: "`TIME` that rates and drift in /metrics are of"},
			&urfave.IntFlag{Name: "max-body", Value: 8, Category: "Limits", Usage: "largest body of a request in `MB`"},
			&urfave.IntFlag{Name: "max-rows", Value: 10000, Category: "Limits",
				Usage: "most `ROWS` of a request, but for JSON lines"},
			&urfave.IntFlag{Name: "concurrency", DefaultText: "4 for each processor", Category: "Limits",
				Usage: "`REQUESTS` decided at a time; others wait"},
			&urfave.IntFlag{Name: "connections", Value: 1024, Category: "Limits",
				Usage: "`CONNECTIONS` at a time; the one that waits for longest gives way"},
			&urfave.DurationFlag{Name: "timeout", Value: 10 * time.Second, Category: "Limits",
				Usage: "`TIME` that a body has to arrive, and a request waits for its turn"},
		},
		Action: func(c *urfave.Context) error { return serveModels(p, c) },
	}
}

func serveModels(p *cli.Program, c *urfave.Context) error {
	args, err := cli.Arguments(c, 1, 1000)
	if err != nil {
		return err
	}
	r, err := servingRequest(c, args)
	if err != nil {
		return err
	}
	r.Options.Logger = serving.Logger(p.Stderr)
	r.Ready = func(server, admin net.Addr) {
		scheme := "http"
		if r.Cert != "" {
			scheme = "https"
		}
		p.Say("%s on %s://%s; POST /score, GET /v2, GET /metrics. Ctrl-C ends it.", english.Plural(len(r.Models), "model"),
			scheme, server)
		if admin != nil {
			p.Say("POST /admin/reload on http://%s", admin)
		}
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a server makes much garbage beside a small heap, unlike what reads tables
	}
	cli.NeedsToEnd(c.Context, r.Drain)
	return serving.Run(c.Context, r)
}

// servingRequest reads what is to be served, and how.
func servingRequest(c *urfave.Context, args []string) (serving.Request, error) {
	r := serving.Request{Listen: c.String("listen"), Admin: c.String("admin"), Cert: c.String("tls-cert"),
		Key: c.String("tls-key"), Token: c.String("token-file"), Log: c.String("request-log"),
		Shadow: c.String("shadow-log"), Drain: c.Duration("drain")}
	for _, arg := range args {
		name, path := namedModel(arg)
		if slices.ContainsFunc(r.Models, func(f serving.File) bool { return f.Name == name }) {
			return r, cli.Usagef("two models are called %s; name one, as NAME=%s", english.Quote(name), path)
		}
		r.Models = append(r.Models, serving.File{Name: name, Path: path})
	}
	for _, arg := range c.StringSlice("shadow") {
		name, path, named := strings.Cut(arg, "=")
		if !named {
			name, path = r.Models[0].Name, arg
		}
		if slices.ContainsFunc(r.Shadows, func(f serving.File) bool { return f.Name == name }) {
			return r, cli.Usagef("model %s has two shadows; give one", english.Quote(name))
		}
		r.Shadows = append(r.Shadows, serving.File{Name: name, Path: path})
	}
	switch {
	case (r.Cert == "") != (r.Key == ""):
		return r, cli.Usagef("TLS needs both --tls-cert and --tls-key; give both, or none")
	case r.Shadow != "" && r.Shadows == nil:
		return r, cli.Usagef("--shadow-log is for rows that a shadow decides otherwise; give --shadow")
	case c.Bool("log-cells") && r.Log == "":
		return r, cli.Usagef("--log-cells is for --request-log; give that, too")
	}
	for _, flag := range []string{"max-body", "max-rows", "connections"} {
		if c.Int(flag) < 1 {
			return r, cli.Usagef("--%s %d; choose 1 or more", flag, c.Int(flag))
		}
	}
	for _, flag := range []string{"drain", "window", "timeout"} {
		if c.Duration(flag) < time.Millisecond {
			return r, cli.Usagef("--%s %v; choose a time such as 10s", flag, c.Duration(flag))
		}
	}
	if c.Int("concurrency") < 0 {
		return r, cli.Usagef("--concurrency %d; choose 1 or more", c.Int("concurrency"))
	}
	r.Options = serve.Options{Withhold: c.Bool("withhold"), Cells: c.Bool("log-cells"), MaxBody: int64(c.Int(
		"max-body")) << 20,
		MaxRows: c.Int("max-rows"), Concurrency: c.Int("concurrency"), Connections: c.Int("connections"),
		Timeout: c.Duration("timeout"), Window: c.Duration("window")}
	return r, nil
}

// namedModel reads NAME=FILE, or a file that gives its name to the model.
func namedModel(arg string) (name, path string) {
	if name, path, named := strings.Cut(arg, "="); named && !strings.ContainsAny(name, `/\`) {
		return name, path
	}
	base := filepath.Base(arg)
	return strings.TrimSuffix(base, filepath.Ext(base)), arg
}
