package memory

import (
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

// M316, M318: of all limits the lowest counts.
func TestSpareMemory(t *testing.T) {
	const gb = 1 << 30
	meminfo, v2, v1 := "proc/meminfo", "sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"
	for _, tc := range []struct {
		name  string
		files map[string]string
		env   int64 // GOMEMLIMIT, 0 for none
		want  int64 // 0 for no limit
	}{
		{"nothing is known", nil, 0, 0},
		{"a machine", map[string]string{meminfo: "MemFree: 1 kB\nMemTotal:       8388608 kB\n"}, 0, 8 * gb},
		{"a container", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v2: "2147483648\n"}, 0, 2 * gb},
		{"a container without a limit", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v2: "max\n"}, 0, 8 * gb},
		{"an older container", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v1: "1073741824\n"}, 0, gb},
		{"GOMEMLIMIT", map[string]string{meminfo: "MemTotal: 8388608 kB\n", v2: "2147483648\n"}, gb / 2, gb / 2},
		{"nonsense", map[string]string{meminfo: "MemTotal: much\n", v2: "-1\n"}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range tc.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			limit := tc.env
			if limit == 0 {
				limit = math.MaxInt64
			}
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
			got := Spare(files)
			if tc.want == 0 && got != 0 || tc.want > 0 && (got > tc.want || got < tc.want-gb/4) {
				t.Errorf("%d bytes, want %d less what is in use", got, tc.want)
			}
		})
	}
}

// Much memory is told beforehand, little is not.
func TestWords(t *testing.T) {
	for _, tc := range []struct {
		most, spare int64
		want        string
	}{
		{1<<30 - 1, 0, ""},
		{1<<30 - 1, 1 << 31, ""},
		{2.2e9, 12e9, ""},
		{3.26e9, 0, "Growing takes at most 3.3 GB of memory."},
		{4.2e9, 6.4e9, "Growing takes at most 4.2 GB of memory, and 6.4 GB are free."},
	} {
		if got := Words(tc.most, tc.spare); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
