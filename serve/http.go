package serve

import (
	"log/slog"
	"net/http"
	"time"
)

// HTTP returns what serves s on connections: with time limits against clients that send or take slowly, a limit of
// connections, and a shutdown that first says that s is no longer ready. Its address, and its TLS, are the caller's.
func (s *Server) HTTP() *http.Server {
	conns := newConnections(s.o.Connections)
	out := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: min(s.o.Timeout, 5*time.Second),
		ReadTimeout:       s.o.Timeout,
		WriteTimeout:      3 * s.o.Timeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ConnState:         conns.state,
		ErrorLog:          slog.NewLogLogger(s.o.Logger.Handler(), slog.LevelWarn),
	}
	out.RegisterOnShutdown(func() { s.draining.Store(true) })
	return out
}
