package watching

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Span is how long the windows are that rows are parted into by their time; the zero value parts none.
type Span struct {
	count int
	unit  string // hour, day or month
}

// spanForm is how many of a unit, or one.
var spanForm = regexp.MustCompile(`^(\d{0,4})\s*([a-z]+)$`)

// spanUnits are the units by what they are called.
var spanUnits = map[string]Span{
	"h": {1, "hour"}, "hour": {1, "hour"}, "hours": {1, "hour"}, "d": {1, "day"}, "day": {1, "day"}, "days": {1, "day"},
	"w": {7, "day"}, "week": {7, "day"}, "weeks": {7, "day"}, "month": {1, "month"}, "months": {1, "month"},
}

// ParseWindow reads how large windows are: a number of rows, such as 500, or a span of time, such as 12h, 7d, 2w or
// month. One of both is zero.
func ParseWindow(text string) (rows int, span Span, err error) {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n, Span{}, nil
	}
	m := spanForm.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil || spanUnits[m[2]] == (Span{}) {
		return 0, Span{}, fmt.Errorf("%s; give a number of rows, 1 or more, or a span of time such as 12h, 7d or month",
			english.Quote(text))
	}
	span, n := spanUnits[m[2]], 1
	if m[1] != "" {
		n, _ = strconv.Atoi(m[1]) // of at most four digits
	}
	if span.count *= n; span.count == 0 {
		return 0, Span{}, fmt.Errorf("%s; give a span above 0, such as 7d", english.Quote(text))
	}
	return 0, span, nil
}

// moments are the forms of times that are read (ISO 8601), the most frequent first.
var moments = []string{time.DateOnly, time.DateTime, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04",
	"2006-01-02T15:04", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "20060102", "2006-01"}

// monday is a Monday, so that weeks begin with one; windows begin at multiples of their span from it on, whatever rows
// come first.
var monday = time.Date(1970, 1, 5, 0, 0, 0, 0, time.UTC)

// window returns the name of the window of a time: its first and last day, its month, or the hour that it begins with.
func (s Span) window(cell string) (string, error) {
	var at time.Time
	err := fmt.Errorf("no form")
	for i := 0; i < len(moments) && err != nil; i++ {
		at, err = time.Parse(moments[i], cell)
	}
	if err != nil {
		return "", fmt.Errorf("%s is no time; write such as 2026-11-29 or 2026-11-29 18:30", english.Quote(cell))
	}
	at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC) // as it is written
	const month = "2006-01"
	switch s.unit {
	case "month":
		first := floor(12*at.Year()+int(at.Month())-1, s.count)
		begin := time.Date(0, time.Month(first+1), 1, 0, 0, 0, 0, time.UTC)
		if s.count == 1 {
			return begin.Format(month), nil
		}
		return begin.Format(month) + " to " + begin.AddDate(0, s.count-1, 0).Format(month), nil
	case "hour":
		begin := monday.Add(time.Duration(floor(hoursSince(at), s.count)) * time.Hour)
		return begin.Format("2006-01-02 15:04"), nil
	}
	begin := monday.AddDate(0, 0, floor(floor(hoursSince(at), 24)/24, s.count))
	if s.count == 1 {
		return begin.Format(time.DateOnly), nil
	}
	return begin.Format(time.DateOnly) + " to " + begin.AddDate(0, 0, s.count-1).Format(time.DateOnly), nil
}

// hoursSince are those since monday; a duration holds no more than some 290 years.
func hoursSince(at time.Time) int { return floor(int(at.Unix()-monday.Unix()), 3600) / 3600 }

// floor is the largest multiple of a number above 0 that is not above n.
func floor(n, of int) int { return n - ((n%of)+of)%of }
