package forest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
)

// What is allocated in all is at least what is in use at the peak, and of a single tree little
// of it is given back before the end: so the estimate and the figure of the runtime meet.
func TestMemoryIsEstimated(t *testing.T) {
	race.SkipFigures(t)
	for name, frame := range map[string]*dataset.Frame{"wave": dataset.Wave(20_000, 3, 1), "fraud": dataset.Fraud(3000,
		1)} {
		tookAsEstimated(t, name, frame, Config{Trees: 1, Seed: 1, Workers: 1})
		tookAsEstimated(t, name+" with levels", withLevels(frame, frame.Rows()/2, 1), Config{Trees: 1, Seed: 1, Workers: 1})
		if frame.Rows() > 10_000 { // of fewer what does not grow with them is most
			tookAsEstimated(t, name, frame, Config{Trees: 1, Seed: 1, Workers: 1, Bag: Hash(7000)})
		}
	}
	tookAsEstimated(t, "reordered wave", dataset.Wave(orderFrom, 2, 1), Config{Trees: 1, Seed: 1, Workers: 1})
	tookAsEstimated(t, "reordered wave of codes", codedFrame(dataset.Wave(orderFrom, 2, 1)), Config{Trees: 1, Seed: 1,
		Workers: 1})
	tookAsEstimated(t, "reordered chains", dataset.Fraud(orderFrom, 1), Config{Trees: 1, Seed: 1, Workers: 1})
	tookAsEstimated(t, "reordered chains of codes", codedFrame(dataset.Fraud(orderFrom, 1)), Config{Trees: 1, Seed: 1,
		Workers: 1})
}

func tookAsEstimated(t *testing.T, name string, frame *dataset.Frame, cfg Config) {
	t.Helper()
	least, most := Memory(frame, cfg)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	mustGrow(t, frame, cfg)
	runtime.ReadMemStats(&after)
	took := int64(after.TotalAlloc - before.TotalAlloc)
	if took < least || float64(took) > 1.5*float64(most) {
		t.Errorf("%s, %s: %d bytes were allocated, estimated are %d to %d", name, cfg.Bag, took, least, most)
	}
}

// I199, M315, M317: too much is refused before it is tried, or as soon as the first trees show it.
func TestMemoryIsLimited(t *testing.T) {
	frame := dataset.Wave(3000, 3, 1)
	cfg := Config{Trees: 50, Seed: 1, Workers: 1}
	least, most := Memory(frame, cfg)
	for _, tc := range []struct {
		name  string
		limit int64
		want  string // "" for no error
	}{
		{"less than the data", least / 2, "growing needs at least"},
		{"less than the trees", least + 50*300*nodeBytes, "50 trees of about"},
		{"enough", most, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			grown := 0
			c := cfg
			c.MaxMemory, c.Progress = tc.limit, func() { grown++ }
			f, _, err := Grow(context.Background(), frame, c)
			if tc.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if f != nil || !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
			if grown > 1 {
				t.Errorf("%d trees were grown first", grown)
			}
		})
	}
	c := cfg
	c.Trees = MaxTrees
	if _, most := Memory(dataset.Wave(100, 3, 1), c); most <= 0 {
		t.Errorf("M317: %d bytes", most)
	}
}
