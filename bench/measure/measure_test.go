package measure

import (
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, tc := range []struct {
		x    []float64
		want float64 // by hand
	}{
		{[]float64{3}, 3},
		{[]float64{5, 1, 3}, 3},
		{[]float64{4, 1, 3, 2}, 2.5},
		{[]float64{9, 1, 1, 1, 9}, 1},
	} {
		x := slices.Clone(tc.x)
		if got := Median(x); got != tc.want {
			t.Errorf("Median(%v) = %g, want %g", tc.x, got, tc.want)
		}
		if !slices.Equal(x, tc.x) {
			t.Errorf("Median changed %v to %v", tc.x, x)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("Median of nothing = %g", got)
	}
}

func TestMeanSD(t *testing.T) {
	// By hand: mean 5, squared distances 9 + 1 + 1 + 9 = 20, over 3.
	mean, sd := MeanSD([]float64{2, 4, 6, 8})
	if mean != 5 || math.Abs(sd-math.Sqrt(20.0/3)) > 1e-15 {
		t.Errorf("MeanSD = %g, %g", mean, sd)
	}
	if mean, sd := MeanSD([]float64{7}); mean != 7 || !math.IsNaN(sd) {
		t.Errorf("MeanSD of one = %g, %g", mean, sd)
	}
}

func TestPeakMB(t *testing.T) {
	if got := peakMB("Name:\tpeers\nVmPeak:\t  999 kB\nVmHWM:\t    2560 kB\nVmRSS:\t 1 kB\n"); got != 2.5 {
		t.Errorf("peakMB = %g, want 2.5", got)
	}
	if got := peakMB("Name:\tpeers\n"); !math.IsNaN(got) {
		t.Errorf("peakMB of nothing = %g", got)
	}
	before := PeakMB()
	if math.IsNaN(before) {
		t.Skip("this system has no /proc/self/status")
	}
	big := make([]byte, 64<<20)
	for i := range big {
		big[i] = 1
	}
	if after := PeakMB(); after < 64 || after < before {
		t.Errorf("peak %g MB with 64 MB in use, %g before; sum %d", after, before, len(big))
	}
}

func TestCPUSeconds(t *testing.T) {
	// proc(5): the 14th and 15th field are user and system time in ticks; the name in brackets may hold anything.
	const stat = "4242 (a (b) c) S 1 4242 4242 0 -1 4194304 1037 0 0 0 250 50 0 0 20 0 5 0 1 2 3"
	if got := cpuSeconds(stat); got != 3 {
		t.Errorf("%v seconds, want 3", got)
	}
	for _, bad := range []string{"", "1 (x) S 1", "1 (x) S 1 2 3 4 5 6 7 8 9 10 x 12"} {
		if got := cpuSeconds(bad); !math.IsNaN(got) {
			t.Errorf("%q: %v seconds", bad, got)
		}
	}
}
