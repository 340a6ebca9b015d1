// Package measure holds what all benchmarks need of statistics and of the system.
package measure

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

// Median returns the middle of x, or the mean of the two in the middle; NaN of nothing. It
// does not change x.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(x))
	return (s[len(s)/2] + s[(len(s)-1)/2]) / 2
}

// MeanSD returns the mean of x and the standard deviation of a single value, with the divisor
// len(x)-1. The mean of nothing and the deviation of fewer than two values are NaN.
func MeanSD(x []float64) (mean, sd float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v
	}
	mean /= n
	if n < 2 {
		return mean, math.NaN()
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / (n - 1))
}

// PeakMB returns the most memory that this process has held so far, in MB of 2^20 bytes; NaN
// where the system does not say (it is read from /proc).
//
// What a parent is told about a child when it ends is no help: on Linux that is at least the
// peak of the parent itself, whose memory the child shares until it starts its own program.
func PeakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return math.NaN()
	}
	return peakMB(string(status))
}

func peakMB(status string) float64 {
	for line := range strings.Lines(status) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kb); err == nil {
			return kb / 1024
		}
	}
	return math.NaN()
}
