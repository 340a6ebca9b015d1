package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rfpragma/rfpragma"
)

// A thousand models follow each other while rows are decided: no request fails, and each answer is wholly of the model
// whose id it has.
func TestReloadUnderLoad(t *testing.T) {
	s, holder := held(t, Options{})
	server := httptest.NewServer(s)
	defer server.Close()
	models := []*rfpragma.Model{payments(), paymentsBy(2)}
	wanted := map[string]rfpragma.Prediction{}
	for _, m := range models {
		id, err := m.ID()
		if err != nil {
			t.Fatal(err)
		}
		wanted[id] = want(t, m, suspicious)
	}
	var done atomic.Bool
	var clients sync.WaitGroup
	seen := make([]map[string]int, 4)
	for client := range seen {
		seen[client] = map[string]int{}
		clients.Go(func() {
			for !done.Load() {
				answer, err := http.Post(server.URL+"/score", "application/json", strings.NewReader(suspicious))
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				id := answer.Header.Get("X-Model-Id")
				p := wanted[id]
				if err != nil || answer.StatusCode != 200 || len(p.Votes) == 0 ||
					!strings.Contains(string(text), fmt.Sprintf(`"votes":{"fraud":%v,`, p.Votes[0])) {
					t.Errorf("status %d, %v: %s", answer.StatusCode, err, text)
					return
				}
				seen[client][id]++
			}
		})
	}
	for i := range 1000 {
		if err := holder.Swap(models[(i+1)%2]); err != nil {
			t.Fatal(err)
		}
	}
	done.Store(true)
	clients.Wait()
	if err := holder.Swap(new(rfpragma.Model)); !errors.Is(err, rfpragma.ErrConfig) || holder.Model() != models[0] {
		t.Errorf("%v; a model that is none replaced one", err)
	}
}

// POST /admin/reload does what Options.Reload does, tells of its error, and counts both.
func TestAdminReload(t *testing.T) {
	fails := error(nil)
	s := serving(t, Options{Reload: func() error { return fails }})
	if w := post(s.Admin(), "/admin/reload", ""); w.Code != 200 || !strings.HasPrefix(w.Body.String(), `{"models":{"card":"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	fails = fmt.Errorf("card.rfp: damaged")
	out := decoded[struct{ Error string }](t, post(s.Admin(), "/admin/reload", ""), 422)
	if out.Error != "card.rfp: damaged; the models before are still served" {
		t.Error(out.Error)
	}
	metrics := get(s.Admin(), "/metrics").Body.String()
	for _, line := range []string{`rfpragma_reloads_total{result="done"} 1`, `rfpragma_reloads_total{result="failed"} 1`} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}
