package cli

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/internal/download"
)

// A server that says no more is given up.
func TestDownloadSilent(t *testing.T) {
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("12345"))
		w.(http.Flusher).Flush()
		<-over
	}))
	defer server.Close()
	defer close(over)
	heard := 0
	_, err := download.Get(t.Context(), server.URL, 200*time.Millisecond, func(done, total int) { heard = done })
	// a slow machine may not even hear the beginning
	if err == nil || err.Error() != server.URL+": nothing came for 200ms" || ExitCode(t.Context(), err) != ExitIO ||
		heard > 5 {
		t.Errorf("after %d bytes: %v", heard, err)
	}

	// A signal ends the wait.
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err = download.Get(ctx, server.URL, time.Hour, func(int, int) { cancel(Stopped{syscall.SIGINT}) })
	if !errors.As(err, &Stopped{}) || ExitCode(ctx, err) != 130 {
		t.Errorf("stopped: %v", err)
	}
}
