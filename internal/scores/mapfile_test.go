package scores

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/layout"
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
		m, err := ReadMap(bytes.NewReader(text), "map.json")
		if err != nil {
			if !errors.Is(err, rfpragma.ErrFormat) || strings.ContainsAny(layout.Printable(err.Error()), "\n\r\x00") {
				t.Fatalf("error %q", err)
			}
			return
		}
		var b bytes.Buffer
		if err := m.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := ReadMap(bytes.NewReader(b.Bytes()), "map.json")
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		var c bytes.Buffer
		if err := again.Write(&c); err != nil || !bytes.Equal(b.Bytes(), c.Bytes()) {
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

// FuzzScores: whatever is read as scores is mapped to probabilities, or refused.
func FuzzScores(f *testing.F) {
	for _, seed := range []string{
		"class,s\nill,2\nwell,-1\nill,0.5\nwell,0\n", "class,a,b,c\na,.6,.3,.1\nb,.2,.5,.3\nc,.1,.2,.7\na,.5,.4,.1\n",
		"class,a,b\na,6,4\nb,1,9\na,5,5\n", "class,s\n1,1e308\n0,-1e308\n1,5e-324\n", "class,s\nyes,\nno,1\n",
	} {
		f.Add(seed, "ill")
	}
	f.Fuzz(func(t *testing.T, text, positive string) {
		frame, err := dataset.ReadCSV(strings.NewReader(text), "s.csv", dataset.Options{Target: "class"})
		if err != nil {
			return
		}
		s, err := New(frame, positive, "s.csv")
		if err != nil {
			if strings.ContainsAny(layout.Printable(err.Error()), "\n\r\x00") {
				t.Fatalf("error %q", err)
			}
			return
		}
		rows := make([]int, frame.Rows())
		for i := range rows {
			rows[i] = i
		}
		job := s.Calibration(calib.Auto)
		maps, _, err := job.Fit(t.Context(), rows, 1)
		if err != nil {
			return
		}
		prob := make([]float64, len(s.Classes))
		for i := range rows {
			job.Apply(maps, prob, i)
			sum := 0.0
			for _, p := range prob {
				if !(p >= 0 && p <= 1) {
					t.Fatalf("probabilities %v of row %d\n%s", prob, i, text)
				}
				sum += p
			}
			if sum < 1-1e-12 || sum > 1+1e-12 {
				t.Fatalf("probabilities %v of row %d sum to %v\n%s", prob, i, sum, text)
			}
		}
	})
}
