package cli

import (
	"time"

	urfave "github.com/urfave/cli/v2"
)

// ServeFlags are those of the verb that answers requests.
func ServeFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "listen", Value: "127.0.0.1:8080", Category: "Server",
			Usage: "`ADDRESS` of the server; :8080 is for everybody"},
		&urfave.StringFlag{Name: "admin", Category: "Server",
			Usage: "`ADDRESS` of /metrics and POST /admin/reload, for those who run the server"},
		&urfave.StringFlag{Name: "tls-cert", Category: "Server", Usage: "PEM `FILE` of the certificate, to speak TLS"},
		&urfave.StringFlag{Name: "tls-key", Category: "Server", Usage: "PEM `FILE` of its key"},
		&urfave.StringFlag{Name: "token-file", Category: "Server",
			Usage: "`FILE` of a token that each request must bear (Authorization: Bearer)"},
		&urfave.DurationFlag{Name: "drain", Value: 10 * time.Second, Category: "Server",
			Usage: "`TIME` that requests have to be answered after SIGTERM"},
		WithholdFlag(),
		List(urfave.StringSliceFlag{Name: "shadow", Category: "Output",
			Usage: "`FILE` of a model that decides as well, to be compared; NAME=FILE (repeated)"}),
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
			Usage: "`MOST` at a time; the one idle for longest gives way"},
		&urfave.DurationFlag{Name: "timeout", Value: 10 * time.Second, Category: "Limits",
			Usage: "`TIME` for a body to arrive, or for a place"},
	}
}
