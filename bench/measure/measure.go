// Package measure holds what all benchmarks need of statistics and of the system.
package measure

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
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

// CPUSeconds returns the time that processors have spent on this process so far, in steps of 10 ms; NaN where the
// system does not say (it is read from /proc). On a machine that others use, too, it tells more than the clock.
func CPUSeconds() float64 {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return math.NaN()
	}
	return cpuSeconds(string(stat))
}

func cpuSeconds(stat string) float64 {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:]) // the name before may have blanks
	if len(fields) < 13 {
		return math.NaN()
	}
	user, errUser := strconv.ParseFloat(fields[11], 64)
	system, errSystem := strconv.ParseFloat(fields[12], 64)
	if errUser != nil || errSystem != nil {
		return math.NaN()
	}
	return (user + system) / 100 // ticks, of which Linux shows 100 a second
}
