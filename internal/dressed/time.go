package dressed

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// seconds are those of a unit of time, by what it is called.
var seconds = map[string]float64{
	"ms": 1e-3, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
	"min": 60, "mins": 60, "minute": 60, "minutes": 60, "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600,
	"d": 86400, "day": 86400, "days": 86400, "w": 604800, "week": 604800, "weeks": 604800,
}

func timeUnit(unit string) (s float64, known bool) {
	s, known = seconds[strings.ToLower(unit)]
	return s, known
}

var (
	clock = regexp.MustCompile(`^(?:(-?\d+) days?,? ?[+]?)?(-?)(\d{1,3}):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?$`)
	lap   = regexp.MustCompile(`^(\d{1,3}):([0-5]\d\.\d+)$`) // minutes, as a fraction is one of seconds
	noon  = regexp.MustCompile(`^(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([AaPp])\.?[Mm]\.?$`)
	iso   = regexp.MustCompile(strings.ReplaceAll(`^P(?:#W)?(?:#D)?(?:T(?:#H)?(?:#M)?(?:#S)?)?$`, "#",
		`(\d+(?:\.\d+)?)`))
	part    = regexp.MustCompile(`^(\d+(?:\.\d+)?)\s*(\p{L}+)\.?,?\s*`)
	minutes = map[string]bool{"m": true} // after hours alone, as it is a metre, too
)

// Duration returns how many seconds a text is that says a time of day, since midnight, or how long something takes:
// 15:11, 12:30.5, 3:00 PM, 0 days 19:00:00, 0 h 45 min, PT67M.
func Duration(text string) (s float64, ok bool) {
	if len(text) > 64 || text == "" {
		return 0, false
	}
	if m := noon.FindStringSubmatch(text); m != nil {
		hour := math.Mod(float(m[1]), 12)
		if strings.EqualFold(m[3], "p") {
			hour += 12
		}
		return 3600*hour + 60*float(m[2]), true
	}
	if m := clock.FindStringSubmatch(text); m != nil {
		if s = 3600*float(m[3]) + 60*float(m[4]) + float(m[5]); m[2] == "-" {
			s = -s
		}
		return s + float64(86400*float(m[1])), true
	}
	if m := lap.FindStringSubmatch(text); m != nil {
		return 60*float(m[1]) + float(m[2]), true
	}
	if m := iso.FindStringSubmatch(text); m != nil && strings.ContainsAny(text, "0123456789") {
		return 604800*float(m[1]) + 86400*float(m[2]) + 3600*float(m[3]) + 60*float(m[4]) + float(m[5]), true
	}
	return sum(text)
}

// sum adds up numbers with units of time, from the largest unit to the smallest.
func sum(text string) (s float64, ok bool) {
	rest, last := text, 1e9
	for rest != "" {
		m := part.FindStringSubmatch(rest)
		if m == nil {
			return 0, false
		}
		each, known := timeUnit(m[2])
		if minutes[m[2]] && last == 3600 {
			each, known = 60, true
		}
		if !known || each >= last {
			return 0, false
		}
		s, last, rest = s+float64(each*float(m[1])), each, rest[len(m[0]):]
	}
	return s, true
}

func isTime(text string) bool {
	_, ok := Duration(text)
	return ok
}

// bareTime tells whether a time is one number with its unit, as 45 min.
func bareTime(text string) bool {
	m := part.FindString(text)
	return m != "" && len(m) == len(text)
}

// float reads digits, none as 0.
func float(digits string) float64 {
	v, _ := strconv.ParseFloat(digits, 64) // an expression has checked them
	return v
}
