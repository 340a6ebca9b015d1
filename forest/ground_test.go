package forest

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/rfpragma/rfpragma/dataset"
)

// Who grows on rows that are reordered, and keeps no frame of them, has their codes once.
func TestCodesOfTheFrameAreGivenBack(t *testing.T) {
	frame := codedFrame(dataset.Wave(orderFrom, 3, 1))
	var codes []weak.Pointer[uint16]
	for _, c := range frame.Columns {
		codes = append(codes, weak.Make(&c.Codes.Narrow[0]))
	}
	cfg := Config{Trees: 1, Seed: 1, Mtry: 3, MinLeaf: 200, Progress: func() {
		runtime.GC()
		for j := range codes {
			if codes[j].Value() != nil {
				t.Errorf("while trees grow, the codes of column %d are still in memory", j)
			}
		}
	}}
	_, votes, err := Grow(context.Background(), frame, cfg)
	if err != nil || votes.Rows() != orderFrom {
		t.Errorf("votes of %d rows, error %v", votes.Rows(), err)
	}
}
