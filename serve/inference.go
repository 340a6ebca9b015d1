package serve

import (
	"net/http"
	"runtime/debug"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// The Open Inference Protocol, version 2, over REST, with its extension for tensors in binary form.
//
// Source: github.com/kserve/open-inference-protocol, specification/protocol/inference_rest.md, and Triton's
// extension_binary_data.md.

// routeInference has the paths of /v2 but for those of health.
func (s *Server) routeInference(mux *http.ServeMux) {
	s.handle(mux, "GET /v2", "metadata", s.serverMetadata)
	for _, path := range []string{"/v2/models/{model}", "/v2/models/{model}/versions/{version}"} {
		s.handle(mux, "GET "+path, "metadata", s.modelMetadata)
		s.handle(mux, "GET "+path+"/ready", "metadata", s.modelReady)
		s.handle(mux, "POST "+path+"/infer", "infer", s.infer)
	}
}

// serverMetadata says what the server is.
func (s *Server) serverMetadata(w http.ResponseWriter, _ *http.Request) error {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return s.write(w, jsonForm, append(scoring.AppendValue(nil, map[string]any{
		"name": "rfpragma", "version": version, "extensions": []string{"binary_tensor_data"}}), '\n'))
}

// versioned returns the model that a path of /v2 names.
func (s *Server) versioned(r *http.Request) (*served, error) {
	name, version := r.PathValue("model"), r.PathValue("version")
	holder := s.models[name]
	if holder == nil {
		return nil, s.unknown(name)
	}
	of := holder.now.Load()
	if version != "" && version != of.Version && version != of.ID {
		return nil, scoring.Refusef(http.StatusNotFound, "model %q has version %s, and no %.80q", name, of.Version, version)
	}
	return of, nil
}

// modelMetadata says what a model takes and gives.
func (s *Server) modelMetadata(w http.ResponseWriter, r *http.Request) error {
	of, err := s.versioned(r)
	if err != nil {
		return err
	}
	return s.write(w, jsonForm, append(of.AppendMetadata(nil, r.PathValue("model")), '\n'))
}

// modelReady says whether a model can be asked.
func (s *Server) modelReady(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.versioned(r); err != nil {
		return err
	}
	if s.draining.Load() {
		return scoring.Refusef(http.StatusServiceUnavailable, "the server is about to end")
	}
	return s.write(w, jsonForm, append(scoring.AppendValue(nil, map[string]any{"name": r.PathValue("model"),
		"ready": true}), '\n'))
}
