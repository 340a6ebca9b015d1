package verb

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// What the command line asks of a server and cannot be is said before anything is served.
func TestServeRefuses(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": "a,class\n1,x\n2,y\n", "short": "secret"})
	must(t, "generate fraud --rows 300 -o rows.csv")
	must(t, "train rows.csv --trees 20 --tune-forest off --quiet -o card.rfp")
	for _, tc := range []struct {
		line string
		code int
		says string
	}{
		{"serve", cli.ExitUsage, "MODEL.rfp"},
		{"serve none.rfp", cli.ExitIO, "none.rfp"},
		{"serve data.csv", cli.ExitModel, "rfpragma train"},
		{"serve card.rfp card.rfp", cli.ExitUsage, "NAME=card.rfp"},
		{"serve a%b=card.rfp", cli.ExitUsage, "a%b"},
		{"serve card.rfp --listen nonsense", cli.ExitUsage, "HOST:PORT"},
		{"serve card.rfp --admin nonsense", cli.ExitUsage, "HOST:PORT"},
		{"serve card.rfp --tls-cert cert.pem", cli.ExitUsage, "--tls-key"},
		{"serve card.rfp --tls-cert cert.pem --tls-key key.pem", cli.ExitIO, "cert.pem"},
		{"serve card.rfp --token-file short", cli.ExitData, "16 or more"},
		{"serve card.rfp --shadow-log differ", cli.ExitUsage, "--shadow"},
		{"serve card.rfp --shadow loan=card.rfp", cli.ExitUsage, "loan"},
		{"serve card.rfp --shadow card.rfp --shadow card.rfp", cli.ExitUsage, "NAME="},
		{"serve card.rfp --log-cells", cli.ExitUsage, "--request-log"},
		{"serve card.rfp --request-log no/folder", cli.ExitIO, "no/folder"},
		{"serve card.rfp --max-rows -3", cli.ExitUsage, "-3"},
		{"serve card.rfp --timeout soon", cli.ExitUsage, "a time, such as 10s"},
	} {
		got := invoke(t, strings.NewReader(""), split(tc.line)...)
		if got.code != tc.code || !strings.Contains(got.stderr, tc.says) {
			t.Errorf("%s: exit %d, want %d: %s", tc.line, got.code, tc.code, got.stderr)
		}
	}
}

// served runs a server until it says that it listens, on a port of its own. The models of an example are all the same.
func served(t *testing.T, args []string) {
	t.Helper()
	for _, name := range []string{"card.rfp", "loan.rfp", "new.rfp"} {
		write(t, name, read(t, "model.rfp"))
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stderr := &watched{want: " on http://127.0.0.1:", seen: make(chan struct{})}
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, append(append([]string{"rfpragma", "serve"}, args...), "--listen", "127.0.0.1:0"), nil, io.Discard,
			stderr)
	}()
	select {
	case <-stderr.seen:
		stop()
		if code := <-ended; code != cli.ExitDone {
			t.Errorf("serve %q: stopped, and exit %d", args, code)
		}
	case code := <-ended:
		t.Errorf("serve %q: exit %d\n%s", args, code, stderr.text.String())
	}
}
