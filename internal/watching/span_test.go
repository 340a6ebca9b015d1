package watching

import (
	"strings"
	"testing"
)

// Windows begin on Mondays, at midnight and with months, whatever rows come first; by the calendar.
func TestSpanWindow(t *testing.T) {
	for _, tc := range []struct{ window, cell, want string }{
		{"7d", "2026-11-29", "2026-11-23 to 2026-11-29"}, // a Sunday
		{"week", "2026-11-30", "2026-11-30 to 2026-12-06"},
		{"2 w", "1970-01-05", "1970-01-05 to 1970-01-18"},
		{"7d", "1970-01-04 23:59:59", "1969-12-29 to 1970-01-04"},
		{"1d", "2024-02-29T23:59:59Z", "2024-02-29"},
		{"day", "2024-02-29T23:59:59+02:00", "2024-02-29"}, // as it is written
		{"day", "20240229", "2024-02-29"},
		{"month", "2026-02-28 10:15", "2026-02"},
		{"MONTHS", "2026-02", "2026-02"},
		{"3months", "2026-11-29", "2026-10 to 2026-12"},
		{"12h", "2026-11-29T18:30:00.25Z", "2026-11-29 12:00"},
		{"h", "2026-11-29 18:30", "2026-11-29 18:00"},
		{"1d", "2400-12-31", "2400-12-31"},
		{"1d", "1066-10-14", "1066-10-14"},
	} {
		rows, span, err := ParseWindow(tc.window)
		if err != nil || rows != 0 {
			t.Fatal(tc.window, rows, err)
		}
		if got, err := span.window(tc.cell); err != nil || got != tc.want {
			t.Errorf("%s of %s: %s, %v, want %s", tc.cell, tc.window, got, err, tc.want)
		}
	}
	_, span, _ := ParseWindow("7d")
	for _, cell := range []string{"", "29.11.2026", "2026-13-01", "17"} {
		if got, err := span.window(cell); err == nil || !strings.Contains(err.Error(), "is no time; write such as 2026-11-29") {
			t.Errorf("%q: %s, %v", cell, got, err)
		}
	}
}

func TestParseWindow(t *testing.T) {
	if rows, span, err := ParseWindow("500"); rows != 500 || span != (Span{}) || err != nil {
		t.Errorf("%d, %v, %v", rows, span, err)
	}
	for _, text := range []string{"", "0", "-5", "7", "7y", "0d", "d7", "12345d", "1.5d"} {
		if rows, span, err := ParseWindow(text); (err == nil) != (text == "7") {
			t.Errorf("%q: %d, %v, %v", text, rows, span, err)
		}
	}
}
