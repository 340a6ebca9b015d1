package serve

import (
	"math"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// metrics answers GET /metrics.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) error {
	var e exposition
	s.exposeTraffic(&e)
	s.exposeModels(&e)
	s.exposeShadows(&e)
	return s.write(w, "text/plain; version=0.0.4; charset=utf-8", e.text)
}

// exposeTraffic writes what is known of requests, whatever they ask.
func (s *Server) exposeTraffic(e *exposition) {
	routes := s.traffic.routes // which are all there since the server was made
	e.metric("rfpragma_requests_total", "counter", "Requests by route and status.")
	for _, r := range routes {
		for code := range r.codes {
			if n := r.codes[code].Load(); n > 0 {
				e.value(float64(n), "route", r.name, "code", strconv.Itoa(code))
			}
		}
	}
	e.metric("rfpragma_request_seconds", "histogram", "Time from the header of a request to the end of its answer.")
	for _, r := range routes {
		sum := int64(0)
		for bin, le := range latencies {
			sum += r.bins[bin].Load()
			e.suffixed("_bucket", float64(sum), "route", r.name, "le", strconv.FormatFloat(le, 'g', -1, 64))
		}
		sum += r.bins[len(latencies)].Load()
		e.suffixed("_bucket", float64(sum), "route", r.name, "le", "+Inf")
		e.suffixed("_sum", float64(r.nanos.Load())/1e9, "route", r.name)
		e.suffixed("_count", float64(sum), "route", r.name)
	}
	e.metric("rfpragma_requests_in_flight", "gauge", "Requests that are being answered.")
	e.value(float64(s.traffic.inFlight.Load()))
	e.metric("rfpragma_unlogged_requests_total", "counter",
		"Requests refused because the request log could not be written.")
	e.value(float64(s.traffic.unlogged.Load()))
	e.metric("rfpragma_reloads_total", "counter",
		"Times that models were read anew, or kept because the new one is damaged.")
	e.value(float64(s.traffic.reloads[0].Load()), "result", "done")
	e.value(float64(s.traffic.reloads[1].Load()), "result", "failed")
	e.metric("rfpragma_goroutines", "gauge", "Goroutines.")
	e.value(float64(runtime.NumGoroutine()))
}

// modelCount is what a model has decided.
type modelCount struct {
	name          string
	of            *served
	latest, total slot
}

// exposeModels writes what models have decided, since they were loaded and of late.
func (s *Server) exposeModels(e *exposition) {
	var all []modelCount
	for _, name := range s.names {
		m := modelCount{name: name, of: s.models[name].now.Load()}
		m.latest, m.total = m.of.window.sum(time.Now(), s.o.Window)
		all = append(all, m)
	}
	each := func(name, kind, help string, values func(m *modelCount)) {
		e.metric(name, kind, help)
		for i := range all {
			values(&all[i])
		}
	}
	each("rfpragma_model_info", "gauge", "The models that are served, by the SHA-256 of their content.",
		func(m *modelCount) { e.value(1, "model", m.name, "id", m.of.ID) })
	each("rfpragma_rows_total", "counter", "Rows decided since the model was loaded.",
		func(m *modelCount) { e.value(float64(m.total.rows), "model", m.name) })
	each("rfpragma_decisions_total", "counter", "Decisions by class since the model was loaded.", func(m *modelCount) {
		for c, n := range m.total.decided {
			e.value(float64(n), "model", m.name, "class", m.of.Model.Classes()[c])
		}
	})
	each("rfpragma_zones_total", "counter", "Rows by zone since the model was loaded.", func(m *modelCount) {
		for z, n := range m.total.zones {
			e.value(float64(n), "model", m.name, "zone", scoring.ZoneNames[z])
		}
	})
	each("rfpragma_window_rows", "gauge", "Rows decided of late; the gauges below are of these.",
		func(m *modelCount) { e.value(float64(m.latest.rows), "model", m.name) })
	each("rfpragma_alarm_rate", "gauge", "Share of the rows that are alarms.",
		func(m *modelCount) { e.value(share(m.latest.zones[scoring.Alarm], m.latest.rows), "model", m.name) })
	each("rfpragma_undecided_rate", "gauge", "Share of the rows that lack most of what the model decides by.",
		func(m *modelCount) { e.value(share(m.latest.zones[scoring.Undecided], m.latest.rows), "model", m.name) })
	each("rfpragma_mean_probability", "gauge", "Mean probability of a class, of a sample of the rows.",
		func(m *modelCount) {
			for c, sum := range m.latest.prob {
				e.value(sum/float64(m.latest.sampled), "model", m.name, "class", m.of.Model.Classes()[c])
			}
		})
	each("rfpragma_decisions_psi", "gauge", "Population stability index of the decisions against those of the training.",
		func(m *modelCount) {
			if was := expected(m.of.Scorer); was != nil {
				e.value(psi(was, m.latest.decided), "model", m.name)
			}
		})
	exposeColumns(e, each)
}

// exposeColumns writes what the cells of rows were of late.
func exposeColumns(e *exposition, each func(name, kind, help string, values func(m *modelCount))) {
	each("rfpragma_missing_share", "gauge", "Share of all cells that are missing.",
		func(m *modelCount) { e.value(share(m.latest.gaps, m.latest.cells), "model", m.name) })
	each("rfpragma_unseen_share", "gauge", "Share of all cells that hold a category unseen in training.",
		func(m *modelCount) { e.value(share(m.latest.news, m.latest.cells), "model", m.name) })
	column := func(m *modelCount, of func(n, feature int) float64) {
		for n, j := range m.of.window.watched {
			e.value(of(n, j), "model", m.name, "column", m.of.Fields[j].Name)
		}
	}
	each("rfpragma_column_missing_share", "gauge", "Share of the cells of a column that are missing.",
		func(m *modelCount) {
			column(m, func(n, _ int) float64 { return share(m.latest.missing[n], m.latest.rows) })
		})
	each("rfpragma_column_unseen_share", "gauge", "Share of the cells of a column with a category unseen in training.",
		func(m *modelCount) {
			column(m, func(n, _ int) float64 { return share(m.latest.unseen[n], m.latest.rows) })
		})
	each("rfpragma_column_psi", "gauge", "Population stability index of the values of a column against the training.",
		func(m *modelCount) {
			column(m, func(n, j int) float64 { return psi(trained(m.of.Scorer, j), m.latest.bins[n]) })
		})
}

// share is a part of a whole; no number where there is nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// exposeShadows writes where shadows differ.
func (s *Server) exposeShadows(e *exposition) {
	if len(s.shadows) == 0 {
		return
	}
	each := func(name, help string, values func(s *shadow)) {
		e.metric(name, "counter", help)
		for _, name := range s.names {
			if shadow := s.shadows[name]; shadow != nil {
				values(shadow)
			}
		}
	}
	each("rfpragma_shadow_rows_total", "Rows that the shadow has decided as well.",
		func(s *shadow) { e.value(float64(s.rows.Load()), "model", s.name) })
	each("rfpragma_shadow_skipped_rows_total", "Rows that the shadow has not decided, as it was busy or could not.",
		func(s *shadow) { e.value(float64(s.skipped.Load()), "model", s.name) })
	each("rfpragma_shadow_differences_total", "Rows that the shadow decides otherwise.", func(s *shadow) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, c := range s.pairs() {
			e.value(float64(s.differ[c]), "model", s.name, "decision", c[0], "shadow", c[1])
		}
	})
}
