package serve

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/scoring"
)

// measured reads the values of an exposition by their names and labels. Each line must be as the format has it.
func measured(t *testing.T, text string) map[string]float64 {
	t.Helper()
	line := regexp.MustCompile(`^([a-z_]+(?:\{[a-z]+="(?:[^"\\]|\\.)*"(?:,[a-z]+="(?:[^"\\]|\\.)*")*\})?) (\S+)$`)
	values, kinds := map[string]float64{}, map[string]bool{}
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if name, is := strings.CutPrefix(l, "# TYPE "); is {
			if kinds[name] {
				t.Errorf("twice: %s", l)
			}
			kinds[name] = true
			continue
		}
		if strings.HasPrefix(l, "# HELP ") {
			continue
		}
		parts := line.FindStringSubmatch(l)
		if parts == nil {
			t.Fatalf("no measurement: %q", l)
		}
		v, err := strconv.ParseFloat(parts[2], 64)
		if _, twice := values[parts[1]]; err != nil || twice {
			t.Errorf("%q: %v", l, err)
		}
		values[parts[1]] = v
	}
	return values
}

// What was decided, what was missing and how far it has drifted is counted, over the window alone where that is said.
func TestMetrics(t *testing.T) {
	s := serving(t, Options{})
	same := rowsOfJSON(dataset.Fraud(2000, 1))
	post(s, "/score", "["+strings.Join(same, ",")+"]", "Content-Type", "application/json")
	post(s, "/score", with("channel", `"fax"`))
	post(s, "/score", `{"amount":1}`)
	m := measured(t, get(s, "/metrics").Body.String())
	decided := m[`rfpragma_decisions_total{model="card",class="fraud"}`] + m[`rfpragma_decisions_total{model="card",class="ok"}`]
	zoned := 0.0
	for _, zone := range scoring.ZoneNames {
		zoned += m[`rfpragma_zones_total{model="card",zone="`+zone+`"}`]
	}
	for name, want := range map[string]float64{
		`rfpragma_rows_total{model="card"}`:                                2001,
		`rfpragma_window_rows{model="card"}`:                               2001,
		`rfpragma_requests_total{route="score",code="200"}`:                2,
		`rfpragma_requests_total{route="score",code="422"}`:                1,
		`rfpragma_request_seconds_count{route="score"}`:                    3,
		`rfpragma_requests_in_flight`:                                      1,
		`rfpragma_column_missing_share{model="card",column="distance_km"}`: share(missing(same, "distance_km")+1, 2001),
		`rfpragma_column_unseen_share{model="card",column="channel"}`:      1.0 / 2001,
	} {
		if got, is := m[name]; got != want || !is {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	alarms := m[`rfpragma_zones_total{model="card",zone="alarm"}`] / 2001
	if decided != 2001 || zoned != 2001 || m[`rfpragma_alarm_rate{model="card"}`] != alarms || alarms == 0 {
		t.Errorf("%v decided, %v in zones, %v alarms", decided, zoned, alarms)
	}
	if m[`rfpragma_column_psi{model="card",column="hour"}`] > 0.4 {
		t.Errorf("rows of the training have drifted: %v", m[`rfpragma_column_psi{model="card",column="hour"}`])
	}
	shifted := strings.ReplaceAll(strings.Join(same, ","), `"hour":`, `"hour":10`)
	for range 4 {
		post(s, "/score", "["+shifted+"]", "Content-Type", "application/json")
	}
	m = measured(t, get(s, "/metrics").Body.String())
	if v := m[`rfpragma_column_psi{model="card",column="hour"}`]; v < 1 {
		t.Errorf("hours beyond all of the training have an index of %v", v)
	}
}

func missing(rows []string, column string) (n int) {
	for _, row := range rows {
		if strings.Contains(row, `"`+column+`":null`) {
			n++
		}
	}
	return n
}

// Rows leave the window once it has gone by; the total stays.
func TestWindow(t *testing.T) {
	h := holder(t, payments())
	w := h.now.Load().window
	b := scoring.NewBatch(w.of)
	if _, err := b.JSON([]byte("["+suspicious+"]"), 1); err != nil {
		t.Fatal(err)
	}
	if err := b.Decide(t.Context(), func(to []byte, _, _ int) []byte { return to }); err != nil {
		t.Fatal(err)
	}
	start := time.Unix(1e9, 0)
	for minute := range 30 {
		w.add(b, start.Add(time.Duration(minute)*time.Minute), 10*time.Minute)
	}
	now := start.Add(29 * time.Minute)
	if latest, total := w.sum(now, 10*time.Minute); latest.rows != 10 || total.rows != 30 || latest.sampled != 10 {
		t.Errorf("%d rows of late and %d in all, want 10 and 30", latest.rows, total.rows)
	}
	if latest, total := w.sum(now.Add(time.Hour), 10*time.Minute); latest.rows != 0 || total.rows != 30 {
		t.Errorf("%d rows of late and %d in all, want 0 and 30", latest.rows, total.rows)
	}
}

// By hand: shares (90.5, 10.5)/101 of the training and (50.5, 50.5)/101 now; 0.3960·ln 0.5580 against -0.3960·ln 4.8095
// sum to 0.8531 with signs as in the definition.
func TestPSI(t *testing.T) {
	want := (50.5/101-90.5/101)*math.Log(50.5/90.5) + (50.5/101-10.5/101)*math.Log(50.5/10.5)
	if got := psi([]float64{90, 10}, []int{50, 50}); math.Abs(got-want) > 1e-12 || math.Abs(want-0.853) > 0.001 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := psi([]float64{9000, 1000}, []int{5, 5}); !math.IsNaN(got) {
		t.Errorf("%v of ten values", got)
	}
}
