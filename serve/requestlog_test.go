package serve

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// logged is a line of the request log.
type logged struct {
	Time, Model, ID, Path, Request, Trace string
	Decisions                             []string
	Rows                                  []map[string]any
}

// A line of the log has the model, the decisions and the name that the client gave; the cells only if they are asked
// for.
func TestRequestLog(t *testing.T) {
	for _, cells := range []bool{false, true} {
		var log strings.Builder
		s := serving(t, Options{Log: &log, Cells: cells})
		w := post(s, "/score", "["+suspicious+","+with("channel", `"fax"`)+"]", "Content-Type", "application/json",
			"X-Request-Id", `a"7`)
		out := decoded[decidedRows](t, w, 200)
		post(s, "/score", `{"amount":1}`) // which is not decided
		var line logged
		if err := json.Unmarshal([]byte(log.String()), &line); err != nil {
			t.Fatalf("%v: %s", err, log.String())
		}
		if line.Model != "card" || line.ID != out.ID || line.Path != "/score" || line.Request != `a"7` || line.Time == "" ||
			len(line.Decisions) != 2 || line.Decisions[0] != out.Rows[0].Decision {
			t.Errorf("%+v", line)
		}
		if cells && (len(line.Rows) != 2 || line.Rows[0]["amount"] != 890.0 || line.Rows[0]["channel"] != "online" ||
			line.Rows[1]["channel"] != nil || line.Rows[0]["distance_km"] != nil) || !cells && line.Rows != nil {
			t.Errorf("rows %v", line.Rows)
		}
	}
}

// A request that cannot be logged is not answered, and nothing of it stays in the log; the next one is, once there is
// room.
func TestFullDisk(t *testing.T) {
	disk, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer disk.Close()
	s := serving(t, Options{Log: disk})
	out := decoded[struct{ Error string }](t, post(s, "/score", suspicious), 503)
	if !strings.Contains(out.Error, "the request log cannot be written") {
		t.Error(out.Error)
	}
	w := post(s, "/score", strings.ReplaceAll(suspicious, "\n", "")+"\n", "Content-Type", "application/x-ndjson")
	decoded[struct{ Error string }](t, w, 503)
	if metrics := get(s, "/metrics").Body.String(); !strings.Contains(metrics, "rfpragma_unlogged_requests_total 2\n") {
		t.Error(metrics)
	}
}

// narrow is a file on a disk with room for so many bytes more.
type narrow struct {
	*os.File
	room int
}

func (n *narrow) Write(b []byte) (int, error) {
	if len(b) <= n.room {
		n.room -= len(b)
		return n.File.Write(b)
	}
	done, _ := n.File.Write(b[:n.room])
	return done, errors.New("no space left on device")
}

// A line that does not fit is taken back whole.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	disk := &narrow{file, 300}
	s := serving(t, Options{Log: disk})
	for i, code := range []int{200, 503, 200} {
		if w := post(s, "/score", suspicious); w.Code != code {
			t.Errorf("request %d: status %d, want %d", i, w.Code, code)
		}
		if i == 1 {
			disk.room = 300
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no line of JSON: %q", line)
		}
	}
	if len(lines) != 2 {
		t.Errorf("%d lines, want 2", len(lines))
	}
}
