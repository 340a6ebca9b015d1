//go:build !race

package forest

// underRace is whether the tests run under the race detector.
const underRace = false
