// Package serving runs a server of model files: it listens, reads them anew when they change, and ends without losing a
// request.
package serving

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rfpragma/rfpragma/serve"
)

// File is a model file, and the name that requests give it.
type File struct{ Name, Path string }

// Request says what is to be served, and how. Paths are "" where there is none.
type Request struct {
	Models  []File // the first one is that of POST /score
	Shadows []File
	Listen  string // address of the server
	Admin   string // address of those who run it
	Cert    string // file of the certificate, with which the server speaks TLS
	Key     string // file of its key
	Token   string // file of the token that requests must bear
	Log     string // file that gets a line for each request
	Shadow  string // file that gets rows of which shadows decide otherwise
	Drain   time.Duration
	Options serve.Options
	// Ready is told the addresses at which requests are answered, as soon as they are
	Ready func(server, admin net.Addr)
}

// watched is how often files are looked at.
const watched = time.Second

// Run serves until ctx ends, and then answers the requests that have begun, for as long as Drain says. Errors: those of
// the files, the addresses and [serve.New].
func Run(ctx context.Context, r Request) error {
	secrets, err := newSecrets(&r)
	if err != nil {
		return err
	}
	models, err := load(&r)
	if err != nil {
		return err
	}
	o := r.Options
	for _, log := range []struct {
		path string
		to   func(*os.File)
	}{{r.Log, func(f *os.File) { o.Log = f }}, {r.Shadow, func(f *os.File) { o.ShadowLog = f }}} {
		if log.path == "" {
			continue
		}
		file, err := os.OpenFile(log.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer file.Close()
		log.to(file)
	}
	o.Default, o.Shadows = r.Models[0].Name, models.shadows
	if r.Token != "" {
		o.Token = secrets.bearer
	}
	reload := func() error { return errors.Join(secrets.read(), models.read()) }
	o.Reload = reload
	server, err := serve.New(models.served, o)
	if err != nil {
		return err
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	ends, err := listen(&r, server, secrets)
	if err != nil {
		return err
	}
	return ends.serve(ctx, r.Drain, func(ctx context.Context) {
		watch(ctx, hangups, models.changed, func() { server.Reloaded(reload()) })
	})
}

// end is an address at which requests are answered.
type end struct {
	http *http.Server
	on   net.Listener
}

type ends []end

// listen opens the addresses.
func listen(r *Request, server *serve.Server, secrets *secrets) (all ends, err error) {
	defer func() {
		for _, e := range all {
			if err != nil {
				_ = e.on.Close() // on which nobody serves
			}
		}
	}()
	of := server.HTTP()
	on, err := net.Listen("tcp", r.Listen)
	if err != nil {
		return nil, err
	}
	public := on.Addr()
	if r.Cert != "" {
		of.TLSConfig = &tls.Config{GetCertificate: secrets.certificate, MinVersion: tls.VersionTLS12,
			NextProtos: []string{"h2", "http/1.1"}}
		on = tls.NewListener(on, of.TLSConfig)
	}
	all = append(all, end{of, on})
	var private net.Addr
	if r.Admin != "" {
		on, err := net.Listen("tcp", r.Admin)
		if err != nil {
			return all, err
		}
		private = on.Addr()
		all = append(all, end{&http.Server{Handler: server.Admin(), ReadHeaderTimeout: 5 * time.Second,
			IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10, ErrorLog: of.ErrorLog}, on})
	}
	if ip, is := public.(*net.TCPAddr); is && !ip.IP.IsLoopback() && r.Token == "" && r.Options.Logger != nil {
		r.Options.Logger.Warn("others on the network can ask the models, and no token is asked for", "address",
			public.String())
	}
	if r.Ready != nil {
		r.Ready(public, private)
	}
	return all, nil
}

// serve answers until ctx ends, and for a while those who asked before. The addresses for those who run the server end
// last, so that they can look on.
func (all ends) serve(ctx context.Context, drain time.Duration, beside func(ctx context.Context)) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, len(all))
	for _, e := range all {
		go func() { failed <- e.http.Serve(e.on) }()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		beside(inner)
	}()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	cancel()
	<-done
	late, stop := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer stop()
	for _, e := range all {
		if fault := e.http.Shutdown(late); fault != nil {
			_ = e.http.Close() // what is not done by now never will be
			err = errors.Join(err, fmt.Errorf("requests were cut off after %v: %w", drain, fault))
		}
	}
	return err
}

// watch has files read anew that have changed, and all of them on a signal.
func watch(ctx context.Context, hangups <-chan os.Signal, changed func() bool, reload func()) {
	ticks := time.NewTicker(watched)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			reload()
		case <-ticks.C:
			if changed() {
				reload()
			}
		}
	}
}

// secrets are the token and the certificate, which may be replaced.
type secrets struct {
	token, cert, key string // paths
	text             atomic.Pointer[string]
	pair             atomic.Pointer[tls.Certificate]
}

func newSecrets(r *Request) (*secrets, error) {
	s := &secrets{token: r.Token, cert: r.Cert, key: r.Key}
	return s, s.read()
}

// read reads the files; what is damaged leaves those of before.
func (s *secrets) read() error {
	if s.token != "" {
		text, err := os.ReadFile(s.token)
		if err != nil {
			return err
		}
		token := strings.TrimSpace(string(text))
		if len(token) < shortestToken {
			return fmt.Errorf("%s: a token of %d characters is soon guessed; write %d or more, as openssl rand -hex 32 does",
				s.token, len(token), shortestToken)
		}
		s.text.Store(&token)
	}
	if s.cert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return fmt.Errorf("%s, %s: %w", s.cert, s.key, err)
	}
	s.pair.Store(&pair)
	return nil
}

// shortestToken is how many characters a token has at least.
const shortestToken = 16

func (s *secrets) bearer() string { return *s.text.Load() }

func (s *secrets) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return s.pair.Load(), nil
}

// Logger returns what writes lines of what operators should know.
func Logger(w interface{ Write([]byte) (int, error) }) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, nil))
}
