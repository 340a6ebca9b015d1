//go:build !race

package main

// underRace is whether the tests run under the race detector.
const underRace = false
