package cli

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"

	"github.com/rfpragma/rfpragma/forest"
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
			got := spareMemory(files)
			if tc.want == 0 && got != 0 || tc.want > 0 && (got > tc.want || got < tc.want-gb/4) {
				t.Errorf("%d bytes, want %d less what is in use", got, tc.want)
			}
		})
	}
}

// M315: too little memory is a limit for scripts.
func TestMemoryExitCode(t *testing.T) {
	if code := ExitCode(context.Background(), fmt.Errorf("train: %w", forest.ErrMemory)); code != ExitLimit {
		t.Errorf("exit code %d, want %d", code, ExitLimit)
	}
}
