package verb

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// L308, L309: where stdout ends, by a closed pipe or by a full disk.
func TestStdoutEnds(t *testing.T) {
	trained(t)
	laterOf(t, "data.csv", "later.csv")
	for _, line := range []string{
		"cv data.csv --trees 3 --folds 2", "inspect model.rfp", "predict model.rfp data.csv",
		"predict model.rfp data.csv --format json",
		"evaluate model.rfp later.csv", "generate fraud --rows 5000", "help cv", "--help", "--version",
		"cv data.csv --trees 3 --folds 2 --format json",
	} {
		for _, tc := range []struct {
			err  error
			code int
		}{{syscall.EPIPE, cli.ExitDone}, {syscall.ENOSPC, cli.ExitIO}} {
			var stderr bytes.Buffer
			code := Run(t.Context(), append([]string{"rfpragma"}, split(line)...), nil,
				broken{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: tc.err}}, &stderr)
			if told := strings.Contains(stderr.String(), tc.err.Error()); code != tc.code || told != (code != cli.ExitDone) {
				t.Errorf("%s, %v: exit %d, want %d\n%s", line, tc.err, code, tc.code, stderr.String())
			}
		}
	}
}

// broken is a writer that fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// A fault of the program is told apart from all others, and asks for a report.
func TestInternalFault(t *testing.T) {
	var stderr bytes.Buffer
	code := Run(t.Context(), []string{"rfpragma", "--version"}, nil, panicking{}, &stderr)
	if code != cli.ExitBug || !strings.HasPrefix(stderr.String(),
		"rfpragma: internal fault: out of paper\nPlease report it") {
		t.Errorf("exit %d\n%s", code, stderr.String())
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("out of paper") }

// watched is a writer that says when it has seen a text.
type watched struct {
	mu   sync.Mutex
	text strings.Builder
	want string
	seen chan struct{}
}

func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := strings.Contains(w.text.String(), w.want)
	w.text.Write(b)
	if !before && strings.Contains(w.text.String(), w.want) {
		close(w.seen)
	}
	return len(b), nil
}

// L303, L306: a signal ends a training within a second, and nothing is written.
func TestSignals(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 20000 -o fraud.csv")
	write(t, "old.rfp", "RFPRAGMA, an older model")
	before := listing(t)
	for _, tc := range []struct {
		signal os.Signal
		line   string
		code   int
		want   string
	}{
		{os.Interrupt, "train fraud.csv --trees 2000 -o old.rfp", 130, "rfpragma: stopped by signal: interrupt\n"},
		{syscall.SIGTERM, "train fraud.csv --trees 2000 -o new.rfp", 143, "rfpragma: stopped by signal: terminated\n"},
		{os.Interrupt, "cv fraud.csv --trees 2000", 130, "rfpragma: stopped by signal: interrupt\n"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stderr := &watched{want: "No --prefer is given", seen: make(chan struct{})}
		var stdout bytes.Buffer
		ended := make(chan int)
		go func() { ended <- Run(ctx, append([]string{"rfpragma"}, split(tc.line)...), nil, &stdout, stderr) }()
		<-stderr.seen
		time.Sleep(50 * time.Millisecond) // into the growing of trees
		cancel(cli.Stopped{Signal: tc.signal})
		select {
		case code := <-ended:
			if code != tc.code || !strings.HasSuffix(stderr.text.String(), tc.want) || stdout.Len() > 0 {
				t.Errorf("%s: exit %d, want %d\n%s%s", tc.line, code, tc.code, stderr.text.String(), stdout.String())
			}
		case <-time.After(time.Second):
			t.Fatalf("%s: no end within a second of the signal", tc.line)
		}
	}
	if after := listing(t); after != before {
		t.Errorf("files changed:\n%s", after)
	}
}

// L303: nor does a silent stdin hold the command up.
func TestSignalWhileWaiting(t *testing.T) {
	trained(t)
	for _, line := range []string{"cv -", "tune -", "predict model.rfp -", "evaluate model.rfp -"} {
		silent, typist := io.Pipe()
		interrupted(t, line, silent, func() {
			if _, err := io.WriteString(typist, "x,ki"); err != nil { // the command is reading
				t.Error(err)
			}
		})
		typist.Close()
	}
}

// interrupted runs a line and interrupts it as soon as it waits, that is, when waits returns.
func interrupted(t *testing.T, line string, stdin io.Reader, waits func()) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, append([]string{"rfpragma"}, split(line)...), stdin, io.Discard, io.Discard)
	}()
	waits()
	cancel(cli.Stopped{Signal: os.Interrupt})
	select {
	case code := <-ended:
		if code != 130 {
			t.Errorf("%s: exit %d", line, code)
		}
	case <-time.After(time.Second):
		t.Errorf("%s: no end within a second of the signal", line)
	}
}
