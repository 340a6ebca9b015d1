package serve

import "net/http"

// routeHealth has the paths by which it is asked whether the server is alive and ready. They need no token, as probes
// have none, and tell nothing.
func (s *Server) routeHealth(mux *http.ServeMux) {
	mux.HandleFunc("GET /v2/health/live", func(w http.ResponseWriter, _ *http.Request) {
		_ = s.write(w, jsonForm, []byte("{\"live\":true}\n"))
	})
	mux.HandleFunc("GET /v2/health/ready", func(w http.ResponseWriter, _ *http.Request) {
		if s.draining.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte("{\"ready\":false}\n"))
			return
		}
		_ = s.write(w, jsonForm, []byte("{\"ready\":true}\n"))
	})
}
