package serving

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/serve"
)

const row = `{"amount": 890, "hour": 3, "weekday": 6, "distance_km": null, "days_since_last": null, "purchases_24h": 11,
	"spent_24h": 2310.4, "account_age_days": 900, "failed_pins": 0, "channel": "online", "country": "overseas",
	"merchant": "travel"}`

// saved fits a small model and writes it, and returns its id.
func saved(t *testing.T, path string, seed uint64) string {
	t.Helper()
	m, err := rfpragma.Fit(context.Background(), dataset.Fraud(500, 1), pragma.Spec{}, rfpragma.Config{
		Forest: forest.Config{Trees: 50, Seed: seed}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	id, err := m.ID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// running is a server that runs, and how to end it.
type running struct {
	server, admin string
	stop          context.CancelFunc
	ended         chan error
}

// run runs a server on loopback until the test ends.
func run(t *testing.T, r Request) running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out := running{stop: stop, ended: make(chan error, 1)}
	ready := make(chan struct{})
	r.Listen, r.Admin, r.Drain = "127.0.0.1:0", "127.0.0.1:0", 10*time.Second
	r.Ready = func(server, admin net.Addr) {
		out.server, out.admin = server.String(), admin.String()
		close(ready)
	}
	go func() { out.ended <- Run(ctx, r) }()
	t.Cleanup(stop)
	select {
	case <-ready:
	case err := <-out.ended:
		t.Fatal(err)
	}
	return out
}

// ask posts a row, and returns the id of the model that has decided it.
func ask(t *testing.T, address string) string {
	t.Helper()
	answer, err := http.Post("http://"+address+"/score", "application/json", strings.NewReader(row))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != 200 {
		t.Fatalf("status %d, %v: %s", answer.StatusCode, err, text)
	}
	return answer.Header.Get("X-Model-Id")
}

// becomes waits until a condition holds.
func becomes(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s has not become so within ten seconds", what)
}

// A file that changes is served within a while; one that is damaged is not, and is not read again before it changes.
func TestFileChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "card.rfp")
	first := saved(t, path, 1)
	var log locked
	r := run(t, Request{Models: []File{{"card", path}}, Options: serve.Options{Logger: Logger(&log)}})
	if got := ask(t, r.server); got != first {
		t.Fatalf("id %s, want %s", got, first)
	}
	second := saved(t, path, 2)
	becomes(t, "the second model", func() bool { return ask(t, r.server) == second })
	if err := os.WriteFile(path, []byte("RFPRAGMA, cut off"), 0o600); err != nil {
		t.Fatal(err)
	}
	becomes(t, "the log", func() bool { return strings.Contains(log.String(), "were not reloaded") })
	if got := ask(t, r.server); got != second {
		t.Errorf("id %s, want %s", got, second)
	}
	answer, err := http.Post("http://"+r.admin+"/admin/reload", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("reload of a damaged file: status %d", answer.StatusCode)
	}
	third := saved(t, path, 3)
	becomes(t, "the third model", func() bool { return ask(t, r.server) == third })
}

// SIGHUP has files read anew, and does not end the server.
func TestHangup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "card.rfp")
	saved(t, path, 1)
	var log locked
	r := run(t, Request{Models: []File{{"card", path}}, Options: serve.Options{Logger: Logger(&log)}})
	becomes(t, "the log", func() bool { hangUp(t); return strings.Contains(log.String(), "model reloaded") })
	ask(t, r.server)
}

