// Package memory says how much memory may be taken, and how much growing takes.
package memory

import (
	"io/fs"
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// Spare returns the bytes that this process may still take: what GOMEMLIMIT, the limit of
// its container and the memory of the machine leave, whichever is least. Files says where
// the system tells the latter two; where it tells nothing there is no limit, 0.
func Spare(files fs.FS) int64 {
	limit := debug.SetMemoryLimit(-1) // MaxInt64 without GOMEMLIMIT
	for _, path := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := fs.ReadFile(files, path); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
				limit = min(limit, n)
			}
		}
	}
	if text, err := fs.ReadFile(files, "proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "MemTotal:" {
				if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil && kb > 0 {
					limit = min(limit, kb*1024)
				}
			}
		}
	}
	if limit == math.MaxInt64 {
		return 0
	}
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return max(1, limit-int64(now.HeapAlloc))
}

// Words says what growing may take, where that is much: more than half of what is spare, or a
// gigabyte if that is not known, 0. Elsewhere it is "".
func Words(most, spare int64) string {
	const much = 1 << 30
	if spare > 0 && most <= spare/2 || spare == 0 && most < much {
		return ""
	}
	gb := func(bytes int64) string { return strconv.FormatFloat(float64(bytes)/1e9, 'f', 1, 64) }
	text := "Growing takes at most " + gb(most) + " GB of memory"
	if spare > 0 {
		text += ", and " + gb(spare) + " GB are free"
	}
	return text + "."
}
