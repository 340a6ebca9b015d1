//go:build !(goexperiment.simd && amd64 && go1.26 && !go1.27)

package forest

// A build without vectors, see vectors.go.

const pairRows = 0

type vectorScratch struct{ able bool }

func vectorLimit() int { return 0 }

func vectorMemory(int64) int64 { return 0 }

func (g *grower) readyVectors() {}

func (g *grower) byVectors(int, *codedColumn) bool { return false }
