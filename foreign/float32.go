package foreign

import "math"

// Programs that compute in float32 round a cell before they compare it. Our cells are float64, and thresholds too; so
// a threshold becomes the largest float64 that is rounded to the side where it belongs.

// below returns the largest x for which float32(x) < t.
func below(t float32) float64 {
	const beyond = math.MaxFloat32 + 1<<103 // from here on float32(x) is infinite
	switch {
	case t > math.MaxFloat32:
		return math.Nextafter(beyond, 0)
	case t <= -math.MaxFloat32:
		return -beyond
	}
	before := math.Nextafter32(t, float32(math.Inf(-1)))
	middle := (float64(before) + float64(t)) / 2
	if float32(middle) < t {
		return middle
	}
	return math.Nextafter(middle, math.Inf(-1))
}

// atMost returns the largest x for which float32(x) <= t.
func atMost(t float64) float64 {
	floor := float32(t)
	if float64(floor) > t {
		floor = math.Nextafter32(floor, float32(math.Inf(-1)))
	}
	if floor > math.MaxFloat32 {
		return math.MaxFloat64
	}
	return below(math.Nextafter32(floor, float32(math.Inf(1))))
}

// finite returns a threshold that no finite cell tells from t.
func finite(t float64) float64 { return max(-math.MaxFloat64, min(t, math.MaxFloat64)) }
