package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
)

// FuzzReadMap: a map file is read and written the same, or refused in one line.
func FuzzReadMap(f *testing.F) {
	for _, seed := range []string{
		`{"schema_version":1,"kind":"rfpragma calibration","classes":["a","b"],"score":"s","method":"platt-raw","maps":{"maps":[{"kind":"sigmoid","a":-2,"b":1,"logit":false}]}}`,
		`{"schema_version":1,"kind":"rfpragma calibration","classes":["a","b","c"],"votes":true,"method":"temperature","maps":{"maps":[{"kind":"power","a":1,"b":0},{"kind":"power","a":1,"b":0},{"kind":"power","a":1,"b":0}]}}`,
		`{"schema_version":1,"kind":"rfpragma calibration","classes":["a","a"],"maps":null}`, `{`, `[]`, "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := readMap(bytes.NewReader(text), "map.json")
		if err != nil {
			if !errors.Is(err, rfpragma.ErrFormat) || strings.ContainsAny(printable(err.Error()), "\n\r\x00") {
				t.Fatalf("error %q", err)
			}
			return
		}
		var b bytes.Buffer
		if err := m.write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := readMap(bytes.NewReader(b.Bytes()), "map.json")
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		var c bytes.Buffer
		if err := again.write(&c); err != nil || !bytes.Equal(b.Bytes(), c.Bytes()) {
			t.Fatalf("written\n%s\nand read and written\n%s\n%v", b.String(), c.String(), err)
		}
		share, prob := make([]float64, len(m.Classes)), make([]float64, len(m.Classes))
		for c := range share {
			share[c] = 1 / float64(len(share))
		}
		m.Maps.Probabilities(prob, share)
		for _, p := range prob {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("probabilities %v\n%s", prob, text)
			}
		}
	})
}
