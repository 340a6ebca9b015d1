package serve

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma"
)

// Options say how a [Server] answers. The zero value is ready.
type Options struct {
	// Name of the model that POST /score asks; "" is the only one there is. Any is asked by POST /score/NAME.
	Default string
	// Withhold has the decision "undecided" given of rows that lack most of what the model decides by, see
	// [rfpragma.Model.MissingCells].
	Withhold bool
	// Token that a request must bear (Authorization: Bearer TOKEN), but for one whether the server is alive or ready. It
	// is called for each request, so that a token can be replaced; nil asks for none.
	Token func() string

	MaxBody     int64         // largest body of a request in bytes; 0 means 8 MiB
	MaxRows     int           // most rows of a request, but for streamed ones; 0 means 10000
	MaxBuffered int64         // bytes of all bodies that are being read at a time; 0 means 64 MaxBody
	Concurrency int           // requests that are decided at a time; 0 means 4 for each processor
	Connections int           // connections at a time, of which the one idle for longest gives way; 0 means 1024
	Timeout     time.Duration // for a body to arrive, a free place, and an answer to be taken, each; 0 means 10 s

	Window time.Duration // what the rates of /metrics are of; 0 means the latest 10 minutes

	// Reload has models read anew, as POST /admin/reload of [Server.Admin] asks; nil refuses it.
	Reload func() error
	// Log gets a line of JSON for each request that is decided, before it is answered: when, by which model, what was
	// decided. A request that cannot be logged is not answered. Cells has the line hold the rows, too.
	Log   io.Writer
	Cells bool
	// Shadows are models that decide the rows of the models of the same names as well. Differences are counted in
	// /metrics, and some are written to ShadowLog with their rows, as lines of JSON.
	Shadows   map[string]*Holder
	ShadowLog io.Writer

	Logger *slog.Logger // of what operators should know; nil is none
}

// resolved returns o with the defaults in it.
func (o Options) resolved(models map[string]*Holder, processors int) (Options, error) {
	if len(models) == 0 {
		return o, fmt.Errorf("%w: there is no model to serve; give one", rfpragma.ErrConfig)
	}
	for name, holder := range models {
		if o.Withhold && slices.ContainsFunc(holder.Model().Classes(), isUndecided) {
			return o, fmt.Errorf("%w: Withhold gives the decision \"undecided\", and model %.80q has a class of that name",
				rfpragma.ErrConfig, name)
		}
		if !isName(name) {
			return o, fmt.Errorf("%w: a model cannot be named %.80q; use letters, digits, and . _ - between them",
				rfpragma.ErrConfig, name)
		}
		if o.Default == "" && len(models) == 1 {
			o.Default = name
		}
	}
	if o.Default != "" && models[o.Default] == nil {
		return o, fmt.Errorf("%w: Default names model %.80q, and there is none; choose one of those served",
			rfpragma.ErrConfig, o.Default)
	}
	for _, n := range []int64{o.MaxBody, int64(o.MaxRows), o.MaxBuffered, int64(o.Concurrency), int64(o.Connections),
		int64(o.Timeout), int64(o.Window)} {
		if n < 0 {
			return o, fmt.Errorf("%w: a limit is %d; choose one above 0, or 0 for what is usual", rfpragma.ErrConfig, n)
		}
	}
	set(&o.MaxBody, 8<<20)
	set(&o.MaxRows, 10000)
	set(&o.MaxBuffered, 64*o.MaxBody)
	o.MaxBuffered = max(o.MaxBuffered, o.MaxBody)
	set(&o.Concurrency, 4*processors)
	set(&o.Connections, 1024)
	set(&o.Timeout, 10*time.Second)
	set(&o.Window, 10*time.Minute)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// set gives a limit of 0 its usual value.
func set[T int | int64 | time.Duration](limit *T, usual T) {
	if *limit == 0 {
		*limit = usual
	}
}

func isUndecided(class string) bool { return strings.EqualFold(class, "undecided") }

// isName tells whether a text can be part of a path as it is.
func isName(s string) bool {
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return s != "" && s != "." && s != ".."
}
