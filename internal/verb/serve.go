package verb

import (
	"cmp"
	"net"
	"os"
	"runtime/debug"
	"slices"

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

POST /score takes a row as a JSON object, a list of rows, rows as JSON lines (which are answered
while they come), or CSV. It answers with the decision, its zone (alarm, pass, review where the
votes are close, undecided where a row lacks most of what the model decides by), probabilities,
votes, findings about the row, and the id of the model. /v2 is the Open Inference Protocol, with a
tensor for each column. GET /metrics is for Prometheus. A model is called by the name of its file
unless it is given one.

A file that has changed is read anew, within a second or so, on SIGHUP, and on POST /admin/reload
of --admin. Requests go on meanwhile. If the new file is damaged, the model before stays. SIGTERM
ends the server when the requests that have begun are answered.

Without --listen nobody on the network can ask. See docs/how-to/serve.md.`,
		Flags:  cli.ServeFlags(),
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
	cli.ServesOn(c.Context, r.Drain)
	return serving.Run(c.Context, r)
}

// servingRequest reads what is to be served, and how.
func servingRequest(c *urfave.Context, args []string) (serving.Request, error) {
	r := serving.Request{Listen: c.String("listen"), Admin: c.String("admin"), Cert: c.String("tls-cert"),
		Key: c.String("tls-key"), Token: c.String("token-file"), Log: c.String("request-log"),
		Shadow: c.String("shadow-log"), Drain: c.Duration("drain")}
	var err error
	if r.Models, err = serving.Files(args, ""); err == nil {
		r.Shadows, err = serving.Files(c.StringSlice("shadow"), r.Models[0].Name)
	}
	if err != nil {
		return r, cli.Usagef("%w", err)
	}
	for _, m := range slices.Concat(r.Models, r.Shadows) { // which says how a file that is not there may be spelt
		file, err := cli.OpenFile(c.Context, m.Path)
		if err != nil {
			return r, err
		}
		file.Close()
	}
	for _, address := range []string{r.Listen, cmp.Or(r.Admin, ":0")} {
		if _, _, err := net.SplitHostPort(address); err != nil {
			return r, cli.Usagef("%w; write HOST:PORT, such as 127.0.0.1:8080 or :8080", err)
		}
	}
	switch {
	case (r.Cert == "") != (r.Key == ""):
		return r, cli.Usagef("TLS needs both --tls-cert and --tls-key; give both, or none")
	case r.Shadow != "" && r.Shadows == nil:
		return r, cli.Usagef("--shadow-log is for rows that a shadow decides otherwise; give --shadow")
	case c.Bool("log-cells") && r.Log == "":
		return r, cli.Usagef("--log-cells is for --request-log; give that, too")
	}
	r.Options = serve.Options{Withhold: c.Bool("withhold"), Cells: c.Bool("log-cells"), MaxBody: int64(c.Int(
		"max-body")) << 20,
		MaxRows: c.Int("max-rows"), Concurrency: c.Int("concurrency"), Connections: c.Int("connections"),
		Timeout: c.Duration("timeout"), Window: c.Duration("window")}
	return r, nil
}
