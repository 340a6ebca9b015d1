package calib_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
)

// fewLooks is a context that ends when it is looked at for the n-th time.
type fewLooks struct {
	context.Context
	left atomic.Int64
}

func (c *fewLooks) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Every method ends with its context, wherever that happens, and never with a set of maps.
func TestFitClassesStops(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, k := range []int{2, 3, 12} {
		r := calib.Rows{K: k}
		for i := range 60 {
			row, sum := make([]float64, k), 0.0
			for c := range row {
				row[c] = rng.Float64()
			}
			row[i%k] += 0.3
			for _, v := range row {
				sum += v
			}
			for _, v := range row {
				r.Share = append(r.Share, v/sum)
			}
			r.Truth = append(r.Truth, i%k)
		}
		for _, m := range []calib.Method{calib.PlattLogit, calib.IsotonicLinear, calib.Beta, calib.Vector, calib.Temperature,
			"platt:coupled", calib.Auto, "auto:coupled"} {
			whole := &fewLooks{Context: t.Context()}
			whole.left.Store(1 << 40)
			if _, err := m.FitClasses(whole, r); err != nil {
				t.Fatalf("%s of %d classes: %v", m, k, err)
			}
			looks := 1<<40 - whole.left.Load()
			if looks == 0 {
				t.Errorf("%s of %d classes never looks at its context", m, k)
			}
			for _, n := range []int64{0, looks / 2, looks - 1} {
				ctx := &fewLooks{Context: t.Context()}
				ctx.left.Store(n)
				if set, err := m.FitClasses(ctx, r); !errors.Is(err, context.Canceled) || set.Maps != nil {
					t.Errorf("%s of %d classes, ended at look %d of %d: %d maps, %v", m, k, n, looks, len(set.Maps), err)
				}
			}
		}
	}
}
