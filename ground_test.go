package rfpragma_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// Parts grown on one ground, at the same time, are those that are grown apart.
func TestGroundEqualsGrowPart(t *testing.T) {
	ctx := context.Background()
	train := dataset.Wave(300, 3, 1)
	train.Group = make([]int, 300)
	for i := range train.Group {
		train.Group[i] = i / 3
	}
	for _, c := range []forest.Config{{Trees: 9, Seed: 2}, {Trees: 9, Bag: "hash:80", Soft: true, MinLeaf: 3}} {
		ground, err := rfpragma.Prepare(ctx, train, c)
		if err != nil {
			t.Fatal(err)
		}
		var parts [3]bytes.Buffer
		var group errgroup.Group
		for i := range parts {
			group.Go(func() error {
				part, err := ground.GrowPart(ctx, 3*i, 3*i+3)
				if err == nil {
					_, err = part.WriteTo(&parts[i])
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		for i := range parts {
			part, err := rfpragma.GrowPart(ctx, train, c, 3*i, 3*i+3)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if _, err := part.WriteTo(&want); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(parts[i].Bytes(), want.Bytes()) {
				t.Errorf("%v: part %d has other bytes", c.Bag, i)
			}
		}
		if _, err := ground.GrowPart(ctx, 5, 5); !errors.Is(err, forest.ErrConfig) {
			t.Errorf("no trees: %v", err)
		}
	}
	if _, err := rfpragma.Prepare(ctx, train, forest.Config{Mtry: 99}); !errors.Is(err, forest.ErrConfig) {
		t.Errorf("mtry 99: %v", err)
	}
	if _, err := rfpragma.Prepare(ctx, train, forest.Config{MaxMemory: 1}); !errors.Is(err, forest.ErrMemory) {
		t.Errorf("a byte of memory: %v", err)
	}
}
