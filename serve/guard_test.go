package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// listening serves on loopback until the test ends.
func listening(t *testing.T, o Options) (address string, server *http.Server) {
	t.Helper()
	server = serving(t, o).HTTP()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(on)
	t.Cleanup(func() { server.Close() })
	return on.Addr().String(), server
}

// dialled is a connection, and what is answered on it.
func dialled(t *testing.T, address string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn, bufio.NewReader(conn)
}

// Who does not bear the token is refused, but for a probe.
func TestToken(t *testing.T) {
	token := "0123456789abcdef"
	s := serving(t, Options{Token: func() string { return token }})
	for _, tc := range []struct {
		bears string
		code  int
	}{{"", 401}, {"Bearer 0123456789abcdeg", 401}, {"Basic 0123456789abcdef", 401}, {"Bearer ", 401},
		{"Bearer 0123456789abcdef", 200}} {
		if w := post(s, "/score", suspicious, "Authorization", tc.bears); w.Code != tc.code {
			t.Errorf("%q: status %d, want %d", tc.bears, w.Code, tc.code)
		}
	}
	for path, code := range map[string]int{"/v2/health/live": 200, "/v2/health/ready": 200, "/metrics": 401, "/v2": 401} {
		if w := get(s, path); w.Code != code {
			t.Errorf("%s: status %d, want %d", path, w.Code, code)
		}
	}
	if w := post(s.Admin(), "/admin/reload", ""); w.Code != 401 {
		t.Errorf("reload: status %d", w.Code)
	}
	token = "another, of later"
	if w := post(s, "/score", suspicious, "Authorization", "Bearer 0123456789abcdef"); w.Code != 401 {
		t.Errorf("the token before still serves: status %d", w.Code)
	}
}

// A page of another site cannot ask through a browser, and is told of no origin that could.
func TestForeignOrigin(t *testing.T) {
	s := serving(t, Options{})
	if w := post(s, "/score", suspicious, "Origin", "http://evil.example"); w.Code != 403 {
		t.Errorf("status %d", w.Code)
	}
	w := post(s, "/score", suspicious)
	if w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("status %d, %v", w.Code, w.Header())
	}
}

// Ten thousand connections that wait keep nobody out, and take the room of the few that there may be.
func TestIdleConnections(t *testing.T) {
	const many, most = 10000, 64
	address, _ := listening(t, Options{Connections: most})
	before := runtime.NumGoroutine()
	var d net.Dialer
	for i := range many {
		conn, err := d.DialContext(context.Background(), "tcp", address)
		if err != nil {
			t.Skipf("only %d connections can be had: %v", i, err)
		}
		defer conn.Close()
		if i%1000 == 0 {
			fmt.Fprint(conn, "GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n")
		}
	}
	conn, in := dialled(t, address)
	fmt.Fprint(conn, "GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n")
	answer, err := http.ReadResponse(in, nil)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("%v: %v", answer, err)
	}
	for wait := time.Millisecond; runtime.NumGoroutine() > before+2*most+20 && wait < 10*time.Second; wait *= 2 {
		time.Sleep(wait) // until those that were closed are gone
	}
	if n := runtime.NumGoroutine(); n > before+2*most+20 {
		t.Errorf("%d goroutines, %d before: more connections are open than there may be", n, before)
	}
}

// A client that sends its header, or its body, too slowly loses its connection, and the others are answered.
func TestSlowClients(t *testing.T) {
	address, _ := listening(t, Options{Timeout: 300 * time.Millisecond})
	for _, tc := range []struct{ sent, kind string }{
		{"POST /score HTTP/1.1\r\nHost: x\r\nX-A: ", ""},
		{"POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{", "408"},
		{"POST /score HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: 500\r\n\r\n{", "408"},
	} {
		conn, in := dialled(t, address)
		fmt.Fprint(conn, tc.sent)
		conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		text, err := io.ReadAll(in) // until the server closes
		if err != nil || !strings.Contains(string(text), tc.kind) {
			t.Errorf("%.40q: answered %q, %v", tc.sent, text, err)
		}
	}
}

// Where all places are taken for too long, a request is told to come again; where too many bytes are, too.
func TestBusy(t *testing.T) {
	s := serving(t, Options{Concurrency: 1, MaxBody: 1000, MaxBuffered: 1000, Timeout: 20 * time.Millisecond})
	ask := func() {
		t.Helper()
		w := post(s, "/score", suspicious)
		if out := decoded[struct{ Error string }](t, w, 503); !strings.Contains(out.Error, "busy") ||
			w.Header().Get("Retry-After") == "" {
			t.Errorf("%+v %v", out, w.Header())
		}
	}
	leave, err := s.limits.enter(context.Background(), s.limits.places, 1)
	if err != nil {
		t.Fatal(err)
	}
	ask()
	leave()
	if leave, err = s.limits.enter(context.Background(), s.limits.bytes, 900); err != nil {
		t.Fatal(err)
	}
	ask()
	leave()
	if w := post(s, "/score", suspicious); w.Code != 200 {
		t.Errorf("status %d afterwards", w.Code)
	}
}

// Shutdown answers what has begun, and says at once that the server is no longer ready.
func TestShutdownDrains(t *testing.T) {
	address, server := listening(t, Options{})
	conn, in := dialled(t, address)
	fmt.Fprintf(conn, "POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(suspicious), suspicious[:50])
	for server.Handler.(*Server).traffic.inFlight.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Shutdown(context.Background()) }()
	for !server.Handler.(*Server).draining.Load() {
		time.Sleep(time.Millisecond)
	}
	if w := get(server.Handler, "/v2/health/ready"); w.Code != 503 {
		t.Errorf("ready: status %d", w.Code)
	}
	fmt.Fprint(conn, suspicious[50:])
	answer, err := http.ReadResponse(in, nil)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("%v: %v", answer, err)
	}
	io.Copy(io.Discard, answer.Body)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Lines are answered while more are still to come.
func TestStreamAnswersAsLinesCome(t *testing.T) {
	address, _ := listening(t, Options{})
	conn, in := dialled(t, address)
	row := strings.ReplaceAll(suspicious, "\n", " ")
	fmt.Fprint(conn, "POST /score HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
	send := func(line string) { fmt.Fprintf(conn, "%x\r\n%s\n\r\n", len(line)+1, line) }
	send(row)
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(answer.Body)
	for n, sent := range []string{"{", row, `{"amount":1}`, "end"} {
		line, err := lines.ReadString('\n')
		wrong := strings.Contains(line, `"error"`)
		if err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"row":%d,`, n+1)) || wrong != (n == 1 || n == 3) {
			t.Fatalf("line %d: %q, %v", n+1, line, err)
		}
		if sent == "end" {
			fmt.Fprint(conn, "0\r\n\r\n")
		} else {
			send(sent)
		}
	}
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}