// A server that is told to end under load answers each request that it has begun: as many as it has logged.
func TestEndsUnderLoad(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "card.rfp")
	saved(t, path, 1)
	log := filepath.Join(folder, "requests")
	r := run(t, Request{Models: []File{{"card", path}}, Log: log})
	var answered atomic.Int64
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			client := http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for {
				answer, err := client.Post("http://"+r.server+"/score", "application/json", strings.NewReader(row))
				if err != nil {
					return // it has ended
				}
				text, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != 200 {
					t.Errorf("status %d, %v: %s", answer.StatusCode, err, text)
					return
				}
				answered.Add(1)
			}
		})
	}
	becomes(t, "the load", func() bool { return answered.Load() > 500 })
	r.stop()
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	clients.Wait()
	lines, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if n := int64(bytes.Count(lines, []byte("\n"))); n != answered.Load() {
		t.Errorf("%d requests are logged, and %d were answered", n, answered.Load())
	}
}

// locked is a text that several write.
type locked struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// certified writes a certificate for loopback, and its key.
func certified(t *testing.T, cert, key string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, &of, &of, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY",
		Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(made)
	return pool
}

// The server speaks TLS, asks for the token of a file, and takes another certificate and token on a reload.
func TestSecrets(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	saved(t, at("card.rfp"), 1)
	token := func(text string) {
		if err := os.WriteFile(at("token"), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(address string, pool *x509.CertPool, bears string) (int, error) {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
		defer client.CloseIdleConnections()
		r, err := http.NewRequest(http.MethodPost, "https://"+address+"/score", strings.NewReader(row))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+bears)
		answer, err := client.Do(r)
		if err != nil {
			return 0, err
		}
		answer.Body.Close()
		return answer.StatusCode, nil
	}
	token("a token of 16 or more")
	pool := certified(t, at("cert"), at("key"))
	r := run(t, Request{Models: []File{{"card", at("card.rfp")}}, Cert: at("cert"), Key: at("key"), Token: at("token")})
	if code, err := ask(r.server, pool, "a token of 16 or more"); code != 200 {
		t.Fatalf("status %d, %v", code, err)
	}
	if code, err := ask(r.server, pool, "another"); code != 401 {
		t.Errorf("status %d, %v", code, err)
	}
	other := certified(t, at("cert"), at("key"))
	token("another token of 16")
	request, err := http.NewRequest(http.MethodPost, fmt.Sprintf("http://%s/admin/reload", r.admin), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer a token of 16 or more")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if code, err := ask(r.server, other, "another token of 16"); code != 200 {
		t.Errorf("status %d, %v", code, err)
	}
	if _, err := ask(r.server, pool, "another token of 16"); err == nil {
		t.Error("the certificate before is still given")
	}
}

// Files and addresses that do not serve are errors that say which.
func TestRunFaults(t *testing.T) {
	folder := t.TempDir()
	path, short := filepath.Join(folder, "card.rfp"), filepath.Join(folder, "token")
	saved(t, path, 1)
	if err := os.WriteFile(short, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	model := []File{{"card", path}}
	for says, r := range map[string]Request{
		"none.rfp":      {Models: []File{{"card", filepath.Join(folder, "none.rfp")}}},
		"model file":    {Models: []File{{"card", short}}},
		"is soon guess": {Models: model, Token: short},
		"none.pem":      {Models: model, Cert: filepath.Join(folder, "none.pem"), Key: path},
		"no/log":        {Models: model, Log: filepath.Join(folder, "no/log")},
		"999.0.0.1":     {Models: model, Listen: "999.0.0.1:1"},
		"loan":          {Models: model, Shadows: []File{{"loan", path}}},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		if r.Listen == "" {
			r.Listen = "127.0.0.1:0"
		}
		if err := Run(ctx, r); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
		cancel()
	}
}

// Arguments name files.
func TestFiles(t *testing.T) {
	got, err := Files([]string{"a/card.rfp", "loan=b/x.rfp", "c=d/e=f.rfp", "c/d=e.rfp"}, "")
	if want := "[{card a/card.rfp} {loan b/x.rfp} {c d/e=f.rfp} {d=e c/d=e.rfp}]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
	if _, err := Files([]string{"a/card.rfp", "b/card.rfp"}, ""); err == nil || !strings.Contains(err.Error(), "NAME=b/card.rfp") {
		t.Error(err)
	}
}
