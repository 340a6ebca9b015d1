package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/rfpragma/rfpragma/calib"
)

// speed times a fit of each kind for each line of in, on the scores in a file: float64 scores, then as many float64 that are 1 for hits, little-endian.
// What it prints is read by speed.py, which takes turns.
func speed(path string, in io.Reader, out io.Writer) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n := len(b) / 16
	score, hit := make([]float64, n), make([]bool, n)
	for i := range n {
		score[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		hit[i] = binary.LittleEndian.Uint64(b[8*(n+i):]) != 0
	}
	for turns := bufio.NewScanner(in); turns.Scan(); {
		took := map[string]float64{}
		for _, m := range []calib.Method{calib.IsotonicLinear, calib.PlattRaw} {
			for range 3 { // the last one counts, for both sides
				start := time.Now()
				fitted, err := m.Fit(score, hit, nil)
				if err != nil {
					return err
				}
				took[string(m)] = time.Since(start).Seconds()
				if p := fitted.Prob(score[0]); !(p >= 0 && p <= 1) {
					return fmt.Errorf("%s: probability %v", m, p)
				}
			}
		}
		if err := json.NewEncoder(out).Encode(took); err != nil {
			return err
		}
	}
	return nil
}
