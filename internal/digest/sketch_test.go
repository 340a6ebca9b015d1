package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/sketch"
)

// sketched returns the sketch of the rows of f, taken in that order and so many at a time.
func sketched(f *dataset.Frame, order []int, block int) *sketch.Sketch {
	var s sketch.Sketcher
	for rows := range slices.Chunk(order, block) {
		AddRows(&s, f.Take(rows))
	}
	return s.Sketch()
}

// slowHash is that of a row, put together value by value.
func slowHash(f *dataset.Frame, i int) uint32 {
	said := binary.LittleEndian.AppendUint64(nil, 0) // the id
	said = binary.LittleEndian.AppendUint64(said, uint64(f.Truth[i]))
	said = binary.LittleEndian.AppendUint64(said, math.Float64bits(1)) // the weight
	for j := range f.Columns {
		said = binary.LittleEndian.AppendUint64(said, math.Float64bits(f.Columns[j].At(i)+0))
	}
	hash := sha256.Sum256(said)
	return binary.BigEndian.Uint32(hash[:])
}

// slowSketch counts all hashes and sorts them.
func slowSketch(f *dataset.Frame) *sketch.Sketch {
	times, class := map[uint32]int{}, map[uint32]int{}
	var hashes []uint32
	for i, c := range f.Truth {
		if c >= 0 {
			hash := slowHash(f, i)
			class[hash] = c
			if times[hash]++; times[hash] == 1 {
				hashes = append(hashes, hash)
			}
		}
	}
	slices.Sort(hashes)
	s := &sketch.Sketch{Hashes: hashes[:min(len(hashes), sketch.Size)], Classes: make([]sketch.Sketched, len(f.Classes))}
	for _, hash := range s.Hashes {
		of := &s.Classes[class[hash]]
		s.Rows += times[hash]
		of.Rows += times[hash]
		if times[hash] == 1 {
			s.Single++
			of.Single++
		}
	}
	return s
}

func TestSketchOfAnyOrderAndBlocks(t *testing.T) {
	for _, n := range []int{1, 40, sketch.Size, 3 * sketch.Size, 10 * sketch.Size} {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i - i%(1+i%3) // some rows are there twice or more often,
		}
		f := dataset.Fraud(n, 1).Take(rows)
		for i := range n / 8 { // and some have no label
			f.Truth[n-1-i] = -1
		}
		want := slowSketch(f)
		r := rand.New(rand.NewPCG(1, 2))
		for _, block := range []int{1, 777, n} {
			if got := sketched(f, r.Perm(n), block); !reflect.DeepEqual(got, want) {
				t.Errorf("%d rows in blocks of %d: another sketch", n, block)
			}
		}
		f.Weight, f.ID = slices.Repeat([]float64{2.5}, n), slices.Repeat([]string{"x"}, n)
		if got := sketched(f, r.Perm(n), n); !reflect.DeepEqual(got, want) {
			t.Errorf("%d rows with case weights and names: another sketch", n)
		}
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var back sketch.Sketch
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(&back, want) {
			t.Errorf("%d rows: another sketch comes back (%v)", n, err)
		}
	}
	var none sketch.Sketcher
	AddRows(&none, &dataset.Frame{Classes: []string{"a", "b"}, Truth: []int{-1},
		Columns: []dataset.Column{{Values: []float64{1}}}})
	if none.Sketch() != nil {
		t.Error("a sketch of no labelled row")
	}
}

// Find estimates shares, here those of rows of which a quarter, half, or all are of the table.
func TestSketchFinds(t *testing.T) {
	table, others := dataset.Fraud(20000, 1), dataset.Fraud(20000, 2)
	s := sketched(table, rand.New(rand.NewPCG(1, 1)).Perm(20000), 1000)
	find := func(f *dataset.Frame) (sampled, found int) {
		of, known := Find(s, f)
		return of[0] + of[1], known[0] + known[1]
	}
	if sampled, found := find(table); sampled != sketch.Size || found != sketch.Size {
		t.Errorf("of the table itself %d of %d are found", found, sampled)
	}
	if sampled, found := find(others); found != 0 || sampled < 1900 || sampled > 2200 { // 2048 expected, standard error 45
		t.Errorf("of other rows %d of %d are found", found, sampled)
	}
	rows := make([]int, 5000)
	for i := range rows {
		rows[i] = i
	}
	sampled, found := find(table.Take(rows)) // 512 expected, standard error 20
	if found != sampled || sampled < 430 || sampled > 600 {
		t.Errorf("of a quarter of the table %d of %d are found", found, sampled)
	}
}

func TestBadSketches(t *testing.T) {
	const one, two = `AAAAAQ==`, `AAAAAQAAAAI=` // hashes 1; 1, 2
	for text, why := range map[string]string{
		`{"hashes":"","rows":0,"single":0}`:                                      "of 0 bytes",
		`{"hashes":null,"rows":0,"single":0}`:                                    "of 0 bytes",
		`{"hashes":"AAAA","rows":1,"single":1}`:                                  "of 3 bytes",
		`{"hashes":"AAAAAgAAAAE=","rows":2,"single":2}`:                          "do not ascend",
		`{"hashes":"AAAAAQAAAAE=","rows":2,"single":2}`:                          "do not ascend",
		`{"hashes":"` + one + `","rows":2,"single":1}`:                           "for 2 rows",
		`{"hashes":"` + one + `","rows":1,"single":0}`:                           "for 1 rows",
		`{"hashes":"` + one + `","rows":1,"single":2}`:                           "for 1 rows",
		`{"hashes":"` + two + `","rows":2,"single":-1}`:                          "for 2 rows",
		`{"hashes":"` + two + `","rows":2,"single":1}`:                           "for 2 rows",
		`{"hashes":"` + two + `","rows":2,"single":2,"classes":[[1,1]]}`:         "whose classes have 1 and 1",
		`{"hashes":"` + two + `","rows":2,"single":2,"classes":[[3,3],[-1,-1]]}`: "of 3 rows of class 1",
		`{"hashes":"` + two + `","rows":2,"single":2,"classes":[[0,1],[2,1]]}`:   "of 0 rows of class 1, 1 of them single",
		`{"hashes":"*","rows":1,"single":1}`:                                     "illegal base64",
		`{"hashes":"` + strings.Repeat("AAAA", 6147) + `"}`:                      "of 18441 bytes",
	} {
		var s sketch.Sketch
		if err := json.Unmarshal([]byte(text), &s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.60s: error %v, want %q", text, err, why)
		}
	}
	var s sketch.Sketch
	if err := json.Unmarshal([]byte(`{"hashes":"`+two+`","rows":4,"single":1}`), &s); err != nil || !slices.Equal(s.Hashes,
		[]uint32{1, 2}) {
		t.Errorf("a sound sketch: %v, %v", s, err)
	}
}
