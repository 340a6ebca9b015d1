package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/scoring"
)

// Server answers requests with models. It is an [http.Handler]; [Server.HTTP] adds what guards connections.
type Server struct {
	o        Options
	models   map[string]*Holder
	names    []string // of the models, sorted
	limits   limits
	traffic  *traffic
	shadows  map[string]*shadow
	log      *requestLog
	routes   http.Handler
	admin    http.Handler
	draining atomic.Bool
}

// New returns a server of models, each of which is asked by its name. Errors: [rfpragma.ErrConfig] for options,
// names and
// shadows that do not fit.
func New(models map[string]*Holder, o Options) (*Server, error) {
	o, err := o.resolved(models, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, models: models, traffic: newTraffic(), limits: limits{
		semaphore.NewWeighted(o.MaxBuffered), semaphore.NewWeighted(int64(o.Concurrency)), o.Timeout, o.MaxBody}}
	for name := range models {
		s.names = append(s.names, name)
	}
	slices.Sort(s.names)
	if s.shadows, err = newShadows(models, o); err != nil {
		return nil, err
	}
	if o.Log != nil {
		s.log = &requestLog{w: o.Log, cells: o.Cells}
	}
	guard := http.NewCrossOriginProtection() // pages of other sites are not to ask, nor to reload, through a browser
	s.routes, s.admin = guard.Handler(s.route()), guard.Handler(s.routeAdmin())
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Admin returns what answers those who run the server: /metrics, POST /admin/reload, and whether it is alive and ready.
// It is meant for an address that others cannot reach.
func (s *Server) Admin() http.Handler { return s.admin }

// route has the paths of all requests.
func (s *Server) route() http.Handler {
	mux := http.NewServeMux()
	s.handle(mux, "POST /score", "score", func(w http.ResponseWriter, r *http.Request) error {
		return s.score(w, r, s.o.Default)
	})
	s.handle(mux, "POST /score/{model}", "score", func(w http.ResponseWriter, r *http.Request) error {
		return s.score(w, r, r.PathValue("model"))
	})
	s.routeInference(mux)
	s.routeHealth(mux)
	s.handle(mux, "GET /metrics", "metrics", s.metrics)
	s.handle(mux, "/", "none", s.nowhere)
	return mux
}

func (s *Server) routeAdmin() http.Handler {
	mux := http.NewServeMux()
	s.routeHealth(mux)
	s.handle(mux, "GET /metrics", "metrics", s.metrics)
	s.handle(mux, "POST /admin/reload", "reload", s.reload)
	s.handle(mux, "/", "none", s.nowhere)
	return mux
}

// answerer answers a request, or returns why it does not.
type answerer func(w http.ResponseWriter, r *http.Request) error

// handle has a path answered to who bears the token, and counts and times the requests.
func (s *Server) handle(mux *http.ServeMux, pattern, route string, answer answerer) {
	count := s.traffic.route(route)
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		begin, code := time.Now(), http.StatusOK
		s.traffic.inFlight.Add(1)
		defer func() {
			s.traffic.inFlight.Add(-1)
			count.add(code, time.Since(begin))
		}()
		err := parallel.Safely(func() error {
			if err := s.admit(r); err != nil {
				return err
			}
			return answer(w, r)
		})
		if err != nil {
			if code = s.refuse(w, err); code == http.StatusInternalServerError {
				s.o.Logger.Error("a request failed", "path", r.URL.Path, "error", err)
			}
		}
	})
}

// admit refuses who does not bear the token.
func (s *Server) admit(r *http.Request) error {
	if s.o.Token == nil {
		return nil
	}
	given, bears := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.o.Token()))
	if !bears || subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
		return scoring.Refusef(http.StatusUnauthorized,
			"the request bears no valid token; send the header Authorization: Bearer TOKEN")
	}
	return nil
}

// nowhere answers a path that there is not.
func (s *Server) nowhere(_ http.ResponseWriter, r *http.Request) error {
	return scoring.Refusef(http.StatusNotFound,
		"there is no %s %.100q; POST /score, GET /v2 and GET /metrics are answered", r.Method,
		r.URL.Path)
}

// reload has the models read anew.
func (s *Server) reload(w http.ResponseWriter, _ *http.Request) error {
	if s.o.Reload == nil {
		return scoring.Refusef(http.StatusNotFound, "this server reloads nothing")
	}
	err := s.o.Reload()
	s.Reloaded(err)
	if err != nil {
		return scoring.Refusef(http.StatusUnprocessableEntity, "%v; the models before are still served", err)
	}
	body := []byte(`{"models":{`)
	for i, name := range s.names {
		if i > 0 {
			body = append(body, ',')
		}
		body = scoring.AppendText(append(scoring.AppendText(body, name), ':'), s.models[name].now.Load().ID)
	}
	return s.write(w, "application/json", append(body, "}}\n"...))
}

// Reloaded counts and logs that models were read anew, or why not: for those who swap them by themselves.
func (s *Server) Reloaded(err error) {
	s.traffic.reloaded(err == nil)
	if err != nil {
		s.o.Logger.Error("models were not reloaded; those before are still served", "error", err)
		return
	}
	for _, name := range s.names {
		s.o.Logger.Info("model reloaded", "model", name, "id", s.models[name].now.Load().ID)
	}
}

// write writes an answer.
func (s *Server) write(w http.ResponseWriter, kind string, body []byte) error {
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(body) // who is gone needs no answer
	return nil
}
